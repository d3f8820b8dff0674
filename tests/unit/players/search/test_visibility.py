"""Searches of visibility games: what they find out about a game is true, their choices are those of plain recursion."""

from __future__ import annotations

import itertools
import time
from functools import cache

import numpy as np
import pytest

import ggp
from ggp.beliefs.history_tree import new_history_tree
from ggp.game.game import Game
from players.agents.agent import Budget
from players.agents.belief_agent import BeliefAgent
from players.agents.registry import read_player
from players.evaluation.matches import TimeControl, play_game
from players.player_options import NotApplicable
from players.search.information_sets.information_walk import Roots
from players.search.visibility.lookahead import EVADES, LOOKAHEAD, PURSUES
from players.search.visibility.minimax import BEST
from players.search.visibility.units import units_of
from players.search.visibility.visibility_search import (
    MinimaxVisibilitySearch,
    ObservingVisibilitySearch,
    VisibilitySearch,
    graphs_of,
)
from tests.support.library import game_of

HIDE_AND_SEEK = """
game hide_and_seek "Nothing has the name that it has in the library's game"

players mouse, cats
board room = grid(4, 4)
let pillar = {room(2, 2), room(3, 3)}

state
    tom: room = room(1, 1)
    felix: room = room(2, 1)
    crouched: room = room(4, 4)
    held: set of room = {room(4, 4)}
    clock: 0..12 = 0

def around(r: room) = ({r} + ({r} + north) + ({r} + east) + ({r} + south) + ({r} + west)) - pillar
def lit(r: room) = (around(r) + ({r} + northeast) + ({r} + northwest) + ({r} + southeast) + ({r} + southwest)) - pillar

phase sneak
    mouse chooses hole in around(crouched)
    cats chooses paw in around(tom), claw in around(felix)
    let eyes = lit(paw) + lit(claw)
    let grown = (held + (held + north) + (held + east) + (held + south) + (held + west)) - pillar
    tom := paw
    felix := claw
    crouched := hole
    held := if hole in eyes then {hole} else grown - eyes
    clock := clock + 1
    sees cats: hole                                        if hole in eyes
    sees mouse: {paw, claw} & lit(hole)
    next end if clock == 11 else sneak

payoff[p] = if p == mouse then count(held) else -count(held)
"""
MOUSE, CATS = 0, 1
PILLARS = {5, 10}
ROOMS = [room for room in range(16) if room not in PILLARS]
Cells = frozenset[int]
Situation = tuple[tuple[int, ...], tuple[Cells, ...]]


@cache
def hide_and_seek() -> Game:
    return game_of(HIDE_AND_SEEK)


