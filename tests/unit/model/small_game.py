"""A small game as a typed tree built by hand: a weighted deal, simultaneous bids, one of several kinds of move.

phase deal      chance draws a in 1..3 weight a - 1
                card := a;  sees one: a;  next bid
phase bid       each p in bidders chooses b in 1..3 where b != card
                bids[p] := b[p] for p in player;  sees each w: b[w];  sees all: "bid made" if b[one] == 2
                next end if bids[one] == bids[two] else talk
phase talk      turn chooses
                    fold
                    raise by k in 1..2 where card > 1
                turn := two;  on raise: pot := pot + k;  on raise: sees two: move;  next end
payoff[p]       if p == turn then pot else -pot
"""

from __future__ import annotations

from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed import Expression, Symbol
from ggp.language.typed.types import (
    BOOL,
    ArrayType,
    EnumType,
    IntType,
    MoveType,
    OptionType,
    RealType,
    SetType,
    TextType,
    Type,
)

ONE, TWO = 0, 1
NUMBER = IntType(1, 3)
PLAYER = EnumType("player", ("one", "two"), "player")
PLAYERS = SetType(PLAYER)
BIDS = ArrayType((PLAYER,), OptionType(NUMBER))
REAL = RealType(-100, 100)


def at(line: int) -> Span:
    return Span(line, 1, line, 2)


SPAN = at(1)


def const(value: typed.Value, type_: Type = NUMBER) -> typed.Constant:
    return typed.Constant(value, type_, SPAN)


def read(variable: typed.Variable, *indices: Expression) -> typed.StateRead:
    type_ = variable.type.element if isinstance(variable.type, ArrayType) and indices else variable.type
    return typed.StateRead(variable, indices, type_, SPAN)


def local(symbol: Symbol) -> typed.Local:
    return typed.Local(symbol, symbol.type, SPAN)


def binary(operator: typed.BinaryOperator, left: Expression, right: Expression, type_: Type = BOOL) -> typed.Binary:
    return typed.Binary(operator, left, right, type_, SPAN)


def update(target: typed.Variable, value: Expression, line: int = 1, **parts: object) -> typed.Update:
    fields = {"indices": (), "binders": (), "condition": None, "kind": None, "exclusive": False, **parts}
    return typed.Update(target, value=value, span=at(line), **fields)  # type: ignore[arg-type]


def sees(audience: Expression, *values: Expression, **parts: object) -> typed.Sees:
    fields = {"binder": None, "condition": None, "kind": None, **parts}
    labels = tuple("?" for _ in values)
    return typed.Sees(audience, values=values, labels=labels, span=SPAN, **fields)  # type: ignore[arg-type]


def goes(target: str | None, condition: Expression | None = None) -> typed.Transfer:
    return typed.Transfer(target, condition, SPAN)


CARD = typed.Variable("card", OptionType(NUMBER), None, SPAN)
BIDDERS = typed.Variable("bidders", PLAYERS, frozenset({ONE, TWO}), SPAN)
MADE = typed.Variable("bids", BIDS, (None, None), SPAN)
TURN = typed.Variable("turn", PLAYER, ONE, SPAN)
POT = typed.Variable("pot", IntType(0, 9), 5, SPAN)
ALL = const(frozenset({ONE, TWO}), PLAYERS)

A = Symbol("a", NUMBER, "draw", SPAN)
B = Symbol("b", BIDS, "choice", SPAN)
B_TRIED = Symbol("b", NUMBER, "bound", SPAN)
P = Symbol("p", PLAYER, "bound", SPAN)
W = Symbol("w", PLAYER, "bound", SPAN)
K = Symbol("k", IntType(1, 2), "choice", SPAN)

BIDS_OF = typed.Index(local(B), (local(P),), OptionType(NUMBER), SPAN)

DEAL = typed.Phase(
    "deal",
    typed.Chance(
        (typed.Component(A, A, NUMBER, NUMBER),), binary("subtract", local(A), const(1), IntType(0, 2)), True, at(3)
    ),
    (),
    (),
    (update(CARD, local(A)),),
    (sees(const(frozenset({ONE}), PLAYERS), local(A)),),
    (goes("bid"),),
    SPAN,
)
BID = typed.Phase(
    "bid",
    None,
    (
        typed.Chooser(
            P,
            read(BIDDERS),
            None,
            (
                typed.ActionKind(
                    None,
                    (typed.Component(B, B_TRIED, NUMBER, const(frozenset({1, 2, 3}), SetType(NUMBER))),),
                    binary("unequal", local(B_TRIED), read(CARD)),
                    SPAN,
                ),
            ),
            at(6),
        ),
    ),
    (),
    (update(MADE, BIDS_OF, indices=(local(P),), binders=(typed.Binder(P, PLAYER),)),),
    (
        sees(ALL, typed.Index(local(B), (local(W),), OptionType(NUMBER), SPAN), binder=W),
        sees(
            ALL,
            const("bid made", TextType()),
            condition=binary("equal", typed.Index(local(B), (const(ONE, PLAYER),), OptionType(NUMBER), SPAN), const(2)),
        ),
    ),
    (goes(None, binary("equal", read(MADE, const(ONE, PLAYER)), read(MADE, const(TWO, PLAYER)))), goes("talk")),
    SPAN,
)
TALK = typed.Phase(
    "talk",
    None,
    (
        typed.Chooser(
            None,
            None,
            read(TURN),
            (
                typed.ActionKind("fold", (), None, SPAN),
                typed.ActionKind(
                    "raise",
                    (typed.Component(K, K, IntType(1, 2), IntType(1, 2)),),
                    binary("greater", typed.Unwrap(read(CARD), "no card", NUMBER, SPAN), const(1)),
                    SPAN,
                ),
            ),
            at(9),
        ),
    ),
    (),
    (
        update(TURN, const(TWO, PLAYER)),
        update(POT, binary("add", read(POT), local(K), IntType(0, 11)), kind="raise"),
    ),
    (sees(const(frozenset({TWO}), PLAYERS), typed.MoveRead(None, MoveType("talk"), SPAN), kind="raise"),),
    (goes(None),),
    SPAN,
)


def payoff(player: int) -> Expression:
    mine = binary("equal", const(player, PLAYER), read(TURN))
    pot = typed.Unary("real", read(POT), REAL, SPAN)
    return typed.If(mine, pot, typed.Unary("negate", pot, REAL, SPAN), REAL, SPAN)


GAME = typed.Game(
    "small", "", (), PLAYER, (CARD, BIDDERS, MADE, TURN, POT), (), (), (DEAL, BID, TALK), (payoff(ONE), payoff(TWO)),
    None, ((-100, 100), (-100, 100)), None, "small.rules", "",
)  # fmt: skip
