"""Batches: every game of one is a play that `State` makes in the same way."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
from ggp.encoding.features import Feature
from ggp.faults import IllegalAction, RulesFault
from ggp.game.batch import CUT, DEAD_END, ENDED, FAULTED, GOES_ON, Batch
from ggp.game.game import Game
from ggp.language import SourceFile
from ggp.rules_compiler.loading import game_from_source
from tests.support.library import game_of, one_phase
from tests.unit.game.test_states_natively import FAULTY, GAMES

STEPS = 60
IN_PYTHON, HIDDEN_IN_PYTHON = "openspiel:goofspiel(num_cards=3)", "openspiel:goofspiel(num_cards=3,imp_info=True)"


def read(feature: Feature, entries: np.ndarray) -> object:
    """Return what a feature's entries say."""
    if feature.kind == "one_hot":
        assert entries.sum() == 1
        return int(entries.argmax()) + feature.low
    if feature.kind == "scaled":
        return pytest.approx(float(entries[0]) * (feature.size - 1) + feature.low, rel=1e-6, abs=1e-4 * feature.size)
    if feature.kind == "binary":
        return sum(int(bit) << place for place, bit in enumerate(entries)) + feature.low
    return {place for place in range(feature.size) if entries[place]}


def check_tensor(features: tuple[Feature, ...], words: tuple[int, ...], row: np.ndarray) -> None:
    for feature in features:
        said = read(feature, row[feature.at : feature.at + feature.width])
        word = words[feature.word]
        if feature.kind == "bits":
            mask = sum((part & (1 << 64) - 1) << 64 * place for place, part in enumerate(words[feature.word :]))
            assert said == {place for place in range(feature.size) if mask >> place & 1}, feature
        else:
            assert said == word, feature


def check_observation(game: Game, words: tuple[int, ...], row: np.ndarray) -> None:
    """Check that a row of the tensor says exactly what an observation does."""
    expected = row.copy()
    at = 0
    by_heading = {seen.heading: seen for seen in game.observation_features}
    while at < len(words):
        seen = by_heading[words[at]]
        assert row[seen.at] == 1
        check_tensor(seen.features, words[at + 1 : at + 1 + seen.words], row)
        expected[seen.at : seen.at + 1 + sum(part.width for part in seen.features)] = 0
        at += 1 + seen.words
    assert not expected.any()


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "parameters"), [*GAMES, (HIDDEN_IN_PYTHON, {}), ("chess", {})])
def test_every_game_of_a_batch_is_a_play(name: str, parameters: dict[str, int]) -> None:
    game = ggp.load(name, **parameters)
    n, players = 6, len(game.players)
    batch = game.batch(n, seed=3)
    states = [game.initial()] * n
    ended = 0
    for _ in range(STEPS):
        assert [tuple(row) for row in batch.states.tolist()] == [state.words for state in states]
        masks = [sum(1 << player for player in state.actors()) for state in states]
        assert batch.acting.tolist() == masks
        firsts = [state.actors()[0] if state.actors() else -1 for state in states]
        assert batch.player.tolist() == firsts
        for player in range(players):
            counts, actions = batch.legal(player)
            legal = [state.legal(player) for state in states]
            assert [tuple(row[:count]) for row, count in zip(actions.tolist(), counts, strict=True)] == legal
            mask = batch.legal_mask(player)
            assert [tuple(np.flatnonzero(row)) for row in mask] == legal
        counts, _ = batch.legal()
        assert counts.tolist() == [len(states[at].legal(first)) if first >= 0 else 0 for at, first in enumerate(firsts)]
        tensor = batch.state_tensor()
        assert tensor.dtype == np.float32
        used = np.full(tensor.shape, 7, np.float32)
        assert batch.state_tensor(out=used) is used
        assert np.array_equal(used, tensor)
        with pytest.raises(ValueError, match="must be an array of"):
            batch.state_tensor(out=used[:, :-1])
        for state, row in zip(states, tensor, strict=True):
            check_tensor(game.state_features, state.words, row)
        batch.step(batch.random_actions())
        reached = [state.successor(joint) for state, joint in zip(states, batch.joint.tolist(), strict=True)]
        assert [tuple(row) for row in batch.reached.tolist()] == [state.words for state in reached]
        for player in range(players):
            counts, words = batch.observations(player)
            seen = [tuple(row[:count]) for row, count in zip(words.tolist(), counts, strict=True)]
            assert seen == [state.observation(player) for state in reached]
            told = batch.observation_tensor(player)
            used = np.full(told.shape, 7, np.float32)
            assert np.array_equal(batch.observation_tensor(player, out=used), told)
            for observed, row in zip(seen, told, strict=True):
                check_observation(game, observed, row)
        assert batch.status.tolist() == [ENDED if state.is_terminal() else GOES_ON for state in reached]
        utilities = [state.utilities() if state.is_terminal() else (0.0,) * players for state in reached]
        assert [tuple(row) for row in batch.utilities.tolist()] == utilities
        ended += sum(state.is_terminal() for state in reached)
        states = [game.initial() if state.is_terminal() else state for state in reached]
    assert ended > 0 or name in ("chess", "pig"), "these are long games"
    assert batch.steps == STEPS


def test_what_a_history_remembers_is_no_feature() -> None:
    simple, superko = (ggp.load("go", size="5", ko=ko) for ko in ("simple", "superko"))
    assert superko.shape.state_words > simple.shape.state_words
    assert not [feature.name for feature in superko.state_features if feature.name.startswith("position")]


