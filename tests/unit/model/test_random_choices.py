"""Playouts draw every legal action equally often, in whatever way a kind's candidates are laid out."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ggp
from ggp.model.game import Game
from ggp.model.native.calls import call_init, call_playout
from ggp.model.native.rng import seed_word

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


@pytest.mark.parametrize("name", CASES)
def test_every_legal_action_is_drawn_equally_often(name: str, tmp_path: Path) -> None:
    file = tmp_path / "drawn.rules"
    file.write_text(HEADER + CASES[name] + FOOTER)
    game = ggp.load(str(file))
    state = game.initial()
    expected = Counter(int(state.apply({"one": action}).utilities()[0]) for action in state.legal("one"))
    drawn = Counter(_playouts(game, 400 * len(state.legal("one"))))
    assert set(drawn) == set(expected)
    total, legal = sum(drawn.values()), sum(expected.values())
    chi_square = sum((drawn[key] - total * n / legal) ** 2 / (total * n / legal) for key, n in expected.items())
    degrees = len(expected) - 1
    assert chi_square < degrees + 5 * (2 * degrees) ** 0.5


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
