"""The three implementations of what a game means, under one interface on words, for tests that compare them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Protocol

from ggp.language import typed
from ggp.model.backends import runtime
from ggp.model.backends.compilation import MachineCode, compiled
from ggp.model.backends.python import module_text
from ggp.model.generate.entries import generate
from ggp.model.generate.interleaved import can_interleave
from ggp.model.ir.nodes import Module
from ggp.model.ir.verifier import verify
from ggp.model.reference.interpreter import Interpreter, JointAction, Outcome, WorldState
from ggp.model.reference.random_play import action_number, observation_words, outcome_number, state_words
from ggp.model.state_layout import Layout

FUNCTIONS = ("init", "actors", "legal", "chance", "sample_chance", "step", "observe", "utility", "playout")


class Fault(Exception):
    """The rules failed, as each implementation says it in its own way."""


class Implementation(Protocol):
    """The functions of docs/architecture.md, "Native functions", with rows of words as lists; all raise `Fault`."""

    def initial(self) -> list[int]: ...
    def actors(self, state: list[int]) -> int: ...
    def legal(self, state: list[int], player: int) -> list[int]: ...
    def chance(self, state: list[int]) -> list[tuple[int, float]]: ...
    def step(self, state: list[int], joint: list[int]) -> list[int]: ...
    def observe(self, old: list[int], new: list[int], joint: list[int], player: int) -> list[int]: ...
    def utilities(self, state: list[int]) -> list[float]: ...
    def estimates(self, state: list[int]) -> list[float] | None: ...


class Interpreted:
    """The reference interpreter; states are translated to words for comparison, and remembered."""

    def __init__(self, game: typed.Game) -> None:
        self.game = game
        self.layout = Layout(game)
        self.interpreter = Interpreter(game, work_limit=300_000)

    def words(self, state: WorldState) -> list[int]:
        return state_words(self.layout, state)

    def joint(self, state: WorldState, chosen: JointAction | Outcome) -> list[int]:
        """Return a joint action or outcome as the argument of `step`; -7 where nothing is read."""
        assert state.phase is not None
        joint = [-7] * (len(self.game.players.members) + 1)
        if isinstance(chosen, tuple):
            joint[-1] = outcome_number(self.layout, state.phase, chosen)
        else:
            for player, action in chosen.items():
                joint[player] = action_number(self.layout, state.phase, action)
        return joint

    def observe(self, state: WorldState, chosen: JointAction | Outcome, player: int) -> list[int]:
        """Return an observation as words."""
        assert state.phase is not None
        return observation_words(self.layout, state.phase, self.interpreter.observation(state, chosen, player))


class Plain:
    """The generated source, run as Python."""

    def __init__(self, game: typed.Game) -> None:
        self.layout = Layout(game)
        self.players = len(game.players.members)
        self.code = generate(game, self.layout).code
        verify(self.code)
        self.source = module_text(self.code)
        self.functions: dict[str, Any] = dict(runtime.NAMESPACE)
        exec(compile(self.source, f"<generated from {game.source_name}>", "exec"), self.functions)
        self.has_estimate = game.estimate is not None

    def call(self, name: str, *arguments: Any) -> Any:
        try:
            return self.functions[name](*arguments)
        except runtime.FaultSignal as signal:
            raise Fault from signal

    def initial(self) -> list[int]:
        state = [-9] * self.layout.state_words
        self.call("init", state)
        return state

    def actors(self, state: list[int]) -> int:
        return int(self.call("actors", state))

    def legal(self, state: list[int], player: int) -> list[int]:
        out = [-9] * self.layout.action_limit
        return out[: self.call("legal", state, player, out)]

    def chance(self, state: list[int]) -> list[tuple[int, float]]:
        out, probability = [-9] * self.layout.outcome_limit, [-9.0] * self.layout.outcome_limit
        count = self.call("chance", state, out, probability)
        return list(zip(out[:count], probability[:count], strict=True))

    def sample_chance(self, state: list[int], rng: list[int]) -> int:
        return int(self.call("sample_chance", state, rng))

    def step(self, state: list[int], joint: list[int]) -> list[int]:
        new = [-9] * self.layout.state_words
        self.call("step", state, new, joint)
        return new

    def observe(self, old: list[int], new: list[int], joint: list[int], player: int) -> list[int]:
        out = [-9] * self.layout.observation_limit
        return out[: self.call("observe", old, new, joint, player, out)]

    def utilities(self, state: list[int]) -> list[float]:
        out = [-9.0] * self.players
        self.call("utility", state, out)
        return out

    def estimates(self, state: list[int]) -> list[float] | None:
        if not self.has_estimate:
            return None
        out = [-9.0] * self.players
        self.call("estimate", state, out)
        return out

    def playout(self, state: list[int], rng: list[int], limit: int) -> tuple[int, list[float]]:
        out = [-9.0] * self.players
        return int(self.call("playout", state, rng, out, limit)), out

    def playouts(self, state: list[int], words: list[int], limit: int) -> list[tuple[int, list[float]]]:
        out, made = [-9.0] * (self.players * len(words)), [-9] * len(words)
        self.call("playouts", state, list(words), out, made, len(words), limit)
        return results_of(made, out, self.players)


def results_of(made: list[int], out: list[float], players: int) -> list[tuple[int, list[float]]]:
    """Return what `playout` would have returned for each game of `playouts`."""
    return [(steps, out[game * players : (game + 1) * players]) for game, steps in enumerate(made)]


CANARY = 0x0DD_C0FFEE
CANARIES = 4


class Row:
    """A row of native words or reals between canaries, which tell of writes beside it."""

    def __init__(self, kind: Any, values: Sequence[float]) -> None:
        self.length = len(values)
        self.kind = kind
        self.array = (kind * (len(values) + 2 * CANARIES))(*[CANARY] * CANARIES, *values, *[CANARY] * CANARIES)

    def address(self) -> int:
        return ctypes.addressof(self.array) + CANARIES * 8

    def values(self) -> list[Any]:
        assert list(self.array[:CANARIES]) == [CANARY] * CANARIES, "written before the row"
        assert list(self.array[CANARIES + self.length :]) == [CANARY] * CANARIES, "written behind the row"
        return list(self.array[CANARIES : CANARIES + self.length])


def words_row(values: Sequence[int]) -> Row:
    return Row(ctypes.c_int64, values)


def reals_row(length: int) -> Row:
    return Row(ctypes.c_double, [-9.0] * length)


class Native:
    """The machine code."""

    def __init__(self, game: typed.Game, code: Module) -> None:
        self.layout = Layout(game)
        self.players = len(game.players.members)
        self.interleaved = can_interleave(game)
        names = [*FUNCTIONS, *["estimate"] * (game.estimate is not None), *["playouts"] * self.interleaved]
        self.code = MachineCode(compiled(code, names), names)
        self.has_estimate = game.estimate is not None

    def call(self, name: str, *arguments: Row | int) -> int:
        """Call a function that returns an integer."""
        returns = None if name in ("init", "step", "playouts") else ctypes.c_int64
        function = ctypes.CFUNCTYPE(returns, *[ctypes.c_int64] * len(arguments))(self.code.addresses[name])
        addresses = [argument.address() if isinstance(argument, Row) else argument for argument in arguments]
        result = function(*addresses)
        for argument in arguments:
            if isinstance(argument, Row):
                argument.values()
        return result or 0

    def initial(self) -> list[int]:
        state = words_row([-9] * self.layout.state_words)
        self.call("init", state)
        return state.values()

    def actors(self, state: list[int]) -> int:
        return self.call("actors", words_row(state))

    def legal(self, state: list[int], player: int) -> list[int]:
        out = words_row([-9] * self.layout.action_limit)
        count = counted(self.call("legal", words_row(state), player, out))
        return out.values()[:count]

    def chance(self, state: list[int]) -> list[tuple[int, float]]:
        out, probability = words_row([-9] * self.layout.outcome_limit), reals_row(self.layout.outcome_limit)
        count = counted(self.call("chance", words_row(state), out, probability))
        return list(zip(out.values()[:count], probability.values()[:count], strict=True))

    def sample_chance(self, state: list[int], rng: list[int]) -> int:
        word = words_row(rng)
        outcome = counted(self.call("sample_chance", words_row(state), word))
        rng[0] = word.values()[0] % 2**64
        return outcome

    def step(self, state: list[int], joint: list[int]) -> list[int]:
        new = words_row([-9] * self.layout.state_words)
        self.call("step", words_row(state), new, words_row(joint))
        result = new.values()
        if result[1] != 0:
            raise Fault
        return result

    def observe(self, old: list[int], new: list[int], joint: list[int], player: int) -> list[int]:
        out = words_row([-9] * self.layout.observation_limit)
        count = counted(self.call("observe", words_row(old), words_row(new), words_row(joint), player, out))
        return out.values()[:count]

    def utilities(self, state: list[int]) -> list[float]:
        out = reals_row(self.players)
        counted(self.call("utility", words_row(state), out))
        return out.values()

    def estimates(self, state: list[int]) -> list[float] | None:
        if not self.has_estimate:
            return None
        out = reals_row(self.players)
        counted(self.call("estimate", words_row(state), out))
        return out.values()

    def playout(self, state: list[int], rng: list[int], limit: int) -> tuple[int, list[float]]:
        word, out = words_row(rng), reals_row(self.players)
        steps = self.call("playout", words_row(state), word, out, limit)
        rng[0] = word.values()[0] % 2**64
        return steps, out.values()

    def playouts(self, state: list[int], words: list[int], limit: int) -> list[tuple[int, list[float]]]:
        made, out = words_row([-9] * len(words)), reals_row(self.players * len(words))
        self.call("playouts", words_row(state), words_row(words), out, made, len(words), limit)
        return results_of(made.values(), out.values(), self.players)


def counted(count: int) -> int:
    """Return a count; below 0 it tells of a fault."""
    if count < 0:
        raise Fault
    return count


def mask_of(interpreter: Interpreter, state: WorldState) -> int:
    """Return what `actors` gives in a state."""
    if interpreter.is_terminal(state):
        return -1
    return sum(1 << player for player in interpreter.actors(state))
