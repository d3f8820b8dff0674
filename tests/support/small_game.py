"""A small game with a weighted deal, simultaneous bids and several kinds of move, and parts of trees to vary it."""

from __future__ import annotations

from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed import Expression, Symbol
from ggp.language.typed.types import BOOL, ArrayType, IntType, RealType, Type
from tests.support.library import typed_game

RULES = """game small ""

players one, two
state
    card: 1..3 or none = none
    bidders: set of player = {one, two}
    bids[player]: 1..3 or none = none
    turn: player = one
    pot: 0..9 = 5
phase deal
    chance draws a in 1..3 weight a - 1
    card := a
    sees one: a
    next bid
phase bid
    each p in bidders chooses b in 1..3 where b != card
    bids[p] := b[p] for p in player
    sees each w: b[w]
    sees all: "bid made" if b[one] == 2
    next end if bids[one] == bids[two] else talk
phase talk
    turn chooses
        fold
        raise by k in 1..2 where card > 1
    turn := two
    on raise: pot := pot + k
    on raise: sees two: move
    next end
payoff[p] = if p == turn then pot else -pot
"""
GAME = typed_game(RULES)
DEAL, BID, TALK = GAME.phases
CARD, BIDDERS, MADE, TURN, POT = GAME.variables

ONE, TWO = 0, 1
NUMBER = IntType(1, 3)
PLAYER = GAME.players
PLAYERS = BIDDERS.type
BIDS = MADE.type
REAL = RealType(-100, 100)
SPAN = Span(1, 1, 1, 2)

assert DEAL.chance is not None
A = DEAL.chance.components[0].symbol
B = BID.choosers[0].kinds[0].components[0].symbol
K = TALK.choosers[0].kinds[1].components[0].symbol


def at(line: int) -> Span:
    return Span(line, 1, line, 2)


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


ALL = const(frozenset({ONE, TWO}), PLAYERS)
