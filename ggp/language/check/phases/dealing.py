"""What `chance deals`: each draw is taken from what those before it left, and hands have one name for all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from ggp.language import syntax
from ggp.language.check.checking import Checking
from ggp.language.check.expressions.indices import by_values, selected
from ggp.language.check.phases.successive_draws import left_by
from ggp.language.check.scope import Selection
from ggp.language.typed import Component, Expression, Function, Symbol
from ggp.language.typed.types import ScalarType, scalar_text, size, type_text


def left(
    checking: Checking,
    node: syntax.Choice,
    values: ScalarType | Expression,
    type_: ScalarType,
    made: Sequence[Component],
    deals: bool,
) -> ScalarType | Expression:
    """Return what may be drawn; where chance deals, without what it dealt before."""
    if not deals or not made:
        return values
    if made[0].type != type_:
        checking.names.damage(node.name.text)
        found = f"`{made[0].symbol.name}` is {type_text(made[0].type)}, and this {type_text(type_)}"
        checking.fail(node.domain.span, f"what is dealt together is of one type: {found}")
    return left_by(checking, made, values, node.domain.span)


def hands(
    checking: Checking,
    node: syntax.Choice,
    types: Sequence[ScalarType],
    rows: Sequence[tuple[int, ...]],
    dealt: Sequence[Sequence[Component]],
) -> Function:
    """Declare what `h[p in player] in 5 of deck` deals as a definition: the hand of each, an empty one of all others.

    Args:
        checking: the check under way.
        node: the choice.
        types: those of its indices.
        rows: for which values of these there is a hand.
        dealt: the hand of each.
    """
    found = []
    for values, hand in zip(rows, dealt, strict=True):
        own = [part.symbol for part in hand]
        checking.vectors[own[0]] = named(node, types, values), Selection(tuple(own))
        found.append((values, selected(checking, own, None, node.name.span)))
    arguments = tuple(
        Symbol(index.name.text, type_, "bound", node.span) for index, type_ in zip(node.indices, types, strict=True)
    )
    given = [(checking.local(one, node.span), cast("ScalarType", one.type)) for one in arguments]
    nothing = checking.constant(frozenset(), found[0][1].type, node.span)
    body = by_values(checking, given, found, None if len(rows) == math.prod(map(size, types)) else nothing)
    made = Function(node.name.text, arguments, body, body.type, True, checking.phase, node.name.span)
    checking.names.declare(node.name, "draw", made)
    return made


def named(node: syntax.Choice, types: Sequence[ScalarType], values: Sequence[int]) -> str:
    """Return what is drawn for some values of the indices, as it is written."""
    return f"{node.name.text}[{', '.join(map(scalar_text, types, values))}]"
