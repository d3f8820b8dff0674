"""Boards of which each player has one, in games that do not say how they are drawn: seen from random plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import product

from ggp.arithmetic.rng import seed_word
from ggp.display.drawn import Looks, is_player, of_element
from ggp.faults import GameError
from ggp.interpreter.interpreter import Interpreter
from ggp.interpreter.random_play import play_randomly
from ggp.language import typed
from ggp.language.typed.types import ArrayType, BoolType, CellType, OptionType, ScalarType, codes

PLAYS, TRANSITIONS = 2, 40
"""Random plays that are looked at, and of how many transitions."""
WORK_LIMIT = 200_000
"""Function calls and bindings of one transition, at most; a play that takes more is not looked at any further."""


def own_boards(game: typed.Game) -> dict[CellType, bool]:
    """Return the boards of which each player has one, and whether others act on them, too.

    These have an array over players and cells (`laid[player, plot]: tile or none`) in which, in random play, a cell
    holds something of several players at once.
    """
    kept = [variable for variable in game.variables if _is_kept_apart(variable)]
    found: set[CellType] = set()
    by_others: set[CellType] = set()
    for seed in range(PLAYS if kept else 0):
        interpreter = Interpreter(game, WORK_LIMIT)
        with suppress(GameError):  # rules that fail, or take too long, show nothing more
            for step in play_randomly(interpreter, [seed_word(seed)], TRANSITIONS):
                before, after = (interpreter.scope(state).variables for state in (step.old, step.new))
                for variable in kept:
                    found.update(_shared(variable, after[variable]))
                    if not isinstance(step.chosen, tuple) and _changed(variable, before, after) - set(step.chosen):
                        by_others.update(index for index in _indices(variable) if isinstance(index, CellType))
    return {board: board in by_others for board in found}


def _is_kept_apart(variable: typed.Variable) -> bool:
    """Return whether a variable says what each player has on the cells of a board."""
    type_ = variable.type
    if variable.is_kept or not isinstance(type_, ArrayType) or not any(map(is_player, type_.indices)):
        return False
    element = type_.element.inner if isinstance(type_.element, OptionType) else type_.element
    # truth values mark cells, such as those that a player has seen, of one board for all
    is_thing = isinstance(element, ScalarType) and not isinstance(element, BoolType | CellType)
    return is_thing and any(isinstance(index, CellType) for index in type_.indices)


def _shared(variable: typed.Variable, value: typed.Value) -> Iterator[CellType]:
    """Yield the boards of an array's indices on which a cell holds something of several players."""
    assert isinstance(variable.type, ArrayType)
    looks, owner = Looks(()), dict[tuple[CellType, int], int]()
    for pairs, player, each in _elements(variable, value):
        if of_element(variable.name, [], variable.type.element, each, looks) is None:
            continue
        for index, code in pairs:
            if isinstance(index, CellType) and owner.setdefault((index, code), player) != player:
                yield index


def _changed(
    variable: typed.Variable,
    before: Mapping[typed.Variable, typed.Value],
    after: Mapping[typed.Variable, typed.Value],
) -> set[int]:
    """Return the players whose elements of an array differ."""
    pairs = zip(_elements(variable, before[variable]), _elements(variable, after[variable]), strict=True)
    return {player for (_, player, old), (_, _, new) in pairs if old != new}


def _elements(
    variable: typed.Variable, value: typed.Value
) -> Iterator[tuple[list[tuple[ScalarType, int]], int, typed.Value]]:
    """Yield the indices of each element of an array with their codes, its player, and its value."""
    assert isinstance(value, tuple)
    indices = _indices(variable)
    for key, each in zip(product(*(codes(index) for index in indices)), value, strict=True):
        pairs = list(zip(indices, key, strict=True))
        yield pairs, next(code for index, code in pairs if is_player(index)), each


def _indices(variable: typed.Variable) -> tuple[ScalarType, ...]:
    assert isinstance(variable.type, ArrayType)
    return variable.type.indices
