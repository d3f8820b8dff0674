"""Games of OpenSpiel as games of ours: the same plays, the same values; our players and commands meet them."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.errors import GgpError
from ggp.language.library import RulesNotFound
from ggp.native.calls import call_playout, call_sample_chance
from ggp.native.rng_kernels import uniform
from tests.support.command_line import told

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import exploitability  # noqa: E402

from ggp.adapters.openspiel_games import KEPT_STATES, OpenSpielBackend  # noqa: E402

GAMES = [
    "tic_tac_toe", "connect_four(rows=4,columns=5)", "chess", "backgammon", "pig(winscore=20)", "2048", "hanabi",
    "kuhn_poker(players=3)", "leduc_poker", "phantom_ttt", "coin_game", "dou_dizhu", "sheriff", "oh_hell",
    "goofspiel(num_cards=4,imp_info=True)", "oshi_zumo(coins=6)", "matrix_shapleys_game", "laser_tag", "snake",
]  # fmt: skip
MOST_TRANSITIONS = 60


@pytest.mark.parametrize("name", GAMES)
def test_random_plays_are_those_of_openspiel(name: str) -> None:
    game, rng = ggp.load(f"openspiel:{name}"), Random(3)
    theirs = pyspiel.load_game(name).new_initial_state()
    history = game.history()
    for _ in range(MOST_TRANSITIONS):
        state = history.state
        assert state.is_terminal() == theirs.is_terminal()
        if state.is_terminal():
            assert list(state.utilities()) == theirs.returns()
            break
        if state.is_chance():
            assert dict(state.chance_outcomes()) == pytest.approx(dict(theirs.chance_outcomes()))
            outcome = state.sample_outcome(rng)
            theirs.apply_action(outcome)
            history = history.apply_outcome(outcome)
        else:
            for player in state.actors():
                assert list(state.legal(player)) == theirs.legal_actions(player)
            joint = {player: rng.choice(state.legal(player)) for player in state.actors()}
            if theirs.is_simultaneous_node():
                theirs.apply_actions([int(joint.get(player, 0)) for player in range(len(game.players))])
            else:
                theirs.apply_action(int(joint[theirs.current_player()]))
            history = history.apply(joint)
        for player in range(len(game.players)):
            words = history.state.observation(player)
            assert words in [tuple(read) for read in game.codec.observation_words(game.readable_observation(words))]
    assert str(theirs) == history.state.values()["state"]
    again = pickle.loads(pickle.dumps(history.state))
    assert again == history.state
    assert again.values() == history.state.values()


@pytest.mark.parametrize("name", ["backgammon", "coop_box_pushing(horizon=20)", "laser_tag(horizon=20)", "leduc_poker"])
def test_playouts_are_plays_by_the_same_draws(name: str) -> None:
    game = ggp.load(f"openspiel:{name}")
    functions, begun = game.native().functions, np.array(game.initial().words, np.int64)
    rng, out, kept = np.array([7], np.uint64), np.zeros(len(game.players)), np.array([7], np.uint64)
    made = call_playout(functions.playout, begun, 0, rng, 0, out, 0, 5000)
    state = game.initial()
    for _ in range(made):
        words, joint = np.array(state.words, np.int64), [0] * len(game.players)
        if state.is_chance():
            outcome = call_sample_chance(functions.sample_chance, words, 0, kept, 0)
        for player in state.actors():
            legal = state.legal(player)
            with np.errstate(over="ignore"):
                joint[player] = legal[int(uniform(kept, 0) * len(legal))]
        state = state.successor([*joint, outcome if state.is_chance() else 0])
    assert state.is_terminal()
    assert state.utilities() == tuple(out)
    assert kept == rng
    assert call_playout(functions.playout, begun, 0, rng, 0, out, 0, made - 1 if made < 20 else 10) == -1


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "liars_dice(dice_sides=3)"])
def test_nash_conv_of_the_uniform_strategy_is_openspiels(name: str) -> None:
    theirs = pyspiel.load_game(name)
    expected = exploitability.nash_conv(theirs, policies.UniformRandomPolicy(theirs))
    assert ggp.exploitability(ggp.load(f"openspiel:{name}"), None).nash_conv == pytest.approx(expected, abs=1e-9)


def test_players_who_act_at_once_and_secretly_have_openspiels_nash_conv() -> None:
    name = "goofspiel(num_cards=3,imp_info=True,points_order=descending)"
    theirs = pyspiel.load_game(f"turn_based_simultaneous_game(game={name})")
    expected = exploitability.nash_conv(theirs, policies.UniformRandomPolicy(theirs))
    assert ggp.exploitability(ggp.load(f"openspiel:{name}"), None).nash_conv == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "value"), [("kuhn_poker", -1 / 18), ("liars_dice(dice_sides=4)", 1 / 16), ("nim(pile_sizes=1;2;3)", -1)]
)
def test_solutions_have_the_known_values(name: str, value: float) -> None:
    """Of nim by Bouton's theory: 1, 2 and 3 cancel out."""
    assert ggp.solve(ggp.load(f"openspiel:{name}")).value[0] == pytest.approx(value, abs=1e-7)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "player"),
    [
        ("openspiel:leduc_poker", "ismcts"),
        ("openspiel:goofspiel(num_cards=4)", "rm"),
        ("openspiel:pig(winscore=20)", "star1"),
        ("openspiel:y(board_size=4)", "mcts"),
        ("openspiel:kuhn_poker", "openspiel:ismcts:simulations=20"),
    ],
)
def test_players_meet_them(game: str, player: str) -> None:
    jobs = "2" if player == "rm" else "1"
    result = told("match", game, player, "random", "--games", "4", "--iterations", "30", "--seed", "1", "--jobs", jobs)
    assert result["errors"] == [0, 0]
    assert result["games"] == [4, 4]


