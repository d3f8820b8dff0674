"""Methods of solving games: names, and when each is the default."""

from __future__ import annotations

BACKWARD_INDUCTION = "backward-induction"
"""Over world states, of games that hide nothing; the others are over information states."""
LINEAR_PROGRAM = "sequence-form"
ITERATIVE = ("cfr+", "dcfr", "pcfr+")
DEFAULT_ITERATIVE = "pcfr+"
BEST_RESPONSE = "best response"
"""The method for one player."""
MAX_PROGRAM_SIZE = 400_000
"""Sequences and payoff entries up to which the linear program is the default; it then takes some ten seconds."""
DEFAULT_SECONDS = 60.0
"""Of an iterative method where neither seconds nor iterations are limited."""
SMALL_ENOUGH = 1e-9
"""NashConv at which iterating ends, as a share of the utility range."""


def default_method(size: int, *, limited: bool) -> str:
    """Return the method over information states for a game of so many sequences and payoff entries.

    `limited` says whether seconds or iterations are given, which only iterative methods have.
    """
    return LINEAR_PROGRAM if not limited and size <= MAX_PROGRAM_SIZE else DEFAULT_ITERATIVE
