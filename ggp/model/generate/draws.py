"""What chance draws: the list of outcomes with their probabilities, and one outcome at random."""

from __future__ import annotations

from collections.abc import Callable

from ggp.language import typed
from ggp.language.typed.types import RealType
from ggp.model.faults import FaultSite
from ggp.model.generate.bits import is_empty
from ggp.model.generate.builder import Builder, flat, symbol_names
from ggp.model.generate.choices import binders_of, number_of, take_apart
from ggp.model.generate.conversion import converted_code
from ggp.model.generate.loops import for_each, known_codes
from ggp.model.generate.picks import draw_value
from ggp.model.generate.sets import bits
from ggp.model.numbering import Block

WEIGHT = RealType(float("-inf"), float("inf"))


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
    """Write a fault for where there is nothing to draw from."""
    if not isinstance(component.domain, typed.Expression):
        return
    empty = is_empty(bits(b, component.domain))
    if empty.constant == 0:
        return
    with b.block(f"if {empty.text}:"):
        _fail_empty(b, component)


def _fail_empty(b: Builder, component: typed.Component) -> None:
    reason = f"there is nothing to draw `{component.symbol.name}` from"
    site = b.module.site(FaultSite("empty", reason, component.symbol.span), None)
    b.emit(f"fail(0, {site}, {b.fault})")


def _leave_empty(b: Builder, component: typed.Component, leave: str) -> None:
    _fail_empty(b, component)
    b.emit(leave)


def weight_of(b: Builder, chance: typed.Chance) -> str:
    """Return the weight of the outcome whose components are bound; a negative one is a fault."""
    if chance.weight is None:
        return "1.0"
    given = converted_code(b, chance.weight, WEIGHT)
    if given.constant is not None and given.constant >= 0:
        return repr(float(given.constant))
    weight = b.assign(given.text, "weight")
    site = b.module.site(FaultSite("weights", "a chance weight is negative", chance.span), None)
    with b.block(f"if {weight} < 0.0:"):
        b.emit(f"fail(0, {site}, {b.fault})")
        b.emit(f"{weight} = 0.0")
    return weight


def check_total(b: Builder, chance: typed.Chance, total: str) -> None:
    """Write a fault for weights that add up to nothing."""
    site = b.module.site(FaultSite("weights", "the chance weights add up to 0", chance.span), None)
    with b.block(f"if not {total} > 0.0:"):
        b.emit(f"fail(0, {site}, {b.fault})")


def list_outcomes(b: Builder, phase: typed.Phase) -> None:
    """Write the outcomes of positive probability to `out` and `probability`, their number to `n`."""
    chance, block = phase.chance, chance_block(b, phase)
    assert chance is not None
    b.emit("total = 0.0")

    def body() -> None:
        weight = weight_of(b, chance)
        if weight[0].isdigit():
            if float(weight) > 0:
                _add(weight)
            return
        with b.block(f"if {weight} > 0.0:"):
            _add(weight)

    def _add(weight: str) -> None:
        b.emit(f"out[n] = {number_of(b, block)}")
        b.emit(f"probability[n] = {weight}")
        b.emit(f"total += {weight}")
        b.emit("n += 1")

    each_outcome(b, chance, body)
    check_total(b, chance, "total")
    with b.block("for i in range(n):"):
        b.emit("probability[i] = probability[i] / total")


def draw_outcome(b: Builder, phase: typed.Phase, leave: str) -> None:
    """Write a random draw of the components into the names of their symbols, by their probabilities.

    `leave` is the line by which the function ends where there is nothing to draw from.
    """
    chance = phase.chance
    assert chance is not None
    if chance.weight is None and (chance.independent or len(chance.components) == 1):
        for component in chance.components:
            (name,) = flat(symbol_names(component.symbol))
            known = known_codes(component.domain)
            draw_value(b, component, known, name, lambda component=component: _leave_empty(b, component, leave))  # type: ignore[misc]
        return
    _draw_by_weight(b, phase)


def _draw_by_weight(b: Builder, phase: typed.Phase) -> None:
    weigh, find = b.module.chance_functions(phase)
    total = b.assign(f"{weigh.name}({', '.join(b.arguments(weigh.needs))})", "total")
    point = b.assign(f"uniform(rng) * {total}", "point")
    outcome = b.assign(f"{find.name}({', '.join([point, *b.arguments(find.needs)])})", "outcome")
    take_outcome_apart(b, phase, outcome)


def take_outcome_apart(b: Builder, phase: typed.Phase, outcome: str) -> None:
    """Write the values of the drawn components into the names of their symbols."""
    block = chance_block(b, phase)
    names = [flat(symbol_names(component.symbol))[0] for component in block.components]
    take_apart(b, (block,), outcome, [names], "")


def weigh_outcomes(b: Builder, phase: typed.Phase) -> None:
    """Write the return of the sum of all weights."""
    chance = phase.chance
    assert chance is not None
    b.emit("total = 0.0")
    each_outcome(b, chance, lambda: b.emit(f"total += {weight_of(b, chance)}"))
    check_total(b, chance, "total")
    b.emit("return total")


def find_outcome(b: Builder, phase: typed.Phase) -> None:
    """Write the return of the outcome at a point of the summed weights; `point` is the name of a parameter."""
    chance, block = phase.chance, chance_block(b, phase)
    assert chance is not None
    b.emit("last = 0")

    def body() -> None:
        weight = weight_of(b, chance)
        with b.block(f"if {weight} > 0.0:"):
            b.emit(f"last = {number_of(b, block)}")
            with b.block(f"if point < {weight}:"):
                b.emit("return last")
            b.emit(f"point -= {weight}")

    each_outcome(b, chance, body)
    b.emit("return last")
