"""Backgammon against a search through all ways to use the dice, and that search against OpenSpiel's legal moves."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import pyspiel
import pytest

import ggp
from tests.support.native_side_by_side import SequentialModel, compare_native

BAR = 25
Men = tuple[int, ...]
Step = tuple[int, int]
"""A die, and the place of the man that uses it."""


def after(men: tuple[Men, Men], player: int, die: int, place: int) -> tuple[Men, Men]:
    """Return the men of both, by places of their own, after a step."""
    own, other = list(men[player]), list(men[1 - player])
    own[place] -= 1
    if place > die:
        own[place - die] += 1
        if other[BAR - place + die] == 1:
            other[BAR - place + die] = 0
            other[BAR] += 1
    pair = (tuple(own), tuple(other))
    return pair if player == 0 else (pair[1], pair[0])


def steps(men: tuple[Men, Men], player: int, die: int) -> Iterator[int]:
    """Return the places from which a man may use a die."""
    own, other = men[player], men[1 - player]
    for place in range(1, BAR + 1):
        if not own[place] or (own[BAR] and place != BAR):
            continue
        if place > die:
            if other[BAR - place + die] < 2:
                yield place
        elif not any(own[7:]) and (place == die or not any(own[place + 1 :])):
            yield place


def ways(men: tuple[Men, Men], player: int, dice: tuple[int, ...]) -> list[tuple[Step, ...]]:
    """Return all sequences of steps, in all orders of the dice, that cannot go on."""
    found = [
        ((die, place), *rest)
        for at, die in enumerate(dice)
        if die not in dice[:at]
        for place in steps(men, player, die)
        for rest in ways(after(men, player, die, place), player, dice[:at] + dice[at + 1 :])
    ]
    return found or [()]


def best(men: tuple[Men, Men], player: int, dice: tuple[int, ...]) -> list[tuple[Step, ...]]:
    """Return the sequences of steps that the rules allow: the longest, with the higher die where there is one step."""
    found = ways(men, player, dice)
    longest = max(map(len, found))
    found = [way for way in found if len(way) == longest]
    if longest == 1 and len(dice) == 2:
        highest = max(way[0][0] for way in found)
        found = [way for way in found if way[0][0] == highest]
    return found


class Backgammon(SequentialModel):
    """A game whose legal moves are searched for, beside OpenSpiel's, in which an action is one or two steps."""

    def __init__(self, scoring: str) -> None:
        self.theirs = pyspiel.load_game("backgammon", {"scoring_type": scoring}).new_initial_state()
        start = tuple({6: 5, 8: 3, 13: 5, 24: 2}.get(place, 0) for place in range(BAR + 1))
        self.men: tuple[Men, Men] = (start, start)
        self.turn, self.dice = 0, ()
        self.results: dict[tuple[Men, Men], int] = {}

    def is_terminal(self) -> bool:
        assert self.theirs.is_terminal() == (not all(map(sum, self.men)))
        return self.theirs.is_terminal()

    def outcomes(self) -> Mapping[str, float]:
        return {text: chance for text, (_, chance) in self.rolls().items()}

    def rolls(self) -> dict[str, tuple[int, float]]:
        """Return number and probability of OpenSpiel's outcomes by our texts."""
        found: dict[str, tuple[int, float]] = {}
        if not self.theirs.is_chance_node():
            return found
        for number, chance in self.theirs.chance_outcomes():
            text = self.theirs.action_to_string(number)
            one, two = text.rstrip(")")[-2:]
            pair = (max(one, two), min(one, two)) if "X" in text else (min(one, two), max(one, two))
            found[" ".join(pair if "starts" in text else (one, two))] = (number, chance)
        return found

    def apply_outcome(self, outcome: str) -> None:
        one, two = map(int, outcome.split())
        if self.theirs.is_initial_state():
            self.turn = 0 if one > two else 1
        self.theirs.apply_action(self.rolls()[outcome][0])
        self.dice = (one, two) if one != two else (one,) * 4
        self.begin()

    def begin(self) -> None:
        """Find the results of OpenSpiel's actions and of ours; they have to be the same."""
        self.results = {}
        player = self.theirs.current_player()
        assert player == self.turn
        for number in self.theirs.legal_actions():
            men = self.men
            for move in self.theirs.spiel_move_to_checker_moves(player, number):
                if move.pos != -1:
                    place = BAR if move.pos == 100 else 24 - move.pos if player == 0 else move.pos + 1
                    men = after(men, player, move.num, place)
            self.results[men] = number
        ours = set()
        for way in best(self.men, player, self.dice):
            men = self.men
            for die, place in way[:2]:
                men = after(men, player, die, place)
            ours.add(men)
        assert ours == set(self.results)

    def legal(self, player: int) -> Collection[str]:
        firsts = {way[:1] for way in best(self.men, player, self.dice)}
        return {f"move {first[0][0]} {first[0][1]}" if first else "pass" for first in firsts}

    def apply(self, joint: Mapping[int, str]) -> None:
        (text,) = joint.values()
        if text == "pass":
            self.finish()
            return
        die, place = map(int, text.split()[1:])
        self.men = after(self.men, self.turn, die, place)
        at = self.dice.index(die)
        self.dice = self.dice[:at] + self.dice[at + 1 :]
        if len(self.dice) in (0, 2) or not sum(self.men[self.turn]):
            self.finish()

    def finish(self) -> None:
        """Make OpenSpiel's action that led here."""
        self.theirs.apply_action(self.results[self.men])
        if self.theirs.is_terminal():
            return
        if self.theirs.current_player() == self.turn and self.dice:
            self.begin()
        else:
            self.turn = 1 - self.turn

    def returns(self) -> Sequence[float]:
        return self.theirs.returns()


@pytest.mark.sweep
@pytest.mark.parametrize(("payoffs", "scoring"), [("win", "winloss_scoring"), ("points", "full_scoring")])
def test_backgammon(payoffs: str, scoring: str) -> None:
    ours = ggp.load("backgammon", payoffs=payoffs)
    assert compare_native(ours, lambda: Backgammon(scoring), games=4, seed=7) > 500
