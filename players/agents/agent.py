"""Agents: play one role of one match, knowing only what that role may know.

Agents are used by matches in one process and by the process that joins a manager. An agent receives the game and its
role, is told of every transition in which it acted or observed something, and chooses within a budget. The caller
provides the clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from ggp.arithmetic.rng import below, draw, seed_word
from players.agents.time_control import Pacing
from players.agents.valued_game import valued_game
from players.beliefs import Tracker
from players.search.foundation.settings import TreeSettings

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64, I64, U64
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from players.search.foundation.searches import Search, SearchFamily  # noqa: F401 - named in a text
    from players.search.information_sets.hidden_search import HiddenSearch

F = TypeVar("F")
S = TypeVar("S", bound="Search | HiddenSearch")
STRATEGY_SEED, SEARCH_SEED = 1, 2


class Budget(Struct, frozen=True):
    """How long an agent may think: until a deadline of a clock, or for a number of iterations.

    Attributes:
        deadline: in seconds of `clock`; infinite if only iterations are limited.
        iterations: at most this many; None: as many as time allows.
        clock: reads a monotonic clock in seconds.
    """

    clock: Callable[[], float]
    deadline: float = math.inf
    iterations: int | None = None

    def left(self) -> float:
        """Return the seconds left."""
        return self.deadline - self.clock()


class Agent(Protocol):
    """Plays one role of one match."""

    def start(self, game: Game, role: int, seed: int) -> None:
        """Prepare for a match; compile if necessary.

        Raises:
            NotApplicable: the agent cannot play this game.
        """

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Take note of a transition: the text of this role's action, None if it had none, and its observation.

        Transitions in which the role neither acts nor observes anything are not reported; agents that keep account of
        what is possible raise `NothingTold` for one.
        """

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Return one of the legal actions."""


class TellingAgent(Agent, Protocol):
    """An agent that reports the strategy by which it chose, so that it can be measured."""

    def last_strategy(self) -> Sequence[float]:
        """Return the distribution over the legal actions from which the last choice was drawn."""

    def plan(self, keys: U64, actions: I64) -> tuple[float, F64] | None:  # noqa: ARG002 - a default
        """Return the strategy in its tree for a later information state of its own.

        Args:
            keys: `[2 * P]` the information state's key at the place of the agent's role.
            actions: numbers of the legal actions there, ascending.

        Returns:
            The number of visits of its search, and the strategy; None without visits, or without such a tree.
        """
        return None


class RandomAgent(TellingAgent):
    """Draws uniformly from the legal actions."""

    def start(self, game: Game, role: int, seed: int) -> None:  # noqa: ARG002
        """Seed the generator."""
        self._rng = [seed_word(seed, role)]

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Ignore the observation."""

    def choose(self, legal: Sequence[str], budget: Budget) -> str:  # noqa: ARG002
        """Return a legal action at random."""
        self._count = len(legal)
        return legal[below(self._rng, len(legal))]

    def last_strategy(self) -> Sequence[float]:
        """Return the uniform distribution."""
        return [1 / self._count] * self._count


class SearchingAgent(TellingAgent, Generic[F, S]):
    """What the agents that play by a search have in common.

    Args:
        family: makes the search.
        settings: of that family.
        check: raises `NotApplicable` for games that the player cannot play.
    """

    def __init__(self, family: F, settings: Any, check: Callable[[Game], None]) -> None:
        self._family = family
        self._settings = settings
        self._check = check
        self._search: S | None = None
        self._game: Game | None = None
        self._pacing = Pacing()
        self._rng: list[int] = []

    @property
    def search(self) -> S:
        """The search, once started."""
        assert self._search is not None, "not started"
        return self._search

    def _think(self, legal: Sequence[str], budget: Budget, began: float, run: Callable[[int], None]) -> None:
        """Search for the share of the budget that is used, by units that `run` takes; on a clock only for a choice."""
        share = self._settings.think
        if budget.iterations is not None:
            self.search.run(max(1, int(budget.iterations * share)))
        elif len(legal) > 1:
            deadline = began + (budget.deadline - began) * share
            self._pacing.run_until(deadline, run, budget.clock, lambda: self.search.settled)

    def _drawn(self, actions: I64, strategy: F64) -> str:
        """Return the text of an action drawn from a strategy, which is remembered."""
        self._strategy = strategy
        assert self._game is not None, "not started"
        return self._game.action_text(int(actions[draw(self._rng, strategy.tolist())]))

    def last_strategy(self) -> Sequence[float]:
        """Return the final strategy by which it chose."""
        strategy: list[float] = self._strategy.tolist()
        return strategy


class SearchAgent(SearchingAgent["SearchFamily", "Search"]):
    """Plays by a search on the world state, for games of perfect information except for simultaneous moves."""

    def start(self, game: Game, role: int, seed: int) -> None:
        """Compile the game and allocate the tree; the memory of an earlier match of the same game is reused."""
        import numpy as np

        self._check(game)
        self._role = role
        self._rng = [seed_word(seed, role, STRATEGY_SEED)]
        self._tracker = Tracker(game, role)
        if self._search is None or self._game is not game:
            settings = self._settings
            if isinstance(settings, TreeSettings):
                settings = settings.fitted(game.simultaneous)
            self._search = self._family.make_search(valued_game(game, settings), settings)
            self._search.prepare(np.array(self.words, np.int64))
        self._game = game
        self._search.take_role(role)
        self._search.seed(seed_word(seed, role, SEARCH_SEED))
        self._search.set_root(np.array(self.words, np.int64))
        self._pacing.forget_rate()

    @property
    def words(self) -> tuple[int, ...]:
        """The words of the state of the match."""
        return self._tracker.words

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Follow the transition in the tree, and the automatic ones after it: the root is always a decision."""
        import numpy as np

        for key, words in self._tracker.tell(action, observation):
            self.search.advance(key, np.array(words, np.int64))

    def study(self, budget: Budget, most_s: float) -> None:
        """Search before the first decision, for a budget, or `most_s` seconds if that is shorter."""
        deadline = min(budget.deadline, budget.clock() + most_s)
        self._pacing.run_until(deadline, self.search.run_units, budget.clock, lambda: self.search.settled)

    def can_ponder(self) -> bool:
        """Return whether further search from the current state of the match is worthwhile."""
        assert self._game is not None, "not started"
        return not self._game.state(self.words).is_terminal() and not self.search.settled

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Search for the budget and draw an action from the final strategy."""
        self._think(legal, budget, budget.clock(), self.search.run_units)
        return self._drawn(*self.search.strategy(self._role))


class EitherAgent:
    """Plays as one agent in games of perfect information (except for simultaneous moves), and as another in all others.

    Args:
        open_agent: the first.
        hidden_agent: the second.
    """

    def __init__(self, open_agent: TellingAgent, hidden_agent: TellingAgent) -> None:
        self._open = open_agent
        self._hidden = hidden_agent
        self._playing = open_agent

    def start(self, game: Game, role: int, seed: int) -> None:
        """Choose the agent, and start it."""
        self._playing = self._open if game.perfect_information else self._hidden
        self._playing.start(game, role, seed)

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Pass on a transition."""
        self._playing.observe(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Return the agent's choice."""
        return self._playing.choose(legal, budget)

    def last_strategy(self) -> Sequence[float]:
        """Return the strategy by which it chose."""
        return self._playing.last_strategy()

    def plan(self, keys: U64, actions: I64) -> tuple[float, F64] | None:
        """Return the strategy in its tree for a later information state."""
        return self._playing.plan(keys, actions)
