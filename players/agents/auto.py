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
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.errors import GgpError
from players.agents.agent import Agent, RandomAgent, SearchAgent
from players.agents.candidate_trial import (
    playouts_agree,
    random_decisions,
    strongest,
    typical_decisions,
    typical_outcomes,
)
from players.agents.solved_agent import MAX_SOLVE_S, Solution
from players.agents.solved_hidden_agent import HiddenSolution, HiddenSolvedAgent
from players.beliefs.tracker import check_told

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from players.agents.agent import Budget
    from players.agents.registry import PlayerSpec
    from players.search.foundation.searches import Search

MANY_DECISIONS = 18
"""Decisions of random play: in longer games with hidden information, search with open cards in consistent states wins.
At 0.02 and 0.05 s a move it beat `ismcts` in battleship (20 decisions), stratego, phantom Go and a pursuit (68 to 100);
below (up to 16) the two were even, or `ismcts` ahead. These are games for two. In Hearts with 52 cards, two seats
against two at 0.03 s a move, `ismcts:final=max` got 1.9 ± 1.0 points a game more than `pimc` (69 deals, each with the
seats exchanged), in whist 0.2 ± 0.7 tricks (18 deals); each against random players the two were level."""
MANY_OUTCOMES = 1000
"""Outcomes of a chance event: above this, progressive widening lets a search see some of them often enough to go
deeper."""
FEW_OUTCOMES = 8
"""Outcomes of a typical chance event: up to this, all are searched, since as many draws with replacement miss a third
of them. In EinStein, which has six, `star2` won 56 ± 5 % against `mcts`, `star1ss:samples=8` 45 ± 6 %, and
`mcts:leaf=estimate` 55 ± 6 % against `star2`. So small a lead does not show in a short test, which only has to find out
whether the estimate is bad: the last one is the default."""
MANY_JOINT_ACTIONS = 200
"""Joint actions: above this, trying each one first leaves hardly any depth, and the average of many actions is
noisy."""
LEAST = 0.1
"""Share of the most probable action's probability: less probable ones are what is left of the first iterations. At 36
decisions of goofspiel(13), 20,000 iterations lose 0.27 % of a game on average against a search of 75 times the length,
and 0.14 % without such actions; an opponent who knows the strategy gains 2.0 % instead of 1.8 %."""
TEST_S = 3.0
"""Longest time of a test; of a known start clock, at most TEST_SHARE."""
TEST_SHARE = 0.3
SOLVE_SHARE = 0.5
"""Share of a known start clock for an attempt to solve the game."""
TEST_MEGABYTES = 4
"""For each candidate in a test, which starts over at every move."""
MAX_LEARNED = 2
"""Candidates with a learned evaluation, so that a test has enough games for each."""
EVEN = 0.5
MAX_STUDY_S = 5.0
"""Longest time used of a start clock, so that long matches begin soon."""

WITH_LATER_PLAYS = "mcts:rave=300,c=0.1"
"""Against `mcts`, 10 games each at 0.05 or 0.1 s a move: Go 9x9 100 %, gomoku and reversi 90 %, hex 80 %, breakthrough
70 %, amazons and Los Alamos chess 50 %; connect four 30 %, and 25 % of 20 in kalah at 0.02 s."""
GUIDED = "mcts:rave=300,c=0.02"
"""With a policy for playouts, which says what is worth a try. Go 9x9 at 0.1 s: 10 of 12 games against c = 0.1."""
BY_RULES = "leaf=estimate"
"""What players are called with that read the estimate of the rules where they end a playout."""
BY_ESTIMATE = "ismcts:leaf=estimate,moves=2"
"""For hidden information where random playouts to the end all have the same value. Without random moves, actions with
many outcomes would look better than others: their leaves are closer."""
PLAYED_BY_AUTO = ("mcts", "rm", "duct", "star1", "ubfm", "ismcts", "pimc")
"""Players of all families that it may choose, to be compiled before a match."""

log = logging.getLogger("ggp.auto")


@dataclass(frozen=True, slots=True)
class Plan:
    """The candidates for a game: a solution, or one of several players.

    Attributes:
        kind: of the game, in words.
        solve: whether to try to solve the game first.
        players: as written on the command line; the first is played unless a test shows that another one is stronger.
    """

    kind: str
    solve: bool
    players: tuple[str, ...]


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


