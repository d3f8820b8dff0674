"""UCT for turns: what it proves is exact, what it keeps from move to move is the same, and it never runs out."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.exploration import explore_game
from players.agents.candidate_trial import random_decisions
from players.agents.registry import read_player
from players.evaluation.matches import TimeControl, play_game
from players.player_options import NotApplicable
from players.search.foundation.kernel_arguments import DEPTH
from players.search.foundation.parallel import ParallelSearch
from players.search.uct.descent import mean_with_later
from players.search.uct.graph import (
    CHANCE,
    CHILD,
    COUNT,
    DECISION,
    EDGES,
    FIRST_NODE,
    KIND,
    LABEL,
    LENGTH,
    LIST_OF_EDGES,
    MEAN,
    MOVER,
    NO_LATER,
    VISITS,
    WORDS,
    edge_of,
)
from players.search.uct.graph_search import GraphSearch
from players.search.uct.played_actions import slot_of
from tests.support.library import game_of, one_phase
from tests.support.searches import search_at

DICE_AND_TURNS = """\
game dice_and_turns "Two dice, two choices: who moves next is drawn"
players a, b
type call = {take, double, pass}
state
    n: 0..3 = 0
    turn: player = a
    lead: -60..60 = 0
phase go
    turn chooses c in call
    lead := lead + (if turn == a then 1 else -1) * (if c == take then 1 else if c == double then 2 else 0)
    next after
phase after
    chance draws d in 1..3, who in player
    lead := lead + (if who == turn then d - 2 else 2 - d)
    turn := who
    n := n + 1
    next end if n == 3 else go
