"""What native code computes although it may not be wanted, since a jump would cost more."""

from __future__ import annotations

from ggp.model.ir.build import parts
from ggp.model.ir.nodes import Assign, Call, Constant, Entry, Expression, If, Operation
from ggp.model.ir.operators import OPERATORS
from ggp.model.ir.passes import walk

CHEAP_NODES = 18
"""Conditional expressions of up to so many nodes are computed on both sides, not jumped to;"""
CHEAP_NODES_OF_BYTES, LOAD_NODES = 60, 6
"""of up to so many where they read a packed array, a load counted as so many."""


def is_choice(statement: If) -> bool:
    """Return whether a conditional is written without a jump: it assigns names, and reads a packed array."""
    ((_, then), *others), otherwise = statement.arms, statement.otherwise
    values = [inner.value for inner in (*then, *otherwise) if isinstance(inner, Assign)]
    if others or len(values) < len(then) + len(otherwise):
        return False
    reads_bytes = any(
        part.operator == "byte_of" for value in values for part in walk(value) if isinstance(part, Operation)
    )
    return reads_bytes and sum(_nodes(value, LOAD_NODES) for value in values) <= CHEAP_NODES_OF_BYTES


def is_cheap(value: Expression) -> bool:
    """Return whether computing an expression needlessly does no harm and costs less than a jump may: no calls.

    Conditions on an array that lies packed in registers cannot be foreseen, as the array changes as a whole; of others,
    those that load from memory are jumped to.
    """
    if any(isinstance(part, Operation) and part.operator == "byte_of" for part in walk(value)):
        return _nodes(value, LOAD_NODES) <= CHEAP_NODES_OF_BYTES
    return _nodes(value, CHEAP_NODES + 1) <= CHEAP_NODES


def _nodes(value: Expression, load: int) -> int:
    """Return the number of nodes of an expression, a load counted as so many; a large one where it is slow."""
    if isinstance(value, Call) or (isinstance(value, Operation) and _is_slow(value)):
        return CHEAP_NODES_OF_BYTES + 1
    return (load if isinstance(value, Entry) else 1) + sum(_nodes(part, load) for part in parts(value))


def _is_slow(value: Operation) -> bool:
    """Return whether an operation is dearer than a jump."""
    # a remainder by a constant is a product, and a guard a comparison
    by_constant = value.operator == "remainder" and isinstance(value.operands[1], Constant)
    return OPERATORS[value.operator].slow and not by_constant and value.operator != "guard"
