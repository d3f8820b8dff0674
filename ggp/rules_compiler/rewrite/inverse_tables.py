"""Tables of where formulas come from: for each value of `f(x)` the set of the x that have it.

Where the cells of a turned board come from is such a formula: `{c in cell: origin(c) in S}` is then the union of a
table's entries for the members of S.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import prod
from typing import cast

from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.evaluation.constants import Evaluator
from ggp.language.evaluation.faults import GameError
from ggp.language.typed.types import ArrayType, ScalarType, SetType, codes, size
from ggp.language.typed.work import Held, work
from ggp.rules_compiler.rewrite.size import MAX_EVALUATION, free_symbols
from ggp.rules_compiler.rewrite.tabulation import MAX_ENTRIES, MIN_WORK


def read_inverse(
    table: typed.Table, element: typed.Expression, symbol: typed.Symbol, value: typed.Expression
) -> typed.TableRead:
    """Return the values of a symbol for which a formula has a value, read from its table."""
    others = [one for one in free_symbols(element) or () if one is not symbol]
    indices = tuple(typed.Local(one, one.type, element.span) for one in others)
    return typed.TableRead(table, (*indices, value), table.type.element, element.span)


@lru_cache(maxsize=1024)
def inverse(holder: Held, symbol: typed.Symbol) -> typed.Table | None:
    """Return a table: for each value of the other symbols of a formula, and of the formula, the values of a symbol.

    None if the table would be too large, or the formula is a fault for some value.
    """
    element = holder.node
    free, type_ = free_symbols(element), element.type
    if free is None or symbol not in free or not isinstance(type_, ScalarType) or work(element) < MIN_WORK:
        return None
    others = [one for one in free if one is not symbol]
    types = tuple(cast("ScalarType", one.type) for one in (*others, element))
    places = cast("ScalarType", symbol.type)
    entries = prod(map(size, types)) * set_words(places)
    if entries > MAX_ENTRIES or entries * size(places) * work(element) > MAX_EVALUATION * size(type_):
        return None
    evaluator, values = Evaluator(), []
    try:
        for given in product(*map(codes, types[:-1])):
            known = dict(zip(others, given, strict=True))
            image = {place: evaluator.value(element, {**known, symbol: place}) for place in codes(places)}
            values += [frozenset(at for at, value in image.items() if value == one) for one in codes(type_)]
    except GameError:
        return None
    name = f"origins_{element.span.line}_{element.span.column}"
    return typed.Table(name, ArrayType(types, SetType(places)), tuple(values), element.span)
