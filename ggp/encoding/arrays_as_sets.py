"""Arrays of few values over a board, which a state keeps as sets: for each value, where in the array it stands.

`state owner[cell]: player or none` is kept as `at[player]: set of cell` would be. What authors ask of such an array is
mostly where a value stands, on which lines, and how often: questions about sets, which take a few operations on words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    CellType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    array_length,
    codes,
    lowest,
    size,
)
from ggp.language.typed.walk import nodes_of
from ggp.language.typed.work import Held

MIN_PLACES, MAX_PLACES = 6, 256
"""Elements of an array that is kept as sets: a set then has at most four words."""
MAX_VALUES = 6
"""Values that have a set: reading one element looks into all but one of them."""


def kept_as_sets(game: typed.Game) -> dict[typed.Variable, typed.Variable]:
    """Return the arrays of a game that are kept as sets, each with the array of sets that stands for it."""
    if not any(_is_possible(variable) for variable in game.variables):
        return {}
    return _kept_as_sets(Held(game))


@lru_cache(maxsize=64)
def _kept_as_sets(holder: Held) -> dict[typed.Variable, typed.Variable]:
    game: typed.Game = holder.node
    reads: Counter[typed.Variable] = Counter()
    tests: Counter[typed.Variable] = Counter()
    whole: set[typed.Variable] = set()
    for node in nodes_of(game.phases, game.payoff, game.estimate):
        if isinstance(node, typed.StateRead):
            if node.indices:
                reads[node.variable] += 1
            else:
                whole.add(node.variable)
        for tested in _tested(node):
            tests[tested.variable] += 1
    drawn = (node for node in nodes_of(game.display, game.views) if isinstance(node, typed.StateRead))
    whole |= {node.variable for node in drawn if not node.indices}
    whole |= {update.target for phase in game.phases for update in phase.updates if not update.indices}
    return {
        variable: _sets_for(variable)
        for variable in game.variables
        if _is_possible(variable) and variable not in whole and pays(reads[variable], tests[variable])
    }


def pays(reads: int, tests: int) -> bool:
    """Return whether to keep an array as sets of which elements are read, and compared with a value, in some places."""
    return 0 < reads <= 2 * tests


def _is_possible(variable: typed.Variable) -> bool:
    type_ = variable.type
    if variable.is_kept or not isinstance(type_, ArrayType) or not MIN_PLACES <= array_length(type_) <= MAX_PLACES:
        return False
    if len(type_.indices) > 2 or (len(type_.indices) == 2 and not all(isinstance(i, IntType) for i in type_.indices)):
        return False
    element = type_.element
    return isinstance(element, ScalarType | OptionType) and size(values_of(type_)) <= MAX_VALUES


def _tested(node: typed.Expression) -> Iterator[typed.StateRead]:
    """Yield the elements whose value a node compares with another, or asks for as a truth value."""
    sides: tuple[typed.Expression, ...] = ()
    match node:
        case typed.Binary(operator="equal" | "unequal", left=left, right=right):
            sides = (left, right)
        case typed.StateRead(type=BoolType()):
            sides = (node,)
        case typed.Unary(operator="is_none", operand=operand):
            sides = (operand,)
        case typed.Member(element=element):
            sides = (element,)
    for side in sides:
        inner = side.operand if isinstance(side, typed.Wrap) else side
        if isinstance(inner, typed.StateRead) and inner.indices:
            yield inner


def values_of(type_: ArrayType) -> ScalarType:
    """Return the type of the values that have a set: all but none, and but `no`."""
    element = type_.element
    if isinstance(element, BoolType):
        return IntType(1, 1)
    inner = element.inner if isinstance(element, OptionType) else element
    assert isinstance(inner, ScalarType)
    return inner


def places_of(type_: ArrayType) -> ScalarType:
    """Return the type whose positions are those of an array's elements; for two indices a board, the last along x."""
    if len(type_.indices) == 1:
        return type_.indices[0]
    height, width = map(size, type_.indices)
    return CellType("", width, height)


def _sets_for(variable: typed.Variable) -> typed.Variable:
    assert isinstance(variable.type, ArrayType)
    places = places_of(variable.type)
    type_ = ArrayType((values_of(variable.type),), SetType(places))
    return typed.Variable(variable.name, type_, as_sets(variable.type, variable.initial), variable.span)


def as_sets(type_: ArrayType, value: typed.Value) -> typed.Value:
    """Return the value of an array as the sets of the codes of its places, for each value that has one."""
    assert isinstance(value, tuple)
    low = lowest(places_of(type_))
    return tuple(
        frozenset(low + at for at, element in enumerate(value) if element == code) for code in codes(values_of(type_))
    )


def from_sets(type_: ArrayType, sets: typed.Value) -> typed.Value:
    """Return the value of an array, given the sets."""
    assert isinstance(sets, tuple)
    found: list[typed.Value] = [0 if isinstance(type_.element, BoolType) else None] * array_length(type_)
    low = lowest(places_of(type_))
    for code, members in zip(codes(values_of(type_)), sets, strict=True):
        assert isinstance(members, frozenset)
        for place in members:
            found[place - low] = code
    return tuple(found)
