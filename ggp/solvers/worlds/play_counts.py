"""Counts plays by their length ("perft"): the usual test of move generators against published numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ggp.faults import GameError
from ggp.game.game import Game
from ggp.game.play_length import choices_at
from ggp.game.state import State

SLICE = 10_000
"""States visited between two reports of progress."""


@dataclass(frozen=True, slots=True)
class PlayCount:
    """Counts so far.

    Attributes:
        nodes: plays of 1, 2, ... transitions, chance outcomes counting as choices.
        faults: states in which the rules failed; no play goes on from them.
        share: share of all that is done, from 0 to 1, as if all states of a level had as many plays behind them.
    """

    nodes: tuple[int, ...]
    faults: int
    share: float


@dataclass(slots=True)
class _Level:
    """A state on the way of a depth-first walk, its joint actions or outcomes, and how many of them are done."""

    state: State
    joints: Iterator[tuple[int, ...]]
    count: int
    done: int = -1


def count_plays(game: Game, depth: int) -> Iterator[PlayCount]:
    """Count the plays of a game by length, yielding the counts from time to time and at the end.

    Args:
        game: any.
        depth: transitions of the longest plays counted, at least 1.
    """
    nodes, faults, visited = [0] * depth, 0, 0
    way: list[_Level] = []
    state: State | None = game.initial()
    while state is not None or way:
        if state is not None:
            visited += 1
            try:
                choices = choices_at(state)
            except GameError:
                faults, choices = faults + 1, []
            count = math.prod(map(len, choices)) if choices else 0
            nodes[len(way)] += count
            if count and len(way) < depth - 1:
                way.append(_Level(state, product(*choices), count))
            state = None
            if visited % SLICE == 0:
                yield PlayCount(tuple(nodes), faults, _share(way))
            continue
        way[-1].done += 1
        joint = next(way[-1].joints, None)
        if joint is None:
            way.pop()
            continue
        try:
            state = way[-1].state.successor(joint)
        except GameError:
            faults += 1
    yield PlayCount(tuple(nodes), faults, 1.0)


def _share(way: Sequence[_Level]) -> float:
    share = 0.0
    for level in reversed(way):
        share = (max(level.done, 0) + share) / level.count
    return share
