"""Beliefs: the states held fit what was told, the true one is among them, and their probabilities are right."""

from __future__ import annotations

import itertools
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.beliefs.extension import LEAST_WORK
from ggp.beliefs.history_tree import EVERYBODY, merge_equal, new_front
from ggp.beliefs.repair import repair
from ggp.encoding.readable import Readable
from ggp.game.game import State
from players.agents.auto import AutoAgent
from players.beliefs import Tracker
from players.beliefs.belief import Belief
from players.beliefs.tracker import NothingTold
from tests.support.belief_plays import NO_TREE, PlainTracker, followed, load


def belief_of(game: ggp.Game, role: int, states: int = 4000, seed: int = 9) -> Belief:
    belief = Belief(game, states, field=0, uniform=1.0, equal=False)
    belief.begin(seed, role)
    return belief


def test_battleship_has_four_ships_and_all_its_shots_for_each() -> None:
    game = load("battleship", width=6, shots=30)
    state, rng = game.initial(), random.Random(1)
    for number in range(8 + 2 * 30):
        if number == 8:
            assert [len(fleet) for fleet in game.codec.values(state.words)["fleet"]] == [2 + 3 + 4 + 5] * 2
        assert state.actors() == (number % 2,)
        state = state.apply(rng.choice(state.legal(number % 2)))
    assert state.is_terminal()


def words_of(belief: Belief) -> set[tuple[int, ...]]:
    return {tuple(int(word) for word in state) for state in belief.states}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("phantom_tic_tac_toe", {}),
        ("goofspiel", {"n": 5, "bids": "hidden"}),
        ("poker", {}),
        ("liars_dice", {}),
        ("kuhn_poker_three", {}),
        ("goofspiel", {"n": 4}),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_holds_exactly_what_the_plain_tracker_holds(name: str, parameters: dict[str, str | int], seed: int) -> None:
    game = load(name, **parameters)
    for role in range(len(game.players)):
        belief, tracker = belief_of(game, role), PlainTracker(game, role)
        for state in followed(game, belief, role, seed, tracker.tell):
            legal = [str(action) for action in state.legal(role)]
            assert words_of(belief) == tracker.deciding(legal)
            assert state.words in words_of(belief)
            assert belief.exact


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe"])
def test_a_transition_that_the_player_knows_nothing_of_is_refused(name: str) -> None:
    game = load(name)
    keeping = [Tracker(game, 0).tell, belief_of(game, 0).tell]
    if not game.perfect_information:
        agent = AutoAgent()
        agent.start(game, 0, 1)
        keeping.append(agent.observe)
    for tell in keeping:
        with pytest.raises(NothingTold, match="told only of transitions in which it acts or observes"):
            tell(None, [])


def posterior(game: ggp.Game, role: int, wanted: State, path: Sequence[tuple[object, ...]]) -> Counter[tuple[int, ...]]:
    """Return the probabilities of the world states in which a role has been told a path, all others being random."""
    found: Counter[tuple[int, ...]] = Counter()

    def walk(state: State, told: tuple[tuple[object, ...], ...], probability: float) -> None:
        if state.is_terminal() or told != tuple(path)[: len(told)]:
            return
        if role in state.actors() and told == tuple(path):
            if [str(action) for action in state.legal(role)] == [str(action) for action in wanted.legal(role)]:
                found[state.words] += probability
            return
        if state.is_chance():
            for outcome, share in state.chance_outcomes():
                go(state, state.apply_outcome(outcome), None, told, probability * share)
            return
        (actor,) = state.actors()
        for action in state.legal(actor):
            share = 1.0 if actor == role else 1 / len(state.legal(actor))
            go(state, state.apply({actor: action}), str(action) if actor == role else None, told, probability * share)

    def go(
        _: State, after: State, action: str | None, told: tuple[tuple[object, ...], ...], probability: float
    ) -> None:
        observation = after.readable_observation(role)
        if observation or action is not None:
            told = (*told, (action, str(observation)))
        walk(after, told, probability)

    walk(game.initial(), (), 1.0)
    total = math.fsum(found.values())
    return Counter({words: share / total for words, share in found.items()})


