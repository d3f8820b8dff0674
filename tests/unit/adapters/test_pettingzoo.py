"""PettingZoo's own conformance tests on every library game, and rewards against plays of single states."""

from __future__ import annotations

import pytest

import ggp

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from ggp.adapters.pettingzoo import aec_env, parallel_env
from ggp.errors import GgpError
from ggp.faults import IllegalAction

QUICK = 12
"""Cycles; a game is played on in each."""

pytestmark = [
    # observations with masks are of this form in PettingZoo's own games; its tests warn of it all the same
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    # where nothing is known yet, all entries are 0
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
]


@pytest.mark.sweep
@pytest.mark.parametrize("name", ggp.games())
def test_every_library_game_keeps_the_interface(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = ggp.load(name)
    api_test(aec_env(game, rows=4, max_steps=QUICK), num_cycles=QUICK)
    parallel_api_test(parallel_env(game, rows=4, max_steps=QUICK), num_cycles=QUICK)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "pig"])
def test_seeds_repeat_games(name: str) -> None:
    game = ggp.load(name)
    seed_test(lambda: aec_env(game, rows=8), num_cycles=20)
    parallel_seed_test(lambda: parallel_env(game, rows=8), num_cycles=20)


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe", "tron"])
def test_actions_drawn_without_masks_are_replaced(name: str) -> None:
    game = ggp.load(name)
    parallel_seed_test(lambda: parallel_env(game, rows=8, illegal="random"), num_cycles=20)
    env = aec_env(game, rows=8, illegal="random")
    env.reset(seed=1)
    for number, agent in enumerate(env.agent_iter()):
        over = env.terminations[agent]
        env.step(None if over else number % env.action_space(agent).n)
    assert not env.agents


def test_misuse_is_told_at_once_and_changes_nothing() -> None:
    env = aec_env(ggp.load("goofspiel", n=2))
    with pytest.raises(GgpError, match="`reset` begins one"):
        env.step(0)
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    # the card has gone; the other one acts at once, and is not asked for it
    for wrong, error in ((0, IllegalAction), (2, IllegalAction), (0.5, TypeError), (None, GgpError)):
        with pytest.raises(error):
            env.step(wrong)  # type: ignore[arg-type]
        assert env.agent_selection == "row_0"
    env.step(1)
    assert env.agent_selection == "col_1"
    env.step(1)
    assert all(env.terminations.values())
    at_once = parallel_env(ggp.load("goofspiel", n=2))
    with pytest.raises(GgpError, match="`reset` begins one"):
        at_once.step({})
    at_once.reset(seed=1)
    with pytest.raises(GgpError, match="no action is given for col_1"):
        at_once.step({"row_0": 1})
    with pytest.raises(TypeError, match="integer"):
        at_once.step({"row_0": 1, "col_1": 0.5})  # type: ignore[dict-item]


def test_players_who_act_at_once_do_not_see_each_other() -> None:
    game = ggp.load("rock_paper_scissors")
    env = aec_env(game)
    env.reset(seed=1)
    first, second = env.possible_agents
    before = env.observe(second)["observation"].copy()
    assert env.agent_selection == first
    env.step(0)
    assert env.agent_selection == second
    assert (env.observe(second)["observation"] == before).all()
    env.step(1)
    expected = game.initial().apply([0, 1]).utilities()
    assert tuple(env._cumulative_rewards[agent] for agent in (first, second)) == expected
    assert all(env.terminations.values())


def test_an_agent_who_does_not_act_has_an_action_that_counts_for_nothing() -> None:
    env = parallel_env(ggp.load("tic_tac_toe"))
    observations, _ = env.reset(seed=1)
    assert observations["nought_1"]["action_mask"].tolist() == [1] + 8 * [0]
    observations, *_ = env.step({"cross_0": 4, "nought_1": 0})
    assert observations["nought_1"]["action_mask"].tolist() == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert observations["cross_0"]["action_mask"].tolist() == [1] + 8 * [0]


def test_the_state_is_that_of_the_game() -> None:
    game = ggp.load("kuhn_poker")
    for env in (aec_env(game), parallel_env(game)):
        env.reset(seed=1)
        assert env.state_space.contains(env.state())
        assert (env.state() == env.play.history.state.tensor()).all()


def test_what_is_cut_is_truncated_and_has_no_rewards() -> None:
    env = parallel_env(ggp.load("pig"), max_steps=3)
    env.reset(seed=1)
    for _ in range(3):
        observations, rewards, ended, cut, _ = env.step(dict.fromkeys(env.agents, 0))
    assert all(cut.values())
    assert not any(ended.values())
    assert set(rewards.values()) == {0.0}
    assert env.agents == []
    assert len(observations) == 2


@pytest.mark.parametrize("options", [{"rows": 0}, {"max_steps": 0}])
def test_environments_without_rows_or_steps_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="0 "):
        aec_env(ggp.load("kuhn_poker"), **options)  # type: ignore[arg-type]
