"""Plays a game that has been solved before the match: optimal strategies, and no search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ggp.errors import GgpError
from ggp.model.native.rng import below, draw, seed_word
from players.beliefs import Tracker

if TYPE_CHECKING:
    from ggp.analysis.worlds.backward_induction import StateValues
    from ggp.model.game import Game
    from ggp.model.readable import Readable
    from players.agents import Budget

MAX_STATES_IN_TURNS = 60_000
MAX_STATES_AT_ONCE = 3_000
"""With simultaneous moves a matrix game has to be solved for each state."""
MAX_JOINT_ACTIONS = 1 << 25
"""Upper bound of a state's joint actions by the rules' types: exploration allocates memory for that many."""
OPTIMAL = 1e-9
"""Actions whose values differ by less than this, in utilities, count as equally good."""


class Solution:
    """The values of all states under optimal play, and against an opponent who plays at random.

    Args:
        game: small enough, of one player, or of two whose utilities sum to a constant.

    Raises:
        GgpError: the game is too large, of another kind, or faulty.
    """

    def __init__(self, game: Game) -> None:
        from ggp.analysis.worlds.backward_induction import optimal_values, value_states
        from ggp.analysis.worlds.exploration import Limits, explore_game
        from ggp.analysis.worlds.profiles import uniform_profile
        from ggp.analysis.worlds.valuation import BOTH_FIXED

        native = game.native()
        if native.shape.max_actions ** min(native.shape.players, 2) > MAX_JOINT_ACTIONS:
            raise GgpError(f"{game.name} has too many actions to be solved")
        states = MAX_STATES_AT_ONCE if game.simultaneous else MAX_STATES_IN_TURNS
        graph = explore_game(native, Limits(states=states, memory_bytes=2**28))
        self.values: StateValues = optimal_values(graph)
        self._at_random = None if game.simultaneous else value_states(graph, BOTH_FIXED, uniform_profile(graph))

    @property
    def states(self) -> int:
        """How many states there are."""
        return self.values.game.states

    @property
    def size(self) -> str:
        """The size of the game, in words."""
        return f"{self.states:,} states"

    def make_agent(self) -> SolvedAgent:
        """Return an agent that plays by it."""
        return SolvedAgent(self)

    def strategy(self, words: Sequence[int], role: int) -> list[float]:
        """Return an optimal strategy of a role over its legal actions in ascending order.

        If players take turns, it is the optimal action with the highest value when all players play
        at random from there on: the opponent may not play optimally.
        """
        from ggp.analysis.worlds.backward_induction import equilibrium_choice

        graph, state = self.values.game.graph, self.values.game.find(words)
        if self._at_random is None:
            return [float(probability) for probability in equilibrium_choice(self.values, state)[role]]
        following = graph.target[graph.first[state] : graph.first[state + 1]]
        sign = 1.0 if role == 0 else -1.0
        worth = sign * self.values.value[following]
        against_random = np.where(worth >= worth.max() - OPTIMAL, sign * self._at_random.value[following], -np.inf)
        best = against_random >= against_random.max() - OPTIMAL
        return [float(share) for share in best / best.sum()]


class SolvedAgent:
    """Plays optimally.

    Args:
        solution: of the game that it will be started with.
    """

    def __init__(self, solution: Solution) -> None:
        self._solution = solution

    def start(self, game: Game, role: int, seed: int) -> None:
        """Begin at the initial state."""
        self._game = game
        self._role = role
        self._rng = [seed_word(seed, role)]
        self._tracker = Tracker(game, role)

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Follow the transition."""
        self._tracker.tell(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:  # noqa: ARG002 - nothing is searched
        """Draw an action from an optimal strategy."""
        self._tracker.follow_automatic()
        (words,) = self._tracker.possible
        actions = self._game.state(words).legal(self._role)
        if len(actions) != len(legal):
            raise GgpError("the player's state does not have the legal actions that it was told")
        chosen = draw(self._rng, self._solution.strategy(words, self._role)) if len(actions) > 1 else 0
        return str(actions[chosen if chosen < len(actions) else below(self._rng, len(actions))])