def plan_for(game: Game) -> Plan:
    """Return the candidates for a game, by its kind."""
    players = len(game.players)
    duel = players == 2 and game.constant_sum
    if not game.perfect_information:
        if players == 1:
            return Plan("hidden information, one player, with nobody to hide from", False, ("ismcts:final=max",))
        decisions = typical_decisions(game)
        kind = f"hidden information, {decisions:.0f} decisions in random play"
        if game.native().functions.estimate and playouts_agree(game):
            final = "" if game.constant_sum else ",final=max"
            return Plan(f"{kind}, which is always worth the same", duel, (f"{BY_ESTIMATE}{final}",))
        if decisions > MANY_DECISIONS:
            return Plan(kind, duel, ("pimc",) if players <= 2 or game.simultaneous else ("ismcts:final=max",))
        return Plan(kind, duel, ("ismcts:selection=rm" if game.simultaneous else "ismcts",))
    estimate = game.native().functions.estimate != 0
    solve = players == 1 or duel
    testable = estimate and (players == 1 or game.constant_sum)
    if game.simultaneous:
        if not duel:
            joint = joint_actions(game)
            strong, more = ("duct:final=max", ",") if joint > MANY_JOINT_ACTIONS else ("duct", ":")
            kind = f"simultaneous moves, not of two players and constant sum, up to {joint} joint actions seen"
            return Plan(kind, False, (strong, f"{strong}{more}leaf=estimate") if testable else (strong,))
        strong = f"rm:plus=on,average=linear,least={LEAST:g}"
        joint = joint_actions(game)
        if joint > MANY_JOINT_ACTIONS:
            strong = "rm:plus=on,average=linear,expansion=none,final=max,gamma=0.1"
        kind = f"simultaneous moves, up to {joint} joint actions seen"
        return Plan(kind, solve, (strong, f"{strong},leaf=estimate") if estimate else (strong,))
    kind = "turns and chance" if game.chance else "turns"
    sampling = "dpw" if game.native().shape.max_outcomes > MANY_OUTCOMES else "mcts"
    if not testable:
        return Plan(kind, solve, (sampling, WITH_LATER_PLAYS) if duel and not game.chance else (sampling,))
    if not duel:
        return Plan(kind, solve, (sampling, f"{sampling}:leaf=estimate"))
    if not game.chance:
        return Plan(kind, solve, (sampling, f"{sampling}:leaf=estimate", "star1"))
    if game.native().shape.max_outcomes <= MANY_OUTCOMES and typical_outcomes(game) <= FEW_OUTCOMES:
        return Plan(kind, solve, (f"{sampling}:leaf=estimate", sampling, "star2"))
    return Plan(kind, solve, (sampling, f"{sampling}:leaf=estimate", "star1ss:samples=8"))


def learned_players(game: Game) -> tuple[str, ...]:
    """Return players that read a learned evaluation of a game, the first of them usually the strongest."""
    if not game.perfect_information:
        return ("pimc", "ismcts:final=max")
    if game.simultaneous:
        duel = len(game.players) == 2 and game.constant_sum
        return (f"rm:plus=on,average=linear,least={LEAST:g}", "duct") if duel else ("duct",)
    # ubfm against star1, 6 games each at 0.03 s a move: breakthrough 67 %, Los Alamos chess 8 %
    # in 60 positions of backgammon, at 0.2 s, star2 lost 10 thousandths of a point a turn, mcts 14, star1ss 20
    return ("star1", "ubfm", "mcts") if not game.chance else ("star2", "mcts", "star1ss:samples=8")


def joint_actions(game: Game, plays: int = 3, decisions: int = 40) -> int:
    """Return the largest number of joint actions seen in some random plays."""
    most = 1
    for play in range(plays):
        for state in islice(random_decisions(game, seed_word(1, play)), decisions):
            most = max(most, math.prod(len(state.legal(role)) for role in state.actors()))
    return most


def rival_of(plan: Plan) -> str:
    """Return the player that one with a learned evaluation has to beat: the first that reads the estimate of the rules.

    Where the rules have none it is the first of all.
    """
    return next((player for player in plan.players if BY_RULES in player), plan.players[0])


