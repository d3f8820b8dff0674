"""The three implementations of what a game means, under one interface on words, for tests that compare them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

from ggp.codegen.llvm.compilation import compiled
from ggp.codegen.machine_code import MachineCode
from ggp.encoding.state_layout import Layout
from ggp.faults import LimitExceeded, RulesFault
from ggp.game.game import Game
from ggp.interpreter.interpreter import Interpreter, JointAction, Observation, Outcome, WorldState
from ggp.interpreter.random_play import action_number, observation_words, outcome_number, state_words
from ggp.language import typed
from ggp.language.evaluation.scope import Action
from ggp.native.interface import SAME_FOR_ALL
from ggp.rules_compiler.plain_module import PlainGame
from ggp.rules_compiler.rules_backend import rules_of
from ggp.static_analysis.payoffs import proven_sum

T = TypeVar("T")
WORK_LIMIT = 300_000
"""Of one answer of the interpreter."""
FUNCTIONS = ("init", "actors", "legal", "chance", "sample_chance", "step", "observe", "utility", "playout")


class Implementation(Protocol):
    """The functions of docs/architecture.md, "Native functions", with rows of words as lists."""

    def initial(self) -> list[int]: ...
    def actors(self, state: list[int]) -> int: ...
    def legal(self, state: list[int], player: int) -> list[int]: ...
    def chance(self, state: list[int]) -> list[tuple[int, float]]: ...
    def sample_chance(self, state: list[int], rng: list[int]) -> int: ...
    def outcome_probability(self, state: list[int], outcome: int) -> float | None: ...
    def step(self, state: list[int], joint: list[int]) -> list[int]: ...
    def observe(self, old: list[int], new: list[int], joint: list[int], player: int) -> list[int]: ...
    def utility(self, state: list[int]) -> list[float]: ...
    def estimate(self, state: list[int]) -> list[float] | None: ...


class Interpreted:
    """The reference interpreter; states are translated to words for comparison, and remembered."""

    def __init__(self, game: typed.Game) -> None:
        self.game = game
        self.layout = Layout(game)
        self.interpreter = Interpreter(game, WORK_LIMIT)
        self.sum = proven_sum(game)

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


class Remembered(Interpreted):
    """The reference interpreter where several comparisons play the same games: it answers twice, and thinks once."""

    def __init__(self, game: typed.Game, work_limit: int) -> None:
        super().__init__(game)
        self.interpreter: RememberingInterpreter = RememberingInterpreter(game, work_limit)
        self._words: dict[WorldState, list[int]] = {}

    def words(self, state: WorldState) -> list[int]:
        if state not in self._words:
            self._words[state] = super().words(state)
        return [*self._words[state]]

    def remember(self, other: Remembered) -> None:
        """Take over what another knows of the same game."""
        self.interpreter.known = other.interpreter.known


class RememberingInterpreter(Interpreter):
    """An interpreter that keeps its answers, faults included."""

    def __init__(self, game: typed.Game, work_limit: int) -> None:
        super().__init__(game, work_limit)
        self.known: dict[tuple[Any, ...], object] = {}

    def actors(self, state: WorldState) -> tuple[int, ...]:
        return self._kept(super().actors, state)

    def legal(self, state: WorldState, player: int) -> list[Action]:
        return self._kept(super().legal, state, player)

    def chance_outcomes(self, state: WorldState) -> list[tuple[Outcome, float]]:
        return self._kept(super().chance_outcomes, state)

    def step(self, state: WorldState, chosen: JointAction | Outcome) -> WorldState:
        return self._kept(super().step, state, chosen)

    def observation(self, state: WorldState, chosen: JointAction | Outcome, player: int) -> Observation:
        return self._kept(super().observation, state, chosen, player)

    def _kept(self, method: Callable[..., T], *arguments: object) -> T:
        hashable = (tuple(sorted(one.items())) if isinstance(one, Mapping) else one for one in arguments)
        key = (method.__name__, *hashable)
        if key not in self.known:
            try:
                self.known[key] = method(*arguments)
            except (RulesFault, LimitExceeded) as fault:
                self.known[key] = fault
        known = self.known[key]
        if isinstance(known, Exception):
            raise known.with_traceback(None)
        return cast("T", known)


class Plain(PlainGame):
    """The generated source, run as Python."""

    def __init__(self, game: typed.Game) -> None:
        self.game, self.layout = game, Layout(game)
        super().__init__(game, self.layout)
        self.players = len(game.players.members)

    def outcome_probability(self, state: list[int], outcome: int) -> float | None:
        """Return the probability of an outcome, or None where the rules module does not say it."""
        if "outcome_probability" not in self.functions:
            return None
        out = {0: 0.0}
        found = self._call("outcome_probability", state, outcome, out)
        return None if found < 0 else out[0] * found


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
    """The machine code.

    Args:
        plain: the generated module, which knows the places that can fail.
        addresses: of the functions by name; by default the module is compiled.
    """

    def __init__(self, plain: PlainGame, addresses: Mapping[str, int] | None = None) -> None:
        self.plain, self.layout, self.players = plain, plain._layout, plain._players
        if addresses is None:
            names = [*FUNCTIONS, *(name for name in ("estimate", "outcome_probability") if name in plain.functions)]
            code = MachineCode(compiled(plain.code, names), names)
            self.code: object = code  # keeps the functions loaded
            addresses = code.addresses
        self.addresses = addresses

    def call(self, name: str, *arguments: Row | int) -> int:
        """Call a function that returns an integer."""
        returns = None if name in ("init", "step") else ctypes.c_int64
        function = ctypes.CFUNCTYPE(returns, *[ctypes.c_int64] * len(arguments))(self.addresses[name])
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
        count = self.counted(self.call("legal", words_row(state), player, out))
        return out.values()[:count]

    def chance(self, state: list[int]) -> list[tuple[int, float]]:
        out, probability = words_row([-9] * self.layout.outcome_limit), reals_row(self.layout.outcome_limit)
        count = self.counted(self.call("chance", words_row(state), out, probability))
        return list(zip(out.values()[:count], probability.values()[:count], strict=True))

    def sample_chance(self, state: list[int], rng: list[int]) -> int:
        word = words_row(rng)
        outcome = self.counted(self.call("sample_chance", words_row(state), word))
        rng[0] = word.values()[0] % 2**64
        return outcome

    def outcome_probability(self, state: list[int], outcome: int) -> float | None:
        if not self.addresses.get("outcome_probability"):
            return None
        out = reals_row(1)
        found = self.call("outcome_probability", words_row(state), outcome, out)
        assert found in (-1, 0, 1)
        return None if found < 0 else float(found and out.values()[0])

    def step(self, state: list[int], joint: list[int]) -> list[int]:
        old, new = words_row(state), words_row([-9] * self.layout.state_words)
        self.call("step", old, new, words_row(joint))
        assert old.values() == list(state), "the old state was changed"
        result = new.values()
        self.counted(-result[1])
        return result

    def observe(self, old: list[int], new: list[int], joint: list[int], player: int) -> list[int]:
        out = words_row([-9] * self.layout.observation_limit)
        count = self.counted(self.call("observe", words_row(old), words_row(new), words_row(joint), player, out))
        words = out.values()[: count % SAME_FOR_ALL]
        assert count < SAME_FOR_ALL or player == 0 or self.observe(old, new, joint, 0) == words
        return words

    def utility(self, state: list[int]) -> list[float]:
        out = reals_row(self.players)
        self.counted(self.call("utility", words_row(state), out))
        return out.values()

    def estimate(self, state: list[int]) -> list[float] | None:
        if not self.addresses.get("estimate"):
            return None
        out = reals_row(self.players)
        self.counted(self.call("estimate", words_row(state), out))
        return out.values()

    def playout(self, state: list[int], rng: list[int], limit: int) -> tuple[int, list[float]]:
        word, out = words_row(rng), Row(ctypes.c_double, [0.0] * self.players)
        steps = self.call("playout", words_row(state), word, out, limit)
        rng[0] = word.values()[0] % 2**64
        return steps, out.values()

    def counted(self, count: int) -> int:
        """Return a count; below 0 it tells of a fault."""
        if count < 0:
            self.plain.raise_fault(-count)
        return count


def native_of(game: Game, plain: PlainGame | None = None) -> Native:
    """Return the machine code of a game as the game itself runs it; `plain` where its module was generated before."""
    machine = game.native()
    native = Native(plain or rules_of(game).plain, machine.functions._asdict())
    native.code = machine
    return native


def mask_of(interpreter: Interpreter, state: WorldState) -> int:
    """Return what `actors` gives in a state."""
    if interpreter.is_terminal(state):
        return -1
    return sum(1 << player for player in interpreter.actors(state))
