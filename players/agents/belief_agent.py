"""The agent of games with hidden information: what it considers possible, and a search from there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ggp.arithmetic.rng import below, seed_word
from players.agents.agent import SearchingAgent
from players.agents.valued_game import valued_game

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64, I64, U64
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from players.agents.agent import Budget
    from players.beliefs.belief import Belief
    from players.search.information_sets.hidden_search import HiddenSearch  # noqa: F401 - named in a text
    from players.search.information_sets.information_search import HiddenFamily  # noqa: F401

STRATEGY_SEED, SEARCH_SEED, BELIEF_SEED = 1, 2, 3
BELIEF_SHARE = 0.3
"""Largest share of the time for a move that is spent on the belief."""
LOST_SHARE = 0.9
"""The same if no state in the belief is consistent."""
FIRST_SHARE = 0.25
"""Share of the time for the first decision that is spent on a search from the start of the game, if there were
transitions before it."""
UNIFORM_SHARE = 0.05
"""Share of the uniform strategy in the model of the others: actions that a search rarely chose are still possible."""


class BeliefAgent(SearchingAgent["HiddenFamily", "HiddenSearch"]):
    """Plays by a search from the world states consistent with its observations."""

    def start(self, game: Game, role: int, seed: int) -> None:
        """Compile the game and get the memory of the tree; the memory of an earlier match of the same game is kept."""
        from players.beliefs.belief import Belief
        from players.beliefs.preparation import load_kernels

        self._check(game)
        self._role = role
        self._rng = [seed_word(seed, role, STRATEGY_SEED)]
        if self._search is None or self._game is not game:
            self._search = self._family.make_hidden_search(valued_game(game, self._settings), self._settings)
            self._search.prepare()
            load_kernels()
            self._belief = Belief(
                game, self._settings.states, self._family.frequencies, UNIFORM_SHARE, not self._settings.belief
            )
        self._game = game
        self._search.seed(seed_word(seed, role, SEARCH_SEED))
        self._search.begin()
        self._belief.begin(seed_word(seed, role, BELIEF_SEED), role)
        self._pacing.forget_rate()
        self._first = True
        self._begins = role in game.initial().actors()

    @property
    def _late(self) -> bool:
        """Whether there may have been transitions before its first decision, observed or not."""
        return len(self._belief.records) > 1 or not self._begins

    @property
    def belief(self) -> Belief:
        """What it considers possible, once started."""
        return self._belief

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Note a transition; the belief is updated when there is time."""
        self._belief.tell(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Update the belief, search for the rest of the budget, and draw from the final strategy."""
        began = budget.clock()
        self._belief.decide(legal)
        seconds = (budget.deadline - began) * self._settings.think
        if self._first and self._family.believes and self._settings.belief and self._late:
            self._search_from_the_beginning(budget, began, seconds)
        self._first = False
        if not self._family.believes and not self._belief.is_plain(legal):
            # its observations can be read in several ways: a consistent state shows which
            self._belief.catch_up(self.search.trees[0], budget.clock, began + BELIEF_SHARE * seconds)
        if self._family.believes:
            until = math.inf if budget.iterations is not None else budget.clock() + BELIEF_SHARE * seconds
            self._belief.catch_up(self.search.trees[0], budget.clock, until, began + LOST_SHARE * seconds)
            if len(self._belief) == 0:
                return self._draw(legal)
            self.search.move_to(self._belief.roots(), self._belief.histories, self._role)
        self._think(legal, budget, began, self.search.run)
        return self._draw(legal)

    def _search_from_the_beginning(self, budget: Budget, began: float, seconds: float) -> None:
        """Estimate how the others may have played, if no search was made for an earlier decision."""
        if budget.iterations is not None:
            self.search.run(int(budget.iterations * self._settings.think * FIRST_SHARE))
        else:
            until = began + FIRST_SHARE * seconds
            self._pacing.run_until(until, self.search.run, budget.clock, lambda: self.search.settled)

    def _draw(self, legal: Sequence[str]) -> str:
        known = self._belief.information_state(legal)
        if known is None:
            self._strategy = np.full(len(legal), 1 / len(legal))
            return legal[below(self._rng, len(legal))]
        assert self._game is not None, "not started"
        key, numbers = known[0], np.array(known[1], np.int64)
        assert numbers.size == len(legal), "the belief holds states with these legal actions alone"
        keys = np.zeros(2 * len(self._game.players), np.uint64)
        keys[2 * self._role : 2 * self._role + 2] = key
        return self._drawn(numbers, self.search.strategy(keys, self._role, numbers))

    def plan(self, keys: U64, actions: I64) -> tuple[float, F64] | None:
        """Return the strategy in its tree for a later information state, and its number of visits."""
        visits = self.search.weight(keys, self._role, actions) if self._family.plans else 0.0
        return (visits, self.search.strategy(keys, self._role, actions)) if visits else None
