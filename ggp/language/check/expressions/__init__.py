"""Checks of expressions, and of what they are made with: names, calls, binders."""
