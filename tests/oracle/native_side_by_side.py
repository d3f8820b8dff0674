"""Plays random games of ours, in native code, and of a second implementation side by side, and compares them.

The second implementation speaks the texts of our actions and outcomes. Native code makes it possible to compare whole
games of chess; `side_by_side` compares the reference interpreter instead.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Protocol

import numpy as np
import pyspiel
import pytest

from ggp.model.game import Game
from ggp.model.native.interface import PHASE_WORD

POINTER, WORD = ctypes.c_void_p, ctypes.c_int64


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
    """A play of ours by native functions; actions and outcomes are their texts."""

    def __init__(self, game: Game) -> None:
        native = game.native()
        functions, shape = native.functions, native.shape
        self.game, self.keep, self.players = game, native, range(shape.players)
        self._actors = ctypes.CFUNCTYPE(WORD, POINTER)(functions.actors)
        self._legal = ctypes.CFUNCTYPE(WORD, POINTER, WORD, POINTER)(functions.legal)
        self._chance = ctypes.CFUNCTYPE(WORD, POINTER, POINTER, POINTER)(functions.chance)
        self._step = ctypes.CFUNCTYPE(None, POINTER, POINTER, POINTER)(functions.step)
        self._observe = ctypes.CFUNCTYPE(WORD, POINTER, POINTER, POINTER, WORD, POINTER)(functions.observe)
        self._utility = ctypes.CFUNCTYPE(WORD, POINTER, POINTER)(functions.utility)
        self.state, self.new = np.zeros((2, shape.state_words), np.int64)
        self.joint = np.zeros(shape.players + 1, np.int64)
        self.actions = np.zeros(shape.max_actions, np.int64)
        self.drawn = np.zeros(shape.max_outcomes, np.int64)
        self.probability = np.zeros(shape.max_outcomes)
        self.told = np.zeros(shape.max_observation_words, np.int64)
        self.utility = np.zeros(shape.players)
        self.known: list[list[Hashable]] = []
        self.begin()

    def begin(self) -> None:
        """Go back to the beginning."""
        ctypes.CFUNCTYPE(None, POINTER)(self.keep.functions.init)(self.state.ctypes.data)
        self.known = [[] for _ in self.players]
        self.look()

    def look(self) -> None:
        """Find out who acts, and what is legal or may be drawn."""
        acting = self._actors(self.state.ctypes.data)
        self.acting = [player for player in self.players if acting > 0 and acting >> player & 1]
        self.terminal, self.is_chance = acting < 0, acting == 0
        self.legal: dict[int, dict[str, int]] = {}
        for player in self.acting:
            count = self._legal(self.state.ctypes.data, player, self.actions.ctypes.data)
            numbers = self.actions[:count].tolist()
            self.legal[player] = {self.game.action_text(number): number for number in numbers}
            assert len(self.legal[player]) == count > 0
        self.outcomes: dict[str, tuple[int, float]] = {}
        if self.is_chance:
            count = self._chance(self.state.ctypes.data, self.drawn.ctypes.data, self.probability.ctypes.data)
            phase = int(self.state[PHASE_WORD])
            for number, probability in zip(self.drawn[:count].tolist(), self.probability[:count].tolist(), strict=True):
                self.outcomes[self.game.outcome_text(number, phase)] = (number, probability)
            assert len(self.outcomes) == count > 0

    def apply(self, joint: Mapping[int, str]) -> None:
        """Make the transition of a joint action."""
        self.joint[:] = 0
        for player, text in joint.items():
            self.joint[player] = self.legal[player][text]
            self.known[player].append(text)
        self._transition()

    def apply_outcome(self, outcome: str) -> None:
        """Make the transition of a chance outcome."""
        self.joint[:] = 0
        self.joint[-1] = self.outcomes[outcome][0]
        self._transition()

    def _transition(self) -> None:
        old, new, joint = self.state.ctypes.data, self.new.ctypes.data, self.joint.ctypes.data
        self._step(old, new, joint)
        for player in self.players:
            count = self._observe(old, new, joint, player, self.told.ctypes.data)
            if count > 0:
                self.known[player].append(tuple(self.told[:count].tolist()))
        self.state, self.new = self.new, self.state
        self.look()

    def utilities(self) -> list[float]:
        """Return the utilities of a terminal state."""
        assert self._utility(self.state.ctypes.data, self.utility.ctypes.data) == 0, "the play ended by a fault"
        return self.utility.tolist()


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
    play = NativePlay(game)
    pairs: dict[tuple[int, Hashable], Hashable] = {}
    made = 0
    for _ in range(games):
        play.begin()
        model = begin()
        while not play.terminal:
            made += 1
            forced = play.is_chance and len(play.outcomes) == 1
            assert forced or not model.is_terminal(), f"ours goes on: {game.state(play.state.tolist())}"
            if play.is_chance:
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
                assert sorted(model.legal(player)) == sorted(play.legal[player]), str(game.state(play.state.tolist()))
                if knowledge is not None:
                    mine, other = tuple(play.known[player]), knowledge(model, player)
                    assert pairs.setdefault((player, ("ours", mine)), other) == other
                    assert pairs.setdefault((player, ("theirs", other)), mine) == mine
            joint = {player: choose(rng, sorted(play.legal[player])) for player in play.acting}
            play.apply(joint)
            model.apply(joint)
        assert model.is_terminal(), f"ours has ended: {game.state(play.state.tolist())}"
        assert play.utilities() == pytest.approx(list(model.returns()))
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
