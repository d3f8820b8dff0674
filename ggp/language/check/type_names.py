"""Types as written, and what they mean."""

from __future__ import annotations

from typing import cast

from ggp.language import syntax
from ggp.language.check.checking import Checking, Invalid, Product
from ggp.language.check.coercion import constant_integer
from ggp.language.check.scope import Damaged, Meant
from ggp.language.diagnostics import suggestions
from ggp.language.limits import MAX_MEMBERS, MAX_SET
from ggp.language.typed.types import (
    BOOL,
    ArrayType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SequenceType,
    SetType,
    Type,
    codes,
    scalar_text,
    size,
    type_text,
)

_INTEGERS = "integers have a range, such as `0..99`"
_SEQUENCE = "write `sequence of T, at most n`"
_FOREIGN = {"int": _INTEGERS, "integer": _INTEGERS, "number": _INTEGERS, "nat": _INTEGERS, "boolean": "write `bool`"}
_FOREIGN |= {"dict": "an array has its indices behind its name, as in `held[player]: 0..9 = 0`"}
_FOREIGN |= dict.fromkeys(("str", "string", "char"), "instead of texts list the members: `{north, south}`")
_FOREIGN |= dict.fromkeys(("seq", "stack", "list", "queue", "deque", "vector", "pile", "array"), _SEQUENCE)


def meant_type(
    checking: Checking, node: syntax.Type, name: str = ""
) -> ScalarType | OptionType | SetType | SequenceType:
    """Return what a type means.

    Args:
        checking: the check under way.
        node: the type as written.
        name: the name under which it is declared, empty if it has none.
    """
    match node:
        case syntax.SetType(span, element, _):
            inner = scalar_type(checking, element)
            checking.limit_set(span, inner)
            return SetType(inner)
        case syntax.SequenceType(span, element, most):
            if most is None:
                checking.fail(span, "a sequence has a largest number of items", "write `sequence of T, at most n`")
            items = index_type(checking, element)
            return SequenceType(items, _at_most(checking, most, least=1))
        case syntax.OptionType(_, inner_node):
            return OptionType(scalar_type(checking, inner_node))
        case syntax.NamedType(span, word):
            return _named(checking, word)
        case syntax.EnumerationType(span, members):
            return _enumeration(checking, node, members, name)
        case syntax.ProductType():
            return _product(checking, node, name)
        case syntax.RangeType(span, low_node, high_node):
            low, high = checking.several(
                lambda: constant_integer(checking, low_node, "the lower end of a type"),
                lambda: constant_integer(checking, high_node, "the upper end of a type"),
            )
            if low > high:
                checking.fail(span, f"the range {low}..{high} is empty")
            return IntType(low, high)


def most_declared(checking: Checking, node: syntax.Type) -> int | None:
    """Return how many members the sets of a type have at most, where the type says so."""
    if not isinstance(node, syntax.SetType) or node.most is None:
        return None
    return _at_most(checking, node.most, least=0)


def _at_most(checking: Checking, node: syntax.Expression, least: int) -> int:
    most = constant_integer(checking, node, "the number behind `at most`")
    if not least <= most <= MAX_SET:
        hint = "write `at most max(1, ...)`: a sequence has room for one item at least" if most == 0 else None
        checking.fail(node.span, f"`at most` needs a number from {least} to {MAX_SET}, not {most}", hint)
    return most


def _product(checking: Checking, node: syntax.ProductType, name: str) -> EnumType:
    """Return the enumeration of all pairs, ordered by the first part and then by the second."""
    if isinstance(node.first, syntax.NamedType) and _FOREIGN.get(node.first.name.text) == _SEQUENCE:
        scalar_type(checking, node.first)
    if not name:
        checking.fail(node.span, "a product of types needs a name", "declare it: `type card = rank of suit`")
    first, second = checking.each(lambda part: scalar_type(checking, part), (node.first, node.second))
    count = size(first) * size(second)
    if count > MAX_MEMBERS:
        checking.fail(node.span, f"a product of {count} pairs is too large; the limit is {MAX_MEMBERS}")
    names = [part.name.text if isinstance(part, syntax.NamedType) else "" for part in (node.first, node.second)]
    if names[0] == names[1] != "":
        checking.fail(node.span, f"both parts are called `{names[0]}`", "give one of the types another name")
    texts = tuple(f"{scalar_text(first, a)}_of_{scalar_text(second, b)}" for a in codes(first) for b in codes(second))
    type_ = EnumType(name, texts)
    checking.names.declare_members(type_, tuple(syntax.Word(node.span, text) for text in texts))
    checking.names.whole_types |= {first, second, type_}
    checking.products[type_] = Product((first, second), (names[0], names[1]))
    return type_


def scalar_type(checking: Checking, node: syntax.ScalarType) -> ScalarType:
    """Return what the type of one plain value means."""
    type_ = meant_type(checking, node)
    if isinstance(type_, OptionType | SetType | SequenceType):
        checking.fail(node.span, f"expected a type of plain values, found `{type_text(type_)}`")
    return type_


def index_type(checking: Checking, node: syntax.ScalarType) -> ScalarType:
    """Return what the type of an index means; it may not have too many values."""
    type_ = scalar_type(checking, node)
    checking.limit_set(node.span, type_)
    checking.names.whole_types.add(type_)
    return type_


def _named(checking: Checking, word: syntax.Word) -> ScalarType | OptionType | SetType | SequenceType:
    if word.text == "bool":
        return BOOL
    entry = checking.names.lookup(word.text)
    if entry is None:
        if word.text in checking.names.damaged:
            raise Invalid
        if word.text == "player":
            checking.fail(word.span, "unknown type `player`", "declare the players above: `players first, second`")
        if word.text in checking.later:
            checking.fail_later(word.text, word.span)
        types = [other.name for other in checking.names.visible() if isinstance(other.meaning, Meant)]
        hint = _FOREIGN.get(word.text.lower()) or suggestions(word.text, [*types, "bool"])
        checking.fail(word.span, f"unknown type `{word.text}`", hint)
    checking.names.use(entry, word.span)
    if isinstance(entry.meaning, Damaged):
        raise Invalid
    if not isinstance(entry.meaning, Meant):
        hint = f"what has an index or a choice as its values is a type: `type {word.text} = ...`"
        checking.fail(
            word.span,
            f"`{word.text}` is not a type",
            hint if entry.kind == "let" else None,
            [(entry.span, f"`{word.text}` was declared here")],
        )
    type_: Type = entry.meaning.type
    assert not isinstance(type_, ArrayType)
    return cast("ScalarType | OptionType | SetType | SequenceType", type_)


def _enumeration(
    checking: Checking, node: syntax.EnumerationType, members: tuple[syntax.Word, ...], name: str
) -> EnumType:
    names = tuple(word.text for word in members)
    if len(names) > MAX_MEMBERS:
        checking.fail(node.span, f"an enumeration of {len(names)} members is too long; the limit is {MAX_MEMBERS}")
    for position, word in enumerate(members):
        if word.text in names[:position]:
            first = members[names.index(word.text)]
            checking.fail(word.span, f"`{word.text}` is in this list twice", notes=[(first.span, "first here")])
    type_ = EnumType(name, names)
    checking.names.declare_members(type_, members)
    return type_
