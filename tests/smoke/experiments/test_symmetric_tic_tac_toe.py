"""The symmetric sequence form has the value of the whole one, from positions small enough for both."""

from __future__ import annotations

from pathlib import Path

import pytest

import ggp
from experiments.symmetric_tic_tac_toe import CROSS, NOUGHT, symmetric_tree
from ggp.analysis.sequence_form.information_tree import InformationTree
from ggp.analysis.sequence_form.linear_program import solve_linear_program
from ggp.analysis.sequence_form.unfolding import information_tree
from ggp.model.makers.loading import load_rules


def bits(cells: str) -> int:
    """Return cells such as `a1 b2`, as bits, row by row from the south-west."""
    return sum(1 << ("abc".index(column) + 3 * (int(row) - 1)) for column, row in cells.split())


def written(cells: str) -> str:
    places = (f"cell({'abc'.index(column) + 1}, {row})" for column, row in cells.split())
    return "{" + ", ".join(places) + "}"


def whole_tree(folder: Path, cross: str, nought: str, turn: str) -> InformationTree:
    """Return the game of the rules from a position that both know, by the code for all games."""
    text = load_rules("phantom_tic_tac_toe")[0].text
    both = f"{cross} {nought}"
    for name, value in (
        ("marks", f"{{cross: {written(cross)}, nought: {written(nought)}}}"),
        ("known", f"{{cross: {written(both)}, nought: {written(both)}}}"),
    ):
        before = f"{name}[player]: set of cell = {{}}"
        assert before in text
        text = text.replace(before, f"{name}[player]: set of cell = {value}")
    text = text.replace("turn: player = cross", f"turn: player = {turn}")
    path = folder / "phantom.rules"
    path.write_text(text, encoding="utf-8")
    return information_tree(ggp.load(str(path)).native())


POSITIONS = [("a1 c3", "a3 c1", "nought"), ("b2 b1", "b3", "nought"), ("b1 b3", "b2", "cross")]


@pytest.mark.parametrize(("cross", "nought", "turn"), POSITIONS)
def test_the_value_is_that_of_the_whole_game(cross: str, nought: str, turn: str, tmp_path: Path) -> None:
    whole = whole_tree(tmp_path, cross, nought, turn)
    both = bits(f"{cross} {nought}")
    mover = CROSS if turn == "cross" else NOUGHT
    small, plays = symmetric_tree(whole.native, (bits(cross), bits(nought)), (both, both), mover, 1 << 14)
    assert small.information_states < whole.information_states
    assert plays <= whole.ends, "drawn plays are ends, too"
    wanted = solve_linear_program(whole)
    found = solve_linear_program(small)
    assert found.value == pytest.approx(wanted.value, abs=1e-9)
    assert found.nash_conv < 1e-9
