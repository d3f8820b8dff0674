"""Chance: the list of outcomes with their probabilities, and the draw of one outcome."""

from __future__ import annotations

from collections.abc import Callable

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression, Kind, Name
from ggp.encoding.numbering import Block
from ggp.faults import FaultSite
from ggp.language import typed
from ggp.language.typed.types import RealType, size
from ggp.rules_compiler.emit.bits import is_empty, member_count
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import COUNT, OUT, binders_of, membership, number_of, take_apart
from ggp.rules_compiler.emit.conversion import converted_code
from ggp.rules_compiler.emit.dispatch import condition
from ggp.rules_compiler.emit.loops import for_each
from ggp.rules_compiler.emit.module import FAULT, GameModule, Generated, identifier
from ggp.rules_compiler.emit.random_values import RNG, draw_subset, draw_value
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.emit.value_names import symbol_name
from ggp.rules_compiler.size import known_codes

OUTCOME = Name("outcome", Kind.INT)
WEIGHT = RealType(float("-inf"), float("inf"))
PROBABILITY = Name("probability", Kind.REALS)
TOTAL = Name("total", Kind.REAL)
POINT = Name("point", Kind.REAL)
LAST = Name("last", Kind.INT)
MAX_STRAIGHT = 16
"""Where games are random, of up to this many outcomes all are compared with the point, without a jump."""


def chance_block(b: Builder, phase: typed.Phase) -> Block:
    """Return the numbers of a phase's chance outcomes."""
    block = b.module.layout.outcome_blocks[b.module.layout.phase_index[phase.name]]
    assert block is not None
    return block


def each_outcome(b: Builder, chance: typed.Chance, body: Callable[[], None]) -> None:
    """Write `body` for each combination of the components; an empty domain is a fault."""
    _nested(b, chance, 0, body)


def _nested(b: Builder, chance: typed.Chance, at: int, body: Callable[[], None]) -> None:
    if at == len(chance.components):
        body()
        return
    component = chance.components[at]
    note_empty(b, component)
    later = tuple(other.domain for other in chance.components[at + 1 :] if isinstance(other.domain, typed.Expression))
    binders = binders_of((component,))
    for_each(b, binders, (chance.weight, *later), lambda: _nested(b, chance, at + 1, body))


def note_empty(b: Builder, component: typed.Component) -> None:
    """Write a fault for the case that there is nothing to draw from."""
    if not isinstance(component.domain, typed.Expression) or component.follows:
        return
    members = bits(b, component.domain)
    if component.together == 1:
        empty = is_empty(members)
    else:
        empty = ir.compare("less", member_count(b.named_bits(members)), component.together)
    if empty.constant != 0:
        with b.when(empty):
            fail_empty(b, component)


def fail_empty(b: Builder, component: typed.Component) -> None:
    """Write the fault of a component with nothing to draw from."""
    b.fail(b.module.site(FaultSite("empty", component.shortage, component.symbol.span), None))


def weight_of(b: Builder, chance: typed.Chance) -> Expression:
    """Return the weight of the outcome whose components are bound; a negative weight is a fault."""
    if chance.weight is None:
        return ir.real(1)
    given = converted_code(b, chance.weight, WEIGHT)
    if isinstance(given, Constant) and given.value >= 0:
        return given
    weight = b.start("weight", given)
    site = b.module.site(FaultSite("weights", "a chance weight is negative", chance.span), None)
    with b.when(ir.compare("less", weight, ir.real(0))):
        b.fail(site)
        b.set(weight, ir.real(0))
    return weight


def check_total(b: Builder, chance: typed.Chance) -> None:
    """Write a fault for weights that add up to 0."""
    site = b.module.site(FaultSite("weights", "the chance weights add up to 0", chance.span), None)
    with b.when(ir.negation(ir.compare("greater", TOTAL, ir.real(0)))):
        b.fail(site)


def list_outcomes(b: Builder, phase: typed.Phase) -> None:
    """Write the outcomes of positive probability to `out` and `probability`, their number to `n`."""
    chance, block = phase.chance, chance_block(b, phase)
    assert chance is not None
    b.set(TOTAL, ir.real(0))

    def body() -> None:
        weight = weight_of(b, chance)
        test = ir.compare("greater", weight, ir.real(0))
        if test.constant == 0:
            return
        with b.when(test):
            b.store(OUT, COUNT, number_of(b, block))
            b.store(PROBABILITY, COUNT, weight)
            b.increase(TOTAL, weight)
            b.increase(COUNT, 1)

    each_outcome(b, chance, body)
    check_total(b, chance)
    at = Name("i", Kind.INT)
    with b.repeat(at, 0, COUNT):
        b.store(PROBABILITY, at, ir.operation("real_over", ir.entry(PROBABILITY, at), TOTAL))


