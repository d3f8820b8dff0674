"""Which conditions of payoffs can hold together: `a < b` and `b < a` cannot, nor can `turn == red` and `turn == blue`.

A condition is taken apart at `and`, `or`, `not` and comparisons. What is left are facts that are free of each other as
far as is known here: how two values compare, which of some constants a value is, whether anything else holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from ggp.language.typed.types import BOOL, BoolType, CellType, EnumType, IntType, OptionType, RealType, codes

MAX_NODES = 5_000
"""Payoffs with all definitions written out may have so many nodes: a chain of them can be of exponential size."""


class Tree(tuple[object, ...]):
    """A resolved expression: its operator and its parts; functions are written out, arguments filled in. Behind the
    sides of a comparison stand their types.

    Equal expressions of one proof are the same object (`Trees`), so comparing them takes no time.
    """

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


class TooLarge(Exception):
    """Payoffs written out have too many nodes."""


class Trees:
    """The expressions of a proof.

    Attributes:
        ranges: lowest and highest value of each that is a number, wherever it stands.
        depth: how many members of domains can be spoken of where an expression is written out.
    """

    def __init__(self) -> None:
        self._left = MAX_NODES
        self.depth = 0
        self._made: dict[tuple[object, ...], Tree] = {}
        self.ranges: dict[Tree, tuple[float, float]] = {}

    def spend(self) -> None:
        """Count a node that is written out.

        Raises:
            TooLarge: there are too many.
        """
        self._left -= 1
        if self._left < 0:
            raise TooLarge

    def make(self, *parts: object) -> Tree:
        """Return the expression that has these parts."""
        return self._made.setdefault(parts, Tree(parts))

    def add_range(self, tree: Tree, low: float, high: float) -> None:
        """Note the range of an expression in one of the places where it stands; a guard may hold there only."""
        seen = self.ranges.get(tree, (low, high))
        self.ranges[tree] = (min(low, seen[0]), max(high, seen[1]))


COMPARISONS = frozenset({"equal", "unequal", "less", "less_equal", "greater", "greater_equal"})
MIRRORED = {
    "equal": "equal", "unequal": "unequal", "less": "greater", "less_equal": "greater_equal", "greater": "less",
    "greater_equal": "less_equal",
}  # fmt: skip
OTHER = "other"
"""Any value besides the constants that a value is compared with."""


class Truth(Struct, frozen=True):
    """Whether a condition holds that is not taken apart."""

    test: Tree


class Order(Struct, frozen=True):
    """How two numbers compare: -1, 0, 1."""

    left: Tree
    right: Tree


class Sameness(Struct, frozen=True):
    """Whether two values that have no order are the same."""

    left: Tree
    right: Tree


class Value(Struct, frozen=True):
    """Which value an expression has, of those that its comparisons with constants tell apart."""

    of: Tree
    type: object


Fact = Truth | Order | Sameness | Value
Known = Mapping[Fact, object]


def facts(test: Tree) -> Iterator[tuple[Fact, object]]:
    """Yield the facts that decide whether a condition holds, each with the constant that its value is compared with."""
    match test:
        case ("constant", _):
            return
        case ("not", Tree() as part):
            yield from facts(part)
        case ("and" | "or", Tree() as left, Tree() as right):
            yield from facts(left)
            yield from facts(right)
        case (str() as operator, Tree() as left, Tree() as right, *types) if operator in COMPARISONS:
            if types == [BOOL, BOOL]:
                yield from facts(left)
                yield from facts(right)
            elif _is_total(operator, types):
                yield _compared(left, right, types)
            else:
                yield Truth(test), None
        case _:
            yield Truth(test), None


def possible(fact: Fact, constants: set[object]) -> Sequence[object]:
    """Return what may be true of a fact.

    Args:
        fact: any.
        constants: that its value is compared with.

    Returns:
        Truth values; -1, 0 and 1 of an order; of a value one of each kind that comparisons with the constants can tell
        apart.
    """
    match fact:
        case Truth() | Sameness():
            return [False, True]
        case Order():
            return [-1, 0, 1]
    match fact.type:
        case IntType(low, high):
            near = {value + step for value in constants if isinstance(value, int) for step in (-1, 0, 1)}
            return sorted(value for value in near if low <= value <= high) or [low]
        case RealType():
            ends = sorted(value for value in constants if isinstance(value, (int, float)))
            between = [(one + next_) / 2 for one, next_ in pairwise(ends)]
            return [ends[0] - 1.0, *ends, *between, ends[-1] + 1.0]
        case BoolType() | EnumType() | CellType() as scalar if constants >= set(codes(scalar)):
            return [*codes(scalar)]
        case OptionType(BoolType() | EnumType() | CellType() as scalar) if constants >= {None, *codes(scalar)}:
            return [None, *codes(scalar)]
    return [*constants, OTHER]


def holds(test: Tree, known: Known) -> bool:
    """Return whether a condition holds, given what is true of it as a whole, or of all of its facts."""
    if (whole := known.get(Truth(test))) is not None:
        return bool(whole)
    match test:
        case ("constant", value):
            return bool(value)
        case ("not", Tree() as part):
            return not holds(part, known)
        case ("and", Tree() as left, Tree() as right):
            return holds(left, known) and holds(right, known)
        case ("or", Tree() as left, Tree() as right):
            return holds(left, known) or holds(right, known)
        case (str() as operator, Tree() as left, Tree() as right, *types) if operator in COMPARISONS:
            if types == [BOOL, BOOL]:
                return (holds(left, known) == holds(right, known)) == (operator == "equal")
            if _is_total(operator, types):
                return _compares(operator, left, right, types, known)
    return bool(known[Truth(test)])


def _is_total(operator: str, types: Sequence[object]) -> bool:
    """Return whether a comparison says one of two or three things: sets are ordered by inclusion, which is partial."""
    return operator in ("equal", "unequal") or _are_numbers(types)


def _are_numbers(types: Sequence[object]) -> bool:
    return all(isinstance(type_, (IntType, RealType)) for type_ in types)


def _compared(left: Tree, right: Tree, types: Sequence[object]) -> tuple[Fact, object]:
    """Return the fact that a comparison is about, and the constant in it, or None."""
    if right[0] == "constant":
        return Value(left, types[0]), right[1]
    if left[0] == "constant":
        return Value(right, types[1]), left[1]
    one, other = sorted((left, right), key=id)
    return (Order(one, other) if _are_numbers(types) else Sameness(one, other)), None


def _compares(operator: str, left: Tree, right: Tree, types: Sequence[object], known: Known) -> bool:
    fact, constant = _compared(left, right, types)
    found = known[fact]
    if isinstance(fact, Sameness):
        return bool(found) == (operator == "equal")
    if isinstance(fact, Order):
        order, turned = found, fact.left != left
    elif operator in ("equal", "unequal"):
        return (found == constant) == (operator == "equal")
    else:
        assert isinstance(found, (int, float))
        assert isinstance(constant, (int, float))
        order, turned = (found > constant) - (found < constant), left[0] == "constant"
    assert isinstance(order, int)
    said = MIRRORED[operator] if turned else operator
    return {
        "equal": order == 0, "unequal": order != 0, "less": order < 0, "less_equal": order <= 0, "greater": order > 0,
        "greater_equal": order >= 0,
    }[said]  # fmt: skip
