"""The vector environment of Gymnasium: spaces, restarts, rewards and opponents, against plays of single states."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.adapters.batch_opponents import AgentOpponents
from ggp.adapters.gymnasium import single_env, vector_env
from ggp.errors import GgpError
from ggp.faults import IllegalAction

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.wrappers.vector import FlattenObservation, RecordEpisodeStatistics  # noqa: E402

GAMES = [
    ("tic_tac_toe", {}),
    ("kuhn_poker", {}),
    ("kuhn_poker_three", {}),
    ("goofspiel", {"n": 4}),
    ("pig", {}),
    ("love_letter", {}),
    ("tron", {"width": 5, "height": 5}),
    ("twenty_one", {}),
    ("nim", {}),
    ("checkers", {"width": 4, "height": 4}),
]


def masked(rng: np.random.Generator, mask: np.ndarray) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(row)) for row in mask])


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_it_keeps_the_promises_of_gymnasium(name: str, parameters: dict[str, int]) -> None:
    game, rng = ggp.load(name, **parameters), np.random.default_rng(1)
    learner = len(game.players) - 1
    envs = RecordEpisodeStatistics(vector_env(game, 7, player=learner, max_steps=50))
    observation, _ = envs.reset(seed=3)
    again = vector_env(game, 7, player=learner, max_steps=50)
    assert_equal(again.reset(seed=3)[0], observation)
    finished = 0
    for _ in range(60):
        assert envs.observation_space.contains(observation)
        assert (observation["action_mask"].sum(axis=1) > 0).all()
        actions = masked(rng, observation["action_mask"])
        observation, rewards, ended, cut, info = envs.step(actions)
        other = again.step(actions)
        assert_equal(other[0], observation)
        np.testing.assert_array_equal(other[1], rewards)
        assert not (ended & cut).any()
        np.testing.assert_array_equal(info.get("_final_obs", np.zeros(7, np.bool_)), ended | cut)
        assert (rewards[~ended] == 0).all()
        low, high = game.utility_bounds[learner]
        assert ((low <= rewards) & (rewards <= high))[ended].all()
        finished += int((ended | cut).sum())
    assert finished > 5
    wrong = np.flatnonzero(observation["action_mask"][0] == 0)
    if len(wrong):
        actions = masked(rng, observation["action_mask"])
        actions[0] = wrong[0]
        with pytest.raises(IllegalAction):
            envs.step(actions)


def assert_equal(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> None:
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name])


def test_observations_and_rewards_are_those_of_the_same_play() -> None:
    """The opponent takes the first legal action, so every game can be followed by single states."""

    def first_legal(batch, player, where):
        return batch.legal(player)[1][:, 0].copy()

    game, rng = ggp.load("tic_tac_toe"), Random(2)
    envs = vector_env(game, 5, player="nought", opponent=first_legal)
    observation, _ = envs.reset()
    states = [game.initial().apply(game.initial().legal(0)[0]) for _ in range(5)]
    for _ in range(40):
        for state, row in zip(states, observation["observation"], strict=True):
            np.testing.assert_array_equal(row, state.tensor("nought"))
        actions = [int(rng.choice(state.legal(1))) for state in states]
        observation, rewards, ended, _, info = envs.step(np.array(actions))
        for place, action in enumerate(actions):
            state = states[place].apply(action)
            if not state.is_terminal():
                state = state.apply(state.legal(0)[0])
            assert bool(ended[place]) == state.is_terminal()
            if state.is_terminal():
                assert rewards[place] == state.utilities()[1]
                np.testing.assert_array_equal(info["final_obs"]["observation"][place], state.tensor("nought"))
                state = game.initial().apply(game.initial().legal(0)[0])
            states[place] = state


@pytest.mark.long
def test_our_players_are_opponents() -> None:
    """A random learner hardly ever wins against a search, and the search sees what it may see."""
    for name, opponent in (("tic_tac_toe", "mcts@50"), ("kuhn_poker", "ismcts@20")):
        game, rng = ggp.load(name), np.random.default_rng(1)
        envs = vector_env(game, 2, opponent=opponent, seed=5)
        observation, _ = envs.reset(seed=1)
        won = []
        for _ in range(25):
            observation, rewards, ended, _, _ = envs.step(masked(rng, observation["action_mask"]))
            won += rewards[ended].tolist()
        assert len(won) > 10
        assert np.mean(won) < 0.3


def test_opponents_of_all_games_take_the_memory_of_one() -> None:
    game = ggp.load("tic_tac_toe")

    def taken(games: int, text: str = "mcts@5") -> int:
        agents = AgentOpponents(game, games, [1], text, 0)._agents[1]
        return sum(agent.search.graph.words.nbytes for agent in agents)

    assert taken(8) == pytest.approx(taken(1), rel=0.1)
    assert taken(2, "mcts:memory=8@5") == pytest.approx(2 * taken(1, "mcts:memory=8@5"))


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_every_mask_has_an_action(mode: AutoresetMode) -> None:
    """Also those of games that are over; and of those that were cut, what would have been legal."""
    envs = vector_env(ggp.load("kuhn_poker"), 8, player="second", max_steps=3, autoreset=mode)
    observation, _ = envs.reset(seed=1)
    seen = set()
    for _ in range(20):
        observation, _, ended, cut, info = envs.step(np.ones(8, np.int64))
        assert observation["action_mask"].any(axis=1).all()
        last = info.get("final_obs", observation)["action_mask"]
        seen |= {("ended", *mask) for mask in last[ended].tolist()} | {("cut", *mask) for mask in last[cut].tolist()}
    assert seen == {("ended", 1, 0), ("cut", 1, 0)}
    envs = vector_env(ggp.load("kuhn_poker"), 8, max_steps=3, autoreset=mode)
    observation, _ = envs.reset(seed=1)
    for _ in range(20):
        observation, _, _, cut, info = envs.step(observation["action_mask"].argmax(axis=1))
        assert (info.get("final_obs", observation)["action_mask"][cut] == 1).all()


def test_actions_are_one_for_each_game() -> None:
    envs = vector_env(ggp.load("nim"), 3)
    envs.reset(seed=1)
    for wrong in (0, [0, 0], [[0], [0], [0]]):
        with pytest.raises(ValueError, match="one for each of 3 games"):
            envs.step(np.array(wrong))


def test_an_action_that_is_not_legal_is_an_error_or_drawn() -> None:
    game = ggp.load("tic_tac_toe")
    envs = vector_env(game, 40, illegal="random")
    observation, _ = envs.reset(seed=1)
    taken = np.argmin(observation["action_mask"], axis=1)
    for actions in (np.zeros(40, np.int64), taken):
        legal = observation["action_mask"][np.arange(40), actions] == 1
        before = observation["observation"]
        observation, *_ = envs.step(actions)
        own = (observation["observation"] - before).reshape(40, -1)[:, 2 : 2 + 9]
        assert (own.sum(axis=1) == 1).all()
        assert (own.argmax(axis=1)[legal] == actions[legal]).all()
    assert len({*own.argmax(axis=1)[~legal].tolist()}) > 3
    strict = vector_env(game, 1)
    strict.reset(seed=1)
    strict.step(np.array([0]))
    with pytest.raises(IllegalAction, match="action 0 is not legal"):
        strict.step(np.array([0]))
    with pytest.raises(ValueError, match="float64; they are integers"):
        strict.step(np.array([1.5]))
    with pytest.raises(GgpError, match="`error` or `random`"):
        vector_env(game, 1, illegal="lose")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"`ggp\.load` gives one"):
        vector_env("tic_tac_toe", 1)  # type: ignore[arg-type]


@pytest.mark.sweep
@pytest.mark.parametrize("name", ggp.games())
def test_every_library_game_passes_the_check_of_gymnasium(name: str) -> None:
    check_env(single_env(ggp.load(name), rows=4, max_steps=40, illegal="random"), skip_render_check=True)


def test_actions_are_those_that_can_be_legal() -> None:
    game = ggp.load("checkers", width=4, height=4)
    envs = vector_env(game, 3)
    observation, _ = envs.reset(seed=1)
    assert envs.single_action_space.n == len(game.possible_actions) == observation["action_mask"].shape[1]
    numbers = np.array(game.possible_actions)
    legal = {int(action) for action in game.initial().legal(0)}
    assert {*numbers[np.flatnonzero(observation["action_mask"][0])].tolist()} == legal
    for wrong in (-1, len(numbers)):
        with pytest.raises(IllegalAction, match="there is no action"):
            envs.step(np.full(3, wrong))


@pytest.mark.parametrize("name", ["kuhn_poker", "nim"])
def test_a_game_may_begin_anew_in_the_next_step(name: str) -> None:
    game = ggp.load(name)
    same, later = vector_env(game, 1, seed=4), vector_env(game, 1, seed=4, autoreset=AutoresetMode.NEXT_STEP)
    wrapped = FlattenObservation(vector_env(game, 1, seed=4, autoreset=AutoresetMode.NEXT_STEP))
    observation, _ = same.reset(seed=2)
    assert_equal(later.reset(seed=2)[0], observation)
    wrapped.reset(seed=2)
    for _ in range(30):
        actions = observation["action_mask"].argmax(axis=1)
        observation, rewards, ended, _, info = same.step(actions)
        shown, rewards_later, ended_later, _, no_info = later.step(actions)
        assert wrapped.observation_space.contains(wrapped.step(actions)[0])
        assert (rewards, ended) == (rewards_later, ended_later)
        assert no_info == {}
        assert_equal(shown, info["final_obs"] if ended[0] else observation)
        if ended[0]:
            shown, rewards_later, ended_later, _, _ = later.step(np.array([-7]))
            wrapped.step(actions)
            assert_equal(shown, observation)
            assert (rewards_later[0], ended_later[0]) == (0, False)
    with pytest.raises(GgpError, match="SAME_STEP or NEXT_STEP"):
        vector_env(game, 1, autoreset=AutoresetMode.DISABLED)


def test_one_game_is_an_environment_of_gymnasium() -> None:
    env = single_env(ggp.load("rock_paper_scissors"), seed=3)
    check_env(env, skip_render_check=True)
    env.reset(seed=5)
    assert env.action_masks().tolist() == [True] * 3
    env, rewards = single_env(ggp.load("nim"), player=1), []
    for game in range(4):
        observation, _ = env.reset(seed=game)
        ended = False
        while not ended:
            assert env.observation_space.contains(observation)
            assert (env.action_masks() == observation["action_mask"]).all()
            observation, reward, ended, cut, _ = env.step(int(observation["action_mask"].argmax()))
            assert not cut
        rewards.append(reward)
    assert {*rewards} <= {-1.0, 1.0}


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"opponent": None}, "None is no opponent"),
        ({"opponent": "mcts@0"}, "number of iterations"),
        ({"opponent": lambda batch, *_: np.zeros(len(batch))}, "float64; they are integers"),
        ({"opponent": lambda *_: np.zeros(1, np.int64)}, r"shape \(1,\) for 2 games"),
        ({"autoreset": "sometimes"}, "SAME_STEP or NEXT_STEP"),
    ],
)
def test_what_is_no_opponent_is_told(options: dict[str, Any], wrong: str) -> None:
    with pytest.raises((TypeError, ValueError, GgpError), match=wrong):
        vector_env(ggp.load("connect_four"), 2, player=1, **options).reset()
