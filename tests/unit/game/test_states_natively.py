"""States run on native code as they run on plain Python: the same plays, the same faults, nothing lost or leaked."""

from __future__ import annotations

import gc
import sys
import threading
import time
import weakref
from random import Random

import pytest

import ggp
from ggp.faults import IllegalAction, RulesFault
from ggp.game.actions import MAX_KEPT, Action
from ggp.game.game import Game, State
from ggp.language import SourceFile
from ggp.rules_compiler.loading import game_from_source
from ggp.rules_compiler.rules_backend import game_of_rules
from players.agents.candidate_trial import random_play
from tests.support.hostile_rules import tar_pit
from tests.support.library import game_of, one_phase
from tests.support.small_game import GAME

FAULTY = """game faulty "Faults in every place"

players ann, bob

state
    at: 0..9 = 0
    left: 0..9 = 0

phase go
    each p chooses x in 0..4 where x >= left
    at := max(1, at) * (x[ann] + 1)
    left := x[bob]
    sees all: move[ann], move[bob]
    next draw if at == 3 else go

phase draw
    chance draws k in 0..9 weight 9 - left - 2 * k
    next end

payoff[p] = if at == 9 then 1 else 0
"""

GAMES = [
    ("tic_tac_toe", {}),
    ("goofspiel", {"n": 5}),
    ("kuhn_poker_three", {}),
    ("phantom_tic_tac_toe", {}),
    ("pig", {}),
    ("oshi_zumo", {"coins": 10}),
    ("hex", {"width": 5, "height": 4}),
    ("liars_dice", {}),
]


def random_joint(state: State, rng: Random) -> dict[int, Action]:
    return {player: rng.choice(state.legal(player)) for player in state.actors()}


@pytest.mark.parametrize("kind", ["in_python", "releasing_gil"])
@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_plays_are_the_same_otherwise_run(name: str, parameters: dict[str, int], kind: str) -> None:
    native = ggp.load(name, **parameters)
    plain: Game = getattr(native, kind)()
    assert plain.in_python().initial().words == native.initial().words
    players = range(len(native.players))
    for seed in range(3):
        rng = Random(seed)
        one, two = native.initial(), plain.initial()
        while True:
            assert (one.words, one.phase, one.actors()) == (two.words, two.phase, two.actors())
            assert (one.is_terminal(), one.is_chance()) == (two.is_terminal(), two.is_chance())
            assert [one.legal(player) for player in players] == [two.legal(player) for player in players]
            assert [one.observation(player) for player in players] == [two.observation(player) for player in players]
            assert one.chance_outcomes() == two.chance_outcomes()
            assert one.estimate() == two.estimate()
            # as one that was given its words, which knows nothing beforehand
            again = native.state(one.words)
            assert [again.legal(player) for player in players] == [one.legal(player) for player in players]
            if one.is_terminal():
                assert one.utilities() == two.utilities() == again.utilities()
                break
            if one.is_chance():
                word = rng.getrandbits(63) + 1
                outcome = one.sample_outcome([word])
                assert outcome == two.sample_outcome([word])
                one, two = one.apply_outcome(outcome), two.apply_outcome(outcome)
            else:
                joint = random_joint(one, rng)
                one, two = one.apply(joint), two.apply({player: str(action) for player, action in joint.items()})


def test_games_and_their_states_go_when_nobody_wants_them() -> None:
    game = ggp.load("kuhn_poker")
    state = game.initial().apply_outcome(1)
    left = [weakref.ref(game), weakref.ref(game.steps)]
    del game
    gc.collect()
    assert state.apply(state.legal(0)[0]).actors() == (1,)
    del state
    gc.collect()
    assert [one() for one in left] == [None, None]


def test_numbers_between_legal_ones_are_not_legal() -> None:
    state = ggp.load("connect_four").initial()
    state = state.apply(state.legal(0)[3])
    legal = [int(action) for action in state.legal(1)]
    for number in range(-2, 50):
        if number in legal:
            assert not state.apply(number).is_terminal()
        else:
            with pytest.raises(IllegalAction):
                state.apply(number)
            with pytest.raises(IllegalAction):
                state.apply(Action(number, "x"))


