"""Checked random play: what random games in the reference interpreter show about a game and its mistakes.

Data only; the command line writes it out. Reads no clock: the caller says how long to go on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ggp.language import typed
from ggp.language.text.source import Span
from ggp.model.faults import LimitExceeded, RulesFault
from ggp.model.native.rng import seed_word
from ggp.model.reference.interpreter import Interpreter, WorldState
from ggp.model.reference.random_play import Transition, play_randomly, transition_text
from ggp.model.reference.scope import Stopped
from ggp.model.state_layout import Layout

WORK_LIMIT = 5_000_000
"""Function calls and bindings that one step of the interpreter may take."""

FindingKind: TypeAlias = Literal[
    "out_of_range", "is_none", "division_by_zero", "empty", "weights", "conflict", "dead_end",
    "too_much_work", "utility_bounds", "estimate_bounds", "never_reached", "no_end",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong that showed in play.

    Attributes:
        kind: the kind of fault (`ggp.model.faults`), or of doubt.
        is_error: whether it must be mended; else it is a warning.
        span: where in the rules.
        message: what is wrong, in the author's words.
        hint: what to do about it; empty where there is no more to say.
        play: the transitions that led there, one text each; empty where no single play shows it.
    """

    kind: FindingKind
    is_error: bool
    span: Span
    message: str
    hint: str
    play: tuple[str, ...] = ()


@dataclass(slots=True)
class Numbers:
    """Least, mean and greatest of a series of numbers."""

    count: int = 0
    total: float = 0.0
    minimum: float = math.inf
    maximum: float = -math.inf

    def add(self, number: float) -> None:
        """Take one more number into account."""
        self.count += 1
        self.total += number
        self.minimum = min(self.minimum, number)
        self.maximum = max(self.maximum, number)

    @property
    def mean(self) -> float:
        """The mean; 0 of no numbers."""
        return self.total / self.count if self.count else 0.0


@dataclass(slots=True)
class PlayReport:
    """What random games showed. P players.

    Attributes:
        games: games begun.
        finished: games that came to an end; the others were cut at the limit, failed, or ran out of time.
        steps: transitions made in all games.
        lengths: transitions of a finished game.
        branching: for each phase and player (None: chance), the number of legal actions or outcomes.
        utilities: of each player at the ends, `[P]`.
        utility_sums: the sum of all players' utilities at the ends.
        is_symmetric: whether each game played with the two players' actions exchanged was legal and gave the exchanged
            utilities; None where that was not tried (other than two players, or nothing finished).
        findings: mistakes and doubts, errors first.
    """

    games: int = 0
    finished: int = 0
    steps: int = 0
    lengths: Numbers = field(default_factory=Numbers)
    branching: dict[tuple[str, int | None], Numbers] = field(default_factory=dict)
    utilities: tuple[Numbers, ...] = ()
    utility_sums: Numbers = field(default_factory=Numbers)
    is_symmetric: bool | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def sum_trait(self) -> Literal["zero-sum", "constant-sum", "general-sum"] | None:
        """What the utilities of all games seen add up to; None where no game ended."""
        if not self.finished:
            return None
        if self.utility_sums.maximum - self.utility_sums.minimum > 1e-9:
            return "general-sum"
        return "zero-sum" if abs(self.utility_sums.mean) < 1e-9 else "constant-sum"


def play_checked(
    game: typed.Game, seed: int, games: int, step_limit: int, go_on: Callable[[], bool] = lambda: True
) -> PlayReport:
    """Play random games and collect what they show.

    Args:
        game: checked.
        seed: of the games; the same seed gives the same games.
        games: how many at most.
        step_limit: transitions after which a game is cut; one that is cut counts as without end.
        go_on: asked before every transition and within long ones; once it says no, the check ends with what it has.

    Raises:
        LimitExceeded: the state or the lists of actions would be too large to play at all.
    """
    return _Check(game, step_limit, go_on).run(seed, games)


