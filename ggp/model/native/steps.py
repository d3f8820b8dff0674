"""Native functions called from Python one at a time, cheaply: what `State` runs on.

Rows of words are `bytes`, handed to native code as they are. A transition is one call (`ggp.model.native.advance`);
rarer calls go through `ctypes`, by prototypes bound once, with kept buffers, and holding the GIL, whose release
would cost as much again. `ReleasingSteps` release it, for callers with other threads that must not wait. Code that
makes many transitions at once calls otherwise: kernels by address (`ggp.model.native.calls`), batches
(`ggp.model.native.batches`).
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

from ggp.model.actions import Action
from ggp.model.makers.interface import After, Maker, Steps
from ggp.model.native.advance import Uses, advance_function
from ggp.model.native.interface import FAULT_WORD, SAME_FOR_ALL

WORD_BYTES = 8
NO_FAULT = bytes(WORD_BYTES)

Row: Any = ctypes.c_char_p
"""How a row that is read, or a fresh one that is filled, is handed over."""
Address: Any = ctypes.c_void_p
Word: Any = ctypes.c_int64


class Buffers:
    """Buffers of one size for native code to fill; each is taken out while it is in use, by any thread."""

    def __init__(self, element: Any, length: int) -> None:
        self._array = element * length
        self._free: list[tuple[Any, int]] = []

    def take(self) -> tuple[Any, int]:
        """Return a buffer and its address; it goes back by `give`."""
        try:
            return self._free.pop()
        except IndexError:
            array = self._array()
            return array, ctypes.addressof(array)

    def give(self, buffer: tuple[Any, int]) -> None:
        """Take a buffer back."""
        self._free.append(buffer)


@cache
def words_reader(count: int) -> Callable[[Any], tuple[int, ...]]:
    """Return a function that reads so many words from the beginning of a buffer."""
    return struct.Struct(f"{count}q").unpack_from


@cache
def reals_reader(count: int) -> Callable[[Any], tuple[float, ...]]:
    """Return a function that reads so many float64 from the beginning of a buffer."""
    return struct.Struct(f"{count}d").unpack_from


class NativeSteps:
    """The native functions of a game as `Steps`.

    Args:
        maker: of the game; its plain implementation, if it has one, says what a fault met here was.
        actions: gives an action by its number; see `Uses`.
    """

    _prototype: Any = staticmethod(ctypes.PYFUNCTYPE)

    def __init__(self, maker: Maker, actions: dict[int, Action]) -> None:
        machine, shape = maker.machine, maker.shape
        functions = machine.functions
        self._maker = maker
        self._machine = machine
        self._shape = shape
        self._state_bytes = WORD_BYTES * shape.state_words
        prototype = self._prototype
        self._actors = prototype(Word, Row)(functions.actors)
        self._legal = prototype(Word, Row, Word, Address)(functions.legal)
        self._chance = prototype(Word, Row, Address, Address)(functions.chance)
        self._sample_chance = prototype(Word, Row, Address)(functions.sample_chance)
        self.uses = Uses(functions, machine.owner, shape, actions)
        self.advance = self._advance_function()
        self._observe = prototype(Word, Row, Row, Row, Word, Address)(functions.observe)
        self._utility = prototype(Word, Row, Address)(functions.utility)
        self._estimate = prototype(Word, Row, Address)(functions.estimate) if functions.estimate else None
        self._actions = Buffers(ctypes.c_int64, shape.max_actions)
        self._outcomes = Buffers(ctypes.c_int64, shape.max_outcomes)
        self._probabilities = Buffers(ctypes.c_double, shape.max_outcomes)
        self._words = Buffers(ctypes.c_int64, shape.max_observation_words)
        self._rng = Buffers(ctypes.c_uint64, 1)
        self._utilities = Buffers(ctypes.c_double, shape.players)
        self._read_utilities = reals_reader(shape.players)

    def _advance_function(self) -> Callable[[bytes, bytes], After]:
        return advance_function(self.uses)

    def initial(self) -> bytes:
        """Return the initial state."""
        state = bytes(self._state_bytes)
        self._prototype(None, Row)(self._machine.functions.init)(state)
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
        fault = words_reader(FAULT_WORD + 1)(state)[FAULT_WORD]
        if fault:
            raise self._maker.fault(fault)
        buffer = self._utilities.take()
        fault = -self._utility(state, buffer[1])
        self._utilities.give(buffer)
        if fault:
            # met in finding who acts, or in the utilities only: the plain code can tell
            plain = self._maker.steps_in_python()
            if plain is None:
                raise self._maker.fault(fault)
            plain.actors(state)

    def legal(self, state: bytes, player: int) -> tuple[int, ...]:
        """Return a player's legal actions in ascending order.

        Raises:
            GgpError: the rules fail in finding them.
        """
        buffer = self._actions.take()
        count = self._legal(state, player, buffer[1])
        if count < 0:
            self._fail(-count, lambda plain: plain.legal(state, player))
        actions = words_reader(count)(buffer[0])
        self._actions.give(buffer)
        return actions

    def chance(self, state: bytes) -> list[tuple[int, float]]:
        """Return the chance outcomes with their probabilities.

        Raises:
            GgpError: the rules fail in finding them.
        """
        buffer, probability = self._outcomes.take(), self._probabilities.take()
        count = self._chance(state, buffer[1], probability[1])
        if count < 0:
            self._fail(-count, lambda plain: plain.chance(state))
        outcomes = list(zip(words_reader(count)(buffer[0]), reals_reader(count)(probability[0]), strict=True))
        self._outcomes.give(buffer)
        self._probabilities.give(probability)
        return outcomes

    def sample_chance(self, state: bytes, rng: list[int]) -> int:
        """Draw a chance outcome.

        Raises:
            GgpError: the rules fail in drawing.
        """
        buffer = self._rng.take()
        word, address = buffer
        before = rng[0]
        word[0] = before
        outcome: int = self._sample_chance(state, address)
        rng[0] = word[0]
        self._rng.give(buffer)
        if outcome < 0:
            self._fail(-outcome, lambda plain: plain.sample_chance(state, [before]))
        return outcome

    def settle(self, old: bytes, joint: bytes, new: bytes) -> None:
        """Raise the fault of a transition, if its new state has one.

        Raises:
            GgpError: the rules fail in this transition.
        """
        fault = words_reader(FAULT_WORD + 1)(new)[FAULT_WORD]
        if fault:
            self._fail(fault, lambda plain: plain.advance(old, joint))

    def observe(self, old: bytes, new: bytes, joint: bytes, player: int) -> tuple[int, ...]:
        """Return the words of what a transition tells a player.

        Raises:
            GgpError: the rules fail in finding them.
        """
        buffer = self._words.take()
        count = self._observe(old, new, joint, player, buffer[1])
        if count < 0:
            self._fail(-count, lambda plain: plain.observe(old, new, joint, player))
        words = words_reader(count % SAME_FOR_ALL)(buffer[0])
        self._words.give(buffer)
        return words

    def utility(self, state: bytes) -> tuple[float, ...]:
        """Return the utilities of a terminal state.

        Raises:
            GgpError: the rules fail in computing them.
        """
        buffer = self._utilities.take()
        fault = -self._utility(state, buffer[1])
        if fault:
            self._fail(fault, lambda plain: plain.utility(state))
        utilities = self._read_utilities(buffer[0])
        self._utilities.give(buffer)
        return utilities

    def estimate(self, state: bytes) -> tuple[float, ...] | None:
        """Return the heuristic evaluation of a state that is not terminal; None where the game has none.

        Raises:
            GgpError: the rules fail in computing it.
        """
        if self._estimate is None:
            return None
        buffer = self._utilities.take()
        fault = -self._estimate(state, buffer[1])
        if fault:
            self._fail(fault, lambda plain: plain.estimate(state))
        estimate = self._read_utilities(buffer[0])
        self._utilities.give(buffer)
        return estimate

    def _fail(self, number: int, again: Callable[[Steps], object]) -> NoReturn:
        """Raise a fault as the plain code meets it, which knows the value; or else by its number."""
        plain = self._maker.steps_in_python()
        if plain is not None:
            again(plain)
        raise self._maker.fault(number)


class ReleasingSteps(NativeSteps):
    """The native functions of a game as `Steps`, in which other threads run on while they compute.

    Each call costs half a microsecond more, and a transition several calls. Nothing but the functions is compiled.
    """

    _prototype: Any = staticmethod(ctypes.CFUNCTYPE)

    def _advance_function(self) -> Callable[[bytes, bytes], After]:
        step = self._prototype(None, Row, Row, Row)(self._machine.functions.step)

        def advance(old: bytes, joint: bytes, /) -> After:
            new = bytes(self._state_bytes)
            step(old, new, joint)
            self.settle(old, joint, new)
            return new, None, None, joint

        return advance