def trace(batch: Batch) -> np.ndarray:
    rows = []
    for _ in range(30):
        batch.step(batch.random_actions(), check=False)
        rows.append(np.concatenate([batch.states.copy(), batch.joint.copy()], axis=1))
    return np.stack(rows)


def test_seeds_and_threads() -> None:
    game = ggp.load("pig")
    one = trace(game.batch(1024, seed=1, threads=1))
    assert np.array_equal(one, trace(game.batch(1024, seed=1, threads=4)))
    assert not np.array_equal(one, trace(game.batch(1024, seed=2)))
    assert np.array_equal(one[:, :300], trace(game.batch(300, seed=1)))  # no game draws from another's chance
    # each game has chance of its own: dice fall evenly
    rolls = one[:, :, -1][one[:, :, 0] != one[:, :, 0].max()]
    assert len(np.unique(one[-1], axis=0)) > 100, len(rolls)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters"),
    [("connect_four", {}), ("quoridor", {}), ("goofspiel", {"n": 5}), ("reversi", {}), ("chess", {}), (IN_PYTHON, {})],
)
def test_random_actions_are_uniform(name: str, parameters: dict[str, int]) -> None:
    game = ggp.load(name, **parameters)
    n = 400 if name == IN_PYTHON else 20_000
    batch = game.batch(n, seed=5)
    for _ in range(3):
        # the first game's moves are everybody's
        actions = batch.random_actions()
        batch.step(np.ascontiguousarray(np.broadcast_to(actions[0], actions.shape)))
        if not batch.acting[0]:
            continue
        alike = (batch.states == batch.states[0]).all(axis=1)
        drawn = batch.random_actions().reshape(n, -1)[alike]
        for place, player in enumerate(batch.state(0).actors() if game.simultaneous else [batch.player[0]]):
            legal = [int(action) for action in batch.state(0).legal(int(player))]
            numbers, counts = np.unique(drawn[:, place], return_counts=True)
            assert set(numbers.tolist()) <= set(legal)
            expected = len(drawn) / len(legal)
            found = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
            surplus = sum((found.get(action, 0) - expected) ** 2 / expected for action in legal)
            # chi-square with len(legal) - 1 degrees of freedom: mean that, variance twice that
            assert surplus < len(legal) - 1 + 5 * (2 * len(legal)) ** 0.5


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    game = ggp.load("goofspiel", n=4)
    batch = game.batch(3, seed=1)
    batch.step(batch.random_actions())
    actions = batch.random_actions().copy()
    batch.step(actions)
    batch.step(batch.random_actions())
    before = batch.states.copy()
    with pytest.raises(IllegalAction, match=r"game 0: action -?\d+ is not legal for row"):
        batch.step(actions)  # these cards have gone
    assert np.array_equal(batch.states, before)
    with pytest.raises(ValueError, match="shape"):
        batch.step(actions[:, 0])
    for size in ({"n": 0}, {"n": 1, "limit": 0}, {"n": 1, "threads": 0}, {"n": 1, "remember": -1}):
        with pytest.raises(ValueError, match="at least one"):
            game.batch(**size)
    with pytest.raises(ValueError, match="remembers 2 rows"):
        game.batch(1, remember=2).information_tensor(0, stack=0)
    with pytest.raises(ValueError, match="read-only"):
        batch.states[0, 0] = 1


def test_faults_end_games() -> None:
    game = game_from_source(SourceFile("faulty.rules", FAULTY))
    batch = game.batch(3)
    batch.step(np.array([[1, 0], [2, 4], [1, 3]]))
    assert batch.status.tolist() == [GOES_ON] * 3
    batch.step(np.array([[4, 4], [0, 0], [4, 4]]))
    assert batch.status.tolist() == [FAULTED] * 3
    faults = batch.faults()
    assert faults[0].startswith("faulty.rules:11:11: ")
    assert not batch.utilities.any()
    assert np.array_equal(batch.states, [game.initial().words] * 3)
    dead = game_from_source(SourceFile("faulty.rules", FAULTY.replace("where x >= left", "where x > left"))).batch(2)
    dead.step(np.array([[1, 4], [1, 1]]))
    dead.step(dead.random_actions())
    assert dead.status.tolist() == [FAULTED, GOES_ON]


def test_a_fault_of_what_is_legal_is_told_where_an_action_was_drawn_without_it() -> None:
    kinds = "ann chooses\n    pass\n    take by x in [(the y in 1..3: y > n)], z in {0} where held[2] == 1"
    state = "n: 1..9 = 3\nheld: sequence of 1..3, at most 1 = []"  # no action can be taken by, so no draw looks for one
    batch = game_of(one_phase(kinds, state)).batch(4, seed=1)
    before, drawn = batch.states.copy(), batch.random_actions()
    assert DEAD_END not in drawn
    with pytest.raises(RulesFault, match="finds no"):
        batch.step(drawn)
    assert np.array_equal(batch.states, before)


def test_games_are_cut_by_the_limit() -> None:
    batch = ggp.load("tic_tac_toe").batch(4, limit=3)
    statuses = []
    for _ in range(6):
        batch.step(batch.random_actions())
        statuses.append(set(batch.status.tolist()))
    assert statuses == [{GOES_ON}, {GOES_ON}, {CUT}] * 2
    assert batch.lengths.tolist() == [0] * 4
