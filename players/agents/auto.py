"""`auto`: looks at the game and plays what is strongest there; the default where no player is named.

Small games are solved. Otherwise it plays a search that suits the kind of game, with settings that measurements showed
to be strong; if the rules have an estimate, a short test shows whether to use it. The choice and its reason are logged
in one line.
"""

from __future__ import annotations

import logging
import math
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ggp.errors import GgpError
from players.agents.agent import Agent, RandomAgent, SearchAgent
from players.agents.candidate_trial import strongest
from players.agents.candidates import candidates_for, plan_for
from players.agents.solved_agent import MAX_SOLVE_S, Solution
from players.agents.solved_hidden_agent import HiddenSolution, HiddenSolvedAgent
from players.beliefs.tracker import check_told

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from players.agents.agent import Budget
    from players.agents.registry import PlayerSpec
    from players.search.foundation.searches import Search

TEST_S = 3.0
"""Longest time of a test; of a known start clock, at most TEST_SHARE."""
TEST_SHARE = 0.3
SOLVE_SHARE = 0.5
"""Share of a known start clock for an attempt to solve the game."""
TEST_MEGABYTES = 4
"""For each candidate in a test, which starts over at every move."""
MAX_STUDY_S = 5.0
"""Longest time used of a start clock, so that long matches begin soon."""

PLAYED_BY_AUTO = ("mcts", "rm", "duct", "star1", "ubfm", "ismcts", "pimc", "obscuro")
"""Players of all families that it may choose, to be compiled before a match."""

log = logging.getLogger("ggp.auto")


@dataclass(frozen=True, slots=True)
class Choice:
    """The player chosen, and the reason.

    Attributes:
        player: as written on the command line; empty if the game is solved.
        why: one line.
        solution: if the game is solved.
    """

    player: str
    why: str
    solution: Solution | HiddenSolution | None = None


def solver_samples(games: Sequence[Game]) -> dict[str, str]:
    """Return small games to try the solvers on that games may need, by what these solve; all if no games are given."""
    solved = [game for game in games if plan_for(game).solve]
    samples = {}
    if not games or any(game.perfect_information for game in solved):
        samples["open games"] = "tic_tac_toe"
    if not games or any(game.perfect_information and game.simultaneous for game in solved):
        samples["simultaneous moves"] = "rock_paper_scissors"
    if not games or any(not game.perfect_information for game in solved):
        samples["hidden information"] = "kuhn_poker"
    return samples


def compile_solver(sample: str) -> None:
    """Load or compile a solver by solving a game."""
    from ggp.rules_compiler.loading import load

    game = load(sample)
    if game.perfect_information:
        Solution(game).strategy(game.initial().words, 0)
    else:
        HiddenSolution(game)


def choose_player(
    game: Game,
    test_s: float = TEST_S,
    clock: Callable[[], float] = time.monotonic,
    solve_s: float = MAX_SOLVE_S,
    estimate: str = "",
) -> Choice:
    """Return what to play: try to solve the game, or test the candidates if there are several.

    Args:
        game: any.
        test_s: seconds for the test.
        clock: reads a monotonic clock in seconds.
        solve_s: seconds for solving it.
        estimate: a file of a learned evaluation; empty: one that is found, see `players.learning.files.found_file`.
    """
    plan = candidates_for(game, estimate)
    if plan.solve:
        try:
            solution = (
                Solution(game, solve_s, clock) if game.perfect_information else HiddenSolution(game, solve_s, clock)
            )
        except GgpError:
            pass  # it is too large, as most games are, or cannot be solved
        else:
            return Choice("", f"the game has {solution.size} and is solved", solution)
    specs = [spec for spec in (_accepting(text, game) for text in plan.players) if spec is not None]
    if not specs:
        return Choice("random", f"{plan.kind}: no player of ours that searches accepts the game")
    if len(specs) == 1:
        return Choice(str(specs[0]), plan.kind)
    searches = []
    for spec in specs:
        small = of_memory(spec.settings, TEST_MEGABYTES)
        search = spec.kind.family.make_search(spec.native(game), small)
        search.prepare(np.array(game.initial().words, np.int64))
        searches.append(search)
    verdict = strongest(game, searches, test_s, clock=clock)
    told = verdict.told([str(spec) for spec in specs])
    return Choice(str(specs[verdict.best]), f"{plan.kind}; in a short test {told}")


def _accepting(text: str, game: Game) -> PlayerSpec | None:
    from players.agents.registry import read_player
    from players.player_options import BadPlayer, NotApplicable

    try:
        spec = read_player(text)
        spec.kind.check(game)
    except (BadPlayer, NotApplicable):
        return None
    return spec


def of_memory(settings: Any, megabytes: int) -> Any:
    """Return a player's settings with so much memory for its tree, or at most so much for its table."""
    if hasattr(settings, "memory"):
        settings = replace(settings, memory=megabytes)
    return replace(settings, table=min(settings.table, megabytes)) if hasattr(settings, "table") else settings


