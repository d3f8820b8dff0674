"""Tensors and masks of single states are those of batches, and the same from every seat but for who sits there."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
from ggp.faults import UnknownPlayer
from ggp.game.tensors import seat_order
from tests.support.library import one_phase

CHAIRS = one_phase(
    "turn chooses c in colour, n in 1..2\nheld[turn, c] := n\nowner[n] := turn\nseen := seen + {turn}\n"
    "last[c] := turn\nturn := after(turn)\nnext end if seen == all else go",
    "held[player, colour]: 0..3 = 0\nturn: player = FIRST\nowner[1..2]: player or none = none\n"
    "seen: set of player = {}\nlast[colour]: player or none = none",
    "type colour = {red, blue}",
    payoff="held[p, red]",
    players="ann, bob, cat",
)
"""Everything that can name a player."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel", "liars_dice", "yacht", "ra", "tron", "chess"])
def test_tensors_and_masks_are_those_of_batches(name: str) -> None:
    game = ggp.load(name)
    batch = game.batch(4, seed=5)
    for _ in range(12):
        batch.step(batch.random_actions())
        tensors = batch.state_tensor()
        for place in range(4):
            state = batch.state(place)
            np.testing.assert_array_equal(state.tensor(), tensors[place])
            for player in range(len(game.players)):
                np.testing.assert_array_equal(state.mask(player), batch.legal_mask(player)[place])
    with pytest.raises(UnknownPlayer):
        state.tensor("nobody")


def test_a_seat_is_told_what_the_first_player_is_told_in_its_place() -> None:
    """Let the second player do what the first did: from its seat, the tensor is the same."""
    first, second = (ggp.load_text(CHAIRS.replace("FIRST", name)) for name in ("ann", "bob"))
    ours, theirs = first.initial(), second.initial()
    for action in ("red 1", "blue 2"):
        ours, theirs = ours.apply(action), theirs.apply(action)
        np.testing.assert_array_equal(ours.tensor("ann"), ours.tensor())
        np.testing.assert_array_equal(theirs.tensor("bob"), ours.tensor())
        for seat in range(3):
            np.testing.assert_array_equal(theirs.tensor((seat + 1) % 3), ours.tensor(seat))
        assert not np.array_equal(theirs.tensor("ann"), ours.tensor())


def test_the_order_of_a_seat_is_worked_out_once() -> None:
    game = ggp.load("connect_four")
    order = seat_order(game, 1)
    assert seat_order(ggp.load("connect_four"), 1) is order
    with pytest.raises(ValueError, match="read-only"):
        order[0] = 1
