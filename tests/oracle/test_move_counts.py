"""How many sequences of moves there are from the start, against published counts ("perft").

Los Alamos chess: the tests of Fairy-Stockfish (`tests/perft.sh`). Reversi: the table repeated in many programs. Connect
four: a column can be full from the seventh move on, so that counts are powers of 7 before and one column's worth short
of it then. Breakthrough: OpenSpiel, counted once. Pursuit-evasion: Lisý 2014, 4.1.1, the sums of the rows "pure" and
"mixed" of the table, which belong to an evader in one corner and pursuers in and beside the opposite one.
"""

from __future__ import annotations

import ctypes
from itertools import product

import numpy as np
import pytest

import ggp
from ggp.model.game import Game


class Counter:
    """Walks all sequences of joint actions of a game in native code."""

    def __init__(self, game: Game, depth: int) -> None:
        native = game.native()
        shape, functions, pointer = native.shape, native.functions, ctypes.c_void_p
        self.players = range(shape.players)
        self.actors = ctypes.CFUNCTYPE(ctypes.c_int64, pointer)(functions.actors)
        self.legal = ctypes.CFUNCTYPE(ctypes.c_int64, pointer, ctypes.c_int64, pointer)(functions.legal)
        self.step = ctypes.CFUNCTYPE(None, pointer, pointer, pointer)(functions.step)
        self.states = np.zeros((depth + 1, shape.state_words), np.int64)
        self.actions = np.zeros(shape.max_actions, np.int64)
        self.joint = np.zeros(shape.players + 1, np.int64)
        self.keep = native
        ctypes.CFUNCTYPE(None, pointer)(functions.init)(self.state(0))

    def state(self, depth: int) -> int:
        return int(self.states[depth].ctypes.data)

    def choices(self, depth: int) -> list[list[int]]:
        """Return the legal actions of each player in the state at a depth; nothing where it is terminal."""
        acting = self.actors(self.state(depth))
        if acting <= 0:
            return []
        found = []
        for player in self.players:
            count = self.legal(self.state(depth), player, self.actions.ctypes.data) if acting >> player & 1 else 0
            found.append(self.actions[:count].tolist() if count else [0])
        return found

    def count(self, length: int, depth: int = 0) -> int:
        """Return the number of sequences of `length` joint actions from the state at a depth."""
        choices = self.choices(depth)
        if not choices:
            return 0
        if length == 1:
            return int(np.prod([len(actions) for actions in choices]))
        total = 0
        for joint in product(*choices):
            self.joint[:-1] = joint
            self.step(self.state(depth), self.state(depth + 1), self.joint.ctypes.data)
            total += self.count(length - 1, depth + 1)
        return total

    def alive(self, length: int, depth: int = 0) -> int:
        """Return the number of sequences of `length` joint actions after which the game goes on."""
        if length == 0:
            return int(self.actors(self.state(depth)) > 0)
        choices, total = self.choices(depth), 0
        for joint in product(*choices) if choices else ():
            self.joint[:-1] = joint
            self.step(self.state(depth), self.state(depth + 1), self.joint.ctypes.data)
            total += self.alive(length - 1, depth + 1)
        return total


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("los_alamos", [10, 100, 1212, 14332, 191846]),
        ("reversi", [4, 12, 56, 244, 1396, 8200, 55092]),
        ("connect_four", [7, 49, 343, 2401, 16807, 117649, 823536]),
        ("breakthrough", [22, 484, 11132, 256036]),
    ],
)
def test_move_counts(name: str, published: list[int]) -> None:
    counter = Counter(ggp.load(name), len(published))
    assert [counter.count(length) for length in range(1, len(published) + 1)] == published


def test_states_of_pursuit_evasion() -> None:
    counter = Counter(ggp.load("pursuit_evasion"), 4)
    assert [counter.alive(length) for length in range(5)] == [1, 12, 324, 8664, 248712]
