"""The entry points of a generated module: the functions of docs/architecture.md, "Native functions"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Block, Call, Effect, Expression, Kind, Name, Return
from ggp.encoding.state_layout import Layout
from ggp.language import typed
from ggp.language.typed.types import RealType
from ggp.native.interface import SAME_FOR_ALL
from ggp.rules_compiler.emit import choices, draws
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import ACTING, COUNT, OUT, PLAYER
from ggp.rules_compiler.emit.conversion import converted_code
from ggp.rules_compiler.emit.expressions import COMPILERS
from ggp.rules_compiler.emit.module import FAULT, GameModule, MemoryNeed, Need, identifier
from ggp.rules_compiler.emit.observations import is_same_for_all, list_value, write_observation
from ggp.rules_compiler.emit.operands import Memory, Operand
from ggp.rules_compiler.emit.random_values import RNG
from ggp.rules_compiler.emit.transitions import settle_choices, settle_draws, transfer
from ggp.rules_compiler.emit.updates import Changes
from ggp.rules_compiler.emit.value_names import names_in, symbol_name
from ggp.rules_compiler.entry_points.playouts import REALS_OUT, STATE, load, write_playout
from ggp.rules_compiler.rewrite.lowering import lowered

REAL = RealType(float("-inf"), float("inf"))
OLD, NEW, JOINT = ir.words("old"), ir.words("new"), ir.words("joint")
OBSERVE_PARAMETERS = (OLD, NEW, JOINT, PLAYER, OUT)
RNG_ROW = ir.words("rng")
FAULT_OF_STATE = ir.entry(STATE, 1)


@dataclass
class EntryBuilder(Builder):
    """A function that finds the state in a row of words."""

    state: Name = STATE
    """The row that variables in memory are read from."""
    beginning: Block = field(default_factory=list)
    """Statements before everything else."""

    def need(self, need: Need) -> Operand:
        """Return a variable in the state's row, or a name that `finish_entry` loads from there."""
        if isinstance(need, MemoryNeed):
            return Memory(self.state, ir.integer(self.module.layout.offset[need.variable]))
        return RNG_ROW if need == RNG else super().need(need)


def finish_entry(b: EntryBuilder, parameters: Sequence[Name], results: Sequence[Kind], source: Name) -> None:
    """Put the loading of what the body needs before it, and add the function to the module."""
    b.clear_caches()
    with b.capture() as loads:
        b.body.extend(b.beginning)
        for need, operand in b.needs.items():
            load(b, need, names_in(operand), source)
    b.module.finish(b.name, parameters, results, [*loads, *b.body])


def dispatch(
    module: GameModule, name: str, parameters: Sequence[Name], source: Name,
    write: Callable[[typed.Phase], str], otherwise: Callable[[Builder], None], result: Kind | None = Kind.INT,
) -> None:  # fmt: skip
    """Write an entry point that calls a function of the state's phase; `write` writes it and returns its name."""
    b = Builder(module, name)
    for number, phase in enumerate(module.game.phases):
        target = write(phase)
        if not target:
            continue
        with b.when(ir.equal(ir.entry(source, 0), number)):
            called = Call(target, tuple(parameters), result)
            b.add(Effect(called) if result is None else Return((called,)))
            if result is None:
                b.leave()
    otherwise(b)
    module.finish(name, parameters, [] if result is None else [result], b.body)


def generate(game: typed.Game, layout: Layout) -> GameModule:
    """Write the whole module of a game.

    Raises:
        LimitExceeded: the code or its memory would be too large.
    """
    game = lowered(game)
    module = GameModule(game, layout, COMPILERS)
    parameters = ", ".join(f"{parameter.name}={parameter.value}" for parameter in game.parameters)
    module.code.comment = f"Generated from {game.source_name}: {game.name}({parameters}).\n\n{NAMES}"
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
    if any(map(layout.has_many_outcomes, game.phases)):
        write_outcome_probability(module)
    write_playout(module)
    return module


NAMES = """Names: s_ words of the old state, n_ of the new one, m_ variables in memory with m_..._at their position,
c_ what was chosen or drawn, a_ arguments, b_ bound by a loop, f_ definitions of the rules. What Python lacks:
ggp.codegen.python.runtime.
"""


def write_init(module: GameModule) -> None:
    """Write `init`."""
    b = Builder(module, "init")
    words = module.layout.initial_words()
    b.effect("copy_words", STATE, 0, module.numbers("INITIAL_STATE", words), 0, len(words))
    module.finish("init", [STATE], [], b.body)


