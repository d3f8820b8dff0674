"""What a search says of a position: how good each legal action is, and the value of the position, again and again.

Where nothing is hidden, or nothing more, searches begin at the position: `mcts` where players take turns, `duct` where
they move at the same time; small games are solved. Otherwise the role that looks is advised by `ismcts`, from what the
role was told alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import F64
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.game.state import State
from ggp.native.infoset_table import action_numbers
from players.agents.agent import Budget
from players.agents.belief_agent import BeliefAgent
from players.agents.registry import read_player
from players.agents.solved_agent import Solution
from players.agents.time_control import Pacing
from players.search.information_sets.information_search import InformationSearch
from players.search.information_sets.information_set_mcts import SUMS, USES
from players.search.simultaneous import decoupled_uct
from players.search.simultaneous.tree import FIRST_NODE
from players.search.simultaneous.tree import action_numbers as numbers_at
from players.search.simultaneous.tree_search import TreeSearch
from players.search.uct.graph_search import GraphSearch
from studio.table import Table, lived

SOLVE_S, SLICE_S, SEARCH_S = 1.0, 0.25, 4.0
CURVE_S, MAX_CURVE_SLICE_S = 8.0, 0.15
"""Seconds for all positions of a game, and for one at most."""
MEGABYTES = 64
SEED = 31


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known of one position so far.

    Attributes:
        actions: texts of the legal actions.
        shares: how probable each is in the search's strategy.
        utilities: what each is worth to the role; None where that is unknown.
        values: what the position is worth to each role; None where that is unknown.
        iterations: of the search; None: the position is solved.
    """

    actions: list[str]
    shares: list[float]
    utilities: list[float | None]
    values: list[float] | None
    iterations: int | None