def write_probability(b: Builder, phase: typed.Phase, out: Name) -> None:
    """Write the return of 1 for a possible `outcome`, whose probability goes to `out`, and of 0 for another number."""
    chance, block = phase.chance, chance_block(b, phase)
    assert chance is not None
    inside = [ir.compare("greater_equal", OUTCOME, block.base), ir.compare("less", OUTCOME, block.base + block.count)]
    with b.when(ir.negation(ir.conjunction(inside))):
        b.leave(0)
    take_outcome_apart(b, phase, OUTCOME)
    probability = b.start("probability", ir.real(1))
    for component in chance.components:
        b.environment[component.local] = symbol_name(component.symbol)
        if not isinstance(component.domain, typed.Expression):
            left: Expression = ir.integer(size(component.domain))
        else:
            with b.when(ir.negation(condition(b, membership(component)))):
                b.leave(0)
            left = b.assign(member_count(b.named_bits(bits(b, component.domain))), "count")
        for number in range(component.together * (not component.follows)):
            share = ir.operation("real_over", ir.real(number + 1), ir.as_real(ir.subtract(left, number)))
            b.set(probability, ir.operation("real_multiply", probability, share))
    if FAULT in b.needs:
        with b.when(b.has_failed):
            b.leave(0)
    b.store(out, 0, probability)
    b.leave(1)


def draw_outcome(b: Builder, phase: typed.Phase, leave: Callable[[], None]) -> None:
    """Write a random draw of the components into the names of their symbols, by their probabilities.

    `leave` writes how the function ends where there is nothing to draw from.
    """
    chance = phase.chance
    assert chance is not None
    if chance.weight is None and (chance.successive or len(chance.components) == 1):
        for place, component in enumerate(chance.components):
            if component.follows:
                continue

            def empty(component: typed.Component = component) -> None:
                fail_empty(b, component)
                leave()

            if component.together > 1:
                group = chance.components[place : place + component.together]
                draw_subset(b, component, [symbol_name(part.symbol) for part in group], empty)
            else:
                draw_value(b, component, known_codes(component.domain), symbol_name(component.symbol), empty)
        return
    _draw_by_weight(b, phase)


def _draw_by_weight(b: Builder, phase: typed.Phase) -> None:
    weigh, find = weighing_function(b.module, phase), outcome_function(b.module, phase)
    total, outcome = b.fresh("total", Kind.REAL), b.fresh("outcome")
    b.call(weigh.name, b.arguments(list(weigh.needs)), [total])
    point = b.start("point", ir.operation("real_multiply", ir.effect("uniform", b.row(RNG)), total))
    b.call(find.name, [point, *b.arguments(list(find.needs))], [outcome])
    take_outcome_apart(b, phase, outcome)


def take_outcome_apart(b: Builder, phase: typed.Phase, outcome: Expression) -> None:
    """Write the values of the drawn components into the names of their symbols."""
    block = chance_block(b, phase)
    names = [symbol_name(component.symbol) for component in block.components]
    take_apart(b, (block,), outcome, [names], Name("kind", Kind.INT))


def weighing_function(module: GameModule, phase: typed.Phase) -> Generated:
    """Return the function that sums a phase's weights."""

    def write(b: Builder, chance: typed.Chance) -> None:
        b.set(TOTAL, ir.real(0))
        each_outcome(b, chance, lambda: b.increase(TOTAL, weight_of(b, chance)))
        check_total(b, chance)
        b.leave(TOTAL)

    return _of_chance(module, phase, "weigh", [], Kind.REAL, write)


def outcome_function(module: GameModule, phase: typed.Phase) -> Generated:
    """Return the function that finds the outcome at a point of the summed weights."""

    def write(b: Builder, chance: typed.Chance) -> None:
        straight = module.code.is_random and chance_block(b, phase).count <= MAX_STRAIGHT
        b.set(LAST, 0)

        def body() -> None:
            weight = weight_of(b, chance)
            test = ir.compare("greater", weight, ir.real(0))
            if test.constant == 0:
                return
            number = number_of(b, chance_block(b, phase))
            if straight:
                reached = ir.conjunction([test, ir.compare("greater_equal", POINT, ir.real(0))])
                b.set(LAST, ir.chosen(reached, number, LAST))
                b.set(POINT, ir.operation("real_subtract", POINT, weight))
                return
            with b.when(test):
                b.set(LAST, number)
                with b.when(ir.compare("less", POINT, weight)):
                    b.leave(LAST)
                b.set(POINT, ir.operation("real_subtract", POINT, weight))

        each_outcome(b, chance, body)
        b.leave(LAST)

    return _of_chance(module, phase, "outcome_at", [POINT], Kind.INT, write)


def _of_chance(
    module: GameModule, phase: typed.Phase, verb: str, parameters: list[Name], result: Kind,
    write: Callable[[Builder, typed.Chance], None],
) -> Generated:  # fmt: skip
    key = (verb, phase.name)
    assert phase.chance is not None
    if key not in module.written:
        b = Builder(module, module.unique(f"{verb}_{identifier(phase.name)}"))
        write(b, phase.chance)
        module.finish(b.name, [*parameters, *b.parameters()], [result], b.body)
        module.written[key] = Generated(b.name, b.needs)
    return module.written[key]
