"""Random games played natively by the hundred thousand, and what they show: for `ggp check`.

The kernels are in `ggp.check_play.sampled_play`; here their arrays are made and read. Nothing here knows rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from ggp.arithmetic.words import signed
from ggp.check_play import sampled_play as kernels
from ggp.check_play.play_account import (
    ALL_STEPS,
    CONFLICT_COLUMNS,
    CONFLICTS,
    FAULT,
    HIDDEN,
    MET_COLUMNS,
    NOTABLE_COLUMNS,
    OVER,
    PLAIN,
    SERIES,
    TOTALS,
    Account,
    Buffers,
)
from ggp.check_play.running_statistics import RunningStatistics
from ggp.codegen.kernels import allocated
from ggp.native.interface import PHASE_WORD

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64, I64
    from ggp.native.interface import NativeGame

TABLE_ENTRIES = 1 << 19
"""Room for information states; half of it is used, 19 MB for all."""
CONFLICTS_KEPT = 1024
TWINS = 3
"""How many twins each game of a game with hidden information has."""
SLICE_S, SLICE = 0.05, 100_000
"""Seconds and transitions, at most, between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Play:
    """A game that can be played again.

    Attributes:
        seed: of its draws.
        deviation: the transition that is drawn anew; -1: none.
        length: its transitions.
    """

    seed: int
    deviation: int
    length: int


class Notable(Struct, frozen=True):
    """Games of one sort: how many of the random games, and the shortest, which may be a twin of one."""

    count: int
    shortest: Play


class Conflict(Struct, frozen=True):
    """Two plays that a player cannot tell apart.

    Attributes:
        player: who cannot.
        is_over: whether one of them is over while the player acts in the other; else it acts in both, and its legal
            actions differ.
        plays: up to where they are compared.
    """

    player: int
    is_over: bool
    plays: tuple[Play, Play]


