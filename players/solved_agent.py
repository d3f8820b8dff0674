"""Plays a game that has been solved before the match: optimal strategies, and no search."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ggp.errors import GgpError
from ggp.model.native.rng import below, draw, seed_word
from players.beliefs import Tracker

if TYPE_CHECKING:
    from ggp.analysis.worlds.backward_induction import StateValues
    from ggp.model.game import Game
    from ggp.model.native.jit import F64
    from ggp.model.readable import Readable
    from players.agents import Budget

SMALL, MAX_STATES_IN_TURNS = 60_000, 2_500_000
"""A game with more than SMALL states is explored further only while few of the states found are unexplored."""
MAX_UNEXPLORED = 0.4
"""Share of the states found; in large games it stays above one half, and exploring them would not end."""
MAX_RECURRING = 200_000
"""States of a component that can recur: value iteration over more takes a minute or longer."""
MAX_STATES_AT_ONCE = 3_000
"""With simultaneous moves a matrix game has to be solved for each state."""
MAX_MEMORY_BYTES = 2**30
MAX_SOLVE_S = 20.0
PRECISION = 1e-4
"""Of value iteration in each component, as a share of the utility range."""
MAX_JOINT_ACTIONS = 1 << 25
"""Upper bound of a state's joint actions by the rules' types: exploration allocates memory for that many."""
OPTIMAL = 1e-9
"""Actions whose values differ by less than this, in utilities, count as equally good."""


class TooLong(GgpError):
    """Solving a game would take longer than there is time."""


class Solution:
    """The values of all states under optimal play, and of small games also against an opponent who plays at random.

    Args:
        game: small enough, of one player, or of two whose utilities sum to a constant.
        seconds: for solving a game with more than SMALL states; others take a fraction of a second.
        clock: reads a monotonic clock in seconds.

    Raises:
        GgpError: the game is too large, of another kind, or faulty, or time was up.
    """

    def __init__(self, game: Game, seconds: float = MAX_SOLVE_S, clock: Callable[[], float] = time.monotonic) -> None:
        from ggp.analysis.worlds.backward_induction import optimal_values, value_states
        from ggp.analysis.worlds.components import order_components
        from ggp.analysis.worlds.exploration import Limits, explore_game
        from ggp.analysis.worlds.profiles import uniform_profile
        from ggp.analysis.worlds.valuation import BOTH_FIXED

        native = game.native()
        if native.shape.max_actions ** min(native.shape.players, 2) > MAX_JOINT_ACTIONS:
            raise GgpError(f"{game.name} has too many actions to be solved")
        end = clock() + seconds

        def watch_time() -> None:
            if clock() > end:
                raise TooLong(f"{game.name} takes too long to solve")

        def watch_exploration(found: int, expanded: int) -> None:
            if found > SMALL:
                if found - expanded > MAX_UNEXPLORED * found:
                    raise TooLong(f"{game.name} has too many states to be solved")
                watch_time()

        states = MAX_STATES_AT_ONCE if game.simultaneous else MAX_STATES_IN_TURNS
        graph = explore_game(native, Limits(states=states, memory_bytes=MAX_MEMORY_BYTES), watch_exploration)
        components = order_components(graph.graph)
        if components.largest > MAX_RECURRING:
            raise TooLong(f"{game.name} has {components.largest:,} states that can recur, too many to be solved")
        small = graph.states <= SMALL
        watch = None if small else lambda *_: watch_time()
        self.values: StateValues = optimal_values(graph, components, watch, precision=PRECISION)
        self._at_random: StateValues | None = None
        if small and not game.simultaneous:
            self._at_random = value_states(graph, BOTH_FIXED, uniform_profile(graph), components)

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

    def losses(self, words: Sequence[int], role: int) -> F64:
        """Return by how much less than the best one each legal action of a role is worth, where players take turns."""
        graph, state = self.values.game.graph, self.values.game.find(words)
        worth: F64 = self.values.value[graph.target[graph.first[state] : graph.first[state + 1]]]
        worth = worth if role == 0 else -worth
        losses: F64 = worth.max() - worth
        return losses

    def strategy(self, words: Sequence[int], role: int) -> list[float]:
        """Return an optimal strategy of a role over its legal actions in ascending order.

        If players take turns it is, in small games, the optimal action with the highest value when all players play
        at random from there on: the opponent may not play optimally.
        """
        from ggp.analysis.worlds.backward_induction import equilibrium_choice

        graph, state = self.values.game.graph, self.values.game.find(words)
        if graph.rows[state] > 1 and graph.columns[state] > 1:
            return [float(probability) for probability in equilibrium_choice(self.values, state)[role]]
        following = graph.target[graph.first[state] : graph.first[state + 1]]
        best = self.losses(words, role) <= OPTIMAL
        if self._at_random is not None:
            sign = 1.0 if role == 0 else -1.0
            against_random = np.where(best, sign * self._at_random.value[following], -np.inf)
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
