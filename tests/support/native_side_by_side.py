"""Plays random games of ours, in native code, and of a second implementation side by side, and compares them.

The second implementation speaks the texts of our actions and outcomes. Native code makes it possible to compare whole
games of chess. `side_by_side` compares games that OpenSpiel has, with its own numbers of actions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Protocol

import pyspiel
import pytest

from ggp.game.game import Game
from ggp.game.history import History
from ggp.game.state import State


class Model(Protocol):
    """A second implementation of a game, at one of its states."""

    def is_terminal(self) -> bool: ...

    def outcomes(self) -> Mapping[str, float]:
        """Return the probability of each chance outcome; nothing where players act."""
        ...

    def actors(self) -> Collection[int]: ...

    def legal(self, player: int) -> Collection[str]: ...

    def apply_outcome(self, outcome: str) -> None: ...

    def apply(self, joint: Mapping[int, str]) -> None: ...

    def returns(self) -> Sequence[float]: ...


class SequentialModel:
    """What games without chance in which one player acts at a time need not write themselves."""

    def outcomes(self) -> Mapping[str, float]:
        return {}

    def apply_outcome(self, outcome: str) -> None:
        raise AssertionError("chance does not act here")


class NativePlay:
    """A play of ours by native functions, from its initial state or empty history; actions and outcomes are texts."""

    def __init__(self, initial: State | History) -> None:
        self.initial = initial
        self.begin()

    def begin(self) -> None:
        """Go back to the beginning."""
        self._move_to(self.initial)

    def _move_to(self, reached: State | History) -> None:
        """Find out who acts, and what is legal or may be drawn."""
        self.reached, self.state = reached, reached.state if isinstance(reached, History) else reached
        self.acting = list(self.state.actors())
        self.legal = {player: {str(action): action for action in self.state.legal(player)} for player in self.acting}
        self.outcomes: dict[str, tuple[int, float]] = {}
        if self.state.is_chance():
            drawn = self.state.chance_outcomes()
            self.outcomes = {self.state.outcome_text(number): (number, probability) for number, probability in drawn}
            assert len(self.outcomes) == len(drawn) > 0
        for player in self.acting:
            assert len(self.legal[player]) == len(self.state.legal(player)) > 0

    def apply(self, joint: Mapping[int, str]) -> None:
        """Make the transition of a joint action."""
        self._move_to(self.reached.apply({player: self.legal[player][text] for player, text in joint.items()}))

    def apply_outcome(self, outcome: str) -> None:
        """Make the transition of a chance outcome."""
        self._move_to(self.reached.apply_outcome(self.outcomes[outcome][0]))


def compare_native(
    game: Game,
    begin: Callable[[], Model],
    *,
    games: int,
    seed: int,
    choose: Callable[[random.Random, list[str]], str] = random.Random.choice,
    knowledge: Callable[[Model, int], Hashable] | None = None,
) -> int:
    """Walk random games side by side: who acts, legal actions, probabilities, returns. Return the transitions made.

    Args:
        game: ours.
        begin: gives the second implementation at the beginning of a game.
        games: how many games.
        seed: of the choices.
        choose: how an action is chosen from the sorted legal ones.
        knowledge: what a player knows in the second implementation. Where that player acts, it has to be the same in
            two histories if and only if our information states are.
    """
    rng = random.Random(seed)
    play = NativePlay(game.history() if knowledge is not None else game.initial())
    pairs: dict[tuple[int, Hashable], Hashable] = {}
    made = 0
    for _ in range(games):
        play.begin()
        model = begin()
        while not play.state.is_terminal():
            made += 1
            forced = len(play.outcomes) == 1
            assert forced or not model.is_terminal(), f"ours goes on: {play.state}"
            if play.outcomes:
                expected = model.outcomes()
                if expected or not forced:
                    assert {text: p for text, (_, p) in play.outcomes.items()} == pytest.approx(dict(expected))
                weights = [probability for _, probability in play.outcomes.values()]
                outcome = rng.choices(list(play.outcomes), weights)[0]
                play.apply_outcome(outcome)
                if expected:
                    model.apply_outcome(outcome)
                continue
            assert sorted(model.actors()) == play.acting
            for player in play.acting:
                assert sorted(model.legal(player)) == sorted(play.legal[player]), str(play.state)
                if knowledge is not None:
                    assert isinstance(play.reached, History)
                    mine, other = play.reached.information_state(player), knowledge(model, player)
                    assert pairs.setdefault((player, ("ours", mine)), other) == other
                    assert pairs.setdefault((player, ("theirs", other)), mine) == mine
            joint = {player: choose(rng, sorted(play.legal[player])) for player in play.acting}
            play.apply(joint)
            model.apply(joint)
        assert model.is_terminal(), f"ours has ended: {play.state}"
        assert list(play.state.utilities()) == pytest.approx(list(model.returns()))
    return made


class OpenSpiel:
    """A game of OpenSpiel that speaks our texts.

    Args:
        game: OpenSpiel's.
        action: our text of one of its legal actions.
        outcome: our text of one of its chance outcomes.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        action: Callable[[pyspiel.State, int], str],
        outcome: Callable[[pyspiel.State, int], str] | None = None,
    ) -> None:
        self.state, self.action, self.outcome = game.new_initial_state(), action, outcome

    def is_terminal(self) -> bool:
        return self.state.is_terminal()

    def outcomes(self) -> Mapping[str, float]:
        if self.outcome is None or not self.state.is_chance_node():
            return {}
        return {self.outcome(self.state, number): chance for number, chance in self.state.chance_outcomes()}

    def actors(self) -> Collection[int]:
        return (self.state.current_player(),)

    def legal(self, player: int) -> Collection[str]:
        return self._numbers().keys()

    def _numbers(self) -> dict[str, int]:
        return {self.action(self.state, number): number for number in self.state.legal_actions()}

    def apply_outcome(self, outcome: str) -> None:
        numbers = {self.outcome(self.state, number): number for number in self.state.legal_actions()}
        self.state.apply_action(numbers[outcome])

    def apply(self, joint: Mapping[int, str]) -> None:
        (text,) = joint.values()
        self.state.apply_action(self._numbers()[text])

    def returns(self) -> Sequence[float]:
        return self.state.returns()
