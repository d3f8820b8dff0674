"""Card and dice games of the library against OpenSpiel's, on random games in native code."""

from __future__ import annotations

import random

import pyspiel
import pytest

import ggp
from tests.support.native_side_by_side import OpenSpiel, compare_native

PLAYERS = ("north", "east", "south", "west")
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
COLOURS = {"R": "red", "Y": "yellow", "G": "green", "W": "white", "B": "blue"}


@pytest.mark.sweep
@pytest.mark.parametrize(("colours", "hand_size", "games"), [(5, 5, 12), (2, 3, 40)])
def test_hanabi(colours: int, hand_size: int, games: int) -> None:
    theirs = pyspiel.load_game("hanabi", {"players": 2, "colors": colours, "hand_size": hand_size})

    def action(state: pyspiel.State, number: int) -> str:
        words = state.action_to_string(number).strip("()").split()
        if words[0] == "Reveal":
            return f"hint_colour {COLOURS[words[4]]}" if words[3] == "color" else f"hint_rank {words[4]}"
        return f"{words[0].lower()} {int(words[1]) + 1}"

    def outcome(state: pyspiel.State, number: int) -> str:
        card = state.action_to_string(number).strip("()").split()[1]
        return f"{COLOURS[card[0]]} {card[1]}"

    def choose(rng: random.Random, texts: list[str]) -> str:
        # random plays lose all lives before the deck is empty
        return rng.choice([text for text in texts if not text.startswith("play") or rng.random() < 0.3] or texts)

    ours = ggp.load("hanabi", colours=colours, hand_size=hand_size)
    made = compare_native(ours, lambda: OpenSpiel(theirs, action, outcome), games=games, seed=25, choose=choose)
    assert made > 400


@pytest.mark.long
def test_royal_holdem() -> None:
    """Theirs counts ranks from two, and calls a check a call."""
    theirs = pyspiel.load_game(
        "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=2 1,raiseSize=2 2 4 4,firstPlayer=2 1 1 1,"
        "maxRaises=3 4 4 4,numSuits=4,numRanks=5,numHoleCards=2,numBoardCards=0 3 1 1,stack=100 100)"
    )

    def action(state: pyspiel.State, number: int) -> str:
        folds = any("Fold" in state.action_to_string(other) for other in state.legal_actions())
        text = state.action_to_string(number).split("=")[-1].lower().replace("bet", "raise")
        return "check" if text == "call" and not folds else text

    def outcome(state: pyspiel.State, number: int) -> str:
        rank, suit = state.action_to_string(number)[-2:]
        return "tjqka"[int(rank) - 2] + suit

    def choose(rng: random.Random, texts: list[str]) -> str:
        return rng.choice([text for text in texts if text != "fold" or rng.random() < 0.1])

    ours = ggp.load("royal_holdem")
    assert compare_native(ours, lambda: OpenSpiel(theirs, action, outcome), games=300, seed=20, choose=choose) > 3000


@pytest.mark.parametrize(("ranks", "tricks", "games"), [(6, 3, 60), (13, 10, 6)])
def test_oh_hell(ranks: int, tricks: int, games: int) -> None:
    parameters = {"players": 4, "num_suits": 4, "num_cards_per_suit": ranks, "num_tricks_fixed": tricks}
    theirs = pyspiel.load_game("oh_hell", parameters)
    value = {**{str(number): number for number in range(2, 10)}, "T": 10, "J": 11, "Q": 12, "K": 13, "A": 14}

    def card(text: str) -> str:
        return f"{value[text[1]]}_of_{SUITS[text[0]]}"

    def action(state: pyspiel.State, number: int) -> str:
        text = state.action_to_string(number)
        return card(text) if text[0] in SUITS else text

    def outcome(state: pyspiel.State, number: int) -> str:
        text = state.action_to_string(number)
        return card(text) if text[0] in SUITS else PLAYERS[int(text)]

    def begin() -> OpenSpiel:
        model = OpenSpiel(theirs, action, outcome)
        (number_of_tricks,) = model.state.legal_actions()
        model.state.apply_action(number_of_tricks)
        return model

    assert compare_native(ggp.load("oh_hell", ranks=ranks, tricks=tricks), begin, games=games, seed=4) > 400


@pytest.mark.long
def test_yacht() -> None:
    """An outcome of ours shows all dice, one of theirs those that were thrown."""
    ours, theirs, rng = ggp.load("yacht"), pyspiel.load_game("yacht"), random.Random(12)
    names = "ones twos threes fours fives sixes choice four_of_a_kind full_house little_straight big_straight yacht"
    for _ in range(4):
        state, other, thrown, word = ours.initial(), theirs.new_initial_state(), range(5), [rng.getrandbits(64)]
        while not state.is_terminal():
            if state.is_chance():
                outcome = state.sample_outcome(word)
                shown = [int(face) - 1 for face in state.outcome_text(outcome).split()]
                assert len(other.legal_actions()) == 6 ** len(thrown)
                other.apply_action(sum(shown[die] * 6**place for place, die in enumerate(thrown)))
                state = state.apply_outcome(outcome)
                continue
            (player,) = state.actors()
            assert player == other.current_player()
            legal = {str(action): action for action in state.legal(player)}
            if state.phase == "decide":
                numbers = {
                    " ".join("throw" if mask >> die & 1 else "keep" for die in range(5)): mask for mask in range(32)
                }
            else:
                numbers = {name: 32 + place for place, name in enumerate(names.split())}
                numbers = {name: number for name, number in numbers.items() if number in other.legal_actions()}
            assert sorted(numbers.values()) == other.legal_actions()
            assert set(legal) == set(numbers)
            text = rng.choice(sorted(legal))
            thrown = [die for die in range(5) if numbers[text] >> die & 1] if state.phase == "decide" else range(5)
            state = state.apply({player: legal[text]})
            other.apply_action(numbers[text])
        assert other.is_terminal()
        assert state.utilities() == pytest.approx(other.returns())