payoff[p] = if p == a then lead else -lead
"""
THREE = one_phase(
    "turn chooses k in 1..2 where k <= left\nleft := left - k\nbefore := last\nlast := turn\n"
    "turn := after(turn)\nnext end if left == 0 else go",
    "left: 0..5 = 5\nturn: player = a\nlast: player = a\nbefore: player = a",
    payoff="if p == last then 2 else if p == before then 1 else 0",
    players="a, b, c",
)
"""Three players in turn take 1 or 2 of 5; who takes the last wins, the one before gets half."""


def search_from(game: ggp.Game, player: str, state: ggp.State | None = None, seed: int = 5) -> GraphSearch:
    return search_at(GraphSearch, game.native(), player, (state or game.initial()).words, seed_word(seed, 1))


@pytest.mark.sweep
@pytest.mark.parametrize("player", ["mcts", "mcts:rave=100"])
@pytest.mark.parametrize(
    ("name", "parameters", "iterations"),
    [
        ("tic_tac_toe", {}, 60_000),
        ("nim", {}, 20_000),
        ("connect_four", {"width": 4, "height": 4}, 3_000_000),
        ("breakthrough", {"width": 3, "height": 4}, 100_000),
        ("dice_and_turns", {}, 100_000),
    ],
)
def test_what_is_proven_is_exact(name: str, parameters: dict[str, int], iterations: int, player: str) -> None:
    game = game_of(DICE_AND_TURNS) if name == "dice_and_turns" else ggp.load(name, **parameters)
    values = optimal_values(explore_game(game.native()))
    search = search_from(game, player)
    search.run(iterations)
    assert search.settled
    before = search.iterations
    search.run(100)
    assert search.iterations == before < iterations
    low, high = search.model.low, 1 / search.model.scale + search.model.low
    found = search.values() * (high - low) + low
    # probabilities of outcomes are kept in single precision
    assert found.tolist() == pytest.approx(values.to_players(), abs=1e-6 * (high - low).max())
    state = game.initial()
    actions, strategy = search.strategy(state.actors()[0])
    following = state.apply({state.actors()[0]: int(actions[strategy.argmax()])})
    best = values.value[values.game.find(following.words)]
    assert best == pytest.approx(values.root, abs=1e-9)


@pytest.mark.parametrize("name", ["connect_four", "kalah"])
def test_means_are_those_of_the_utilities_that_came_back(name: str) -> None:
    search = search_from(ggp.load(name), "mcts")
    search.run(5_003)
    actions, visits, means = search.action_values(0)
    assert search.root_visits == visits.sum() == 5_003 == search.iterations
    assert actions.size > 1
    assert (visits * means).sum() / visits.sum() == pytest.approx(search.values()[0], abs=1e-5)


def test_proven_values_of_other_nodes_are_exact_too() -> None:
    game = game_of(DICE_AND_TURNS)
    values = optimal_values(explore_game(game.native()))
    checked = 0
    for play in range(12):
        for state in random_decisions(game, play):
            search = search_from(game, "mcts", state)
            search.run(30_000)
            assert search.settled
            value = search.values()[0] / search.model.scale[0] + search.model.low[0]
            assert value == pytest.approx(values.value[values.game.find(state.words)], abs=1e-4)
            checked += 1
    assert checked == 36


def test_each_of_three_players_looks_after_itself() -> None:
    # With 1 or 2 left the mover takes all. With 3: taking 1 leaves 2, taking 2 leaves 1; both lose the last, and come
    # second, so the value is 1 to it and 2 to the next. With 4: taking 1 leaves 3, where the next gets 1 and the one
    # after it 2; taking 2 leaves 2, so 1. With 5: taking 2 leaves 3, and the third after gets 2: nothing to the first;
    # taking 1 leaves 4, whose mover gets 1 by taking 2: the one after wins, nothing to the first either.
    game = game_of(THREE)
    search = search_from(game, "mcts")
    search.run(2000)
    assert search.settled
    assert sorted((2 * search.values()).tolist()) == [0.0, 1.0, 2.0]
    assert search.values()[0] == 0.0
    state = game.initial().apply({0: "1"})
    search = search_from(game, "mcts", state)
    search.run(2000)
    assert (2 * search.values())[1] == 1.0
    spec = read_player("mcts")
    play_game(game, [spec.make_agent() for _ in range(3)], 0, 1, False, TimeControl(iterations=50))


def nodes_of(search: GraphSearch) -> dict[int, int]:
    """Return the nodes of a graph by their keys."""
    graph, block, found = search.graph, FIRST_NODE, {}
    while block < graph.counters[WORDS]:
        if graph.ints[2 * block + KIND] != LIST_OF_EDGES:
            found[int(graph.keys[block + 6])] = block
        block += int(graph.ints[2 * block + LENGTH])
    return found


def known_of(search: GraphSearch, node: int) -> tuple[object, ...]:
    """Return what a graph knows of a node, without where it lies."""
    graph, half = search.graph, 2 * node
    edges = []
    for number in range(int(graph.ints[half + EDGES])):
        edge = int(edge_of(graph, node, number))
        child = int(graph.ints[edge + CHILD])
        to = int(graph.keys[child + 6]) if child >= FIRST_NODE else child
        later = graph.later[edge : edge + 2].tolist() if graph.later.size > NO_LATER else []
        edges.append((int(graph.ints[edge + LABEL]), int(graph.ints[edge + COUNT]), graph.reals[edge + 2], later, to))
    header = [int(graph.ints[half + field]) for field in (0, 2, 4, 5, 6, 7, 8, 9)]
    return (header, graph.words[node + 7 : node + 7 + graph.players].tolist(), edges)


@pytest.mark.parametrize(
    ("player", "name"),
    [("mcts", "connect_four"), ("mcts:rave=50", "connect_four"), ("mcts", "pig"), ("dpw", "einstein")],
)
def test_what_play_leads_to_is_kept_and_the_rest_forgotten(player: str, name: str) -> None:
    game = ggp.load(name)
    state = game.initial()
    search = search_from(game, f"{player}{',' if ':' in player else ':'}memory=16", state)
    search.run(5000)
    if state.is_chance():  # widening does not keep all outcomes
        kept = int(search.graph.ints[edge_of(search.graph, search._root, 0) + LABEL])
        state = state.apply_outcome(next(outcome for outcome, _ in state.chance_outcomes() if outcome == kept))
    else:
        (role,) = state.actors()
        actions, strategy = search.strategy(role)
        state = state.apply({role: int(actions[strategy.argmax()])})
    assert search.advance(0, np.array(state.words))
    before = {key: known_of(search, node) for key, node in nodes_of(search).items()}
    root = known_of(search, search._root)
    search._reclaim()
    after = {key: known_of(search, node) for key, node in nodes_of(search).items()}
    assert known_of(search, search._root) == root
    assert 0 < len(after) <= len(before)
    assert all(before[key] == known for key, known in after.items())
    wanted, reached = [root], set()
    while wanted:
        for *_, to in wanted.pop()[2]:
            if to not in reached and to in after:
                reached.add(to)
                wanted.append(after[to])
    assert len(after) - len(reached) <= 1  # all but the root are led to
    assert search.nodes == len(after)
    again = search.root_visits
    search.run(1000)
    assert search.root_visits >= again + 1000  # in pig play comes back to the root
    far = game.state(game.initial().words)
    assert not search.advance(0, np.array(far.words)) or name == "pig"


def test_actions_played_later_count_where_they_could_have_been_taken_at_once() -> None:
    # kept by hand for the root from what each iteration did: its actions on the way down, and those of its playout
    search = search_from(ggp.load("go", size=5), "mcts:rave=50,c=0.2")
    times: dict[int, int] = {}
    sums: dict[int, float] = {}
    for _ in range(300):
        search.run(1)
        graph, work, seen = search.graph, search.work, set[int]()
        for node, number in zip(work.path_node, work.path_joint[: work.cursor[DEPTH]], strict=False):
            label = int(graph.ints[edge_of(graph, int(node), int(number)) + LABEL])
            seen.add(slot_of(int(graph.ints[2 * node + MOVER]), label))
        seen.update(search._played.trace[: search._played.length[0]].tolist())
        for slot in seen:
            times[slot] = times.get(slot, 0) + 1
            sums[slot] = sums.get(slot, 0.0) + work.utility[0]
    assert not search.settled
    first = edge_of(search.graph, search._root, 0)
    for edge in range(first, first + 4 * int(search.graph.ints[2 * search._root + EDGES]), 4):
        slot = slot_of(0, int(search.graph.ints[edge + LABEL]))
        assert search.graph.later[edge] == times[slot] > 10
        assert search.graph.later[edge + 1] == pytest.approx(sums[slot] / times[slot], abs=1e-5)


def test_means_of_later_plays_count_less_with_every_visit() -> None:
    search = search_from(ggp.load("go", size=5), "mcts:rave=50,c=0.2")
    search.run(100)
    graph, edge = search.graph, edge_of(search.graph, search._root, 0)
    graph.reals[edge + MEAN], graph.later[edge : edge + 2] = 0.2, (1e6, 0.8)
    for visits, expected in ((0, 0.8), (50, 0.5), (150, 0.35)):  # later plays: 50 of 50, of 100, of 200
        graph.ints[edge + COUNT] = visits
        assert mean_with_later(graph, edge, 50.0) == pytest.approx(expected, abs=1e-3)
    graph.later[edge] = 0
    assert mean_with_later(graph, edge, 50.0) == pytest.approx(0.2)
    graph.ints[edge + COUNT] = 0
    assert mean_with_later(graph, edge, 50.0) == 1


def test_a_full_graph_goes_on_from_its_frontier() -> None:
    game = ggp.load("gomoku", size=9)
    search = search_from(game, "mcts:memory=1")
    search.run(20_000)
    assert search.root_visits == 20_000
    assert search.bytes_used <= 1 << 20
    assert search.strategy(0)[1].sum() == 1


@pytest.mark.parametrize(("name", "kind"), [("cant_stop", CHANCE), ("gomoku", DECISION)])
def test_double_progressive_widening_considers_as_many_as_the_formula_says(name: str, kind: int) -> None:
    game = ggp.load(name)
    search = search_from(game, "dpw:widen_c=2,widen_alpha=0.4")
    search.run(5000)
    graph, seen = search.graph, 0
    for node in nodes_of(search).values():
        if graph.ints[2 * node + KIND] == kind:
            visits = int(graph.ints[2 * node + VISITS])
            tried = int(graph.ints[2 * node + (EDGES if kind == CHANCE else 5)])
            assert tried <= np.ceil(2 * max(visits, 1) ** 0.4)
            seen = max(seen, visits)
    assert seen > 1000


LOTS = """\
game lots "One of many lots decides, whatever is called"
players a, b
type call = {stay, go}
state
    lot: 0..200 = 0
