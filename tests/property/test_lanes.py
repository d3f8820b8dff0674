"""Arrays of small numbers whose cells are computed all at once: three implementations agree, faults included."""

from __future__ import annotations

import pytest
from comparison import compare_all
from implementations import Plain
from library import typed_game

from ggp.model import value_sets
from ggp.model.generate.packable import packed_variables

BOARD = """game cells "Compute a row of small numbers"
players ann, bob
type place = {places}
type stone = {{black, white, red}}
table worth[s: 0..3, j: place]: -90..90 = (7 * s + 3 * j) mod 19 - 9
state
    row[player, place]: -3..90 = 5
    held[place]: stone or none = none
    flags[place]: bool = no
    turn: player = ann
    made: 0..20 = 0
def near(j: place, k: place) = j == k or j + 1 == k
phase go
    turn chooses x in 0..3, a in place
    let filled = row[turn, a] > 4 and a in 2..4
    let sown[j: place] = row[turn, j] + worth[x, j]
    let caught = a in 2..4 and sown[a] != 3 and row[other(turn), 6 - a] > 0
    row[turn, j] := {row}
    held[j] := {held}
    flags[j] := {flags}
    turn := other(turn) if {test}
    made := made + 1
    next end if made == 20 or {ended} else go
payoff[p] = (sum j in place: row[p, j]) + count j in place: held[j] == white
"""

ROWS = [
    "max(-3, min(90, row[turn, j] + worth[x, j]))  for j in place",
    "if filled and j == a then 0 else max(-3, min(90, row[other(turn), j] - x))  for j in place",
    "if near(a, j) then row[turn, a] else row[turn, j]  for j in place if flags[j] or row[turn, j] > 7 - x",
    "(row[turn, j] - j) mod 90 div 60 + a  for j in {k in place: held[k] == none}",
    "row[turn, j] + (if x == 3 then worth[x, j] else 0)  for j in place",
    "row[turn, j] + j - a  for j in a..4",
    "if flags[j] then row[turn, j] + 90 else -2  for j in place",
    "if caught and j == 6 - a then 0 else max(-3, min(90, sown[j]))  for j in place",
    "if j == a then sown[a] - 2 else sown[j]  for j in place",
    "if filled and j == x then row[turn, j] else sown[j]  for j in {1, 2, 4}",
]
HELD = [
    "if row[turn, j] > 5 then white else none  for j in place",
    "red  for j in place if held[j] in {none, white} and j in {1, a, 4}",
    "if held[j] == none and not flags[j] then black else held[j]  for j in place",
]
FLAGS = ["row[turn, j] <= 5 or j == a  for j in place", "not flags[j]  for j in place if row[ann, j] >= row[bob, j]"]
TESTS = ["(any j in place: row[turn, j] > 9) or x == 1", "all j in place: row[turn, j] < 60 or flags[j]"]
ENDED = ["(no j in place: row[ann, j] < 30)", "(count j in place: row[turn, j] in {3, 5, 8}) == 4"]


@pytest.mark.parametrize("number", range(len(ROWS) * 2))
def test_all_at_once(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_sets, "pays", lambda reads, tests: False)  # else some are kept as sets
    places = "0..5" if number < len(ROWS) else "1..11"
    text = BOARD.format(
        places=places,
        row=ROWS[number % len(ROWS)],
        held=HELD[number % len(HELD)],
        flags=FLAGS[number % len(FLAGS)],
        test=TESTS[number // 2 % len(TESTS)],
        ended=ENDED[number // 3 % len(ENDED)],
    )
    game = typed_game(text)
    assert "flags" in {variable.name for variable in packed_variables(game)}
    assert "bytes_" in Plain(game).source
    compare_all(game, games=3, playouts=30, seed=number)
