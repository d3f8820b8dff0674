"""What is compared of one rules file, by name."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from llvmlite import binding

from ggp.arithmetic.rng import below, seed_word
from ggp.check_play.examination import NATIVE_ALONE, examine
from ggp.codegen.llvm import compilation
from ggp.codegen.machine_code import target_machine
from ggp.drawing import draw
from ggp.encoding import arrays_as_sets as value_sets
from ggp.encoding import state_layout
from ggp.faults import LimitExceeded, RulesFault
from ggp.game.batch import ENDED, FAULTED, GOES_ON, Batch
from ggp.game.game import Game
from ggp.game.state import State
from ggp.interpreter.random_play import action_number, drawn_outcome
from ggp.language import SourceFile, check, typed
from ggp.rules_compiler.emit import dispatch
from ggp.rules_compiler.rules_backend import game_of_rules, rules_of
from ggp.rules_compiler.rules_codec import possible_actions
from tests.support.checked_batches import compare_checks
from tests.support.comparison import compare_playouts, compare_plays
from tests.support.formatting import assert_only_blanks_differ, mangled
from tests.support.implementations import WORK_LIMIT, Implementation, Native, Plain, Remembered, native_of
from tests.support.information_states import compare_information_states
from tests.support.random_rules import file_text
from tests.support.recorded_playouts import compare_recorded_playouts
from tests.support.scattered_states import scattered_state

LIMIT = 40
"""Transitions of a play."""


class Effort(NamedTuple):
    """How much is compared of one text: most finds need little, and many texts find more than long plays."""

    plays: int
    scattered: int
    """Plays that begin anywhere: they run code that plays from the initial state seldom reach."""
    known_plays: int
    examined_games: int
    limit: int
    work: int
    """Of one answer of the interpreter."""
    optimised: bool
    """Whether LLVM optimises, which takes longer than all else."""
    tabulated: bool
    """Whether formulas of small values become tables, which hide their code, and take long to make."""
    cpu_s: float
    """Processor time after which no more is compared: one text in fifty takes as long as all others together."""


THOROUGH = Effort(
    4, 12, 12, examined_games=60, limit=LIMIT, work=WORK_LIMIT, optimised=True, tabulated=True, cpu_s=60.0
)
QUICK = Effort(2, 8, 5, examined_games=8, limit=16, work=40_000, optimised=False, tabulated=False, cpu_s=1.0)


class TimeOver(BaseException):
    """The processor time for a text is over: no `Exception`, which somebody may expect."""


@dataclass
class Subject:
    """A rules file under comparison, with what is made of it when it is first needed."""

    text: str
    seed: int = 1
    effort: Effort = THOROUGH
    source: SourceFile = field(init=False)

    def __post_init__(self) -> None:
        self.source = SourceFile("random.rules", self.text)

    @cached_property
    def typed(self) -> typed.Game | None:
        """The checked game; None where the checker refuses the file."""
        return check(self.source, {}, file_text).game

    @property
    def rules(self) -> typed.Game:
        assert self.typed is not None
        return self.typed

    @cached_property
    def interpreted(self) -> Remembered:
        return Remembered(self.rules, self.effort.work)

    @cached_property
    def plain(self) -> Plain:
        return Plain(self.rules)

    @cached_property
    def native(self) -> Native:
        return native_of(self.game, self.plain)

    def starts(self) -> list[list[int]]:
        """Return the words of states of all sorts."""
        initial, rng = self.interpreted.interpreter.initial(), [seed_word(self.seed, 0)]
        states = (scattered_state(self.rules, initial, rng) for _ in range(self.effort.scattered))
        return [self.interpreted.words(state) for state in states]

    @cached_property
    def game(self) -> Game:
        game = game_of_rules(self.rules)
        rules_of(game).plain = self.plain  # not generated twice
        return game


def compare_format(subject: Subject) -> None:
    """Format the file with mangled blanks: it says the same, and the checker finds as little in it."""
    formatted = assert_only_blanks_differ(mangled(subject.text, Random(subject.seed)))
    assert check(SourceFile("random.rules", formatted), {}, file_text).game is not None, "the formatted file is refused"


def compare_with(subject: Subject, other: Implementation) -> None:
    effort = subject.effort
    compare_plays(subject.interpreted, [other], subject.seed, effort.plays, effort.limit, effort.scattered)


def compare_recorded(subject: Subject) -> None:
    effort = subject.effort
    compare_recorded_playouts(
        subject.interpreted, subject.plain, subject.seed, effort.plays, effort.limit, effort.scattered
    )


def compare_sets(subject: Subject) -> None:
    """Compare the generated source with every array that can be kept as sets kept so, whether that pays or not."""
    as_usual = subject.interpreted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_sets, "MIN_PLACES", 2)
        patch.setattr(value_sets, "pays", lambda reads, tests: True)
        anew = replace(subject)
        anew.typed = copy(subject.rules)  # how its arrays are kept is remembered for each game
        anew.interpreted.remember(as_usual)
        compare_with(anew, anew.plain)
        compare_recorded(anew)
        compare_encodings(anew)


def compare_encodings(subject: Subject) -> None:
    """Read back the words of all states met, and the texts of actions that are legal there, which are possible ones."""
    layout, known = subject.interpreted.layout, subject.interpreted.interpreter.known
    possible = possible_actions(subject.rules, layout)
    possible = possible if isinstance(possible, range) else frozenset(possible)
    for (method, state, *_), answer in known.items():
        words = subject.interpreted.words(state)
        assert tuple(layout.variable_value(words, variable) for variable in subject.rules.variables) == state.values
        if method == "legal" and isinstance(answer, list):
            numbers = [action_number(layout, state.phase, action) for action in answer[:16]]
            assert all(number in possible for number in numbers), numbers
            texts = [layout.action_text(number) for number in numbers]
            phase = layout.phase_index[state.phase]
            assert [layout.parse_action(text, phase) for text in texts] == [(number,) for number in numbers], texts


MAX_MARKED = 1 << 16
"""Masks over more numbers are not compared: a list of a million actions in every state takes minutes."""


def compare_batch(subject: Subject) -> None:
    """Compare a batch of games, transition by transition, with states."""
    game, n = subject.game, 3
    if game.num_actions > MAX_MARKED:
        return
    batch = game.batch(n, seed=subject.seed, threads=1)
    compare_batch_from(subject, batch, [game.initial()] * n)
    starts = [state for state in map(game.state, subject.starts()) if not _fails(state) and not state.is_terminal()]
    for first in range(0, len(starts) - n + 1, n):
        states = starts[first : first + n]
        batch.set_states(np.array([state.words for state in states], np.int64))
        compare_batch_from(subject, batch, states)


def compare_lengths(subject: Subject) -> None:
    """Compare random plays with the transitions that no play exceeds, by the rules alone."""
    bound = subject.game.backend.length_bound
    if bound is None or subject.game.num_actions > MAX_MARKED:
        return
    batch = subject.game.batch(8, seed=subject.seed, threads=1)
    for _ in range(subject.effort.limit):
        lengths = batch.lengths + 1
        try:
            batch.step(batch.random_actions())
        except RulesFault:  # of what is legal: one that was drawn need not be looked for among all
            return
        assert lengths[batch.status != FAULTED].max(initial=0) <= bound


def _fails(state: State) -> bool:
    """Return whether finding who acts is a fault."""
    try:
        state.actors()
    except RulesFault:
        return True
    return False


def compare_batch_from(subject: Subject, batch: Batch, states: list[State]) -> None:
    """Compare a batch with states, which it has, until a fault."""
    game = subject.game
    for _ in range(subject.effort.limit):
        assert [tuple(row) for row in batch.states.tolist()] == [state.words for state in states]
        try:
            masks = [sum(1 << player for player in state.actors()) for state in states]
            legal = [
                [state.legal(player) if player in state.actors() else () for state in states]
                for player in range(len(game.players))
            ]
        except RulesFault:
            return
        assert batch.acting.tolist() == masks
        for player, expected in enumerate(legal):
            counts, actions = batch.legal(player)
            assert [tuple(row[:count]) for row, count in zip(actions.tolist(), counts, strict=True)] == expected
            marked = [tuple(np.flatnonzero(row).tolist()) for row in batch.legal_mask(player)]
            assert marked == expected
        for player in (None, len(game.players) - 1):
            assert np.array_equal(batch.state_tensor(player=player), [state.tensor(player) for state in states])
        compare_checks(batch, Random(subject.seed), 4)
        batch.step(batch.random_actions())
        if FAULTED in batch.status.tolist():
            with_fault = [place for place, status in enumerate(batch.status.tolist()) if status == FAULTED]
            for place in with_fault:
                _expect_fault(states[place], batch.joint[place].tolist())
            return
        reached = [state.successor(joint) for state, joint in zip(states, batch.joint.tolist(), strict=True)]
        assert [tuple(row) for row in batch.reached.tolist()] == [state.words for state in reached]
        for player in range(len(game.players)):
            counts, words = batch.observations(player)
            seen = [tuple(row[:count]) for row, count in zip(words.tolist(), counts, strict=True)]
            assert seen == [_observation(state, player) for state in reached]
        assert batch.status.tolist() == [ENDED if state.is_terminal() else GOES_ON for state in reached]
        for place, state in enumerate(reached):
            if state.is_terminal():
                assert np.allclose(batch.utilities[place], state.utilities(), rtol=1e-9, atol=1e-9)
        states = [game.initial() if state.is_terminal() else state for state in reached]


def _observation(state: State, player: int) -> tuple[int, ...]:
    """Return what a batch says that a player was told: nothing where that is a fault."""
    try:
        return tuple(state.observation(player))
    except RulesFault:
        return ()


def _expect_fault(state: State, joint: list[int]) -> None:
    """Meet the fault, or the dead end, that a batch has met."""
    try:
        if not state.actors():
            state.chance_outcomes()
        if not all(state.legal(player) for player in state.actors()):
            return
        reached = state.successor(joint)
        reached.actors()
        if reached.is_terminal():
            reached.utilities()
    except RulesFault:
        return
    raise AssertionError("a batch met a fault, and a state does not")


def compare_check(subject: Subject) -> None:
    """Examine the game as `ggp check` does: what fails in random games is an error, and fails in checked mode, too."""

    games = subject.effort.examined_games
    views, replays = iter(range(5 * games)), iter(range(40 * games))
    made = examine(
        subject.rules,
        subject.game.native(),
        subject.seed,
        games,
        LIMIT,
        sample_on=lambda: True,
        view_on=lambda: next(views, None) is not None,
        check_on=lambda: next(replays, None) is not None,
    )
    errors = [one for one in made.findings if one.is_error]
    assert made.finished + made.faulted + made.cut == made.games
    assert errors or made.finished == made.games, "games fail without an error"
    assert not any(one.hint.endswith(NATIVE_ALONE) for one in errors), errors
    assert not any(one.kind == "utility_bounds" for one in errors), errors


def compare_drawings(subject: Subject) -> None:
    """Draw the states of a play, for everybody and for each player: nothing but a fault of the rules may end it."""
    interpreter, rng = subject.interpreted.interpreter, [seed_word(subject.seed, 0)]
    state = interpreter.initial()
    try:
        for _ in range(subject.effort.limit):
            for player in (None, *range(len(subject.rules.players.members))):
                str(draw(interpreter, state, player))
            if interpreter.is_terminal(state):
                return
            if interpreter.is_chance(state):
                state = interpreter.step(state, drawn_outcome(interpreter.chance_outcomes(state), rng))
                continue
            legal = {player: interpreter.legal(state, player) for player in interpreter.actors(state)}
            state = interpreter.step(state, {player: some[below(rng, len(some))] for player, some in legal.items()})
    except (RulesFault, LimitExceeded):
        return


COMPARISONS: Mapping[str, Callable[[Subject], None]] = {
    "formatter": compare_format,
    "generated source": lambda subject: compare_with(subject, subject.plain),
    "recorded playouts": compare_recorded,
    "arrays as sets": compare_sets,
    "encodings": compare_encodings,
    "machine code": lambda subject: compare_with(subject, subject.native),
    "playouts": lambda subject: compare_playouts(
        subject.plain, subject.native, subject.seed, 4, LIMIT, subject.starts()
    ),
    "drawings": compare_drawings,
    "batch": compare_batch,
    "lengths": compare_lengths,
    "information states": lambda subject: compare_information_states(
        subject.interpreted, subject.game, subject.seed, subject.effort.known_plays, subject.effort.limit
    ),
    "check": compare_check,
}

CHECKER = "checker"
"""The name of what comes before all comparisons: whatever the text, the checker raises nothing."""


@dataclass(frozen=True)
class Failure:
    """What failed: the comparison's name, the sort of error and the function that raised it, and all of its text."""

    comparison: str
    error: str
    place: str
    text: str

    @property
    def sort(self) -> tuple[str, str, str]:
        """What is equal for failures that probably have one cause."""
        return self.comparison, self.error, self.place