def write_actors(module: GameModule) -> dict[int, str]:
    """Write `actors`: -1 terminal or fault, 0 chance, else a mask of players.

    Returns:
        For the number of each phase in which finding the players who act can be a fault, the function that finds them;
        after a fault it returns minus the fault's number.
    """
    names = [write_actors_in(module, phase) for phase in module.game.phases]
    b = Builder(module, "actors")
    with b.when(ir.compare("unequal", FAULT_OF_STATE, 0)):
        b.leave(-1)
    for number, (name, can_fail) in enumerate(names):
        with b.when(ir.equal(ir.entry(STATE, 0), number)):
            found = Call(name, (STATE,), Kind.INT)
            b.leave(ir.operation("larger", found, -1) if can_fail else found)
    b.leave(-1)
    module.finish("actors", [STATE], [Kind.INT], b.body)
    return {number: name for number, (name, can_fail) in enumerate(names) if can_fail}


def write_actors_in(module: GameModule, phase: typed.Phase) -> tuple[str, bool]:
    """Write the function that finds who acts in a phase; return its name, and whether it can fail."""
    b = EntryBuilder(module, module.unique(f"actors_{identifier(phase.name)}"))
    if phase.chance is not None:
        b.leave(0)
    else:
        b.set(ACTING, 0)
        for choice in choices.choices_of(b, phase):
            choices.add_actors(b, choice)
        choices.check_actors(b, phase)
        end_with_count(b, ACTING)
    can_fail = FAULT in b.needs
    finish_entry(b, [STATE], [Kind.INT], STATE)
    return b.name, can_fail


def end_with_count(b: Builder, count: Expression) -> None:
    """Write the return of a count, or of minus the fault if there was one."""
    if FAULT in b.needs:
        with b.when(b.has_failed):
            leave_with_fault(b)
    b.leave(count)


def leave_with_fault(b: Builder) -> None:
    """Write the return of minus the fault."""
    b.leave(ir.operation("negate", ir.entry(b.fault, 0)))


def write_legal(module: GameModule) -> None:
    """Write `legal`; it returns minus the number of the fault site if listing fails."""
    parameters = [STATE, PLAYER, OUT]

    def write(phase: typed.Phase) -> str:
        if phase.chance is not None:
            return ""
        b = EntryBuilder(module, module.unique(f"legal_{identifier(phase.name)}"))
        b.set(COUNT, 0)
        for choice in choices.each_acting(b, phase):
            choices.list_actions(b, choice)
        end_with_count(b, COUNT)
        finish_entry(b, parameters, [Kind.INT], STATE)
        return b.name

    dispatch(module, "legal", parameters, STATE, write, lambda b: b.leave(0))


def write_chance(module: GameModule) -> None:
    """Write `chance`; it returns minus the number of the fault site if listing fails."""
    parameters = [STATE, OUT, draws.PROBABILITY]

    def write(phase: typed.Phase) -> str:
        if phase.chance is None:
            return ""
        b = EntryBuilder(module, module.unique(f"chance_{identifier(phase.name)}"))
        b.set(COUNT, 0)
        draws.list_outcomes(b, phase)
        end_with_count(b, COUNT)
        finish_entry(b, parameters, [Kind.INT], STATE)
        return b.name

    dispatch(module, "chance", parameters, STATE, write, lambda b: b.leave(0))


def write_sample_chance(module: GameModule) -> None:
    """Write `sample_chance`; it returns minus the number of the fault site if drawing fails."""
    write = lambda phase: "" if phase.chance is None else write_sample_chance_in(module, phase)  # noqa: E731
    dispatch(module, "sample_chance", [STATE, RNG_ROW], STATE, write, lambda b: b.leave(0))


def write_sample_chance_in(module: GameModule, phase: typed.Phase) -> str:
    """Write the function that draws an outcome in a phase; return its name."""
    assert phase.chance is not None
    b = EntryBuilder(module, module.unique(f"sample_chance_{identifier(phase.name)}"))
    draws.draw_outcome(b, phase, lambda: leave_with_fault(b))
    for component in phase.chance.components:
        b.environment[component.local] = symbol_name(component.symbol)
    end_with_count(b, choices.number_of(b, draws.chance_block(b, phase)))
    finish_entry(b, [STATE, RNG_ROW], [Kind.INT], STATE)
    return b.name


def write_outcome_probability(module: GameModule) -> None:
    """Write `outcome_probability`: 1 and the probability, 0, or -1 where the outcomes of a phase are to be listed."""
    parameters = [STATE, draws.OUTCOME, REALS_OUT]

    def write(phase: typed.Phase) -> str:
        if not module.layout.has_many_outcomes(phase):
            return ""
        b = EntryBuilder(module, module.unique(f"outcome_probability_{identifier(phase.name)}"))
        draws.write_probability(b, phase, REALS_OUT)
        finish_entry(b, parameters, [Kind.INT], STATE)
        return b.name

    dispatch(module, "outcome_probability", parameters, STATE, write, lambda b: b.leave(-1))