class Sampler:
    """Plays random games of one game; `account` has what they showed."""

    def __init__(
        self,
        native: NativeGame,
        phases: int,
        watch: int,
        step_limit: int,
        kinds: Sequence[tuple[int, int, int]] = (),
        utility_bounds: Sequence[tuple[float, float]] | None = None,
        stated_sum: float | None = None,
    ) -> None:
        """Make the arrays.

        Args:
            native: the game.
            phases: how many it has; the first word of a state that is not terminal is below that.
            watch: PLAIN, HIDDEN or OBSERVED of `ggp.check_play.play_account`.
            step_limit: transitions after which a game is cut.
            kinds: of moves: phase, first number, number behind the last, for each.
            utility_bounds: of each player; None: not compared.
            stated_sum: what the utilities are said to add up to; None: not compared.
        """
        self.native = native
        self.watch = watch
        self.step_limit = step_limit
        shape = native.shape
        players = shape.players
        entries = TABLE_ENTRIES if watch == HIDDEN else 2
        series = np.array([0.0, 0.0, np.inf, -np.inf, 0.0])
        assert len(series) == SERIES
        self.account = Account(
            totals=np.zeros(TOTALS, dtype=np.int64),
            phases=np.zeros(phases, dtype=np.int64),
            kinds=np.array([(*kind, 0) for kind in kinds], dtype=np.int64).reshape(len(kinds), 4),
            branching=np.tile(series, (phases * players, 1)),
            lengths=series.copy(),
            utilities=np.tile(series, (players, 1)),
            sums=series.copy(),
            stated_sum=np.array([np.nan if stated_sum is None else stated_sum]),
            bounds=np.array([(-np.inf, np.inf)] * players if utility_bounds is None else utility_bounds, dtype=float),
            notable=np.zeros((FAULT + len(native.faults) + 1, NOTABLE_COLUMNS), dtype=np.int64),
            table=np.zeros((entries, 2), dtype=np.uint64),
            met=np.zeros((entries, MET_COLUMNS), dtype=np.int64),
            used=np.zeros(1, dtype=np.int64),
            conflicts=np.zeros((CONFLICTS_KEPT, CONFLICT_COLUMNS), dtype=np.int64),
        )
        self._buffers = allocated(Buffers, **shape.lengths)

    # --- playing ------------------------------------------------------------------------------------------------------

    def run(self, seed: int, games: int, go_on: Callable[[], bool]) -> None:
        """Play random games, each with its twins, until there are enough or `go_on`, asked now and then, says no.

        At least one is played.
        """
        twins = TWINS if self.watch == HIDDEN else 0
        at, slice_, totals = 0, 1, self.account.totals
        while at < games and (at == 0 or go_on()):
            began, before = time.perf_counter(), int(totals[ALL_STEPS])
            at = kernels.play_groups(self._sampled(), seed, at, games, twins, self.step_limit, slice_, self.watch)
            pace = (int(totals[ALL_STEPS]) - before) / max(time.perf_counter() - began, 1e-6)
            slice_ = max(1, min(SLICE, int(pace * SLICE_S)))

    def play(self, seed: int, deviation: int = -1, length: int | None = None) -> I64:
        """Play one game and return what it chose, and would have chosen next, `[length + 1, P + 1]`.

        For each player who acted the position among its legal actions, in the last column the outcome of chance.

        Args:
            seed: of the game.
            deviation: the transition that is drawn anew; -1: none.
            length: transitions after which it is cut; None: the limit.
        """
        limit = self.step_limit if length is None else length
        trace = np.zeros((limit + 1, self.native.shape.players + 1), dtype=np.int64)
        self._buffers = self._buffers._replace(trace=trace)
        self._buffers.play[:2] = signed(seed), deviation
        length = kernels.play_game(self._sampled(), limit, self.watch)
        return trace[: length + 1]

    def _sampled(self) -> kernels.Sampled:
        return kernels.Sampled(self.native.functions, self.native.shape, self.account, self._buffers)

    def _uncounted(self) -> Sampler:
        return Sampler(self.native, len(self.account.phases), PLAIN, self.step_limit)

    def trace_of(self, play: Play) -> list[tuple[int, ...]]:
        """Play a game again, without counting it, and return what it chose, and would have chosen next."""
        trace = self._uncounted().play(play.seed, play.deviation, play.length + 1)
        return [tuple(map(int, row)) for row in trace[: play.length + 1]]

    def phase_after(self, play: Play) -> int:
        """Play a game again, without counting it, and return the number of the phase that it came to."""
        return self.words_after(play)[PHASE_WORD]

    def words_after(self, play: Play) -> list[int]:
        """Play a game again, without counting it, and return the words of the state that it came to."""
        fresh, wide = self._uncounted(), self.native.shape.state_words
        length = len(fresh.play(play.seed, play.deviation, play.length)) - 1
        # the kernel writes new states to either of two places in turn
        return [int(word) for word in fresh._buffers.states[length % 2 * wide :][:wide]]

    def random_trace(self, seed: int, number: int, deviation: int = -1) -> list[tuple[int, ...]]:
        """Play a random game of `run`, or a twin of it, without counting it, and return what it chose."""
        trace = self._uncounted().play(kernels.seed_of_game(seed, number), deviation)
        return [tuple(map(int, row)) for row in trace[:-1]]

    # --- what it showed -----------------------------------------------------------------------------------------------

    def notable(self, sort: int) -> Notable | None:
        """Return the games of a sort, such as CUT or FAULT + 3; None if there was none."""
        seed, deviation, length, count, met = map(int, self.account.notable[sort])
        return Notable(count, Play(seed, deviation, length)) if met else None

    def faults(self) -> list[tuple[int, Notable]]:
        """Return the number of each fault site at which games failed, with these games."""
        found = ((site, self.notable(FAULT + site)) for site in range(1, len(self.native.faults) + 1))
        return [(site, notable) for site, notable in found if notable is not None]

    def conflicts(self) -> list[Conflict]:
        """Return plays that a player cannot tell apart and ought to, the shortest first; not all that there are."""
        found = []
        for row in self.account.conflicts[: min(int(self.account.totals[CONFLICTS]), CONFLICTS_KEPT)]:
            player, sort, *of_plays = map(int, row)
            found.append(Conflict(player, sort == OVER, (Play(*of_plays[:3]), Play(*of_plays[3:]))))
        return sorted(found, key=lambda one: max(play.length for play in one.plays))


def statistics(series: F64, of: Callable[[float], float] = float) -> RunningStatistics:
    """Return a series of the account; `of` is `int` where it is one of whole numbers."""
    count, *numbers = map(float, series)
    return RunningStatistics(int(count), *map(of, numbers)) if count else RunningStatistics()
