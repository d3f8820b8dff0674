"""The entry points of a generated module: the functions of docs/architecture.md, "Native functions"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ggp.language import typed
from ggp.language.typed.types import RealType
from ggp.model.generate import choices, draws
from ggp.model.generate.builder import (
    FAULT,
    Builder,
    Lines,
    MemoryNeed,
    Need,
    StateNeed,
    flat,
    identifier,
    symbol_names,
)
from ggp.model.generate.conversion import converted_code
from ggp.model.generate.module import Module
from ggp.model.generate.observations import write_observation
from ggp.model.generate.operands import Code, Memory, Operand
from ggp.model.generate.playouts import write_playout
from ggp.model.generate.transitions import settle_choices, settle_draws, transfer
from ggp.model.generate.updates import Changes
from ggp.model.state_layout import Layout

REAL = RealType(float("-inf"), float("inf"))


@dataclass
class EntryBuilder(Builder):
    """A function that finds the state in a row of words."""

    state: str = "state"
    """The row that variables in memory are read from."""
    beginning: Lines = field(default_factory=list)
    """Lines before everything else."""

    def need(self, need: Need) -> Operand:
        """Return a variable in the state's row, or a name that `finish_entry` loads from there."""
        if isinstance(need, MemoryNeed):
            return Memory(self.state, str(self.module.layout.offset[need.variable]))
        return super().need(need)


def finish_entry(b: EntryBuilder, parameters: Sequence[str], result: str, source: str) -> None:
    """Put the loading of what the body needs before it, and add the function to the module."""
    lines: Lines = [*b.beginning]
    for need, operand in b.needs.items():
        if need == FAULT:
            lines += ["fault = local_words(2)", "fault[0] = 0", "fault[1] = 0"]
        elif isinstance(need, StateNeed):
            start = b.module.layout.offset[need.variable]
            lines += [f"{name} = {source}[{start + i}]" for i, name in enumerate(flat(operand))]
    b.lines[:0] = lines
    b.module.finish(b.name, parameters, result, b)


def dispatch(
    module: Module, name: str, parameters: Sequence[str], result: str, source: str, write: Callable[[typed.Phase], str],
    otherwise: str,
) -> None:  # fmt: skip
    """Write an entry point that calls a function of the state's phase; `write` writes it and returns its name."""
    b = Builder(module, name)
    arguments = ", ".join(parameter.split(":")[0] for parameter in parameters)
    call = {"None": "{}({})"}.get(result, "return {}({})")
    for number, phase in enumerate(module.game.phases):
        target = write(phase)
        if not target:
            continue
        with b.block(f"if {source}[0] == {number}:"):
            b.emit(call.format(target, arguments))
            if result == "None":
                b.emit("return")
    b.emit(otherwise)
    module.finish(name, parameters, result, b)


def generate(game: typed.Game, layout: Layout) -> Module:
    """Write the whole module of a game.

    Raises:
        LimitExceeded: the code or its memory would be too large.
    """
    module = Module(game, layout)
    write_init(module)
    failing = write_actors(module)
    write_legal(module)
    write_chance(module)
    write_sample_chance(module)
    write_step(module)
    write_observe(module)
    write_values(module, "utility", game.payoff, failing)
    if game.estimate is not None:
        write_values(module, "estimate", game.estimate, {})
    write_playout(module)
    return module


def write_init(module: Module) -> None:
    """Write `init`."""
    b = Builder(module, "init")
    words = module.layout.initial_words()
    table = module.numbers("INITIAL_STATE", words)
    b.emit(f"copy_words(state, 0, {table}, 0, {len(words)})")
    module.finish("init", ["state: Words"], "None", b)


def write_actors(module: Module) -> dict[int, str]:
    """Write `actors`: -1 terminal or fault, 0 chance, else a mask of players.

    Returns:
        For the number of each phase in which finding the players who act can be a fault the function that finds them;
        of a fault it returns minus its number.
    """
    failing: dict[int, str] = {}

    def write(phase: typed.Phase) -> str:
        b = EntryBuilder(module, module.unique(f"actors_{identifier(phase.name)}"))
        if phase.chance is not None:
            b.emit("return 0")
        else:
            b.emit("acting = 0")
            for choice in choices.choices_of(b, phase):
                choices.add_actors(b, choice)
            choices.check_actors(b, phase)
            end_with_count(b, "acting")
            if FAULT in b.needs:
                failing[module.layout.phase_index[phase.name]] = b.name
        finish_entry(b, ["state: Words"], "int", "state")
        return b.name

    b = Builder(module, "actors")
    names = [write(phase) for phase in module.game.phases]
    with b.block("if state[1] != 0:"):
        b.emit("return -1")
    for number, name in enumerate(names):
        with b.block(f"if state[0] == {number}:"):
            b.emit(f"return larger({name}(state), -1)" if number in failing else f"return {name}(state)")
    b.emit("return -1")
    module.finish("actors", ["state: Words"], "int", b)
    return failing


def end_with_count(b: Builder, count: str) -> None:
    """Write the return of a count, or of minus the fault where there was one."""
    if FAULT in b.needs:
        with b.block("if fault[0] != 0:"):
            b.emit("return -fault[0]")
    b.emit(f"return {count}")


