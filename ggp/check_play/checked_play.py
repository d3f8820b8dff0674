"""Checked play: what games in the reference interpreter show about a game and its mistakes.

Data only; the command line writes it out. Reads no clock: the caller says how long to go on.
`ggp.check_play.examination` says which games are worth playing here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from ggp.arithmetic.rng import below, seed_word
from ggp.check_play.running_statistics import RunningStatistics
from ggp.encoding.state_layout import Layout
from ggp.faults import LimitExceeded, RulesFault
from ggp.interpreter.interpreter import Interpreter, JointAction, Outcome, WorldState
from ggp.interpreter.random_play import action_text, drawn_outcome, life_texts, transition_text
from ggp.interpreter.scope import Action, Stopped
from ggp.language import typed
from ggp.language.text.source import Span

WORK_LIMIT = 5_000_000
"""Function calls and bindings that one step of the interpreter may take."""
AFTER_UPDATES = "`next` reads the state after the updates; what `x` was before them is `old x`"
"""What to know of a fault in `next`."""

FindingKind: TypeAlias = Literal[
    "out_of_range", "is_none", "division_by_zero", "empty", "weights", "conflict", "dead_end", "other_sum",
    "too_much_work", "utility_bounds", "estimate_bounds", "never_reached", "no_end", "comes_back",
    "leak", "end_unseen", "told_to_all", "telling_view",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alike:
    """Two plays that a player cannot tell apart, and what differs between them although it must not.

    Attributes:
        player: its name.
        plays: the transitions of each, one text each.
        known: what the player did and saw, in both, a text each.
        choices: its legal actions after each; empty where the game is over.
        shown: where the two are drawn differently for it, the lines that differ.
    """

    player: str
    plays: tuple[tuple[str, ...], tuple[str, ...]]
    known: tuple[str, ...]
    choices: tuple[tuple[str, ...], tuple[str, ...]]
    shown: tuple[tuple[str, ...], tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong that showed in play.

    Attributes:
        kind: the kind of fault (`ggp.faults`), or of doubt.
        is_error: whether it must be mended; else it is a warning.
        span: where in the rules.
        message: what is wrong, in the author's words.
        hint: what to do about it; empty where there is no more to say.
        play: the transitions that led there, one text each, the one that failed included; empty where no single play
            shows it.
        alike: of two plays that show it together.
    """

    kind: FindingKind
    is_error: bool
    span: Span
    message: str
    hint: str
    play: tuple[str, ...] = ()
    alike: Alike | None = None


@dataclass(frozen=True, slots=True)
class Lived:
    """A play, and how one player lived it.

    Attributes:
        state: that it came to.
        transitions: a text each.
        known: what the player did and saw, a text each.
        legal: the texts of its legal actions then; none where it does not act.
    """

    state: WorldState
    transitions: tuple[str, ...]
    known: tuple[str, ...]
    legal: tuple[str, ...]


@dataclass(slots=True)
class PlayReport:
    """What games in checked mode showed. P players.

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
        reached: names of the phases that were reached.
        is_replayed: whether there was time for all games that were to be played again.
        findings: mistakes and doubts, errors first.
    """

    games: int = 0
    finished: int = 0
    steps: int = 0
    lengths: RunningStatistics = field(default_factory=RunningStatistics)
    branching: dict[tuple[str, int | None], RunningStatistics] = field(default_factory=dict)
    utilities: tuple[RunningStatistics, ...] = ()
    utility_sums: RunningStatistics = field(default_factory=RunningStatistics)
    is_symmetric: bool | None = None
    reached: set[str] = field(default_factory=set)
    is_replayed: bool = True
    findings: list[Finding] = field(default_factory=list)


class Chooser(Protocol):
    """Says how a game goes on."""

    def action(self, player: int, legal: Sequence[Action]) -> Action | None:
        """Return one of a player's legal actions; None: the game is not played on."""

    def outcome(self, phase: str, outcomes: list[tuple[Outcome, float]]) -> Outcome | None:
        """Return one of the outcomes of a chance phase; None: the game is not played on."""

    def made(self) -> None:
        """Take note that a transition was made."""


class RandomChooser:
    """Draws uniformly over legal actions, and chance by its probabilities."""

    def __init__(self, rng: list[int]) -> None:
        self._rng = rng

    def action(self, player: int, legal: Sequence[Action]) -> Action:  # noqa: ARG002 - the same for all
        """Draw an action."""
        return legal[below(self._rng, len(legal))]

    def outcome(self, phase: str, outcomes: list[tuple[Outcome, float]]) -> Outcome:  # noqa: ARG002
        """Draw an outcome."""
        return drawn_outcome(outcomes, self._rng)

    def made(self) -> None:
        """Keep no account of it."""


