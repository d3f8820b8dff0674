"""Games, states, histories and what players know survive pickling and copying, and are equal afterwards."""

from __future__ import annotations

import copy
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import ggp
from ggp.game.history import History
from ggp.game.state import State
from tests.support.random_histories import random_histories


def played(history: History, transitions: int, seed: int) -> History:
    return random_histories(history, random.Random(seed), transitions)[-1]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters"), [("goofspiel", {"n": 4}), ("kuhn_poker", {}), ("visibility_pursuit", {"map": "maze"})]
)
def test_what_was_pickled_plays_on_as_before(name: str, parameters: dict[str, int | str]) -> None:
    game = ggp.load(name, **parameters)
    history = played(game.history(), 3, seed=1)
    again: History = pickle.loads(pickle.dumps(history))
    assert again == history
    assert again.game is not game
    assert again.game == game
    assert hash(again.game) == hash(game)
    before, after = history.state, again.state
    assert (after.actors(), after.is_chance()) == (before.actors(), before.is_chance())
    for player in range(len(game.players)):
        assert after.observation(player) == before.observation(player)
        assert after.action_taken(player) == before.action_taken(player)
        assert after.legal(player) == before.legal(player)
        known = pickle.loads(pickle.dumps(history.information_state(player)))
        assert known == history.information_state(player)
        assert known.key == again.information_state(player).key
    assert played(again, 1, seed=2) == played(history, 1, seed=2)


def test_unpickled_games_are_loaded_once_in_a_process() -> None:
    data = pickle.dumps(ggp.load("kuhn_poker"))
    assert pickle.loads(data) is pickle.loads(data)


def test_games_are_equal_by_rules_and_parameters_alone() -> None:
    game = ggp.load("nim")
    source = ggp.load_text(open_rules("nim"))
    assert source == game
    assert source.initial() == game.initial()
    assert ggp.load("goofspiel", n=3) == ggp.load("goofspiel", n="3") != ggp.load("goofspiel", n=4)
    assert game != game.in_python()
    assert ggp.load_text(open_rules("nim") + "\n# another text\n") != game
    assert len({game, source, game.releasing_gil()}) == 2


def open_rules(name: str) -> str:
    from ggp.language import load_rules

    return load_rules(name)[0].text


def test_games_in_python_stay_in_python() -> None:
    state = ggp.load("nim").in_python().initial()
    again: State = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.legal(0) == state.legal(0)


def test_deep_copies_share_what_never_changes() -> None:
    history = played(ggp.load("kuhn_poker").history(), 2, seed=3)
    assert copy.deepcopy(history) is history
    known = history.information_state(0)
    assert copy.deepcopy(known) is known
    assert copy.deepcopy(history.game) is history.game


def legal_there(state: State) -> list[str]:
    return [str(action) for action in state.legal(state.actors()[0])]


def test_states_are_sent_to_other_processes() -> None:
    state = ggp.load("tic_tac_toe").initial().apply("b2")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(legal_there, state).result() == legal_there(state)


def test_strategies_are_measured_alike_in_another_process() -> None:
    from ggp.solvers.strategies import tree_of

    poker, board = ggp.load("kuhn_poker"), ggp.load("tic_tac_toe")
    solved = ggp.solve(poker).strategy, ggp.solve(board).strategy
    data = pickle.dumps(solved)
    tree_of.cache_clear()  # as in another process, where the information states are found anew
    table, optimal = pickle.loads(data)
    assert ggp.exploitability(poker, table) == ggp.exploitability(poker, solved[0])
    assert ggp.exploitability(board, optimal).nash_conv == 0
    assert copy.deepcopy(solved[0]).table() == solved[0].table()
