"""Sequences: items in order, the first at the bottom and the last on top, kept in an array and a number of the state.

`pile: sequence of piece, at most 12` becomes an array of `piece or none`, in which the places beyond the last item hold
none, so that equal sequences are equal states, and the number of items. An expression that gives a sequence is known to
the checker alone, as its size and as a function from places to items (`scope.SequenceValue`). What is made of it in the
end, an item, a size, a comparison or an update, consists of nodes that exist.
"""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce, described, integer, join, plain
from ggp.language.check.expressions.arrays import array_without_type, limit_listed
from ggp.language.check.expressions.sequence_parts import Parts
from ggp.language.check.scope import SequenceValue, SequenceVariable
from ggp.language.text.source import Span
from ggp.language.typed import Binder, Constant, Expression, Symbol, Update, Variable
from ggp.language.typed.types import (
    BOOL,
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SequenceType,
    SetType,
    Type,
    codes,
    type_text,
)

ENDS = {"bottom": False, "top": True}
"""What the ends of a sequence are called, and whether it is that of the last item."""
REMOVED = "without_"
SEQUENCE_FIELDS = {
    **dict.fromkeys(ENDS, "`s.bottom` and `s.top`: the first and the last item of a sequence, none if it is empty. "
        "`s.top(k)`: the sequence of the k items there."),
    **dict.fromkeys((f"{REMOVED}{end}" for end in ENDS), "`s.without_top`, `s.without_top(k)`: the sequence that is "
        "left when the item, or the k items, at this end are taken away."),
    "reversed": "`s.reversed`: the sequence from its last item to its first.",
}  # fmt: skip
"""What may follow the point after a sequence, with a text for editors."""


_ONTO = "`s := s + [x]` puts x on top, `s := [x] + s` beneath"
_OFF = "`s.top` is the item on top, and `s := s.without_top` takes it away"
FOREIGN = {
    **dict.fromkeys(("push", "append", "enqueue", "add", "insert", "push_back", "extend"), _ONTO),
    **dict.fromkeys(("pop", "peek", "dequeue", "shift", "pop_back", "pop_front", "remove"), _OFF),
    **dict.fromkeys(("first", "last", "head", "tail"), "`s.bottom` is the first item and `s.top` the last"),
    **dict.fromkeys(("length", "size", "len", "count"), "`count(s)` is the number of items"),
    **dict.fromkeys(("reverse", "reversed"), "`s.reversed` is the sequence from its last item to its first"),
    **dict.fromkeys(("shuffle", "shuffled"), "draw one item after the other: `chance draws i in 1..count(s)`"),
}
"""What is done with sequences in other languages, and how it is written here."""


# --- where they are kept ----------------------------------------------------------------------------------------------


def sequences(
    checking: Checking, node: syntax.Variable, indices: tuple[ScalarType, ...], type_: SequenceType, rows: typed.Value
) -> SequenceVariable:
    """Return the variables that keep a sequence of the state, or an array of them, and make the name known.

    Args:
        checking: the check under way.
        node: the declaration.
        indices: of the array; empty for one sequence.
        type_: of each sequence.
        rows: the items of the one sequence, none beyond the last, or those of each; None where they are wrong.
    """
    name, span = node.name.text, node.name.span
    each = cast("tuple[tuple[int | None, ...], ...]", (() if rows is None else rows) if indices else (rows,))
    number = f"{name}_size"
    while number in checking.later:
        number += "_"
    counts = tuple(sum(item is not None for item in row or ()) for row in each)
    count = IntType(0, type_.most)
    places = ArrayType((*indices, IntType(1, type_.most)), OptionType(type_.element))
    items = Variable(name, places, tuple(item for row in each for item in row or ()), span, part="items")
    kind = ArrayType(indices, count) if indices else count
    size = Variable(number, kind, counts if indices else counts[0], span, part="size")
    made = SequenceVariable(items, size, indices, type_)
    checking.names.declare(node.name, "variable", made)
    return made


