"""Unfolded games against a plain walk over all histories, which merges nothing and hashes nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ggp.errors import GgpError
from ggp.game.game import Game, State
from ggp.rules_compiler.loading import load, load_text
from ggp.solvers.sequence_form.best_responses import responses
from ggp.solvers.sequence_form.history_estimate import estimate_histories
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader
from ggp.solvers.sequence_form.unfolding import TreeLimits, information_tree
from ggp.solvers.worlds.exploration import GameTooLarge, NotSolvable
from tests.support.strategies import random_strategies

Known = tuple[Any, ...]

UNSEEN_DRAWS = """
game unseen_draws "Two coins that nobody sees, one after the other, and a bet on how many show heads"
players one, two
state
    heads: 0..2 = 0
    tosses: 0..2 = 0
    bet[player]: 0..2 = 0
phase toss
    chance draws side in {0, 1} weight 1 + side
    heads := heads + side
    tosses := tosses + 1
    sees nothing
    next pause if tosses == 1 else guess
phase pause                                    # nobody acts here, and nothing is drawn
    sees nothing
    next toss
phase guess
    each p chooses k in 0..2
    bet[p] := k[p] for p in player
    sees nothing
    next end
payoff[p] = if bet[p] == heads then 2 else if bet[p] == 2 then -1 else 0
"""

LEGAL_BY_A_HIDDEN_COIN = """
game hidden_limits "What is legal depends on a coin that the player does not see"
players one, two
state
    coin: 0..1 = 0
phase toss
    chance draws side in {0, 1}
    coin := side
    sees nothing
    next act
phase act
    one chooses k in 0..coin + 1
    next end
payoff[p] = 0
"""


def walk(state: State, known: tuple[Known, ...], reach: float) -> Iterator[tuple[State, tuple[Known, ...], float]]:
    """Yield all histories: the world state, what each player knows, and the reach probability of chance."""
    yield state, known, reach
    if state.is_terminal():
        return
    for following, after, probability in successors(state, known):
        yield from walk(following, after, reach * probability)


def successors(state: State, known: tuple[Known, ...]) -> list[tuple[State, tuple[Known, ...], float]]:
    if state.is_chance():
        ways = [({}, state.apply_outcome(outcome), probability) for outcome, probability in state.chance_outcomes()]
    else:
        legal = [[(player, action) for action in state.legal(player)] for player in state.actors()]
        ways = [(dict(joint), state.apply(dict(joint)), 1.0) for joint in itertools.product(*legal)]
    found = []
    for chosen, following, probability in ways:
        after = []
        for player, events in enumerate(known):
            own = (("did", int(chosen[player])),) if player in chosen else ()
            told = following.observation(player)
            after.append((*events, *own, *((("saw", told),) if told else ())))
        found.append((following, tuple(after), probability))
    return found


def check_against_walk(game: Game) -> None:
    tree = information_tree(game.native())
    players, nothing = len(game.players), ((),) * len(game.players)
    strategies = random_strategies(tree, np.random.default_rng(5))
    histories = list(walk(game.initial(), nothing, 1.0))
    # information states, found by playing to the one in which each was discovered
    reader, number_of = InformationStateReader(game, tree), dict[tuple[int, Known], int]()
    by_state: dict[tuple[int, tuple[int, ...]], list[Known]] = {}
    for state, known, _ in histories:
        if not state.is_terminal():
            for player in state.actors():
                by_state.setdefault((player, known[player]), [])
    assert tree.information_states == len(by_state)
    for number in range(tree.information_states):
        player, known = tree.player_of(number), knowledge(game, reader.branches(number))
        number_of[player, known[player]] = number
    assert len(number_of) == tree.information_states
    # expected utilities, history by history
    totals = np.zeros(players)
    for state, known, reach in histories:
        if state.is_terminal():
            weight = reach
            for player, events in enumerate(known):
                for place, (what, action) in enumerate(events):
                    if what == "did":
                        number = number_of[player, events[:place]]
                        at = tree.sequences_at(number)
                        weight *= strategies[at][tree.action[at].tolist().index(action)]
            totals += weight * np.array(state.utilities())
    assert responses(tree, strategies).expected == pytest.approx(totals.tolist(), abs=1e-12)
    assert tree.states <= sum(not state.is_terminal() for state, _, _ in histories)


def knowledge(game: Game, branches: tuple[int, ...]) -> tuple[Known, ...]:
    """Return what players know after going a way, by the plain walk's own enumeration of successors."""
    state, known = game.initial(), tuple[Known, ...](() for _ in game.players)
    for branch in branches:
        state, known, _ = successors(state, known)[branch]
    return known


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kuhn_poker", {}),
        ("kuhn_poker_three", {}),
        ("poker", {"ranks": "2"}),
        ("goofspiel", {"n": "3", "bids": "hidden"}),
        ("goofspiel", {"n": "3"}),
        ("liars_dice", {"faces": "3"}),
        ("matching_pennies", {}),
        ("sealed_auction", {"values": "3"}),
        ("nim", {"heaps": "2"}),
    ],
)
def test_library_games(name: str, parameters: dict[str, str]) -> None:
    check_against_walk(load(name, **parameters))


def test_draws_that_nobody_sees_are_merged() -> None:
    game = load_text(UNSEEN_DRAWS)
    check_against_walk(game)
    tree = information_tree(game.native())
    # start, two states after a toss, two in the pause, and three with two tosses: two of the four ways fall together
    assert tree.states == 1 + 2 + 2 + 3
    assert tree.information_states == 2
    assert tree.utility_sum is None
    assert tree.opening.tolist() == pytest.approx([1.0, 1.0])


def test_what_players_cannot_know_must_not_decide_what_is_legal() -> None:
    with pytest.raises(NotSolvable, match="player 1 can have different legal actions in states that look the same"):
        information_tree(load_text(LEGAL_BY_A_HIDDEN_COIN).native())


def test_limits() -> None:
    native = load("poker").native()
    with pytest.raises(GameTooLarge, match="more than 1,000 histories"):
        information_tree(native, TreeLimits(states=1000))
    with pytest.raises(GameTooLarge, match="GiB"):
        information_tree(load("liars_dice").native(), TreeLimits(memory_bytes=100_000))
    assert issubclass(GameTooLarge, GgpError)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    tree = information_tree(
        load("kuhn_poker").native(), progress=lambda found, expanded: told.append((found, expanded))
    )
    assert told[-1] == (tree.states, tree.states)


def test_estimate_of_histories() -> None:
    # 1 start, 6 deals, and of each 2 + 4 decisions' actions, the last by one of the two
    histories = sum(1 for _ in walk(load("kuhn_poker").initial(), ((), ()), 1.0))
    estimate = estimate_histories(load("kuhn_poker").native(), 0.05)
    assert estimate.mean == pytest.approx(histories, rel=0.02)
    assert estimate.low <= histories
