"""Policies learned from playouts: the same by seed, better than random, in files that only their game reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ggp
from players.agents.candidates import candidates_for
from players.agents.registry import read_player
from players.learning.patterns import patterns_of
from players.learning.policy_files import read_policy, write_policy
from players.learning.policy_training import PolicyTraining, improve, new_policy_training
from players.player_options import NotApplicable
from players.search.foundation.archives import ArchiveUnusable
from players.search.foundation.kernel_arguments import new_model, new_work
from players.search.uct.playout_policy import RINGS, TABLE
from tests.support.library import one_phase

GOOD, BAD = {"ci95": [0.6, 0.9]}, {"ci95": [0.4, 0.9]}


@pytest.fixture
def trained() -> PolicyTraining:
    """A policy of a small game after 256 playouts."""
    training = new_policy_training(ggp.load("hex", width=5, height=5), 3)
    training.run(5.0, 1, lambda _: None)
    return training


def test_the_same_seed_gives_the_same_policy(trained: PolicyTraining) -> None:
    again = new_policy_training(trained.game, 3)
    again.run(5.0, 1, lambda _: None)
    assert again.games == trained.games == 256
    assert (again.patterns.policy.weights == trained.patterns.policy.weights).all()
    assert np.unique(trained.patterns.policy.weights).size > 10


def test_learning_is_the_same_as_plain_python(trained: PolicyTraining) -> None:
    native, players = trained.game.native(), []
    for _ in range(2):
        training, work = new_policy_training(trained.game, 3), new_work(native.shape)
        training.memory.logits[:] = np.random.default_rng(1).normal(0.0, 0.5, training.memory.logits.size)
        training.write()
        players.append((new_model(native), training.patterns.policy, work, training.memory, 3))
    improve(*players[0])
    with np.errstate(over="ignore"):
        improve.py_func(*players[1])
    assert players[0][3].squares.any()
    assert np.allclose(players[0][3].logits, players[1][3].logits, rtol=5e-7, atol=5e-10)


@pytest.mark.long
def test_what_wins_becomes_more_probable() -> None:
    rules = one_phase(
        "turn chooses c in all - taken[ann] - taken[bob]\ntaken[turn] := taken[turn] + {c}\nturn := other(turn)\n"
        "next end if count(taken[ann] + taken[bob]) == 3 else go",
        "taken[player]: set of cell = {}\nturn: player = ann",
        "board cell = grid(3, 1)",
        payoff="if b1 in taken[p] then 1 else -1",
    )
    training = new_policy_training(ggp.load_text(rules), 1)
    training.run(5.0, 5_000, lambda _: None)
    policy = training.patterns.policy
    first = policy.weights.reshape(2, 2, TABLE)[0, 0]
    strengths = [first[policy.empty[cell]] * first[RINGS + policy.empty[4 + cell]] for cell in range(3)]
    assert strengths[1] > 5 * strengths[0] > 0
    assert strengths[0] == strengths[2]
    shunned = np.log(first)
    training.write()
    assert shunned == pytest.approx(np.log(first) * np.where(first < 1.0, 2.0, 1.0), rel=1e-5)
    assert shunned[RINGS - 1] == 0.0


def test_files_are_of_one_game(trained: PolicyTraining, tmp_path: Path) -> None:
    path = tmp_path / "one.policy"
    write_policy(path, trained.game, trained.patterns.policy, {"games": 3})
    policy, about = read_policy(path, trained.game)
    assert about == {"games": 3}
    assert np.allclose(policy.weights, trained.patterns.policy.weights, rtol=0.01, atol=0.0)
    with pytest.raises(ArchiveUnusable, match="height=5, not of connect_four"):
        read_policy(path, ggp.load("connect_four"))
    with pytest.raises(NotApplicable, match="not of connect_four"):
        read_player(f"mcts:policy={path}").check(ggp.load("connect_four"))
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(ArchiveUnusable, match="damaged"):
        read_policy(path, trained.game)


@pytest.mark.parametrize(("strength", "first"), [(GOOD, True), (BAD, False), (None, False)])
def test_auto_plays_a_policy_that_was_measured_to_win(
    strength: object, first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = ggp.load("hex", width=5, height=5)
    about = {} if strength is None else {"strength": strength}
    write_policy(Path("hex.policy"), game, patterns_of(game).policy, about)
    assert (candidates_for(game).players[0] == "mcts:rave=300,c=0.02,policy=hex.policy") == first
    assert ("mcts:rave=300,c=0.1" in candidates_for(game).players) == (not first)
