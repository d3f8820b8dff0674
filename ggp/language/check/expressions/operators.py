"""Checks of operators on numbers and truth values, of comparisons, and of `if`."""

from __future__ import annotations

from typing import Literal, cast

from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce, described, expect_truth, join, joined, number_hint, plain, truth
from ggp.language.check.expressions.arithmetic import arithmetic
from ggp.language.check.expressions.boards import may_be_direction, step
from ggp.language.check.expressions.built_in_functions import opposite
from ggp.language.check.expressions.literals import hint_from, needs_hint, pair, vagueness
from ggp.language.check.expressions.sequences import as_sequence, chosen, equal
from ggp.language.check.expressions.sequences import joined as joined_sequences
from ggp.language.text.source import Span
from ggp.language.typed import BinaryOperator, Constant, Expression
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
    SequenceType,
    SetType,
    TextType,
    Type,
    type_text,
)

_WITHOUT = "`s.without_top(k)` is what is left without the k items on top; `s[a..b]` are those from a to b"
_ORDER: dict[str, BinaryOperator] = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}


def unary(checking: Checking, node: syntax.Unary, hint: Type | None) -> Expression:
    """Check `-x` and `not x`."""
    if node.operator == "not":
        return negation(checking, truth(checking, node.operand), node.span)
    operand = plain(checking, checking.infer(node.operand, hint), "a number")
    if operand.type == DIRECTION:
        return opposite(checking, operand, node.span)
    if not isinstance(operand.type, IntType | RealType):
        checking.fail(operand.span, f"expected a number, found {described(operand.type)}")
    type_ = replace(operand.type, low=-operand.type.high, high=-operand.type.low)
    return checking.make(typed.Unary("negate", operand, type_, node.span))


def negation(checking: Checking, operand: Expression, span: Span) -> Expression:
    """Return the negation of a truth value."""
    return checking.make(typed.Unary("not", operand, BOOL, span))


def is_none(checking: Checking, node: syntax.IsNone, hint: Type | None) -> Expression:
    """Check `x is none` and `x is some`."""
    operand = checking.infer(node.operand)
    if not isinstance(operand.type, OptionType):
        checking.fail(node.span, f"this is never none: it is {described(operand.type)}")
    test = checking.make(typed.Unary("is_none", operand, BOOL, node.span))
    return negation(checking, test, node.span) if node.negated else test


def binary(checking: Checking, node: syntax.Binary, hint: Type | None) -> Expression:
    """Check an operator on two operands, whichever it is."""
    if node.operator in ("and", "or"):
        return _logical(checking, node)
    if node.operator in ("==", "!=", *_ORDER):
        return _comparison(checking, node)
    if node.operator in ("*", "/", "div", "mod", "^"):
        left, right = checking.each(checking.infer, (node.left, node.right))
        return arithmetic(checking, node, left, right)
    return _sum(checking, node, hint)


def _sum(checking: Checking, node: syntax.Binary, hint: Type | None) -> Expression:
    """Check `+`, `-` and `&`: on numbers, sets, or a step over a board."""
    _warn_of_mixture(checking, node)
    hint_of_left = hint if isinstance(hint, SetType | SequenceType | CellType | OptionType) else None
    away, more = _taken_and_added(node.right)
    if (
        hint_of_left is None
        and away is None
        and needs_hint(checking, node.left)
        and not may_be_direction(checking, node.right)
    ):
        left, right = pair(checking, node.left, node.right, None)
    else:
        left = checking.infer(node.left, hint_of_left)
        stepped = step(checking, node, left)
        if stepped is not None:
            return stepped
        if away is not None and as_sequence(left):
            checking.fail(away.span, "there is no `-` of sequences", _WITHOUT)
        if away is not None and isinstance(left.type, SetType):
            for operator, part in (("-", away), ("+", more)):
                if part is not None:
                    operation = replace(node, operator=operator, right=part)
                    left = _joined(checking, operation, left, checking.infer(part, left.type))
            return left
        right = checking.infer(node.right, left.type if isinstance(left.type, SetType | SequenceType) else None)
    return _joined(checking, node, left, right)


def _taken_and_added(node: syntax.Expression) -> tuple[syntax.Expression | None, syntax.Expression | None]:
    """Return what the end of a long chain takes away from the set before it, and what it then adds.

    The chain is balanced: of `s - a + b - c`, the end `-a + (b + -c)` takes away `a + c` and adds `b - c`.
    """
    if isinstance(node, syntax.Unary) and node.subtracts:
        return node.operand, None
    if not isinstance(node, syntax.Binary) or node.operator != "+" or _is_bracketed(node):
        return None, node
    (first, before), (second, behind) = map(_taken_and_added, (node.left, node.right))
    if first is None and second is None:
        return None, node

    def joined(operator: str, *operands: syntax.Expression | None) -> syntax.Expression | None:
        left, right = operands
        if left is None or right is None:
            return left if right is None else right if operator == "+" else None
        return syntax.Binary(node.span, operator, left, right, node.place)

    return joined("+", first, second), joined("+", joined("-", before, second), behind)


