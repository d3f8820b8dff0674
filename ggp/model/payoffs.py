"""What payoffs add up to, where that is always the same: proven on the rules alone, or stated in them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from ggp.language import typed
from ggp.language.typed.types import codes, lowest, size
from ggp.language.typed.walk import parts
from ggp.model.faults import RulesFault
from ggp.model.payoff_conditions import (
    COMPARISONS,
    Fact,
    Known,
    TooLarge,
    Tree,
    Trees,
    facts,
    holds,
    possible,
)

MAX_COMBINATIONS = 100_000
"""Combinations of table indices are tried up to this number."""

MAX_NODES = 5_000
"""Payoffs with all definitions written out may have so many nodes: a chain of them can be of exponential size."""

MAX_CASES = 4096
"""What conditions of payoffs say is tried in all combinations up to this number."""

SUM_TOLERANCE = 1e-9
"""Payoffs add up to what the rules state if the difference is no larger; as a share of it where that is above 1."""

Form = dict[object, float]
"""A linear form: for each term that is not taken apart its factor; under `ONE` the constant."""
ONE = Tree()


def known_sum(game: typed.Game) -> float | None:
    """Return the sum of all payoffs in every terminal state; None if it is neither proven nor stated.

    Either the rules state it, so that another sum is a fault in play, or it is proven.
    """
    return proven_sum(game) if game.stated_sum is None else game.stated_sum.value


def check_sum(game: typed.Game, utilities: Sequence[float]) -> None:
    """Compare utilities with what the rules state that they add up to.

    Native code does not: it would compute payoffs twice.

    Raises:
        RulesFault: `other_sum`.
    """
    stated = game.stated_sum
    if stated is not None and not abs(sum(utilities) - stated.value) <= SUM_TOLERANCE * max(1.0, abs(stated.value)):
        reason = f"the payoffs are said to sum to {stated.value:g}"
        raise RulesFault("other_sum", stated.span, reason, f"{sum(utilities):g}", game.source_name)


def proven_sum(game: typed.Game) -> float | None:
    """Return the number that the payoffs of all players provably add up to in every terminal state; None if no proof.

    Every payoff is brought to a linear form in each case that its conditions can tell apart; facts that are written the
    same way are the same, everything else is taken as independent. So no proof may be found where there is one, but
    none is found where there is none.
    """
    try:
        trees = Trees(MAX_NODES)
        payoffs = [_resolved(payoff, {}, trees) for payoff in game.payoff]
    except TooLarge:
        return None
    constants: dict[Fact, set[object]] = {}
    for payoff in payoffs:
        for test in _conditions(payoff):
            for fact, constant in facts(test):
                constants.setdefault(fact, set()).add(constant)
    cases = [possible(fact, compared) for fact, compared in constants.items()]
    if math.prod(map(len, cases)) > MAX_CASES:
        return None
    sums = set()
    for values in product(*cases):
        known = dict(zip(constants, values, strict=True))
        total: Form = {}
        for payoff in payoffs:
            for term, factor in _form(payoff, known, trees).items():
                total[term] = total.get(term, 0.0) + factor
        rest = {term: factor for term, factor in total.items() if factor and term != ONE}
        of_tables = _sums_of_entries(rest)
        if of_tables is None:
            return None
        sums |= {round(total.get(ONE, 0.0) + value, 9) for value in of_tables}
    return _only(sums)


def _sums_of_entries(terms: Form) -> set[float] | None:
    """Return every value that a sum of table entries can have; None where other terms are in it, or it takes too long.

    Indices that are written the same way are the same; others are taken as independent.
    """
    sizes: dict[Tree, range] = {}
    entries: list[tuple[typed.Table, list[Tree], float]] = []
    for term, factor in terms.items():
        match term:
            case ("entry", typed.Table() as table, *parts) if parts:
                indices = [part for part in parts if isinstance(part, Tree)]
                for type_, index in zip(table.type.indices, indices, strict=True):
                    if index[0] != "constant":
                        sizes[index] = codes(type_)
                entries.append((table, indices, factor))
            case _:
                return None
    if math.prod(len(values) for values in sizes.values()) > MAX_COMBINATIONS:
        return None
    return {
        sum(
            factor * _entry(table, indices, dict(zip(sizes, values, strict=True))) for table, indices, factor in entries
        )
        for values in product(*sizes.values())
    }


def _entry(table: typed.Table, indices: list[Tree], known: dict[Tree, int]) -> float:
    position = 0
    for type_, index in zip(table.type.indices, indices, strict=True):
        code = index[1] if index[0] == "constant" else known[index]
        assert isinstance(code, int)
        position = position * size(type_) + code - lowest(type_)
    value = table.values[position]
    assert isinstance(value, (int, float))
    return float(value)


def _resolved(node: typed.Expression, arguments: dict[typed.Symbol, Tree], trees: Trees) -> Tree:
    trees.spend()
    match node:
        case typed.Constant(value=value):
            return trees.make("constant", value)
        case typed.Local(symbol=symbol):
            return arguments.get(symbol) or trees.make("symbol", id(symbol))
        case typed.Call(function=function, arguments=given):
            filled = {
                symbol: _resolved(argument, arguments, trees)
                for symbol, argument in zip(function.arguments, given, strict=True)
            }
            return _resolved(function.body, filled, trees)
        case typed.Guard(operand=operand) | typed.Wrap(operand=operand) | typed.Unwrap(operand=operand):
            return _resolved(operand, arguments, trees)
        case typed.Unary(operator="real", operand=operand):
            return _resolved(operand, arguments, trees)
        case typed.Unary(operator=operator, operand=operand):
            return _simplified_unary(trees, operator, _resolved(operand, arguments, trees))
        case typed.Binary(operator=operator, left=left, right=right):
            sides = _resolved(left, arguments, trees), _resolved(right, arguments, trees)
            return _simplified_binary(trees, operator, *sides, (left.type, right.type))
        case typed.If(condition=condition, then=then, otherwise=otherwise):
            test = _resolved(condition, arguments, trees)
            if test[0] == "constant":
                return _resolved(then if test[1] else otherwise, arguments, trees)
            return trees.make("if", test, _resolved(then, arguments, trees), _resolved(otherwise, arguments, trees))
        case typed.StateRead(variable=variable, indices=indices):
            return trees.make("read", variable, *(_resolved(index, arguments, trees) for index in indices))
        case typed.TableRead(table=table, indices=indices):
            return trees.make("entry", table, *(_resolved(index, arguments, trees) for index in indices))
    symbols = tuple((id(symbol), tree) for symbol, tree in arguments.items())
    return trees.make(
        type(node).__name__, node.span, symbols, *(_resolved(child, arguments, trees) for child in parts(node))
    )


def _simplified_unary(trees: Trees, operator: str, operand: Tree) -> Tree:
    if operand[0] == "constant" and isinstance(operand[1], (int, float)):
        if operator == "negate":
            return trees.make("constant", -operand[1])
        if operator == "not":
            return trees.make("constant", int(not operand[1]))
    return trees.make(operator, operand)


def _simplified_binary(trees: Trees, operator: str, left: Tree, right: Tree, types: tuple[object, object]) -> Tree:
    if operator in ("equal", "unequal") and left[0] == right[0] == "constant":
        return trees.make("constant", int((left[1] == right[1]) == (operator == "equal")))
    return trees.make(operator, left, right, *(types if operator in COMPARISONS else ()))


def _conditions(tree: Tree) -> Iterator[Tree]:
    if tree[0] == "if":
        yield tree[1]  # type: ignore[misc]
        yield from _conditions(tree[2])  # type: ignore[arg-type]
        yield from _conditions(tree[3])  # type: ignore[arg-type]
    elif tree[0] in ("add", "subtract", "multiply", "negate", "divide", "sign", "tanh"):
        for part in tree[1:]:
            yield from _conditions(part)  # type: ignore[arg-type]


def _form(tree: object, known: Known, trees: Trees) -> Form:
    """Return the linear form of a payoff under known conditions."""
    assert isinstance(tree, Tree)
    match tree:
        case ("constant", int() | float() as value):
            return {ONE: float(value)}
        case ("if", Tree() as test, then, otherwise):
            return _form(then if holds(test, known) else otherwise, known, trees)
        case ("negate", part):
            return _scaled(_form(part, known, trees), -1.0)
        case ("add", left, right):
            return _added(_form(left, known, trees), _form(right, known, trees))
        case ("subtract", left, right):
            return _added(_form(left, known, trees), _scaled(_form(right, known, trees), -1.0))
        case ("multiply", left, right):
            a, b = _form(left, known, trees), _form(right, known, trees)
            if set(a) <= {ONE}:
                return _scaled(b, a.get(ONE, 0.0))
            if set(b) <= {ONE}:
                return _scaled(a, b.get(ONE, 0.0))
        case ("divide", left, right):
            b = _form(right, known, trees)
            if set(b) <= {ONE} and b.get(ONE):
                return _scaled(_form(left, known, trees), 1.0 / b[ONE])
        case ("sign" | "tanh" as odd, part):
            inner = _form(part, known, trees)
            terms = sorted(((term, factor) for term, factor in inner.items() if factor), key=lambda term: id(term[0]))
            turned = -1.0 if terms and terms[0][1] < 0 else 1.0
            return {trees.make(odd, *((term, turned * factor) for term, factor in terms)): turned}
    return {tree: 1.0}


def _scaled(form: Form, factor: float) -> Form:
    return {term: value * factor for term, value in form.items()}


def _added(left: Form, right: Form) -> Form:
    total = dict(left)
    for term, factor in right.items():
        total[term] = total.get(term, 0.0) + factor
    return total


def _only(sums: set[float]) -> float | None:
    return sums.pop() if len(sums) == 1 else None


def within_sum(bounds: Sequence[tuple[float, float]], total: float | None) -> tuple[tuple[float, float], ...]:
    """Return the bounds of two players' utilities, each narrowed to what the other's and their constant sum leave.

    Afterwards utilities scaled by them to [0, 1] add up to 1. Bounds proven for each player alone can be wide apart:
    of a payoff that stands in a table and its rest of 100, for example.
    """
    if total is None or len(bounds) != 2:
        return tuple(bounds)
    (low, high), (other_low, other_high) = bounds
    low, high = max(low, total - other_high), min(high, total - other_low)
    return (low, high), (total - high, total - low)
