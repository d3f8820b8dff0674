"""Numbers in actions that say how many steps something goes in a direction that the action names, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ggp.language import typed
from ggp.language.typed.types import type_text
from ggp.language.typed.walk import nodes_of, walk


def strides_of(phase: typed.Phase) -> Mapping[typed.Symbol, typed.Symbol]:
    """Return the components of the actions of a phase that are a number of steps, with that of their direction.

    They are what the rules multiply with each other in a step from a cell, as in `to == from + n*d`, be it in a
    definition that has both as arguments.
    """
    kinds = [kind for chooser in phase.choosers for kind in chooser.kinds]
    chosen = {part.symbol for kind in kinds for part in kind.components}
    pairs = _pairs(nodes_of(phase), {})
    return {number: way for number, way in pairs if number in chosen and way in chosen}


def part_type(part: typed.Component, ways: Mapping[typed.Symbol, typed.Symbol]) -> str:
    """Return what the type of a component is called; of a number of steps in a direction `d`, `1..7 along d`."""
    way = ways.get(part.symbol)
    return type_text(part.type) if way is None else f"{type_text(part.type)} along {way.name}"


Pair = tuple[typed.Symbol, typed.Symbol]


def _pairs(nodes: Iterator[typed.Expression], known: dict[typed.Function, list[Pair]]) -> Iterator[Pair]:
    """Yield the symbols of numbers and of directions that are multiplied in steps from cells; `known`: of functions."""
    for node in nodes:
        if isinstance(node, typed.CellStep):
            number, way = _symbol(node.times), _symbol(node.direction)
            if number is not None and way is not None:
                yield number, way
        elif isinstance(node, typed.Call):
            function = node.function
            if function not in known:
                known[function] = list(_pairs(walk(function.body), known))
            given = dict(zip(function.arguments, map(_symbol, node.arguments), strict=True))
            for pair in known[function]:
                number, way = (given.get(symbol, symbol) for symbol in pair)
                if number is not None and way is not None:
                    yield number, way


def _symbol(expression: typed.Expression) -> typed.Symbol | None:
    """Return the choice or argument that an expression is, its range tested or not, of one player or of each."""
    match expression:
        case typed.Local(symbol=symbol):
            return symbol
        case typed.Guard(operand=operand) | typed.Unwrap(operand=operand) | typed.Index(array=operand):
            return _symbol(operand)
    return None
