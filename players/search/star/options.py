"""The settings of *-Minimax as its kernels read them."""

from __future__ import annotations

from typing import NamedTuple

PLAIN, STAR1, STAR2 = 0, 1, 2
NULL_WINDOW = 1e-7
"""Of a search that only asks whether an action is better than the best so far."""
EXACT = 1e-12
"""Ends of an interval that are no further apart are one value: sums of probabilities are rounded."""


class Options(NamedTuple):
    """The settings that the kernel needs."""

    pruning: int  # PLAIN, STAR1 or STAR2
    samples: int  # outcomes that are drawn of a chance event; 0: all of them are searched
    playouts: int  # of a state at the horizon, where the rules have no estimate
    use_table: int  # 1: values of states that were met before are used again
    width: int  # actions or outcomes at most that a frame takes of the pool
    key_words: int  # of a state, by which the table knows it: all, but for what was met before
    seed: int  # of outcomes and playouts; with the same one, every variant draws the same
    order: int = 0  # 1: actions in the order of their scores, see `ordering.py`
    window: int = 0  # 1: narrow windows for all but the first
    reduce: int = 0  # 1: late actions are first searched less deep
    quiet: int = 0  # decisions beyond the horizon, where an action has made the estimate jump
