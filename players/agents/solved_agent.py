"""Solves games, and plays optimal strategies without a search."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ggp.arithmetic.rng import draw, seed_word
from ggp.errors import GgpError
from players.beliefs import Tracker

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from ggp.solvers.worlds.backward_induction import StateValues
    from players.agents.agent import Budget

SMALL, MAX_STATES = 60_000, 2_500_000
"""A game with more than SMALL states is explored further only while few of the states found are unexplored."""
MAX_UNEXPLORED = 0.4
"""Share of the states found; in large games it stays above one half, and exploring them would not end."""
MAX_RECURRING = 200_000
"""States of a component that can recur: value iteration over more takes a minute or longer."""
MAX_MEMORY_BYTES = 2**30
MAX_SOLVE_S = 20.0
PRECISION = 1e-4
"""Of value iteration in each component, and of matrix games, as a share of the utility range."""
MAX_JOINT_ACTIONS = 1 << 25
"""Upper bound of a state's joint actions by the rules' types: exploration allocates memory for that many."""
TIES = 1e-3
"""Weight of the value of random play in a matrix game, where often many strategies are optimal, or all are."""
OPTIMAL = 1e-9
"""Actions whose values differ by less than this, in utilities, count as equally good."""


class TooLong(GgpError):
    """Solving a game would take longer than there is time."""


class Solution:
    """The values of all states under optimal play, and of small games also against an opponent who plays at random.

    Args:
        game: small enough, of one player, or of two whose utilities sum to a constant.
        seconds: for solving a game with more than SMALL states, or with simultaneous moves; others take a fraction of a
            second.
        clock: reads a monotonic clock in seconds.

    Raises:
        GgpError: the game is too large, of another kind, or faulty, or time was up.
    """

    def __init__(self, game: Game, seconds: float = MAX_SOLVE_S, clock: Callable[[], float] = time.monotonic) -> None:
        from ggp.solvers.worlds.backward_induction import optimal_values, value_states
        from ggp.solvers.worlds.components import order_components
        from ggp.solvers.worlds.exploration import Limits, explore_game
        from ggp.solvers.worlds.profiles import uniform_profile
        from ggp.solvers.worlds.valuation import BOTH_FIXED

        self._game = game
        native = game.native()
        if native.shape.max_actions ** min(native.shape.players, 2) > MAX_JOINT_ACTIONS:
            raise GgpError(f"{game.name} has too many actions to be solved")
        end = clock() + seconds

        def watch_time() -> None:
            if clock() > end:
                raise TooLong(f"{game.name} takes too long to solve")

        def watch_exploration(found: int, expanded: int) -> None:
            if found > SMALL:
                watch_time()
                if found - expanded > MAX_UNEXPLORED * found:
                    raise TooLong(f"{game.name} has too many states to be solved")

        limits = Limits(states=MAX_STATES, memory_bytes=MAX_MEMORY_BYTES)
        graph = explore_game(native, limits, watch_exploration)
        components = order_components(graph.graph)
        if components.largest > MAX_RECURRING:
            raise TooLong(f"{game.name} has {components.largest:,} states that can recur, too many to be solved")
        small = graph.states <= SMALL
        watch = None if small and not game.simultaneous else lambda *_: watch_time()
        self.values: StateValues = optimal_values(graph, components, watch, precision=PRECISION)
        self._at_random: StateValues | None = None
        self._preferred = self.values
        if small:
            with contextlib.suppress(TooLong):
                self._at_random = value_states(graph, BOTH_FIXED, uniform_profile(graph), components, watch)
                self._preferred = replace(self.values, value=self.values.value + TIES * self._at_random.value)

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
        """Return by how much less than the best one each legal action of a role is worth, against optimal play."""
        from ggp.solvers.worlds.backward_induction import equilibrium_choice

        graph, state = self.values.game.graph, self.values.game.find(words)
        rows, columns = int(graph.rows[state]), int(graph.columns[state])
        matrix = self.values.value[graph.target[graph.first[state] : graph.first[state + 1]]].reshape(rows, columns)
        chooses = (columns, rows)[role] > 1
        other = equilibrium_choice(self.values, state, PRECISION)[1 - role] if chooses else np.ones(1)
        worth: F64 = matrix @ other if role == 0 else -(other @ matrix)
        losses: F64 = worth.max() - worth
        return losses

    def strategy(self, words: Sequence[int], role: int) -> list[float]:
        """Return an optimal strategy of a role over its legal actions in ascending order.

        The opponent may not play optimally. So if players take turns it is, in small games, the optimal action with the
        highest value when all play at random from there on; with simultaneous moves such values count a little.
        """
        from ggp.solvers.worlds.backward_induction import equilibrium_choice

        graph, state = self.values.game.graph, self.values.game.find(words)
        if graph.rows[state] > 1 and graph.columns[state] > 1:
            return [float(probability) for probability in equilibrium_choice(self._preferred, state, PRECISION)[role]]
        following = graph.target[graph.first[state] : graph.first[state + 1]]
        best = self.losses(words, role) <= OPTIMAL
        if self._at_random is not None:
            sign = 1.0 if role == 0 else -1.0
            against_random = np.where(best, sign * self._at_random.value[following], -np.inf)
            best = against_random >= against_random.max() - OPTIMAL
        return [float(share) for share in best / best.sum()]

    def choose(self, words: Sequence[int], role: int, legal: Sequence[str], rng: list[int]) -> str:
        """Draw an action from an optimal strategy.

        Raises:
            GgpError: there are not as many legal actions in the state.
        """
        actions = self._game.state(words).legal(role)
        if len(actions) != len(legal):
            raise GgpError("the player's state does not have the legal actions that it was told")
        chosen = draw(rng, self.strategy(words, role)) if len(actions) > 1 else 0
        return str(actions[chosen])


class SolvedAgent:
    """Plays optimally."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution

    def start(self, game: Game, role: int, seed: int) -> None:
        """Begin at the initial state."""
        self._role = role
        self._rng = [seed_word(seed, role)]
        self._tracker = Tracker(game, role)

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Follow the transition."""
        self._tracker.tell(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:  # noqa: ARG002 - nothing is searched
        """Draw an action from an optimal strategy."""
        return self._solution.choose(self._tracker.words, self._role, legal, self._rng)