def kept(checking: Checking, found: SequenceVariable, indices: tuple[Expression, ...], span: Span) -> Expression:
    """Return the sequence that a variable, or one element of it, is."""
    size = checking.make(typed.StateRead(found.size, indices, IntType(0, found.sequence.most), span))

    def read(place: Expression) -> Expression:
        return checking.make(typed.StateRead(found.items, (*indices, place), OptionType(found.sequence.element), span))

    return _given(
        SequenceValue(found.sequence, size, Parts(checking, span).within(found.sequence, read), span, (found, indices))
    )


def argument(checking: Checking, symbol: Symbol, type_: SequenceType) -> Expression:
    """Return the sequence that an argument of a definition stands for where the definition itself is checked."""
    parts, places, span = Parts(checking, symbol.span), IntType(1, type_.most), symbol.span
    array = checking.local(symbol, span)

    def read(place: Expression) -> Expression:
        return checking.make(typed.Index(array, (place,), OptionType(type_.element), span))

    bound = Symbol("place", places, "bound", span)
    there = parts.not_none(read(checking.local(bound, span)))
    size = checking.make(typed.Aggregate("count", (Binder(bound, places),), None, there, IntType(0, type_.most), span))
    return _given(SequenceValue(type_, size, parts.within(type_, read), span, (symbol, ())))


def updates(
    checking: Checking,
    target: SequenceVariable,
    indices: tuple[Expression, ...],
    value: Expression,
    binders: tuple[Binder, ...],
    condition: Expression | None,
    span: Span,
) -> list[Update]:
    """Return the updates that give a variable, or an element of it, another sequence."""
    type_ = target.sequence
    made = cast("SequenceValue", coerce(checking, value, type_, f"`{target.items.name}` takes {type_text(type_)}"))
    places = IntType(1, type_.most)
    symbol = Symbol("place", places, "bound", span)
    place = checking.local(symbol, span)
    # beyond the longer of both, the old one and the new one, there is nothing, and stays nothing
    before = cast("SequenceValue", kept(checking, target, indices, span))
    last = Parts(checking, span).extreme("maximum", before.size, made.size)
    if condition is not None:  # where nothing changes, too many items are no fault
        none = checking.constant(0, IntType(0, 0), span)
        last = checking.make(typed.If(condition, last, none, IntType(0, type_.most), span))
    each = (*binders, Binder(symbol, (checking.constant(1, places, span), last)))
    return [
        Update(target.items, (*indices, place), made.item(place), each, condition, checking.kind, False, span),
        Update(target.size, indices, made.size, binders, condition, checking.kind, False, span),
    ]


# --- expressions ------------------------------------------------------------------------------------------------------


def as_sequence(value: object) -> SequenceValue | None:
    """Return a sequence among checked expressions as what it is; None of anything else."""
    return value if isinstance(value, SequenceValue) else None


def literal(checking: Checking, node: syntax.List, hint: Type | None) -> Expression:
    """Check `[a, b]` and `[]`: an array where one is expected, and else a sequence, whose type the items may give."""
    if isinstance(hint, ArrayType):
        return array_without_type(checking, node, hint)
    parts = Parts(checking, node.span)
    if isinstance(hint, SequenceType) and hint.most:
        element, values = hint.element, _items_of(checking, node, hint.element)
    else:
        meant = hint.element if isinstance(hint, SequenceType | SetType) else None
        element, values = _items_by_themselves(checking, node, meant)
    type_ = SequenceType(element, len(values))

    def item(place: Expression) -> Expression:
        return parts.one_of(values, place, type_)

    return _given(SequenceValue(type_, parts.number(len(values)), item, node.span))


def _items_of(checking: Checking, node: syntax.List, element: ScalarType) -> list[Expression]:
    reason = f"this is a sequence of {type_text(element)}"

    def read(part: syntax.Expression) -> Expression:
        return coerce(checking, plain(checking, checking.infer(part, element), reason), OptionType(element), reason)

    return checking.each(read, node.elements)


