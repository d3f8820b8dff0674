"""Making expressions: constants are folded, neutral operands left out, conditions turned around, as they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ggp.arithmetic.words import signed
from ggp.codegen.ir.nodes import (
    Block,
    Call,
    Chosen,
    Connected,
    Constant,
    Entry,
    Expression,
    For,
    Group,
    If,
    Kind,
    Name,
    Operation,
    Statement,
    While,
)
from ggp.codegen.ir.operators import OPERATORS

TRUE = Constant(1, Kind.BOOL)
FALSE = Constant(0, Kind.BOOL)
ZERO = Constant(0, Kind.INT)
ONE = Constant(1, Kind.INT)

OPPOSITES = {
    "equal": "unequal", "unequal": "equal", "less": "greater_equal", "less_equal": "greater", "greater": "less_equal",
    "greater_equal": "less", "real_equal": "real_unequal", "real_unequal": "real_equal",
}  # fmt: skip
"""The comparisons of reals that also hold for NaN."""

Given = Expression | int
"""An expression, or an integer that stands for its constant."""


def integer(value: int) -> Constant:
    """Return an integer known before play."""
    return Constant(value, Kind.INT)


def real(value: float) -> Constant:
    """Return a real known before play."""
    return Constant(float(value), Kind.REAL)


def truth(value: bool) -> Constant:
    """Return a truth value known before play."""
    return TRUE if value else FALSE


def words(name: str) -> Name:
    """Return the name of a row of words."""
    return Name(name, Kind.WORDS)


def is_atom(value: Expression) -> bool:
    """Return whether writing an expression twice costs nothing."""
    return isinstance(value, (Constant, Name))


def given(value: Given) -> Expression:
    """Return an expression, or an integer as one."""
    return integer(value) if isinstance(value, int) else value


def operation(operator: str, *operands: Given) -> Expression:
    """Return an operator on some operands, folded where all are known and it can be."""
    row = OPERATORS[operator]
    values = tuple(map(given, operands))
    if row.fold is not None and row.result is not None:
        known = [value.value for value in values if isinstance(value, Constant)]
        if len(known) == len(values):
            result = row.fold(*known)
            return Constant(int(result) if row.result is not Kind.REAL else result, row.result)
    return Operation(operator, values, row.result)


def effect(operator: str, *operands: Given) -> Operation:
    """Return an operator that is there for what it does."""
    return Operation(operator, tuple(map(given, operands)), OPERATORS[operator].result)


def call(function: str, arguments: Iterable[Expression], kind: Kind | None) -> Call:
    """Return a call of a function of the module."""
    return Call(function, tuple(arguments), kind)


def entry(row: Name, index: Given, sure: bool = False) -> Expression:
    """Return an entry of a row."""
    return Entry(row, given(index), sure)


# --- integers ---------------------------------------------------------------------------------------------------------


def add(left: Given, right: Given) -> Expression:
    """Return a sum of integers; a constant comes last."""
    left, right = given(left), given(right)
    if isinstance(left, Constant) and not isinstance(right, Constant):
        left, right = right, left
    if isinstance(right, Constant):
        if right.value == 0:
            return left
        if isinstance(left, Operation) and left.operator in ("add", "subtract"):
            inner = left.operands[1]
            if isinstance(inner, Constant):
                total = right.value + (inner.value if left.operator == "add" else -inner.value)
                return add(left.operands[0], int(total))
        if right.value < 0 and not isinstance(left, Constant):
            return operation("subtract", left, int(-right.value))
    return operation("add", left, right)


def subtract(left: Given, right: Given) -> Expression:
    """Return a difference of integers."""
    left, right = given(left), given(right)
    if isinstance(right, Constant):
        return add(left, int(-right.value))
    return operation("subtract", left, right)


def multiply(left: Given, right: Given) -> Expression:
    """Return a product of integers; a constant comes last."""
    left, right = given(left), given(right)
    if isinstance(left, Constant) and not isinstance(right, Constant):
        left, right = right, left
    if isinstance(right, Constant) and right.value in (0, 1):
        return left if right.value else ZERO
    return operation("multiply", left, right)


def total(values: Iterable[Expression]) -> Expression:
    """Return the sum of some integers."""
    return balanced(list(values), add)


def balanced(values: Sequence[Expression], combine: Callable[[Expression, Expression], Expression]) -> Expression:
    """Combine values by an associative operation of which 0 is the neutral element, nested as little as possible.

    A wide set has hundreds of words: a chain of so many operations would be nested too deeply for Python.
    """
    if not values:
        return ZERO
    if len(values) == 1:
        return values[0]
    middle = len(values) // 2
    return combine(balanced(values[:middle], combine), balanced(values[middle:], combine))


# --- words ------------------------------------------------------------------------------------------------------------


def both(left: Given, right: Given) -> Expression:
    """Return the bits in both words."""
    left, right = given(left), given(right)
    if isinstance(left, Constant) and not isinstance(right, Constant):
        left, right = right, left
    if left == right or right.constant == -1:
        return left
    return ZERO if right.constant == 0 else operation("and", left, right)


def either(left: Given, right: Given) -> Expression:
    """Return the bits in either word."""
    left, right = given(left), given(right)
    if isinstance(left, Constant) and not isinstance(right, Constant):
        left, right = right, left
    return left if left == right or right.constant == 0 else operation("or", left, right)


def without(left: Given, right: Given) -> Expression:
    """Return the bits of the first word that are not in the second."""
    left, right = given(left), given(right)
    if left.constant == 0 or right.constant == 0:
        return left
    return both(left, operation("invert", right))


def shift_left(word: Expression, distance: int) -> Expression:
    """Return a word moved up; bits that leave it are lost."""
    return word if distance == 0 or word.constant == 0 else operation("left", word, distance)


def shift_right(word: Expression, distance: int) -> Expression:
    """Return a word moved down, zeros coming in."""
    if distance == 0 or word.constant == 0:
        return word
    if isinstance(word, Constant):
        return operation("logical_right", word, distance)
    return both(operation("right", word, distance), (1 << (64 - distance)) - 1)


def bit(position: Given) -> Expression:
    """Return the word with one bit."""
    return operation("bit", position)


def word(value: int) -> Constant:
    """Return the lowest 64 bits of an integer as a word."""
    return integer(signed(value & ((1 << 64) - 1)))


# --- truth ------------------------------------------------------------------------------------------------------------


def compare(comparison: str, left: Given, right: Given) -> Expression:
    """Return a comparison of two integers or two reals."""
    left, right = given(left), given(right)
    if comparison in ("equal", "unequal") and right == ZERO and isinstance(left, Operation):
        (left,) = left.operands if left.operator in ("bytes_sum", "popcount") else (left,)  # 0 of 0 alone
    return operation(f"real_{comparison}" if left.kind is Kind.REAL else comparison, left, right)


def equal(left: Given, right: Given) -> Expression:
    """Return whether two integers are the same."""
    left, right = given(left), given(right)
    if isinstance(left, Name) and left == right:
        return TRUE
    return compare("equal", left, right)


def negation(value: Expression) -> Expression:
    """Return the opposite of a truth value."""
    if isinstance(value, Constant):
        return truth(not value.value)
    if isinstance(value, Operation):
        if value.operator in OPPOSITES:
            return Operation(OPPOSITES[value.operator], value.operands, Kind.BOOL)
        if value.operator == "not":
            return value.operands[0]
    return operation("not", value)


def conjunction(values: Iterable[Expression]) -> Expression:
    """Return whether all of some truth values hold; those after one that does not are not evaluated."""
    return _connected(values, True)


def disjunction(values: Iterable[Expression]) -> Expression:
    """Return whether one of some truth values holds; those after it are not evaluated."""
    return _connected(values, False)


def _connected(values: Iterable[Expression], is_conjunction: bool) -> Expression:
    kept: list[Expression] = []
    for value in values:
        if isinstance(value, Constant):
            if bool(value.value) != is_conjunction:
                if all(is_atom(before) or is_pure(before) for before in kept):
                    return value
                kept.append(value)
                break
        elif isinstance(value, Connected) and value.conjunction == is_conjunction:
            kept += value.operands
        else:
            kept.append(value)
    if not kept:
        return truth(is_conjunction)
    return kept[0] if len(kept) == 1 else Connected(is_conjunction, tuple(kept))


def chosen(test: Expression, then: Given, otherwise: Given) -> Expression:
    """Return one of two values of one kind."""
    then, otherwise = given(then), given(otherwise)
    if isinstance(test, Constant):
        return then if test.value else otherwise
    if then == otherwise and (is_atom(then) or is_pure(then)) and is_pure(test):
        return then
    if then.kind is Kind.BOOL:
        if then == TRUE and otherwise == FALSE:
            return test
        if then == FALSE and otherwise == TRUE:
            return negation(test)
    return Chosen(test, then, otherwise)


def as_integer(value: Expression) -> Expression:
    """Return a truth value as 0 or 1; an integer or a real as it is."""
    return chosen(value, ONE, ZERO) if value.kind is Kind.BOOL else value


def as_truth(value: Expression) -> Expression:
    """Return 0 or 1 as a truth value; a truth value as it is."""
    return value if value.kind is Kind.BOOL else operation("unequal", value, ZERO)


def as_real(value: Expression) -> Expression:
    """Return an integer as a real; a real as it is."""
    return value if value.kind is Kind.REAL else operation("real", as_integer(value))


# --- what expressions do ----------------------------------------------------------------------------------------------


def parts(value: Expression) -> tuple[Expression, ...]:
    """Return the expressions directly inside of an expression."""
    match value:
        case Operation(operands=operands) | Connected(operands=operands) | Call(arguments=operands):
            return operands
        case Chosen(test, then, otherwise):
            return (test, then, otherwise)
        case Entry(row, index):
            return (row, index)
    return ()


def walk(value: Expression) -> Iterator[Expression]:
    """Yield an expression and all expressions in it."""
    yield value
    for part in parts(value):
        yield from walk(part)


def is_pure(value: Expression) -> bool:
    """Return whether an expression depends on names alone, not on memory, and does nothing else."""
    if isinstance(value, (Constant, Name)):
        return True
    if isinstance(value, Call) or (isinstance(value, Operation) and not OPERATORS[value.operator].pure):
        return False
    if isinstance(value, Entry) and not value.row.table:
        return False
    return all(map(is_pure, parts(value)))


def blocks_of(statement: Statement) -> list[Block]:
    """Return the blocks of a statement."""
    match statement:
        case If(arms, otherwise):
            return [*(body for _, body in arms), otherwise]
        case While(_, body) | For(_, _, _, body):
            return [body]
    return []


def depth(body: Block) -> int:
    """Return how many blocks lie inside each other, this one included."""
    deepest = 0
    for statement in body:
        if isinstance(statement, Group):
            deepest = max(deepest, depth(statement.body) - 1)
        else:
            deepest = max(deepest, *(depth(inner) for inner in blocks_of(statement)), 0)
    return deepest + 1
