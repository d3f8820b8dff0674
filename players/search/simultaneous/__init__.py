"""Searches with simultaneous moves, on one tree of decisions."""