class _Check:
    """One run of checked play: the report under construction."""

    def __init__(self, game: typed.Game, step_limit: int, go_on: Callable[[], bool]) -> None:
        self.game = game
        self.step_limit = step_limit
        self.go_on = go_on
        self.layout = Layout(game)
        self.interpreter = Interpreter(game, WORK_LIMIT, go_on)
        self.report = PlayReport(utilities=tuple(Numbers() for _ in game.players.members))
        self.reached: set[str] = set()
        self.told: set[tuple[FindingKind, Span]] = set()

    def run(self, seed: int, games: int) -> PlayReport:
        """Play, and return the report."""
        for number in range(games):
            if not self.go_on():
                break
            self.report.games += 1
            self._play_once([seed_word(seed, number)])
        self._look_back()
        self.report.findings.sort(key=lambda finding: (not finding.is_error, finding.span.line, finding.span.column))
        return self.report

    def _play_once(self, rng: list[int]) -> None:
        """Play one game, and record what it shows."""
        play: list[Transition] = []
        state = self.interpreter.initial()
        try:
            self._enter(state)
            for transition in play_randomly(self.interpreter, rng, self.step_limit):
                play.append(transition)
                state = transition.new
                self._record(transition)
                if not self.go_on():
                    return
            if state.phase is None:
                self._end(state, play)
        except RulesFault as fault:
            self._find(fault.kind, True, fault.span, fault.explanation, "", play)
        except LimitExceeded as limit:
            span = self.interpreter.phase(state).span if state.phase is not None else self.game.phases[0].span
            message = f"one step of the game takes more than {limit.limit:,} steps of evaluation"
            self._find("too_much_work", True, span, message, "make the definitions it calls simpler", play)
        except Stopped:
            if not self.report.steps:
                span = self.game.phases[0].span
                message = "the time for random games was over before one step of the game was worked out"
                self._find("too_much_work", False, span, message, "make the definitions it calls simpler", [])
        else:
            if state.phase is not None:
                message = f"a game of random actions had not ended after {self.step_limit:,} transitions"
                hint = "let the rules end every game, by a limit on its length for example"
                self._find("no_end", False, self.interpreter.phase(state).span, message, hint, [])

    def _enter(self, state: WorldState) -> None:
        """Look at a state that is not terminal."""
        assert state.phase is not None
        self.reached.add(state.phase)
        for player, estimate in enumerate(self.interpreter.estimates(state) or ()):
            low, high = self.game.utility_bounds[player]
            if not low - 1e-9 <= estimate <= high + 1e-9 and self.game.estimate is not None:
                name = self.game.players.members[player]
                message = f"the estimate of `{name}` is {estimate:g}, outside its utilities, {low:g} to {high:g}"
                span = self.game.estimate[player].span
                self._find("estimate_bounds", False, span, message, "scale it, with `tanh` for example", [])

    def _record(self, transition: Transition) -> None:
        """Take one transition into account; observations are made for the faults they may show."""
        phase = transition.old.phase
        assert phase is not None
        self.report.steps += 1
        if transition.outcomes:
            self._branching(phase, None).add(len(transition.outcomes))
        for player, actions in transition.legal.items():
            self._branching(phase, player).add(len(actions))
        for player in range(len(self.game.players.members)):
            self.interpreter.observation(transition.old, transition.chosen, player)
        if transition.new.phase is not None:
            self._enter(transition.new)

    def _branching(self, phase: str, player: int | None) -> Numbers:
        return self.report.branching.setdefault((phase, player), Numbers())

    def _end(self, state: WorldState, play: list[Transition]) -> None:
        """Take the end of a game into account."""
        utilities = self.interpreter.utilities(state)
        self.report.finished += 1
        self.report.lengths.add(len(play))
        self.report.utility_sums.add(sum(utilities))
        for player, utility in enumerate(utilities):
            self.report.utilities[player].add(utility)
            low, high = self.game.utility_bounds[player]
            if not (math.isfinite(utility) and low - 1e-9 <= utility <= high + 1e-9):
                name = self.game.players.members[player]
                message = f"the payoff of `{name}` is {utility:g}, outside its proven bounds, {low:g} to {high:g}"
                self._find("utility_bounds", True, self.game.payoff[player].span, message, "", play)
        if len(utilities) == 2 and self.report.is_symmetric is not False:
            self.report.is_symmetric = self._is_exchangeable(play, utilities)

    def _is_exchangeable(self, play: list[Transition], utilities: tuple[float, ...]) -> bool:
        """Return whether a play with the two players' actions exchanged is legal and gives the exchanged utilities."""
        interpreter, state = self.interpreter, self.interpreter.initial()
        for transition in play:
            if state.phase != transition.old.phase:
                return False
            chosen = transition.chosen
            if isinstance(chosen, tuple):
                if chosen not in [outcome for outcome, _ in interpreter.chance_outcomes(state)]:
                    return False
            else:
                chosen = {1 - player: action for player, action in chosen.items()}
                if tuple(sorted(chosen)) != interpreter.actors(state):
                    return False
                if any(action not in interpreter.legal(state, player) for player, action in chosen.items()):
                    return False
            state = interpreter.step(state, chosen)
        return state.phase is None and interpreter.utilities(state) == utilities[::-1]

    def _find(
        self, kind: FindingKind, is_error: bool, span: Span, message: str, hint: str, play: list[Transition]
    ) -> None:
        """Record a finding, once for each kind and place."""
        if (kind, span) in self.told:
            return
        self.told.add((kind, span))
        texts = tuple(
            transition_text(self.layout, transition.old.phase, transition.chosen)
            for transition in play
            if transition.old.phase is not None
        )
        self.report.findings.append(Finding(kind, is_error, span, message, hint, texts))

    def _look_back(self) -> None:
        """Say what the games did not show."""
        if not self.report.finished or any(finding.is_error for finding in self.report.findings):
            return
        for phase in self.game.phases:
            if phase.name not in self.reached:
                message = f"phase `{phase.name}` was not reached in {self.report.games} random games"
                self._find("never_reached", False, phase.span, message, "see whether some `next` can lead to it", [])
