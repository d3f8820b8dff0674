"""The nodes that expressions of sequences are made of: sizes, places, and what is at a place."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ggp.language import typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce
from ggp.language.check.scope import Item, SequenceValue
from ggp.language.text.source import Span
from ggp.language.typed import Binder, Constant, Expression, Symbol, ranges
from ggp.language.typed.types import BOOL, IntType, OptionType, SequenceType


class Parts:
    """Makes the nodes that sequences consist of; a comparison that the ranges decide is a constant."""

    def __init__(self, checking: Checking, span: Span) -> None:
        self.checking, self.span = checking, span

    def number(self, value: int) -> Expression:
        """Return a number known before play."""
        return self.checking.constant(value, IntType(value, value), self.span)

    def nothing(self, type_: SequenceType) -> Expression:
        """Return none, in place of an item."""
        return self.checking.constant(None, OptionType(type_.element), self.span)

    def not_none(self, value: Expression) -> Expression:
        """Return whether there is an item."""
        missing = self.checking.make(typed.Unary("is_none", value, BOOL, self.span))
        return self.checking.make(typed.Unary("not", missing, BOOL, self.span))

    def sum(self, left: Expression, right: Expression) -> Expression:
        """Return the sum of two numbers."""
        low, high = ranges.add(*_bounds(left, right))
        return self.checking.make(typed.Binary("add", left, right, IntType(int(low), int(high)), self.span))

    def difference(self, left: Expression, right: Expression) -> Expression:
        """Return the difference of two numbers."""
        if isinstance(right, Constant) and right.value == 0:
            return left
        low, high = ranges.subtract(*_bounds(left, right))
        return self.checking.make(typed.Binary("subtract", left, right, IntType(int(low), int(high)), self.span))

    def extreme(self, kind: typed.BinaryOperator, left: Expression, right: Expression) -> Expression:
        """Return the `minimum` or `maximum` of two numbers."""
        pick = max if kind == "maximum" else min
        (a, b), (c, d) = _bounds(left, right)
        type_ = IntType(int(pick(a, c)), int(pick(b, d)))
        if kind == "minimum":
            decided = left if b <= c else right if d <= a else None
        else:
            decided = left if a >= d else right if c >= b else None
        return decided or self.checking.make(typed.Binary(kind, left, right, type_, self.span))

    def at_most(self, left: Expression, right: Expression) -> Expression:
        """Return whether a number is at most another one."""
        (a, b), (c, d) = _bounds(left, right)
        if b <= c or a > d:
            return self.checking.constant(int(b <= c), BOOL, self.span)
        return self.checking.make(typed.Binary("less_equal", left, right, BOOL, self.span))

    def either(
        self,
        condition: Expression,
        then: Callable[[], Expression],
        otherwise: Callable[[], Expression],
        type_: SequenceType,
    ) -> Expression:
        """Return one of two items; what a constant condition rules out is not even made."""
        if isinstance(condition, Constant):
            return then() if condition.value else otherwise()
        return self.checking.make(typed.If(condition, then(), otherwise(), OptionType(type_.element), self.span))

    def within(self, type_: SequenceType, read: Item) -> Item:
        """Return a function that reads the item at a place from 1 on, none beyond what an array has."""

        def item(place: Expression) -> Expression:
            def there() -> Expression:
                # where it is reached, the place is known to lie in the range, though its type may not say so
                with self.checking.ruled_out(dead=True):
                    return read(coerce(self.checking, place, IntType(1, type_.most), "a place of a sequence"))

            return self.either(self.at_most(place, self.number(type_.most)), there, lambda: self.nothing(type_), type_)

        return item

    def places(self, value: SequenceValue, name: str) -> tuple[Binder, Expression]:
        """Return a binder of the places of the items, and the place that it is bound to."""
        type_ = IntType(1, max(1, value.type.most))
        symbol = Symbol(name, type_, "bound", value.span)
        return Binder(symbol, (self.number(1), value.size)), self.checking.local(symbol, value.span)

    def one_of(self, values: list[Expression], place: Expression, type_: SequenceType, first: int = 1) -> Expression:
        """Return one of some values by its place, none beyond the last."""
        if not values:
            return self.nothing(type_)
        if len(values) == 1:
            is_last = first == type_.most
            there = self.at_most(place, self.number(first)) if is_last else self.checking.constant(1, BOOL, self.span)
            return self.either(there, lambda: values[0], lambda: self.nothing(type_), type_)
        half = len(values) // 2
        return self.either(
            self.at_most(place, self.number(first + half - 1)),
            lambda: self.one_of(values[:half], place, type_, first),
            lambda: self.one_of(values[half:], place, type_, first + half),
            type_,
        )

    def mirrored(self, value: SequenceValue, place: Expression) -> Expression:
        """Return the item at a place counted from the top."""
        from_top = self.difference(self.sum(value.size, self.number(1)), place)
        return self.either(
            self.at_most(place, value.size), lambda: value.item(from_top), lambda: self.nothing(value.type), value.type
        )

    def end(self, value: SequenceValue, count: Expression, at_top: bool, removed: bool) -> SequenceValue:
        """Return the items at one end of a sequence, or those that are left when these are taken away."""
        rest = self.extreme("maximum", self.difference(value.size, count), self.number(0))
        size = rest if removed else self.extreme("minimum", count, value.size)
        skipped = count if removed else rest
        most = cast("IntType", size.type).high
        type_ = SequenceType(value.type.element, most)
        if at_top != removed:

            def item(place: Expression) -> Expression:
                return value.item(self.sum(place, skipped))

        else:

            def item(place: Expression) -> Expression:
                return self.either(
                    self.at_most(place, size), lambda: value.item(place), lambda: self.nothing(type_), type_
                )

        return SequenceValue(type_, size, item, self.span)


def _bounds(left: Expression, right: Expression) -> tuple[tuple[int, int], tuple[int, int]]:
    first, second = cast("IntType", left.type), cast("IntType", right.type)
    return (first.low, first.high), (second.low, second.high)
