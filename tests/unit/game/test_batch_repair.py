"""Batches that are copied, pickled, set, stepped and reset in part, and led through chance, against single states."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

import ggp
from ggp.errors import GgpError
from ggp.faults import IllegalAction
from ggp.game.batch import ENDED, GOES_ON, Batch
from ggp.game.batch_calls import CompiledPlay
from ggp.game.state import State
from tests.support.library import one_phase

EVERYTHING = one_phase(
    "turn chooses c in cell where owner[c] is none\nowner[c] := turn\nheld[turn] := min(held[turn] + c.x, 9)\n"
    "last[turn, 1] := turn\nseen := seen + {turn}\nreached[turn] := reached[turn] + {c}\nturn := after(turn)\n"
    "next end if all s in cell: owner[s] is some else go",
    "owner[cell]: player or none = none\nheld[player]: 0..9 = 0\nlast[player, 1..2]: player or none = none\n"
    "turn: player = ann\nseen: set of player = {}\nreached[player]: set of cell = {}",
    "board cell = grid(3, 3)",
    players="ann, bob",
    payoff="count s in cell: owner[s] == p",
)
"""Whatever can name a player: kept as sets, in sets, as index and as value."""


def trail(batch: Batch, steps: int) -> list[tuple[np.ndarray, ...]]:
    found = []
    for _ in range(steps):
        batch.step(batch.random_actions())
        found.append((batch.states.copy(), batch.joint, batch.status, batch.utilities, batch.lengths.copy()))
    return found


def assert_same(first: list[tuple[np.ndarray, ...]], second: list[tuple[np.ndarray, ...]]) -> None:
    for ours, theirs in zip(first, second, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["goofspiel", "pig", "phantom_tic_tac_toe"])
@pytest.mark.parametrize("copied", [Batch.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_go_on_alike_and_apart(name: str, copied: object) -> None:
    batch = ggp.load(name).batch(20, seed=3, limit=30, remember=4)
    trail(batch, 7)
    again = copied(batch)
    before = again.states.copy()
    ours = trail(batch, 30)
    np.testing.assert_array_equal(again.states, before)
    np.testing.assert_array_equal(again.information_tensor(0).shape, batch.information_tensor(0).shape)
    assert_same(trail(again, 30), ours)
    np.testing.assert_array_equal(again.information_tensor(1), batch.information_tensor(1))
    assert again.steps == batch.steps == 37


def test_states_are_set_and_played_on_from() -> None:
    game = ggp.load("kuhn_poker")
    batch = game.batch(5, seed=1)
    dealt = game.initial().apply_outcome(game.initial().chance_outcomes()[0][0])
    batch.set_states(np.array([dealt.words, dealt.apply("bet").words]), [3, 1])
    assert batch.acting.tolist() == [0, 2, 0, 1, 0]
    assert batch.state(3) == dealt
    assert batch.observations(0)[0].tolist() == [0] * 5
    where = np.array([False, True, False, True, False])
    batch.step(np.array([9, 1, 9, 1, 9]), where=where)
    assert batch.status.tolist() == [GOES_ON, ENDED, GOES_ON, GOES_ON, GOES_ON]
    assert tuple(batch.reached[1]) == dealt.apply("bet").apply("bet").words
    assert tuple(batch.utilities[1]) == dealt.apply("bet").apply("bet").utilities()
    assert batch.state(3) == dealt.apply("bet")
    assert batch.lengths.tolist() == [0, 0, 0, 1, 0]
    with pytest.raises(ValueError, match="terminal"):
        batch.set_states(np.array([dealt.apply("bet").apply("bet").words]), [0])
    with pytest.raises(ValueError, match="0 to 4"):
        batch.set_states(np.array([dealt.words]), [5])
    with pytest.raises(ValueError, match="words of shape"):
        batch.set_states(np.array([dealt.words]))
    with pytest.raises(ValueError, match="float64; they are integers"):
        batch.set_states(np.array([dealt.words], np.float64), [0])


@pytest.mark.parametrize("name", ["goofspiel", "chess", "openspiel:kuhn_poker"])
def test_words_that_no_state_has_are_refused_where_they_are_given(name: str) -> None:
    game = ggp.load(name)
    words = game.initial().words
    for place in range(len(words)):
        for wrong in {number for low, high in [game.codec.word_ranges()[place]] for number in (low - 1, high + 1)}:
            with pytest.raises(ValueError, match=f"has {wrong} as word {place}, which is from"):
                game.state([*words[:place], wrong, *words[place + 1 :]])
            if -(1 << 63) <= wrong < 1 << 63:
                with pytest.raises(ValueError, match=f"has {wrong} as word {place}, which is from"):
                    game.batch(2).set_states(np.array([words, [*words[:place], wrong, *words[place + 1 :]]]))
    with pytest.raises(TypeError, match="integers"):
        game.state([float(word) for word in words])
    again, (row, *_) = game.initial().__reduce__()  # type: ignore[misc]
    with pytest.raises(ValueError, match="words"):
        again(row[8:], b"", None)


def test_a_history_that_no_play_of_openspiel_has_is_an_error() -> None:
    game = ggp.load("openspiel:kuhn_poker")
    for phase, history in ((1, b"\1"), (0, b"\1\1"), (0, b"\377"), (2, b"\1\2\1\1\1")):  # OpenSpiel crashes by some
        state = game.state([phase, 0, len(history), int.from_bytes(history, "little")])
        with pytest.raises(GgpError, match="no play"):
            state.legal(0) if state.actors() else state.chance_outcomes() or state.utilities()


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["goofspiel", "connect_four", "love_letter", "openspiel:goofspiel(num_cards=3)"])
def test_games_that_are_not_stepped_stay_as_they_are(name: str) -> None:
    """A batch stepped in parts, each game as often, is the batch stepped as a whole."""
    game = ggp.load(name)
    whole, parts = (game.batch(40, seed=8, remember=3) for _ in range(2))
    rng = np.random.default_rng(1)
    for _ in range(25):
        actions = whole.random_actions().copy()
        parts.random_actions()
        first = rng.random(40) < 0.5
        kept = parts.states[~first].copy(), parts.utilities[~first], told(parts)[~first]
        parts.step(actions, where=first)
        now = parts.states[~first], parts.utilities[~first], told(parts)[~first]
        for one, other in zip(kept, now, strict=True):
            np.testing.assert_array_equal(one, other)
        parts.step(actions, where=~first)
        whole.step(actions)
        np.testing.assert_array_equal(told(parts), told(whole))
        np.testing.assert_array_equal(parts.information_tensor(0), whole.information_tensor(0))
        assert_same([(parts.states, parts.joint, parts.status)], [(whole.states, whole.joint, whole.status)])


def told(batch: Batch) -> np.ndarray:
    counts, words = batch.observations(1)
    return np.where(np.arange(words.shape[1]) < counts[:, None], words, -1)


def test_illegal_actions_are_refused_where_games_are_stepped_only() -> None:
    batch = ggp.load("tic_tac_toe").batch(3)
    actions = np.array([4, 99, 4])
    batch.step(actions, where=[True, False, True])
    with pytest.raises(IllegalAction, match="game 2: action 4 is not legal for nought"):
        batch.step(np.array([0, 99, 4]), where=np.array([True, False, True]))
    assert batch.lengths.tolist() == [1, 0, 1]
    with pytest.raises(ValueError, match="truth values"):
        batch.step(actions, where=np.array([1, 0, 1]))
    with pytest.raises(ValueError, match="integers"):
        batch.step(np.array([3.9, 0.0, 0.0]))


def test_some_games_are_begun_anew_by_a_seed() -> None:
    game = ggp.load("pig")
    batch = game.batch(6, seed=1)
    trail(batch, 9)
    others = batch.states[[0, 2, 4, 5]].copy()
    batch.reset([3, 1], seed=np.int64(5))
    np.testing.assert_array_equal(batch.states[[0, 2, 4, 5]], others)
    assert batch.lengths[[1, 3]].tolist() == [0, 0]
    fresh = game.batch(2, seed=5)
    for _ in range(10):
        actions = np.zeros(6, np.int64)
        batch.step(actions)
        fresh.step(actions[:2])
        np.testing.assert_array_equal(batch.states[[3, 1]], fresh.states)
    batch.reset(seed=5)
    assert_same(trail(batch, 5), trail(game.batch(6, seed=5), 5))


def test_final_tensors_are_those_of_the_last_states() -> None:
    game = ggp.load("tic_tac_toe")
    batch, ended = game.batch(30, seed=2), 0
    for _ in range(12):
        batch.step(batch.random_actions())
        final = batch.final_tensor(player="nought")
        for place in range(30):
            state = game.state(batch.reached[place].tolist())
            assert state.is_terminal() == (batch.status[place] == ENDED)
            ended += state.is_terminal()
            np.testing.assert_array_equal(final[place], state.tensor("nought"))
    assert ended > 10


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["ra", "chess", "tron", "liars_dice", "connect_four", "yacht"])
def test_tensors_from_a_seat_are_those_of_single_states(name: str) -> None:
    batch = ggp.load(name).batch(5, seed=4)
    assert isinstance(batch._play, CompiledPlay)
    trail(batch, 20)
    check_seats(batch)


@pytest.mark.parametrize("players", ["ann, bob, cat", "ann, bob"])
def test_all_that_may_name_a_player_is_turned(players: str) -> None:
    batch = ggp.load_text(EVERYTHING.replace("ann, bob", players)).batch(9, seed=4)
    assert "owner" in {feature.variable for feature in batch.game.state_features if feature.apart}  # kept as sets
    assert any(feature.kind == "bits" and feature.of_players for feature in batch.game.state_features)
    for _ in range(6):
        batch.step(batch.random_actions())
        check_seats(batch)


def check_seats(batch: Batch) -> None:
    """Compare the tensors from each seat with those of single states, which are put in order entry by entry."""
    out = np.full_like(batch.state_tensor(), 7)
    for player in range(len(batch.game.players)):
        assert batch.state_tensor(out=out, player=player) is out
        for place in range(len(batch)):
            np.testing.assert_array_equal(out[place], batch.state(place).tensor(player))
        final = batch.final_tensor(player=player)
        np.testing.assert_array_equal(final[batch.status == GOES_ON], out[batch.status == GOES_ON])


def test_a_tensor_from_a_seat_takes_no_longer_than_another() -> None:
    """It took 9 times as long while it was gathered from the other entry by entry."""
    batch = ggp.load("connect_four").batch(2000, threads=1)
    out = batch.state_tensor().copy()
    assert least_time(lambda: batch.state_tensor(out, player=1)) < 3 * least_time(lambda: batch.state_tensor(out))


def least_time(call: Callable[[], object]) -> int:
    """Return the least processor time of some calls, in nanoseconds."""
    times = []
    for _ in range(40):
        begun = time.process_time_ns()
        call()
        times.append(time.process_time_ns() - begun)
    return min(times)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["goofspiel", "kuhn_poker", "backgammon"])
def test_chance_is_passed_through(name: str) -> None:
    """Only games that have just begun stand where chance acts; what was drawn on the way is legal play."""
    game = ggp.load(name)
    batch = game.batch(50, seed=6, through_chance=True)
    for _ in range(30):
        begun = batch.lengths == 0
        before = [batch.state(place) for place in range(50)]
        batch.step(batch.random_actions())
        goes_on = batch.status == GOES_ON
        assert (batch.acting[goes_on] > 0).all()
        for place in np.flatnonzero(goes_on & ~begun)[:5].tolist():
            assert can_follow(before[place], game.state(batch.states[place].tolist()))


def can_follow(before: State, after: State) -> bool:
    """Return whether one decision and then only chance can lead from a state to another."""
    actors = before.actors()
    joints = [{}]
    for player in actors:
        joints = [{**joint, player: action} for joint in joints for action in before.legal(player)]
    waiting = [before.apply(joint) for joint in joints]
    while waiting:
        state = waiting.pop()
        if state == after:
            return True
        if state.is_chance():
            waiting += [state.apply_outcome(outcome) for outcome, _ in state.chance_outcomes()]
    return False


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["chess", "goofspiel", "ra"])
def test_lists_of_legal_actions_are_the_rows_of_the_table(name: str) -> None:
    batch = ggp.load(name).batch(130, seed=3)
    trail(batch, 6)
    for player in (None, 0, 1):
        counts, table = batch.legal(player)
        first, actions = batch.legal_lists(player)
        assert np.diff(first).tolist() == counts.tolist()
        for place in range(130):
            listed = actions[first[place] : first[place + 1]]
            np.testing.assert_array_equal(listed, table[place, : counts[place]])


FORK = """
import os, sys, ggp
batch = ggp.load("connect_four").batch(1024, seed=1, threads=2)
batch.step(batch.random_actions())
child = os.fork()
batch.step(batch.random_actions())
if child:
    _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs a system with fork")
