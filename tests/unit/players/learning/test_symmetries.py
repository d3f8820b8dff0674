"""Symmetries found in games whose symmetries are known."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
from players.learning.declarations import declarations_of
from players.learning.symmetries import Symmetry, Turner, sampled_states, symmetries_of
from tests.support.library import one_phase

ALL, LEFT_AND_RIGHT, NONE = set(range(8)), {0, 1}, {0}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters", "turns", "exchanged"),
    [
        ("tic_tac_toe", {}, ALL, True),
        ("reversi", {"width": 4, "height": 4}, ALL, True),
        ("reversi", {"width": 4, "height": 6}, {0, 1, 2, 3}, True),
        ("connect_four", {"width": 5, "height": 4}, LEFT_AND_RIGHT, True),
        ("breakthrough", {"width": 4, "height": 5}, LEFT_AND_RIGHT, True),
        ("chess", {}, NONE, True),  # the king stands on one side
        ("go", {"size": 5}, ALL, False),  # of komi
        ("backgammon", {}, NONE, True),
        ("kuhn_poker", {}, NONE, False),
    ],
)
def test_known_symmetries(name: str, parameters: dict[str, int], turns: set[int], exchanged: bool) -> None:
    game = ggp.load(name, **parameters)
    found = symmetries_of(game, declarations_of(game))
    assert {one.turn for one in found if not one.exchanged} == turns
    assert any(one.exchanged for one in found) == exchanged


def test_one_cell_that_differs_breaks_the_symmetry() -> None:
    rules = one_phase(
        "turn chooses at in all - taken[ann] - taken[bob]\ntaken[turn] := taken[turn] + {at}\nturn := other(turn)\n"
        "next end if count(taken[ann] + taken[bob]) == 8 else go",
        "taken[player]: set of cell = {}\nturn: player = ann",
        "board cell = grid(3, 3)",
        defs="def worth(p: player) = count(taken[p]) + count(taken[p] & CORNERS)",
        payoff="worth(p) - worth(other(p))\npayoff sum = 0",
    )
    corners = {"{cell(1, 1)}": {0, 4}, "{cell(1, 1), cell(3, 3)}": {0, 3, 4, 7}}  # 4: about the diagonal
    for cells, turns in corners.items():
        game = ggp.load_text(rules.replace("CORNERS", cells))
        found = symmetries_of(game, declarations_of(game))
        assert {one.turn for one in found if not one.exchanged} == turns


def test_turning_twice_is_turning_back() -> None:
    game = ggp.load("quoridor", size=5)
    turner = Turner(declarations_of(game))
    rows, _ = sampled_states(game, 20, 1)
    for turn in (0, 1, 2, 3, 4, 7):
        for exchanged in (False, True):
            by = Symmetry(turn, exchanged)
            assert np.array_equal(turner.turned(turner.turned(rows, by), by), rows)