def note_told(path: list[tuple[object, ...]], action: str | None, observation: list[tuple[str, Readable]]) -> None:
    path.append((action, str(observation)))


@pytest.mark.parametrize("name", ["kuhn_poker", "poker"])
@pytest.mark.parametrize("role", [0, 1])
def test_probabilities_are_the_posterior(name: str, role: int) -> None:
    game = load(name)
    for seed in (3, 4):
        belief = belief_of(game, role)
        path: list[tuple[object, ...]] = []
        note = partial(note_told, path)
        for state in followed(game, belief, role, seed, note):
            held: Counter[tuple[int, ...]] = Counter()
            for words, share in zip(belief.states, belief.probabilities, strict=True):
                held[tuple(int(word) for word in words)] += float(share)
            expected = posterior(game, role, state, path)
            assert held.keys() == expected.keys()
            for words, share in expected.items():
                assert held[words] == pytest.approx(share, abs=1e-12)


def histories_fit(game: ggp.Game, belief: Belief, role: int) -> None:
    """Replay some held histories by the game itself, and compare what the role would have been told."""
    tree, told = belief.histories, belief.records
    for place in range(0, len(belief), max(1, len(belief) // 5)):
        joints, node = [], int(belief.nodes[place])
        while node > 0:
            joints.append([int(number) for number in tree.joint[node]])
            node = int(tree.parent[node])
        again = belief_of(game, role)
        again.records = type(told)(game)
        state = game.initial()
        for joint in reversed(joints):
            if state.is_chance():
                state = state.apply_outcome(joint[-1])
                actor = False
            else:
                actor = role in state.actors()
                if actor:
                    again.records.decide([str(action) for action in state.legal(role)])
                state = state.apply({player: joint[player] for player in state.actors()})
            observation = state.readable_observation(role)
            if observation or actor:
                again.records.tell(game.action_text(joint[role]) if actor else None, observation)
        assert state.words == tuple(int(word) for word in belief.states[place])
        again.records.decide([str(action) for action in state.legal(role)])
        assert np.array_equal(again.records.in_arrays().records, told.in_arrays().records)
        assert np.array_equal(again.records.in_arrays().numbers, told.in_arrays().numbers)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters", "decisions"),
    [
        ("phantom_tic_tac_toe", {}, 9),
        ("goofspiel", {"n": 8, "bids": "hidden"}, 8),
        ("battleship", {"width": 6, "shots": 30}, 22),
        ("salvo", {"size": 6, "rounds": 12}, 15),
        ("hearts", {}, 8),
        ("tricks", {}, 6),
        ("cards_in_rows", {}, 5),
    ],
)
def test_a_small_sample_still_fits_everything_told(name: str, parameters: dict[str, str | int], decisions: int) -> None:
    game = load(name, **parameters)
    belief = belief_of(game, 0, states=40)
    for number, state in enumerate(followed(game, belief, 0, 6)):
        assert len(belief) > 0, f"nothing fits at decision {number}"
        assert game.state([int(word) for word in belief.states[0]]).legal(0) == state.legal(0)
        histories_fit(game, belief, 0)
        if number == decisions:
            break
    assert not belief.exact


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters", "decision"), [("battleship", {"width": 6, "shots": 30}, 12), ("hearts", {}, 7)]
)
def test_histories_are_found_again_when_none_fits(name: str, parameters: dict[str, str | int], decision: int) -> None:
    game = load(name, **parameters)
    belief = belief_of(game, 0, states=40)
    for number, _ in enumerate(followed(game, belief, 0, 6)):
        if number == decision:
            revived = belief.revived
            belief._front.used[0] = 0  # as if all had been contradicted
            belief._done = len(belief.records)
            belief.lost = True
            belief.catch_up(NO_TREE, time.monotonic)
            assert belief.revived == revived + 1
            assert len(belief) > 0
            histories_fit(game, belief, 0)
            return


