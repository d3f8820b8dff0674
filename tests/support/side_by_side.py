"""Plays random games of ours and of OpenSpiel side by side, and compares everything that can be compared."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyspiel
import pytest

from ggp.game.game import Game
from ggp.rules_compiler.loading import load
from tests.support.native_side_by_side import NativePlay

Action = Callable[[pyspiel.State, str], int]
"""The number in theirs of the action with a text of ours."""


@dataclass(frozen=True)
class Pair:
    """A game of ours and OpenSpiel's of the same rules.

    Attributes:
        name: of ours.
        parameters: of ours.
        theirs: OpenSpiel's, with its parameters.
        action: see `Action`.
        unit: what one of their utilities is worth in ours.
    """

    name: str
    parameters: Mapping[str, str | int]
    theirs: str
    action: Action
    unit: float = field(default=1.0, kw_only=True)

    def __str__(self) -> str:
        return " ".join([self.name, *map(str, self.parameters.values())])

    def ours(self) -> Game:
        return load(self.name, **self.parameters)


def numbered(*texts: str) -> Action:
    """Actions that theirs numbers in the order of these texts."""
    return lambda _, text: texts.index(text)


def betting(_: pyspiel.State, text: str) -> int:
    """A bet of limit poker in theirs, where a check is a call."""
    return {"fold": 0, "check": 1, "call": 1}.get(text, 2)


def less(offset: int) -> Action:
    """Actions that are numbers, in theirs less by an offset."""
    return lambda _, text: int(text) - offset


def from_first_row(width: int) -> Action:
    """Cells that theirs numbers row by row, from the row that is the first in ours."""
    return lambda _, text: (int(text[1:]) - 1) * width + ord(text[0]) - ord("a")


def from_last_row(size: int) -> Action:
    """Cells of a square board that theirs numbers row by row, from the row that is the last in ours."""
    return lambda _, text: (size - int(text[1:])) * size + ord(text[0]) - ord("a")


def by_text(state: pyspiel.State) -> dict[str, int]:
    """Return the legal actions of theirs by their texts."""
    return {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}


def liars_action(state: pyspiel.State, text: str) -> int:
    return by_text(state)["Liar" if text == "liar" else text.removeprefix("bid ").replace(" ", "-")]


def draw(state: pyspiel.State, outcome: str) -> float:
    """Draw an outcome of ours in theirs, each value less by one, and return its probability there.

    Theirs has no chance node where there is only one outcome.
    """
    probability = 1.0
    for value in outcome.split():
        if state.is_chance_node():
            probability *= dict(state.chance_outcomes())[int(value) - 1]
            state.apply_action(int(value) - 1)
    return probability


def known_in(state: pyspiel.State, player: int) -> str:
    """Return OpenSpiel's text of what a player knows."""
    text: str = state.information_state_string(player)
    return text


def compare(
    pair: Pair,
    *,
    games: int,
    passing: int | None = None,
    knowledge: Callable[[pyspiel.State, int], str] | None = None,
) -> None:
    """Walk random games side by side and compare who acts, legal actions, probabilities, returns, information states.

    Where theirs has ended and ours has not, what is left of ours has to be forced.

    Args:
        pair: the two games.
        games: how many games.
        passing: an action of theirs that ours does without where it is the only one.
        knowledge: what a player knows in theirs. Where that player acts, it has to be the same in two histories if and
            only if the keys of our information states are.
    """
    rng, ours, theirs = random.Random(games), pair.ours(), pyspiel.load_game(pair.theirs)
    play = NativePlay(ours.initial() if knowledge is None else ours.history())
    key_of: dict[tuple[int, str], tuple[int, int]] = {}
    text_of: dict[tuple[int, tuple[int, int]], str] = {}
    met = 0
    for _ in range(games):
        play.begin()
        state = theirs.new_initial_state()
        while not play.state.is_terminal():
            if play.outcomes:
                drawn = rng.choices(list(play.outcomes), [chance for _, chance in play.outcomes.values()])[0]
                assert draw(state, drawn) == pytest.approx(play.outcomes[drawn][1])
                play.apply_outcome(drawn)
                continue
            if state.is_terminal():
                assert all(len(actions) == 1 for actions in play.legal.values()), "only what is forced is left"
                play.apply({player: text for player, actions in play.legal.items() for text in actions})
                continue
            if state.legal_actions() == [passing]:
                state.apply_action(passing)
            together = state.is_simultaneous_node()
            assert play.acting == (list(range(theirs.num_players())) if together else [state.current_player()])
            chosen = {player: rng.choice(sorted(play.legal[player])) for player in play.acting}
            numbers = {}
            for player in play.acting:
                number_of = {text: pair.action(state, text) for text in play.legal[player]}
                assert sorted(number_of.values()) == sorted(state.legal_actions(player))
                numbers[player] = number_of[chosen[player]]
                if knowledge is not None:
                    key, text = play.reached.information_state(player).key, knowledge(state, player)
                    met += (player, text) in key_of
                    assert key_of.setdefault((player, text), key) == key
                    assert text_of.setdefault((player, key), text) == text
            play.apply(chosen)
            if together:
                state.apply_actions(list(numbers.values()))
            else:
                state.apply_action(*numbers.values())
        assert state.is_terminal()
        assert list(play.state.utilities()) == pytest.approx([pair.unit * number for number in state.returns()])
    assert knowledge is None or met > games / 2, "information states are met more than once"
