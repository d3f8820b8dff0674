"""Competitions in a manager: who takes part, who meets whom, and what became of it."""
