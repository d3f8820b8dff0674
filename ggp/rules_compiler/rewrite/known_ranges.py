"""Ranges proven by conditions, for code that is evaluated only if they hold: guards inside are left out.

After `last in 1..6 and`, the index in `pits[7 - last]` needs no check. The checker knows only the ranges of types, and
puts a guard wherever these are too wide.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

from ggp.language import typed
from ggp.language.typed import ranges
from ggp.language.typed.types import IntType
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.rewrite.size import conjuncts

Range: TypeAlias = "tuple[int, int]"


@contextmanager
def proven(b: Builder, test: typed.Expression | None) -> Iterator[None]:
    """Write what is evaluated only where a condition holds."""
    before = b.proven
    b.proven = {**before}
    for part in _conjuncts(test, set()):
        for key, (low, high) in _proofs(part):
            known = b.proven.get(key, (low, high))
            b.proven[key] = max(low, known[0]), min(high, known[1])
    try:
        yield
    finally:
        b.proven = before


def _conjuncts(test: typed.Expression | None, seen: set[typed.Function]) -> Iterator[typed.Expression]:
    """Yield the parts of a condition, and of definitions without arguments among them, all of which hold."""
    for part in conjuncts(test):
        if not isinstance(part, typed.Call) or part.arguments:
            yield part
        elif part.function not in seen:
            seen.add(part.function)
            yield from _conjuncts(part.function.body, seen)


def range_of(b: Builder, node: typed.Expression) -> Range | None:
    """Return a range of all values of an integer expression at the present place; None if it is not an integer."""
    if not isinstance(node.type, IntType):
        return None
    low, high = node.type.low, node.type.high
    found = [b.proven[key]] if b.proven and (key := _key(node)) in b.proven else []
    if isinstance(node, typed.Binary) and node.operator in ("add", "subtract"):
        left, right = range_of(b, node.left), range_of(b, node.right)
        if left is not None and right is not None:
            found.append((ranges.add if node.operator == "add" else ranges.subtract)(left, right))
    for other in found:
        low, high = max(low, other[0]), min(high, other[1])
    return low, high


def _proofs(test: typed.Expression) -> Iterator[tuple[Hashable, Range]]:
    """Yield what a condition says about integer expressions compared with constants."""
    if not isinstance(test, typed.Binary):
        return
    for value, other, operator in (
        (test.left, test.right, test.operator),
        (test.right, test.left, MIRRORED.get(test.operator, test.operator)),
    ):
        key = _key(value)
        if key is None or not isinstance(value.type, IntType) or not isinstance(other, typed.Constant):
            continue
        low, high, bound = value.type.low, value.type.high, other.value
        if not isinstance(bound, int):
            continue
        match operator:
            case "less" | "less_equal":
                yield key, (low, bound - (operator == "less"))
            case "greater" | "greater_equal":
                yield key, (bound + (operator == "greater"), high)
            case "equal":
                yield key, (bound, bound)


MIRRORED: Mapping[str, str] = {
    "less": "greater", "greater": "less", "less_equal": "greater_equal", "greater_equal": "less_equal",
}  # fmt: skip
"""Comparisons with their operands in the other order."""


def _key(node: typed.Expression) -> Hashable:
    """Return a key that two expressions with the same value share; None for kinds that are not considered."""
    match node:
        case typed.Local(symbol):
            return symbol
        case typed.Constant(int() as value):
            return value
        case typed.StateRead(variable, indices):
            return _together(variable, indices)
        case typed.Call(function, arguments):
            return _together(function, arguments)
    return None


def _together(what: Hashable, inside: tuple[typed.Expression, ...]) -> Hashable:
    keys = tuple(_key(part) for part in inside)
    return None if None in keys else (what, *keys)
