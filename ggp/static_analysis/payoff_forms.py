"""Payoffs as linear forms: one for each player in each case that the conditions of the payoffs tell apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import cast

from ggp.language import typed
from ggp.language.typed import ranges
from ggp.language.typed.types import BOOL, EnumType, IntType, RealType, ScalarType, SetType, codes, size
from ggp.language.typed.walk import parts
from ggp.static_analysis.payoff_conditions import (
    COMPARISONS,
    MIRRORED,
    Fact,
    Known,
    TooLarge,
    Tree,
    Trees,
    Truth,
    facts,
    holds,
    possible,
)

MAX_CASES = 4096
"""What conditions of payoffs say is tried in all combinations up to this number."""

MAX_SUMMANDS = 4
"""Sums over so many members of an enumeration, such as the players, are written out."""

Form = dict[object, float]
"""A linear form: for each term that is not taken apart its factor; under `ONE` the constant."""
ONE = Tree()


def payoff_cases(game: typed.Game, trees: Trees) -> Iterator[list[Form]]:
    """Yield the payoffs of all players, as linear forms, in each case that their conditions can tell apart.

    Facts that are written the same way are the same, everything else is taken as independent: more cases may be told
    apart than there are, never fewer.

    Raises:
        TooLarge: there are more than MAX_CASES, or too many nodes.
    """
    payoffs = [_resolved(payoff, {}, trees) for payoff in game.payoff]
    constants: dict[Fact, set[object]] = {}
    tests = {test: list(facts(test)) for payoff in payoffs for test in _conditions(payoff)}
    for test, compared in sorted(tests.items(), key=lambda item: len(item[1])):
        more = _with_constants(constants, compared)
        if _number_of_cases(more) > MAX_CASES:  # nothing is said of when it holds
            more = _with_constants(constants, [(Truth(test), None)])
        if _number_of_cases(more) > MAX_CASES:
            raise TooLarge
        constants = more
    cases = [possible(fact, values) for fact, values in constants.items()]
    for values in product(*cases):
        known = dict(zip(constants, values, strict=True))
        yield [_form(payoff, known, trees) for payoff in payoffs]


def _with_constants(constants: dict[Fact, set[object]], more: list[tuple[Fact, object]]) -> dict[Fact, set[object]]:
    joined = {fact: set(values) for fact, values in constants.items()}
    for fact, constant in more:
        joined.setdefault(fact, set()).add(constant)
    return joined


def _number_of_cases(constants: dict[Fact, set[object]]) -> int:
    return math.prod(len(possible(fact, values)) for fact, values in constants.items())


def form_range(form: Form, trees: Trees) -> tuple[float, float]:
    """Return the lowest and the highest value that a linear form can have, its terms taken as independent."""
    total = (0.0, 0.0)
    for term, factor in form.items():
        assert isinstance(term, Tree)
        of_term = (1.0, 1.0) if term is ONE else trees.ranges.get(term, (-math.inf, math.inf))
        total = ranges.add(total, ranges.multiply((factor, factor), of_term))
    return total


def _resolved(node: typed.Expression, arguments: dict[typed.Symbol, Tree], trees: Trees) -> Tree:
    tree = _written_out(node, arguments, trees)
    if isinstance(node.type, IntType | RealType):
        trees.add_range(tree, node.type.low, node.type.high)
    return tree


def _written_out(node: typed.Expression, arguments: dict[typed.Symbol, Tree], trees: Trees) -> Tree:
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
        case typed.Unary(operator="is_none", operand=operand):
            sides = _resolved(operand, arguments, trees), trees.make("constant", None)
            return _simplified_binary(trees, "equal", *sides, (operand.type, operand.type))
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
        case typed.Aggregate(
            kind="sum", binders=(typed.Binder(symbol, EnumType() as domain),), condition=condition
        ) if len(domain.members) <= MAX_SUMMANDS:
            total = zero = trees.make("constant", 0)
            for code in codes(domain):
                filled = {**arguments, symbol: trees.make("constant", code)}
                summand = _resolved(node.body, filled, trees)
                if condition is not None:
                    summand = trees.make("if", _resolved(condition, filled, trees), summand, zero)
                total = trees.make("add", total, summand)
            return total
        case typed.Aggregate(
            kind="count", binders=(typed.Binder(symbol, EnumType() as domain),), condition=condition
        ) if len(domain.members) <= MAX_SUMMANDS:
            counted = []
            for code in codes(domain):
                filled = {**arguments, symbol: trees.make("constant", code)}
                test = _resolved(node.body, filled, trees)
                counted.append(
                    test if condition is None else trees.make("and", _resolved(condition, filled, trees), test)
                )
            return trees.make("counted", *counted)
        case typed.SetFold(kind="count", set=members) if (
            isinstance(members.type, SetType)
            and isinstance(members.type.element, EnumType)
            and size(members.type.element) <= MAX_SUMMANDS
        ):
            whole = _resolved(members, arguments, trees)
            return trees.make("counted", *(_member(trees, code, whole) for code in codes(members.type.element)))
        case typed.Member(element, members) if (found := _resolved(element, arguments, trees))[0] == "constant":
            return _member(trees, cast("int", found[1]), _resolved(members, arguments, trees))
        case typed.Member() | typed.SetOperation() | typed.SetFold() | typed.SetLiteral():  # equal wherever they stand
            kind = getattr(node, "operator", None) or getattr(node, "kind", None)
            return trees.make(type(node).__name__, kind, *(_resolved(child, arguments, trees) for child in parts(node)))
        case typed.Quantifier(body=body):
            return _over_members(node, (body,), arguments, trees)
        case typed.Aggregate(condition=test, body=body) | typed.Comprehension(condition=test, element=body):
            return _over_members(node, (body,) if test is None else (test, body), arguments, trees)
    symbols = tuple((id(symbol), tree) for symbol, tree in arguments.items())
    return trees.make(
        type(node).__name__, node.span, symbols, *(_resolved(child, arguments, trees) for child in parts(node))
    )


def _over_members(
    node: typed.Quantifier | typed.Aggregate | typed.Comprehension,
    said: Sequence[typed.Expression],
    arguments: dict[typed.Symbol, Tree],
    trees: Trees,
) -> Tree:
    """Return what is said of all members of domains: equal wherever it stands as deep, since members have no names."""
    filled, domains, depth = dict(arguments), list[object](), trees.depth
    for binder in node.binders:
        ends = binder.domain if isinstance(binder.domain, tuple) else (binder.domain,)
        domains.append(tuple(end if isinstance(end, ScalarType) else _resolved(end, filled, trees) for end in ends))
        filled[binder.symbol] = trees.make("member", trees.depth)
        trees.depth += 1
    found = [_resolved(each, filled, trees) for each in said]
    trees.depth = depth
    return trees.make(type(node).__name__, getattr(node, "kind", None), depth, tuple(domains), *found)


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
    if operator in COMPARISONS and right[0] == "counted" and left[0] == "constant":
        operator, left, right = MIRRORED[operator], right, left
    if operator in COMPARISONS and left[0] == "counted" and right[0] == "constant" and isinstance(right[1], int):
        tests, number = cast("list[Tree]", [*left[1:]]), right[1]
        more, as_many = _at_least(trees, tests, number + 1), _at_least(trees, tests, number)
        fewer, no_more = trees.make("not", as_many), trees.make("not", more)
        exactly = trees.make("and", as_many, no_more)
        return {
            "equal": exactly, "unequal": trees.make("not", exactly), "less": fewer, "less_equal": no_more,
            "greater": more, "greater_equal": as_many,
        }[operator]  # fmt: skip
    match types:  # sets of players are equal by whether each of them is in both
        case SetType(element=EnumType() as type_), SetType() if (
            operator in ("equal", "unequal") and size(type_) <= MAX_SUMMANDS
        ):
            same = trees.make("constant", 1)
            for code in codes(type_):
                each = (_member(trees, code, left), _member(trees, code, right))
                same = trees.make("and", same, trees.make("equal", *each, BOOL, BOOL))
            return same if operator == "equal" else trees.make("not", same)
    return trees.make(operator, left, right, *(types if operator in COMPARISONS else ()))


def _at_least(trees: Trees, tests: Sequence[Tree], number: int) -> Tree:
    """Return the condition that so many of some conditions hold."""
    if number <= 0 or number > len(tests):
        return trees.make("constant", int(number <= 0))
    without = _at_least(trees, tests[1:], number)
    return trees.make("or", trees.make("and", tests[0], _at_least(trees, tests[1:], number - 1)), without)


def _member(trees: Trees, code: int, members: Tree) -> Tree:
    if members[0] == "constant":
        return trees.make("constant", int(code in cast("frozenset[int]", members[1])))
    match members:
        case ("SetOperation", "union", Tree() as one, Tree() as other):
            return trees.make("or", _member(trees, code, one), _member(trees, code, other))
        case ("SetOperation", "intersection" | "difference" as kind, Tree() as one, Tree() as other):
            second = _member(trees, code, other)
            second = second if kind == "intersection" else trees.make("not", second)
            return trees.make("and", _member(trees, code, one), second)
    return trees.make("Member", None, trees.make("constant", code), members)


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
            return added(_form(left, known, trees), _form(right, known, trees))
        case ("subtract", left, right):
            return added(_form(left, known, trees), _scaled(_form(right, known, trees), -1.0))
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
            made = trees.make(odd, *((term, turned * factor) for term, factor in terms))
            limit = (lambda value: (value > 0) - (value < 0)) if odd == "sign" else math.tanh
            low, high = (limit(end) for end in sorted(turned * end for end in form_range(inner, trees)))
            trees.add_range(made, low, high)
            return {made: turned}
    return {tree: 1.0}


def _scaled(form: Form, factor: float) -> Form:
    return {term: value * factor for term, value in form.items()}


def added(left: Form, right: Form) -> Form:
    """Return the sum of two linear forms."""
    total = dict(left)
    for term, factor in right.items():
        total[term] = total.get(term, 0.0) + factor
    return total
