"""The histories that fit what one player was told, with the probabilities of the world states that they lead to.

Everything is derived from the rules and from what the player was told; nothing is written per game. After each record
the consistent histories are enumerated while they fit in memory. Beyond that a sample of them is extended, guided by
the observations (`ggp.beliefs.filtering`). If few or none of the held histories are consistent any more,
others that are consistent with all observations so far are searched for from the beginning of the game
(`ggp.beliefs.repair`).

Source: Lisý 2014, section 3.2.3, figure 3.5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ggp.beliefs.branches import Observer
from ggp.beliefs.choices import block_table
from ggp.beliefs.extension import HISTORY_NODES, Extension, Limit, Records
from ggp.beliefs.history_tree import HistoryTree, begin_front, forget_histories, new_front
from ggp.native.calls import call_init
from ggp.native.infoset_table import InfosetTable
from ggp.native.interface import NativeGame

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64, I64

FRONT_BYTES = 24 << 20
FRONT_SHARE = 4
"""Maximum number of enumerated histories, as a multiple of those sampled."""
FEW, ENOUGH = 32, 256
"""Sampled histories that are too few to represent all: more are searched for, up to ENOUGH if there is time."""
EXACT_SHARE, SAMPLED_SHARE = 0.4, 0.6


class ConsistentHistories:
    """The histories that fit what one player was told.

    Args:
        native: the game.
        revealed: where a player is told all that was chosen, see `GameBackend.revealed_actions`.
        parts: how choices with several parts are numbered, see `Codec.number_parts`.
        states: maximum number of histories when they are sampled.
        field: the number of an action in the search's tree that tells how often it was chosen.
        uniform: share of the uniform strategy in the model of the others.
        equal: whether all possible states count as equally probable.
    """

    def __init__(
        self,
        native: NativeGame,
        revealed: Sequence[Sequence[bool]],
        parts: Sequence[tuple[int | None, int, Sequence[int]]],
        states: int,
        field: int,
        uniform: float,
        equal: bool,
    ) -> None:
        shape = native.shape
        self._native = native
        self._equal = equal
        self._room = max(
            16, min(FRONT_SHARE * states, FRONT_BYTES // (8 * (shape.state_words + 2 * shape.players + 2)))
        )
        self._states = min(states, self._room)
        self._front = new_front(self._room, shape.state_words, shape.players)
        self._other = new_front(self._room, shape.state_words, shape.players)
        observer = Observer(
            0,
            field,
            1.0 if equal else uniform,
            np.array(revealed, np.int64),
            np.zeros((64, shape.players + 2), np.int64),
            block_table(parts),
        )
        self._extension = Extension(native, observer, self._states, self._room)
        self._done = 0
        self._initial: I64 = np.zeros(shape.state_words, np.int64)
        self.exact = True
        """Whether all consistent histories are held."""
        self.lost = False
        """Whether no consistent history is held."""
        self.nothing_fits = False
        """Whether there is none: all have been looked at."""
        self.revived = 0
        """How often no held history was consistent any more, and others were found."""

    @property
    def histories(self) -> HistoryTree:
        """The histories held, as a tree."""
        return self._extension.histories

    def follow(self, seed: int, role: int, records: Records) -> None:
        """Reset to the initial state.

        Args:
            seed: a 64-bit word that is not 0.
            role: the player.
            records: what it was told, none of which has been taken in; may grow.
        """
        self._records = records
        self._extension.begin(seed, role, records)
        call_init(self._native.functions.init, self._initial, 0)
        forget_histories(self.histories)
        begin_front(self._front, self._initial)
        self._done = 0
        self.exact, self.lost, self.nothing_fits, self.revived = True, False, False, 0

    def __len__(self) -> int:
        return 0 if self.lost else int(self._front.used[0])

    @property
    def states(self) -> I64:
        """`[L, W]` the world states held; a view."""
        return self._front.states[: len(self)]

    @property
    def probabilities(self) -> F64:
        """`[L]` their probabilities."""
        weights = self._front.weight[: len(self)]
        if self._equal:
            return np.full(weights.size, 1.0 / max(weights.size, 1))
        total = weights.sum()
        return weights / total if total > 0 else np.full(weights.size, 1.0 / max(weights.size, 1))

    @property
    def nodes(self) -> I64:
        """`[L]` the histories held, as nodes of `histories`; a view."""
        return self._front.node[: len(self)]

    def catch_up(
        self,
        tree: InfosetTable,
        clock: Callable[[], float],
        deadline: float = math.inf,
        lost_deadline: float = -math.inf,
    ) -> None:
        """Process all records since the last update.

        Args:
            tree: of the search, for how the others choose.
            clock: reads a monotonic clock in seconds.
            deadline: of that clock, when to stop; infinite: after some numbers of transitions.
            lost_deadline: the same where no history held fits any more, if it is later.
        """
        limit = Limit(clock, deadline)
        self._extension.make_room(len(self._records))
        while self._done < len(self._records) and not self.lost:
            self._take_in(tree, self._done, limit)
        if self.lost and not self.nothing_fits:
            self._revive(tree, len(self._records), Limit(clock, max(deadline, lost_deadline)))
        if self.lost:
            self._done = len(self._records)
        if not self.lost:
            self._extension.prune(self._front)

    @property
    def transitions(self) -> int:
        """How many transitions have been looked at: a clock that every machine reads alike."""
        return int(self._extension.scratch.made[0])

    def go_on_until_asked(self, tree: InfosetTable, clock: Callable[[], float], deadline: float) -> None:
        """Hold also what follows without the player being told of it; where it acts in some of that, only those.

        Behind the records, which have all been taken in, there have to be one that it rests and one that it decides.

        Args:
            tree: of the search, for how the others choose.
            clock: reads a monotonic clock in seconds.
            deadline: of that clock, when to stop.
        """
        extension, source, target, limit = self._extension, self._front, self._other, Limit(clock, deadline)
        rests, decides = len(self._records), len(self._records) + 1
        extension.make_room(decides + 1)
        target.used[0] = 0
        if self.exact and extension.enumerate(tree, rests, source, target, limit.share(EXACT_SHARE)):
            extension.merge(target, by_state=False)
            extension.keep_acting(tree, target)
        else:
            target.used[0] = 0
            extension.merge(source, by_state=True)
            self.exact = False
            extension.enumerate_some(tree, decides, source, target, limit.share(SAMPLED_SHARE))
            if int(target.used[0]) < FEW:
                extension.sample(tree, decides, source, target, limit)
            extension.merge(target, by_state=True)
        if int(target.used[0]) > 0:
            self._front, self._other = target, source
        extension.prune(self._front)

    def renew(self, tree: InfosetTable, clock: Callable[[], float], deadline: float) -> None:
        """Search for more histories that fit, where few of a sample are left.

        Those descend from few deals, and all of them can agree on what is not so. All states count as equally probable.

        Args:
            tree: of the search, for how the others choose.
            clock: reads a monotonic clock in seconds.
            deadline: of that clock, when to stop.
        """
        front, limit = self._front, Limit(clock, deadline)
        while not (self.exact or self.lost) and len(self) < min(ENOUGH, self._states) and clock() < deadline:
            held = len(self)
            rng = np.random.default_rng(int(self._extension.scratch.rng[0]))
            self._extension.search(tree, len(self._records), front, limit, rng.permutation(front.node[:held]))
            self._extension.merge(front, by_state=True)

    def _take_in(self, tree: InfosetTable, record: int, whole: Limit) -> None:
        extension, source, target = self._extension, self._front, self._other
        if 2 * int(self.histories.used[0]) > HISTORY_NODES:
            extension.prune(source)
        target.used[0] = 0
        # what is held stays exact only as long as every record is taken in whole, so one may take the others' time
        if not self.exact or not extension.enumerate(tree, record, source, target, whole.share(EXACT_SHARE)):
            limit = whole.share(1.0 / (len(self._records) - record))
            if int(target.used[0]) == 0:
                if self.exact:
                    extension.merge(source, by_state=True)
                extension.enumerate_some(tree, record, source, target, limit.share(SAMPLED_SHARE))
            self.exact = False
            if int(target.used[0]) < FEW:
                extension.sample(tree, record, source, target, limit.share(SAMPLED_SHARE))
        extension.merge(target, by_state=not self.exact)
        held = int(target.used[0])
        self._done = record + 1
        if held == 0:
            self.lost = self.nothing_fits = self.exact
            if not self.lost:
                self._revive(tree, record + 1, whole.share(0.5))
            return
        if not self.exact and held < (FEW if whole.deadline == math.inf else ENOUGH):
            weights = target.weight[:held]
            weights /= max(float(weights.mean()), 1e-300)
            limit = whole.share(0.5 / (len(self._records) - record))
            extension.search(tree, record + 1, target, limit, target.node[:held].copy())
            extension.merge(target, by_state=True)
        self._front, self._other = target, source
        weights = self._front.weight[: int(self._front.used[0])]
        total = weights.sum()
        weights[:] = weights / total if total > 0 else 1.0 / weights.size

    def _revive(self, tree: InfosetTable, records: int, limit: Limit) -> None:
        """Search for histories consistent with the first records, from those that fitted the records before."""
        target = self._other
        target.used[0] = 0
        rng = np.random.default_rng(int(self._extension.scratch.rng[0]))
        members = int(self._front.used[0])
        self._extension.search(tree, records, target, limit, rng.permutation(self._front.node[:members]))
        self._extension.merge(target, by_state=True)
        held = int(target.used[0])
        self.lost = held == 0
        if self.lost:
            return
        self.revived += 1
        self.exact = False
        self._front, self._other = target, self._front