def _items_by_themselves(
    checking: Checking, node: syntax.List, hint: ScalarType | None
) -> tuple[ScalarType, list[Expression]]:
    """Return the type of the items where nothing around them says it, and the items; without any, the type of none."""

    def read(part: syntax.Expression) -> Expression:
        value = plain(checking, checking.infer(part, hint), "this is an item of a sequence")
        if not isinstance(value.type, BoolType | IntType | EnumType | CellType):
            checking.fail(value.span, f"{described(value.type)} cannot be an item of a sequence")
        return value

    values = checking.each(read, node.elements)
    if not values:
        return hint or BOOL, []
    element = values[0].type
    for value in values[1:]:
        found = join(element, value.type)
        if found is None:
            what = f"{described(element)} and {described(value.type)}"
            checking.fail(value.span, f"the items of a sequence do not fit together: {what}")
        element = found
    kind = cast("ScalarType", element)
    return kind, [coerce(checking, value, OptionType(kind), "an item of a sequence") for value in values]


def joined(checking: Checking, first: Expression, second: Expression, span: Span) -> Expression:
    """Return `s + t`: the items of one sequence, and on top of them those of the other."""
    parts = Parts(checking, span)
    below, above = _alike(checking, first, second, span)
    size = parts.sum(below.size, above.size)

    def item(place: Expression) -> Expression:
        return parts.either(
            parts.at_most(place, below.size),
            lambda: below.item(place),
            lambda: above.item(parts.difference(place, below.size)),
            below.type,
        )

    return _given(SequenceValue(SequenceType(below.type.element, below.type.most + above.type.most), size, item, span))


def chosen(checking: Checking, condition: Expression, first: Expression, second: Expression, span: Span) -> Expression:
    """Return `if c then s else t` of two sequences."""
    then, otherwise = _alike(checking, first, second, span)
    type_ = SequenceType(then.type.element, max(then.type.most, otherwise.type.most))
    count = IntType(0, type_.most)

    def item(place: Expression) -> Expression:
        branches = (then.item(place), otherwise.item(place))
        return checking.make(typed.If(condition, *branches, OptionType(type_.element), span))

    size = checking.make(typed.If(condition, then.size, otherwise.size, count, span))
    return _given(SequenceValue(type_, size, item, span))


def equal(checking: Checking, first: Expression, second: Expression, span: Span) -> Expression:
    """Return whether two sequences have the same items in the same order."""
    left, right = _alike(checking, first, second, span)
    parts = Parts(checking, span)
    same_size = checking.make(typed.Binary("equal", left.size, right.size, BOOL, span))
    if not min(left.type.most, right.type.most):
        return same_size
    binder, place = parts.places(left if left.type.most <= right.type.most else right, "place")
    same = checking.make(typed.Binary("equal", left.item(place), right.item(place), BOOL, span))
    all_same = checking.make(typed.Quantifier("all", (binder,), same, BOOL, span))
    return checking.make(typed.Binary("and", same_size, all_same, BOOL, span))


def contains(checking: Checking, value: SequenceValue, element: Expression, span: Span) -> Expression:
    """Return whether an item of a sequence equals a value; none does not."""
    type_ = join(element.type, value.type.element)
    if type_ is None:
        checking.fail(span, f"{described(element.type)} is never in {described(value.type)}")
    binder, item = run_over(checking, value, "place")
    left, right = (coerce(checking, part, type_, "compared values") for part in (item, element))
    same = checking.make(typed.Binary("equal", left, right, BOOL, span))
    return checking.make(typed.Quantifier("any", (binder,), same, BOOL, span))


def run_over(checking: Checking, value: SequenceValue, name: str) -> tuple[Binder, Expression]:
    """Return a binder of the places of a sequence, and the item at the place it is bound to."""
    parts = Parts(checking, value.span)
    binder, place = parts.places(value, name)
    item = value.item(place)
    if isinstance(item, Constant) and item.value is None:  # there are no items: nothing is run over
        return binder, checking.constant(codes(value.type.element).start, value.type.element, value.span)
    with checking.ruled_out(dead=True):  # that there is none: it is asked for at the places of items only
        return binder, checking.make(typed.Unwrap(item, "an item", value.type.element, value.span))


