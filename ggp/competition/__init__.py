"""Competitions as numbers: pairings, results, standings and ratings. Plain code, no I/O."""
