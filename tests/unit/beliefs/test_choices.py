"""Choices with several parts: which numbers they have, and how one is varied."""

from __future__ import annotations

import itertools
from collections import Counter
from random import Random

import numpy as np
import pytest

import ggp
from ggp.beliefs.choices import (
    ANY_ACTION,
    UNLISTED,
    block_table,
    draw_branch,
    leave_unlisted,
    list_outcomes,
    lost_part,
    new_scratch,
    position_mended,
    position_of,
    set_branch,
    vary,
)
from ggp.native.interface import CHANCE, GameShape, NativeRules
from tests.support.library import game_of

SIZES = (2, 3, 3)


def varied(numbers: list[int], number: int, times: int = 2000) -> Counter[int]:
    """Return how often a chance outcome of three parts becomes another one; those in `numbers` are possible."""
    scratch = new_scratch(GameShape(1, 1, 1, len(numbers), 1))
    scratch.rng[0], scratch.actors[0], scratch.sizes[1] = 5, CHANCE, len(numbers)
    scratch.actions[1, : len(numbers)] = numbers
    blocks = block_table([(None, 0, (9, 9)), (1, 0, (9, 9)), (0, 0, SIZES), (0, 18, (7,))])
    with np.errstate(over="ignore"):  # the generator is meant to
        return Counter(numbers[vary(scratch, blocks, 1, numbers.index(number))] for _ in range(times))


def test_a_choice_is_varied_in_one_part_or_in_two_that_change_places() -> None:
    outcomes = list(itertools.product(*(range(size) for size in SIZES)))
    near = {(1, 1, 2), (0, 0, 2), (0, 2, 2), (0, 1, 0), (0, 1, 1), (0, 2, 1)}
    found = varied(list(range(18)), outcomes.index((0, 1, 2)))
    assert {outcomes[number] for number, times in found.items() if times > 20} == near  # rarely, none of 8 draws is new
    assert sum(times for number, times in found.items() if outcomes[number] in near) > 1980


HANDS = list(itertools.combinations(range(6), 3))
"""Of six cards; their numbers in base 6, so the members of each are in ascending order."""
CARDS = block_table([(0, 100, (6, 6, 6))])


def numbers_of(hands: list[tuple[int, ...]]) -> list[int]:
    return [100 + 36 * a + 6 * b + c for a, b, c in hands]


def hand_with(hand: tuple[int, ...], value: int, possible: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the hand that differs from one in having a card instead of another."""
    scratch = new_scratch(GameShape(1, 1, 1, len(possible), 1))
    scratch.sizes[1], scratch.actions[1, : len(possible)] = len(possible), numbers_of(possible)
    found = position_mended(scratch, CARDS, 1, 0, numbers_of([hand])[0], value)
    return None if found < 0 else possible[found]


@pytest.mark.parametrize("hand", HANDS)
def test_a_card_takes_the_place_of_another_wherever_it_belongs(hand: tuple[int, ...]) -> None:
    for value, lost in itertools.product({*range(6)} - {*hand}, hand):
        wanted = tuple(sorted({*hand} - {lost} | {value}))
        without = [one for one in HANDS if lost not in one]  # who has the card now can have it no more
        assert hand_with(hand, value, without) == wanted
        assert lost_part(CARDS, 0, *numbers_of([hand, wanted])) == lost
    assert hand_with(hand, hand[0], HANDS) is None


def test_a_choice_whose_neighbours_are_impossible_becomes_any() -> None:
    found = varied([0, 4, 17], 0)
    assert set(found) == {0, 4, 17}


HANDS_OF_FOUR = """game hands "Two hands from one deck, then a card each, of which the second tells by chance alone"
players first, second
state
    deck: set of 1..12 = all
    dealt: 0..2 = 0
phase deal
    chance draws cs in 4 of deck
    deck := deck - cs
    dealt := dealt + 1
    next deal if dealt < 2 else turn
phase turn
    chance draws c in deck, d in 1..40
    deck := deck - {c}
    next weighted
phase weighted
    chance draws c in 1..99 weight c
    next end
payoff[p] = 0
"""


def test_outcomes_that_are_not_listed_are_those_of_the_list() -> None:
    game = game_of(HANDS_OF_FOUR)
    model, players = NativeRules(game.native().functions, game.shape), game.shape.players
    listed, unlisted = new_scratch(game.shape), new_scratch(game.shape)
    state, rng = game.initial(), Random(3)
    while not state.is_terminal():
        for scratch in (listed, unlisted):
            scratch.states[: len(state.words)], scratch.actors[0], scratch.rng[0] = state.words, CHANCE, 7
        count = listed.sizes[players] = list_outcomes(model, listed)
        assert leave_unlisted(model, unlisted) == (state.phase != "weighted")
        if state.phase == "weighted":
            break
        unlisted.sizes[players] = UNLISTED
        possible = listed.actions[listed.rows[players], :count].tolist()
        for outcome in [*rng.sample(possible, 20), *(rng.randrange(possible[-1] + 9) for _ in range(200)), -1, 1 << 40]:
            position = position_of(listed, players, outcome)
            assert position_of(unlisted, players, outcome) == (-1 if position < 0 else outcome)
            if position >= 0:
                chances = set_branch(listed, players, position), set_branch(unlisted, players, outcome)
                assert chances[0] == pytest.approx(chances[1], rel=1e-12)
                assert listed.joint[players] == unlisted.joint[players] == outcome
        with np.errstate(over="ignore"):
            drawn = Counter(draw_branch(unlisted, players) for _ in range(3000))
        assert set(drawn) <= set(possible)
        assert max(drawn.values()) < 12 + 12 * 3000 / count
        state = state.apply_outcome(rng.choice(possible))
    assert state.phase == "weighted"


def test_rules_say_of_what_parts_numbers_are_made() -> None:
    game = ggp.load("liars_dice", faces=4)
    parts = {(phase, tuple(sizes)) for phase, _, sizes in game.codec.number_parts()}
    assert (0, (4, 4)) in parts
    assert (None, (2, 4)) in parts
    table = block_table(game.codec.number_parts())
    assert {int(row[0]) for row in table} == {ANY_ACTION, 0}
    assert np.all(table[:, 2] == [int(np.prod(row[4 : 4 + row[3]])) for row in table])
