"""Conditions evaluated once for a connected component, against the interpreter, which evaluates them for each cell."""

from __future__ import annotations

import pytest

from ggp.language import typed
from ggp.rules_compiler.rewrite.components import by_component
from tests.support.comparison import compare_all
from tests.support.library import typed_game

RULES = """game regions "Sets of cells whose regions have something in common"
param width: 2..19 = 3
param height: 2..19 = 3
players ann, bob
board cell = grid(width, height)
let beside = {north, east, south, west}
state
    stones[player]: set of cell = {}
    marked: set of cell = {}
    turn: player = ann
    made: 0..40 = 0
let empty = all - stones[ann] - stones[bob]
def around(s: set of cell) = (s + north) + (s + east) + (s + south) + (s + west)
def chain(c: cell) = reach from {c} through stones[turn] by beside
def part(from: set of cell, s: set of cell) = reach from from & s through s by beside
def alone(c: cell, s: set of cell) = count(around(part({c}, s)) & empty) == 1
def far(c: cell) = count(chain(c)) > 2
phase go
    turn chooses
        place by q in empty
        mark by z in cell
    on place:
        stones[turn] := stones[turn] + {q}
    on mark:
        marked := DOMAIN_AND_TEST
    turn := other(turn)
    made := made + 1
    next end if made == 40 or empty == {} else go
payoff[p] = hash(1000, marked, p)
"""

BY_COMPONENT = [
    "{c in cell: far(c)}",
    "{c in stones[turn] - {z}: around(chain(c)) & empty == {z}}",
    "{c in stones[ann] + stones[bob]: z in chain(c)}",
    "{c in empty + stones[turn] - {z}: alone(c, stones[turn] + {z})}",
    "{c in empty: count(reach from {c} through empty by {east, west}) > made mod 4}",
    "{c in cell: count(reach from {c} through empty by {northeast, southwest, east, west}) > 2 and turn == ann}",
    "{c in stones[turn]: far(c) and alone(c, stones[turn])}",
    "{c in {d in cell: alone(d, stones[ann])}: count(around(part({c}, empty)) & stones[turn]) > 1}",
]
"""Conditions that hold for all cells of a component or for none; the seventh has two searches."""

NOT_BY_COMPONENT = [
    "{c in cell: count(reach from {c} through empty by {north, east}) > 3}",
    "{c in cell: count(chain(c)) > 1 and c.x > 1}",
    "{c in cell: count(reach from {c} through empty - {c} by beside) > 3}",
    "{c in cell: count(reach from {c, z} through empty by beside) > 3}",
    "{c in cell: min(chain(c)) == z}",
    "{c in cell: (distance from {c} through empty by beside)[z] < 3}",
    "{c in cell: count(reach from {c} & stones[turn] through empty by beside) > 3}",
    "{c in cell: far(c) and count(reach from {c} through empty by beside) > 2}",
    "{c in cell: any d in around({c}): count(chain(d)) > 1}",
    "{c + east for c in stones[turn] if far(c)}",
    "{c for c in empty, d in around({c}) & stones[ann] if count(reach from {c} through empty by beside) > 2}",
]


def checked(form: str, width: int, height: int) -> typed.Game:
    return typed_game(RULES.replace("DOMAIN_AND_TEST", form), width=width, height=height)


def comprehension(game: typed.Game) -> typed.Comprehension:
    (update,) = [update for update in game.phases[0].updates if update.target.name == "marked"]
    assert isinstance(update.value, typed.Comprehension)
    return update.value


def compare(game: typed.Game, games: int) -> None:
    assert "end" in compare_all(game, games, playouts=20, limit=50)


@pytest.mark.sweep
@pytest.mark.parametrize("form", BY_COMPONENT)
def test_one_search_serves_a_component(form: str) -> None:
    game = checked(form, 4, 3)
    node = comprehension(game)
    assert node.condition is not None
    found = by_component(node.condition, node.binders[0].symbol)
    assert (found is None) == (form is BY_COMPONENT[6])
    compare(game, games=4)


def test_boards_of_two_words() -> None:
    compare(checked(BY_COMPONENT[3], 8, 9), games=1)


@pytest.mark.sweep
@pytest.mark.parametrize("form", NOT_BY_COMPONENT)
def test_cells_of_a_component_may_differ(form: str) -> None:
    game = checked(form, 3, 3)
    node = comprehension(game)
    assert node.condition is not None
    if isinstance(node.element, typed.Local) and len(node.binders) == 1:
        assert by_component(node.condition, node.binders[0].symbol) is None
    compare(game, games=2)
