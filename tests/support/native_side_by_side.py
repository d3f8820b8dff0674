"""Plays random games of ours, in native code, and of a second implementation side by side, and compares them.

The second implementation speaks the texts of our actions and outcomes. Native code makes it possible to compare whole
games of chess.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Protocol

import pyspiel
import pytest

from experiments.openspiel_texts import TextOf
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
    """What games of two in which one player acts at a time need not write themselves; chance does not act."""

    turn = 0
    winner: int | None = None

    def actors(self) -> Collection[int]:
        return (self.turn,)

    def outcomes(self) -> Mapping[str, float]:
        return {}

    def apply_outcome(self, outcome: str) -> None:
        raise AssertionError("chance does not act here")

    def returns(self) -> Sequence[float]:
        return (0, 0) if self.winner is None else (1, -1) if self.winner == 0 else (-1, 1)


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
        number = self.outcomes[outcome][0]
        assert self.state.parse_outcome(outcome) == number
        self._move_to(self.reached.apply_outcome(number))


def compare_native(
    game: Game,
    begin: Callable[[], Model],
    *,
    games: int,
    seed: int,
    choose: Callable[[random.Random, list[str]], str] = random.Random.choice,
    knowledge: Callable[[Model, int], Hashable] | None = None,
    ends_early: bool = False,
) -> int:
    """Walk random games side by side: who acts, legal actions, probabilities, returns. Return the transitions made.

    Args:
        game: ours.
        begin: gives the second implementation at the beginning of a game.
        games: how many games.
        seed: of the choices.
        choose: how an action is chosen from the sorted legal ones.
        knowledge: what a player knows in the second implementation. Where that player acts, it has to be the same in
            two histories if and only if our information states are, and their keys.
        ends_early: whether the second implementation may have ended where what is left of ours is forced.
    """
    rng = random.Random(seed)
    play = NativePlay(game.history() if knowledge is not None else game.initial())
    pairs: dict[tuple[int, Hashable], Hashable] = {}
    made = met = 0
    for _ in range(games):
        play.begin()
        model = begin()
        while not play.state.is_terminal():
            made += 1
            forced = len(play.outcomes) == 1 or (ends_early and all(len(one) == 1 for one in play.legal.values()))
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
            joint = {player: choose(rng, sorted(play.legal[player])) for player in play.acting}
            if model.is_terminal():
                play.apply(joint)
                continue
            assert sorted(model.actors()) == play.acting
            for player in play.acting:
                assert sorted(model.legal(player)) == sorted(play.legal[player]), str(play.state)
                if knowledge is not None:
                    assert isinstance(play.reached, History)
                    mine, other = play.reached.information_state(player), knowledge(model, player)
                    met += (player, ("theirs", other)) in pairs
                    for ours in (mine, mine.key):
                        assert pairs.setdefault((player, ("ours", ours)), other) == other
                    assert pairs.setdefault((player, ("theirs", other)), mine) == mine
            play.apply(joint)
            model.apply(joint)
        assert model.is_terminal(), f"ours has ended: {play.state}"
        assert list(play.state.utilities()) == pytest.approx(list(model.returns()))
    assert knowledge is None or met > games / 2, "information states are met more than once"
    return made


class OpenSpiel:
    """A game of OpenSpiel that speaks our texts.

    Args:
        game: OpenSpiel's, or what has its `new_initial_state`.
        action: of one of its legal actions.
        outcome: of one of its chance outcomes; none where ours draws nothing that theirs draws.
        together: whether ours draws at once what theirs draws at several chance nodes in a row.
        passing: an action of theirs that ours does without where it is the only one.
        unit: what one of their utilities is worth in ours.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        action: TextOf,
        outcome: TextOf | None = None,
        *,
        together: bool = False,
        passing: int | None = None,
        unit: float = 1.0,
    ) -> None:
        self.state, self.action, self.outcome = game.new_initial_state(), action, outcome
        self.together, self.passing, self.unit = together, passing, unit

    def is_terminal(self) -> bool:
        return self.state.is_terminal()

    def outcomes(self) -> Mapping[str, float]:
        return {text: chance for text, (_, chance) in self._draws(self.state).items()}

    def _draws(self, state: pyspiel.State) -> dict[str, tuple[pyspiel.State, float]]:
        """Return, for each of our outcomes in a state, the state after it and its probability."""
        if self.outcome is None or not state.is_chance_node():
            return {}
        found = {}
        for number, chance in state.chance_outcomes():
            text, after = self.outcome(state, number), state.child(number)
            rest = self._draws(after) if self.together else {}
            found |= {f"{text} {more}": (last, chance * share) for more, (last, share) in rest.items()}
            found |= {} if rest else {text: (after, chance)}
        return found

    def actors(self) -> Collection[int]:
        return range(self.state.num_players()) if self.state.is_simultaneous_node() else (self.state.current_player(),)

    def legal(self, player: int) -> Collection[str]:
        return self.numbers(player).keys()

    def numbers(self, player: int) -> dict[str, int]:
        """Return the legal actions of a player by our texts."""
        legal = self.state.legal_actions(player)
        found = {self.action(self.state, number): number for number in legal}
        assert len(found) == len(legal)
        return found

    def apply_outcome(self, outcome: str) -> None:
        self.state = self._draws(self.state)[outcome][0]

    def apply(self, joint: Mapping[int, str]) -> None:
        if self.state.is_simultaneous_node():
            self.state.apply_actions([self.numbers(player)[joint[player]] for player in sorted(joint)])
        else:
            for player, text in joint.items():
                self.state.apply_action(self.numbers(player)[text])
        if self.passing is not None and self.state.legal_actions() == [self.passing]:
            self.state.apply_action(self.passing)

    def returns(self) -> Sequence[float]:
        return [self.unit * number for number in self.state.returns()]
