"""Conditions that are the same for all cells of a connected component, evaluated once for all of them.

`{c in stones: count(liberties(chain(c))) == 1}` searches the board from each stone, and finds the same chain from each
of its stones. If a condition reads a cell only as the source of one search, and every step of the search can be
reversed, it is evaluated for one cell of each component.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Name
from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import DIRECTIONS, CellType, ScalarType, SetType, lowest, size
from ggp.language.typed.walk import same, walk
from ggp.rules_compiler.emit.bits import (
    constant_bits,
    difference,
    extreme_member,
    has_bit,
    is_empty,
    masked,
    single,
    union,
)
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.conversion import converted
from ggp.rules_compiler.emit.dispatch import condition, named, operand
from ggp.rules_compiler.emit.operands import Bits, element_of
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS, position_of
from ggp.rules_compiler.rewrite.candidates import EXPRESSIONS, substituted
from ggp.rules_compiler.rewrite.size import can_fail, mentions

MAX_INLINED = 8
"""Largest number of calls that are followed to find the search."""


@dataclass(frozen=True, slots=True)
class ByComponent:
    """A condition on a cell that holds for all cells of a component or for none.

    Attributes:
        search: the search from the cell.
        found: stands for what it finds, in `test`.
        test: the condition, which does not read the cell.
        given: values of arguments of definitions; these do not read the cell either.
    """

    search: typed.Reach
    found: typed.Symbol
    test: typed.Expression
    given: list[tuple[typed.Symbol, typed.Expression]]


def by_component(test: typed.Expression, cell: typed.Symbol) -> ByComponent | None:
    """Return a condition on a cell as one on its component, if it is one."""
    if can_fail(test):
        return None
    given: list[tuple[typed.Symbol, typed.Expression]] = []
    inlined = _inlined(test, cell, given, [MAX_INLINED])
    if inlined is None:
        return None
    search = next((part for part in walk(inlined) if isinstance(part, typed.Reach) and mentions(cell, part)), None)
    if search is None or not _starts_at(search, cell) or not _leads_back(search) or mentions(cell, search.through):
        return None
    found = typed.Symbol("found", search.type, "bound", search.span)
    rest = _replaced(inlined, search, typed.Local(found, search.type, search.span))
    return None if mentions(cell, rest) else ByComponent(search, found, rest, given)


def _starts_at(search: typed.Reach, cell: typed.Symbol) -> bool:
    """Return whether a search starts only at a cell: `{c}`, or `{c} & through`."""
    sources = search.sources
    if isinstance(sources, typed.SetOperation) and sources.operator == "intersection":
        if same(sources.right, search.through):
            sources = sources.left
        elif same(sources.left, search.through):
            sources = sources.right
    if not isinstance(sources, typed.SetLiteral) or len(sources.elements) != 1:
        return False
    (element,) = sources.elements
    return isinstance(element, typed.Local) and element.symbol is cell


def _leads_back(search: typed.Reach) -> bool:
    """Return whether a search can go back along each of its steps."""
    steps, half = search.steps, len(DIRECTIONS) // 2
    if search.kind != "reach" or not isinstance(steps, typed.Constant) or not isinstance(steps.value, frozenset):
        return False
    directions = steps.value
    return all((int(direction) + half) % len(DIRECTIONS) in directions for direction in directions)


def _inlined(
    node: typed.Expression, cell: typed.Symbol, given: list[tuple[typed.Symbol, typed.Expression]], left: list[int]
) -> typed.Expression | None:
    """Return an expression in which definitions that take the cell are written out; None if there are many."""
    call = next((part for part in walk(node) if isinstance(part, typed.Call) and _is_handed(part, cell)), None)
    if call is None:
        return node
    left[0] -= 1
    if left[0] < 0:
        return None
    values: dict[typed.Symbol, typed.Expression] = {}
    bound = _bound_in(node)
    for symbol, argument in zip(call.function.arguments, call.arguments, strict=True):
        if mentions(cell, argument):
            values[symbol] = argument
        elif any(mentions(other, argument) for other in bound):
            return None
        else:
            fresh = typed.Symbol(symbol.name, symbol.type, "bound", symbol.span)
            given.append((fresh, argument))
            values[symbol] = typed.Local(fresh, symbol.type, argument.span)
    return _inlined(_replaced(node, call, substituted(call.function.body, values)), cell, given, left)


def _is_handed(call: typed.Call, cell: typed.Symbol) -> bool:
    return any(mentions(cell, argument) for argument in call.arguments)


def _bound_in(node: typed.Expression) -> set[typed.Symbol]:
    """Return the symbols that are bound inside an expression."""
    return {binder.symbol for part in walk(node) for binder in getattr(part, "binders", ())}


def _replaced(node: Any, old: typed.Expression, new: typed.Expression) -> Any:
    """Return an expression in which all occurrences of a part are replaced."""
    if isinstance(node, tuple):
        return tuple(_replaced(part, old, new) for part in node)
    if type(node) is type(old) and same(node, old):
        return new
    if type(node) not in EXPRESSIONS and type(node) is not typed.Binder:
        return node
    values = {part.name: getattr(node, part.name) for part in fields(node) if part.name not in ("type", "span")}
    changed = {name: _replaced(value, old, new) for name, value in values.items()}
    return replace(node, **{name: value for name, value in changed.items() if value is not values[name]})


# --- code -------------------------------------------------------------------------------------------------------------


def write_by_component(b: Builder, node: typed.Comprehension) -> Bits | None:
    """Write the set of a domain's cells whose components satisfy a condition; None for other conditions."""
    element, binder = element_of(node.type), node.binders[0]
    if len(node.binders) > 1 or node.condition is None or isinstance(binder.domain, tuple):
        return None
    is_itself = isinstance(node.element, typed.Local) and node.element.symbol is binder.symbol
    if not is_itself or not isinstance(element, CellType) or set_words(element) > LOCAL_WORDS:
        return None
    if binder.symbol.type != element or (form := by_component(node.condition, binder.symbol)) is None:
        return None
    if isinstance(binder.domain, ScalarType):
        domain = constant_bits((1 << size(element)) - 1, set_words(element))
    else:
        domain = bits(b, binder.domain, SetType(element))
    rest = [b.start("rest", word) for word in domain.words]
    result = [b.start("set", 0) for _ in domain.words]
    for symbol, argument in form.given:
        b.environment[symbol] = named(b, converted(b, operand(b, argument), argument.type, symbol.type))
        b.loops_around[symbol] = len(b.loops)
    through = b.named_bits(bits(b, form.search.through, SetType(element)))
    with b.loop(binder.symbol), b.repeat_while(ir.negation(is_empty(Bits(tuple(rest))))):
        cell = b.start("c", extreme_member(Bits(tuple(rest)), True, lowest(element)))
        with b.bound(binder.symbol, cell):
            found = b.named_bits(bits(b, form.search, SetType(element)))
        inside = has_bit(b, through, position_of(element, cell))
        others = Bits(tuple(ir.chosen(inside, word, 0) for word in masked(found, through).words))
        alike = b.named_bits(union(single(b, element, cell), others))
        b.loops_around[form.found] = len(b.loops)
        with b.bound(form.found, found):
            holds = condition(b, form.test)
        with b.when(holds):
            _set_words(b, result, union(Bits(tuple(result)), masked(Bits(tuple(rest)), alike)))
        _set_words(b, rest, difference(Bits(tuple(rest)), alike))
    return Bits(tuple(result))


def _set_words(b: Builder, names: Sequence[Name], value: Bits) -> None:
    b.set_all(names, value.words)