class TraceChooser:
    """Plays a game again.

    `trace` has for each transition, for each player who acts, the position among its legal actions, and last, where
    chance acts, the number of the outcome.
    """

    def __init__(self, layout: Layout, trace: Sequence[Sequence[int]]) -> None:
        self._layout = layout
        self._trace = trace
        self._at = 0

    def action(self, player: int, legal: Sequence[Action]) -> Action | None:
        """Return the action that was chosen."""
        if self._at >= len(self._trace):
            return None
        position = self._trace[self._at][player]
        assert position < len(legal), "native code lists more legal actions than the reference interpreter"
        return legal[position]

    def outcome(self, phase: str, outcomes: list[tuple[Outcome, float]]) -> Outcome | None:  # noqa: ARG002
        """Return the outcome that was drawn."""
        if self._at >= len(self._trace):
            return None
        block = self._layout.outcome_blocks[self._layout.phase_index[phase]]
        assert block is not None, "chance acts"
        return block.decode(self._trace[self._at][-1])

    def made(self) -> None:
        """Go on to the next transition."""
        self._at += 1


def play_checked(
    game: typed.Game,
    seed: int,
    games: int,
    step_limit: int,
    go_on: Callable[[], bool] = lambda: True,
    replays: Sequence[Chooser] = (),
) -> PlayReport:
    """Play games and collect what they show.

    Args:
        game: checked.
        seed: of the random games; the same seed gives the same games.
        games: how many random ones at most.
        step_limit: transitions after which a game is cut; one that is cut counts as without end.
        go_on: asked before every transition and within long ones; once it says no, the check ends with what it has.
        replays: games to play before the random ones.

    Raises:
        LimitExceeded: the state or the lists of actions would be too large to play at all.
    """
    check = _Check(game, step_limit, go_on)
    for chooser in replays:
        check.play(chooser, is_random=False)
    check.report.is_replayed = go_on()
    for number in range(games):
        if not go_on():
            break
        check.play(RandomChooser([seed_word(seed, number)]), is_random=True)
    return check.report


class _Check:
    """One run of checked play: the report under construction."""

    def __init__(self, game: typed.Game, step_limit: int, go_on: Callable[[], bool]) -> None:
        self.game = game
        self.step_limit = step_limit
        self.go_on = go_on
        self.layout = Layout(game)
        self.interpreter = Interpreter(game, WORK_LIMIT, go_on)
        self.report = PlayReport(utilities=tuple(RunningStatistics() for _ in game.players.members))
        self.told: set[tuple[FindingKind, Span]] = set()
        self.played: list[tuple[str, JointAction | Outcome]] = []
        """The phase and the choice of each transition of the game being played, one that failed included."""

    def play(self, chooser: Chooser, is_random: bool) -> None:
        """Play one game, and record what it shows."""
        self.report.games += 1
        self.played = []
        state = self.interpreter.initial()
        since_draw: dict[WorldState, int] = {}
        try:
            for step in range(self.step_limit):
                if state.phase is None or not self.go_on():
                    break
                self._enter(state)
                if self._draws(state):
                    since_draw.clear()
                elif since_draw.setdefault(state, step) != step:
                    self._comes_back(state, step - since_draw[state])
                chosen = self._chosen(state, chooser)
                if chosen is None:
                    return
                self.played.append((state.phase, chosen))
                new = self.interpreter.step(state, chosen)
                self.report.steps += 1
                # for the faults that they may show
                for player in range(len(self.game.players.members)):
                    self.interpreter.observation(state, chosen, player)
                chooser.made()
                state = new
            if state.phase is None:
                self._end(state)
        except RulesFault as fault:
            self.find(fault.kind, True, fault.span, fault.explanation, AFTER_UPDATES if fault.in_next else "")
        except LimitExceeded as limit:
            span = self.interpreter.phase(state).span if state.phase is not None else self.game.phases[0].span
            message = f"one step of the game takes more than {limit.limit:,} steps of evaluation"
            self.find("too_much_work", True, span, message, "make the definitions it calls simpler")
        except Stopped:
            if not self.report.steps:
                span = self.game.phases[0].span
                message = "the time for random games was over before one step of the game was worked out"
                self.played = []
                self.find("too_much_work", False, span, message, "make the definitions it calls simpler")
        else:
            if is_random and state.phase is not None and len(self.played) == self.step_limit:
                self.played = []
                self.find(*no_end(self.interpreter.phase(state).span, self.step_limit))

    def _chosen(self, state: WorldState, chooser: Chooser) -> JointAction | Outcome | None:
        """Return the actions or the outcome of the next transition; None: play stops here."""
        interpreter = self.interpreter
        assert state.phase is not None
        if interpreter.is_chance(state):
            outcomes = interpreter.chance_outcomes(state)
            if self._draws(state):
                self._branching(state.phase, None).add(len(outcomes))
            return chooser.outcome(state.phase, outcomes)
        joint: dict[int, Action] = {}
        for player in interpreter.actors(state):
            actions = interpreter.legal(state, player)
            self._branching(state.phase, player).add(len(actions))
            action = chooser.action(player, actions)
            if action is None:
                return None
            joint[player] = action
        return joint

    def _enter(self, state: WorldState) -> None:
        """Look at a state that is not terminal."""
        assert state.phase is not None
        self.report.reached.add(state.phase)
        for player, estimate in enumerate(self.interpreter.estimates(state) or ()):
            low, high = self.game.utility_bounds[player]
            if not low - 1e-9 <= estimate <= high + 1e-9 and self.game.estimate is not None:
                name = self.game.players.members[player]
                message = f"the estimate of `{name}` is {estimate:g}, outside its utilities, {low:g} to {high:g}"
                span = self.game.estimate[player].span
                self.find("estimate_bounds", False, span, message, "scale it, with `tanh` for example", show=False)

    def _comes_back(self, state: WorldState, length: int) -> None:
        """Record that a state came back by actions alone, after some transitions: nothing ends such a play."""
        played, self.played = self.played, self.played[-length:]
        message = "a play can go on for ever: a state comes back, and neither chance nor a limit ends it"
        hint = "count the transitions and end the game at some number, or use `history` and `repeats`"
        if not any(kind == "comes_back" for kind, _ in self.told):
            self.find("comes_back", False, self.interpreter.phase(state).span, message, hint)
        self.played = played

    def _draws(self, state: WorldState) -> bool:
        """Return whether chance draws something here; in an automatic phase it does not."""
        chance = self.interpreter.phase(state).chance
        return chance is not None and bool(chance.components)

    def _branching(self, phase: str, player: int | None) -> RunningStatistics:
        return self.report.branching.setdefault((phase, player), RunningStatistics())

    def _end(self, state: WorldState) -> None:
        """Take the end of a game into account."""
        utilities = self.interpreter.utilities(state)
        self.report.finished += 1
        self.report.lengths.add(len(self.played))
        total = sum(utilities)
        self.report.utility_sums.add(total)
        for player, utility in enumerate(utilities):
            self.report.utilities[player].add(utility)
            low, high = self.game.utility_bounds[player]
            if not (math.isfinite(utility) and low - 1e-9 <= utility <= high + 1e-9):
                name = self.game.players.members[player]
                message = f"the payoff of `{name}` is {utility:g}, outside its proven bounds, {low:g} to {high:g}"
                self.find("utility_bounds", True, self.game.payoff[player].span, message, "")
        if len(utilities) == 2 and self.report.is_symmetric is not False:
            self.report.is_symmetric = self._is_exchangeable(utilities)

    def _is_exchangeable(self, utilities: tuple[float, ...]) -> bool:
        """Return whether the play with exchanged actions of two players is legal and gives the exchanged utilities."""
        interpreter, state = self.interpreter, self.interpreter.initial()
        for phase, was_chosen in self.played:
            if state.phase != phase:
                return False
            chosen = was_chosen
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

    def find(
        self, kind: FindingKind, is_error: bool, span: Span, message: str, hint: str, *, show: bool = True
    ) -> None:
        """Record a finding, once for each kind and place; with the play so far, if it shows it."""
        if (kind, span) in self.told:
            return
        self.told.add((kind, span))
        texts = tuple(transition_text(self.layout, phase, chosen) for phase, chosen in self.played) if show else ()
        self.report.findings.append(Finding(kind, is_error, span, message, hint, texts))


