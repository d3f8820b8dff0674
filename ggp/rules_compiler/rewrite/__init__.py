"""Passes from typed tree to typed tree."""
