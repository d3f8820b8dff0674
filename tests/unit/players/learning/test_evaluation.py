"""What an evaluation sums, against a calculation from the values of the rules' variables; compiled and plain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.game.game import Game
from ggp.native.calls import call_estimate
from players.learning.building import Plan, plan_of
from players.learning.differences import UNREAD, in_grains, new_before, write_values_after
from players.learning.evaluation import evaluate, read_state, write_values
from players.learning.native_estimate import with_estimate
from players.learning.symmetries import Successors, Turner, sampled_states
from tests.support.library import one_phase

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tic_tac_toe", {}),
    ("reversi", {"width": 4, "height": 4}),
    ("breakthrough", {"width": 4, "height": 5}),
    ("chess", {}),
    ("go", {"size": 5}),
    ("backgammon", {}),
    ("kalah", {}),
    ("amazons", {"size": 4}),
    ("goofspiel", {"n": 4}),
    ("kuhn_poker_three", {}),
    ("pig", {"goal": 20}),
]


def planned(name: str, parameters: dict[str, Any]) -> Plan:
    """Return the plan of a game, with weights drawn at random."""
    plan = plan_of(ggp.load(name, **parameters), hidden=3)
    rng = np.random.default_rng(1)
    for weights in (plan.evaluation.weights, plan.evaluation.top):
        weights[:] = rng.normal(size=weights.size) * 0.05
    return plan


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_compiled_and_plain_agree(name: str, parameters: dict[str, Any]) -> None:
    plan = planned(name, parameters)
    e, native = in_grains(plan.evaluation), with_estimate(plan.game.native(), plan.evaluation)
    rows, _ = sampled_states(plan.game, 30, 3)
    out, plain = np.zeros(native.shape.players), np.zeros(native.shape.players)
    found = []
    for row in rows:
        assert call_estimate(native.functions.estimate, row, 0, out, 0) == 0
        hidden = np.zeros(3, np.float32)
        evaluate.py_func(e, row, 0, np.zeros(e.base.size, np.int32), hidden, np.zeros(len(e.scale)), plain)
        assert np.allclose(out, plain, atol=1e-6)
        found.append(out.copy())
    for row, before in zip(rows[::-1], found[::-1], strict=True):  # the state that was read last makes no difference
        call_estimate(native.functions.estimate, row, 0, out, 0)
        assert (out == before).all()


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_with_seats_exchanged_utilities_are_exchanged(name: str, parameters: dict[str, Any]) -> None:
    plan = planned(name, parameters)
    if not plan.evaluation.facts[2]:
        assert plan.game.simultaneous or not any(one.exchanged for one in plan.symmetries)
        return
    exchange = next(one for one in plan.symmetries if one.exchanged)
    native = with_estimate(plan.game.native(), plan.evaluation)
    rows, _ = sampled_states(plan.game, 60, 3)
    one, other, differences = np.zeros(2), np.zeros(2), 0
    for row, turned in zip(rows, Turner(plan.declared).turned(rows, exchange), strict=True):
        call_estimate(native.functions.estimate, row, 0, one, 0)
        call_estimate(native.functions.estimate, turned, 0, other, 0)
        assert np.allclose(one, other[::-1], atol=1e-6)
        differences += abs(one[0]) > 1e-3
    assert differences > len(rows) / 2  # not because all is 0


def value_by_hand(plan: Plan, game: Game, row: np.ndarray[Any, Any], values: Mapping[str, Any]) -> float:
    """Return the value of a state of tic-tac-toe to the first player, from its variables."""
    e = in_grains(plan.evaluation)
    (layer,) = plan.features.layers
    marks = [values[plane.variable][plane.key[0]] for plane in plan.declared.planes]
    turn = values["turn"]
    mine, theirs = (marks[turn], marks[1 - turn])
    codes = dict.fromkeys(range(len(plan.features.site_codes)), 0)
    for order, cells in enumerate((mine, theirs)):
        for cell in cells:
            codes[layer.first + cell] += layer.planes[order]
    begins = np.concatenate([[0], np.cumsum(plan.features.tables)])
    total, read = 0.0, 0
    sums = e.hidden[:3].copy()  # what each unit always adds
    for one in plan.features.tuples:
        if one.plane >= 0:
            index = len((mine, theirs)[one.plane])
        elif any(site >= layer.first + 9 for site in one.sites):
            index = 0  # of the turn, which is always the own one
        else:
            index = 0
            for site in one.sites:
                index = index * plan.features.site_codes[site] + codes[site]
        total += float(e.weights[begins[one.table] + index])
        if len(one.sites) == 1:  # hidden units read it, each with weights of its own
            if index > 0:
                sums += e.hidden[3 * (read + index) : 3 * (read + index) + 3]
            read += plan.features.site_codes[one.sites[0]] - 1
    total += float(e.top @ (sums / (1 + abs(sums))))
    return math.tanh(total if turn == 0 else -total)


def test_the_sum_by_hand() -> None:
    plan = planned("tic_tac_toe", {})
    native = with_estimate(plan.game.native(), plan.evaluation)
    rows, _ = sampled_states(plan.game, 40, 5)
    out = np.zeros(2)
    for row in rows:
        call_estimate(native.functions.estimate, row, 0, out, 0)
        values = plan.game.codec.values([int(word) for word in row])
        assert out[0] == pytest.approx(value_by_hand(plan, plan.game, row, values), abs=1e-5)
        assert out[0] == -out[1]


def test_cells_that_symmetries_carry_into_each_other_share_weights() -> None:
    plan = planned("tic_tac_toe", {})
    alone = [one for one in plan.features.tuples if len(one.sites) == 1 and one.fixed]
    assert len(alone) == 9
    assert len({one.table for one in alone}) == 3  # centre, edges, corners


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_what_differs_from_the_state_before_gives_the_same_values(name: str, parameters: dict[str, Any]) -> None:
    plan = planned(name, parameters)
    e, width = plan.evaluation, plan.game.shape.state_words
    before, index, follow = new_before(e), np.zeros(e.base.size, np.int32), Successors(plan.game.native())
    whole, part = np.zeros(len(e.scale)), np.zeros(len(e.scale))
    standing = np.zeros(plan.game.shape.players)
    rows, _ = sampled_states(plan.game, 12, 4)
    met = 0
    for row in rows:
        before.banks[:] = UNREAD
        joints = follow.joints(row)
        for after in follow.after(row, joints[:12]) if joints is not None else ():
            states = np.concatenate([row, after])
            write_values(e, after, 0, index, np.zeros(3, np.float32), standing, whole)
            write_values_after(e, before, states, 0, states, width, standing, part)
            assert part == pytest.approx(whole, abs=1e-5)
            met += 1
    assert met > 20


@pytest.mark.long
@pytest.mark.parametrize("name", ["chess", "backgammon", "kalah"])
def test_weights_of_0_give_the_estimate_of_the_rules(name: str) -> None:
    game = ggp.load(name)
    native = with_estimate(game.native(), plan_of(game).evaluation)
    rows, _ = sampled_states(game, 40, 2)
    out, own, met = np.zeros(2), np.zeros(2), 0
    for row in rows:
        call_estimate(native.functions.estimate, row, 0, out, 0)
        assert call_estimate(game.native().functions.estimate, row, 0, own, 0) == 0
        assert out == pytest.approx(own, abs=2e-3)
        met += bool(own[0])
    assert met > 5


@pytest.mark.long
def test_no_tuple_is_spent_where_nothing_ever_stands() -> None:
    features = plan_of(ggp.load("chess")).features
    men, rooks = features.layers  # the second layer: rooks that may still castle, in the corners
    assert len(men.live) == 64
    assert rooks.live == {0, 7, 56, 63}
    lines = [{site - rooks.first for site in one.sites} for one in features.tuples if len(one.sites) > 1]
    on_rooks = [line for line in lines if all(0 <= cell < 64 for cell in line)]
    assert on_rooks
    assert all(line & rooks.live for line in on_rooks)


def test_neighbours_among_very_many_values_are_one() -> None:
    rules = one_phase(
        "turn chooses by in 2..9\ntotal := min(total * by, 4000000000)\nturn := other(turn)\n"
        "next end if total * by >= 4000000000 else go",
        "total: 1..4000000000 = 1\nturn: player = ann",
        payoff="if p == turn then -1 else 1\npayoff sum = 0",
    )
    plan = plan_of(ggp.load_text(rules))
    assert plan.evaluation.codes.shape[1] < 10_000
    weights = plan.evaluation.weights
    weights[:] = np.arange(weights.size) / weights.size
    native, values = with_estimate(plan.game.native(), plan.evaluation), []
    for total in (1, 1000, 2_000_000_000, 4_000_000_000):
        state = np.array(plan.game.initial().words, np.int64)
        (number,) = (one for one in plan.declared.numbers if one.variable == "total")
        state[number.word] = total
        out = np.zeros(2)
        call_estimate(native.functions.estimate, state, 0, out, 0)
        values.append(out[0])
    assert values[0] == values[1] != values[2] != values[3]


@pytest.mark.long
def test_sums_of_rows_and_the_ends_of_sets() -> None:
    game = ggp.load("backgammon")
    plan = plan_of(game, hidden=1)
    e, rows = plan.evaluation, sampled_states(game, 60, 5)[0]
    expected = set()
    index = np.zeros(e.base.size, np.int32)
    sums = [place for place, one in enumerate(plan.features.tuples) if len(one.factors) == 25]
    ends = [place for place, one in enumerate(plan.features.tuples) if one.sites and one.sites[0] in of_spots(plan)]
    for row in rows:
        view = read_state(e, row, 0, index) & 1
        values = game.codec.values([int(word) for word in row])
        men = [np.array(values["men"][player * 25 : player * 25 + 25]) for player in (view, 1 - view)]
        places = np.arange(1, 26)
        read = [own @ factors for own in men for factors in (np.ones(25), places)]
        assert index[sums].tolist() == [min(int(one), int(e.last[at])) for one, at in zip(read, sums, strict=True)]
        greatest = [int(places[own > 0].max(initial=0)) for own in men]
        least = [int(places[own > 0].min(initial=99)) % 99 for own in men]
        alone = [greatest[0], least[0], greatest[1], least[1]]
        assert index[ends].tolist() == [*alone, sum(greatest), sum(least)]
        expected.add(tuple(alone))
    assert len(expected) > 20


def of_spots(plan: Plan) -> list[int]:
    """Return the sites of the ends of the places where men are."""
    planes = [place for place, plane in enumerate(plan.declared.planes) if plane.variable == "spots"]
    return [site for (plane, _), site in plan.features.edges.items() if plane in planes]