@pytest.mark.long
def test_hands_dealt_at_once_are_mended_card_by_card() -> None:
    """Each hand is drawn without the cards of the others, so a card that changes hands changes two draws."""
    game = load("partners")
    belief = belief_of(game, 3, states=40)
    for number, _ in enumerate(followed(game, belief, 3, 7)):
        assert len(belief) > 0
        if number == 3:
            break
    assert belief.revived > 0
    histories_fit(game, belief, 3)


def pegs(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def answer(guess: tuple[str, ...], code: tuple[str, ...]) -> tuple[int, int]:
    black = sum(one == other for one, other in zip(guess, code, strict=True))
    both = sum(min(guess.count(colour), code.count(colour)) for colour in set(guess))
    return black, both - black


def test_codes_that_fit_are_counted_as_by_hand() -> None:
    game = load("mastermind")
    belief = belief_of(game, 0)
    told: list[tuple[str | None, list[tuple[str, Readable]]]] = []
    codes = [
        pegs(f"{a} {b} {c} {d}") for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) for d in range(1, 7)
    ]
    for number, _ in enumerate(followed(game, belief, 0, 6, lambda action, seen: told.append((action, seen)))):
        if number == 0:
            continue
        guesses = [(pegs(action), dict(seen)) for action, seen in told[1:] if action is not None]
        fitting = [
            code
            for code in codes
            if all(answer(guess, code) == (seen["black"], seen["white"]) for guess, seen in guesses)
        ]
        assert belief.exact
        assert len(belief) == len(fitting)


def test_many_dice_at_once_are_counted_though_only_the_next_phase_tells_of_them() -> None:
    game = load("dice_told_later")
    for role in range(2):
        belief = belief_of(game, role)
        rounds = 0
        for state in followed(game, belief, role, 5):
            assert belief.exact
            assert len(belief) == 6**3  # of 46,656 outcomes, those with the player's own dice
            assert state.words in words_of(belief)
            rounds += 1
        assert rounds == 2


def test_many_dice_at_once_are_drawn_where_they_cannot_all_be_tried() -> None:
    game = load("dice_told_later", coin="yes")
    belief = belief_of(game, 1)
    for state in followed(game, belief, 1, 5):
        values = [game.codec.values([int(word) for word in held]) for held in belief.states]
        assert not belief.exact
        assert len(belief) > 200
        assert all(value["dice"][3:] == game.codec.values(state.words)["dice"][3:] for value in values)
        heads = sum(share for share, value in zip(belief.probabilities, values, strict=True) if value["heads"])
        assert heads == pytest.approx(0.75, abs=0.1)
        break


def test_time_is_kept() -> None:
    game = load("battleship", width=8, shots=60)
    belief = belief_of(game, 0)
    reads = 0.0

    def clock() -> float:
        nonlocal reads
        reads += 0.001
        return reads

    for number, _ in enumerate(followed(game, belief, 0, 3)):
        if number == 6:
            break
    belief.lost = True
    before = reads
    belief.catch_up(NO_TREE, clock, before + 0.02)
    assert reads - before < 0.03  # of the clock, which goes on by a thousandth whenever it is read


def test_few_histories_of_a_sample_become_many() -> None:
    game = load("oh_hell")
    belief = Belief(game, 256, field=0, uniform=1.0, equal=True)
    belief.begin(9, 0)
    reads = itertools.count()
    for state in itertools.islice(followed(game, belief, 0, 1), 2, 3):
        held, own = len(belief), game.codec.values(state.words)["hand"][0]
        assert held < 64
        belief.renew(NO_TREE, lambda: next(reads) / 1000, 0.3)
        assert len(belief) > 3 * held
        assert all(game.codec.values(words)["hand"][0] == own for words in words_of(belief))
    assert next(reads) < 310


def test_the_search_for_histories_begins_with_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    # its transitions take far longer than those by which the amount of work was learned
    game = load("battleship", width=6, shots=30)
    belief = belief_of(game, 0, states=40)
    for number, _ in enumerate(followed(game, belief, 0, 6)):
        if number == 12:
            break
    works = []

    def spied(*arguments: object) -> int:
        works.append(arguments[-1])
        return int(repair(*arguments))

    monkeypatch.setattr("ggp.beliefs.extension.repair", spied)
    belief.lost, belief._extension._work = True, 1 << 16
    belief.catch_up(NO_TREE, time.thread_time, time.thread_time() + 0.05)
    assert works[0] == LEAST_WORK
    assert max(works) > LEAST_WORK