AGREED, REFUSED, TOO_LARGE = "agreed", "refused", "too large"


def compared(
    text: str,
    names: Iterable[str] = COMPARISONS,
    seed: int = 1,
    begin: Callable[[str], None] = lambda _: None,
    effort: Effort = THOROUGH,
) -> Failure | str:
    """Return the first comparison that fails on a rules file, or AGREED, REFUSED by the checker, TOO_LARGE.

    Args:
        text: of the rules.
        names: of the comparisons to make; the checker comes first in any case.
        seed: of what is random in them.
        begin: called with the name of each.
        effort: how much of it.
    """
    subject, name = Subject(text, seed, effort), CHECKER
    try:
        begin(name)
        if subject.typed is None:
            return REFUSED
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(state_layout, "MANY_OUTCOMES", 1)
            if not effort.optimised:
                patch.setattr(compilation, "object_code", unoptimised_object)
            if not effort.tabulated:
                patch.setattr(dispatch, "tabulated", lambda b, node: None)
            for name in names:
                if name != CHECKER:
                    begin(name)
                    COMPARISONS[name](subject)
    except (LimitExceeded, TimeOver):
        return TOO_LARGE
    except (Exception, pytest.fail.Exception) as error:
        return Failure(name, type(error).__name__, _place(error), "".join(traceback.format_exception(error)))
    return AGREED


def unoptimised_object(text: str) -> bytes:
    """Return the object code of a module in LLVM's language as it is written there."""
    module = binding.parse_assembly(text)
    module.verify()
    code: bytes = target_machine(opt=0).emit_object(module)
    return code


def _place(error: BaseException) -> str:
    """Return the innermost function of ours in which an error was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    return f"{Path(frames[-1].filename).name}:{frames[-1].name}"
