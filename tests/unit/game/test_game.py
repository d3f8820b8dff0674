"""Games and states as people use them from Python."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.faults import IllegalAction, UnknownPlayer
from ggp.game.actions import Action
from ggp.game.game import Game
from ggp.rules_compiler.rules_backend import game_of_rules
from tests.support import small_game


@pytest.fixture(scope="module")
def game() -> Game:
    return game_of_rules(small_game.GAME)


def test_a_play_told_step_by_step(game: Game) -> None:
    state = game.initial()
    assert state.is_chance()
    assert state.actors() == ()
    assert [(state.outcome_text(outcome), p) for outcome, p in state.chance_outcomes()] == [
        ("2", pytest.approx(1 / 3)),
        ("3", pytest.approx(2 / 3)),
    ]
    state = state.apply_outcome(1)
    assert state.phase == "bid"
    assert state.observation("one") == (0, 2)
    assert state.observation("two") == ()
    assert state.actors() == (0, 1)
    assert [str(action) for action in state.legal("two")] == ["1", "3"]
    state = state.apply({"one": "1", 1: 2})
    assert state.readable_observation(1) == [("b[w]", 3)]
    assert state.legal("two") == ()
    state = state.apply("raise 2")
    assert state.readable_observation("two") == [("move", "raise 2")]
    assert state.is_terminal()
    assert state.utilities() == (-7.0, 7.0)
    assert state.values()["pot"] == 7


def test_a_joint_action_in_all_its_forms(game: Game) -> None:
    bid = game.initial().apply_outcome(1)
    one, two = bid.legal(0)[0], bid.legal(1)[1]
    forms = [
        *({0: one, 1: two}, {1: two, 0: one}, {"one": "1", "two": "3"}, {"one": int(one), "two": int(two)}),
        *({"one": "1", 1: int(two)}, [one, two], (one, two), (0, 2), [int(one), "3"]),
    ]
    reached = [bid.apply(form) for form in forms]
    assert len(set(reached)) == 1
    assert {state.observation("two") for state in reached} == {reached[0].observation("two")}
    talk = bid.apply((0, 2))
    assert talk.apply({"one": "fold"}) == talk.apply("fold") == talk.apply([3]) == talk.apply([3, None])
    assert talk.apply(np.array(talk.legal(0))[1]) == talk.apply(talk.legal(0)[1])


@pytest.mark.parametrize(
    "joint",
    [
        {},
        {"one": 0},
        {"one": 0, "two": 1},
        {"one": 0, "two": "7"},
        {"one": 0, "two": 99},
        {"one": 0, 0: 1, "two": 2},
        [0],
        [0, None],
        [0, 99],
        [0, 2, 2],
        0,
        "1",
        1.5,
        None,
    ],
)
def test_what_is_not_legal_is_refused(game: Game, joint: object) -> None:
    bid = game.initial().apply_outcome(1)
    with pytest.raises(IllegalAction):
        bid.apply(joint)  # type: ignore[arg-type]


def test_misuse_is_refused(game: Game) -> None:
    state = game.initial()
    with pytest.raises(IllegalAction):
        state.apply_outcome(0)
    with pytest.raises(IllegalAction):
        state.apply({})
    with pytest.raises(IllegalAction):
        state.utilities()
    with pytest.raises(IllegalAction):
        state.apply_outcome(1).apply_outcome(1)
    with pytest.raises(IllegalAction, match="chance does not act"):
        state.apply_outcome(1).sample_outcome([1])
    with pytest.raises(UnknownPlayer, match="its players are one, two"):
        state.legal("three")
    for player in (-1, 2, 1 << 70):
        with pytest.raises(UnknownPlayer):
            state.legal(player)
    possible = {outcome for outcome, _ in state.chance_outcomes()}
    for outcome in set(range(-2, 12)) - possible:
        with pytest.raises(IllegalAction):
            state.apply_outcome(outcome)
    bid = state.apply_outcome(1)
    with pytest.raises(UnknownPlayer):
        bid.apply({"one": 0, 2: 2})
    for wrong in ({"one": 0.0, "two": 2}, {"one": 0, "two": [2]}):
        with pytest.raises(TypeError, match="integer"):
            bid.apply(wrong)
    with pytest.raises(TypeError, match="integer"):
        state.legal(0.5)  # type: ignore[arg-type]
    for number in (-1, game.num_actions):
        with pytest.raises(IllegalAction, match="numbers actions from 0"):
            game.action_text(number)
    with pytest.raises(ValueError, match="-1 rows"):
        game.history().information_tensor(0, -1)
    with pytest.raises(IllegalAction):
        bid.sample_outcome(Random(1))
    with pytest.raises(UnknownPlayer):
        bid.scene(2)
    assert game.outcome_text(1, "deal") == state.outcome_text(1)
    for outcome, phase in ((-1, "deal"), (1 << 40, "deal"), (0, "bid"), (0, "dawn")):
        with pytest.raises(IllegalAction, match="phase"):
            game.outcome_text(outcome, phase)
    calls: list[Callable[[Any], object]] = [
        *(lambda one, name=name: game.batch(**{"n": 2, name: one}) for name in ("n", "seed", "limit", "threads")),  # type: ignore[misc]
        game.batch(2).observations,
        game.batch(2).state,
        lambda one: bid.parse_action("one", one),
        state.sample_outcome,
        game.history().information_state(0).sample,
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call(1.5)
    fixed = np.zeros(game.batch(2).state_tensor().shape, np.float32)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="may be written"):
        game.batch(2).state_tensor(fixed)
    after = bid.apply((0, 2))
    assert after.legal("two") == after.legal(1) == ()


def test_states_are_values(game: Game) -> None:
    state = game.initial()
    after = state.apply_outcome(1)
    assert state == game.initial()
    assert hash(state) == hash(game.initial())
    assert state != after
    assert copy.deepcopy(after) is after
    assert game.state(after.words) == after
    assert game.state(after.words).observation("one") == ()
    assert {state, after, game.initial()} == {state, after}


def test_a_state_does_not_keep_the_state_before_it(game: Game) -> None:
    first = game.initial()
    references = sys.getrefcount(first)
    last = first.apply_outcome(1).apply((0, 2))
    assert sys.getrefcount(first) == references
    assert last.observation("two")


def test_states_and_games_can_be_read(game: Game) -> None:
    state = game.initial().apply_outcome(1)
    assert str(state).splitlines()[0] == "card: 2"
    assert "bid" in repr(state)
    assert repr(game) == "<game small()>"
    assert game.traits[:3] == ("simultaneous", "chance", "hidden information")


def test_actions_are_their_numbers_and_their_texts(game: Game) -> None:
    action = Action(4, "raise 1")
    assert action == 4
    assert str(action) == f"{action}" == game.action_text(4) == "raise 1"
    again = pickle.loads(pickle.dumps(action))
    assert (again, again.text) == (4, "raise 1")


@pytest.mark.parametrize("name", ["yacht", "sealed_auction", "hanabi"])
def test_what_chance_can_draw_and_what_is_forced_is_known_without_the_list_as_by_it(name: str) -> None:
    game, rng = ggp.load(name), Random(2)
    state, met = game.initial(), 0
    while not state.is_terminal() and met < 4:
        if not state.is_chance():
            state = state.apply({player: rng.choice(state.legal(player)) for player in state.actors()})
            continue
        met += 1
        listed = dict(state.chance_outcomes())
        forced = state.forced_outcome()
        assert [forced] == list(listed) if len(listed) == 1 else forced is None
        some = rng.sample(range(-2, max(listed) + 5), min(max(listed) + 7, 40))
        for outcome in [*some, max(listed), max(listed) + (1 << 64), 1 << 63]:
            again = game.state(state.words)
            if outcome in listed:
                again.apply_outcome(outcome)
            else:
                with pytest.raises(IllegalAction):
                    again.apply_outcome(outcome)
        state = state.apply_outcome(rng.choice(list(listed)))


def test_a_long_list_of_outcomes_is_the_callers() -> None:
    state = ggp.load("yacht").initial()
    while not state.is_chance():
        state = state.apply({player: state.legal(player)[0] for player in state.actors()})
    expected = list(state.chance_outcomes())
    state.chance_outcomes().clear()
    state.chance_outcomes().clear()
    assert state.chance_outcomes() == expected
    assert len(expected) > 1000
