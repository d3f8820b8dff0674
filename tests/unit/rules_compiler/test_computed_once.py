"""What may be a fault in a loop is one only where it is needed; a `let` of a phase is computed once."""

from __future__ import annotations

import pytest

from ggp.faults import RulesFault
from tests.support.comparison import compare_all
from tests.support.implementations import Plain
from tests.support.library import game_of, one_phase, typed_game

TEXT = one_phase(
    "ann chooses n in 0..25, from in 1..21\nlet first = the i in pit: seeds[i] > n\n"
    "seeds[i] := if i >= from and seeds[i] > first then 0 else seeds[i] for i in pit",
    "seeds[i: pit]: 0..40 = i",
    "type pit = 1..20",
    payoff="(sum i in pit: seeds[i]) * (if p == ann then 1 else -1)",
)


def played(named: int, begin: int) -> float:
    return game_of(TEXT).initial().apply({"ann": f"{named} {begin}"}).utilities()[0]


def test_it_is_right_in_every_turn_of_the_loop() -> None:
    assert played(9, 1) == sum(range(1, 11))
    assert played(9, 20) == sum(range(1, 20))


def test_what_is_not_needed_is_no_fault() -> None:
    assert played(25, 21) == sum(range(1, 21))
    with pytest.raises(RulesFault):
        played(25, 20)


SOWING = """
game ring "Sow seeds around a ring; a last seed alone takes those opposite"
players south, north
type pit = 0..5
state
    seeds[pit]: 0..12 = 2
    taken[player]: 0..12 = 0
    turn: player = south
    made: 0..9 = 0
let home[p] = if p == south then 0 else 3
phase sow
    turn chooses h in {h in 0..2: seeds[home[turn] + h] > 0}
    let start = home[turn] + h
    let n = seeds[start]
    let behind[i: pit] = (i - start - 1) mod 6 + 1
    let sown[i: pit] = (if i == start then 0 else seeds[i]) + (count k in 1..12: k <= n and (start + k) mod 6 == i)
    let last = the i in pit: behind[i] == (n - 1) mod 6 + 1
    let catch = sown[last] == 1 and sown[5 - last] > 0 and last div 3 == home[turn] div 3
    seeds[i] := if catch and (i == last or i == 5 - last) then 0 else sown[i]  for i in pit
    taken[turn] := taken[turn] + 1 + sown[5 - last]        if catch
    turn := other(turn)                                    if last != home[turn] and not (catch and sown[0] > 1)
    made := made + 1
    sees all: move, sown[last]
    next end if made == 9 or (no i in pit: seeds[i] > 0 and i div 3 == home[turn] div 3) or sown[last] > 4 else sow
payoff[p] = taken[p]
"""


def test_a_let_of_a_phase_is_computed_once_and_formulas_of_the_turn_are_tables() -> None:
    game = typed_game(SOWING)
    source = Plain(game).source
    assert "cache_sown" in source
    assert "cache_last" in source
    assert "f_behind" not in source, "it depends on `turn`, `h` and `i` alone: a table"
    assert set(compare_all(game, games=8, playouts=20)) == {"end"}


NAMED = """
game rays "Values that are named in expressions: of state, arguments, choices, quantifiers, `old`, sequences"
players row, col
board cell = grid(3, 3)
type digit = 0..9
state
    at[cell]: player or none = none
    score[player]: 0..99 = 0
    turn: player = row
    pile: sequence of digit, at most 4 = [1, 2]
    made: 0..9 = 0
def rays(c: cell, d: direction) =
    let beside = c + d:
    let far = if beside is some then beside + d else none:
    if far is none then 0
    else let k = (count e in cell: at[e] == at[far]): k + (if at[far] is none then 1 else 0)
def highest(s: sequence of digit, at most 4, c: cell) =
    let t = s + [c.x]:
    let u = t.top(2):
    count(t) + (let v = u.bottom: if v is none then 0 else v)
phase play
    turn chooses c in cell where at[c] is none and let m = (sum d in direction: rays(c, d)): m mod 7 != 5 or made > 2
    at[c] := turn
    score[turn] := let here = (max d in direction: rays(c, d)): min(99, score[turn] + here + highest(pile, c))
    turn := other(turn)
    made := made + 1
    sees all: move, let q = rays(c, north): q + 1
    next end if let m = made: m == 9 or old made > 7 or all x in cell: let o = at[x]: o is some or m > 7 else both
phase both
    each p chooses a in cell, b in cell where let s = {a, b}: count(s) == 1 or let t = a.x + score[p]: b.y > t mod 3
    let gain[p] = let one = a[p]: one.x + b[p].y
    score[p] := min(99, let g = gain[p]: g + score[other(p)])  for p in player
    next play
payoff[p] = let mine = score[p]: let theirs = score[other(p)]: sign(mine - theirs)
"""


def test_values_named_in_expressions_are_the_same_everywhere() -> None:
    assert set(compare_all(typed_game(NAMED), games=6, playouts=20)) == {"end"}


SEEN = """
game towers "Towers that are seen along a way from one place to another"
players a, b
type place = 1..5
state
    tower[place, place]: 0..9 = 1
    turn: player = a
    made: 0..6 = 0
def within(x: place, y: place, n: 0..5, p: player, dx: -1..1, dy: -1..1) =
    x + n*dx in 1..5 and y + n*dy in 1..5 and all k in 1..n: tower[x + k*dx, y + k*dy] <= n + (if p == a then 1 else 0)
def seen(x: place, y: place, dx: -1..1, dy: -1..1, p: player) =
    max n in 0..5 if n == 0 or within(x, y, n, p, dx, dy): n
phase build
    turn chooses x in place, y in place where tower[x, y] < 3 + seen(x, y, 1, 0, turn)
    tower[x, y] := tower[x, y] + 1 + min(3, sum dx in -1..1, dy in -1..1: seen(x, y, dx, dy, turn))
    turn := other(turn)
    made := made + 1
    next end if made == 6 or tower[x, y] + seen(x, y, 0, 1, a) > 8 else build
payoff[p] = sum x in place, y in place: seen(x, y, 1, 1, p)
"""


def test_a_definition_of_many_values_is_computed_once_for_each_if_it_is_called_in_several_places() -> None:
    game = typed_game(SEEN)
    assert "cache_seen" in Plain(game).source
    assert set(compare_all(game, games=4, playouts=10)) == {"end"}