def write_legal(module: Module) -> None:
    """Write `legal`; minus the number of the fault site where listing meets one."""
    parameters = ["state: Words", "player: int", "out: Words"]

    def write(phase: typed.Phase) -> str:
        if phase.chance is not None:
            return ""
        b = EntryBuilder(module, module.unique(f"legal_{identifier(phase.name)}"))
        b.emit("n = 0")
        for choice in choices.choices_of(b, phase):
            with b.block(f"if {choices.acts(b, choice, 'player').text}:"):
                if choice.chooser.binder is not None:
                    b.environment[choice.chooser.binder] = Code("player")
                choices.list_actions(b, choice)
        end_with_count(b, "n")
        finish_entry(b, parameters, "int", "state")
        return b.name

    dispatch(module, "legal", parameters, "int", "state", write, "return 0")


def write_chance(module: Module) -> None:
    """Write `chance`; minus the number of the fault site where listing meets one."""
    parameters = ["state: Words", "out: Words", "probability: Reals"]

    def write(phase: typed.Phase) -> str:
        if phase.chance is None:
            return ""
        b = EntryBuilder(module, module.unique(f"chance_{identifier(phase.name)}"))
        b.emit("n = 0")
        draws.list_outcomes(b, phase)
        end_with_count(b, "n")
        finish_entry(b, parameters, "int", "state")
        return b.name

    dispatch(module, "chance", parameters, "int", "state", write, "return 0")


def write_sample_chance(module: Module) -> None:
    """Write `sample_chance`; minus the number of the fault site where drawing meets one."""
    parameters = ["state: Words", "rng: Words"]

    def write(phase: typed.Phase) -> str:
        if phase.chance is None:
            return ""
        b = EntryBuilder(module, module.unique(f"sample_chance_{identifier(phase.name)}"))
        draws.draw_outcome(b, phase, "return -fault[0]")
        for component in phase.chance.components:
            b.environment[component.local] = Code(flat(symbol_names(component.symbol))[0])
        end_with_count(b, choices.number_of(b, draws.chance_block(b, phase)))
        finish_entry(b, parameters, "int", "state")
        return b.name

    dispatch(module, "sample_chance", parameters, "int", "state", write, "return 0")


def write_step(module: Module) -> None:
    """Write `step`, phase by phase: computed from the old row, written to the new one."""
    parameters = ["old: Words", "new: Words", "joint: Words"]
    layout = module.layout

    def write(phase: typed.Phase) -> str:
        b = EntryBuilder(module, module.unique(f"step_{identifier(phase.name)}"), state="old")
        b.emit(f"copy_words(new, 0, old, 0, {layout.state_words})")
        if phase.chance is not None:
            settle_draws(b, phase, f"joint[{len(module.game.players.members)}]")
            kind_tests: dict[str, Code] = {}
        else:
            kind_tests = settle_choices(b, phase, "joint")
        changes = Changes(b, phase, kind_tests, "new")
        changes.write()
        for target, names in changes.new_names.items():
            for i, name in enumerate(flat(names)):
                b.emit(f"new[{layout.offset[target] + i}] = {name}")
        b.state = "new"
        transfer(b, phase, lambda number: f"new[0] = {number}")
        if FAULT in b.needs:
            b.emit("new[1] = fault[0]")
        finish_entry(b, parameters, "None", "old")
        return b.name

    dispatch(module, "step", parameters, "None", "old", write, f"copy_words(new, 0, old, 0, {layout.state_words})")


def write_observe(module: Module) -> None:
    """Write `observe`; minus the number of the fault site where looking meets one."""
    parameters = ["old: Words", "new: Words", "joint: Words", "player: int", "out: Words"]

    def write(phase: typed.Phase) -> str:
        if not phase.sees:
            return ""
        b = EntryBuilder(module, module.unique(f"observe_{identifier(phase.name)}"), state="old")
        if phase.chance is not None:
            settle_draws(b, phase, f"joint[{len(module.game.players.members)}]")
            kind_tests: dict[str, Code] = {}
        else:
            kind_tests = settle_choices(b, phase, "joint", moves=True)
        b.emit("n = 0")
        write_observation(b, phase, kind_tests)
        end_with_count(b, "n")
        finish_entry(b, parameters, "int", "old")
        return b.name

    dispatch(module, "observe", parameters, "int", "old", write, "return 0")


def write_values(module: Module, name: str, values: Sequence[typed.Expression], failing: Mapping[int, str]) -> None:
    """Write `utility` or `estimate`: one real a player; minus a fault, and all 0, where there is one.

    Args:
        module: the module.
        name: the function's name.
        values: the expressions, one a player.
        failing: as `write_actors` returns it: a state in which nobody acts because of a fault has that fault.
    """
    b = EntryBuilder(module, name)
    texts = [b.assign(converted_code(b, value, REAL).text, "value") for value in values]
    zeros = [f"out[{player}] = 0.0" for player in range(len(values))]
    for player, text in enumerate(texts):
        b.emit(f"out[{player}] = {text}")
    if FAULT in b.needs:
        with b.block("if fault[0] != 0:"):
            b.lines.extend(zeros)
            b.emit("return -fault[0]")
    b.emit("return 0")
    before: Lines = ["if state[1] != 0:", [*zeros, "return -state[1]"]]
    for number, target in failing.items():
        before += [f"if state[0] == {number}:", [*zeros, f"return {target}(state)"]]
    b.beginning = before
    finish_entry(b, ["state: Words", "out: Reals"], "int", "state")
