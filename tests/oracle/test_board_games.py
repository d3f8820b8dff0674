"""Larger board games of the library against OpenSpiel's and against simple simulators, on random native games."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

import pyspiel
import pytest

import ggp
from experiments.openspiel_texts import cell_text, stone_or_pass
from tests.support.native_side_by_side import OpenSpiel, SequentialModel, compare_native

Point = tuple[int, int]


def test_nine_mens_morris() -> None:
    """Their points are numbered from the top; placing and taking have the same numbers."""
    sides = [(x, y) for y in range(7, 0, -1) for x in range(1, 8)]
    rings = [(x, y) for x, y in sides if (x, y) != (4, 4) and (4 in (x, y) or abs(x - 4) == abs(y - 4))]
    cells = [cell_text(x - 1, y - 1) for x, y in rings]

    def action(state: pyspiel.State, number: int) -> str:
        points = [int(word) for word in state.action_to_string(number).split() if word.isdigit()]
        if len(points) == 2:
            return f"move {cells[points[0]]} {cells[points[1]]}"
        board = [sign for sign in str(state).partition("Current")[0] if sign in ".WB"]
        return f"{'place' if board[points[0]] == '.' else 'take'} {cells[points[0]]}"

    theirs = pyspiel.load_game("nine_mens_morris")
    assert compare_native(ggp.load("nine_mens_morris"), lambda: OpenSpiel(theirs, action), games=25, seed=24) > 2000


class Go(SequentialModel):
    """Go by the book: chains are searched, and positions kept, at each move."""

    def __init__(self, size: int, superko: bool) -> None:
        self.size, self.superko = size, superko
        self.cells = [(x, y) for x in range(size) for y in range(size)]
        self.board: dict[Point, int] = {}
        self.past = [frozenset[tuple[Point, int]]()]
        self.turn = self.passes = 0
        self.look()

    def beside(self, cell: Point) -> list[Point]:
        x, y = cell
        return [near for near in ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)) if self.inside(near)]

    def inside(self, cell: Point) -> bool:
        return min(cell) >= 0 and max(cell) < self.size

    def region(self, board: dict[Point, int], cell: Point) -> tuple[set[Point], set[int | None]]:
        """Return the cells connected with one that look alike, and what is beside them."""
        kind, found, ahead, border = board.get(cell), {cell}, [cell], set()
        while ahead:
            for near in self.beside(ahead.pop()):
                if board.get(near) != kind:
                    border.add(board.get(near))
                elif near not in found:
                    found.add(near)
                    ahead.append(near)
        return found, border

    def after(self, cell: Point) -> dict[Point, int] | None:
        """Return the board after a stone of the player whose turn it is, none where that is suicide."""
        board = {**self.board, cell: self.turn}
        for near in self.beside(cell):
            if board.get(near) == 1 - self.turn:
                chain, border = self.region(board, near)
                if None not in border:
                    board = {other: colour for other, colour in board.items() if other not in chain}
        return board if None in self.region(board, cell)[1] else None

    def look(self) -> None:
        self.moves: dict[str, dict[Point, int]] = {"pass": self.board}
        for cell in self.cells:
            board = None if cell in self.board else self.after(cell)
            if board is None:
                continue
            position = frozenset(board.items())
            if position not in (self.past if self.superko else self.past[-2:-1]):
                self.moves[f"play {cell_text(*cell)}"] = board

    def is_terminal(self) -> bool:
        return self.passes == 2 or len(self.past) > 2 * self.size * self.size

    def legal(self, player: int) -> Collection[str]:
        return self.moves.keys()

    def apply(self, joint: Mapping[int, str]) -> None:
        (text,) = joint.values()
        self.board = self.moves[text]
        self.past.append(frozenset(self.board.items()))
        self.passes = self.passes + 1 if text == "pass" else 0
        self.turn = 1 - self.turn
        self.look()

    def returns(self) -> Sequence[float]:
        areas = [0.0, 7.5]
        for cell in self.cells:
            owner = self.board.get(cell)
            border = self.region(self.board, cell)[1]
            if owner is None and len(border) == 1:
                (owner,) = border
            if owner is not None:
                areas[owner] += 1
        return (1, -1) if areas[0] > areas[1] else (-1, 1)


@pytest.mark.sweep
@pytest.mark.parametrize(("size", "superko", "games"), [(9, False, 3), (5, False, 15), (4, True, 40), (2, True, 40)])
def test_go(size: int, superko: bool, games: int) -> None:
    """Where there is superko, two passes in a row do not repeat a position."""
    ours = ggp.load("go", size=size, ko="superko" if superko else "simple")

    def choose(rng: random.Random, texts: list[str]) -> str:
        # passes end games before anything repeats
        return rng.choice([text for text in texts if text != "pass" or len(texts) == 1 or rng.random() < 0.1] or texts)

    assert compare_native(ours, lambda: Go(size, superko), games=games, seed=size, choose=choose) > 50


def test_go_keeps_what_has_few_liberties() -> None:
    """No action depends on chains with two liberties, so that comparing play would not show a mistake."""
    rng, game = random.Random(5), ggp.load("go", size=5)
    state, board = game.initial(), Go(5, superko=False)
    for _ in range(400):
        found: dict[str, tuple[set[int], set[int]]] = {"atari": (set(), set()), "short": (set(), set())}
        for (x, y), owner in board.board.items():
            chain, _ = board.region(board.board, (x, y))
            liberties = {near for one in chain for near in board.beside(one) if near not in board.board}
            if len(liberties) <= 2:
                found["atari" if len(liberties) == 1 else "short"][owner].add(5 * y + x)
        assert {name: state.values()[name] for name in found} == found
        if state.is_terminal():
            state, board = game.initial(), Go(5, superko=False)
            continue
        (player,) = state.actors()
        texts = [str(action) for action in state.legal(player)]
        text = rng.choice(texts if rng.random() < 0.1 else [one for one in texts if one != "pass"] or texts)
        state = state.apply({player: text})
        board.apply({player: text})


def test_go_is_open_spiels() -> None:
    """OpenSpiel calls a game in which a position repeats a draw; with these seeds none does."""
    theirs = pyspiel.load_game("go", {"board_size": 9})
    assert compare_native(ggp.load("go"), lambda: OpenSpiel(theirs, stone_or_pass), games=20, seed=81) > 1000