def test_a_play_may_be_longer_than_openspiel_says() -> None:
    """Leduc hold'em deals a card to each of three, and OpenSpiel counts two; calls before raises make the longest."""
    state, length = ggp.load("openspiel:leduc_poker(players=3)").initial(), 0
    choices = iter(2 * ["Call", "Call", "Raise", "Call", "Raise", "Call", "Call"])
    while not state.is_terminal():
        if state.is_chance():
            state = state.apply_outcome(state.chance_outcomes()[0][0])
        else:
            state = state.apply(next(choices))
        length += 1
    assert length == 18


def test_the_longest_play_is_looked_for_no_longer_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ggp.load("openspiel:kuhn_poker").max_length == 5
    game = ggp.load("openspiel:cursor_go(board_size=4)")
    monkeypatch.setattr(game.backend, "transitions_looked_at", 200)
    taken, step = [0], type(game.backend).step

    def counted(*args: Any) -> Any:
        taken[0] += 1
        return step(*args)

    monkeypatch.setattr(type(game.backend), "step", counted)
    assert game.max_length is None
    assert 0 < taken[0] < 100, "the transitions of states that are met count before they are made"


def test_parameters_are_merged_and_games_compared() -> None:
    game = ggp.load("openspiel:connect_four(rows=5)", columns=4)
    assert game.parameters == {"columns": "4", "rows": "5"}
    assert game == ggp.load("openspiel:connect_four(columns=4)", rows=5) != ggp.load("openspiel:connect_four")
    assert game.num_actions == 4
    assert [str(action) for action in game.initial().legal(0)] == ["x0/o0", "x1/o1", "x2/o2", "x3/o3"]
    assert [str(action) for action in ggp.load("openspiel:chess").initial().legal(1)][:2] == ["89", "90"]


def test_states_that_are_no_longer_kept_are_made_again() -> None:
    backend = OpenSpielBackend("leduc_poker")
    row = backend.init()
    while backend.actors(row) == 0:
        row = backend.step(row, [0, 0, backend.outcomes(row)[-1][0]])
    text = str(backend.state_of(row))
    for number in range(KEPT_STATES):
        backend._keep((-1, number), backend.state_of(row))
    assert str(backend.state_of(row)) == text


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_such_game", "Unknown game"),
        ("negotiation", "does not say what chance draws"),
        ("pig(x=1)", "Unknown"),
    ],
)
def test_what_cannot_be_loaded_is_told(name: str, message: str) -> None:
    with pytest.raises(GgpError, match=message):
        ggp.load(f"openspiel:{name}")


def test_a_failure_of_openspiel_is_an_error() -> None:
    game = ggp.load("openspiel:crossword")
    state = game.initial()
    while state.is_chance():
        state = state.apply_outcome(state.chance_outcomes()[0][0])
    with pytest.raises(GgpError, match="LegalActions unimplemented"):
        state.legal(0)


def test_commands_about_rules_say_that_there_are_none() -> None:
    with pytest.raises(RulesNotFound, match="games of OpenSpiel have none"):
        ggp.parameters("openspiel:pig")