def test_a_fork_after_threads_does_not_hang() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=60)


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker"])
def test_what_steps_show_is_shown_anew_where_games_were_changed_otherwise(name: str) -> None:
    game = ggp.load(name)
    one, two = (game.batch(6, seed=2, show=show, through_chance=True) for show in (True, False))
    some = np.arange(6) % 2 == 0

    def both(change: Callable[[Batch], object]) -> None:
        for batch in (one, two):
            change(batch)
        assert np.array_equal(one.legal_mask(), two.legal_mask())
        assert np.array_equal(one.state_tensor(), two.state_tensor())
        for player in game.players:
            assert np.array_equal(one.legal_mask(player), two.legal_mask(player))
            assert np.array_equal(one.observation_tensor(player), two.observation_tensor(player))

    for _ in range(4):
        both(lambda batch: batch.step(batch.random_actions()))
    both(lambda batch: batch.step(batch.random_actions(), where=some))
    both(lambda batch: batch.step(batch.random_actions()))
    words = one.states.copy()
    both(lambda batch: batch.reset([1, 3]))
    both(lambda batch: batch.step(batch.random_actions()))
    both(lambda batch: batch.set_states(words))
    both(lambda batch: batch.step(batch.random_actions()))
    one, two = one.copy(), two.copy()
    both(lambda batch: batch.step(batch.random_actions()))
    both(lambda batch: batch.reset(seed=3))
