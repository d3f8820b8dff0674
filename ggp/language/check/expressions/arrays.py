"""Checks of whole arrays: how their values are written (lists, by index, one for all elements), and their elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NoReturn, cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce, expect, truth
from ggp.language.check.scope import SequenceValue
from ggp.language.evaluation.faults import LimitExceeded, RulesFault
from ggp.language.limits import MAX_LISTED
from ggp.language.text.source import Span
from ggp.language.typed import Constant, Expression, Symbol, Value
from ggp.language.typed.types import (
    ArrayType,
    EnumType,
    IntType,
    ScalarType,
    SequenceType,
    Type,
    array_length,
    codes,
    scalar_text,
    size,
    type_text,
)


def array_without_type(checking: Checking, node: syntax.List | syntax.Keyed, hint: Type | None) -> Expression:
    """Check `[a, b]` and `{red: a}` inside an expression: the type of the array must be known."""
    if not isinstance(hint, ArrayType):
        better = "name it as a `table`, or as a `let` with indices where it depends on the state"
        checking.fail(node.span, "an array can only be written where its type is known", better)
    values = whole_value(checking, node, hint, "this array", ())
    return checking.constant(values, hint, node.span)


def whole_value(
    checking: Checking, node: syntax.Expression, type_: Type, what: str, symbols: tuple[Symbol, ...]
) -> Value:
    """Return the value, known before play, of a whole variable or table.

    Args:
        checking: the check under way; the names of `symbols` are in scope.
        node: the value as written: for an array a list, values by index, or one value for each element.
        type_: the type of the whole.
        what: the variable's or table's name in backticks.
        symbols: for each index of the array the symbol that stands for it in `node`; empty if there are none.
    """
    if not isinstance(type_, ArrayType):
        value = expect(checking, node, type_, f"{what} takes {type_text(type_)}")
        return (
            _items(checking, value, type_, what, ())[0]
            if isinstance(type_, SequenceType)
            else _known(checking, value, what)
        )
    return _array(checking, node, type_, what, symbols)


def elements_of(checking: Checking, array: Expression, what: str) -> list[Expression]:
    """Return the elements of an array; `what` takes them, for the error where there are too many."""
    indices = cast("ArrayType", array.type).indices
    limit_listed(checking, indices, what, array.span)
    return [element_at(checking, array, values) for values in index_values(checking, indices, array.span)]


def limit_listed(checking: Checking, indices: Sequence[ScalarType], what: str, span: Span) -> None:
    """Refuse arrays that are too large to be taken element by element."""
    length = math.prod(size(index) for index in indices)
    if length > MAX_LISTED:
        checking.fail(span, f"an array of {length} elements is too large for {what}; the limit is {MAX_LISTED}")


def index_values(checking: Checking, indices: Sequence[ScalarType], span: Span) -> Iterator[tuple[Constant, ...]]:
    """Yield each combination of values of some index types, in ascending order."""
    for combination in itertools.product(*(codes(index) for index in indices)):
        values = zip(combination, indices, strict=True)
        yield tuple(checking.constant(code, index, span) for code, index in values)


def listed_text(indices: Sequence[Constant]) -> str:
    """Return the text of some indices that are known."""
    return ", ".join(scalar_text(cast("ScalarType", part.type), cast("int", part.value)) for part in indices)


def element_at(checking: Checking, array: Expression, indices: tuple[Expression, ...]) -> Expression:
    """Return the element of an array at some indices."""
    type_, span = cast("ArrayType", array.type).element, array.span
    match array:
        case typed.StateRead(variable=variable, indices=()):
            return checking.make(typed.StateRead(variable, indices, type_, span))
        case typed.TableRead(table=table, indices=()):
            return checking.make(typed.TableRead(table, indices, type_, span))
    return checking.make(typed.Index(array, indices, type_, span))


def _array(
    checking: Checking, node: syntax.Expression, type_: ArrayType, what: str, symbols: tuple[Symbol, ...]
) -> tuple[Value, ...]:
    match node:
        case syntax.List(_, elements) if not isinstance(type_.element, SequenceType) or any(
            isinstance(part, syntax.List) for part in elements
        ):
            first = type_.indices[0]
            if len(elements) != size(first):
                checking.fail(
                    node.span,
                    f"{what} needs {size(first)} {'rows' if len(type_.indices) > 1 else 'values'} here, "
                    f"one for each {type_text(first)}, not {len(elements)}",
                )
            rows = checking.each(lambda part: _row(checking, part, type_, what), elements)
            return tuple(itertools.chain.from_iterable(rows))
        case syntax.Keyed():
            return _keyed(checking, node, type_, what)
        case syntax.Conditional(_, condition, then, otherwise):
            decided = truth(checking, condition)
            if isinstance(decided, Constant):
                return _array(checking, then if decided.value else otherwise, type_, what, symbols)
    return _one_for_all(checking, node, type_, what, symbols)


def _row(checking: Checking, node: syntax.Expression, type_: ArrayType, what: str) -> tuple[Value, ...]:
    """Return the elements for one value of the first index."""
    if len(type_.indices) == 1:
        return (whole_value(checking, node, type_.element, what, ()),)
    return _array(checking, node, ArrayType(type_.indices[1:], type_.element), what, ())


NESTED = "write `{a: {b: x, c: y}}`, and `else` for the others"
"""What to write in place of `{[a, b]: x}`."""


def _keyed(checking: Checking, node: syntax.Keyed, type_: ArrayType, what: str) -> tuple[Value, ...]:
    first, entries = type_.indices[0], node.entries
    rows: dict[int, tuple[Value, ...]] = {}
    together = next((key for key, _ in entries if isinstance(key, syntax.List)), None)
    if together is not None and len(type_.indices) > 1:
        checking.fail(together.span, f"{what} has braces for each index", NESTED)

    def read(key: syntax.Expression, value: syntax.Expression) -> None:
        index = expect(checking, key, first, f"{what} is indexed by {type_text(first)}")
        code = cast("int", _known(checking, index, "an index"))
        if code in rows:
            checking.fail(key.span, f"two values for `{scalar_text(first, code)}`")
        rows[code] = ()
        rows[code] = _row(checking, value, type_, what)

    checking.each(read, *zip(*entries, strict=True))
    if node.default is not None:
        others = [code for code in codes(first) if code not in rows]
        # how many there are of anything else may depend on a parameter
        if not others and isinstance(first, EnumType) and first.role == "enumeration":
            checking.fail(node.default.span, f"{what} has a value for each {type_text(first)} without this `else`")
        rows |= dict.fromkeys(others, _row(checking, node.default, type_, what))
    missing = [scalar_text(first, code) for code in codes(first) if code not in rows]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        names = ", ".join(f"`{text}`" for text in missing[:3])
        checking.fail(node.span, f"{what} has no value for {names}{more}")
    return tuple(itertools.chain.from_iterable(rows[code] for code in codes(first)))


def _one_for_all(
    checking: Checking, node: syntax.Expression, type_: ArrayType, what: str, symbols: tuple[Symbol, ...]
) -> tuple[Value, ...]:
    """Return the elements where one expression gives each of them, perhaps depending on the indices."""
    made = checking.infer(node, type_.element)
    if isinstance(made.type, ArrayType):
        return cast("tuple[Value, ...]", _known(checking, coerce(checking, made, type_, f"{what} is an array"), what))
    element = coerce(checking, made, type_.element, f"{what} takes {type_text(type_.element)}")
    if isinstance(type_.element, SequenceType):
        return _items(checking, element, type_.element, what, symbols) * (1 if symbols else array_length(type_))
    if isinstance(element, Constant) or not symbols:
        return (_known(checking, element, what),) * array_length(type_)
    return _of_each(checking, element, what, symbols)


def _items(
    checking: Checking, value: Expression, type_: SequenceType, what: str, symbols: tuple[Symbol, ...]
) -> tuple[Value, ...]:
    """Return the items of a sequence, none beyond the last; of each element where it may depend on the indices."""
    found = cast("SequenceValue", value)
    places = [checking.constant(place, IntType(place, place), value.span) for place in range(1, type_.most + 1)]
    parts = [found.size, *(found.item(place) for place in places)]
    return tuple(row[1:] for row in zip(*(_of_each(checking, part, what, symbols) for part in parts), strict=True))


def _of_each(checking: Checking, element: Expression, what: str, symbols: tuple[Symbol, ...]) -> tuple[Value, ...]:
    """Return the values of the elements of an array that one expression gives, which may depend on the indices."""
    try:
        return checking.evaluator.array(element, symbols)
    except RulesFault as fault:
        checking.fail_with(fault)
    except LimitExceeded:
        _fail_too_long(checking, element, what)


def _known(checking: Checking, value: Expression, what: str) -> Value:
    if not isinstance(value, Constant):
        if checking.facts(value).free:
            hint = "without brackets one expression gives all elements, such as `if x == a then b else c`"
            checking.fail(value.span, f"each value of {what} in brackets is known without the index", hint)
        # It does not read the state, which would have been reported: without a value, it was too much work.
        _fail_too_long(checking, value, what)
    return value.value


def _fail_too_long(checking: Checking, value: Expression, what: str) -> NoReturn:
    checking.fail_once(value.span, f"the value of {what} takes too long to work out", "put the values into a file")
