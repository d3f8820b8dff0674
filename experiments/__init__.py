"""The papers' measurements and the demonstration, as runnable definitions."""
