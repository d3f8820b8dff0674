"""Native functions that call a Python object: games whose rules are a Python class, at the speed of Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol, cast

from ggp.game.actions import ActionPart
from ggp.game.backend import Machine
from ggp.native.interface import FAULT_WORD, TERMINAL, BatchFunctions, GameShape, NativeFunctions

WORD = (1 << 64) - 1


class PythonGame(Protocol):
    """What a game says on lists of words; docs/design/compiler.md, "Native functions", has the meanings.

    Methods may raise: `failing` then says which fault of the game that is.
    """

    @property
    def shape(self) -> GameShape:
        """The sizes of its arrays."""

    def init(self) -> Sequence[int]:
        """Return the initial state."""

    def actors(self, state: Sequence[int]) -> int:
        """Return who acts; not asked of a state with a fault."""

    def legal(self, state: Sequence[int], player: int) -> Sequence[int]:
        """Return a player's legal actions, ascending."""

    def outcomes(self, state: Sequence[int]) -> Sequence[tuple[int, float]]:
        """Return the outcomes of chance, ascending, and their probabilities."""

    def step(self, old: Sequence[int], joint: Sequence[int]) -> Sequence[int]:
        """Return the next state; a fault may stand in it."""

    def observe(self, old: Sequence[int], new: Sequence[int], joint: Sequence[int], player: int) -> Sequence[int]:
        """Return the words of what a transition tells a player."""

    def utility(self, state: Sequence[int]) -> Sequence[float]:
        """Return the utilities of a terminal state."""

    def playout(self, state: Sequence[int], uniform: Callable[[], float], limit: int) -> tuple[int, Sequence[float]]:
        """Play on at random: everybody uniformly, drawing chance first and then by player, one number of [0, 1) a draw.

        Returns:
            The transitions that were made, and the utilities; or nothing, and -1 if there would be more than `limit`,
            -3 if a player has no legal action.
        """

    def failing(self, error: Exception) -> int:
        """Return the number of the fault, from 1 on, that an exception in one of these methods is."""


class PythonBackend:
    """What such a game says as a backend, and as its codec, where nothing better is known of it."""

    shape: GameShape
    batch_machine = BatchFunctions(), None
    legality_words: Sequence[int] = ()
    transitions_looked_at = 10_000
    length_bound: int | None = None
    history_words = 0

    def seat_tensor(self, _: int) -> tuple[int, object]:
        """Return that there is none: tensors are written one by one."""
        return 0, None

    @cached_property
    def machine(self) -> Machine:
        """Native functions that call the methods."""
        return machine_of(cast("PythonGame", self))

    @property
    def action_count(self) -> int:
        """As many numbers as one player can have legal actions."""
        return self.shape.max_actions

    @property
    def possible_actions(self) -> range:
        """All numbers."""
        return range(self.action_count)

    def action_parts(self, action: int, phase: int) -> Sequence[ActionPart]:  # noqa: ARG002
        """Return nothing: an action has no parts that are known."""
        return ()

    def number_parts(self) -> Sequence[tuple[int | None, int, Sequence[int]]]:
        """Return nothing: numbers have no parts that are known."""
        return ()

    def check_utilities(self, utilities: Sequence[float]) -> None:
        """Nothing is stated of them."""

    def calls_in_python(self) -> None:
        """There is no other implementation."""


def drawn(outcomes: Sequence[tuple[int, float]], number: float) -> int:
    """Return the outcome that a number of [0, 1) draws."""
    for outcome, share in outcomes:
        number -= share
        if number < 0:
            return outcome
    return outcomes[-1][0]


def machine_of(game: PythonGame) -> Machine:
    """Return native functions that call an object's methods."""
    shape = game.shape

    def words(address: int, count: int) -> Any:
        return (ctypes.c_int64 * count).from_address(address)

    def reals(address: int, count: int) -> Any:
        return (ctypes.c_double * count).from_address(address)

    def state(address: int) -> list[int]:
        return cast("list[int]", words(address, shape.state_words)[:])  # `list` takes ten times as long

    def joint(address: int) -> list[int]:
        return cast("list[int]", words(address, shape.players + 1)[:])

    def write(address: int, values: Sequence[int]) -> int:
        words(address, len(values))[:] = values
        return len(values)

    def begin(at: int) -> int:
        try:
            return write(at, game.init()) * 0
        except Exception as error:
            failed = [0] * shape.state_words
            failed[FAULT_WORD] = game.failing(error)
            return write(at, failed) * 0

    def acting(now: Sequence[int]) -> int:
        return TERMINAL if now[FAULT_WORD] else game.actors(now)

    def chance(at: int, out: int, probability: int) -> int:
        outcomes = game.outcomes(state(at))
        reals(probability, len(outcomes))[:] = [share for _, share in outcomes]
        return write(out, [outcome for outcome, _ in outcomes])

    def uniform(rng: int) -> Callable[[], float]:
        kept = words(rng, 1)

        def draw() -> float:
            word = kept[0] & WORD
            word ^= word >> 12
            word ^= (word << 25) & WORD
            word ^= word >> 27
            kept[0] = word
            return float(((word * 0x2545_F491_4F6C_DD1D) & WORD) >> 11) / 2**53

        return draw

    def step(old: int, new: int, chosen: int) -> int:
        before = state(old)
        try:
            after = game.step(before, joint(chosen))
        except Exception as error:
            after = before
            after[FAULT_WORD] = game.failing(error)
        return write(new, after) * 0

    def utility(at: int, out: int) -> int:
        now = state(at)
        reals(out, shape.players)[:] = [0.0] * shape.players
        if not now[FAULT_WORD]:
            reals(out, shape.players)[:] = game.utility(now)
        return -now[FAULT_WORD]

    def playout(at: int, rng: int, out: int, limit: int) -> int:
        now = state(at)
        if now[FAULT_WORD]:
            return -2
        made, utilities = game.playout(now, uniform(rng), limit)
        if made >= 0:
            reals(out, shape.players)[:] = utilities
        return made

    def observe(old: int, new: int, chosen: int, player: int, out: int) -> int:
        return write(out, game.observe(state(old), state(new), joint(chosen), player))

    def guarded(call: Callable[..., int], result: int | None = None) -> Callable[..., int]:
        """Return a call that gives a result where it fails; None: minus the fault."""

        def safe(*arguments: int) -> int:
            try:
                return call(*arguments)
            except Exception as error:
                fault = game.failing(error)
                return -fault if result is None else result

        return safe

    calls: dict[str, tuple[int, Callable[..., int]]] = {
        "init": (1, begin),
        "actors": (1, guarded(lambda at: acting(state(at)), TERMINAL)),
        "legal": (3, guarded(lambda at, player, out: write(out, game.legal(state(at), player)))),
        "chance": (3, guarded(chance)),
        "sample_chance": (2, guarded(lambda at, rng: drawn(game.outcomes(state(at)), uniform(rng)()))),
        "step": (3, step),
        "observe": (5, guarded(observe)),
        "utility": (2, guarded(utility)),
        "playout": (4, guarded(playout, -2)),
    }
    made = {
        name: ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)(call) for name, (count, call) in calls.items()
    }
    addresses = {name: ctypes.cast(function, ctypes.c_void_p).value or 0 for name, function in made.items()}
    return Machine(NativeFunctions(**addresses, estimate=0), made)
