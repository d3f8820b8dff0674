"""Searches with hidden information, on tables of information states."""
