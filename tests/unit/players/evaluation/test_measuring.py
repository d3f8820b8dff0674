"""Measuring searches: reading a whole tree equals reading it node by node, and runs do not depend on processes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from ggp.arithmetic.rng import seed_word
from ggp.cli.main import app
from ggp.solvers.worlds.state_graph import ROOT
from ggp.solvers.worlds.strategy_trees import strategy_tree
from players.agents.registry import read_player
from players.evaluation.measuring import Course, measured_game, measured_run
from players.search.simultaneous.tree_search import TreeSearch
from players.search.simultaneous.tree_strategies import node_strategies

GAMES = {
    "goofspiel": (("n", "3"),),
    "oshi_zumo": (("coins", "4"),),
}


@pytest.mark.parametrize(
    ("game", "player"),
    [("goofspiel", "rm"), ("goofspiel", "exp3"), ("oshi_zumo", "duct")],
)
def test_strategies_are_read_as_node_by_node(game: str, player: str) -> None:
    graph, meter = measured_game(game, GAMES[game], None)
    spec = read_player(player)
    search = TreeSearch(graph.native, spec.kind.family, spec.settings)
    search.seed(11)
    search.set_root(graph.state_words(ROOT).copy())
    for iterations in (1, 3000):
        search.run(iterations)
        plain = strategy_tree(graph, node_strategies(search, graph.native))
        # the plain way leaves out nodes that were never expanded, which have no strategies
        assert search.strategies_in(graph).row_probability.size == plain.row_probability.size
        loss = meter.of_tree(search.strategies_in(graph)).by_player
        assert loss == pytest.approx(meter.of_tree(plain).by_player, abs=1e-12)


def test_measuring_does_not_change_the_run() -> None:
    pairs = (("n", "3"),)
    (once,) = measured_run(Course("goofspiel", pairs, "rm", (2000.0,)), 3, 1)
    often = list(measured_run(Course("goofspiel", pairs, "rm", (10.0, 500.0, 2000.0)), 3, 1))
    assert [one.iterations for one in often] == [10, 500, 2000]
    assert often[-1].loss == once.loss
    assert often[0].loss.nash_conv > often[-1].loss.nash_conv
    (other,) = measured_run(Course("goofspiel", pairs, "rm", (2000.0,)), 3, 2)
    assert other.loss != once.loss


@pytest.mark.long
def test_a_player_for_one_role_is_measured_in_each() -> None:
    pairs = (("n", "4"), ("prizes", "descending"), ("winner", "point_difference"))

    def loss(player: str) -> tuple[float, float]:
        (measured,) = measured_run(Course("goofspiel", pairs, player, (300.0,)), 0, 0)
        assert measured.iterations == 300
        return measured.loss.by_player

    # without confidence it is CFR, in either role
    assert loss("rnr:p=0,model_iterations=10") == pytest.approx(loss("cfr"), abs=1e-12)
    # a best response to a model that hardly searched is not safe, in either role
    certain = loss("rnr:p=1,model_iterations=10")
    assert min(certain) > 1
    # each role's loss is that of the search that took it
    graph, meter = measured_game("goofspiel", pairs, None)
    spec = read_player("rnr:p=1,model_iterations=10")
    for role in range(2):
        search = spec.kind.family.make_readable(graph.native, spec.settings)
        search.take_role(role)
        search.seed(seed_word(0, 0))
        search.set_root(graph.state_words(ROOT).copy())
        search.run(300)
        assert meter.of_tree(search.strategies_in(graph)).by_player[role] == certain[role]


def test_seconds_are_kept() -> None:
    course = Course("matching_pennies", (), "rm", (0.001, 0.004), by_time=True)
    points = list(measured_run(course, 0, 0))
    assert points[0].seconds >= 0.001
    assert points[1].seconds >= 0.004
    # the first slice may take longer than both times on a busy machine
    assert 0 < points[0].iterations <= points[1].iterations


@pytest.mark.long
def test_exploit_is_the_same_in_any_number_of_processes() -> None:
    arguments = ["exploit", "goofspiel", "rm", "-p", "n=3", "--iterations", "100,1000", "--runs", "3", "--json"]
    curves = []
    for jobs in ("1", "2"):
        result = CliRunner().invoke(app, [*arguments, "--seed", "4", "--jobs", jobs], catch_exceptions=False)
        curves.append([{**point, "seconds": None} for point in json.loads(result.stdout)])
    assert curves[0] == curves[1]
    assert [point["iterations"] for point in curves[0]] == [100, 1000]
    assert curves[0][0]["runs"] == 3