def within(room: int, corners: bool) -> Cells:
    """Return the rooms beside a room and itself, with those at its corners or without; by coordinates."""
    near = {
        other
        for other in ROOMS
        for dx, dy in [(abs(other % 4 - room % 4), abs(other // 4 - room // 4))]
        if (max(dx, dy) <= 1 if corners else dx + dy <= 1)
    }
    return frozenset(near)


AROUND = {room: within(room, corners=False) for room in ROOMS}
LIT = {room: within(room, corners=True) for room in ROOMS}


def spread(rooms: Cells) -> Cells:
    return frozenset(other for room in rooms for other in AROUND[room])


def lit(rooms: Cells) -> Cells:
    return frozenset(other for room in rooms for other in LIT[room])


def region(role: int, own: tuple[int, ...], sets: tuple[Cells, ...]) -> float:
    """Return RLA by eq. 5.9 and 5.10, set by set."""
    hidden, watching = (sets[0], [frozenset({room}) for room in own]) if role == CATS else (frozenset(own), list(sets))
    total = 0
    for _ in range(LOOKAHEAD + 1):
        total += len(hidden - lit(frozenset().union(*watching)))
        hidden, watching = spread(hidden), [spread(rooms) for rooms in watching]
    return total / (LOOKAHEAD + 1)


def told(rooms: Cells, own: tuple[int, ...]) -> list[Cells]:
    """Return the sets of rooms that a unit can be in after its step, by what is told of it."""
    reached, seen = spread(rooms), lit(frozenset(own))
    return [*([reached - seen] if reached - seen else []), *(frozenset({room}) for room in sorted(reached & seen))]


def worth(role: int, situation: Situation, sizes: tuple[int, ...], depth: int, urla: bool) -> float:
    """Return the value of plain minimax, for the player that searches."""
    own, sets = situation
    if depth == 0:
        size = region(role, own, sets) + (sum(sizes) / len(sizes) if urla else 0.0)
        return size if role == MOUSE else -size
    return max(after(role, situation, step, sizes, depth, urla) for step in steps(own))


def steps(own: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(itertools.product(*(sorted(AROUND[room]) for room in own)))


def after(
    role: int, situation: Situation, step: tuple[int, ...], sizes: tuple[int, ...], depth: int, urla: bool
) -> float:
    observations = itertools.product(*(told(rooms, step) for rooms in situation[1]))
    return min(
        worth(role, (step, sets), (*sizes, sum(map(len, sets))), depth - 1, urla) for sets in map(tuple, observations)
    )


SITUATIONS: list[tuple[int, Situation]] = [
    (CATS, ((0, 1), (frozenset({15}),))),
    (CATS, ((12, 3), (frozenset({2, 6, 7, 11}),))),
    (CATS, ((0, 4), (frozenset({8, 9, 13, 14, 12}),))),
    (MOUSE, ((15,), (frozenset({0}), frozenset({1, 4})))),
    (MOUSE, ((6,), (frozenset({3}), frozenset({8, 9, 12})))),
]


def put(search: VisibilitySearch, role: int, situation: Situation) -> None:
    """Search from a situation: its sets are given, where `move_to` would follow them."""
    units = units_of(hide_and_seek().native())
    assert units is not None
    own, sets = situation
    states = np.repeat(units.sample[None], 1, axis=0)
    states[0, list(units.words[role])] = own
    for word, rooms in zip(units.words[1 - role], sets, strict=True):
        states[0, word] = min(rooms)
    search.take_role(role)
    search._possible = [np.array([ROOMS.index(room) for room in sorted(rooms)]) for rooms in sets]
    search._followed = lambda before, places, seen: before  # type: ignore[method-assign]
    search.move_to(Roots(states, np.zeros((1, 4), np.uint64), np.ones(1)), new_history_tree(1, 2), role)


def test_units_moves_and_sight_are_found_in_a_game_with_other_names() -> None:
    found = graphs_of(hide_and_seek().native())
    assert found is not None
    units, graphs = found
    assert units.evader == MOUSE
    assert [len(words) for words in units.words] == [1, 2]
    assert units.codes.tolist() == ROOMS
    for cell, room in enumerate(ROOMS):
        assert {ROOMS[near] for near in units.near[cell, : units.moves[cell]].tolist()} == AROUND[room]
        for graph in graphs:
            assert {ROOMS[other] for other in np.flatnonzero(graph.sees[cell]).tolist()} == LIT[room]
    assert [graph.side for graph in graphs] == [EVADES, PURSUES]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("goofspiel", {"n": 4, "bids": "hidden"}),
        ("kuhn_poker", {}),
        ("phantom_tic_tac_toe", {}),
        ("goofspiel", {"n": 4}),
    ],
)
def test_other_games_are_none(name: str, parameters: dict[str, int | str]) -> None:
    game = ggp.load(name, **parameters)
    assert units_of(game.native()) is None
    with pytest.raises(NotApplicable, match="plays visibility games only"):
        read_player("minimax").kind.check(game)
    if not game.perfect_information:
        with pytest.raises(NotApplicable, match="simulation=heavy for visibility games only"):
            read_player("so:simulation=heavy").make_agent().start(game, 0, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("evaluation", ["rla", "urla"])
@pytest.mark.parametrize(("role", "situation"), SITUATIONS)
def test_minimax_chooses_as_plain_recursion_does(role: int, situation: Situation, evaluation: str) -> None:
    for depth in (1, 2):
        search = MinimaxVisibilitySearch(
            hide_and_seek().native(), read_player(f"minimax:depth={depth},evaluation={evaluation}").settings
        )
        put(search, role, situation)
        search.run(100_000)
        assert search.depth == depth
        own = situation[0]
        values = {step: after(role, situation, step, (), depth, evaluation == "urla") for step in steps(own)}
        left, taken = int(search.stack.counters[BEST]), []
        for room in own:
            near = sorted(AROUND[room])
            taken.append(near[left % len(near)])
            left //= len(near)
        assert values[tuple(taken)] == pytest.approx(max(values.values()), abs=1e-9)
        if evaluation == "urla":
            assert search.stack.best[0] == pytest.approx(max(values.values()), abs=1e-9)


@pytest.mark.parametrize("simulation", ["none", "random", "heavy", "rla", "region"])
@pytest.mark.parametrize(("role", "situation"), [SITUATIONS[1], SITUATIONS[3]])
def test_so_counts_its_iterations_in_the_tree(role: int, situation: Situation, simulation: str) -> None:
    search = ObservingVisibilitySearch(
        hide_and_seek().native(), read_player(f"so:simulation={simulation},memory=1").settings
    )
    put(search, role, situation)
    search.seed(3)
    search.run(2000)
    tree = search.tree
    first, count = int(tree.first[0]), int(tree.children[0])
    assert count == len(steps(situation[0]))
    assert tree.visits[0] == 2000 == tree.visits[first : first + count].sum() + 1
    means = tree.total[: int(tree.counters[0])] / np.maximum(1, tree.visits[: int(tree.counters[0])])
    # a size is from 1 to the number of rooms for each unit; a region can be empty
    sign = 1 if role == MOUSE else -1
    assert (sign * means >= 0).all()
    assert (sign * means <= np.log10(1 + 14 * len(situation[1]))).all()


def test_so_goes_where_the_evader_stays_in_sight() -> None:
    search = ObservingVisibilitySearch(hide_and_seek().native(), read_player("so:simulation=none,memory=1").settings)
    situation: Situation = ((12, 0), (frozenset({15}),))
    put(search, CATS, situation)
    search.run(20_000)
    best = [step for step in steps(situation[0]) if all(len(sets) == 1 for sets in told(frozenset({15}), step))]
    sizes = {step: max(len(sets) for sets in told(frozenset({15}), step)) for step in steps(situation[0])}
    strategy = search._weights()
    chosen = [
        step
        for number, step in enumerate(
            tuple(reversed(places)) for places in itertools.product(*(sorted(AROUND[room]) for room in (0, 12)))
        )
        if strategy[number] > 0
    ]
    assert not best, "no step is sure to see the mouse"
    assert all(sizes[step] == min(sizes.values()) for step in chosen)


@pytest.mark.parametrize("player", ["so:simulation=rla,memory=1", "minimax"])
def test_what_is_followed_is_what_the_rules_follow(player: str) -> None:
    """The game keeps the set of rooms in which the mouse can be; the player is told only what it sees."""
    game = hide_and_seek()
    for seed in range(3):
        agents = [read_player("random").make_agent(), read_player(player).make_agent()]
        for role, agent in enumerate(agents):
            agent.start(game, role, seed + 1)
        cats = agents[CATS]
        assert isinstance(cats, BeliefAgent)
        state = game.initial()
        while not state.is_terminal():
            legal = {role: [str(action) for action in state.legal(role)] for role in range(2)}
            taken = {
                role: agent.choose(legal[role], Budget(time.perf_counter, iterations=50))
                for role, agent in enumerate(agents)
            }
            search = cats.search
            assert isinstance(search, VisibilitySearch)
            levels = search.levels
            held = {ROOMS[cell] for cell in levels.cells[0, 0, : levels.sets[0, 0]].tolist()}
            assert held == state.values()["held"]
            state = state.apply({role: state.parse_action(role, text) for role, text in taken.items()})
            for role, agent in enumerate(agents):
                agent.observe(taken[role], state.readable_observation(role))


def test_both_roles_play_a_game_to_its_end() -> None:
    players = [read_player("minimax").make_agent(), read_player("so:simulation=heavy").make_agent()]
    for number in range(2):
        result = play_game(hide_and_seek(), players, number, 5, True, TimeControl(iterations=40))
        assert sum(result.utilities) == 0
        assert result.errors == (0, 0)
