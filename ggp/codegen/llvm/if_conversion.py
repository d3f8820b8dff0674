"""If-conversion: which conditionals are written without a jump, although both sides are then computed."""

from __future__ import annotations

from ggp.codegen.ir.build import blocks_of, parts, walk
from ggp.codegen.ir.nodes import Assign, Call, Constant, Entry, Expression, If, Name, Operation
from ggp.codegen.ir.operators import OPERATORS

CHEAP_ASSIGNMENT_NODES, LOAD_NODES = 60, 6
"""Conditional assignments of up to so many nodes are computed on both sides, a load counted as so many."""


def is_random(test: Expression) -> bool:
    """Return whether a condition depends on what was chosen or drawn."""
    return any(isinstance(part, Name) and part.drawn for part in walk(test))


def is_if_converted(statement: If, in_random: bool) -> bool:
    """Return whether a conditional is written without a jump: it assigns names, and its test cannot be foreseen.

    That is so if the test is random, and everywhere in a module of random games.
    """
    values = _computed(statement)
    if values is None or sum(map(_nodes, values)) > CHEAP_ASSIGNMENT_NODES:
        return False
    return in_random or any(is_random(test) for test, _ in statement.arms)


def _computed(statement: If) -> list[Expression] | None:
    """Return what a conditional computes after its first test, or None if it does more than assign names."""
    values = [test for test, _ in statement.arms[1:]]
    for inner in (inner for block in blocks_of(statement) for inner in block):
        if isinstance(inner, If) and (more := _computed(inner)) is not None:
            values += [inner.arms[0][0], *more]
        elif isinstance(inner, Assign):
            values.append(inner.value)
        else:
            return None
    return values


def _nodes(value: Expression) -> int:
    """Return the number of nodes of an expression, a load counted as so many; a large one where it is slow."""
    if isinstance(value, Call) or (isinstance(value, Operation) and _is_slow(value)):
        return CHEAP_ASSIGNMENT_NODES + 1
    return (LOAD_NODES if isinstance(value, Entry) else 1) + sum(map(_nodes, parts(value)))


def _is_slow(value: Operation) -> bool:
    """Return whether an operation is dearer than a jump."""
    # a remainder by a constant is a product, and a check a comparison
    by_constant = value.operator == "remainder" and isinstance(value.operands[1], Constant)
    return OPERATORS[value.operator].slow and not by_constant and value.operator not in ("guard", "unwrap")
