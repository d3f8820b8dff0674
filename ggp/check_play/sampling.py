"""Random games played natively by the hundred thousand, and what they show: for `ggp check`.

The kernels are in `ggp.check_play.sampled_play`; here their arrays are made and read. Nothing here knows rules.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ggp.arithmetic.words import signed
from ggp.check_play import sampled_play as kernels
from ggp.check_play.play_account import (
    CONFLICT_COLUMNS,
    FAULT,
    HIDDEN,
    MET_COLUMNS,
    NOTABLE_COLUMNS,
    OVER,
    PLAIN,
    Account,
    Buffers,
)
from ggp.check_play.running_statistics import RunningStatistics

if TYPE_CHECKING:
    from ggp.codegen.kernels import I64
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


@dataclass(frozen=True, slots=True)
class Notable:
    """Games of one sort: how many of the random games, and the shortest, which may be a twin of one."""

    count: int
    shortest: Play


@dataclass(frozen=True, slots=True)
class Conflict:
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
    """Plays random games of one game, and keeps account."""

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
        bounds = np.array([[-np.inf, np.inf]] * players if utility_bounds is None else utility_bounds, dtype=np.float64)
        entries = TABLE_ENTRIES if watch == HIDDEN else 2
        self._account = Account(
            totals=np.zeros(5, dtype=np.int64),
            phases=np.zeros(phases, dtype=np.int64),
            kinds=np.array([(*kind, 0) for kind in kinds], dtype=np.int64).reshape(len(kinds), 4),
            branching=np.zeros((phases, players, 4), dtype=np.int64),
            lengths=np.array([np.inf, -np.inf, 0.0, 0.0]),
            utilities=np.array([[np.inf, -np.inf, 0.0, 0.0]] * players),
            stated_sum=np.array([np.nan if stated_sum is None else stated_sum]),
            sums=np.array([np.inf, -np.inf]),
            bounds=bounds,
            notable=np.zeros((FAULT + len(native.faults) + 1, NOTABLE_COLUMNS), dtype=np.int64),
            table=np.zeros((entries, 2), dtype=np.uint64),
            met=np.zeros((entries, MET_COLUMNS), dtype=np.int64),
            used=np.zeros(1, dtype=np.int64),
            conflicts=np.zeros((CONFLICTS_KEPT, CONFLICT_COLUMNS), dtype=np.int64),
        )
        self._buffers = Buffers(
            states=np.zeros(3 * shape.state_words, dtype=np.int64),
            joint=np.zeros(players + 1, dtype=np.int64),
            legal=np.zeros(shape.max_actions, dtype=np.int64),
            observed=np.zeros(shape.max_observation_words, dtype=np.int64),
            reals=np.zeros(players),
            keys=np.zeros(2 * players, dtype=np.uint64),
            noticed=np.zeros(players, dtype=np.int64),
            rng=np.zeros(1, dtype=np.uint64),
            trace=np.zeros((0, players + 1), dtype=np.int64),
        )

    # --- playing ------------------------------------------------------------------------------------------------------

    def run(self, seed: int, games: int, go_on: Callable[[], bool]) -> None:
        """Play random games, each with its twins, until there are enough or `go_on`, asked now and then, says no.

        At least one is played.
        """
        twins = TWINS if self.watch == HIDDEN else 0
        at, slice_ = 0, 1
        while at < games and (at == 0 or go_on()):
            began, before = time.perf_counter(), int(self._account.totals[3])
            at = kernels.play_groups(
                self.native.functions, self.native.shape, self._account, self._buffers,
                seed, at, games, twins, self.step_limit, slice_, self.watch,
            )  # fmt: skip
            pace = (int(self._account.totals[3]) - before) / max(time.perf_counter() - began, 1e-6)
            slice_ = max(1, min(SLICE, int(pace * SLICE_S)))

    def play(self, seed: int, deviation: int = -1, length: int | None = None) -> int:
        """Play one game and return its transitions; `trace` has what was chosen, `keys` what the players knew.

        Args:
            seed: of the game.
            deviation: the transition that is drawn anew; -1: none.
            length: transitions after which it is cut; None: the limit.
        """
        limit = self.step_limit if length is None else length
        trace = np.zeros((limit + 1, self.native.shape.players + 1), dtype=np.int64)
        self._buffers = self._buffers._replace(trace=trace)
        return int(
            kernels.play_game(
                self.native.functions,
                self.native.shape,
                self._account,
                self._buffers,
                signed(seed),
                deviation,
                limit,
                self.watch,
            )
        )

    def trace(self, length: int) -> I64:
        """Return what the game played last chose, `[length, P + 1]`.

        For each player who acted the position among its legal actions, in the last column the outcome of chance.
        """
        return self._buffers.trace[:length]

    def last_keys(self) -> Any:
        """Return the information-state keys in which the game played last came to an end, `[P, 2]` uint64."""
        return self._buffers.keys.reshape(-1, 2)

    def trace_of(self, play: Play) -> list[tuple[int, ...]]:
        """Play a game again, without counting it, and return what it chose, and would have chosen next."""
        fresh = Sampler(self.native, len(self._account.phases), PLAIN, self.step_limit)
        fresh.play(play.seed, play.deviation, play.length + 1)
        return [tuple(map(int, row)) for row in fresh.trace(play.length + 1)]

    def phase_after(self, play: Play) -> int:
        """Play a game again, without counting it, and return the number of the phase that it came to."""
        fresh = Sampler(self.native, len(self._account.phases), PLAIN, self.step_limit)
        length = fresh.play(play.seed, play.deviation, play.length)
        # the kernel writes new states to either of two places in turn
        return int(fresh._buffers.states[length % 2 * self.native.shape.state_words])

    # --- what it showed -----------------------------------------------------------------------------------------------

    @property
    def games(self) -> int:
        """Random games begun; twins are not counted."""
        return int(self._account.totals[0])

    @property
    def finished(self) -> int:
        """Random games that came to an end."""
        return int(self._account.totals[1])

    @property
    def steps(self) -> int:
        """Transitions made in random games."""
        return int(self._account.totals[2])

    @property
    def information_states(self) -> int:
        """Different information states met at decisions and ends; counted up to half the table."""
        return int(self._account.used[0])

    def notable(self, sort: int) -> Notable | None:
        """Return the games of a sort, such as CUT or FAULT + 3; None if there was none."""
        count, seed, deviation, length, met = map(int, self._account.notable[sort])
        return Notable(count, Play(seed, deviation, length)) if met else None

    def faults(self) -> list[tuple[int, Notable]]:
        """Return the number of each fault site at which games failed, with these games."""
        found = ((site, self.notable(FAULT + site)) for site in range(1, len(self.native.faults) + 1))
        return [(site, notable) for site, notable in found if notable is not None]

    def conflicts(self) -> list[Conflict]:
        """Return plays that a player cannot tell apart and ought to, the shortest first; not all that there are."""
        found = []
        for row in self._account.conflicts[: min(int(self._account.totals[4]), CONFLICTS_KEPT)]:
            player, sort, *of_plays = map(int, row)
            first, second = Play(*of_plays[:3]), Play(*of_plays[3:])
            found.append(Conflict(player, sort == OVER, (first, second)))
        return sorted(found, key=lambda one: max(play.length for play in one.plays))

    def phase_visits(self) -> list[int]:
        """Return how many transitions were made in each phase."""
        return [int(count) for count in self._account.phases]

    def kind_uses(self) -> list[int]:
        """Return how often an action of each kind was chosen."""
        return [int(row[3]) for row in self._account.kinds]

    def lengths(self) -> RunningStatistics:
        """Return the transitions of the random games that ended."""
        if not self.finished:
            return RunningStatistics()
        low, high, total, squares = map(int, self._account.lengths)
        return RunningStatistics(self.finished, total, low, high, squares)

    def utilities(self) -> list[RunningStatistics]:
        """Return the utilities of each player in the random games that ended."""
        return [
            RunningStatistics(self.finished, float(total), float(low), float(high), float(squares))
            for low, high, total, squares in self._account.utilities
        ]

    def sums(self) -> tuple[float, float]:
        """Return the least and the greatest sum of the utilities of all players; infinities before a game has ended."""
        return float(self._account.sums[0]), float(self._account.sums[1])

    def branching(self, phase: int, player: int) -> RunningStatistics:
        """Return the numbers of legal actions that a player had in a phase of random games."""
        count, total, fewest, most = map(int, self._account.branching[phase, player])
        return RunningStatistics(count, total, fewest, most)
