"""The length of the longest play of a game, where all its states can be looked at."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggp.game.game import Game
    from ggp.game.state import State


def longest_play(game: Game) -> int | None:
    """Return the transitions of the longest play; None where a state can recur, or there is too much to look at.

    The backend says how many transitions between states are looked at (`GameBackend.transitions_looked_at`).

    Raises:
        RulesFault: the rules fail in some state.
    """
    numbers: dict[State, int] = {}
    ways: list[Iterator[State]] = []
    left = game.backend.transitions_looked_at

    def number(state: State) -> int:
        nonlocal left
        if state not in numbers:
            numbers[state] = len(numbers)
            # those of a state that is met count at once, and breadth comes first: that they are too many shows long
            # before they are looked at
            count, following = ways_from(state)
            left -= count
            ways.append(following)
        return numbers[state]

    number(game.initial())
    after: list[list[int]] = []
    for following in ways:
        after.append([])
        for state in following:
            after[-1].append(number(state))
            if left < 0:
                return None
    return _longest_path(after) if left >= 0 else None


def _longest_path(after: Sequence[Sequence[int]]) -> int | None:
    """Return the length of the longest path from 0, from where there is one to all; None where one comes back."""
    before = [0] * len(after)
    for places in after:
        for place in places:
            before[place] += 1
    longest, done = [0] * len(after), 0
    waiting = [0] if not before[0] else []
    while waiting:
        here = waiting.pop()
        done += 1
        for place in after[here]:
            longest[place] = max(longest[place], 1 + longest[here])
            before[place] -= 1
            if not before[place]:
                waiting.append(place)
    return max(longest) if done == len(after) else None


def ways_from(state: State) -> tuple[int, Iterator[State]]:
    """Return how many transitions there are from a state, and the states that they lead to."""
    choices = choices_at(state)
    joints = itertools.product(*choices) if choices else ()
    return prod(map(len, choices)) if choices else 0, map(state.successor, joints)


def choices_at(state: State) -> list[Sequence[int]]:
    """Return the legal actions of each player and last the outcomes; 0 where there is no choice, nothing at the end.

    Raises:
        GameError: the rules fail.
    """
    players: list[Sequence[int]] = [(0,)] * len(state.game.players)
    if state.is_chance():
        return [*players, [outcome for outcome, _ in state.chance_outcomes()]]
    actors = state.actors()
    for player in actors:
        players[player] = state.legal(player)
    return [*players, (0,)] if actors else []