def members(checking: Checking, value: SequenceValue) -> Expression:
    """Return the set of the items of a sequence."""
    binder, item = run_over(checking, value, "place")
    return checking.make(typed.Comprehension((binder,), None, item, SetType(value.type.element), value.span))


def items(checking: Checking, value: SequenceValue, what: str) -> list[Expression]:
    """Return the items at all places of a sequence, none beyond the last: what is told, drawn and hashed of it."""
    places = IntType(1, max(1, value.type.most))
    limit_listed(checking, (places,), what, value.span)
    parts = Parts(checking, value.span)
    return [value.item(parts.number(place)) for place in range(1, value.type.most + 1)]


def attribute(checking: Checking, node: syntax.Attribute, value: SequenceValue) -> Expression:
    """Check `s.top`, `s.top(k)`, `s.without_top`, `s.reversed` and their kin."""
    parts, name, span = Parts(checking, node.span), node.name.text, node.span
    end = name.removeprefix(REMOVED)
    if name == "reversed" and node.argument is None:
        return _given(replace(value, item=lambda place: parts.mirrored(value, place), span=span, kept=None))
    if end not in ENDS:
        advice = "it has `.bottom`, `.top`, `.without_bottom`, `.without_top` and `.reversed`"
        checking.fail(node.name.span, f"{described(value.type)} has no `.{name}`", FOREIGN.get(name, advice))
    if node.argument is None and end == name:
        place = parts.extreme("maximum", value.size, parts.number(1)) if ENDS[end] else parts.number(1)
        return value.item(place)
    count = parts.number(1)
    if node.argument is not None:
        reason = "a number of items"
        given = integer(checking, node.argument, reason)
        high = cast("IntType", given.type).high
        count = coerce(checking, given, IntType(0, max(0, high)), reason)
    return _given(parts.end(value, count, ENDS[end], removed=end != name))


def place_of(checking: Checking, node: syntax.Indexed, value: SequenceValue) -> Expression:
    """Check `s[i]`, the item at a place or none, and `s[a..b]`, the items from one place to another."""
    parts = Parts(checking, node.span)
    if len(node.indices) > 1:
        checking.fail(node.span, "an item of a sequence has one number", "its items are `s[1]` to `s[count(s)]`")
    (index,) = node.indices
    if isinstance(index, syntax.Range):
        ends = checking.each(lambda end: integer(checking, end, "a place is a number"), (index.low, index.high))
        before = parts.difference(parts.extreme("maximum", ends[0], parts.number(1)), parts.number(1))
        below = parts.end(value, parts.extreme("maximum", ends[1], parts.number(0)), at_top=False, removed=False)
        return _given(parts.end(below, before, at_top=False, removed=True))
    if isinstance(index, syntax.Unary) and isinstance(index.operand, syntax.Integer):
        checking.found.warning(index.span, "there is no such place, so this is none", "the last item is `s.top`")
    place = integer(checking, index, "the items of a sequence are numbered from 1")
    return parts.either(
        parts.at_most(parts.number(1), place), lambda: value.item(place), lambda: parts.nothing(value.type), value.type
    )


def _alike(
    checking: Checking, first: Expression, second: Expression, span: Span
) -> tuple[SequenceValue, SequenceValue]:
    """Return two sequences whose items are of one type."""
    type_ = join(first.type, second.type)
    if not isinstance(type_, SequenceType):
        one, other = (first, second) if as_sequence(first) is None else (second, first)
        is_item = not isinstance(one.type, SequenceType) and join(one.type, cast("SequenceType", other.type).element)
        hint = "write `[...]` around one item to make a sequence of it" if is_item else None
        checking.fail(one.span, f"expected {described(other.type)}, found {described(one.type)}", hint)
    left, right = (coerce(checking, one, type_, "sequences of one type") for one in (first, second))
    return cast("SequenceValue", left), cast("SequenceValue", right)


def _given(value: SequenceValue) -> Expression:
    """Return a sequence where the check of an expression gives one: no typed tree ever contains it."""
    return cast("Expression", value)