def no_end(span: Span, limit: int) -> tuple[FindingKind, bool, Span, str, str]:
    """Return the finding that a game did not end: kind, whether it is an error, place, message and hint."""
    message = f"a game of random actions had not ended after {limit:,} transitions"
    return "no_end", True, span, message, "let the rules end every game, by a limit on its length for example"


def lived(game: typed.Game, chooser: Chooser, length: int, player: int) -> Lived:
    """Play a game and return how it went, and how one player lived it.

    Args:
        game: checked.
        chooser: how it goes on.
        length: transitions to make.
        player: whose life it is.
    """
    interpreter, layout = Interpreter(game), Layout(game)
    state = interpreter.initial()
    transitions: list[str] = []
    known: list[str] = []
    for _ in range(length):
        chosen = choose(interpreter, state, chooser)
        assert chosen is not None, "the game goes on"
        assert state.phase is not None
        transitions.append(transition_text(layout, state.phase, chosen))
        known += life_texts(interpreter, layout, state, chosen, player)
        state = interpreter.step(state, chosen)
        chooser.made()
    legal = () if state.phase is None else interpreter.legal(state, player)
    texts = tuple(action_text(layout, state.phase, action) for action in legal if state.phase is not None)
    return Lived(state, tuple(transitions), tuple(known), texts)


def choose(interpreter: Interpreter, state: WorldState, chooser: Chooser) -> JointAction | Outcome | None:
    """Return the actions or the outcome of the next transition; None: play stops here."""
    if interpreter.is_chance(state):
        return chooser.outcome(interpreter.phase(state).name, interpreter.chance_outcomes(state))
    joint: dict[int, Action] = {}
    for player in interpreter.actors(state):
        action = chooser.action(player, interpreter.legal(state, player))
        if action is None:
            return None
        joint[player] = action
    return joint
