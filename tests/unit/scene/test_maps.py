"""Types whose members a table joins are drawn as maps."""

from __future__ import annotations

import math
from itertools import combinations

from ggp.scene.svg import svg_of
from ggp.scene.terminal import drawing_of
from tests.support.library import game_of

RULES = """game roads "Walk between towns"
players anna, boris
type town = {harbour, market, mill, abbey, far_away}
type ware = {wool, wine}
table road[town]: set of town = {harbour: {market}, market: {harbour, mill}, mill: {abbey}, else {}}

state
    stands[player]: town = {anna: harbour, boris: abbey}
    goods[town]: ware or none = {mill: wine, else none}
    turn: player = anna

phase walk
    turn chooses to in road[stands[turn]] + {far_away}
    stands[turn] := to
    next end

payoff[p] = 0
"""


def test_points_lines_and_what_stands_there() -> None:
    scene = game_of(RULES).initial().scene()
    (board,) = scene.boards
    assert board.style == "graph"
    assert len(board.lines) == 3  # a way that leads in one direction is a line, too
    held = {
        place.name: [(piece.player, piece.text) for piece in place.pieces] for place in board.places if place.pieces
    }
    assert held == {"harbour": [(0, "")], "abbey": [(1, "")], "mill": [(None, "Wi")]}
    assert [entry.label for entry in scene.entries] == ["turn"]
    at = [(place.x, place.y) for place in board.places]
    assert all(math.dist(one, other) > 1 for one, other in combinations(at, 2))
    assert all(0 < x < board.width and 0 < y < board.height for x, y in at)
    assert "market" in svg_of(scene)
    assert str(drawing_of(scene)).splitlines()[0] == "harbour: A"


def test_points_of_two_rings_do_not_lie_on_each_other() -> None:
    """The distances alone lay the rings on each other: both are as far from everything."""
    names = [f"{ring}{place}" for ring in "oi" for place in range(8)]
    near = ", ".join(
        f"{ring}{place}: {{{ring}{(place + 1) % 8}{', ' + 'i' + str(place) if ring == 'o' and place % 2 else ''}}}"
        for ring in "oi"
        for place in range(8)
    )
    rules = f"""game rings "Two rings"
players anna, boris
type point = {{{", ".join(names)}}}
table line[point]: set of point = {{{near}}}

state
    men[player]: set of point = {{}}

phase play
    anna chooses p in point
    next end

payoff[p] = 0
"""
    (board,) = game_of(rules).initial().scene().boards
    at = [(place.x, place.y) for place in board.places]
    assert min(math.dist(one, other) for one, other in combinations(at, 2)) > 1.19
