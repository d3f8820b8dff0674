"""Chance with unequal weights in exact values and in exploitability, against values computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.cli.commands.solve import first_decisions
from ggp.game.game import Game
from ggp.rules_compiler.loading import load
from ggp.solvers.state_strategies import responses_to
from ggp.solvers.worlds.backward_induction import StateValues, equilibrium_profile, optimal_values
from ggp.solvers.worlds.components import Components, order_components
from ggp.solvers.worlds.depth_counts import count_by_depth
from ggp.solvers.worlds.exploitability import ExploitabilityMeter
from ggp.solvers.worlds.exploration import explore_game
from ggp.solvers.worlds.profiles import uniform_profile
from ggp.solvers.worlds.strategy_trees import strategy_tree
from tests.support.library import game_of
from tests.support.weighted_chance import BY_SKY, UNIFORM_LOSSES, VALUE, weather


def solved(game: Game) -> tuple[StateValues, Components]:
    graph = explore_game(game.native())
    components = order_components(graph.graph)
    return optimal_values(graph, components), components


def test_backward_induction() -> None:
    game = weather()
    values, _ = solved(game)
    assert values.method == "backward induction"
    assert values.root == pytest.approx(VALUE, abs=1e-12)
    first = {one.chance[0]: one for one in first_decisions(game, values)}
    assert {sky: one.value[0] for sky, one in first.items()} == pytest.approx(BY_SKY, abs=1e-12)
    assert {sky: one.probability for sky, one in first.items()} == pytest.approx(
        {"rain": 0.5, "sun": 0.3, "storm": 0.2}
    )
    for sky in ("rain", "sun"):
        assert first[sky].strategy == {player: pytest.approx({"heads": 1 / 3, "tails": 2 / 3}) for player in ("a", "b")}


CYCLE = """
game cycle "Who leaves loses, unless luck ends it"
players a, b
type wish = {stay, leave}
state
    turn: player = a
    over: bool = no
phase choose
    turn chooses what in wish
    turn := other(turn)
    over := what == leave
    next end if what == leave else draw
phase draw
    chance draws luck in 1..3 weight luck * luck
    over := luck == 1
    next end if luck == 1 else choose
payoff[p] = if p == turn then 1 else -1
payoff sum = 0
"""


def test_value_iteration() -> None:
    # leaving loses at once; staying loses with 1/14, and else it is the other's turn: v = -1/14 - 13/14 v
    values, components = solved(game_of(CYCLE))
    assert values.method == "value iteration"
    assert values.root == pytest.approx(-1 / 27, abs=1e-9)
    # the middle of both bounds is no farther from the truth than half their distance
    assert abs(values.root + 1 / 27) <= 1.001 * values.error
    # the middle of the bounds, not one of them: with the players' places exchanged it is the negative
    exchanged, _ = solved(game_of(CYCLE.replace("player = a", "player = b")))
    assert exchanged.root + values.root == pytest.approx(0, abs=values.error / 100)
    # one decision of a's, and after it one of b's; luck between them is none
    assert [(one.depth, one.pure, one.mixed) for one in count_by_depth(values, components)] == [(0, 1, 0), (1, 1, 0)]


def pig_by_its_own_equations(goal: int) -> float:
    """Return the probability that the first player wins pig with one die, from the equations of Neller and Presser.

    P(i, j, k) = max((1 - P(j, 0, 0) + sum over r = 2..6 of P(i, j, k + r)) / 6, 1 - P(j, i + k, 0)), with 1 where
    i + k reaches the goal: Neller and Presser 2004, "Optimal play of the dice game Pig", section 3.
    """
    shape = [(i, j, k) for i in range(goal) for j in range(goal) for k in range(goal - i)]
    win = dict.fromkeys(shape, 0.0)

    def after(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= goal else win[i, j, k]

    change = 1.0
    while change > 1e-12:
        change = 0.0
        for i, j, k in shape:
            roll = (1 - win[j, i, 0] + sum(after(i, j, k + face) for face in range(2, 7))) / 6
            hold = 1 - win[j, i + k, 0]
            change = max(change, abs(max(roll, hold) - win[i, j, k]))
            win[i, j, k] = max(roll, hold)
    return win[0, 0, 0]


def test_pig_is_worth_what_its_equations_say() -> None:
    values, _ = solved(load("pig", goal=12, dice=1, early_hold=True))
    assert values.method == "value iteration"
    assert (values.root + 1) / 2 == pytest.approx(pig_by_its_own_equations(12), abs=1e-8)


def test_exploitability_of_strategies() -> None:
    values, components = solved(weather())
    nothing = ExploitabilityMeter(values, components).of_tree(strategy_tree(values.game, ()))
    assert nothing.by_player == pytest.approx(UNIFORM_LOSSES, abs=1e-12)
    for profile, losses in ((uniform_profile(values.game), UNIFORM_LOSSES), (equilibrium_profile(values), (0, 0))):
        best = responses_to(values.game, profile, components).best
        # what one player gains over the value, the other loses
        assert np.subtract(best, values.to_players())[::-1] == pytest.approx(losses, abs=1e-12)
    # after one transition both play optimally: the weather alone loses nothing
    short = ExploitabilityMeter(values, components, 1).of_tree(strategy_tree(values.game, ()))
    assert short.by_player == pytest.approx((0, 0), abs=1e-12)
    # after two only the luck is left, at the end or among what is looked at: as without a limit
    for depth in (2, 3, 4):
        longer = ExploitabilityMeter(values, components, depth).of_tree(strategy_tree(values.game, ()))
        assert longer.by_player == pytest.approx(UNIFORM_LOSSES, abs=1e-12)
