"""Checks of steps over a board and of searches through it: `c + north`, `s + 2*d`, `reach from ...`."""

from __future__ import annotations

from typing import Literal, cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import coerce, described, plain, set_of_directions
from ggp.language.check.scope import Entry
from ggp.language.typed import Expression, Function, Symbol, Table, Variable
from ggp.language.typed.types import (
    DIRECTION,
    ArrayType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    Type,
    size,
)


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
    if product is None and is_set and not may_be_direction(checking, node.right):
        return None
    if product is not None:
        factors = checking.each(checking.infer, (product.left, product.right))
        first, second = (plain(checking, factor, "a step needs a value") for factor in factors)
        direction, times = (first, second) if first.type == DIRECTION else (second, first)
    else:
        direction = plain(checking, checking.infer(node.right, DIRECTION), "a step needs a direction")
        times = checking.constant(1, IntType(1, 1), node.right.span)
    if direction.type != DIRECTION:
        hint = "such as `c + north` or `c + 2*north`"
        if direction.type == SetType(DIRECTION):
            hint = "the cells that lie in the directions of a set D are `{c + d for d in D}`"
        if isinstance(direction.type, EnumType) and (meant := set_of_directions(direction.type)):
            hint = meant
            if not checking.names.confuse(DIRECTION, direction.type):
                raise Invalid
        checking.fail(node.right.span, f"expected a direction, found {described(direction.type)}", hint)
    if not isinstance(times.type, IntType):
        checking.fail(times.span, f"expected a number of steps, found {described(times.type)}")
    if node.operator == "-":
        back = IntType(-times.type.high, -times.type.low)
        times = checking.make(typed.Unary("negate", times, back, times.span))
    if is_set:
        return checking.make(typed.SetStep(left, direction, times, cells, node.span))
    return checking.make(typed.CellStep(left, direction, times, OptionType(cast("CellType", inner)), node.span))


def may_be_direction(checking: Checking, node: syntax.Expression) -> bool:
    """Return whether the right side of `set + ...` is a direction rather than a set."""
    match node:
        case syntax.Name(_, text):
            entry = checking.names.lookup(text)
            if entry is not None:
                return getattr(entry.meaning, "type", None) in (DIRECTION, OptionType(DIRECTION))
            return any(type_ == DIRECTION for type_, _ in checking.names.members.get(text, ()))
        case syntax.Call(_, syntax.Word(_, "opposite"), _):
            return True
        case syntax.Indexed(_, syntax.Name(_, text), _) | syntax.Call(_, syntax.Word(_, text), _):
            entry = checking.names.lookup(text)
            type_ = getattr(entry.meaning, "type", None) if entry else None
            of_call = (type_, getattr(type_, "element", None))
            return DIRECTION in of_call or OptionType(DIRECTION) in of_call
        case syntax.Conditional(_, _, then, _):
            return may_be_direction(checking, then)
        case syntax.Unary(_, "-", operand):
            return may_be_direction(checking, operand)
        case syntax.Binary(_, "*", left, right, _):
            return may_be_direction(checking, left) or may_be_direction(checking, right)
    return False


