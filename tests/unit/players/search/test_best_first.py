"""Best-first minimax: exact where a game is small, and each value of the graph is that of the best action."""

from __future__ import annotations

import pytest

import ggp
from ggp.game.game import Game
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.exploration import explore_game
from players.agents.registry import read_player
from players.player_options import NotApplicable
from players.search.uct.best_first import BestFirstSearch
from players.search.uct.graph import (
    CHILD,
    EDGE_HALVES,
    EDGES,
    FIRST_NODE,
    MEAN,
    MOVER,
    ROOT,
    SOLVED,
    TRIED,
    VALUE_WORD,
    edge_of,
)
from tests.support.searches import search_at


def search_of(game: Game, iterations: int, options: str = "memory=16") -> BestFirstSearch:
    search = search_at(BestFirstSearch, game.native(), f"ubfm:{options}", game.initial().words, seed=3)
    search.run(iterations)
    return search


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("tic_tac_toe", {}),
        ("nim", {}),
        ("hex", {"width": 3, "height": 3}),
        ("dots_and_boxes", {"width": 2, "height": 1}),
    ],
)
def test_small_games_are_solved(name: str, parameters: dict[str, int]) -> None:
    game = ggp.load(name, **parameters)
    search = search_of(game, 1_000_000)
    values = optimal_values(explore_game(game.native()))
    assert search.settled
    assert 2 * search.values()[0] - 1 == pytest.approx(values.value[values.game.find(game.initial().words)])
    actions, strategy = search.strategy(0)
    after = game.initial().apply({0: int(actions[strategy.argmax()])})
    assert values.value[values.game.find(after.words)] == pytest.approx(2 * search.values()[0] - 1)


@pytest.mark.parametrize(
    ("name", "parameters"), [("chess", {}), ("breakthrough", {"width": 5}), ("nine_mens_morris", {})]
)
def test_values_are_those_of_the_best_actions(name: str, parameters: dict[str, int]) -> None:
    game = ggp.load(name, **parameters)
    search = search_of(game, 3000)
    graph, seen = search.graph, 0
    waiting, met = [int(graph.counters[ROOT])], set()
    while waiting:
        node = waiting.pop()
        if node in met or not graph.ints[2 * node + TRIED]:
            continue
        met.add(node)
        first, mover = edge_of(graph, node, 0), int(graph.ints[2 * node + MOVER])
        edges = range(first, first + EDGE_HALVES * int(graph.ints[2 * node + EDGES]), EDGE_HALVES)
        if not graph.ints[2 * node + SOLVED]:
            seen += 1
            best = max(float(graph.reals[edge + MEAN]) for edge in edges)
            own = graph.words[node + VALUE_WORD : node + VALUE_WORD + 2]
            assert own[mover] == pytest.approx(best)
            assert own.sum() == pytest.approx(1.0)
        waiting += [int(graph.ints[edge + CHILD]) for edge in edges if graph.ints[edge + CHILD] >= FIRST_NODE]
    assert seen > 500


def test_games_of_chance_are_refused() -> None:
    with pytest.raises(NotApplicable, match="chance acts"):
        read_player("ubfm").check(ggp.load("einstein"))
