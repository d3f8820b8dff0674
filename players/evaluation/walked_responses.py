"""Best responses in games too large to be unfolded, to the strategies of a search; see `response_walk.py`."""

from __future__ import annotations

import time
from collections.abc import Generator

from ggp.native.infoset_table import InfosetTable, new_infoset_table
from ggp.native.interface import NativeGame
from ggp.solvers.sequence_form.best_responses import Response
from ggp.solvers.sequence_form.unfolding import raise_problem
from ggp.solvers.worlds.exploration import GameTooLarge, NotSolvable
from players.evaluation.response_memory import (
    DONE,
    FAULT_FOUND,
    NEEDS_ROOM,
    PAUSED,
    TRAIL_FULL,
    Trail,
    enlarged,
    new_trail,
    share_done,
    started,
)
from players.evaluation.response_walk import walk_on
from players.search.foundation.kernel_arguments import new_model

SLICE = 1 << 16
"""Histories that a call expands."""
REPORT_S = 0.25
"""Seconds between two reports of progress."""
SUM_TOLERANCE = 1e-9


def walked_responses(
    native: NativeGame, frozen: InfosetTable, memory_bytes: int = 4 * 2**30, trail: Trail | None = None
) -> Generator[float, None, Response]:
    """Return the utilities of frozen strategies against each other, and of best responses to them.

    Yields now and then the share of the work that is done: a guess.

    Args:
        native: a game of constant sum, with any number of players.
        frozen: the strategies of all players.
        memory_bytes: at most, but for the trail.
        trail: filled with all information states that are met, if it is given.

    Raises:
        GameTooLarge: too many histories follow one information state, or the trail is full.
        FaultInRules: a fault or a dead end is reached.
        NotSolvable: the sum is not constant, or one information state has different legal actions.
    """
    expected: list[float] = []
    best, model, told = [], new_model(native), time.monotonic()
    players, keeps_trail, trail = native.shape.players, trail is not None, trail or new_trail(0)
    for player in range(players):
        walk, status = started(native), PAUSED
        # what the last player gets is the rest of the sum
        is_last = 0 < player == players - 1
        # a trail comes to every information state
        kept_bytes = 0 if keeps_trail else memory_bytes // 4
        kept = new_infoset_table(kept_bytes, 0 if keeps_trail else 1)
        while status != DONE:
            status = walk_on(model, frozen, walk, trail, kept, player, is_last, SLICE)
            if status == NEEDS_ROOM:
                walk = enlarged(walk, native.shape, memory_bytes - kept_bytes)
            elif status == TRAIL_FULL:
                raise GameTooLarge("the information states do not fit into memory: raise the limit on it")
            elif status not in (PAUSED, DONE):
                raise_problem(status, int(walk.counters[FAULT_FOUND]), player, native)
            if time.monotonic() - told > REPORT_S:
                told = time.monotonic()
                yield (player + share_done(walk)) / players
        low, high = walk.sums
        if high - low > SUM_TOLERANCE * max(1.0, abs(low), abs(high)):
            raise NotSolvable("the players' utilities do not have the same sum at every end of play")
        expected.append(float(high) - sum(expected) if is_last else float(walk.frames.own[0]))
        best.append(float(walk.frames.best[0]))
    return Response(tuple(expected), tuple(best))
