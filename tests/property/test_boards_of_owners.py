"""Arrays of owners that are kept as sets, against the interpreter, which keeps them as written."""

from __future__ import annotations

import pytest

from ggp.encoding import arrays_as_sets as value_sets
from tests.support.comparison import compare_all
from tests.support.implementations import Plain
from tests.support.library import one_phase, typed_game

LINES = one_phase(
    """turn chooses c in square where owner[c] is none
owner[c] := turn
turn := other(turn)
next end if row(ann) or row(bob) or no s in square: owner[s] is none else go""",
    "owner[square]: player or none = none\nturn: player = ann",
    "board square = grid(4, 3)",
    defs="""def row(p: player) = any c in square, d in {north, northeast, east, southeast}:
    c + 2*d is some and all i in 0..2: owner[c + i*d] == p""",
    payoff="(if row(p) then 1 else 0) + (count c in square: owner[c] == p and c.x > 1)",
)
COLUMNS = """game columns "Four in a row, by columns and rows"
players red, yellow
state
    owner[1..5, 0..4]: player or none = none
    turn: player = red
def four(p: player) =
    (any x in 1..2, y in 0..4: all i in 0..3: owner[x + i, y] == p)
    or (any x in 1..5, y in 0..1: all i in 0..3: owner[x, y + i] == p)
    or (any x in 1..2, y in 3..4: all i in 0..3: owner[x + i, y - i] == p)
def height(x: 1..5) = count y in 0..4: owner[x, y] is some
phase drop
    turn chooses x in 1..5 where owner[x, 4] is none
    owner[x, height(x)] := turn
    turn := other(turn)
    next end if four(red) or four(yellow) or all s in 1..5: owner[s, 4] is some else drop
payoff[p] = if four(p) then 1 else if four(other(p)) then -1 else 0
"""
REPLACED = one_phase(
    """turn chooses c in cell where owner[c] != turn
owner[c] := turn
turn := other(turn)
made := made + 1
next end if old owner[c] is some and old owner[cell(3, 2)] == old turn or made == 9 else go""",
    "owner[cell]: player or none = none\nturn: player = ann\nmade: 0..9 = 0",
    "board cell = grid(3, 2)",
    payoff="count c in cell: owner[c] == p",
)
CAPTURES = """game captures "Take a neighbour's stone"
board cell = grid(4, 3)
players white, black
type content = {empty, w, b}
state
    owner[cell]: content = empty
    marked[cell]: bool = no
    last[cell]: player or none = none
    turn: player = white
table colour[player]: content = {white: w, black: b}
let step = {north, east, south, west}
phase setup
    owner[c] := (if (c.x + c.y) mod 2 == 0 then w else b) for c in cell
    next move
phase move
    turn chooses
        take by from in cell, d in step
            where owner[from] == colour[turn] and from + d is some and owner[from + d] == colour[other(turn)]
        stay where no c in cell: marked[c]
    on take:
        owner[from + d] := owner[from]
        owner[from] := empty
        marked[c] := owner[c] in {w, b} and not marked[c] for c in cell if c.y < 3
        last[from] := if marked[from] then none else last[from + d]
    on stay:
        marked[cell(4, 3)] := yes
        last[c] := turn for c in cell if last[c] is none or last[c] != last[cell(1, 1)]
    turn := other(turn)
    next move if any a in cell, e in step:
        owner[a] == colour[turn] and a + e is some and owner[a + e] == colour[other(turn)] else end
payoff[p] = (count c in cell: marked[c]) + (if p == turn then -1 else 1)
"""
TURNS = """game turns "Five in a row on quarters that turn"
players white, black
board cell = grid(6, 6)
type side = {clockwise, anticlockwise}
table corner[1..4]: cell = [cell(1, 1), cell(4, 1), cell(1, 4), cell(4, 4)]
state
    owner[cell]: player or none = none
    turn: player = white
def origin(c: cell, k: 1..4, s: side) =
    if c.x < corner[k].x or c.x > corner[k].x + 2 or c.y < corner[k].y or c.y > corner[k].y + 2 then c
    else if s == clockwise then cell(corner[k].x + corner[k].y + 2 - c.y, corner[k].y + c.x - corner[k].x)
    else cell(corner[k].x + c.y - corner[k].y, corner[k].y + corner[k].x + 2 - c.x)
def five(p: player) = any c in cell, d in {north, northeast, east, southeast}:
    all i in 0..4: c + i*d is some and owner[c + i*d] == p
phase place
    turn chooses at in cell, k in 1..4, s in side where owner[at] is none
    owner[c] := (if origin(c, k, s) == at then turn else owner[origin(c, k, s)]) for c in cell
    turn := other(turn)
    next end if five(white) or five(black) or all c in cell: owner[c] is some else place
payoff[p] = if five(white) == five(black) then 0 else if five(p) then 1 else -1
"""


@pytest.mark.sweep
@pytest.mark.parametrize(("text", "kept"), [(LINES, 1), (COLUMNS, 1), (CAPTURES, 3), (TURNS, 1)])
def test_boards_of_owners(text: str, kept: int) -> None:
    game = typed_game(text)
    assert len(value_sets.kept_as_sets(game)) == kept
    assert "fault" not in compare_all(game, games=4, playouts=15, limit=40)


def test_old_elements_are_read_as_they_are_kept() -> None:
    game = typed_game(REPLACED)
    assert len(value_sets.kept_as_sets(game)) == 1
    assert "fault" not in compare_all(game, games=4, playouts=15, limit=40)


def test_lines_are_found_without_loops() -> None:
    for text, name in ((LINES, "row"), (COLUMNS, "four"), (TURNS, "five")):
        source = Plain(typed_game(text)).source
        body = source[source.index(f"def f_{name}(") :].split("\n\n")[0]
        assert "for " not in body
        assert "while " not in body
