"""`playout`: a uniformly random play to the end, with the state in names, choices drawn without listing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Allocate, Block, Expression, Group, If, Kind, Name, Return
from ggp.encoding.state_layout import type_words
from ggp.language import typed
from ggp.rules_compiler.emit import draws
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import (
    ACTING,
    Choice,
    acts,
    add_actors,
    can_act_twice,
    can_lack_actors,
    check_actors,
    choices_of,
    component_names,
    kind_name,
)
from ggp.rules_compiler.emit.conversion import converted_code
from ggp.rules_compiler.emit.module import FAULT, GameModule, MemoryNeed, Need, RowNeed, StateNeed
from ggp.rules_compiler.emit.operands import Memory, Operand
from ggp.rules_compiler.emit.picks import Targets, pick
from ggp.rules_compiler.emit.random_values import RNG
from ggp.rules_compiler.emit.transitions import KindTests, name_choices, name_draws, transfer, write_absence
from ggp.rules_compiler.emit.updates import Changes
from ggp.rules_compiler.emit.value_names import names_in, parameter_names

LIMIT_REACHED = -1
FAULTED = -2
DEAD_END = -3

STATE, REALS_OUT = Name("state", Kind.WORDS), Name("out", Kind.REALS)
PHASE, MADE, LIMIT = Name("phase", Kind.INT), Name("made", Kind.INT), Name("limit", Kind.INT)


@dataclass
class PlayoutBuilder(Builder):
    """The playout function: it loads what it needs of the state once, and never stores it."""

    faults_named: int = 0
    """The number of uses of the fault words: a phase that does not use them cannot fail."""

    def end(self, why: int) -> None:
        """Write the end of a play that reaches no terminal state."""
        self.leave(why)

    def need(self, need: Need) -> Operand:
        """Return names or the function's own memory for a part of the state."""
        self.faults_named += need == FAULT
        if isinstance(need, MemoryNeed) and need not in self.needs:
            names = parameter_names(need)
            assert isinstance(names, Memory)
            self.needs[need] = Memory(names.row, ir.ZERO)
        return super().need(need)


def write_playout(module: GameModule) -> None:
    """Write `playout`: the number of transitions, or why there is no end: -1 limit, -2 fault, -3 dead end."""
    b = PlayoutBuilder(module, "playout")
    game = module.game
    b.set(PHASE, ir.entry(STATE, 0))
    b.set(MADE, 0)
    with b.repeat_while(ir.compare("unequal", PHASE, len(game.phases))):
        with b.when(ir.compare("greater_equal", MADE, LIMIT)):
            b.leave(LIMIT_REACHED)
        b.increase(MADE, 1)
        for number, phase in enumerate(game.phases):
            with (b.or_when if number else b.when)(ir.equal(PHASE, number)):
                write_transition(b, phase)
        with b.otherwise():
            b.end(FAULTED)
    write_payoff(b)
    b.clear_caches()
    b.body[:0] = _loads(b)
    module.finish("playout", [STATE, ir.words("rng"), REALS_OUT, LIMIT], [Kind.INT], b.body)


def write_payoff(b: PlayoutBuilder) -> None:
    """Write the utilities, and the return of the number of transitions."""
    values = [b.assign(converted_code(b, value, draws.WEIGHT), "value") for value in b.module.game.payoff]
    if FAULT in b.needs:
        with b.when(b.has_failed):
            b.end(FAULTED)
    for player, value in enumerate(values):
        b.store(REALS_OUT, player, value)
    b.leave(MADE)


def _loads(b: PlayoutBuilder) -> Block:
    """Return the statements that load what a playout needs."""
    with b.capture() as loads:
        b.add(If([(ir.compare("unequal", ir.entry(STATE, 1), 0), [Return((ir.integer(FAULTED),))])]))
        for need, operand in list(b.needs.items()):
            if need != RNG:
                load(b, need, names_in(operand), STATE)
    return loads


def load(b: Builder, need: Need, names: Sequence[Name], source: Name) -> None:
    """Write how an entry point gets what it needs by name: words of a state, or rows of its own."""
    match need:
        case RowNeed(length=length, cleared=cleared):
            b.add(Allocate(names[0], length))
            for at in range(cleared):
                b.store(names[0], at, 0)
        case StateNeed(variable):
            place = Memory(source, ir.integer(b.module.layout.offset[variable]))
            b.set_all(names, [place.entry(word) for word in range(len(names))])
        case MemoryNeed(variable):
            words = type_words(variable.type)
            b.module.count_local_words(words)
            b.add(Allocate(names[0], words))
            b.effect("copy_words", names[0], 0, source, b.module.layout.offset[variable], words)


def write_transition(b: PlayoutBuilder, phase: typed.Phase) -> None:
    """Write the random transition from a phase."""
    before = b.faults_named
    if phase.chance is not None:
        if phase.chance.components:
            draws.draw_outcome(b, phase, lambda: b.end(FAULTED))
        name_draws(b, phase)
        kind_tests: dict[str, Expression] = {}
    else:
        kind_tests = _draw_choices(b, phase)
    b.settled.append((phase.name, Group()))
    b.body.append(b.settled[-1][1])
    Changes(b, phase, kind_tests, None).write()
    transfer(b, phase, kind_tests, lambda number: b.set(PHASE, number))
    if b.faults_named != before:
        with b.when(b.has_failed):
            b.end(FAULTED)


def _draw_choices(b: PlayoutBuilder, phase: typed.Phase) -> dict[str, Expression]:
    """Write a random joint action into the names of the phase's choices; in order of choosers and players."""
    tests = KindTests()
    if can_lack_actors(phase) or can_act_twice(phase):
        b.set(ACTING, 0)
        for choice in choices_of(b, phase):
            add_actors(b, choice)
        check_actors(b, phase)
        # at once: a dead end of a later player must not hide it
        with b.when(b.has_failed):
            b.end(FAULTED)
    for choice in choices_of(b, phase):
        if choice.chooser.actors is None:
            _pick_within(b, choice, None)
            tests.add(choice, None, ir.TRUE)
            continue
        for player in range(len(b.module.game.players.members)):
            acting = acts(b, choice, player)
            if acting.constant != 1:
                write_absence(b, choice, player)
            if acting.constant != 0:
                with b.when(acting):
                    _pick_within(b, choice, player)
            tests.add(choice, player, acting)
    name_choices(b, phase)
    return tests.conditions


def _write_dead_end(b: PlayoutBuilder) -> None:
    """Write the return for a player without a legal action, which may be due to an earlier fault."""
    if FAULT in b.needs:
        with b.when(b.has_failed):
            b.end(FAULTED)
    b.end(DEAD_END)


def _pick_within(b: PlayoutBuilder, choice: Choice, player: int | None) -> None:
    """Write one chooser's (or one player's) choice, without values remembered for other players."""
    environment = dict(b.environment)
    binder = choice.chooser.binder
    if binder is not None and player is not None:
        b.environment[binder] = ir.integer(player)
    names = component_names(choice, player)
    if any(len(of_kind) for of_kind in names) or len(names) > 1 or choice.chooser.kinds[0].where is not None:
        pick(b, choice, Targets(names, kind_name(choice, player), lambda: _write_dead_end(b)))
    b.environment = environment
