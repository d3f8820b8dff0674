"""A game that is made of no rules: a Python class behind the seam is played, searched, solved, tracked and refereed."""

from __future__ import annotations

import itertools

import pytest

from ggp.errors import GgpError
from ggp.faults import IllegalAction
from ggp.rules_compiler.rules_backend import NoRules, rules_of
from ggp.solvers.state_strategies import responses_to
from ggp.solvers.worlds.backward_induction import equilibrium_profile, optimal_values
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.exploration import Limits, explore_game
from players.agents.registry import read_player
from players.beliefs.belief import Belief
from players.evaluation.matches import TimeControl, play_games
from server.referee.rules_steps import Step, make_step
from tests.support.belief_plays import PlainTracker, followed
from tests.support.python_game import Fault, duel


def test_a_play_told_step_by_step() -> None:
    game = duel(hidden=True)
    state = game.initial()
    assert state.is_chance()
    assert state.phase == "draw"
    state = state.apply_outcome(5)
    assert [state.observation(player) for player in range(2)] == [(0, 3, 1), (1, 3)]
    assert state.readable_observation("ann") == [("prize", 3), ("hidden", 1)]
    assert [str(action) for action in state.legal("bob")] == ["coin 1", "coin 2", "coin 3"]
    state = state.apply({"ann": "coin 1", "bob": "coin 2"})
    assert state.values()["score"] == 1 - 3
    state = state.apply_outcome(0)
    with pytest.raises(IllegalAction):
        state.apply([0, 0])
    state = state.apply([1, 0]).apply_outcome(0).apply([2, 2])
    assert state.is_terminal()
    assert state.utilities() == (-2 + 1, 2 - 1)
    assert game.native().perfect_information is False


def test_what_needs_rules_says_so() -> None:
    with pytest.raises(NoRules, match="duel was not made from a rules file"):
        rules_of(duel())


def test_faults_are_told_by_the_maker() -> None:
    state = duel(failing_prize=2).initial()
    with pytest.raises(Fault, match="the prize that fails"):
        state.apply_outcome(1)
    assert not state.apply_outcome(2).is_terminal()


@pytest.mark.parametrize("players", [["rm", "duct"], ["random", "rm"]])
def test_searches_play_it(players: list[str]) -> None:
    specs = [read_player(name) for name in players]
    results = list(play_games(duel(), specs, range(4), 1, True, TimeControl(iterations=50)))
    assert [len(result.utilities) for result in results] == [2] * 4
    assert all(sum(result.utilities) == 0 for result in results)
    assert all(result.errors == (0, 0) for result in results)


def test_a_search_on_what_is_known_plays_it() -> None:
    specs = [read_player(name) for name in ("ismcts", "random")]
    results = list(play_games(duel(hidden=True), specs, range(2), 1, True, TimeControl(iterations=30)))
    assert all(result.errors == (0, 0) for result in results)


def test_its_equilibrium() -> None:
    graph = explore_game(duel(3).native(), Limits(10_000, 1 << 28))
    components = order_components(graph.graph)
    values = optimal_values(graph, components)
    # of goofspiel with independent prizes: the same coins, the same chances
    assert values.to_players() == pytest.approx((0.0, 0.0), abs=1e-9)
    assert responses_to(graph, equilibrium_profile(values), components).nash_conv == pytest.approx(0.0, abs=1e-9)


def test_the_referee_makes_its_transitions() -> None:
    game, step, told = duel(hidden=True), Step(), []
    for draws in itertools.count():
        result = make_step(game, step, (GgpError,))
        assert result.failure is None
        told.append(result.told)
        if result.utilities is not None:
            break
        joint = {player: next(iter(legal.values())) for player, legal in result.legal.items()}
        step = Step(result.words, result.phase, joint or None, "seed", draws)
    assert len(told) == 1 + 2 * 3
    assert told[2] == [[("ann", "coin 1"), ("bob", "coin 1")]] * 2
    assert sum(result.utilities) == 0
    failing = [make_step(duel(failing_prize=prize), Step((0, 0, 7, 7, 0, 0, 0)), (GgpError,)) for prize in (1, 2, 3)]
    assert [one.failure for one in failing].count("the prize that fails") == 1


def test_a_belief_holds_what_may_be() -> None:
    game = duel(hidden=True)
    belief, plain = Belief(game, 100, field=0, uniform=1.0, equal=True), PlainTracker(game, 1)
    belief.begin(5, 1)
    for state in followed(game, belief, 1, 5, plain.tell):
        held = {tuple(words) for words in belief.states.tolist()}
        assert held == plain.deciding([str(action) for action in state.legal(1)])
        assert state.words in held
