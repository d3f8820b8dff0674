"""Native functions called from tests, with canary words around everything they may write."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from ggp.model.game import Game
from ggp.model.makers.rules import rules_of

CANARY = 0x5CA1AB1E
WORD = (1 << 64) - 1


class Guarded:
    """An array for native code with untouchable words before and behind it."""

    def __init__(self, kind: type, values: Sequence[float]) -> None:
        self.kind = kind
        self.size = len(values)
        self.array = (kind * (self.size + 8))(*[CANARY] * 4, *values, *[CANARY] * 4)

    def pointer(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(ctypes.addressof(self.array) + 4 * ctypes.sizeof(self.kind))

    def values(self) -> list:
        around = [*self.array[:4], *self.array[-4:]]
        assert around == [CANARY] * 8, "native code wrote outside its array"
        return list(self.array[4 : 4 + self.size])


def words(values: Sequence[int]) -> Guarded:
    return Guarded(ctypes.c_int64, values)


class NativeCalls:
    """The native functions of a game on Python lists; results as `ggp.model.backends.plain.PlainGame` gives them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.native = game.native()

    def _call(self, name: str, *arguments: object, result: type | None = ctypes.c_int64) -> int:
        address = getattr(self.native.functions, name)
        kinds = [ctypes.c_int64 if isinstance(argument, int) else ctypes.c_void_p for argument in arguments]
        passed = [argument.pointer() if isinstance(argument, Guarded) else argument for argument in arguments]
        value = ctypes.CFUNCTYPE(result, *kinds)(address)(*passed)
        for argument in arguments:
            if isinstance(argument, Guarded):
                argument.values()
        return value

    def initial(self) -> list[int]:
        state = words([7] * self.game.shape.state_words)
        self._call("init", state, result=None)
        return state.values()

    def actors(self, state: Sequence[int]) -> int:
        return self._call("actors", words(state))

    def legal(self, state: Sequence[int], player: int) -> list[int]:
        out = words([-9] * self.game.shape.max_actions)
        count = self._call("legal", words(state), player, out)
        return out.values()[:count] if count >= 0 else [count]

    def chance(self, state: Sequence[int]) -> list[tuple[int, float]]:
        out = words([-9] * self.game.shape.max_outcomes)
        probability = Guarded(ctypes.c_double, [0.0] * self.game.shape.max_outcomes)
        count = self._call("chance", words(state), out, probability)
        return list(zip(out.values(), probability.values(), strict=True))[: max(count, 0)]

    def sample_chance(self, state: Sequence[int], rng: list[int]) -> int:
        word = words([rng[0] if rng[0] < 1 << 63 else rng[0] - (1 << 64)])
        outcome = self._call("sample_chance", words(state), word)
        rng[0] = word.values()[0] & WORD
        return outcome

    def step(self, old: Sequence[int], joint: Sequence[int]) -> list[int]:
        before, new = words(old), words([7] * len(old))
        self._call("step", before, new, words(joint), result=None)
        assert before.values() == list(old), "the old state was changed"
        return new.values()

    def observe(self, old: Sequence[int], new: Sequence[int], joint: Sequence[int], player: int) -> list[int]:
        out = words([-9] * self.game.shape.max_observation_words)
        count = self._call("observe", words(old), words(new), words(joint), player, out)
        return out.values()[:count] if count >= 0 else [count]

    def _reals(self, name: str, state: Sequence[int]) -> list[float]:
        out = Guarded(ctypes.c_double, [0.5] * self.game.shape.players)
        result = self._call(name, words(state), out)
        return out.values() if result == 0 else [result]

    def utility(self, state: Sequence[int]) -> list[float]:
        return self._reals("utility", state)

    def estimate(self, state: Sequence[int]) -> list[float] | None:
        return self._reals("estimate", state) if self.native.functions.estimate else None

    def playout(self, state: Sequence[int], rng: list[int], limit: int) -> tuple[int, list[float]]:
        before = words(state)
        word = words([rng[0] if rng[0] < 1 << 63 else rng[0] - (1 << 64)])
        out = Guarded(ctypes.c_double, [0.0] * self.game.shape.players)
        made = self._call("playout", before, word, out, limit)
        assert before.values() == list(state), "the state was changed"
        rng[0] = word.values()[0] & WORD
        return made, out.values()


def compare_random_play(game: Game, seed: int, limit: int) -> int:
    """Play once at random and compare plain with native at every step; return the transitions made."""
    from ggp.model.native.rng import below, seed_word

    plain, native = rules_of(game).plain, NativeCalls(game)
    state = plain.initial()
    assert state == native.initial()
    rng = [seed_word(seed)]
    for made in range(limit):
        acting = plain.actors(state)
        assert acting == native.actors(state)
        if acting < 0:
            assert plain.utility(state) == native.utility(state)
            return made
        assert plain.estimate(state) == native.estimate(state)
        joint = [0] * (game.shape.players + 1)
        if acting == 0:
            assert plain.chance(state) == native.chance(state)
            one, two = list(rng), list(rng)
            joint[-1] = plain.sample_chance(state, one)
            assert joint[-1] == native.sample_chance(state, two)
            assert one == two
            rng = one
        for player in range(game.shape.players):
            legal = plain.legal(state, player)
            assert legal == native.legal(state, player)
            assert bool(legal) == bool(acting >> player & 1)
            if legal:
                joint[player] = legal[below(rng, len(legal))]
        new = plain.step(state, joint)
        assert new == native.step(state, joint)
        for player in range(game.shape.players):
            assert plain.observe(state, new, joint, player) == native.observe(state, new, joint, player)
        one, two = list(rng), list(rng)
        assert plain.playout(state, one, limit) == native.playout(state, two, limit)
        assert one == two
        state = new
    return limit
