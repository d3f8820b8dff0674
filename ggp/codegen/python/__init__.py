"""Plain Python code."""
