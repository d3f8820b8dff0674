"""Boards of which each player or level has one, in games that do not say how they are drawn: seen from random plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from ggp.display.looks import Looks, indices_of, inner, is_player
from ggp.display.plays import Plays
from ggp.display.variable_pieces import of_element
from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    codes,
    size,
)

LEVELS = ("level", "layer", "floor", "storey", "story", "tier", "plane", "deck")
"""What enumerations of boards that lie above each other are called; those of pieces may share cells, too."""
MAX_LEVELS = 8


def own_boards(plays: Plays, looks: Looks) -> dict[CellType, tuple[ScalarType, bool]]:
    """Return the boards of which each player, or each level, has one; with these, and whether others act on them, too.

    These have an array over players, or small numbers, and cells (`laid[player, plot]: tile or none`,
    `mark[level, cell]: player or none`) in which, in random play, a cell holds something of several at once.
    """
    kept = [(variable, index) for variable in plays.game.variables for index in _apart(variable)]
    found: dict[CellType, ScalarType] = {}
    by_others: set[CellType] = set()
    for step in plays.steps if kept else ():
        for variable, index in kept:
            for board in _shared(variable, index, step.after[variable], looks):
                if board not in found or is_player(index):
                    found[board] = index
            if _changed(variable, index, step.before, step.after) - set(step.chosen) and step.chosen:
                by_others.update(one for one in indices_of(variable) if isinstance(one, CellType))
    return {board: (index, board in by_others) for board, index in found.items()}


def _apart(variable: typed.Variable) -> Iterator[ScalarType]:
    """Yield the indices by which a variable may say what several players or levels have on the cells of a board."""
    type_ = variable.type
    if variable.is_kept or variable.part or not isinstance(type_, ArrayType):
        return  # the items of a sequence lie on each other
    element = type_.element.inner if isinstance(type_.element, OptionType) else type_.element
    is_thing = isinstance(element, ScalarType) and not isinstance(element, CellType)
    is_set = isinstance(element, SetType) and isinstance(element.element, CellType)
    if not is_set and not (is_thing and any(isinstance(index, CellType) for index in type_.indices)):
        return
    for index in type_.indices:
        # truth values, and sets, mark cells, such as those that a player has seen, of one board for all
        if is_player(index) and is_thing and not isinstance(element, BoolType):
            yield index
        is_level = isinstance(index, IntType) or (isinstance(index, EnumType) and index.name in LEVELS)
        if is_level and size(index) <= MAX_LEVELS and not isinstance(element, IntType):
            yield index


def _shared(variable: typed.Variable, apart: ScalarType, value: typed.Value, looks: Looks) -> Iterator[CellType]:
    """Yield the boards on which a cell holds something of several players, or, of one player, on several levels."""
    assert isinstance(variable.type, ArrayType)
    element = variable.type.element
    board = inner(element)
    owner: dict[tuple[object, ...], int] = {}
    for pairs, code, each in _elements(variable, apart, value):
        cells = [pair for pair in pairs if isinstance(pair[0], CellType)]
        if isinstance(each, frozenset) and isinstance(board, CellType):
            cells = [(board, cell) for cell in each]
        elif of_element(variable.name, [], element, each, looks) is None:
            continue
        whose = tuple(pair for pair in pairs if is_player(pair[0]) and pair[0] != apart)
        for index, cell in cells:
            if owner.setdefault((index, cell, whose), code) != code:
                assert isinstance(index, CellType)
                yield index


def _changed(
    variable: typed.Variable,
    apart: ScalarType,
    before: Mapping[typed.Variable, typed.Value],
    after: Mapping[typed.Variable, typed.Value],
) -> set[int]:
    """Return the players whose elements of an array differ."""
    if not is_player(apart):
        return set()
    pairs = zip(_elements(variable, apart, before[variable]), _elements(variable, apart, after[variable]), strict=True)
    return {player for (_, player, old), (_, _, new) in pairs if old != new}


def _elements(
    variable: typed.Variable, apart: ScalarType, value: typed.Value
) -> Iterator[tuple[list[tuple[ScalarType, int]], int, typed.Value]]:
    """Yield the indices of each element of an array with their codes, its player or level, and its value."""
    assert isinstance(value, tuple)
    indices = indices_of(variable)
    for key, each in zip(product(*(codes(index) for index in indices)), value, strict=True):
        pairs = list(zip(indices, key, strict=True))
        yield pairs, next(code for index, code in pairs if index == apart), each
