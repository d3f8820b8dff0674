"""Games made of expressions alone: the payoffs are the expressions, the state is terminal, to compare evaluations."""

from __future__ import annotations

from collections.abc import Sequence

from small_game import const, read

from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed.types import BOOL, CellType, EnumType, IntType, OptionType, RealType, SetType, Type, size

SPAN = Span(1, 1, 1, 2)
INTEGER = IntType(-(10**9), 10**9)
REAL = RealType(-1e12, 1e12)


def variable(name: str, type_: Type, initial: typed.Value) -> typed.Variable:
    return typed.Variable(name, type_, initial, SPAN)


def expression_game(variables: Sequence[typed.Variable], expressions: Sequence[typed.Expression]) -> typed.Game:
    """Return a game with a player for each expression, whose utility the expression is."""
    players = EnumType("player", tuple(f"p{i}" for i in range(max(len(expressions), 2))), "player")
    payoffs = [as_real(expression) for expression in expressions] or [const(0.0, REAL)]
    while len(payoffs) < len(players.members):
        payoffs.append(payoffs[-1])
    everybody = const(frozenset(range(len(players.members))), SetType(players))
    kind = typed.ActionKind(None, (), None, SPAN)
    chooser = typed.Chooser(typed.Symbol("p", players, "bound", SPAN), everybody, None, (kind,), SPAN)
    phase = typed.Phase("only", None, (chooser,), (), (), (), (typed.Transfer(None, None, SPAN),), SPAN)
    return typed.Game(
        "expressions", "", (), players, tuple(variables), (), (), (phase,), tuple(payoffs), None,
        ((-1e12, 1e12),) * len(payoffs), None, "expressions.rules", "",
    )  # fmt: skip


def as_real(expression: typed.Expression) -> typed.Expression:
    """Return an expression's value as one real that tells values apart well."""
    match expression.type:
        case RealType():
            return expression
        case SetType(element):
            return typed.Unary("real", digest(expression, element), REAL, SPAN)
        case OptionType(inner):
            unwrapped = typed.Unwrap(expression, "none", inner, SPAN)
            missing = typed.Unary("is_none", expression, BOOL, SPAN)
            return typed.If(missing, const(-77.0, REAL), as_real(unwrapped), REAL, SPAN)
    return typed.Unary("real", expression, REAL, SPAN)


def digest(expression: typed.Expression, element: Type) -> typed.Expression:
    """Return the sum over a set's members of something that differs from member to member."""
    symbol = typed.Symbol("m", element, "bound", SPAN)
    member = typed.Local(symbol, element, SPAN)
    mixed = typed.Hash((member,), 1_000_003, IntType(0, 1_000_002), SPAN)
    return typed.Aggregate("sum", (typed.Binder(symbol, expression),), None, mixed, INTEGER, SPAN)


def integer(value: int) -> typed.Constant:
    return const(value, IntType(value, value))


def operation(operator: str, left: typed.Expression, right: typed.Expression, type_: Type = BOOL) -> typed.Binary:
    return typed.Binary(operator, left, right, type_, SPAN)  # type: ignore[arg-type]


def random_set(rng, element: Type, share: float = 0.5) -> frozenset[int]:
    low = element.low if isinstance(element, IntType) else 0
    return frozenset(low + i for i in range(size(element)) if rng.random() < share)  # type: ignore[arg-type]


BOARDS = [CellType("cell", 3, 3), CellType("cell", 8, 8), CellType("cell", 11, 9), CellType("cell", 19, 17)]

__all__ = ["BOARDS", "SPAN", "const", "expression_game", "integer", "operation", "random_set", "read", "variable"]
