"""Values of simultaneous games against a backward induction over OpenSpiel's states, with scipy's linear program.

OpenSpiel's own value iteration needs a package for convex programs. Conventions: its goofspiel plays the last card by
itself, which changes no value; its difference in points is that from the mean of both, half of ours.
"""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest

import ggp
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.exploration import explore_game
from tests.oracle.test_exact_values import value_by_linear_program


def value_by_open_spiel(state: pyspiel.State, known: dict[str, float]) -> float:
    """Return the value to player 0; states are told apart by their texts, which have all that matters for it."""
    key = str(state)
    if key not in known:
        if state.is_terminal():
            known[key] = state.returns()[0]
        elif state.is_chance_node():
            known[key] = sum(
                share * value_by_open_spiel(state.child(outcome), known) for outcome, share in state.chance_outcomes()
            )
        else:
            payoff = np.zeros([len(state.legal_actions(player)) for player in (0, 1)])
            for row, one in enumerate(state.legal_actions(0)):
                for column, other in enumerate(state.legal_actions(1)):
                    after = state.clone()
                    after.apply_actions([one, other])
                    payoff[row, column] = value_by_open_spiel(after, known)
            known[key] = value_by_linear_program(payoff)
    return known[key]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters", "theirs", "scale"),
    [
        ("goofspiel", {"n": 3}, {"num_cards": 3, "points_order": "random"}, 1),
        ("goofspiel", {"n": 4, "prizes": "descending"}, {"num_cards": 4, "points_order": "descending"}, 1),
        ("goofspiel", {"n": 4, "prizes": "ascending"}, {"num_cards": 4, "points_order": "ascending"}, 1),
        ("oshi_zumo", {"coins": 8, "half": 1}, {"coins": 8, "size": 1, "min_bid": 1}, 1),
        ("oshi_zumo", {"coins": 7, "half": 2, "least": 2}, {"coins": 7, "size": 2, "min_bid": 2}, 1),
    ],
)
def test_every_decision_has_its_value(name: str, parameters: dict, theirs: dict, scale: float) -> None:
    """Compare the values that every pair of first actions (and first prize) leads to; by symmetry the root is 0."""
    game = ggp.load(name, **parameters)
    values = optimal_values(explore_game(game.native()))
    extra = {"imp_info": False, "returns_type": "win_loss"} if name == "goofspiel" else {}
    known: dict[str, float] = {}
    state = pyspiel.load_game(name, theirs | extra).new_initial_state()
    assert values.root == pytest.approx(value_by_open_spiel(state, known), abs=1e-7)
    compared = []

    def compare(state: pyspiel.State, our: ggp.State, decisions: int) -> None:
        if state.is_terminal() or decisions == 0:
            value = values.value[values.game.find(our.words)]
            assert value == pytest.approx(scale * value_by_open_spiel(state, known), abs=1e-7)
            compared.append(value)
        elif our.is_chance():
            for outcome, _ in our.chance_outcomes():
                # prizes in a known order are no chance there
                card = int(our.outcome_text(outcome)) - 1
                compare(state.child(card) if state.is_chance_node() else state, our.apply_outcome(outcome), decisions)
        else:
            first = 1 if name == "goofspiel" else 0
            for one in our.legal(0):
                for other in our.legal(1):
                    after = state.clone()
                    after.apply_actions([int(str(one)) - first, int(str(other)) - first])
                    compare(after, our.apply({0: one, 1: other}), decisions - 1)

    compare(state, game.initial(), 1)
    assert min(compared) < -0.1 < 0.1 < max(compared)
