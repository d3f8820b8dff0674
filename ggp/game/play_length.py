"""The length of the longest play of a game, where all its states can be looked at."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
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
    lengths: dict[State, int | None] = {}
    """The longest play from each state; None while it is on the path."""
    start, looked_at = game.initial(), 0
    lengths[start] = None
    path = [(start, successors(start), 0)]
    while path:
        state, following, longest = path[-1]
        for after in following:
            looked_at += 1
            if looked_at > game.backend.transitions_looked_at:
                return None
            if after not in lengths:
                lengths[after] = None
                path.append((after, successors(after), 0))
                break
            known = lengths[after]
            if known is None:
                return None
            longest = max(longest, 1 + known)
        else:
            path.pop()
            lengths[state] = longest
            if path:
                before, others, so_far = path[-1]
                path[-1] = before, others, max(so_far, 1 + longest)
            continue
        path[-2] = state, following, longest
    return lengths[start]


def successors(state: State) -> Iterator[State]:
    """Yield the states that one transition leads to."""
    if choices := choices_at(state):
        yield from map(state.successor, itertools.product(*choices))


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