def search(checking: Checking, node: syntax.Search, hint: Type | None) -> Expression:
    """Check `reach from S through T by STEPS` and `distance from ...`.

    The steps come first: an array of neighbours gives the type of all the values, which `S` alone may not.
    """
    steps = search_steps(checking, node.steps)
    wanted = _searched(steps.type)
    if wanted is None and steps.type != SetType(DIRECTION):
        checking.fail(
            steps.span,
            f"expected the steps of a search, found {described(steps.type)}",
            "name a set of directions, or an array, `let` or `def` that gives the set of each value's neighbours",
        )
    found: list[SetType] = [wanted] if wanted is not None else []

    def check_sources() -> Expression:
        sources = checking.infer(node.sources, wanted or (hint if node.kind == "reach" else None))
        if not isinstance(sources.type, SetType):
            checking.fail(
                sources.span,
                f"expected a set to start from, found {described(sources.type)}",
                "write `{...}` around one value",
            )
        if wanted is not None:
            return coerce(checking, sources, wanted, "a search starts from values that have neighbours")
        if not isinstance(sources.type.element, CellType):
            checking.fail(
                sources.span,
                f"directions need a set of cells, found {described(sources.type)}",
                "`by` may also name a table of each value's neighbours",
            )
        found.append(sources.type)
        return sources

    def check_through() -> Expression:
        if not found:
            raise Invalid
        through = checking.infer(node.through, found[0])
        return coerce(checking, through, found[0], "a search leads through values of one type")

    sources, through = checking.several(check_sources, check_through)
    (type_,) = found
    kind: Literal["reach", "distance"] = "reach" if node.kind == "reach" else "distance"
    result: Type = type_ if kind == "reach" else ArrayType((type_.element,), IntType(0, size(type_.element)))
    return checking.make(typed.Reach(kind, sources, through, steps, result, node.span))


def search_steps(checking: Checking, node: syntax.Expression) -> Expression:
    """Return the steps of a search: directions, or an array of each value's neighbours, where it is one of either."""
    return _computed_steps(checking, node) or checking.infer(node, SetType(DIRECTION))


def _computed_steps(checking: Checking, node: syntax.Expression) -> Expression | None:
    """Return the array of neighbours that `near`, `near(x, y)` or `near[x, y]` gives, where one more value is expected.

    None if `node` is nothing of the kind. An array of a single index is one as it stands.
    """
    given: tuple[syntax.Expression, ...] = ()
    match node:
        case syntax.Name(span, text):
            word = syntax.Word(span, text)
        case syntax.Call(_, word, given):
            pass
        case syntax.Indexed(_, syntax.Name(span, text), given):
            word = syntax.Word(span, text)
        case _:
            return None
    entry = checking.names.lookup(word.text)
    types = _expected(entry) if entry is not None else ()
    if entry is None or len(types) != len(given) + 1:
        return None
    stepped = types[-1]
    if not isinstance(stepped, ScalarType):
        return None
    function = entry.meaning if isinstance(entry.meaning, Function) else None
    if function is None and not given:
        return None
    checking.limit_set(node.span, stepped)
    symbol = Symbol(f"value {len(checking.names.scopes)}", stepped, "bound", node.span)
    local = checking.local(symbol, node.span)
    arguments = (*given, syntax.Name(node.span, symbol.name))
    whole: syntax.Expression = syntax.Indexed(node.span, syntax.Name(word.span, word.text), arguments)
    if isinstance(node, syntax.Call) or not (given or function is None or function.is_let):
        whole = syntax.Call(node.span, word, arguments)
    with checking.names.inner() as scope:
        scope[symbol.name] = Entry(symbol.name, "name", node.span, local, used=True)
        body = checking.infer(whole)
    if not isinstance(body.type, SetType):
        checking.fail(node.span, f"`{word.text}` gives {described(body.type)}, not a set of neighbours")
    wanted = SetType(stepped)
    body = coerce(checking, body, wanted, f"`{word.text}` gives the neighbours of each value")
    return checking.make(typed.ArrayOf(symbol, body, ArrayType((stepped,), wanted), node.span))


def _expected(entry: Entry) -> tuple[Type, ...]:
    """Return the types of the arguments or indices that a name is written with."""
    match entry.meaning:
        case Function(arguments=arguments):
            return tuple(argument.type for argument in arguments)
        case Variable(type=ArrayType(indices, _)) | Table(type=ArrayType(indices, _)):
            return indices
    return ()


def _searched(steps: Type) -> SetType | None:
    """Return the type of the sets of values whose neighbours an array gives; None if it is not such an array."""
    match steps:
        case ArrayType((index,), SetType(element) as type_) if index == element:
            return type_
    return None
