"""Tracks: where snakes and ladders lead on them, which places are marked, and what runs on them by dice; the dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, permutations
from typing import cast

from ggp.display.lands import constants
from ggp.display.looks import TINTS, is_player
from ggp.language import typed
from ggp.language.evaluation.scope import Scope
from ggp.language.typed.types import ArrayType, BoolType, IntType, OptionType, ScalarType, SetType, codes, size
from ggp.language.typed.walk import parts, walk_through

MIN_TRACK, MAX_TRACK = 8, 64
"""Numbers of a track that is drawn as one where the rules do not say so."""


def runners_of(game: typed.Game) -> Iterator[typed.Variable]:
    """Yield the numbers of several pawns of each player that grow by what was thrown: how far they are on a track."""
    updates = [update for phase in game.phases for update in phase.updates]
    thrown = {update.target for update in updates if any(map(_is_draw, _summands(update.value)))}

    def is_thrown(expression: typed.Expression) -> bool:
        return _is_draw(expression) or (isinstance(expression, typed.StateRead) and expression.variable in thrown)

    for update in updates:
        type_ = update.target.type
        if not isinstance(type_, ArrayType) or len(type_.indices) != 2 or not isinstance(type_.element, IntType):
            continue
        is_own = sum(map(is_player, type_.indices)) == 1 and MIN_TRACK <= type_.element.high <= MAX_TRACK
        sums = (one for one in walk_through(update.value) if isinstance(one, typed.Binary) and one.operator == "add")
        pairs = (pair for sum_ in sums for pair in permutations((sum_.left, sum_.right)))
        grows = any(
            isinstance(one, typed.StateRead) and one.variable == update.target and is_thrown(other)
            for one, other in pairs
        )
        if is_own and grows:
            yield update.target


def dice_of(game: typed.Game) -> Iterator[typed.Variable]:
    """Yield what keeps the numbers that dice show, whatever it is called: draws of 1..6, all equally likely."""
    draws = (phase.chance.components for phase in game.phases if phase.chance and phase.chance.weight is None)
    dice = {part.symbol for parts_ in draws for part in parts_ if part.domain == IntType(1, 6)}
    for update in (update for phase in game.phases for update in phase.updates if dice and not update.target.part):
        if any(isinstance(one, typed.Local) and one.symbol in dice for one in _outcomes(update.value)):
            yield update.target


def _outcomes(expression: typed.Expression) -> Iterator[typed.Expression]:
    """Yield the expressions of which a value is one."""
    match expression:
        case typed.If(then=then, otherwise=otherwise):
            yield from chain(_outcomes(then), _outcomes(otherwise))
        case typed.Wrap(operand=operand) | typed.Guard(operand=operand):
            yield from _outcomes(operand)
        case _:
            yield expression


def _summands(expression: typed.Expression) -> Iterator[typed.Expression]:
    """Yield the expressions that a value is made of, without what its elements are found by, such as a card drawn."""
    if not isinstance(expression, typed.StateRead):
        yield expression
        for part in parts(expression):
            yield from _summands(part)


def _is_draw(expression: typed.Expression) -> bool:
    return isinstance(expression, typed.Local) and expression.symbol.kind == "draw"


def jumps_of(game: typed.Game, scope: Scope) -> Iterator[tuple[IntType, tuple[tuple[int, int], ...]]]:
    """Yield numbers of places with where some lead, as a table or a function says that leaves most as they are."""
    given = [(one.type.indices, one.type.element, one.values) for one in game.tables]
    for function in game.functions:
        if [argument.type for argument in function.arguments] == [function.type] and isinstance(function.type, IntType):
            places = constants(function, scope, zip(codes(function.type)))
            given.append(((function.type,), function.type, tuple(places.values())))
    for indices, element, leads in given:
        if isinstance(element, IntType) and indices == (element,) and size(element) >= MIN_TRACK:
            pairs = zip(codes(element), cast("tuple[int, ...]", leads), strict=False)  # nothing where a function fails
            jumps = tuple((one, other) for one, other in pairs if one != other)
            if 0 < 2 * len(jumps) < size(element):
                yield element, jumps


def owners_of(game: typed.Game, track: object) -> Iterator[typed.Variable]:
    """Yield the variables that say whose each place of a track is: `owner[square]: player or none`."""
    for variable in game.variables:
        type_ = variable.type
        if not variable.is_kept and isinstance(type_, ArrayType) and type_.indices == (track,):
            kept = type_.element.inner if isinstance(type_.element, OptionType) else type_.element
            if is_player(kept):
                yield variable


def notes_on(game: typed.Game, track: object) -> tuple[str, tuple[str, ...]]:
    """Return the name of a table of numbers of the places of a track, and the numbers, such as prices."""
    for table in game.tables:
        is_number = isinstance(table.type.element, IntType) and table.type.element != track
        if table.type.indices == (track,) and is_number and len({*table.values}) > 1:
            return table.name.replace("_", " "), tuple(str(value) if value else "" for value in table.values)
    return "", ()


def marks_of(game: typed.Game, scope: Scope, track: ScalarType) -> Iterator[tuple[int, str, str]]:
    """Yield places of a track that the rules name for ever, such as rosettes, with their name and colour.

    A set, `let rosettes = {4, 8, 14}`, a test, `def is_safe(s: step)`, or a table of truth values names them.
    """
    named: dict[str, Iterable[int]] = {
        table.name: [code for code, value in zip(codes(track), table.values, strict=True) if value]
        for table in game.tables
        if table.type.indices == (track,) and isinstance(table.type.element, BoolType)
    }
    for function in game.functions:
        takes = [argument.type for argument in function.arguments]
        is_set = isinstance(function.type, SetType) and isinstance(function.type.element, IntType) and not takes
        if is_set and function.is_let:
            named[function.name] = cast("frozenset[int]", constants(function, scope, [()]).get((), frozenset()))
        elif takes == [track] and isinstance(function.type, BoolType):
            values = constants(function, scope, zip(codes(track)))
            named[function.name] = [code for (code,), value in values.items() if value]
    parts = {name: set(places) for name, places in named.items()}
    parts = {name: held for name, held in parts.items() if 0 < 2 * len(held) <= size(track) and held <= {*codes(track)}}
    for number, (name, held) in enumerate(parts.items()):
        for place in sorted(held):
            yield place, name.removeprefix("is_"), TINTS[1 + number % (len(TINTS) - 1)] or ""
