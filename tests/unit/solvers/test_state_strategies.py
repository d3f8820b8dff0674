"""Open games solved from Python by their states: against published values, theory, and the methods that unfold."""

from __future__ import annotations

import operator
import pickle
from functools import reduce
from pathlib import Path

import pytest

import ggp
from ggp.errors import GgpError
from ggp.solvers.sequence_form.best_responses import BadProbabilities
from ggp.solvers.state_strategies import StateStrategy
from players.agents.candidate_trial import random_decisions


def by_states(game: ggp.Game) -> StateStrategy:
    strategy = ggp.solve(game).strategy
    assert isinstance(strategy, StateStrategy)
    return strategy


@pytest.mark.parametrize(
    ("name", "parameters", "states", "value"),
    [
        ("tic_tac_toe", {}, 5_478, 0.0),
        # Tromp, "John's Connect Four Playground": positions and values of small boards
        ("connect_four", {"width": 4, "height": 4}, 161_029, 0.0),
    ],
)
def test_open_games_have_their_known_states_and_values(
    name: str, parameters: dict[str, int], states: int, value: float
) -> None:
    found = ggp.solve(ggp.load(name, **parameters))
    assert isinstance(found.strategy, StateStrategy)
    assert (found.value, found.nash_conv, found.method) == ((value, -value), 0.0, "backward induction")
    assert found.strategy.values.game.states == states


@pytest.mark.parametrize("last", ["wins", "loses"])
def test_nim_is_played_by_the_exclusive_or_of_its_heaps(last: str) -> None:
    game = ggp.load("nim", last=last)
    optimal = by_states(game)
    for play in range(60):
        for state in random_decisions(game, play):
            (player,) = state.actors()
            heaps = [sum(int(str(action).split()[0]) == heap for action in state.legal(player)) for heap in range(1, 5)]
            # Bouton 1901: with heaps of one object alone, who takes the last one loses where their number is odd
            ahead = bool(reduce(operator.xor, heaps)) != (last == "loses" and max(heaps) == 1)
            assert optimal.value(state)[player] == (1 if ahead else -1)


def test_play_that_recurs_is_worth_what_the_strategies_guarantee() -> None:
    # a player who always gives the turn back gains nothing: states come again
    game = ggp.load("pig", dice=1, goal=12)
    found = ggp.solve(game)
    measured = ggp.exploitability(game, found.strategy)
    assert found.method == "value iteration"
    assert measured.expected[0] == pytest.approx(found.value[0], abs=1e-8)
    assert 0 <= found.nash_conv < 1e-8


def test_simultaneous_moves_agree_with_the_linear_program(tmp_path: Path) -> None:
    game = ggp.load("goofspiel", n=3)
    found, unfolded = ggp.solve(game), ggp.solve(game, "sequence-form")
    assert found.value == pytest.approx(unfolded.value, abs=1e-9)
    # unfolded and measured over information states, the strategy loses nothing either
    table = ggp.strategy_of(game, found.strategy)
    assert ggp.exploitability(game, table).nash_conv == pytest.approx(0, abs=1e-9)
    table.save(tmp_path / "goofspiel.json")
    assert ggp.exploitability(game, tmp_path / "goofspiel.json").nash_conv == pytest.approx(0, abs=1e-9)


def test_a_strategy_by_states_answers_for_information_states_and_refuses_what_is_not_its_own() -> None:
    game = ggp.load("tic_tac_toe")
    optimal = by_states(game)
    # X in the centre: only the corners hold the draw
    history = game.history().apply({"cross": "b2"})
    shares = optimal.at(history.information_state("nought"))
    assert shares == optimal.at_state(history.state, "nought")
    assert {str(action): share for action, share in shares.items() if share} == dict.fromkeys(
        ("a1", "a3", "c1", "c3"), 0.25
    )
    with pytest.raises(GgpError, match="does not act"):
        optimal.at_state(history.state, "cross")
    with pytest.raises(GgpError, match="does not reach"):
        optimal.value(ggp.load("nim").initial())
    with pytest.raises(BadProbabilities):
        ggp.exploitability(ggp.load("nim"), optimal)
    with pytest.raises(GgpError, match="backward-induction"):
        ggp.solve(game, "guessing")
    with pytest.raises(GgpError, match="hides information"):
        ggp.solve(ggp.load("kuhn_poker"), "backward-induction")


@pytest.mark.parametrize(("name", "parameters"), [("goofspiel", {"n": 3}), ("nim", {"heaps": 3})])
def test_uniform_play_is_measured_by_states_as_by_information_states(name: str, parameters: dict[str, int]) -> None:
    game = ggp.load(name, **parameters)
    found, unfolded = ggp.exploitability(game, None), ggp.exploitability(game, ggp.strategy_of(game, None))
    assert found.expected == pytest.approx(unfolded.expected, abs=1e-12)
    assert found.best == pytest.approx(unfolded.best, abs=1e-12)
    assert found.nash_conv > 0.1


def test_uniform_play_is_measured_where_histories_do_not_fit() -> None:
    found = ggp.exploitability(ggp.load("connect_four", width=4, height=4), None)
    # whoever answers at random loses to the best play, but not always
    assert 0.5 < found.best[0] < 1
    assert found.best[0] > found.expected[0] > -found.best[1]


@pytest.mark.parametrize(
    ("name", "parameters"), [("goofspiel", {"n": 3}), ("nim", {"heaps": 3}), ("rock_paper_scissors", {})]
)
@pytest.mark.parametrize("player", [0, 1])
def test_best_responses_by_states_are_worth_what_those_by_information_states_are(
    name: str, parameters: dict[str, int], player: int
) -> None:
    game = ggp.load(name, **parameters)
    for strategy in (None, by_states(game)):
        value, answer = ggp.best_response(game, strategy, player)
        assert isinstance(answer, StateStrategy)
        assert value == pytest.approx(answer.value(game.initial())[player], abs=1e-12)
        unfolded, _ = ggp.best_response(game, ggp.strategy_of(game, strategy), player)
        assert value == pytest.approx(unfolded, abs=1e-12)
        # and the strategy, unfolded, gets as much; nothing better answers the same opponent
        measured = ggp.exploitability(game, ggp.strategy_of(game, answer))
        assert measured.expected[player] == pytest.approx(value, abs=1e-12)
        assert measured.gains[player] == pytest.approx(0, abs=1e-12)
        again = pickle.loads(pickle.dumps(answer))
        assert ggp.exploitability(game, again).expected == pytest.approx(measured.expected, abs=1e-12)


def test_best_responses_are_found_where_histories_do_not_fit() -> None:
    game = ggp.load("connect_four", width=4, height=4)
    value, answer = ggp.best_response(game, None, "red")
    found = ggp.exploitability(game, answer)
    assert found.expected[0] == pytest.approx(value)
    assert found.gains[0] == pytest.approx(0, abs=1e-12)
    assert value == pytest.approx(ggp.exploitability(game, None).best[0])
