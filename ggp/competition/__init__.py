"""Competitions as numbers: who meets whom, what it came to, and how strong everybody is. Plain code, no I/O."""
