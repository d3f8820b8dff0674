"""Checks of steps over a board and of searches through it: `c + north`, `s + 2*d`, `reach from ...`."""

from __future__ import annotations

from typing import Literal, cast

from ggp.language import syntax, typed
from ggp.language.checking import Checking
from ggp.language.coercion import coerce, described, plain
from ggp.language.typed import Expression
from ggp.language.types import DIRECTION, ArrayType, CellType, IntType, OptionType, SetType, Type, size


def step(checking: Checking, node: syntax.Binary, left: Expression) -> Expression | None:
    """Return `cell + direction`, `cell + i*direction` or the same with a set; None if `node` is something else.

    Args:
        checking: the check under way.
        node: an addition or subtraction.
        left: its left operand, checked.
    """
    cells = left.type
    is_set = isinstance(cells, SetType) and isinstance(cells.element, CellType)
    inner = cells.inner if isinstance(cells, OptionType) else cells
    if node.operator == "&" or not (is_set or isinstance(inner, CellType)):
        return None
    product = node.right if isinstance(node.right, syntax.Binary) and node.right.operator == "*" else None
    if product is None and is_set and not _may_be_direction(checking, node.right):
        return None
    if product is not None:
        factors = checking.several(*(lambda part=part: checking.infer(part) for part in (product.left, product.right)))
        first, second = (plain(checking, factor, "a step needs a value") for factor in factors)
        direction, times = (first, second) if first.type == DIRECTION else (second, first)
    else:
        direction = plain(checking, checking.infer(node.right, DIRECTION), "a step needs a direction")
        times = checking.constant(1, IntType(1, 1), node.right.span)
    if direction.type != DIRECTION:
        checking.fail(
            node.right.span,
            f"expected a direction, found {described(direction.type)}",
            "such as `c + north` or `c + 2*north`",
        )
    if not isinstance(times.type, IntType):
        checking.fail(times.span, f"expected a number of steps, found {described(times.type)}")
    if node.operator == "-":
        back = IntType(-times.type.high, -times.type.low)
        times = checking.make(typed.Unary("negate", times, back, times.span))
    if is_set:
        return checking.make(typed.SetStep(left, direction, times, cells, node.span))
    return checking.make(typed.CellStep(left, direction, times, OptionType(cast("CellType", inner)), node.span))


def _may_be_direction(checking: Checking, node: syntax.Expression) -> bool:
    """Return whether the right side of `set + ...` is a direction rather than a set."""
    match node:
        case syntax.Name(_, text):
            entry = checking.names.lookup(text)
            if entry is not None:
                return getattr(entry.meaning, "type", None) in (DIRECTION, OptionType(DIRECTION))
            return any(type_ == DIRECTION for type_, _ in checking.names.members.get(text, ()))
        case syntax.Indexed(_, syntax.Name(_, text), _) | syntax.Call(_, syntax.Word(_, text), _):
            entry = checking.names.lookup(text)
            type_ = getattr(entry.meaning, "type", None) if entry else None
            return DIRECTION in (type_, getattr(type_, "element", None))
        case syntax.Conditional(_, _, then, _):
            return _may_be_direction(checking, then)
    return False


def search(checking: Checking, node: syntax.Search, hint: Type | None) -> Expression:
    """Check `reach from S through T by STEPS` and `distance from ...`."""
    sources = checking.infer(node.sources, hint if node.kind == "reach" else None)
    if not isinstance(sources.type, SetType):
        checking.fail(
            sources.span,
            f"expected a set to start from, found {described(sources.type)}",
            "write `{...}` around one value",
        )
    type_, element = sources.type, sources.type.element
    on_board = isinstance(element, CellType)

    def check_through() -> Expression:
        return coerce(checking, checking.infer(node.through, type_), type_, "a search leads through values of one type")

    def check_steps() -> Expression:
        steps = checking.infer(node.steps, SetType(DIRECTION) if on_board else None)
        neighbours = ArrayType((element,), type_)
        if not (steps.type == neighbours or (on_board and steps.type == SetType(DIRECTION))):
            directions = "a set of directions, or " if on_board else ""
            checking.fail(steps.span, f"expected {directions}{described(neighbours)}, found {described(steps.type)}")
        return steps

    through, steps = checking.several(check_through, check_steps)
    kind: Literal["reach", "distance"] = "reach" if node.kind == "reach" else "distance"
    result: Type = type_ if kind == "reach" else ArrayType((element,), IntType(0, size(element)))
    return checking.make(typed.Reach(kind, sources, through, steps, result, node.span))
