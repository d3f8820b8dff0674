"""What terminals show: letters that tell whose a piece is without colours, values with two indices as tables."""

from __future__ import annotations

import pytest

import ggp
from ggp.cli.game_texts import drawing_text
from ggp.scene.scene import Entry, Item, Row
from ggp.scene.terminal import drawing_of, entry_text, labelled
from players.agents.candidate_trial import random_decisions
from tests.support.library import one_phase
from tests.support.plain_scenes import first_scene


@pytest.mark.parametrize(
    ("shape", "row"), [("tower", "AT BT CT"), ("tower label 7", "A7 B7 C7"), ("disc", "A B C"), ('"b"', "Ab Bb Cb")]
)
def test_of_three_players(shape: str, row: str) -> None:
    rules = one_phase(
        "ann chooses what in bool",
        "at[player]: cell = {ann: a1, bob: b1, cat: c1}",
        "board cell = grid(3, 1)",
        payoff=f"0\ndisplay grid cell\n    at[p]: {shape} of p for p in player",
        players="ann, bob, cat",
    )
    drawn = drawing_of(first_scene(rules))
    assert " ".join(cell.text for cell in drawn.rows[0]) == row


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["checkers", "chess", "connect_four", "einstein", "stratego", "tak", "tic_tac_toe"])
def test_what_looks_different_has_different_letters(name: str) -> None:
    owners: dict[str, set[tuple[str, int | None]]] = {}
    for seed in range(3):
        for state in random_decisions(ggp.load(name), seed):
            for place in state.scene().boards[0].places:
                for piece in place.pieces[-1:]:
                    owners.setdefault(piece.letter, set()).add((piece.shape, piece.player))
    assert len(owners) >= 2
    assert all(len(found) == 1 for found in owners.values())


def test_of_two_indices_a_terminal_shows_a_table() -> None:
    rows = (Row((Item("2", "wood"), Item("10", "stone")), "ann"), Row((Item("0", "wood"), Item("", "stone")), "bob"))
    assert (
        entry_text(Entry("table", "stores", "", rows)) == "\n       wood  stone\n  ann     2     10\n  bob     0      ."
    )


def test_a_wide_table_lies_on_its_side_or_is_a_line() -> None:
    wide = tuple(
        Row(tuple(Item(str(10 * who + one), f"number{one:02}") for one in range(12)), "ab"[who]) for who in (0, 1)
    )
    lines = entry_text(Entry("table", "numbers", "", wide)).split("\n")
    assert lines[:3] == ["", "             a   b", "  number00   0  10"]
    long = tuple(Row(tuple(Item("yes", f"city{one}") for one in range(20)), f"road{row}") for row in range(20))
    assert entry_text(Entry("table", "roads", "as it is", long)) == "as it is"


def test_long_rows_of_several_players_have_a_line_each() -> None:
    rows = tuple(Row(tuple(Item(f"{name}_{one}") for one in range(9)), name) for name in ("ann", "bob"))
    text = "[" + ", ".join(item.text for row in rows for item in row.items) + "]"
    ann, bob = (", ".join(item.text for item in row.items) for row in rows)
    assert entry_text(Entry("cards", "hands", text, rows)) == f"\n  ann: {ann}\n  bob: {bob}"
    assert labelled("hands", f"\n  ann: {ann}").startswith("hands:\n  ann: ann_0")
    assert entry_text(Entry("cards", "hands", "{1}", rows[:1])) == "{1}"


def test_rows_of_hexagons_are_shifted() -> None:
    state = ggp.load("hex", width=3, height=3).initial()
    lines = drawing_text(state.drawing()).plain.split("\n")
    assert lines[:4] == ["3   . . .", "2  . . .", "1 . . .", "  a b c"]
    assert str(state.drawing()).startswith("  . . .\n . . .\n. . .")