class Analysis:
    """Analyses the positions of one game. Slow: every call belongs into a thread."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._solution: Solution | None = None
        self._tried = False
        self._search: GraphSearch | TreeSearch | None = None
        self._searched_from: Sequence[int] = ()
        self._pacing = Pacing()
        self._lock = threading.Lock()
        """A call that nobody waits for any more may still run when the next one comes."""

    def advise(self, table: Table, at: int, role: int | None) -> Iterator[Advice]:
        """Yield what is known of a position, better and better, for some seconds; nothing where nobody chooses there.

        Args:
            table: that is played at.
            at: the number of the position.
            role: whose actions; None: of the first who acts. Where something is hidden, the role from whose view;
                None, once the game is over: as if all saw everything.

        Raises:
            GgpError: no search accepts the game.
        """
        state = table.positions[at].state
        actors = state.actors()
        if not actors:
            return
        if not (self.game.perfect_information or (table.is_over and role is None)):
            if role in actors:
                yield from (advice for _, advice in self.as_told(table, role, (at,), SEARCH_S / 2))
            return
        chosen = role if role in actors else actors[0]
        until = time.monotonic() + SEARCH_S
        while time.monotonic() < until:
            advice = self._searched(state, chosen, SLICE_S)
            yield advice
            if advice.iterations is None:
                return

    def values_at(self, table: Table, at: int) -> tuple[list[float], Advice | None] | None:
        """Return what a position is worth to each role, and advice where one role acts alone; None: not worked out."""
        state = table.positions[at].state
        if state.is_terminal():
            return list(state.utilities()), None
        if not state.actors():
            return None
        seconds = min(MAX_CURVE_SLICE_S, CURVE_S / len(table.positions))
        advice = self._searched(state, state.actors()[0], seconds)
        return None if advice.values is None else (advice.values, advice if len(state.actors()) == 1 else None)

    def _searched(self, state: State, role: int, seconds: float) -> Advice:
        with self._lock:
            return self._worked_out(state, role, seconds)

    def _worked_out(self, state: State, role: int, seconds: float) -> Advice:
        actions = state.legal(role)
        solution = self._solved()
        if solution is not None:
            return self._exact(solution, state, role)
        search = self._search_from(state)
        self._pacing.run_until(time.monotonic() + seconds, search.run_units, time.monotonic, lambda: search.settled)
        if isinstance(search, GraphSearch):
            _, visits, means = search.action_values(role)
            counts, values = np.abs(visits), search.values()
        else:
            counts, means = _root_statistics(search, role, len(actions))
            # those who do not act here have one action that stands for that
            every = [
                _root_statistics(search, one, max(len(state.legal(one)), 1)) for one in range(len(self.game.players))
            ]
            values = np.array([float(np.dot(*of_one) / max(of_one[0].sum(), 1)) for of_one in every])
        total = max(counts.sum(), 1.0)
        worth = [self._utility(role, mean) if count else None for mean, count in zip(means, counts, strict=True)]
        found = None if np.isnan(values).any() else [self._utility(one, value) for one, value in enumerate(values)]
        texts = [str(action) for action in actions]
        return Advice(texts, [float(count / total) for count in counts], worth, found, search.iterations)

    def _utility(self, role: int, scaled: float) -> float:
        low, high = self.game.utility_bounds[role]
        return float(low + scaled * (high - low))

    def _solved(self) -> Solution | None:
        if not self._tried:
            self._tried = True
            players = len(self.game.players)
            if self.game.perfect_information and (players == 1 or (players == 2 and self.game.constant_sum)):
                try:
                    self._solution = Solution(self.game, SOLVE_S)
                except GgpError:
                    self._solution = None  # too large, as most games are: a search tells of it instead
        return self._solution

    def _exact(self, solution: Solution, state: State, role: int) -> Advice:
        words = state.words
        value = float(solution.values.value[solution.values.game.find(words)])
        values = [value] if len(self.game.players) == 1 else [value, self.game.utility_sum - value]  # type: ignore[operator]
        losses = solution.losses(words, role)
        texts = [str(action) for action in state.legal(role)]
        worth: list[float | None] = [values[role] - float(loss) for loss in losses]
        return Advice(texts, solution.strategy(words, role), worth, values, None)

    def _search_from(self, state: State) -> GraphSearch | TreeSearch:
        if self._search is None:
            kind = "duct" if self.game.simultaneous else "mcts"
            guesses = self.game.native().functions.estimate != 0 and self.game.constant_sum
            spec = read_player(f"{kind}:memory={MEGABYTES}" + (",leaf=estimate" if guesses else ""))
            settings: Any = spec.settings
            settings = settings.fitted(True) if self.game.simultaneous else settings
            made = spec.kind.family.make_search(spec.native(self.game), settings)
            assert isinstance(made, GraphSearch | TreeSearch)
            self._search = made
            made.prepare(np.array(state.words, np.int64))
        if tuple(self._searched_from) != tuple(state.words):
            self._searched_from = state.words
            self._search.seed(seed_word(SEED, *state.words[:1]))
            self._search.set_root(np.array(state.words, np.int64))
            self._pacing.forget_rate()
        return self._search

    def as_told(self, table: Table, role: int, wanted: Sequence[int], seconds: float) -> Iterator[tuple[int, Advice]]:
        """Yield advice for some positions in which a role acts, ascending, from what it was told alone.

        Args:
            table: that is played at.
            role: the player.
            wanted: numbers of positions.
            seconds: for each.
        """
        agent = read_player("ismcts").make_agent()
        assert isinstance(agent, BeliefAgent)
        agent.start(self.game, role, SEED)
        for at, history in enumerate(table.positions[: max(wanted) + 1]):
            if at and (told := lived(history.state, role)) is not None:
                agent.observe(*told)
            if at in wanted:
                legal = [str(one) for one in history.state.legal(role)]
                agent.choose(legal, Budget(time.monotonic, time.monotonic() + seconds))
                yield at, self._believed(agent, role, legal)

    def _believed(self, agent: BeliefAgent, role: int, legal: list[str]) -> Advice:
        """Return what a search from a player's belief has found out about its actions."""
        search, known = agent.search, agent.belief.information_state(legal)
        assert isinstance(search, InformationSearch)
        worth: list[float | None] = [None] * len(legal)
        if known is not None and len(legal) > 1:
            keys = np.zeros(2 * len(self.game.players), np.uint64)
            keys[2 * role : 2 * role + 2] = known[0]
            node = search.node_of(keys, role, np.array(known[1], np.int64))
            if node:
                uses, sums = (action_numbers(search.tree, node, field, len(legal)) for field in (USES, SUMS))
                worth = [
                    self._utility(role, total / count) if count else None
                    for total, count in zip(sums, uses, strict=True)
                ]
        return Advice(legal, list(agent.last_strategy()) if len(legal) > 1 else [1.0], worth, None, search.iterations)


def _root_statistics(search: TreeSearch, role: int, actions: int) -> tuple[F64, F64]:
    """Return how often a decoupled search chose each legal action of a role at its root, and the mean utilities."""
    node = search.root_node
    if node < FIRST_NODE:
        return np.zeros(actions), np.zeros(actions)
    visits: F64 = numbers_at(search.tree, node, role, decoupled_uct.COUNTS).copy()
    return visits, numbers_at(search.tree, node, role, decoupled_uct.SUMS) / np.maximum(visits, 1.0)
