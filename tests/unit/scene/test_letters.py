"""The letters of boards in terminals tell whose a piece is without colours."""

from __future__ import annotations

import pytest

import ggp
from ggp.scene.terminal import drawing_of
from players.agents.candidate_trial import random_decisions
from tests.support.library import game_of

THREE = """game three "Three move numbered towers"
players ann, bob, cat
board cell = grid(3, 1)
state
    at[player]: cell = {ann: a1, bob: b1, cat: c1}
phase play
    ann chooses what in bool
    next end
payoff[p] = 0
display grid cell
    at[p]: SHAPE of p                                      for p in player
"""


@pytest.mark.parametrize(
    ("shape", "row"), [("tower", "AT BT CT"), ("tower label 7", "A7 B7 C7"), ("disc", "A B C"), ('"b"', "Ab Bb Cb")]
)
def test_of_three_players(shape: str, row: str) -> None:
    drawn = drawing_of(game_of(THREE.replace("SHAPE", shape)).initial().scene())
    assert " ".join(cell.text for cell in drawn.rows[0]) == row


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
