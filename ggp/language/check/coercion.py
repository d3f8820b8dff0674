"""Conversions to the type a context needs: integers to ranges, options to values, branches to a common type."""

from __future__ import annotations

import math
from typing import cast

from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.costs import most_members
from ggp.language.check.scope import SequenceValue
from ggp.language.typed import Constant, Expression, Symbol
from ggp.language.typed.types import (
    BOOL,
    DIRECTION,
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    MoveType,
    OptionType,
    RealType,
    ScalarType,
    SequenceType,
    SetType,
    TextType,
    Type,
    codes,
    type_text,
)
from ggp.language.typed.walk import walk_through


def described(type_: Type) -> str:
    """Return what diagnostics call a value of a type."""
    match type_:
        case BoolType():
            return "a truth value"
        case IntType():
            return "an integer"
        case EnumType(name, _, _):
            return f"a `{name}`" if name else f"one of `{type_text(type_)}`"
        case CellType(name, _, _):
            return f"a `{name}`"
        case OptionType(inner):
            return f"{described(inner)} or none"
        case SetType(IntType()):
            return "a set of integers"
        case SetType(element):
            return f"a set of `{type_text(element)}`"
        case ArrayType(indices, element):
            return f"an array of {described(element)} over `{', '.join(type_text(index) for index in indices)}`"
        case RealType():
            return "a real number"
        case TextType():
            return "a text"
        case MoveType():
            return "a move"
        case SequenceType(element, _):
            return f"a sequence of `{type_text(element)}`"


def expect(checking: Checking, node: syntax.Expression | syntax.Range, type_: Type, reason: str) -> Expression:
    """Return an expression checked and converted to a type.

    Args:
        checking: the check under way.
        node: the expression.
        type_: the type it must have in the end.
        reason: why, in the author's words, such as "`points` takes 0..91"; the message where a value does not fit.
    """
    return coerce(checking, checking.infer(node, type_), type_, reason)


def truth(checking: Checking, node: syntax.Expression) -> Expression:
    """Return a condition checked."""
    return expect_truth(checking, checking.infer(node, BOOL))


def expect_truth(checking: Checking, value: Expression) -> Expression:
    """Return a value converted to a truth value."""
    return coerce(checking, value, BOOL, "a condition is a truth value")


def coerce(checking: Checking, value: Expression, type_: Type, reason: str) -> Expression:
    """Return a value converted to a type: as it is where it is proven to fit, guarded where it may fail in play."""
    given = value.type
    if given == type_:
        return value
    match type_, given:
        case IntType(), IntType():
            return _into_range(checking, value, type_, reason)
        case RealType(), IntType(low, high):
            return checking.make(typed.Unary("real", value, RealType(float(low), float(high)), value.span))
        case RealType(), RealType():
            return value
        case OptionType(inner), OptionType():
            return _option_into_option(checking, value, inner, reason)
        case OptionType(inner), BoolType() | IntType() | EnumType() | CellType():
            fitting = coerce(checking, value, inner, reason)
            return checking.make(typed.Wrap(fitting, type_, value.span))
        case ((BoolType() | IntType() | EnumType() | CellType() | RealType()), OptionType(inner)):
            if isinstance(value, Constant) and value.value is None and not checking.unreachable:
                checking.fail(
                    value.span, f"none where a value is needed: {reason}", f"`{type_text(type_)} or none` may be none"
                )
            if isinstance(inner, IntType) == isinstance(type_, IntType | RealType):
                unwrapped = checking.make(typed.Unwrap(value, reason, inner, value.span))
                return coerce(checking, unwrapped, type_, reason)
        case SetType(IntType() as wanted), SetType(IntType()):
            return _into_set(checking, value, wanted, reason)
        case SequenceType(element), SequenceType(other, most) if not most or join(other, element) is not None:
            return _into_sequence(checking, value, type_, reason)
        case ArrayType(indices, element), ArrayType(others, _) if indices == others:
            return _into_array(checking, value, type_, element, reason)
        case _:
            pass
    checking.fail(value.span, f"expected {described(type_)}, found {described(given)}", _hint(type_, value, reason))


def at_most(checking: Checking, value: Expression, most: int | None, name: str) -> Expression:
    """Return a set that a variable or argument takes, guarded where it may have more members than fit there."""
    if most is None or most_members(value) <= most:
        return value
    return checking.make(typed.AtMost(value, most, f"`{name}` has at most {most} members", value.type, value.span))


