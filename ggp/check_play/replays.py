"""Games that were played natively, again in the reference interpreter: where in the rules they fail, and as texts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

from ggp.check_play.findings import Finding, FindingKind
from ggp.check_play.running_statistics import RunningStatistics
from ggp.encoding.state_layout import Layout
from ggp.faults import LimitExceeded, RulesFault
from ggp.interpreter.interpreter import Interpreter, JointAction, Outcome, WorldState
from ggp.interpreter.random_play import Transition, transition_text
from ggp.language import typed
from ggp.language.evaluation.scope import Action, Stopped
from ggp.language.text.source import Span

WORK_LIMIT = 5_000_000
"""Function calls and bindings that one step of the interpreter may take."""
AFTER_UPDATES = "`next` reads the state after the updates; what `x` was before them is `old x`"
"""What to know of a fault in `next`."""
BEYOND_EDGE = "beyond the edge of the board there is no cell: `{0} is some and ...`"
"""What to know where a step gives none."""
OUTSIDE = "outside of the board there is no cell: `c + m*east + n*north` is none there, and `is some` tests for it"
"""What to know where `cell(x, y)` is given columns or rows that the board does not have."""
_COORDINATE = re.compile("the [xy] of `.*` goes from 1 to ")
_STEP = re.compile(r"[\w.]+ *[+-] *[\w.* ]+")
TOLERANCE = 1e-9
MIN_EXCHANGED = 20
"""Games that one player won, and the other one with their actions exchanged, until a game is called symmetric."""

Trace: TypeAlias = Sequence[Sequence[int]]
"""For each transition, for each player who acts, the position among its legal actions; last, the outcome of chance."""


class Replay:
    """A game that is played again.

    Attributes:
        state: that it has come to.
        played: the phase and the choice of each transition, one that failed included.
    """

    def __init__(self, interpreter: Interpreter, layout: Layout, trace: Trace) -> None:
        self._interpreter, self._layout, self._trace = interpreter, layout, trace
        self.state: WorldState = interpreter.initial()
        self.played: list[tuple[str, JointAction | Outcome]] = []

    def transitions(self) -> Iterator[Transition]:
        """Play to the end of the game or of the trace; yield each transition that was made.

        Raises:
            RulesFault: the rules fail, or a player has nothing to choose.
            LimitExceeded: one transition takes more work than the interpreter's limit.
            Stopped: the interpreter was told to stop.
        """
        interpreter = self._interpreter
        for row in self._trace:
            old, legal = self.state, dict[int, list[Action]]()
            outcomes = 0
            if old.phase is None:
                return
            if interpreter.is_chance(old):
                chosen: JointAction | Outcome
                chosen, outcomes = self._drawn(old, row[-1])
            else:
                legal = {player: interpreter.legal(old, player) for player in interpreter.actors(old)}
                for player, actions in legal.items():
                    assert row[player] < len(actions), "native code lists more legal actions than the interpreter"
                chosen = {player: actions[row[player]] for player, actions in legal.items()}
            self.played.append((old.phase, chosen))
            self.state = interpreter.step(old, chosen)
            yield Transition(old, legal, outcomes, chosen, self.state)

    def _drawn(self, state: WorldState, number: int) -> tuple[Outcome, int]:
        """Return the chance outcome with a number, and how many there are; no number is noted where drawing fails."""
        assert state.phase is not None
        block = self._layout.outcome_blocks[self._layout.phase_index[state.phase]]
        assert block is not None, "chance acts"
        with suppress(ValueError):
            chosen = block.decode(number)
            if count := self._interpreter.outcome_count(state, chosen):
                return chosen, count
        self._interpreter.chance_outcomes(state)
        raise AssertionError("native code draws what the interpreter does not")

    def texts(self) -> tuple[str, ...]:
        """Return the transitions, a text each, one that failed included."""
        return tuple(transition_text(self._layout, phase, chosen) for phase, chosen in self.played)


class ReplayCheck:
    """Checks replays of one game, and collects what they show.

    Attributes:
        games: replays begun.
        outcomes: for each chance phase the number of outcomes.
        is_symmetric: whether each game played with the two players' actions exchanged was legal, told each of the same
            things as the other before, and gave the exchanged utilities; None where that was not tried (other than two
            players), or too seldom to say so.
        findings: mistakes and doubts, one of each kind and place.
    """

    def __init__(self, game: typed.Game, go_on: Callable[[], bool] = lambda: True) -> None:
        """Prepare.

        Args:
            game: checked.
            go_on: asked before every transition and within long ones; once it says no, a replay ends where it is.
        """
        self.game, self.go_on = game, go_on
        self.layout = Layout(game)
        self.interpreter = Interpreter(game, WORK_LIMIT, go_on)
        self.games = 0
        self.outcomes: dict[str, RunningStatistics] = {}
        self.is_symmetric: bool | None = None
        self._exchanged = 0
        self.findings: list[Finding] = []
        self._told: set[tuple[FindingKind, Span]] = set()
        self._since_draw: dict[WorldState, int] = {}
        """The states since the last draw of the game that is checked, and after how many transitions each came."""
        self._has_stepped = False

    def check(self, trace: Trace) -> None:
        """Play a game again, and record what it shows."""
        self.games += 1
        self._since_draw.clear()
        replay = Replay(self.interpreter, self.layout, trace)
        try:
            self._check_state(replay, replay.state)
            for made in replay.transitions():
                self._has_stepped = True
                self._check_transition(replay, made)
                if not self.go_on():
                    return
            if replay.state.phase is None:
                self._check_end(replay)
        except RulesFault as fault:
            hint = AFTER_UPDATES if fault.in_next else ""
            if fault.kind == "is_none":
                line = dict(enumerate(self.game.source_text.split("\n"), start=1)).get(fault.span.line, "")
                step = _STEP.fullmatch(line[: fault.span.end_column - 1], fault.span.column - 1)
                hint = BEYOND_EDGE.format(step[0]) if step else hint
            elif _COORDINATE.match(fault.reason):
                hint = OUTSIDE
            self._find(fault.kind, True, fault.span, fault.explanation, hint, replay.texts())
        except LimitExceeded as limit:
            at = replay.state
            span = self.game.phases[0].span if at.phase is None else self.interpreter.phase(at).span
            message = f"one step of the game takes more than {limit.limit:,} steps of evaluation"
            self._find("too_much_work", True, span, message, "make the definitions it calls simpler", replay.texts())
        except Stopped:
            if not self._has_stepped:
                message = "the time was over before the interpreter, which finds the places of mistakes, made a step"
                first = self.game.phases[0]
                lists = first.chance is not None and not first.chance.successive
                hint = "draw less at once, in several phases" if lists else "`--seconds` gives it more"
                self._find("too_much_work", False, first.span, message, hint)

    def _check_transition(self, replay: Replay, made: Transition) -> None:
        if self._draws(made.old):
            phase = self.interpreter.phase(made.old).name
            self.outcomes.setdefault(phase, RunningStatistics()).add(made.outcomes)
        for player in range(len(self.game.players.members)):
            # for the faults that they may show
            self.interpreter.observation(made.old, made.chosen, player)
        self._check_state(replay, made.new)

    def _draws(self, state: WorldState) -> bool:
        """Return whether chance draws something here; in an automatic phase it does not."""
        chance = self.interpreter.phase(state).chance
        return chance is not None and bool(chance.components)

    def _check_state(self, replay: Replay, state: WorldState) -> None:
        """Check whether a state comes back by actions alone, and its estimates."""
        if state.phase is None:
            return
        step = len(replay.played)
        if self._draws(state):
            self._since_draw.clear()
        elif (first := self._since_draw.setdefault(state, step)) != step:
            message = "a play can go on for ever: a state comes back, and neither chance nor a limit ends it"
            hint = "count the transitions and end the game at some number, or use `history` and `repeats`"
            if not any(one.kind == "comes_back" for one in self.findings):
                span = self.interpreter.phase(state).span
                self._find("comes_back", False, span, message, hint, replay.texts()[first - step :])
        if self.game.estimate is None:
            return
        for player, estimate in enumerate(self.interpreter.estimates(state) or ()):
            low, high = self.game.utility_bounds[player]
            if not low - TOLERANCE <= estimate <= high + TOLERANCE:
                name = self.game.players.members[player]
                message = f"the estimate of `{name}` is {estimate:g}, outside its utilities, {low:g} to {high:g}"
                span = self.game.estimate[player].span
                self._find("estimate_bounds", False, span, message, "scale it, with `tanh` for example")

    def _check_end(self, replay: Replay) -> None:
        utilities = self.interpreter.utilities(replay.state)
        for player, utility in enumerate(utilities):
            low, high = self.game.utility_bounds[player]
            if not (math.isfinite(utility) and low - TOLERANCE <= utility <= high + TOLERANCE):
                name = self.game.players.members[player]
                message = f"the payoff of `{name}` is {utility:g}, outside its proven bounds, {low:g} to {high:g}"
                self._find("utility_bounds", True, self.game.payoff[player].span, message, "", replay.texts())
        if len(utilities) == 2 and self.is_symmetric is not False:
            self._exchanged += utilities[0] != utilities[1]  # two draws tell little
            alike = self._is_exchangeable(replay, utilities)
            self.is_symmetric = (self._exchanged >= MIN_EXCHANGED or None) if alike else False

    def _is_exchangeable(self, replay: Replay, utilities: tuple[float, ...]) -> bool:
        """Return whether the play with exchanged actions of two players is legal, and tells and gives the exchanged."""
        interpreter, state = self.interpreter, self.interpreter.initial()
        as_played = state
        for phase, was_chosen in replay.played:
            if state.phase != phase:
                return False
            chosen = was_chosen
            if isinstance(chosen, tuple):
                if not interpreter.outcome_count(state, chosen):
                    return False
            else:
                chosen = {1 - player: action for player, action in chosen.items()}
                if tuple(sorted(chosen)) != interpreter.actors(state):
                    return False
                if any(action not in interpreter.legal(state, player) for player, action in chosen.items()):
                    return False
            told = [self._labels(as_played, was_chosen, player) for player in (0, 1)]
            if told != [self._labels(state, chosen, player) for player in (1, 0)]:
                return False
            as_played, state = interpreter.step(as_played, was_chosen), interpreter.step(state, chosen)
        return state.phase is None and interpreter.utilities(state) == utilities[::-1]

    def _labels(self, state: WorldState, chosen: JointAction | Outcome, player: int) -> list[tuple[str, ...]]:
        """Return what a transition tells a player about, without the values."""
        told = self.interpreter.observation(state, chosen, player)
        return [self.interpreter.phase(state).sees[seen.position].labels for seen in told]

    def _find(
        self, kind: FindingKind, is_error: bool, span: Span, message: str, hint: str, play: tuple[str, ...] = ()
    ) -> None:
        """Record a finding, once for each kind and place."""
        if (kind, span) not in self._told:
            self._told.add((kind, span))
            self.findings.append(Finding(kind, is_error, span, message, hint, play))