def test_samples_are_merged_by_state_and_one_history_stays_by_its_weight() -> None:
    stayed = np.zeros(3)
    for word in range(1, 401):
        front = new_front(4, 1, 2)
        for node, (state, weight) in enumerate(((7, 1.0), (7, 3.0), (8, 2.0))):
            front.states[node], front.node[node], front.weight[node] = state, node, weight
            front.keys[node] = 5, 5, node, node
        front.used[0] = 3
        rng = np.array([seed_word(word)], np.uint64)
        assert merge_equal(front, np.zeros(8, np.int64), rng, EVERYBODY) == 3
        assert merge_equal(front, np.zeros(8, np.int64), rng, 0) == 2
        assert front.weight[:2].tolist() == [4.0, 2.0]
        assert front.keys[0].tolist() == [5, 5, *[front.node[0]] * 2]
        stayed[front.node[0]] += 1
    assert stayed[1] / stayed.sum() == pytest.approx(0.75, abs=0.08)
    assert stayed[2] == 0


def test_members_that_the_player_tells_apart_are_not_merged() -> None:
    front = new_front(2, 1, 2)
    front.keys[:] = [[5, 5, 3, 3], [5, 6, 3, 3]]
    front.used[0] = 2
    rng = np.array([seed_word(1)], np.uint64)
    assert merge_equal(front, np.zeros(8, np.int64), rng, 0) == 2
    assert merge_equal(front, np.zeros(8, np.int64), rng, 1) == 1


def test_hidden_draws_in_any_order_lead_to_all_hands() -> None:
    """One draw after the other, far more orders than there is room for: what they lead to is merged on the way."""
    game = ggp.load_text("""game draws "The other draws five cards, one by one"
players row, col
type card = {a, b, c, d, e, f}
state
    left[card]: 0..3 = 3
    hand[card]: 0..3 = 0
    drawn: 0..5 = 0
phase draw
    chance draws k in {k in card: left[k] > 0} weight left[k]
    left[k] := left[k] - 1
    hand[k] := hand[k] + 1
    drawn := drawn + 1
    sees col: k
    next draw if drawn < 5 else ask
phase ask
    row chooses guess in bool
    next end
payoff[p] = 0
""")
    belief = belief_of(game, 0, states=400)
    state = game.initial()
    while state.is_chance():
        state = state.apply_outcome(state.sample_outcome(random.Random(1)))
    state = state.apply(state.legal(0)[0])
    belief.tell("no", state.readable_observation(0))
    belief.catch_up(NO_TREE, time.monotonic)
    hands = {hand for hand in itertools.product(range(4), repeat=6) if sum(hand) == 5}
    assert {game.state(words).values()["hand"] for words in belief.states.tolist()} == hands


@pytest.mark.long
def test_a_hand_dealt_at_once_is_found_card_by_card() -> None:
    """It is told as one set, after draws of others that it must leave out: no whole deal drawn at random fits it."""
    game = ggp.load_text("""game deal "Three hands"
players row, col
type card = 1..30
state
    hand[player]: set of card = {}
phase deal
    chance draws x in 9 of card, y in 9 of card - x
    hand[row] := x
    hand[col] := y
    sees row: x
    sees col: y
    next ask
phase ask
    col chooses guess in bool
    next end
payoff[p] = 0
""")
    state = game.initial()
    while state.is_chance():
        state = state.apply_outcome(state.sample_outcome(random.Random(1)))
    belief = belief_of(game, 1, states=20)
    belief.tell(None, state.readable_observation(1))
    belief.catch_up(NO_TREE, time.thread_time, time.thread_time() + 1)
    col, others = state.values()["hand"][1], {game.state(words).values()["hand"][0] for words in belief.states.tolist()}
    assert len(others) > 1
    assert {game.state(words).values()["hand"][1] for words in belief.states.tolist()} == {col}