def test_other_threads_run_on_beside_a_long_transition() -> None:
    game = game_from_source(SourceFile("tar_pit.rules", tar_pit())).releasing_gil()
    state = game.initial()
    for _ in range(2):
        state = state.apply([state.legal(0)[0], state.legal(1)[0]])
    last = [state.legal(0)[0], state.legal(1)[0]]
    long = threading.Thread(target=state.apply, args=(last,), daemon=True)
    long.start()
    for _ in range(20):  # holding the interpreter, the transition would let nothing happen beside it
        time.sleep(0.01)
        assert long.is_alive()


def faulty() -> tuple[Game, ...]:
    game = game_from_source(SourceFile("faulty.rules", FAULTY))
    return game, game.in_python(), game.releasing_gil()


@pytest.mark.parametrize("joint", [[4, 4], {0: 4, 1: 4}])
def test_faults_of_transitions_are_raised_with_the_value(joint: object) -> None:
    for game in faulty():
        state = game.initial().apply([1, 0])
        with pytest.raises(RulesFault, match=r"faulty.rules:11:11: .*got 10"):
            state.apply(joint)  # type: ignore[arg-type]


def test_faults_of_chance_are_raised_where_it_draws() -> None:
    for game in faulty():
        state = game.initial().apply([2, 4])
        assert state.is_chance()
        with pytest.raises(RulesFault, match=r"faulty.rules:17:"):
            state.chance_outcomes()
        with pytest.raises(RulesFault, match=r"faulty.rules:17:"):
            state.sample_outcome(Random(1))


def test_a_state_with_a_fault_raises_it() -> None:
    games = faulty()
    words = [*games[0].initial().words]
    words[1] = 1
    for game in games:
        with pytest.raises(RulesFault):
            game.state(words).is_terminal()
        with pytest.raises(ValueError, match="words"):
            game.state(words[1:])


def test_dead_ends_are_raised_where_somebody_asks() -> None:
    text = FAULTY.replace("where x >= left", "where x > left")
    game = game_from_source(SourceFile("faulty.rules", text))
    for state in (game.initial().apply([1, 4]), game.in_python().initial().apply([1, 4])):
        assert state.actors() == (0, 1)
        with pytest.raises(RulesFault, match="has no legal action") as caught:
            state.legal("ann")
        assert caught.value.kind == "dead_end"


def test_large_numbers_of_actions_have_texts_too() -> None:
    phase = "ann chooses x in 0..60000 where x mod 12500 == 7\nlast := x"
    game = game_of(one_phase(phase, "last: 0..60000 = 0", payoff="last"))
    state = game.initial()
    assert [str(action) for action in state.legal(0)] == ["7", "12507", "25007", "37507", "50007"]
    assert state.legal(0)[-1] > MAX_KEPT
    assert state.apply(state.legal(0)[-1]).values()["last"] == 50_007


@pytest.mark.long
def test_transitions_leak_nothing() -> None:
    start = game_of_rules(GAME).initial().apply_outcome(1)
    one, two = start.legal(0)[0], start.legal(1)[1]

    def play() -> tuple[int, int, int]:
        for _ in range(1000):
            start.apply([one, two]).apply("fold")
        gc.collect()
        return sys.getrefcount(one), sys.getrefcount(two), sys.getallocatedblocks()

    play()  # what is made once is not counted
    before, after = play(), play()
    assert before[:2] == after[:2]
    assert abs(after[2] - before[2]) < 100


def test_what_a_state_uses_lives_as_long_as_its_functions() -> None:
    game = game_of_rules(GAME)
    start = game.initial().apply_outcome(1)
    one, two = start.legal(0)[0], start.legal(1)[1]
    apply = start.apply
    del game, start
    gc.collect()
    assert apply([one, two]).actors() == (0,)


def test_several_threads_share_a_game() -> None:
    game = ggp.load("tic_tac_toe")
    expected = [play_lengths(game, seed) for seed in range(4)]
    found: dict[int, list[int]] = {}
    threads = [threading.Thread(target=lambda s=seed: found.update({s: play_lengths(game, s)})) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(4)] == expected


def play_lengths(game: Game, seed: int) -> list[int]:
    return [len(list(random_play(game, 100 * seed + number))) for number in range(100)]
