"""Native functions called from Python one at a time: what `State` runs on.

Rows of words are `bytes`, handed to native code as they are; what native code fills is fresh, so that any thread may
call. `NativeSteps` hold the GIL, whose release would cost as much again as most functions take; `ReleasingSteps` serve
callers with other threads that must not wait. Code that makes many transitions at once calls otherwise: kernels by
address (`ggp.native.calls`), batches (`ggp.game.batch`).
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from ggp.game.actions import Actions
from ggp.game.backend import GameBackend, NativeCalls, TransitionResult
from ggp.native.interface import FAULT_WORD, SAME_FOR_ALL
from ggp.native.transition import transition_function

WORD_BYTES = 8
FAULT = slice(WORD_BYTES * FAULT_WORD, WORD_BYTES * (FAULT_WORD + 1))
"""Where in a row the fault stands."""
NO_FAULT = bytes(WORD_BYTES)

LONG = 64
"""Outcomes of a chance event from which the list is kept for the next time: OpenSpiel asks, and the step does again."""

Row: Any = ctypes.c_char_p
"""How a row that is read, or a fresh one that is filled, is handed over."""
Word: Any = ctypes.c_int64


class NativeSteps:
    """The native functions of a game as `NativeCalls`.

    Args:
        backend: of the game; its plain implementation, if it has one, says what a fault met here was.
        actions: of the game, by number.
    """

    _prototype: Any = staticmethod(ctypes.PYFUNCTYPE)

    def __init__(self, backend: GameBackend, actions: Actions) -> None:
        prototype, machine, shape = self._prototype, backend.machine, backend.shape
        functions = machine.functions
        self._maker = backend
        self._owner = machine.owner
        """Keeps the machine code alive."""
        self._init = prototype(None, Row)(functions.init)
        self._actors = prototype(Word, Row)(functions.actors)
        self._legal = prototype(Word, Row, Word, Row)(functions.legal)
        self._chance = prototype(Word, Row, Row, Row)(functions.chance)
        self._sample_chance = prototype(Word, Row, Row)(functions.sample_chance)
        self._outcome_probability = None
        if functions.outcome_probability:
            self._outcome_probability = prototype(Word, Row, Word, Row)(functions.outcome_probability)
        self._listed: tuple[bytes, list[tuple[int, float]]] = b"", []
        self._actions = actions
        self._step = prototype(None, Row, Row, Row)(functions.step)
        self._transition = transition_function(functions, shape, actions.table, actions)
        self._observe = prototype(Word, Row, Row, Row, Word, Row)(functions.observe)
        self._utility = prototype(Word, Row, Row)(functions.utility)
        self._estimate = prototype(Word, Row, Row)(functions.estimate) if functions.estimate else None
        self._players = [Word(player) for player in range(shape.players)]
        self._state_bytes = WORD_BYTES * shape.state_words
        self._actions_bytes = WORD_BYTES * shape.max_actions
        self._outcomes_bytes = WORD_BYTES * shape.max_outcomes
        self._observation_bytes = WORD_BYTES * shape.max_observation_words
        self._utilities = struct.Struct(f"{shape.players}d")

    def initial(self) -> bytes:
        """Return the initial state."""
        state = bytes(self._state_bytes)
        self._init(state)
        return state

    def actors(self, state: bytes) -> int:
        """Return who acts.

        Raises:
            GgpError: the rules fail in finding it, or failed in the transition to this state.
        """
        acting: int = self._actors(state)
        if acting < 0:
            self._check_end(state)
        return acting

    def _check_end(self, state: bytes) -> None:
        """Raise the fault of a state that native code takes for terminal because of one."""
        if state[FAULT] != NO_FAULT:
            (fault,) = struct.unpack("q", state[FAULT])
            raise self._maker.fault(fault)
        fault = -self._utility(state, bytes(self._utilities.size))
        if fault:
            # met in finding who acts, or in the utilities only: the plain code can tell
            plain = self._maker.calls_in_python()
            if plain is None:
                raise self._maker.fault(fault)
            plain.actors(state)

    def legal(self, state: bytes, player: int) -> tuple[int, ...]:
        """Return a player's legal actions in ascending order.

        Raises:
            GgpError: the rules fail in finding them.
        """
        actions = bytes(self._actions_bytes)
        count = self._legal(state, self._players[player], actions)
        if count < 0:
            self._fail(-count, lambda plain: plain.legal(state, player))
        return struct.unpack_from(f"{count}q", actions)

    def chance(self, state: bytes) -> list[tuple[int, float]]:
        """Return the chance outcomes with their probabilities.

        Raises:
            GgpError: the rules fail in finding them.
        """
        listed = self._listed
        if state == listed[0]:
            return listed[1].copy()
        outcomes, probability = bytes(self._outcomes_bytes), bytes(self._outcomes_bytes)
        count = self._chance(state, outcomes, probability)
        if count < 0:
            self._fail(-count, lambda plain: plain.chance(state))
        drawn = struct.unpack_from(f"{count}q", outcomes), struct.unpack_from(f"{count}d", probability)
        found = list(zip(*drawn, strict=True))
        if count > LONG:
            self._listed = state, found.copy()
        return found

    def outcome_probability(self, state: bytes, outcome: int) -> float | None:
        """Return the probability of a chance outcome, 0 of any other number; None where outcomes are to be listed."""
        if self._outcome_probability is None:
            return None
        probability = bytes(WORD_BYTES)
        found = self._outcome_probability(state, outcome, probability)
        return None if found < 0 else float(struct.unpack("d", probability)[0]) if found else 0.0

    def sample_chance(self, state: bytes, rng: list[int]) -> int:
        """Draw a chance outcome.

        Raises:
            GgpError: the rules fail in drawing.
        """
        before = rng[0]
        word = before.to_bytes(WORD_BYTES, sys.byteorder)
        outcome: int = self._sample_chance(state, word)
        rng[0] = int.from_bytes(word, sys.byteorder)
        if outcome < 0:
            self._fail(-outcome, lambda plain: plain.sample_chance(state, [before]))
        return outcome

    def advance(self, old: bytes, joint: bytes, /) -> TransitionResult:
        """Return the state after a joint action, and what is known of it.

        Raises:
            GgpError: the rules fail in this transition.
        """
        after = new, acting, _ = self._transition(old, joint)
        if acting >= 0:
            return after
        self._check_transition(old, joint, new)
        return new, None, ()  # the rules may have failed in finding who acts

    def _check_transition(self, old: bytes, joint: bytes, new: bytes) -> None:
        """Raise the fault of a transition, if its new state has one."""
        if new[FAULT] != NO_FAULT:
            (fault,) = struct.unpack("q", new[FAULT])
            self._fail(fault, lambda plain: plain.advance(old, joint))

    def observe(self, old: bytes, new: bytes, joint: bytes, player: int) -> tuple[int, ...]:
        """Return the words of what a transition tells a player.

        Raises:
            GgpError: the rules fail in finding them.
        """
        words = bytes(self._observation_bytes)
        count = self._observe(old, new, joint, self._players[player], words)
        if count < 0:
            self._fail(-count, lambda plain: plain.observe(old, new, joint, player))
        return struct.unpack_from(f"{count % SAME_FOR_ALL}q", words)

    def utility(self, state: bytes) -> tuple[float, ...]:
        """Return the utilities of a terminal state.

        Raises:
            GgpError: the rules fail in computing them.
        """
        utilities = bytes(self._utilities.size)
        fault = -self._utility(state, utilities)
        if fault:
            self._fail(fault, lambda plain: plain.utility(state))
        return self._utilities.unpack(utilities)

    def estimate(self, state: bytes) -> tuple[float, ...] | None:
        """Return the heuristic evaluation of a state that is not terminal; None where the game has none.

        Raises:
            GgpError: the rules fail in computing it.
        """
        if self._estimate is None:
            return None
        utilities = bytes(self._utilities.size)
        fault = -self._estimate(state, utilities)
        if fault:
            self._fail(fault, lambda plain: plain.estimate(state))
        return self._utilities.unpack(utilities)

    def _fail(self, number: int, again: Callable[[NativeCalls], object]) -> NoReturn:
        """Raise a fault as the plain code meets it, which knows the value; or else by its number."""
        plain = self._maker.calls_in_python()
        if plain is not None:
            again(plain)
        raise self._maker.fault(number)


class ReleasingSteps(NativeSteps):
    """The native functions of a game as `NativeCalls`, in which other threads run on while they compute.

    Each call costs half a microsecond more, and a transition several calls.
    """

    _prototype: Any = staticmethod(ctypes.CFUNCTYPE)

    def advance(self, old: bytes, joint: bytes, /) -> TransitionResult:
        """Return the state after a joint action, of which nothing is known yet.

        Raises:
            GgpError: the rules fail in this transition.
        """
        new = bytes(self._state_bytes)
        self._step(old, new, joint)
        self._check_transition(old, joint, new)
        return new, None, ()
