"""Checks of literals, and of two expressions of which one may need the other to be understood."""

from __future__ import annotations

from ggp.language import syntax
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.expressions.boards import may_be_direction
from ggp.language.check.expressions.cells import cells_named
from ggp.language.typed import Expression
from ggp.language.typed.types import (
    BOOL,
    BoolType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    RealType,
    SequenceType,
    TextType,
    Type,
)


def integer(checking: Checking, node: syntax.Integer, hint: Type | None) -> Expression:
    """Check a whole number."""
    return checking.constant(node.value, IntType(node.value, node.value), node.span)


def real(checking: Checking, node: syntax.Real, hint: Type | None) -> Expression:
    """Check a number with a decimal point."""
    return checking.constant(node.value, RealType(node.value, node.value), node.span)


def text(checking: Checking, node: syntax.Text, hint: Type | None) -> Expression:
    """Check a text."""
    return checking.constant(node.value, TextType(), node.span)


def truth_value(checking: Checking, node: syntax.Truth, hint: Type | None) -> Expression:
    """Check `yes` and `no`."""
    return checking.constant(int(node.value), BOOL, node.span)


def nothing(checking: Checking, node: syntax.Nothing, hint: Type | None) -> Expression:
    """Check `none`, whose type depends on where it stands."""
    match hint:
        case OptionType():
            return checking.constant(None, hint, node.span)
        case BoolType() | IntType() | EnumType() | CellType():
            return checking.constant(None, OptionType(hint), node.span)
        case _:
            advice = 'tell a text, such as `sees p: "nothing"`' if checking.choosers else "test with `x is none`"
            checking.fail(node.span, "the type of `none` is not clear here", advice)


def needs_hint(checking: Checking, node: syntax.Expression | syntax.Range) -> bool:
    """Return whether the type of an expression depends on where it stands."""
    match node:
        case syntax.Nothing() | syntax.Everything() | syntax.List() | syntax.Keyed():
            return True
        case syntax.Braces(_, elements):
            return all(needs_hint(checking, element) for element in elements)
        case syntax.Name(_, text_):
            owners = checking.names.members.get(text_) or cells_named(checking, text_)
            return checking.names.lookup(text_) is None and len(owners) > 1
        case syntax.Conditional(_, _, then, otherwise):
            return needs_hint(checking, then) and needs_hint(checking, otherwise)
        case syntax.Binary(_, "+" | "-" | "&", left, right, _):
            return needs_hint(checking, left) and (needs_hint(checking, right) or may_be_direction(checking, right))
    return False


def vagueness(checking: Checking, node: syntax.Expression) -> int:
    """Return how much an expression needs others to have a type: 2 for `[]`, which says nothing by itself."""
    match node:
        case syntax.List(_, elements) if not elements:
            return 2
        case syntax.Conditional(_, _, then, otherwise) if needs_hint(checking, node):
            return min(vagueness(checking, then), vagueness(checking, otherwise))
    return int(needs_hint(checking, node))


def hint_from(checking: Checking, node: syntax.Expression, made: Expression) -> Type:
    """Return what an expression says of the type of another: a sequence that is written out does not bound numbers."""
    type_ = made.type
    return SequenceType(type_.element, 0) if isinstance(type_, SequenceType) and needs_hint(checking, node) else type_


def pair(
    checking: Checking, left: syntax.Expression, right: syntax.Expression, hint: Type | None
) -> tuple[Expression, Expression]:
    """Return two expressions checked that should be of one type: the clearer one first, as a hint for the other."""
    if vagueness(checking, left) > vagueness(checking, right):
        second, first = _in_turn(checking, right, left, hint)
    else:
        first, second = _in_turn(checking, left, right, hint)
    return first, second


def _in_turn(
    checking: Checking, first: syntax.Expression, second: syntax.Expression, hint: Type | None
) -> tuple[Expression, Expression]:
    types: list[Type | None] = [hint]

    def check_first() -> Expression:
        made = checking.infer(first, hint)
        types.append(hint_from(checking, first, made))
        return made

    def check_second() -> Expression:
        if len(types) == 1 and needs_hint(checking, second):
            # the side that would have given its type was wrong
            raise Invalid
        return checking.infer(second, types[-1])

    a, b = checking.several(check_first, check_second)
    return a, b
