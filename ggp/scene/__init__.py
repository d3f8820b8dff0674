"""Positions as pictures: a structured description, and how it is drawn."""
