"""Playouts and `sample_action` take every legal action equally often, however a kind's candidates are laid out."""

from __future__ import annotations

import ctypes
import itertools
from collections import Counter

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.game.batch_calls import FUNCTION
from ggp.game.game import Game
from ggp.native.calls import call_init, call_playout
from ggp.native.interface import DEAD_END
from ggp.rules_compiler.rules_backend import rules_of

HEADER = """
game drawn "One random action, told by its payoff"
players one, two
board cell = grid(4, 4)
state
    chosen: 0..16383 = 0
table hops[c: cell]: set of cell = {t in cell: abs(t.x - c.x) * abs(t.y - c.y) == 2}
# a test that is laborious, so that it is taken out of domains
def far(a: cell, b: cell) = (count c in cell: c in (reach from {a} through all - {b} by {north, east})) > 3
def number(a: cell) = a.x + 4 * a.y
"""
FOOTER = """
payoff[p] = if p == one then chosen else -chosen
"""
CASES = {
    "dependent sets": """
phase play
    one chooses a in {cell(1, 1), cell(2, 2), cell(4, 4)}, b in hops[a]
    chosen := number(a) + 32 * number(b)
    next end
""",
    "a test in a domain": """
phase play
    one chooses a in cell, b in {t in hops[a]: far(t, a) and t != cell(3, 3)}
    chosen := number(a) + 32 * number(b)
    next end
""",
    "three components": """
phase play
    one chooses a in {cell(1, 1), cell(2, 2)}, b in hops[a], c in hops[b] - {a} where far(b, c)
    chosen := number(a) + 25 * number(b) + 625 * number(c)
    next end
""",
    "a step in a membership": """
phase play
    one chooses a in cell, d in {north, east, southwest}, k in {1, 3} where a + 2 * d in hops[cell(2, 2)] + {cell(4, 4)}
    chosen := number(a) + 32 * number(a + 2 * d) + 1000 * k
    next end
""",
    "several kinds": """
phase play
    one chooses
        hop by a in {cell(1, 1), cell(2, 2), cell(4, 4)}, b in hops[a] where far(a, b)
        put by c in cell where c in {cell(1, 1), cell(2, 1)} + hops[cell(3, 3)] and far(c, cell(4, 4))
        pass
        never by d in cell where 1 > 2
    on hop: chosen := number(a) + 32 * number(b)
    on put: chosen := 1000 + number(c)
    on pass: chosen := 2000
    on never: chosen := 3000
    next end
""",
}


def case(name: str) -> Game:
    return ggp.load_text(HEADER + CASES[name] + FOOTER)


def assert_uniform(drawn: Counter[int], expected: Counter[int]) -> None:
    assert set(drawn) == set(expected)
    total, legal = sum(drawn.values()), sum(expected.values())
    chi_square = sum((drawn[key] - total * n / legal) ** 2 / (total * n / legal) for key, n in expected.items())
    degrees = len(expected) - 1
    assert chi_square < degrees + 5 * (2 * degrees) ** 0.5


@pytest.mark.sweep
@pytest.mark.parametrize("name", CASES)
def test_playouts_draw_every_legal_action_equally_often(name: str) -> None:
    game = case(name)
    state = game.initial()
    expected = Counter(int(state.apply({"one": action}).utilities()[0]) for action in state.legal("one"))
    assert_uniform(Counter(_playouts(game, 400 * len(state.legal("one")))), expected)


@pytest.mark.sweep
@pytest.mark.parametrize("name", CASES)
def test_draws_give_every_legal_action_equally_often(name: str) -> None:
    game = case(name)
    draw, plain = NativeDraw(game), rules_of(game).plain
    state, legal = plain.initial(), plain.legal(plain.initial(), 0)
    words = np.array(state, np.int64)
    assert_uniform(Counter(draw(words, 0) for _ in range(400 * len(legal))), Counter(legal))
    assert draw(words, 1) == DEAD_END, "who does not act has no action"


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["goofspiel", "liars_dice", "cant_stop", "chess", "quoridor", "ra", "tron", "poker"])
def test_draws_are_legal(name: str) -> None:
    game = ggp.load(name)
    draw, plain = NativeDraw(game), rules_of(game).plain
    state, rng = plain.initial(), [seed_word(5)]
    for _ in range(12):
        acting = plain.actors(state)
        if acting < 0:
            break
        joint = [0] * (len(game.players) + 1)
        if acting == 0:
            joint[-1] = plain.sample_chance(state, rng)
        for player in range(len(game.players)):
            if acting >> player & 1:
                joint[player] = draw(np.array(state, np.int64), player)
                assert joint[player] in plain.legal(state, player)
        state = plain.step(state, joint)


@pytest.mark.parametrize("domain", ["{n in 1..3: chosen > n}", "{n in 1..3: n < 6 div chosen}"])
def test_without_a_legal_action_or_with_a_fault_nothing_is_drawn(domain: str) -> None:
    game = ggp.load_text(f"{HEADER}phase play\n    one chooses x in {domain}\n    chosen := x\n    next end\n{FOOTER}")
    assert NativeDraw(game)(np.array(rules_of(game).plain.initial(), np.int64), 0) == DEAD_END


class NativeDraw:
    """The native function `draw` of a game, for one state at a time, with a generator of its own."""

    def __init__(self, game: Game) -> None:
        functions, self.owner = rules_of(game).batch_machine
        self.function = FUNCTION(functions.draw)
        self.rng = np.array([seed_word(7)], np.uint64)
        self.actions = np.zeros(len(game.players) if game.simultaneous else 1, np.int64)

    def __call__(self, words: np.ndarray, player: int) -> int:
        acting = np.array([1 << player])
        arrays = words, acting, self.rng, self.actions
        self.function(*(ctypes.c_int64(array.ctypes.data) for array in arrays), ctypes.c_int64(0), ctypes.c_int64(1))
        return int(self.actions[player if len(self.actions) > 1 else 0])


def _playouts(game: Game, count: int) -> list[int]:
    native = game.native()
    state = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, state, 0)
    rng, out = np.array([seed_word(11)], np.uint64), np.zeros(2)
    results = []
    for _ in itertools.repeat(None, count):
        call_playout(native.functions.playout, state, 0, rng, 0, out, 0, 10)
        results.append(int(out[0]))
    return results
