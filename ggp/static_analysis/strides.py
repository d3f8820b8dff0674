"""What numbers and directions in actions mean: how many steps something goes, in which direction, and what goes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ggp.language import typed
from ggp.language.typed.types import ArrayType, IntType, type_text
from ggp.language.typed.walk import nodes_of, unguarded, walk


def part_types(phase: typed.Phase) -> Mapping[typed.Symbol, str]:
    """Return what the types of the components of a phase's actions are called.

    Of a number of steps in a direction `d` that is `1..7 along d`; of a direction in which what a variable places goes,
    `direction from me`; of a number that is the index of an array, as that of a pit in `seeds[h]`, the index's own.
    """
    ways, origins, indices = strides_of(phase), origins_of(phase), indices_of(phase)
    parts = [part for chooser in phase.choosers for kind in chooser.kinds for part in kind.components]
    names = {part.symbol: type_text(indices.get(part.symbol, part.type)) for part in parts}
    names |= {symbol: f"{names[symbol]} along {way.name}" for symbol, way in ways.items()}
    return names | {symbol: f"{names[symbol]} from {variable.name}" for symbol, variable in origins.items()}


def indices_of(phase: typed.Phase) -> Mapping[typed.Symbol, IntType]:
    """Return the components of the actions of a phase that are numbers of some places, with the type of all places.

    They are an index of variables, always of the same type, which has more numbers than are chosen from.
    """
    kinds = [kind for chooser in phase.choosers for kind in chooser.kinds]
    chosen = {part.symbol: part.type for kind in kinds for part in kind.components}
    reads = [(one.variable, one.indices) for one in nodes_of(phase) if isinstance(one, typed.StateRead)]
    found: dict[typed.Symbol, set[IntType]] = defaultdict(set)
    for variable, indices in (*reads, *((one.target, one.indices) for one in phase.updates)):
        of_array = variable.type.indices if isinstance(variable.type, ArrayType) and indices else ()
        for symbol, type_ in zip(map(_symbol, indices), of_array, strict=True):
            if symbol in chosen and isinstance(chosen[symbol], IntType) and isinstance(type_, IntType):
                found[symbol].add(type_)
    return {symbol: type_ for symbol, (type_, *more) in found.items() if not more and _holds(type_, chosen[symbol])}


def _holds(type_: IntType, part: object) -> bool:
    return isinstance(part, IntType) and type_ != part and type_.low <= part.low and part.high <= type_.high


def strides_of(phase: typed.Phase) -> Mapping[typed.Symbol, typed.Symbol]:
    """Return the components of the actions of a phase that are a number of steps, with that of their direction.

    They are what the rules multiply with each other in a step from a cell, as in `to == from + n*d`, be it in a
    definition that has both as arguments.
    """
    kinds = [kind for chooser in phase.choosers for kind in chooser.kinds]
    chosen = {part.symbol for kind in kinds for part in kind.components}
    pairs = _pairs(nodes_of(phase), {})
    return {number: way for number, way in pairs if number in chosen and way in chosen}


def origins_of(phase: typed.Phase) -> Mapping[typed.Symbol, typed.Variable]:
    """Return the components of the actions of a phase that are directions, with the cell from which alone they lead.

    That is a variable without indices, `rook + n*d`; what an action names as well is not listed.
    """
    kinds = [kind for chooser in phase.choosers for kind in chooser.kinds]
    chosen = {part.symbol for kind in kinds for part in kind.components}
    found: dict[typed.Symbol, set[typed.Variable | None]] = defaultdict(set)
    for node in nodes_of(phase):
        if isinstance(node, typed.CellStep) and (way := _symbol(node.direction)) in chosen:
            assert way is not None
            match unguarded(node.cell):
                case typed.StateRead(variable=variable, indices=()):
                    found[way].add(variable)
                case typed.CellStep():
                    pass  # further on
                case _:
                    found[way].add(None)
    return {way: variable for way, (variable, *more) in found.items() if variable is not None and not more}


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
