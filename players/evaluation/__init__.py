"""Matches between players, and how far they are from equilibrium."""
