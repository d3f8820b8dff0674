"""Plays a small game with hidden information by an equilibrium that was computed before the match."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ggp.arithmetic.rng import draw, seed_word
from ggp.errors import GgpError
from players.agents.solved_agent import MAX_SOLVE_S, TooLong

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from players.agents.agent import Budget

MAX_HISTORIES = 1_000_000
"""Found in less than a second. A linear program with almost as many payoffs takes 170 MB and 1.5 s."""
MAX_SEQUENCES = 60_000
"""A linear program of 49,000 sequences takes 2 s and 60 MB."""
MEMORY_BYTES = 2**29
MAX_GAP = 1e-3
"""Of the bounds of the value, as a share of the utility range."""
HELD = 1000
"""World states in the belief at most, if the observations alone do not determine the information state."""
READING_SHARE = 0.9
"""Share of the time for a move, at most, to find one."""
BELIEF_SEED = 1


class HiddenSolution:
    """An equilibrium in behavioural strategies, by the sequence-form linear program.

    Args:
        game: small enough, of two players whose utilities sum to a constant.
        seconds: for solving it.
        clock: reads a monotonic clock in seconds.

    Raises:
        GgpError: the game is too large, of another kind, or faulty, or time was up.
    """

    def __init__(self, game: Game, seconds: float = MAX_SOLVE_S, clock: Callable[[], float] = time.monotonic) -> None:
        from ggp.solvers.sequence_form.linear_program import check_kind, solve_linear_program
        from ggp.solvers.sequence_form.unfolding import TreeLimits, information_tree

        end = clock() + seconds

        def watch(histories: int, expanded: int) -> None:  # noqa: ARG001
            if clock() > end:
                raise TooLong(f"{game.name} takes too long to solve")

        check_kind(game.native())
        self.tree = information_tree(game.native(), TreeLimits(MAX_HISTORIES, MEMORY_BYTES), watch)
        if self.tree.sequences > MAX_SEQUENCES:
            raise TooLong(f"{game.name} has too many information states to be solved")
        self.equilibrium = solve_linear_program(self.tree, max(end - clock(), 0.0))
        if self.equilibrium.nash_conv > MAX_GAP * self.tree.utility_range:
            raise GgpError(f"the linear program of {game.name} was solved with large errors")

    @property
    def size(self) -> str:
        """The size of the game, in words."""
        return f"{self.tree.information_states:,} information states"

    def strategy(self, role: int, key: tuple[int, int]) -> list[float]:
        """Return the strategy of a role at an information state, over its legal actions in ascending order.

        Raises:
            GgpError: the role never acts with this key.
        """
        number = self.tree.find(role, key)
        if number is None:
            raise GgpError("the player's observations are not possible by the rules")
        strategy: list[float] = self.equilibrium.strategies[self.tree.sequences_at(number)].tolist()
        return strategy

    def make_agent(self) -> HiddenSolvedAgent:
        """Return an agent that plays by it."""
        return HiddenSolvedAgent(self)


class StrategyAgent(ABC):
    """Plays a strategy that says what to do at each information state."""

    def start(self, game: Game, role: int, seed: int) -> None:
        """Begin at the initial state."""
        from ggp.native.infoset_table import new_infoset_table
        from players.beliefs.belief import Belief
        from players.beliefs.preparation import load_kernels

        self._game = game
        self._role = role
        self._rng = [seed_word(seed, role)]
        load_kernels()
        self._tree = new_infoset_table(0, 1)
        self._belief = Belief(game, HELD, field=0, uniform=1.0, equal=True)
        self._belief.begin(seed_word(seed, role, BELIEF_SEED), role)

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Note a transition."""
        self._belief.tell(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Draw an action from the strategy.

        Raises:
            GgpError: the player's observations are not possible by the rules.
        """
        self._belief.decide(legal)
        if not self._belief.is_plain(legal):  # a state that fits says how to read it
            began = budget.clock()
            self._belief.catch_up(self._tree, budget.clock, began + READING_SHARE * (budget.deadline - began))
        known = self._belief.information_state(legal)
        if known is None:
            raise GgpError("no world state was found that is consistent with the player's observations")
        key, numbers = known
        return self._game.action_text(numbers[draw(self._rng, self._strategy(key, numbers))])

    @abstractmethod
    def _strategy(self, key: tuple[int, int], actions: Sequence[int]) -> list[float]:
        """Return the probabilities of the legal actions, ascending, at an information state."""


class HiddenSolvedAgent(StrategyAgent):
    """Plays its part of an equilibrium."""

    def __init__(self, solution: HiddenSolution) -> None:
        self._solution = solution

    def _strategy(self, key: tuple[int, int], actions: Sequence[int]) -> list[float]:
        """Return the probabilities of the legal actions, ascending, at an information state.

        Raises:
            GgpError: the information state is not possible by the rules, or has other actions.
        """
        strategy = self._solution.strategy(self._role, key)
        if len(strategy) != len(actions):
            raise GgpError("the player's information state does not have the legal actions that it was told")
        return strategy
