"""Information-state tensors: exact, the same from histories and batches, and readable by their features."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ggp
from ggp.game.batch import Batch
from ggp.game.history import History
from ggp.game.information_tensors import NO_ACTION, rows_of
from tests.support.random_histories import random_histories


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("kuhn_poker", {}), ("liars_dice", {}), ("poker", {}), ("goofspiel", {"n": 4, "bids": "hidden"})],
)
def test_tensors_are_equal_exactly_where_information_states_are(name: str, parameters: dict[str, object]) -> None:
    game, rng = ggp.load(name, **parameters), random.Random(1)
    by_tensor: dict[tuple[int, bytes], object] = {}
    by_state: dict[tuple[int, object], bytes] = {}
    for _ in range(150):
        for history in random_histories(game.history(), rng):
            for player in range(2):
                known, tensor = history.information_state(player).known, history.information_tensor(player).tobytes()
                assert by_tensor.setdefault((player, tensor), known) == known
                assert by_state.setdefault((player, known), tensor) == tensor
    assert len(by_tensor) > 10


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "through_chance"),
    [
        ("goofspiel", False),
        ("love_letter", False),
        ("phantom_tic_tac_toe", False),
        ("oh_hell", False),
        ("dark_chess", False),
        ("goofspiel", True),
        ("kuhn_poker", True),
    ],
)
def test_batches_remember_what_histories_know(name: str, through_chance: bool) -> None:
    game, n, kept = ggp.load(name), 5, 5
    batch = game.batch(n, seed=2, remember=kept, through_chance=through_chance, limit=40)
    histories = [game.history() for _ in range(n)]
    for _ in range(25):
        actions = batch.random_actions()
        batch.step(actions)
        for place in range(n):
            if through_chance:
                histories[place] = follow(histories[place], batch, place, actions[place])
            else:
                histories[place] = after(histories[place], batch.joint[place].tolist())
        for player in range(len(game.players)):
            final = batch.final_information_tensor(player)
            for place, history in enumerate(histories):
                np.testing.assert_array_equal(final[place], history.information_tensor(player, kept))
        histories = [
            game.history() if status else history for status, history in zip(batch.status, histories, strict=True)
        ]
        for player in range(len(game.players)):
            for stack in (1, kept):
                tensor = batch.information_tensor(player, stack=stack)
                for place, history in enumerate(histories):
                    np.testing.assert_array_equal(tensor[place], history.information_tensor(player, stack))


def after(history: History, joint: list[int]) -> History:
    state = history.state
    if state.is_chance():
        return history.apply_outcome(joint[-1])
    return history.apply({player: joint[player] for player in state.actors()})


def follow(history: History, batch: Batch, place: int, actions: np.ndarray) -> History:
    """Return the history that leads through chance to the state of the batch; in these games there is one."""
    state = history.state
    given = np.atleast_1d(actions).tolist()
    if not state.is_chance():
        width = len(given)
        history = history.apply({player: given[player if width > 1 else 0] for player in state.actors()})
        if history.state.is_terminal() or batch.status[place] != 0:
            return history
    waiting = [history]
    goal = batch.state(place)
    while waiting:
        one = waiting.pop()
        if not one.state.is_chance() and one.state == goal:
            return one
        if one.state.is_chance():
            waiting += [one.apply_outcome(outcome) for outcome, _ in one.state.chance_outcomes()]
    raise AssertionError("no history leads there")


def test_rows_say_what_was_done_and_told() -> None:
    game = ggp.load("phantom_tic_tac_toe")
    history = game.history().apply("b2").apply("b2").apply("a1")
    known = history.information_state("nought")
    assert [(action if action == NO_ACTION else game.action_text(action)) for action, _ in rows_of(known)] == [
        NO_ACTION, "b2", "a1",
    ]  # fmt: skip
    layout = game.information_features
    tensor = history.information_tensor("nought", length=4)
    assert tensor.shape == (4, layout.width)
    assert tensor[:, 0].tolist() == [1, 1, 1, 0]
    for row, (action, words) in enumerate(rows_of(known)):
        entry = layout.action.at + 1 + action
        assert tensor[row, layout.action.at : layout.action.at + layout.action.width].argmax() == entry - 1
        told = [seen.label for seen in layout.observation if tensor[row, seen.at]]
        assert told == [label for label, _ in game.readable_observation(words)]
    np.testing.assert_array_equal(history.information_tensor("nought", length=2), tensor[1:3])
    with pytest.raises(ValueError, match="length"):
        ggp.load("pig").history().information_tensor(0)


def test_a_batch_says_how_much_it_remembers() -> None:
    game = ggp.load("tic_tac_toe")
    with pytest.raises(ValueError, match="remembers 0 rows"):
        game.batch(2).information_tensor(0)
    with pytest.raises(ValueError, match="remembers 3 rows"):
        game.batch(2, remember=3).information_tensor(0, stack=4)


def test_an_observation_behind_another_has_a_row_of_its_own() -> None:
    rng = random.Random(3)
    history = random_histories(ggp.load("love_letter").history(), rng)[-1]
    for player in range(2):
        known = history.information_state(player)
        flat: list[object] = []
        for action, words in rows_of(known):
            flat += [action] * (action != NO_ACTION) + [words] * bool(words)
        assert tuple(flat) == known.known