def with_learned(plan: Plan, game: Game, file: str) -> Plan:
    """Return the candidates for a game, with those that read a learned evaluation of it.

    They are tested as those are that read the estimate of the rules; one that has beaten a player without the file, as
    the file says, is played unless the test shows otherwise. If it has beaten the rival that reads the estimate of the
    rules, or there is none, only they are tested: in backgammon a short test preferred `mcts` with that estimate, which
    at 0.2 s a move loses 42 thousandths of a point a turn, `star2` with the file 10. Where something is hidden no test
    is made.
    """
    from players.learning.files import read_learned

    met = read_learned(Path(file), game).about.get("strength") or {}
    proven = met["player"] if met and met["ci95"][0] > EVEN else ""
    names = sorted(learned_players(game), key=lambda name: name != proven)
    texts = [f"{name}{',' if ':' in name else ':'}estimate={file}" for name in names]
    if game.perfect_information:
        first, *others = (player for player in plan.players if player != WITH_LATER_PLAYS)
        learned = texts[:MAX_LEARNED]
        if proven and met["against"] == rival_of(plan):
            return replace(plan, players=tuple(learned))
        return replace(plan, players=(*learned, first, *others) if proven else (first, *learned, *others))
    if names[0] == proven:
        kind = f"{plan.kind}; {file} won {100 * met['win_rate']:.0f} %"
        return replace(plan, kind=kind, players=(texts[0],))
    return plan


def blueprint_player(file: str) -> str:
    """Return the player of a file with a blueprint."""
    return f"blueprint:file={file}"


def policy_player(file: str) -> str:
    """Return the player of a file with a policy for playouts."""
    return f"{GUIDED},policy={file}"


def with_policy(plan: Plan, file: str) -> Plan:
    """Return the candidates for a game, with the search whose playouts choose by a policy instead of the one without.

    Without a learned evaluation it is played unless the test shows otherwise: the policy was measured to make it
    stronger.
    """
    others = tuple(player for player in plan.players if player != WITH_LATER_PLAYS)
    learned = any("estimate=" in player for player in others)
    return replace(plan, players=(*others, policy_player(file)) if learned else (policy_player(file), *others))


def candidates_for(game: Game, estimate: str = "") -> Plan:
    """Return the candidates for a game, with a learned evaluation where a file is named or found, and a policy.

    A blueprint that is found and gained by the test of `ggp train` is played without another test.
    """
    from players.learning.files import found_file
    from players.learning.policy_files import found_policy

    plan = plan_for(game)
    if not game.perfect_information and not estimate:
        from players.learning.blueprints import found_blueprint

        if blueprint := found_blueprint(game):
            return replace(plan, players=(blueprint_player(blueprint),))
    later_plays = WITH_LATER_PLAYS in plan.players
    file = estimate or found_file(game)
    plan = with_learned(plan, game, file) if file else plan
    policy = found_policy(game) if later_plays else ""
    return with_policy(plan, policy) if policy else plan


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
        search = spec.kind.family.make_search(spec.native(game), _small(spec))
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


def _small(spec: PlayerSpec) -> object:
    """Return the settings with little memory, for a test."""
    from players.search.foundation.settings import SearchSettings, StarSettings

    if isinstance(spec.settings, SearchSettings):
        return replace(spec.settings, memory=TEST_MEGABYTES)
    return replace(spec.settings, table=TEST_MEGABYTES) if isinstance(spec.settings, StarSettings) else spec.settings


_choices: weakref.WeakKeyDictionary[Game, dict[str, Choice]] = weakref.WeakKeyDictionary()
"""Choices for the games of this process, by the file of the evaluation: a match may be one of hundreds."""


class AutoAgent:
    """Plays as `choose_player` decides; if that player fails, it continues with a search, or at random, and says so.

    Args:
        think: share of the clock that is used.
        ponder: whether it may think while others do, if possible.
        threads: of the chosen player, if it can use several.
        estimate: a file of a learned evaluation; empty: one that is found.

    Attributes:
        ponder: the same.
        start_clock_s: length of the start clock, if there is one.
        clock: of the test, in seconds; not of decisions, whose budgets have their own.
        choice: what it plays, once started.
    """

    def __init__(self, think: float = 1.0, ponder: bool = True, threads: int = 1, estimate: str = "") -> None:
        self._think = think
        self._estimate = estimate
        self._threads = threads
        self.ponder = ponder
        self.start_clock_s = math.inf
        self.clock: Callable[[], float] = time.monotonic
        self.choice: Choice | None = None
        self._agent: Agent = RandomAgent()
        self._made_for: tuple[object, str] | None = None

    def start(self, game: Game, role: int, seed: int) -> None:
        """Choose what to play, and get it ready; the memory of an earlier match of the same game is kept."""
        kept = _choices.setdefault(game, {})
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