def _hint(type_: Type, value: Expression, reason: str) -> str:
    if isinstance(type_, SetType) and value.type == type_.element:
        return f"{reason}; write `{{...}}` around one value to make a set of it"
    if isinstance(type_, SetType) and isinstance(value.type, SequenceType):
        return f"{reason}; a set is written `{{1, 2}}`, and `{{x for x in s}}` is that of the items of a sequence"
    if isinstance(type_, SequenceType) and value.type in (type_.element, OptionType(type_.element)):
        return f"{reason}; write `[...]` around one item to make a sequence of it"
    if isinstance(type_, EnumType) and isinstance(value.type, IntType) and type_.role in ("player", "enumeration"):
        return f"{reason}; `{type_text(type_)}(k)` is the one with number k, from 1" if type_.name else reason
    if isinstance(value.type, RealType):
        return f"{reason}; {_real_because(value)}"
    return reason


def _real_because(value: Expression) -> str:
    """Return what makes a number real, and what to write instead."""
    for node in walk_through(value):
        if isinstance(node, typed.Binary) and node.operator == "power":
            exponent = node.right
            if isinstance(exponent, typed.Unary) and isinstance(exponent.operand.type, IntType):
                end = exponent.operand.type.high
                why = "may be negative" if exponent.operand.type.low < 0 else f"may be as large as {end}"
                return f"`^` gives a real number where the exponent {why}; bound it with `min` and `max`"
    return "`div` divides integers and rounds down"


def _into_range(checking: Checking, value: Expression, type_: IntType, reason: str) -> Expression:
    given = cast("IntType", value.type)
    if type_.low <= given.low and given.high <= type_.high:
        return value
    if (given.high < type_.low or given.low > type_.high) and not checking.unreachable:
        found = str(given.low) if given.low == given.high else f"always in {given.low}..{given.high}"
        checking.fail(value.span, f"{reason}, and this is {found}")
    return checking.make(typed.Guard(value, reason, type_, value.span))


def _option_into_option(checking: Checking, value: Expression, inner: ScalarType, reason: str) -> Expression:
    """Change the range of an integer option; options of anything else only fit themselves."""
    given = cast("OptionType", value.type).inner
    type_ = OptionType(inner)
    if isinstance(value, Constant) and value.value is None:
        return checking.constant(None, type_, value.span)
    if not (isinstance(given, IntType) and isinstance(inner, IntType)):
        checking.fail(value.span, f"expected {described(type_)}, found {described(value.type)}", reason)
    is_none = checking.make(typed.Unary("is_none", value, BOOL, value.span))
    unwrapped = checking.make(typed.Unwrap(value, reason, given, value.span))
    some = coerce(checking, unwrapped, type_, reason)
    nothing = checking.constant(None, type_, value.span)
    return checking.make(typed.If(is_none, nothing, some, type_, value.span))


def _into_set(checking: Checking, value: Expression, element: IntType, reason: str) -> Expression:
    """Change the range of the members of a set of integers: a value outside of the new one is a fault."""
    type_ = SetType(element)
    if isinstance(value, Constant):
        for code in cast("frozenset[int]", value.value):
            if code not in codes(element) and not checking.unreachable:
                checking.fail(value.span, f"{reason}: `{type_text(element)}` has no {code}")
        return checking.constant(value.value, type_, value.span)
    given = cast("SetType", value.type).element
    symbol = Symbol("member", given, "bound", value.span)
    member = coerce(checking, checking.local(symbol, value.span), element, reason)
    binder = typed.Binder(symbol, value)
    return checking.make(typed.Comprehension((binder,), None, member, type_, value.span))


def _into_sequence(checking: Checking, value: Expression, type_: SequenceType, reason: str) -> Expression:
    """Change the type of the items of a sequence; more of them than there may be are a fault."""
    found = cast("SequenceValue", value)
    size = coerce(checking, found.size, IntType(0, type_.most), f"{reason} items")

    def item(place: Expression) -> Expression:
        return coerce(checking, found.item(place), OptionType(type_.element), reason)

    changed = replace(found, type=SequenceType(type_.element, min(type_.most, found.type.most)), size=size)
    if found.type.most and found.type.element != type_.element:
        changed = replace(changed, item=item, kept=None)
    return cast("Expression", changed)


