"""What the papers measured, and the demonstration, as runnable definitions."""
