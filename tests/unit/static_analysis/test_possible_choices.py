"""Which actions can be legal: all that are, in every state that is reached, and in plain rules no others.

`tests/fuzz/comparisons.py` asks the same of random rules, in states of all sorts.
"""

from __future__ import annotations

import pytest

import ggp
from ggp.game.game import Game
from ggp.game.state import State
from ggp.static_analysis import possible_choices
from tests.support.library import game_of, one_phase, typed_game


def choosing(choice: str) -> str:
    """Return the rules of a game with a choice of some sort."""
    return one_phase(
        f"turn chooses {choice}\nn := n + 1\nturn := other(turn)\nmen[turn] := {{z in cell: hash(7, n, z) == 0}}\n"
        "next end if n == 6 else go",
        "turn: player = one\nmen[player]: set of cell = {a1}\nn: 0..6 = 0",
        "board cell = grid(3, 3)\ntable near[c: cell]: set of cell = {c + d for d in {north, east, south, west}}",
        defs="def open(c: cell) = c not in men[turn]\n"
        "def line(c: cell) = (reach from {c} through all - men[other(turn)] by {north}) - {c}",
        players="one, two",
    )


def legal_ones(game: Game) -> set[int]:
    """Return the actions that are legal in any state that can be reached."""
    found: set[int] = set()
    met, waiting = set[tuple[int, ...]](), [game.initial()]
    while waiting:
        state: State = waiting.pop()
        if state.words in met or state.is_terminal():
            continue
        met.add(state.words)
        (player,) = state.actors()
        found |= {int(action) for action in state.legal(player)}
        waiting += [state.apply({player: action}) for action in state.legal(player)]
    return found


@pytest.mark.parametrize(
    ("choice", "texts"),
    [
        ("x in 1..3, y in 1..3 where x + y == 4", "1 3|2 2|3 1"),
        ("x in 1..6 where x mod 2 == (if turn == one then 1 else 0)", "1|2|3|4|5|6"),
        ("x in 1..6 where turn == one and x < 3 or turn == two and (all y in 1..2: x > 2 + y)", "1|2|5|6"),
        ("x in {1, 3, n + 5}", "1|3|5|6|7|8|9|10|11"),
        ("x in 1..4 where count(near[b2]) == x and (no y in 1..x: y > n + 9)", "4"),
        ("x in 1..4, y in x..4 where 2 * x >= y and (sum z in {x, y}: z) == 5", "2 3"),
        ("x in 0..9 where x == 9 or (sum z in {y in 1..3: y > n}: z) == x", "0|1|2|3|4|5|6|9"),
        ("x in 1..2, c in {b2} where x == 2 or near[a1] <= men[turn] & near[b2]", "1 b2|2 b2"),
        ("x in 2 of 1..3", "1 2|1 3|2 3"),
        ("c in {c2}, t in near[c] - {b2}", "c2 c1|c2 c3"),
        ("c in {b1}, t in line(c) + {b2} + (if n > 2 then {} else {c + east})", "b1 c1|b1 b2|b1 b3"),
        ("c in {c in cell: c.x == c.y and c.x < 3 and open(c)} + {c3}", "a1|b2|c3"),
        ("c in {c in cell: near[c] <= {b1, a2, c2} and count(men[turn]) < 10}", "a1|c1"),
    ],
)
def test_forms_of_choices(choice: str, texts: str) -> None:
    game = game_of(choosing(choice)).in_python()
    assert "|".join(game.action_text(action) for action in game.possible_actions) == texts
    assert legal_ones(game) <= set(game.possible_actions)


@pytest.mark.parametrize(("name", "count"), [("wolf_and_sheep", 81), ("checkers", 170), ("ataxx", 529), ("hex", 121)])
def test_how_many_actions_of_games_from_square_to_square_can_be_legal(name: str, count: int) -> None:
    game = ggp.load(name)
    assert len(game.possible_actions) == count
    assert list(game.possible_actions) == sorted(game.possible_actions)
    assert game.possible_actions[-1] < game.num_actions


def test_what_takes_too_long_is_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = typed_game(choosing("x in 1..3, y in 1..3 where x + y == 4"))
    monkeypatch.setattr(possible_choices, "MAX_STEPS", 20)
    assert possible_choices.possible_choices(rules) == [[[None]]]