_choices: weakref.WeakKeyDictionary[Game, dict[str, Choice]] = weakref.WeakKeyDictionary()
"""Choices for the games of this process, by the file of the evaluation: a match may be one of hundreds."""


class AutoAgent:
    """Plays as `choose_player` decides; if that player fails, it continues with a search, or at random, and says so.

    Args:
        think: share of the clock that is used.
        ponder: whether it may think while others do, if possible.
        threads: of the chosen player, if it can use several.
        memory: megabytes for the chosen player's tree; 0: as it takes by itself.
        estimate: a file of a learned evaluation; empty: one that is found.

    Attributes:
        ponder: the same.
        start_clock_s: length of the start clock, if there is one.
        clock: of the test, in seconds; not of decisions, whose budgets have their own.
        choice: what it plays, once started.
    """

    def __init__(
        self, think: float = 1.0, ponder: bool = True, threads: int = 1, memory: int = 0, estimate: str = ""
    ) -> None:
        self._think = think
        self._estimate = estimate
        self._threads = threads
        self._memory = memory
        self.ponder = ponder
        self.start_clock_s = math.inf
        self.clock: Callable[[], float] = time.monotonic
        self.choice: Choice | None = None
        self._agent: Agent = RandomAgent()
        self._made_for: tuple[object, str] | None = None

    def start(self, game: Game, role: int, seed: int) -> None:
        """Choose what to play, and get it ready; the memory of an earlier match of the same game is kept."""
        kept = _choices.pop(game, {})
        _choices[game] = kept  # for as long as this one of equal games is there
        choice = kept.get(self._estimate)
        if choice is None:
            choice = kept[self._estimate] = choose_player(
                game,
                min(TEST_S, TEST_SHARE * self.start_clock_s),
                self.clock,
                min(MAX_SOLVE_S, SOLVE_SHARE * self.start_clock_s),
                self._estimate,
            )
            log.info("auto plays %s with %s: %s", game.name, choice.player or "optimal strategies", choice.why)
        if self._made_for != (game, choice.player):
            self._agent = self._make(choice)
            self._made_for = (game, choice.player)
        self.choice = choice
        self._begun = game, role, seed
        self._told: list[tuple[str | None, Sequence[tuple[str, Readable]]]] = []
        try:
            self._agent.start(game, role, seed)
        except GgpError as error:
            self._give_up("cannot be started", error)

    @property
    def playing(self) -> Agent:
        """The agent that decides."""
        return self._agent

    def _make(self, choice: Choice) -> Agent:
        if choice.solution is not None:
            return choice.solution.make_agent()
        from players.agents.registry import PlayerSpec, read_player

        spec = read_player(choice.player)
        if spec.kind.searches:
            settings = replace(spec.settings, think=self._think)
            if hasattr(settings, "threads"):
                settings = replace(settings, threads=self._threads)
            if self._memory:
                settings = of_memory(settings, self._memory)
            spec = PlayerSpec(spec.kind, settings)
        return spec.make_agent()

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Pass on an observation.

        Raises:
            NothingTold: there is none, and the role did not act: whoever calls is mistaken, not the player.
        """
        check_told(action, observation)
        self._told.append((action, observation))
        try:
            self._agent.observe(action, observation)
        except GgpError as error:
            self._give_up("cannot follow the game", error)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Return what the chosen player chooses."""
        try:
            return self._agent.choose(legal, budget)
        except GgpError as error:
            self._give_up("cannot choose", error)
            return self.choose(legal, budget)

    def study(self, budget: Budget) -> None:
        """Search for what is left of a start clock, or MAX_STUDY_S."""
        if isinstance(self._agent, SearchAgent):
            self._agent.study(budget, MAX_STUDY_S)

    def pondered(self) -> Search | None:
        """Return the search that can continue while others think; None if there is none, or it would not help.

        A solved game needs none. Where something is hidden a search begins from the belief, which is found
        when the player has to move.
        """
        agent = self._agent
        return agent.search if self.ponder and isinstance(agent, SearchAgent) and agent.can_ponder() else None

    def _give_up(self, what: str, error: GgpError) -> None:
        """Continue with another player, which is given the match so far; at random if that fails, too."""
        game, role, seed = self._begun
        self._made_for = None
        if isinstance(self._agent, HiddenSolvedAgent):
            agent = self._make(Choice(plan_for(game).players[0], ""))
            try:
                agent.start(game, role, seed)
                for action, observation in self._told:
                    agent.observe(action, observation)
            except GgpError as another:
                error = another
            else:
                log.warning("auto goes on with a search: its player %s: %s", what, error)
                self._agent = agent
                return
        log.warning("auto goes on at random: its player %s: %s", what, error)
        self._agent = RandomAgent()
        self._agent.start(game, role, seed)