phase go
    a chooses c in call
    next draw
phase draw
    chance draws d in 1..200
    lot := d
    next end
payoff[p] = if p == a then lot else -lot
"""


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_chance_node_that_widens_is_never_proven(seed: int) -> None:
    # its list of edges moves while other iterations hold some of them: each child was counted as proven twice, the node
    # as proven when none was left, and its value, divided by probabilities that it does not have, was no number
    search = search_from(game_of(LOTS), "dpw:widen_c=8,widen_alpha=0.5", seed=seed)
    search.run(1200)
    assert not search.settled
    assert search.values().sum() == pytest.approx(1.0)
    assert search.strategy(0)[1].sum() == pytest.approx(1.0)
    graph, linked = search.graph, 0
    for node in nodes_of(search).values():
        if graph.ints[2 * node + KIND] == CHANCE:
            edges = [edge_of(graph, node, number) for number in range(graph.ints[2 * node + EDGES])]
            linked += len(edges)
            assert all(graph.ints[edge + CHILD] >= FIRST_NODE for edge in edges)
    assert linked > 64


def test_a_move_is_the_action_chosen_most_or_a_proven_one_that_is_better() -> None:
    game = ggp.load("nim")
    search = search_from(game, "mcts")
    state = game.initial()
    search.run(40)
    actions, visits, _ = search.action_values(0)
    if (visits >= 0).all():
        assert visits[search.strategy(0)[1].argmax()] == visits.max()
    mixed = search_from(game, "mcts:final=mix")
    mixed.run(40)
    assert mixed.strategy(0)[1].tolist() == pytest.approx((np.abs(visits) / np.abs(visits).sum()).tolist())
    fresh = search_from(game, "mcts")
    assert fresh.strategy(0)[1].tolist() == [1 / len(actions)] * len(state.legal(0))


def test_threads_have_graphs_of_their_own() -> None:
    game = ggp.load("connect_four")
    search = search_at(ParallelSearch, game.native(), "mcts:threads=2,memory=8", game.initial().words, seed=5)
    search.run(2000)
    assert search.iterations == 2000
    assert not search.settled
    assert search.strategy(0)[1].max() == 1.0


def test_games_that_do_not_fit_are_refused() -> None:
    for name in ("goofspiel", "kuhn_poker"):
        with pytest.raises(NotApplicable):
            read_player("mcts").kind.check(ggp.load(name))