def _into_array(
    checking: Checking,
    value: Expression,
    type_: ArrayType,
    element: ScalarType | OptionType | SetType | RealType,
    reason: str,
) -> Expression:
    given = cast("ArrayType", value.type)
    if isinstance(value, Constant):
        values = cast("tuple[typed.Value, ...]", value.value)
        fitting = [
            coerce(checking, checking.constant(code, given.element, value.span), element, reason) for code in values
        ]
        if all(isinstance(part, Constant) for part in fitting):
            return checking.constant(
                tuple(part.value for part in fitting if isinstance(part, Constant)), type_, value.span
            )
    checking.fail(value.span, f"expected {described(type_)}, found {described(given)}", reason)


def joined(checking: Checking, first: Expression, second: Expression, what: str) -> Type:
    """Return the smallest type that the values of both expressions have, or report that there is none."""
    type_ = join(first.type, second.type)
    if type_ is None:
        checking.fail(second.span, f"{what} do not fit together: {described(first.type)} and {described(second.type)}")
    return type_


def join(first: Type, second: Type) -> Type | None:
    """Return the smallest type that holds the values of both types, None if there is none."""
    if first == second:
        return first
    match first, second:
        case IntType(a, b), IntType(c, d):
            return IntType(min(a, c), max(b, d))
        case ((IntType(a, b) | RealType(a, b)), (IntType(c, d) | RealType(c, d))):
            return RealType(float(min(a, c)), float(max(b, d)))
        case SetType(IntType(a, b)), SetType(IntType(c, d)):
            return SetType(IntType(min(a, c), max(b, d)))
        case SequenceType(a, m), SequenceType(b, n):
            is_empty = not (m and n)  # what has no items fits anything, but keeps the range of its numbers
            element = join(a, b) if not is_empty or (type(a) is type(b) is IntType) else a if m else b
            return SequenceType(element, max(m, n)) if isinstance(element, ScalarType) else None
        case OptionType(a), OptionType(b):
            return _option_of(join(a, b))
        case OptionType(a), b:
            return _option_of(join(a, b))
        case a, OptionType(b):
            return _option_of(join(a, b))
    return None


def _option_of(type_: Type | None) -> OptionType | None:
    return OptionType(type_) if isinstance(type_, ScalarType) else None


def number(checking: Checking, node: syntax.Expression) -> Expression:
    """Return an expression checked that must be an integer or a real number; one that may be none is unwrapped."""
    value = plain(checking, checking.infer(node), "this needs a number")
    if not isinstance(value.type, IntType | RealType):
        checking.fail(value.span, f"expected a number, found {described(value.type)}", number_hint(value))
    return value


def number_hint(value: Expression) -> str | None:
    """Return what to tell an author who takes an array, or the members of an enumeration, for numbers."""
    if isinstance(value.type, ArrayType):
        return "one of its elements is written `a[i]`"
    if not isinstance(value.type, EnumType):
        return None
    if value.type.role == "player":
        return "`p.number` is the number of player p, from 1"
    return "`x.number` counts the members from 1; those of a range are numbers: `type rank = 2..14`"


def integer(checking: Checking, node: syntax.Expression, reason: str) -> Expression:
    """Return an expression checked that must be an integer, of any size."""
    value = plain(checking, checking.infer(node), reason)
    if not isinstance(value.type, IntType):
        checking.fail(value.span, f"expected an integer, found {described(value.type)}", _hint(BOOL, value, reason))
    return value


def plain(checking: Checking, value: Expression, reason: str) -> Expression:
    """Return a value that may be none as one that is not; none is a fault in play."""
    if isinstance(value.type, OptionType):
        return coerce(checking, value, value.type.inner, reason)
    return value


def constant_integer(
    checking: Checking, node: syntax.Expression, what: str, hint: str = "it may depend on parameters alone"
) -> int:
    """Return the value of an expression that must be an integer known before play."""
    value = integer(checking, node, what)
    if not isinstance(value, Constant):
        if checking.facts(value).free == frozenset():
            checking.fail_once(value.span, f"{what} takes too long to work out", "write it as a number")
        checking.fail(value.span, f"{what} must be known before play", hint)
    return cast("int", value.value)


def is_finite(type_: RealType) -> bool:
    """Return whether a real type has finite bounds."""
    return math.isfinite(type_.low) and math.isfinite(type_.high)


def set_of_directions(type_: EnumType) -> str:
    """Return a hint for a type whose members are called as directions, of which it has none; empty: they are not."""
    if not set(type_.members) <= set(DIRECTION.members):
        return ""
    name, listed = type_.name, ", ".join(type_.members)
    return f"`{name}` is a type of its own; write `let {name} = {{{listed}}}`, a set of directions"
