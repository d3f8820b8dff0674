"""What makes large games fast changes no play: caches, rays, shortened loops, candidates, in all implementations."""

from __future__ import annotations

import pytest

from ggp.codegen.python.printer import module_text
from ggp.encoding.state_layout import Layout
from ggp.rules_compiler.entry_points.entries import generate
from tests.property.test_same_meaning_everywhere import endings
from tests.support.library import typed_game

CACHED = """game cached "What is kept of the old state must not be taken for the new one"
players ann, bob
board cell = grid({width}, 5)
state
    free: set of cell = all
    last: cell = cell(1, 1)
    turn: player = ann
    seen: 0..400 = 0
let open = reach from {{last}} through free by {{north, east, south, west}}
def beside(c: cell, p: player) =
    sum t in (if p == turn then free else all) - {{last}} if t.x == c.x:
        count(reach from {{c, t}} through free by {{north}})
def room(c: cell) = count(reach from {{c}} through free - {{last}} by {{north, northeast, west}})
phase go
    turn chooses c in {{t in open: room(t) > 1}} + (if room(last) > 3 then {{cell(2, 2)}} else {{cell(1, 2), last}})
    free := free - {{c}} - (if room(c) > room(last) then {{last}} else {{}})
    last := c
    seen := min(400, seen + count(open) + room(c) + beside(last, other(turn)) - beside(c, turn))
    turn := other(turn)
    sees all: c, room(c), count(open)
    next end if count(open) < 4 or room(last) > 21 else go
payoff[p] = (if p == ann then 1 else -1) * (seen + count(open) - room(last))
"""
LINES = """game lines "From one cell along every line, over all sizes of boards"
players ann, bob
board cell = grid({width}, {height})
state
    wall: set of cell = {{}}
    at: cell = cell(2, 2)
    turn: player = ann
def seen(c: cell) = {{t for d in {{north, northeast, east, southeast, south, southwest, west, northwest}},
                      t in reach from {{c}} through all - wall by {{d}}}}
phase go
    turn chooses c in seen(at) - {{at}}, s in seen(c) - {{c}}
    wall := wall + {{s, at}}
    at := c
    turn := if turn == ann then bob else ann
    sees all: c, s, count(seen(c))
    next end if seen(at) == {{at}} or (any t in seen(at) - {{at}}: seen(t) == {{t}}) else go
payoff[p] = if p == turn then -1 else 1
"""
BOUNDED = """game bounded "Loops end where a condition says so"
players ann, bob
state
    made: 0..40 = 0
    past[0..40]: 0..9 = 0
    turn: player = ann
let again = count i in 0..40: i < made and past[i] == past[made]
let rich = any i in 3..40: made >= i and past[i] > 7
let most = sum i in 0..40: if i <= made then past[i] else 0
phase go
    turn chooses n in 0..9
    past[made + 1] := (n + made) mod 10
    made := made + 1
    turn := if turn == ann then bob else ann
    sees all: again, most
    next end if made == 39 or again > 2 or rich else go
payoff[p] = (if p == ann then 1 else -1) * (most + (sum i in 0..40 if i < made - 3: past[i]))
"""


@pytest.mark.long
@pytest.mark.parametrize("width", [5, 9, 14])
def test_caches_are_cleared_with_the_state(width: int) -> None:
    text = CACHED.format(width=width)
    game = typed_game(text)
    code = module_text(generate(game, Layout(game)).code)
    assert "cache_room" in code
    assert "cache_beside" in code
    assert set(endings(text, games=3)) <= {"end", "cut"}


@pytest.mark.sweep
@pytest.mark.parametrize(("width", "height"), [(3, 3), (8, 8), (9, 9), (4, 16), (13, 17), (16, 17)])
def test_lines_from_one_cell(width: int, height: int) -> None:
    assert set(endings(LINES.format(width=width, height=height))) <= {"end", "cut"}


def test_loops_that_end_early() -> None:
    text = BOUNDED
    assert set(endings(text, games=3)) <= {"end", "cut"}
