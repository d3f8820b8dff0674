"""CFR sweep by sweep against OpenSpiel's, which updates both players at once if told so.

With three cards no two histories share an information state in OpenSpiel, as they do with more when bids are open, so
both do the same. Its games end a round before ours: both last cards are forced. Its difference in points is that from
the mean of both, half of ours.
"""

from __future__ import annotations

import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability

import ggp
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.exploitability import ExploitabilityMeter
from ggp.solvers.worlds.exploration import explore_game
from players.agents.registry import read_player
from players.evaluation.measuring import search_and_measure


@pytest.mark.sweep
@pytest.mark.parametrize("prizes", ["shuffled", "descending"])
def test_nash_conv_after_the_same_sweeps(prizes: str) -> None:
    order = "random" if prizes == "shuffled" else prizes
    theirs = pyspiel.convert_to_turn_based(
        pyspiel.load_game(
            "goofspiel",
            {"num_cards": 3, "imp_info": False, "points_order": order, "returns_type": "point_difference"},
        )
    )
    solver = cfr._CFRSolver(theirs, alternating_updates=False, linear_averaging=False, regret_matching_plus=False)
    graph = explore_game(ggp.load("goofspiel", n=3, prizes=prizes, winner="point_difference").native())
    components = order_components(graph.graph)
    meter = ExploitabilityMeter(optimal_values(graph, components), components)
    points = [1, 2, 5, 17, 60]
    done = 0
    for point, ours in zip(points, search_and_measure(graph, meter, read_player("cfr"), points, False, 1), strict=True):
        while done < point:
            solver.evaluate_and_update_policy()
            done += 1
        expected = exploitability.nash_conv(theirs, solver.average_policy())
        assert ours.iterations == point
        assert ours.loss.nash_conv == pytest.approx(2 * expected, rel=1e-9, abs=1e-12)
        assert point < 17 or expected > 0
