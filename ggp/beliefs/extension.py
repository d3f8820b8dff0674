"""What can follow the histories that a player holds possible, found by native code within a limit of time or work.

All successors that fit what the player was told, all of some members, or a sample of them; and, where nothing held fits
any more, other histories from the beginning of the game on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct

from ggp.beliefs.branches import Inference, Observer
from ggp.beliefs.candidate_history import ERRORS, CandidateHistory, load_candidate, new_candidate
from ggp.beliefs.choices import new_scratch
from ggp.beliefs.filtering import FULL, expand_all, keep_acting, sample_on
from ggp.beliefs.history_tree import (
    EVERYBODY,
    Front,
    HistoryTree,
    first_members,
    merge_equal,
    new_front,
    new_history_tree,
    prune_histories,
)
from ggp.beliefs.observation_record import ObservationRecords
from ggp.beliefs.repair import repair
from ggp.native.infoset_table import InfosetTable
from ggp.native.interface import NativeGame, NativeRules

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64, I64, I64_2D

HISTORY_NODES = 1 << 18
FIRST_WORK = 256
SLICE_S = 0.002
LEAST_WORK = 16
"""Of a call of a kernel, in transitions."""
EXACT_WORK, SAMPLED_WORK, REPAIR_WORK = 150_000, 150_000, 500_000
"""Maximum number of transitions for one record, if there is no clock."""
SEARCHED = 1000
"""Maximum number of histories to search for."""
CHUNK, PART = 16, 4096
"""Members that are processed together, and room for their successors up to the next observation."""


class Records(Protocol):
    """What a player was told so far."""

    def __len__(self) -> int: ...

    def in_arrays(self) -> ObservationRecords:
        """Return all records."""


class Limit(Struct, frozen=True):
    """How long something may take: until a deadline of a clock, or for a number of transitions."""

    clock: Callable[[], float]
    deadline: float = math.inf

    def share(self, part: float) -> Limit:
        """Return the limit of a part of the time that is left."""
        if self.deadline == math.inf:
            return self
        now = self.clock()
        return Limit(self.clock, now + part * (self.deadline - now))


class Extension:
    """Extends the histories of one player in one match.

    Args:
        native: the game.
        observer: whose histories they are; its role is set by `begin`.
        states: maximum number of sampled histories.
        room: maximum number of histories in a front.

    Attributes:
        histories: all histories held, as a tree.
        records: what the player was told.
    """

    def __init__(self, native: NativeGame, observer: Observer, states: int, room: int) -> None:
        shape = native.shape
        self._native = native
        self.model = NativeRules(native.functions, native.shape)
        self.observer = observer
        self._states = states
        self.histories: HistoryTree = new_history_tree(HISTORY_NODES, shape.players)
        self.scratch = new_scratch(shape)
        self.moved: I64 = np.zeros(HISTORY_NODES, np.int64)
        self._part = new_front(max(CHUNK, min(room, PART)), shape.state_words, shape.players)
        self._displaced: I64_2D = np.zeros((2, shape.players + 1), np.int64)
        self._candidate: CandidateHistory = new_candidate(shape, 64)
        self._work = FIRST_WORK
        self._table: I64 = np.zeros(1 << (2 * room).bit_length(), np.int64)

    def begin(self, seed: int, role: int, records: Records) -> None:
        """Forget everything, for a role in a new match."""
        self.records = records
        self.observer = self.observer._replace(role=role)
        self.observer.shown[:] = 0
        self.scratch.rng[0] = seed
        self.scratch.widest[:] = 0
        self._work = FIRST_WORK

    def make_room(self, records: int) -> None:
        """Make room for what so many records show."""
        shown = self.observer.shown
        if records > len(shown):
            more = np.zeros((2 * records, shown.shape[1]), np.int64)
            more[: len(shown)] = shown
            self.observer = self.observer._replace(shown=more)

    def merge(self, front: Front, by_state: bool) -> None:
        """Merge equal members of a front, or those with the same world state as far as the player can tell them apart;
        see `merge_equal`.
        """
        merge_equal(front, self._table, self.scratch.rng, self.observer.role if by_state else EVERYBODY)

    def keep_acting(self, tree: InfosetTable, front: Front) -> None:
        """Keep only the members of a front in which the player acts, if there are any."""
        keep_acting(self._inference(tree), front)

    def prune(self, front: Front) -> None:
        """Drop the histories that no member of a front goes on."""
        prune_histories(self.histories, front, self.moved)

    def enumerate(self, tree: InfosetTable, record: int, source: Front, target: Front, limit: Limit) -> bool:
        """Find all successors consistent with a record; return False if there are too many.

        If all members but the last are done, what was found stays in `target`: many branches of one member are tried in
        a scattered order.
        """
        members, begin, made = int(source.used[0]), 0, 0
        self._begin_enumeration()
        while begin < int(source.used[0]):
            begin, more = self._expand(tree, record, source, target, begin, limit)
            made += more
            unfinished = begin == FULL or begin < int(source.used[0])
            if begin == FULL or (unfinished and (made > EXACT_WORK or limit.clock() > limit.deadline)):
                kept = begin == int(source.used[0]) - 1 and int(target.used[0]) > 0
                source.used[0] = members
                if not kept:
                    target.used[0] = 0
                    self.prune(source)
                return False
        source.used[0] = members
        return True

    def enumerate_some(self, tree: InfosetTable, record: int, source: Front, target: Front, limit: Limit) -> None:
        """Find all successors of some members, until there are enough that differ in the world state.

        Each member that is processed yields all its consistent successors, far more for the same work than one draw.
        Few members are all processed, in a random order; of many, some are drawn by their weights.
        """
        part = self._part
        members = int(source.used[0])
        weights = source.weight[:members] / max(float(source.weight[:members].sum()), 1e-300)
        rng = np.random.default_rng(int(self.scratch.rng[0]))
        chosen: I64 = np.arange(members)
        times: F64 = weights * members
        if members > self._states:
            drawn = np.searchsorted(np.cumsum(weights), (np.arange(members) + rng.random()) / members)
            chosen, counts = np.unique(np.minimum(drawn, members - 1), return_counts=True)
            times = counts.astype(np.float64)
        order = rng.permutation(chosen.size)
        made, enough = 0, self._states
        for begin in range(0, chosen.size, CHUNK):
            some = chosen[order[begin : begin + CHUNK]]
            part.states[: some.size] = source.states[some]
            part.keys[: some.size] = source.keys[some]
            part.node[: some.size] = source.node[some]
            part.weight[: some.size] = times[order[begin : begin + CHUNK]]
            part.used[0] = some.size
            at = 0
            self._begin_enumeration()
            while at < int(part.used[0]):
                if 2 * int(part.used[0]) > part.node.size and self.scratch.resumed[0] == 0:
                    self._drop_before(part, at)
                    at = 0
                room = part.node.size - int(part.used[0])
                at, more = self._expand(tree, record, part, target, at, limit, room // 2)
                made += more
                if at == FULL or made > SAMPLED_WORK or limit.clock() > limit.deadline:
                    return
            if int(target.used[0]) >= enough:
                self.merge(target, by_state=True)
                if int(target.used[0]) >= self._states:
                    return
                enough = int(target.used[0]) + self._states // 2

    def _drop_before(self, front: Front, begin: int) -> None:
        """Drop the members before one, and merge others with the same world state, such as draws in another order."""
        kept = int(front.used[0]) - begin
        for array in (front.states, front.keys, front.node, front.weight):
            array[:kept] = array[begin : begin + kept]
        front.used[0] = kept
        self.merge(front, by_state=True)

    def sample(self, tree: InfosetTable, record: int, source: Front, target: Front, limit: Limit) -> None:
        """Draw members of a front, and a consistent successor of each, until there are enough."""
        made = 0
        members = int(source.used[0])
        cumulative = np.cumsum(source.weight[:members])
        if cumulative[-1] <= 0.0:
            cumulative = np.arange(1.0, members + 1.0)
        some = first_members(target, self._states)
        while int(target.used[0]) < self._states and made < SAMPLED_WORK and limit.clock() < limit.deadline:
            before, started = int(self.scratch.made[0]), limit.clock()
            draws = sample_on(self._inference(tree), source, cumulative, some, record, self._work)
            made += self._learn(before, started, limit)
            if draws == FULL:
                break

    def search(self, tree: InfosetTable, records: int, target: Front, limit: Limit, starts: I64) -> None:
        """Search for histories consistent with the first records, from held ones, and append them to `target`."""
        if records + 2 > self._candidate.first.shape[1]:
            self._candidate = new_candidate(self._native.shape, 2 * records)
        candidate = self._candidate
        load_candidate(self.histories, int(starts[0]) if starts.size else 0, candidate, records)
        most = min(target.node.size, int(target.used[0]) + min(self._states, SEARCHED))
        some = first_members(target, most)
        made = slices = 0
        if limit.deadline < math.inf:  # a transition takes far longer here than before: the first call alone was late
            self._work = LEAST_WORK
        work = REPAIR_WORK if limit.deadline == math.inf else math.inf
        while int(target.used[0]) < some.node.size and made < work and limit.clock() < limit.deadline:
            before, started = int(self.scratch.made[0]), limit.clock()
            found = repair(self._inference(tree), some, records, candidate, self._displaced, self._work)
            slices += 1
            if int(candidate.counters[0, ERRORS]) == 0 and slices < starts.size:
                load_candidate(self.histories, int(starts[slices]), candidate, records)
            made += self._learn(before, started, limit)
            if found < 0:
                break

    def _inference(self, tree: InfosetTable) -> Inference:
        return Inference(self.model, tree, self.histories, self.scratch, self.observer, self.records.in_arrays())

    def _begin_enumeration(self) -> None:
        """Begin with the first branch of the first member, wherever the last enumeration stopped."""
        self.scratch.resumed[0] = 0

    def _expand(
        self,
        tree: InfosetTable,
        record: int,
        source: Front,
        target: Front,
        begin: int,
        limit: Limit,
        most: int = HISTORY_NODES,
    ) -> tuple[int, int]:
        """Call `expand_all` for a slice of time, of at most about so many transitions; return its result, and the
        number of transitions made.
        """
        before, started = int(self.scratch.made[0]), limit.clock()
        work = max(LEAST_WORK, min(self._work, most))
        begin = int(expand_all(self._inference(tree), source, target, record, begin, work))
        return begin, self._learn(before, started, limit)

    def _learn(self, before: int, started: float, limit: Limit) -> int:
        """Choose the amount of work for the next call of a kernel, so that it takes about SLICE_S.

        Args:
            before: transitions made before the last call.
            started: when it began.
            limit: of the time.

        Returns:
            The number of transitions it made.
        """
        spent, made = limit.clock() - started, int(self.scratch.made[0]) - before
        if limit.deadline < math.inf and made > 0 and spent > 0:
            self._work = max(LEAST_WORK, min(2 * self._work, int(made * SLICE_S / spent), 1 << 16))
        return made
