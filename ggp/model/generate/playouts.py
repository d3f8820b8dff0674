"""`playout`: a uniformly random play to the end, with the state in names, choices drawn without listing them."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.language import typed
from ggp.model.generate import draws
from ggp.model.generate.builder import FAULT, Builder, Lines, MemoryNeed, Need, StateNeed, flat, parameter_names
from ggp.model.generate.choices import (
    Choice,
    acts,
    add_actors,
    can_act_twice,
    can_lack_actors,
    check_actors,
    choices_of,
    component_names,
)
from ggp.model.generate.conversion import converted_code
from ggp.model.generate.module import Module
from ggp.model.generate.operands import Code, Memory, Operand, literal, truth
from ggp.model.generate.picks import pick
from ggp.model.generate.transitions import (
    KindTests,
    kind_name,
    name_choices,
    name_draws,
    transfer,
    write_absence,
)
from ggp.model.generate.updates import Changes
from ggp.model.state_layout import type_words

LIMIT_REACHED = -1
FAULTED = -2
DEAD_END = -3


@dataclass
class PlayoutBuilder(Builder):
    """The playout function: what it needs of the state is loaded once, and stored nowhere."""

    def need(self, need: Need) -> Operand:
        """Return names or the function's own memory for a part of the state."""
        if isinstance(need, MemoryNeed) and need not in self.needs:
            names = parameter_names(need)
            assert isinstance(names, Memory)
            self.module.count_local_words(type_words(need.variable.type))
            self.needs[need] = Memory(names.pointer, "0")
        return super().need(need)


def write_playout(module: Module) -> None:
    """Write `playout`: the number of transitions, or why there is no end: -1 limit, -2 fault, -3 dead end."""
    b = PlayoutBuilder(module, "playout")
    game = module.game
    b.emit("phase = state[0]")
    b.emit("made = 0")
    with b.block(f"while phase != {len(game.phases)}:"):
        with b.block("if made >= limit:"):
            b.emit(f"return {LIMIT_REACHED}")
        b.emit("made += 1")
        for number, phase in enumerate(game.phases):
            with b.block(f"{'if' if number == 0 else 'elif'} phase == {number}:"):
                _write_phase(b, phase)
        with b.block("else:"):
            b.emit(f"return {FAULTED}")
    texts = [b.assign(converted_code(b, value, draws.WEIGHT).text, "value") for value in game.payoff]
    if FAULT in b.needs:
        with b.block("if fault[0] != 0:"):
            b.emit(f"return {FAULTED}")
    for player, text in enumerate(texts):
        b.emit(f"out[{player}] = {text}")
    b.emit("return made")
    b.lines[:0] = _loads(b)
    module.finish("playout", ["state: Words", "rng: Words", "out: Reals", "limit: int"], "int", b)


def _loads(b: PlayoutBuilder) -> Lines:
    lines: Lines = ["if state[1] != 0:", [f"return {FAULTED}"]]
    for need, operand in b.needs.items():
        if need == FAULT:
            lines += ["fault = local_words(2)", "fault[0] = 0", "fault[1] = 0"]
        elif isinstance(need, StateNeed):
            start = b.module.layout.offset[need.variable]
            lines += [f"{name} = state[{start + i}]" for i, name in enumerate(flat(operand))]
        elif isinstance(need, MemoryNeed):
            assert isinstance(operand, Memory)
            words = type_words(need.variable.type)
            start = b.module.layout.offset[need.variable]
            lines += [
                f"{operand.pointer} = local_words({words})",
                f"copy_words({operand.pointer}, 0, state, {start}, {words})",
            ]
    return lines


def _write_phase(b: PlayoutBuilder, phase: typed.Phase) -> None:
    faults_before = len(b.module.sites)
    if phase.chance is not None:
        if phase.chance.components:
            draws.draw_outcome(b, phase, f"return {FAULTED}")
        name_draws(b, phase)
        kind_tests: dict[str, Code] = {}
    else:
        kind_tests = _draw_choices(b, phase)
    Changes(b, phase, kind_tests, None).write()
    transfer(b, phase, lambda number: f"phase = {number}")
    if FAULT in b.needs and (faults_before != len(b.module.sites) or _mentions_fault(b.lines)):
        with b.block("if fault[0] != 0:"):
            b.emit(f"return {FAULTED}")


def _mentions_fault(lines: Lines) -> bool:
    return any(_mentions_fault(line) if isinstance(line, list) else "fault" in line for line in lines)


def _draw_choices(b: PlayoutBuilder, phase: typed.Phase) -> dict[str, Code]:
    """Write a random joint action into the names of the phase's choices; in order of choosers and players."""
    tests = KindTests()
    if can_lack_actors(phase) or can_act_twice(phase):
        b.emit("acting = 0")
        for choice in choices_of(b, phase):
            add_actors(b, choice)
        check_actors(b, phase)
        # at once: who meets a dead end after this must not hide it
        with b.block(f"if {b.fault}[0] != 0:"):
            b.emit(f"return {FAULTED}")
    for choice in choices_of(b, phase):
        if choice.chooser.actors is None:
            _pick_within(b, choice, None)
            tests.add(choice, None, truth(True))
            continue
        for player in range(len(b.module.game.players.members)):
            acting = acts(b, choice, str(player))
            if acting.constant == 1:
                _pick_within(b, choice, player)
            else:
                write_absence(b, choice, player)
                if acting.constant is None:
                    with b.block(f"if {acting.text}:"):
                        _pick_within(b, choice, player)
            tests.add(choice, player, acting)
    name_choices(b, phase)
    return tests.conditions


def _write_dead_end(b: PlayoutBuilder) -> None:
    """Write the return for where a player has no legal action: a fault before it may be why."""
    if FAULT in b.needs:
        with b.block(f"if {b.fault}[0] != 0:"):
            b.emit(f"return {FAULTED}")
    b.emit(f"return {DEAD_END}")


def _pick_within(b: PlayoutBuilder, choice: Choice, player: int | None) -> None:
    """Write one chooser's (or one player's) choice; in names, not under what is remembered of other players."""
    environment = dict(b.environment)
    binder = choice.chooser.binder
    if binder is not None and player is not None:
        b.environment[binder] = literal(player)
    names = component_names(choice, player)
    if any(len(of_kind) for of_kind in names) or len(names) > 1 or choice.chooser.kinds[0].where is not None:
        pick(b, choice, names, kind_name(choice, player), lambda: _write_dead_end(b))
    b.environment = environment
