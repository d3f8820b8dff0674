"""The world states that one player considers possible, with their probabilities, as a match goes on.

Everything is derived from the rules and from what the player was told; nothing is written per game. After each record
the consistent histories are enumerated while they fit in memory. Beyond that a sample of them is extended, guided by
the observations (`players.search.belief.filtering`). If few or none of the held histories are consistent any more,
others that are consistent with all observations so far are searched for from the beginning of the game
(`players.search.belief.repair`), and the log says so.

Source: Lisý 2014, section 3.2.3, figure 3.5.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ggp.model.native.calls import call_init
from ggp.model.native.information_states import KEY_WORDS
from players.beliefs.preparation import openness_of
from players.beliefs.records import Records
from players.search.belief.branches import MADE, Believer, new_scratch
from players.search.belief.draft import ERRORS, Draft, load_draft, new_draft
from players.search.belief.filtering import FULL, MISTAKEN, expand_all, sample_on
from players.search.belief.history_tree import (
    USED,
    Front,
    HistoryTree,
    begin_front,
    forget_histories,
    merge_equal,
    new_front,
    new_history_tree,
    prune_histories,
)
from players.search.belief.repair import repair
from players.search.trees.information_tree import InformationTree
from players.search.trees.memory_ahead import touch
from players.search.walk.information_walk import Roots
from players.search.walk.kernel_arguments import Model, new_model

if TYPE_CHECKING:
    from ggp.model.game import Game
    from ggp.model.native.jit import F64, I64
    from ggp.model.readable import Readable

LOGGER = logging.getLogger(__name__)

HISTORY_NODES = 1 << 18
FRONT_BYTES = 24 << 20
FRONT_SHARE = 4
"""Maximum number of enumerated histories, as a multiple of those sampled."""
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
FEW, ENOUGH = 32, 256
"""Sampled histories that are too few to represent all: more are searched for, up to ENOUGH if there is time."""
EXACT_SHARE, SAMPLED_SHARE = 0.4, 0.6


@dataclass(frozen=True, slots=True)
class Limit:
    """How long something may take: until a deadline of a clock, or for a number of transitions."""

    clock: Callable[[], float]
    deadline: float = math.inf

    def share(self, part: float) -> Limit:
        """Return the limit of a part of the time that is left."""
        if self.deadline == math.inf:
            return self
        now = self.clock()
        return Limit(self.clock, now + part * (self.deadline - now))


class Belief:
    """What one player considers possible in one match.

    Args:
        game: the game.
        states: maximum number of histories when they are sampled.
        field: the number of an action in the search's tree that tells how often it was chosen.
        uniform: share of the uniform strategy in the model of the others.
        equal: whether all possible states count as equally probable.
    """

    def __init__(self, game: Game, states: int, field: int, uniform: float, equal: bool) -> None:
        native = game.native()
        shape = native.shape
        self._game = game
        self._native = native
        self._model: Model = new_model(native)
        self._equal = equal
        self._believer = Believer(
            0, field, 1.0 if equal else uniform, openness_of(game), np.zeros((64, shape.players + 2), np.int64)
        )
        self.records = Records(game)
        self._room = max(
            16, min(FRONT_SHARE * states, FRONT_BYTES // (8 * (shape.state_words + 2 * shape.players + 2)))
        )
        self._states = min(states, self._room)
        self._front = new_front(self._room, shape.state_words, shape.players)
        self._other = new_front(self._room, shape.state_words, shape.players)
        self._part = new_front(max(CHUNK, min(self._room, PART)), shape.state_words, shape.players)
        self.histories: HistoryTree = new_history_tree(HISTORY_NODES, shape.players)
        self._scratch = new_scratch(shape)
        self._moved: I64 = np.zeros(HISTORY_NODES, np.int64)
        self._table: I64 = np.zeros(1 << (2 * self._room).bit_length(), np.int64)
        self._displaced: I64 = np.zeros(shape.players + 1, np.int64)
        self._draft: Draft = new_draft(shape, 64)
        self._work = FIRST_WORK
        self._from: tuple[I64, int] = (np.zeros(0, np.int64), 0)
        self._done = 0
        self._initial: I64 = np.zeros(shape.state_words, np.int64)
        self.exact = True
        """Whether all consistent histories are held."""
        self.lost = False
        """Whether no consistent history is held."""
        self.revived = 0
        """How often no held history was consistent any more, and others were found."""
        self._touch()

    def _touch(self) -> None:
        """Touch the memory for the sampled histories, so that the system provides it before a clock runs."""
        for front in (self._front, self._other):
            for array in (front.states, front.keys):
                touch(array, 0, self._states * array.shape[1])
        touch(self.histories.joint, 0, self.histories.joint.size // 4)
        touch(self.histories.record, 0, self.histories.record.size)
        touch(self._moved, 0, self._moved.size)

    def begin(self, seed: int, role: int) -> None:
        """Reset to the initial state.

        Args:
            seed: a 64-bit word that is not 0.
            role: the player.
        """
        self.records = Records(self._game)
        self._believer = self._believer._replace(role=role)
        call_init(self._native.functions.init, self._initial, 0)
        forget_histories(self.histories)
        begin_front(self._front, self._initial)
        self._scratch.rng[0] = seed
        self._done = 0
        self._work = FIRST_WORK
        self._believer.shown[:] = 0
        self.exact, self.lost, self.revived = True, False, 0

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Note a transition: the text of the player's own action, None if it had none, and what it saw."""
        self.records.tell(action, observation)

    def decide(self, legal: Sequence[str]) -> None:
        """Note that the player is asked to act, with its legal actions."""
        self.records.decide(legal)

    def __len__(self) -> int:
        return 0 if self.lost else int(self._front.counters[USED])

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

    def roots(self, k: float) -> Roots:
        """Return the states held as roots of a search, each in proportion to 1 + k n p."""
        share = 1.0 + k * len(self) * self.probabilities
        cumulative = np.cumsum(share / share.sum())
        return Roots(self.states.copy(), self._front.keys[: len(self)].copy(), cumulative)

    def is_plain(self, legal: Sequence[str]) -> bool:
        """Return whether the player's observations and legal actions can be read in one way only."""
        return self.records.key() is not None and self.records.numbers(legal) is not None

    def information_state(self, legal: Sequence[str]) -> tuple[tuple[int, int], list[int]] | None:
        """Return the key of the player's information state, and the numbers of its legal actions, ascending.

        They follow from its observations or, if these can be read in several ways, from a held state; the belief must
        then be up to date.

        Args:
            legal: the texts of the player's legal actions.

        Returns:
            None if no state is held and the observations do not determine them.
        """
        key, numbers = self.records.key(), self.records.numbers(legal)
        if key is not None and numbers is not None:
            return key, numbers
        if len(self) == 0:
            return None
        role = self._believer.role
        first, second = self._front.keys[0, KEY_WORDS * role : KEY_WORDS * role + KEY_WORDS]
        state = self._game.state([int(word) for word in self.states[0]])
        return (int(first), int(second)), [int(action) for action in state.legal(role)]

    def catch_up(self, tree: InformationTree, clock: Callable[[], float], deadline: float = math.inf) -> None:
        """Process all records since the last update.

        Args:
            tree: of the search, for how the others choose.
            clock: reads a monotonic clock in seconds.
            deadline: of that clock, when to stop; infinite: after some numbers of transitions.
        """
        limit = Limit(clock, deadline)
        self._make_room(len(self.records))
        while self._done < len(self.records) and not self.lost:
            left = len(self.records) - self._done
            # the last records say most about the current state, but each needs the one before
            self._take_in(tree, self._done, limit.share(1.0 / left))
        if self.lost:
            self._revive(tree, limit)
            self._done = len(self.records)
        if not self.lost:
            prune_histories(self.histories, self._front, self._moved)

    def _make_room(self, records: int) -> None:
        shown = self._believer.shown
        if records > len(shown):
            more = np.zeros((2 * records, shown.shape[1]), np.int64)
            more[: len(shown)] = shown
            self._believer = self._believer._replace(shown=more)

    def _take_in(self, tree: InformationTree, record: int, limit: Limit) -> None:
        if 2 * int(self.histories.counters[USED]) > HISTORY_NODES:
            prune_histories(self.histories, self._front, self._moved)
        target = self._other
        target.counters[USED] = 0
        if not self.exact or not self._enumerate(tree, record, target, limit.share(EXACT_SHARE)):
            self.exact = False
            self._enumerate_some(tree, record, target, limit.share(SAMPLED_SHARE))
            if int(target.counters[USED]) < FEW:
                self._sample(tree, record, target, limit.share(SAMPLED_SHARE))
        merge_equal(target, self._table)
        held = int(target.counters[USED])
        self._done = record + 1
        if held == 0:
            self.lost = True
            return
        if not self.exact and held < (FEW if limit.deadline == math.inf else ENOUGH):
            weights = target.weight[:held]
            weights /= max(float(weights.mean()), 1e-300)
            self._search(tree, record + 1, target, limit.share(0.5), target.node[:held].copy())
            merge_equal(target, self._table)
        self._front, self._other = target, self._front
        weights = self._front.weight[: int(self._front.counters[USED])]
        total = weights.sum()
        weights[:] = weights / total if total > 0 else 1.0 / weights.size

    def _enumerate(self, tree: InformationTree, record: int, target: Front, limit: Limit) -> bool:
        """Find all successors consistent with a record; return False, and change nothing, if there are too many."""
        source = self._front
        members, begin, made = int(source.counters[USED]), 0, 0
        while begin < int(source.counters[USED]):
            before, started = int(self._scratch.counters[MADE]), limit.clock()
            begin = int(
                expand_all(
                    self._model,
                    tree,
                    self.histories,
                    source,
                    target,
                    self._scratch,
                    self._believer,
                    self.records.told(),
                    record,
                    begin,
                    self._work,
                )
            )
            made += int(self._scratch.counters[MADE]) - before
            self._learn(int(self._scratch.counters[MADE]) - before, started, limit)
            if begin == MISTAKEN:
                source.counters[USED], target.counters[USED], begin = members, 0, 0
                continue
            unfinished = begin == FULL or begin < int(source.counters[USED])
            if begin == FULL or (unfinished and (made > EXACT_WORK or limit.clock() > limit.deadline)):
                source.counters[USED] = members
                target.counters[USED] = 0
                prune_histories(self.histories, source, self._moved)
                return False
        source.counters[USED] = members
        return True

    def _enumerate_some(self, tree: InformationTree, record: int, target: Front, limit: Limit) -> None:
        """Find all successors of some members, drawn by their weights, until there are enough.

        Each member that is processed yields all its consistent successors, far more for the same work than one draw.
        """
        source, part = self._front, self._part
        members = int(source.counters[USED])
        weights = source.weight[:members] / max(float(source.weight[:members].sum()), 1e-300)
        rng = np.random.default_rng(int(self._scratch.rng[0]))
        drawn = np.searchsorted(np.cumsum(weights), (np.arange(members) + rng.random()) / members)
        chosen, times = np.unique(np.minimum(drawn, members - 1), return_counts=True)
        order = rng.permutation(chosen.size)
        made = 0
        for begin in range(0, chosen.size, CHUNK):
            some = chosen[order[begin : begin + CHUNK]]
            part.states[: some.size] = source.states[some]
            part.keys[: some.size] = source.keys[some]
            part.node[: some.size] = source.node[some]
            part.weight[: some.size] = times[order[begin : begin + CHUNK]]
            part.counters[USED] = some.size
            at = 0
            while at < int(part.counters[USED]):
                before, started = int(self._scratch.counters[MADE]), limit.clock()
                at = int(
                    expand_all(
                        self._model,
                        tree,
                        self.histories,
                        part,
                        target,
                        self._scratch,
                        self._believer,
                        self.records.told(),
                        record,
                        at,
                        self._work,
                    )
                )
                made += int(self._scratch.counters[MADE]) - before
                self._learn(int(self._scratch.counters[MADE]) - before, started, limit)
                if at == MISTAKEN:
                    break
                if at == FULL or made > SAMPLED_WORK or limit.clock() > limit.deadline:
                    return
            if int(target.counters[USED]) >= self._states:
                return

    def _sample(self, tree: InformationTree, record: int, target: Front, limit: Limit) -> None:
        source, made = self._front, 0
        members = int(source.counters[USED])
        cumulative = np.cumsum(source.weight[:members])
        if cumulative[-1] <= 0.0:
            cumulative = np.arange(1.0, members + 1.0)
        some = Front(
            target.states[: self._states],
            target.keys[: self._states],
            target.node[: self._states],
            target.weight[: self._states],
            target.counters,
        )
        while int(target.counters[USED]) < self._states and made < SAMPLED_WORK and limit.clock() < limit.deadline:
            before, started = int(self._scratch.counters[MADE]), limit.clock()
            draws = sample_on(
                self._model,
                tree,
                self.histories,
                source,
                cumulative,
                some,
                self._scratch,
                self._believer,
                self.records.told(),
                record,
                self._work,
            )
            made += int(self._scratch.counters[MADE]) - before
            self._learn(int(self._scratch.counters[MADE]) - before, started, limit)
            if draws == FULL:
                break

    def _revive(self, tree: InformationTree, limit: Limit) -> None:
        """Search for histories consistent with all records so far."""
        target = self._other
        target.counters[USED] = 0
        records = len(self.records)
        rng = np.random.default_rng(int(self._scratch.rng[0]))
        members = int(self._front.counters[USED])
        self._search(tree, records, target, limit, rng.permutation(self._front.node[:members]))
        merge_equal(target, self._table)
        held = int(target.counters[USED])
        if held == 0:
            LOGGER.warning("after %d records no world state held fits, and none was found in time", records)
            return
        LOGGER.warning("after %d records no world state held fitted any more; %d others were found", records, held)
        self.revived += 1
        self.lost = False
        self.exact = False
        self._front, self._other = target, self._front

    def _search(self, tree: InformationTree, records: int, target: Front, limit: Limit, starts: I64) -> None:
        """Search for histories consistent with the first records, from held ones, and append them to `target`."""
        if records + 2 > self._draft.first.shape[1]:
            self._draft = new_draft(self._native.shape, 2 * records)
        draft = self._draft
        load_draft(self.histories, int(starts[0]) if starts.size else 0, draft, records)
        most = min(target.node.size, int(target.counters[USED]) + min(self._states, SEARCHED))
        some = Front(
            target.states[:most], target.keys[:most], target.node[:most], target.weight[:most], target.counters
        )
        made = slices = 0
        if limit.deadline < math.inf:  # a transition takes far longer here than before: the first call alone was late
            self._work = LEAST_WORK
        work = REPAIR_WORK if limit.deadline == math.inf else math.inf
        while int(target.counters[USED]) < some.node.size and made < work and limit.clock() < limit.deadline:
            before, started = int(self._scratch.counters[MADE]), limit.clock()
            found = repair(
                self._model,
                tree,
                self.histories,
                some,
                self._scratch,
                self._believer,
                self.records.told(),
                records,
                draft,
                self._displaced,
                self._work,
            )
            slices += 1
            if int(draft.counters[0, ERRORS]) == 0 and slices < starts.size:
                load_draft(self.histories, int(starts[slices]), draft, records)
            made += int(self._scratch.counters[MADE]) - before
            self._learn(int(self._scratch.counters[MADE]) - before, started, limit)
            if found < 0:
                break

    def _learn(self, made: int, started: float, limit: Limit) -> None:
        """Choose the amount of work for the next call of a kernel, so that it takes about SLICE_S."""
        spent = limit.clock() - started
        if limit.deadline < math.inf and made > 0 and spent > 0:
            self._work = max(LEAST_WORK, min(2 * self._work, int(made * SLICE_S / spent), 1 << 16))