def settle(b: Builder, phase: typed.Phase, moves: bool = False) -> dict[str, Expression]:
    """Assign the chosen actions or drawn values to their names; return the condition of each kind of action."""
    if phase.chance is None:
        return settle_choices(b, phase, JOINT, moves)
    settle_draws(b, phase, ir.entry(JOINT, len(b.module.game.players.members)))
    return {}


def write_step(module: GameModule) -> None:
    """Write `step`, phase by phase; a terminal state stays as it is."""

    def copy(b: Builder) -> None:
        b.effect("copy_words", NEW, 0, OLD, 0, module.layout.state_words)

    dispatch(module, "step", [OLD, NEW, JOINT], OLD, lambda phase: write_step_in(module, phase)[0], copy, None)


def write_step_in(module: GameModule, phase: typed.Phase, in_place: bool = False) -> tuple[str, bool]:
    """Write the function of a phase's transition; return its name, and whether the transition can be a fault.

    Args:
        module: the module.
        phase: the phase.
        in_place: whether the new row holds the old state already.
    """
    layout = module.layout
    b = EntryBuilder(module, module.unique(f"step_{identifier(phase.name)}"), state=OLD)
    if not in_place:
        b.effect("copy_words", NEW, 0, OLD, 0, layout.state_words)
    kind_tests = settle(b, phase)
    changes = Changes(b, phase, kind_tests, NEW)
    changes.write()
    for target, names in changes.new_names.items():
        place = Memory(NEW, ir.integer(layout.offset[target]))
        for i, name in enumerate(names_in(names)):
            b.store(NEW, ir.add(place.base, i), name)
    b.state = NEW
    transfer(b, phase, kind_tests, lambda number: b.store(NEW, 0, number))
    can_fail = FAULT in b.needs
    if can_fail:
        b.store(NEW, 1, ir.entry(b.fault, 0))
    # what lives in names is loaded before anything is written
    finish_entry(b, [OLD, NEW, JOINT], [], NEW if in_place else OLD)
    return b.name, can_fail


def write_observe(module: GameModule) -> None:
    """Write `observe`; it returns minus the number of the fault site if it fails."""
    write = lambda phase: write_observe_in(module, phase) if phase.sees else ""  # noqa: E731
    dispatch(module, "observe", OBSERVE_PARAMETERS, OLD, write, lambda b: b.leave(SAME_FOR_ALL))


def write_observe_in(module: GameModule, phase: typed.Phase) -> str:
    """Write the function of a player's observation after a phase; return its name."""
    b = EntryBuilder(module, module.unique(f"observe_{identifier(phase.name)}"), state=OLD)
    kind_tests = settle(b, phase, moves=True)
    b.set(COUNT, 0)
    write_observation(b, phase, kind_tests, list_value)
    end_with_count(b, ir.add(COUNT, SAME_FOR_ALL if is_same_for_all(b, phase) else 0))
    finish_entry(b, OBSERVE_PARAMETERS, [Kind.INT], OLD)
    return b.name


def write_values(module: GameModule, name: str, values: Sequence[typed.Expression], failing: Mapping[int, str]) -> None:
    """Write `utility` or `estimate`: one real per player; after a fault, minus its number and all 0.

    Args:
        module: the module.
        name: the function's name.
        values: the expressions, one per player.
        failing: as `write_actors` returns it: a state in which nobody acts because of a fault has that fault.
    """
    b = EntryBuilder(module, name)

    def write_zeros() -> None:
        for player in range(len(values)):
            b.store(REALS_OUT, player, ir.real(0))

    results = [b.assign(converted_code(b, value, REAL), "value") for value in values]
    for player, result in enumerate(results):
        b.store(REALS_OUT, player, result)
    if FAULT in b.needs:
        with b.when(b.has_failed):
            write_zeros()
            leave_with_fault(b)
    b.leave(0)
    with b.capture() as b.beginning:
        with b.when(ir.compare("unequal", FAULT_OF_STATE, 0)):
            write_zeros()
            b.leave(ir.operation("negate", FAULT_OF_STATE))
        for number, target in failing.items():
            with b.when(ir.equal(ir.entry(STATE, 0), number)):
                write_zeros()
                b.leave(Call(target, (STATE,), Kind.INT))
    finish_entry(b, [STATE, REALS_OUT], [Kind.INT], STATE)
