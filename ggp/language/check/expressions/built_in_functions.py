"""Checks of the built-in functions: `abs`, `min`, `count`, `other`, `hash` and their kin."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import cast

from ggp.arithmetic.real_functions import REAL_FUNCTIONS, RealFunctionName
from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce, constant_integer, described, expect, number
from ggp.language.check.expressions.arrays import element_at, elements_of
from ggp.language.check.expressions.sequences import as_sequence, run_over
from ggp.language.limits import MAX_INTEGER, MAX_SET
from ggp.language.text.source import Span
from ggp.language.typed import Expression, Symbol, ranges
from ggp.language.typed.types import (
    BOOL,
    DIRECTION,
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    RealType,
    ScalarType,
    SetType,
    Type,
    codes,
    lowest,
    size,
    type_text,
)


def absolute(checking: Checking, node: syntax.Call) -> Expression:
    """Check `abs(x)`."""
    operand = number(checking, node.arguments[0])
    bounds = cast("IntType | RealType", operand.type)
    low, high = ranges.absolute((bounds.low, bounds.high))
    type_ = IntType(int(low), int(high)) if isinstance(bounds, IntType) else RealType(low, high)
    return checking.make(typed.Unary("absolute", operand, type_, node.span))


def sign(checking: Checking, node: syntax.Call) -> Expression:
    """Check `sign(x)`."""
    operand = number(checking, node.arguments[0])
    bounds = cast("IntType | RealType", operand.type)
    return checking.make(typed.Unary("sign", operand, IntType(*ranges.sign((bounds.low, bounds.high))), node.span))


def real_function(name: RealFunctionName) -> Callable[[Checking, syntax.Call], Expression]:
    """Return the check of a function of one real number."""

    def check(checking: Checking, node: syntax.Call) -> Expression:
        operand = number(checking, node.arguments[0])
        bounds = cast("IntType | RealType", operand.type)
        low, high = float(bounds.low), float(bounds.high)
        real = coerce(checking, operand, RealType(low, high), f"`{name}` is real")
        type_ = RealType(*REAL_FUNCTIONS[name].bounds(low, high, isinstance(bounds, IntType)))
        return checking.make(typed.Unary(name, real, type_, node.span))

    return check


def _extreme(checking: Checking, node: syntax.Call) -> Expression:
    """Check `min(a, b, ...)`, `max(a, b, ...)` of numbers."""
    waiting = checking.each(lambda part: number(checking, part), node.arguments)
    while len(waiting) > 1:
        # in pairs, and pairs of pairs, so that the tree of many arguments stays shallow
        pairs = zip(waiting[::2], waiting[1::2], strict=False)
        rest = waiting[-1:] if len(waiting) % 2 else []
        waiting = [_extreme_of_two(checking, node, first, other) for first, other in pairs] + rest
    return waiting[0]


def _extreme_of_two(checking: Checking, node: syntax.Call, first: Expression, other: Expression) -> Expression:
    largest = node.name.text == "max"
    a, b = cast("IntType | RealType", first.type), cast("IntType | RealType", other.type)
    pick = max if largest else min
    low, high = pick(a.low, b.low), pick(a.high, b.high)
    type_: Type
    if isinstance(a, IntType) and isinstance(b, IntType):
        type_ = IntType(int(low), int(high))
    else:
        type_ = RealType(float(low), float(high))
        first, other = (coerce(checking, part, type_, "a real number") for part in (first, other))
    return checking.make(typed.Binary("maximum" if largest else "minimum", first, other, type_, node.span))


def of_set(checking: Checking, node: syntax.Call) -> Expression:
    """Check `count(S)`, `sum(S)`, and `min` and `max` of a set or of numbers."""
    if len(node.arguments) > 1:
        return _extreme(checking, node)
    text = node.name.text
    members = checking.infer(node.arguments[0])
    sequence = as_sequence(members)
    if sequence is not None and text == "count":
        return sequence.size
    if not isinstance(members.type, SetType):
        hint_text = f"`{text}` of several numbers: `{text}(a, b)`" if text in ("min", "max") else None
        if isinstance(members.type, ArrayType) and text != "count":
            given = node.arguments[0].text if isinstance(node.arguments[0], syntax.Name) else "..."
            names = [f"i{place}" if place > 1 else "i" for place in range(1, len(members.type.indices) + 1)]
            domains = ", ".join(
                f"{name} in {type_text(index)}" for name, index in zip(names, members.type.indices, strict=True)
            )
            hint_text = f"write `{text} {domains}: {given}[{', '.join(names)}]`"
        elif sequence is not None:
            hint_text = f"write `{text} x in s: x` for the items of a sequence"
        elif isinstance(members.type, BoolType) and text == "count":
            hint_text = "write `count x in S: condition`"
        checking.fail(members.span, f"`{text}` needs a set, found {described(members.type)}", hint_text)
    element = members.type.element
    if text == "count":
        return checking.make(typed.SetFold("count", members, IntType(0, size(element)), node.span))
    if text == "sum":
        if not isinstance(element, IntType):
            checking.fail(members.span, f"`sum` needs a set of integers, found {described(members.type)}")
        low = sum(code for code in codes(element) if code < 0)
        high = sum(code for code in codes(element) if code > 0)
        if max(-low, high) > MAX_INTEGER:
            checking.fail(node.span, "this sum may grow too large")
        return checking.make(typed.SetFold("sum", members, IntType(low, high), node.span))
    return checking.make(typed.SetFold("minimum" if text == "min" else "maximum", members, element, node.span))


def neighbour(checking: Checking, node: syntax.Call) -> Expression:
    """Check `other(p)`, `after(p)` and `after(p, S)`: a look into a table of players."""
    text, players = node.name.text, checking.players
    if players is None:
        checking.fail(node.span, f"`{text}` needs the players", "declare them above: `players first, second`")
    count = len(players.members)
    if text == "other" and count != 2:
        checking.fail(
            node.span, f"`other` is for two players, and this game has {count}", "`after(p)` is the next player in turn"
        )
    player = expect(checking, node.arguments[0], players, f"`{text}` takes a player")
    if len(node.arguments) > 1:
        return _next_among(checking, node, player, players)
    following = ((code + 1) % count for code in range(count))
    return checking.looked_up(text, ArrayType((players,), players), following, (player,), node.span)


def _next_among(checking: Checking, node: syntax.Call, player: Expression, players: EnumType) -> Expression:
    """Return the first member of a set of players that follows one in turn; the player itself comes last."""
    among = expect(checking, node.arguments[1], SetType(players), "`after(p, S)` takes a set of players")
    count, span = len(players.members), node.span
    turns = IntType(1, count)
    pairs = [(first, second) for first in range(count) for second in range(count)]
    symbol = Symbol("next", players, "bound", span)
    waits = ((second - first - 1) % count + 1 for first, second in pairs)
    until = (player, checking.local(symbol, span))
    wait = checking.looked_up("turns until", ArrayType((players, players), turns), waits, until, span)
    least = checking.make(typed.Aggregate("minimum", (typed.Binder(symbol, among),), None, wait, turns, span))
    reached = ((first + turn + 1) % count for first, turn in pairs)
    return checking.looked_up("player after", ArrayType((players, turns), players), reached, (player, least), span)


def opposite(checking: Checking, direction: Expression, span: Span) -> Expression:
    """Return the direction that leads back: a look into a table of directions."""
    half = len(DIRECTION.members) // 2
    values = ((code + half) % len(DIRECTION.members) for code in codes(DIRECTION))
    return checking.looked_up("opposite", ArrayType((DIRECTION,), DIRECTION), values, (direction,), span)


def opposite_direction(checking: Checking, node: syntax.Call) -> Expression:
    """Check `opposite(d)`."""
    direction = expect(checking, node.arguments[0], DIRECTION, "`opposite` takes a direction")
    return opposite(checking, direction, node.span)


def hash_(checking: Checking, node: syntax.Call) -> Expression:
    """Check `hash(m, a, b, ...)`: a fixed pseudo-random number in 0..m-1."""
    first, *others = node.arguments
    if not others:
        checking.fail(
            node.span, "`hash` needs the number of results, and the values to hash", "`hash(m, a, b)` gives 0..m-1"
        )
    modulus = constant_integer(checking, first, "the number of values of `hash`")
    if not 1 <= modulus <= MAX_INTEGER:
        checking.fail(first.span, f"the number of values of `hash` is in 1..{MAX_INTEGER}, and this is {modulus}")
    values = checking.each(checking.infer, others)
    return hashed(checking, values, modulus, node.span)


def hashed(checking: Checking, values: Sequence[Expression], modulus: int, span: Span) -> Expression:
    """Return a fixed pseudo-random number in 0..modulus-1 of some values."""
    arrays = [value.type.indices for value in values if isinstance(value.type, ArrayType)]
    one_by_one = sum(map(_elements, arrays)) <= MAX_HASHED_EACH
    operands = [operand for value in values for operand in _operands(checking, value, one_by_one)]
    return checking.make(typed.Hash(tuple(operands), modulus, IntType(0, modulus - 1), span))


MAX_HASHED_EACH = 200
"""Elements of arrays that are hashed one by one: that is fast, but many are too large an expression."""


def _operands(checking: Checking, value: Expression, one_by_one: bool) -> list[Expression]:
    """Return what a value is hashed as: itself, its elements, or the sum of the hashes of its places and elements."""
    sequence, span = as_sequence(value), value.span
    if sequence is not None:  # whatever the number of items that there may be
        binder, item = run_over(checking, sequence, "place")
        place = checking.local(binder.symbol, span)
        placed = (place, _hashed(checking, item))
        return [_sum_of_hashes(checking, (binder,), placed, sequence.type.most, MAX_SET, span)]
    if not isinstance(value.type, ArrayType):
        return [_hashed(checking, value)]
    if one_by_one:
        return [_hashed(checking, element) for element in elements_of(checking, value, "`hash`")]
    symbols = [Symbol(f"place {number}", type_, "bound", span) for number, type_ in enumerate(value.type.indices)]
    places = tuple(checking.local(symbol, span) for symbol in symbols)
    binders = tuple(map(typed.Binder, symbols, value.type.indices))
    count = _elements(value.type.indices)
    term = (*places, _hashed(checking, element_at(checking, value, places)))
    return [_sum_of_hashes(checking, binders, term, count, count, span)]


def _sum_of_hashes(
    checking: Checking,
    binders: tuple[typed.Binder, ...],
    term: tuple[Expression, ...],
    count: int,
    room: int,
    span: Span,
) -> Expression:
    """Return the sum of the hashes of `count` terms at most; with up to `room` it stays below the largest integer."""
    each = MAX_INTEGER >> max(1, room - 1).bit_length()
    made = checking.make(typed.Hash(term, each, IntType(0, each - 1), span))
    return checking.make(typed.Aggregate("sum", binders, None, made, IntType(0, (each - 1) * count), span))


def _elements(indices: Sequence[ScalarType]) -> int:
    return math.prod(map(size, indices))


def _hashed(checking: Checking, value: Expression) -> Expression:
    """Return an operand of `hash`: none as a number of its own, a set of integers as a sum, whatever their range."""
    match value.type:
        case BoolType() | IntType() | EnumType() | CellType():
            return value
        case OptionType(inner):
            missing = lowest(inner) - 1
            type_ = IntType(missing, missing + size(inner))
            is_none = checking.make(typed.Unary("is_none", value, BOOL, value.span))
            some = checking.make(typed.Unwrap(value, "`hash` needs a value", inner, value.span))
            return checking.make(
                typed.If(is_none, checking.constant(missing, type_, value.span), some, type_, value.span)
            )
        case SetType(element) if not isinstance(element, IntType):
            return value
        case SetType(element):
            symbol = Symbol("member", element, "bound", value.span)
            member = checking.local(symbol, value.span)
            binders = (typed.Binder(symbol, value),)
            return _sum_of_hashes(checking, binders, (member,), size(element), MAX_SET, value.span)
    hint = "it takes values, options, sets and arrays"
    checking.fail(value.span, f"`hash` cannot depend on {described(value.type)}", hint)