def _is_bracketed(node: syntax.Binary) -> bool:
    return (node.span.line, node.span.column) != (node.left.span.line, node.left.span.column)


def _joined(checking: Checking, node: syntax.Binary, left: Expression, right: Expression) -> Expression:
    """Check `+`, `-` and `&` of two operands that were checked, and are no step over a board."""
    if as_sequence(left) or as_sequence(right):
        if node.operator != "+":
            checking.fail(node.span, f"there is no `{node.operator}` of sequences", _WITHOUT)
        return joined_sequences(checking, left, right, node.span)
    if isinstance(left.type, SetType) and isinstance(right.type, SetType):
        return _set_operation(checking, node, left, right)
    for members, single, other in ((left, right, node.right), (right, left, node.left)):
        if isinstance(members.type, SetType) and join(members.type.element, single.type) is not None:
            value = other.text if isinstance(other, syntax.Name) else "..."
            checking.fail(
                single.span,
                f"`{node.operator}` joins two sets here, found {described(single.type)}",
                f"write `{{{value}}}`, the set of this one value",
            )
    if node.operator == "&":
        wrong = left if not isinstance(left.type, SetType) else right
        both_truths = isinstance(left.type, BoolType) and isinstance(right.type, BoolType)
        checking.fail(
            wrong.span, f"`&` needs two sets, found {described(wrong.type)}", "write `and`" if both_truths else None
        )
    return arithmetic(checking, node, left, right)


def _warn_of_mixture(checking: Checking, node: syntax.Binary) -> None:
    """Warn of `a & b + c` without brackets, which is `a & (b + c)`: most readers expect `&` to bind tighter."""
    if node.operator != "&":
        return
    for part in (node.left, node.right):
        if not isinstance(part, syntax.Binary) or part.operator not in ("+", "-"):
            continue
        place = (part.place.line, part.place.column)
        if not _is_bracketed(part) and place not in checking.mixtures:
            checking.mixtures.add(place)
            checking.found.warning(
                part.place,
                f"`{part.operator}` binds tighter than `&`",
                "write brackets: `(a & b) + c` or `a & (b + c)`",
            )


def _set_operation(checking: Checking, node: syntax.Binary, left: Expression, right: Expression) -> Expression:
    type_ = join(left.type, right.type)
    if type_ is None:
        checking.fail(right.span, f"expected {described(left.type)}, found {described(right.type)}")
    if node.operator == "-" and isinstance(left.type, SetType):
        # What is taken away cannot add to the range.
        result: Type = left.type
    else:
        result = type_
    left, right = (coerce(checking, part, type_, "one set") for part in (left, right))
    name = {"+": "union", "-": "difference", "&": "intersection"}[node.operator]
    made = checking.make(
        typed.SetOperation(cast("Literal['union', 'difference', 'intersection']", name), left, right, type_, node.span)
    )
    return coerce(checking, made, result, "one set")


def _logical(checking: Checking, node: syntax.Binary) -> Expression:
    decides = int(node.operator == "or")
    made: list[Expression] = []

    def check_left() -> Expression:
        made.append(checking.infer(node.left, BOOL))
        if isinstance(made[0].type, SetType):
            advice = "write `S + T` for the members of either" if decides else "write `S & T` for the members of both"
            reason = f"`{node.operator}` joins truth values, found {described(made[0].type)}"
            checking.fail(node.place, reason, advice)
        if decides and isinstance(made[0].type, IntType):
            reason = f"`or` joins truth values, found {described(made[0].type)}"
            checking.fail(node.place, reason, "where there may be nothing, write `if s == {} then 0 else max(s)`")
        return expect_truth(checking, made[0])

    def check_right() -> Expression:
        if made and isinstance(made[0].type, SetType | IntType):
            return checking.infer(node.right, made[0].type)
        dead = bool(made) and isinstance(made[0], Constant) and made[0].value == decides
        with checking.ruled_out(dead):
            return truth(checking, node.right)

    left, right = checking.several(check_left, check_right)
    if isinstance(left, Constant):
        return left if left.value == decides else right
    if isinstance(right, Constant) and right.value != decides:
        return left
    return checking.make(typed.Binary("or" if decides else "and", left, right, BOOL, node.span))


