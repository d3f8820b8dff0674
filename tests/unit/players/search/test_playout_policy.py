"""Playouts by patterns: what transitions change is what a new look finds, and probabilities follow it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import I64, kernel
from ggp.game.game import Game
from players.agents.candidate_trial import random_decisions
from players.learning.patterns import NoBoard, patterns_of
from players.search.foundation.kernel_arguments import Model, Work, new_model, new_work
from players.search.foundation.settings import MctsSettings
from players.search.uct.graph_search import GraphSearch
from players.search.uct.playout_policy import RINGS, TABLE, Policy, begin, choose, follow, fresh, guided_game


@kernel
def look(policy: Policy, before: I64, at: int, after: I64, to: int, anew: bool) -> None:
    if anew:
        begin(policy, before, at, after, to)
    else:
        follow(policy, before, at, after, to)


@kernel
def draw(model: Model, policy: Policy, work: Work, actions: I64, player: int) -> None:
    for place in range(actions.size):
        choose(model, policy, work, 0, player)
        actions[place] = work.joint[player]


def random_states(game: Game) -> list[I64]:
    return [np.array(state.words, np.int64) for state in random_decisions(game, 3)]


@pytest.mark.parametrize("name", ["go", "reversi"])
def test_patterns_are_those_of_the_state(name: str) -> None:
    game = ggp.load(name)
    policy = patterns_of(game).policy
    other, slow = fresh(policy), fresh(policy)
    states = random_states(game)[:40]
    look(policy, states[0], 0, states[0], 0, True)
    for before, after in pairwise(states):
        look(policy, before, 0, after, 0, False)
        look(other, before, 0, after, 0, True)
        look.py_func(slow, before, 0, after, 0, True)
        for one in (other, slow):
            assert (one.rings == policy.rings).all()
            assert (one.crosses == policy.crosses).all()
            assert ((one.changed == one.time[0]) == (policy.changed == policy.time[0])).all()


def test_a_stone_is_seen_by_the_cells_around_it() -> None:
    game = ggp.load("go")
    patterns = patterns_of(game)
    state = game.initial()
    after = state.apply({0: state.parse_action(0, "play e5")})
    look(patterns.policy, np.array(state.words), 0, np.array(after.words), 0, True)
    changed = np.flatnonzero(patterns.policy.changed == patterns.policy.time[0])
    assert changed.tolist() == [30, 31, 32, 39, 41, 48, 49, 50]
    assert patterns.policy.rings[31] == 1 << 0  # d5..f4: below it, the black stone is north
    assert patterns.policy.rings[49] == 1 << 8
    black, white = patterns.classes[:, patterns.policy.rings[[31, 49]]]
    assert black[0] == black[1] != white[0] == white[1]  # turned, it is the same; for white it is the other's


def test_actions_are_drawn_by_their_strengths() -> None:
    game = ggp.load("go", size=5)
    policy = patterns_of(game).policy
    rng = np.random.default_rng(1)
    policy.weights[:] = rng.choice([0.1, 1.0, 2.0], policy.weights.size)
    first, second, third = random_states(game)[9:12]
    look(policy, first, 0, second, 0, True)
    look(policy, second, 0, third, 0, False)
    model, work = new_model(game.native()), new_work(game.native().shape)
    work.states[: third.size] = third
    state = game.state(tuple(int(word) for word in third))
    (player,) = state.actors()
    table = policy.weights.reshape(len(game.players), 2, TABLE)[player]
    strengths = {}
    for action in state.legal(player):
        cell = policy.cells[int(action)]
        context = table[int(policy.changed[cell] == policy.time[0])]
        strengths[int(action)] = float(context[policy.rings[cell]] * context[RINGS + policy.crosses[cell]])
    drawn = np.zeros(20_000, np.int64)
    draw(model, policy, work, drawn, player)
    often = Counter(drawn.tolist())
    for action, strength in strengths.items():
        share = strength / sum(strengths.values())
        assert abs(often[action] / drawn.size - share) < 5 * (share * (1 - share) / drawn.size) ** 0.5
    slow = fresh(policy)
    look(slow, first, 0, second, 0, True)
    look(slow, second, 0, third, 0, False)
    again = new_work(game.native().shape)
    again.states[: third.size] = third
    same = drawn[:50].copy()
    with np.errstate(over="ignore"):
        draw.py_func(model, slow, again, same, player)
    assert same.tolist() == drawn[:50].tolist()


def test_searches_with_a_policy_are_the_same_by_seed() -> None:
    game = ggp.load("reversi", width=4, height=4)
    policy = patterns_of(game).policy
    policy.weights[:] = np.random.default_rng(1).uniform(0.2, 3.0, policy.weights.size)
    found = []
    for guided in (True, True, False):
        native = guided_game(game.native(), policy) if guided else game.native()
        search = GraphSearch(native, MctsSettings(rave=50.0, memory=8))
        search.seed(seed_word(7, 1))
        search.set_root(np.array(game.initial().words, np.int64))
        search.run(300)
        found.append(search.action_values(0)[1].tolist() + search.values().tolist())
    assert found[0] == found[1] != found[2]


def test_games_without_sets_of_cells_have_no_patterns() -> None:
    with pytest.raises(NoBoard, match="nim"):
        patterns_of(ggp.load("nim"))
