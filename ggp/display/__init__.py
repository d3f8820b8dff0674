"""Positions as scenes, from the `display` of the rules or the types of the variables."""