def both(checking: Checking, left: Expression, right: Expression, span: Span) -> Expression:
    """Return whether two truth values that were checked are both true."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant) and one.value:
            return other
    return checking.make(typed.Binary("and", left, right, BOOL, span))


def _comparison(checking: Checking, node: syntax.Binary) -> Expression:
    left, right = pair(checking, node.left, node.right, None)
    if node.operator not in _ORDER and (as_sequence(left) or as_sequence(right)):
        same = equal(checking, left, right, node.span)
        return same if node.operator == "==" else negation(checking, same, node.span)
    if isinstance(left.type, SetType) and isinstance(right.type, SetType) and node.operator in _ORDER:
        return _subset(checking, node, left, right)
    if node.operator in _ORDER:
        return ordered(checking, node.operator, left, right, node.span)
    type_ = join(left.type, right.type)
    if type_ is None:
        match left.type, right.type:
            case ArrayType(one), ArrayType(other) if one == other:
                checking.fail(
                    node.span,
                    f"the elements of one array are {type_text(left.type.element)}, "
                    f"of the other {type_text(right.type.element)}",
                    f"compare one by one, as in `all i in {type_text(one[0])}: a[i] == b[i]`",
                )
        checking.fail(
            node.span, f"{described(left.type)} is never {described(right.type)}", "compare values of one kind"
        )
    if isinstance(type_, TextType | MoveType):
        checking.fail(node.span, f"{described(type_)} cannot be compared")
    if not isinstance(type_, IntType):
        left, right = (coerce(checking, part, type_, "compared values") for part in (left, right))
    operator: BinaryOperator = "equal" if node.operator == "==" else "unequal"
    return checking.make(typed.Binary(operator, left, right, BOOL, node.span))


def ordered(checking: Checking, operator: str, left: Expression, right: Expression, span: Span) -> Expression:
    """Return `left < right` or its kin of two operands that were checked."""
    left, right = (plain(checking, part, f"`{operator}` compares values") for part in (left, right))
    if isinstance(left.type, EnumType | CellType) and left.type == right.type:
        return checking.make(typed.Binary(_ORDER[operator], left, right, BOOL, span))
    for part in (left, right):
        if not isinstance(part.type, IntType | RealType):
            checking.fail(part.span, f"`{operator}` compares numbers, found {described(part.type)}", number_hint(part))
    type_ = joined(checking, left, right, "these numbers")
    if isinstance(type_, RealType):
        left, right = (coerce(checking, part, type_, "a real number") for part in (left, right))
    return checking.make(typed.Binary(_ORDER[operator], left, right, BOOL, span))


def _subset(checking: Checking, node: syntax.Binary, left: Expression, right: Expression) -> Expression:
    type_ = joined(checking, left, right, "these sets")
    left, right = (coerce(checking, part, type_, "compared sets") for part in (left, right))
    if node.operator in (">", ">="):
        left, right = right, left
    within = checking.make(typed.Subset(left, right, BOOL, node.span))
    if node.operator in ("<=", ">="):
        return within
    differ = checking.make(typed.Binary("unequal", left, right, BOOL, node.span))
    return checking.make(typed.Binary("and", within, differ, BOOL, node.span))


def conditional(checking: Checking, node: syntax.Conditional, hint: Type | None) -> Expression:
    """Check `if c then a else b`; where the parameters decide `c`, only the branch taken is kept."""
    condition = truth(checking, node.condition)
    decided = condition.value if isinstance(condition, Constant) else None
    kept: list[Type | None] = [hint]

    def check(branch: syntax.Expression, dead: bool) -> Expression:
        with checking.ruled_out(dead):
            made = checking.infer(branch, kept[-1])
        if hint is None:
            kept.append(hint_from(checking, branch, made))
        return made

    order = [(node.then, decided == 0), (node.otherwise, decided == 1)]
    if needs_hint(checking, node.then) and vagueness(checking, node.then) >= vagueness(checking, node.otherwise):
        order.reverse()
    made = checking.each(check, *zip(*order, strict=True))
    then, otherwise = reversed(made) if order[0][0] is node.otherwise else made
    type_ = join(then.type, otherwise.type)
    if type_ is None and hint is not None and not isinstance(hint, ArrayType):
        then, otherwise = (
            coerce(checking, part, hint, "both branches give one kind of value") for part in (then, otherwise)
        )
        type_ = hint
    if type_ is None:
        type_ = joined(checking, then, otherwise, "the branches of this `if`")
    if decided is not None:
        return then if decided else otherwise
    if isinstance(type_, SequenceType):
        return chosen(checking, condition, then, otherwise, node.span)
    then, otherwise = (coerce(checking, part, type_, "both branches") for part in (then, otherwise))
    return checking.make(typed.If(condition, then, otherwise, type_, node.span))
