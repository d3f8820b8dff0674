"""Yavalath, Yavalax, Connect6, Pente, hasami shogi, Ataxx, wolf and sheep against simple simulators, cell by cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

import pytest

import ggp
from tests.support.command_line import told
from tests.support.native_side_by_side import SequentialModel, compare_native

Point = tuple[int, int]
COMPASS = [(x, y) for x, y in product((-1, 0, 1), repeat=2) if (x, y) != (0, 0)]
STRAIGHT = [(x, y) for x, y in COMPASS if x == 0 or y == 0]


def text(point: Point) -> str:
    return f"{chr(ord('a') + point[0])}{point[1] + 1}"


class Board(SequentialModel):
    """Two players in turn on a board; `directions` are those of lines."""

    directions: Sequence[Point] = ((0, 1), (1, 1), (1, 0), (1, -1))

    def __init__(self, size: int) -> None:
        self.cells = list(product(range(size), repeat=2))
        self.men: dict[Point, int] = {}
        self.over = False

    def line(self, at: Point, way: Point, whose: int | None) -> int:
        """Return how many cells in a row from behind `at` hold what is asked for."""
        found, (x, y) = 0, at
        while (x := x + way[0], y := y + way[1]) in self.cells and self.men.get((x, y)) == whose:
            found += 1
        return found

    def longest(self, at: Point) -> list[int]:
        """Return the lengths of the lines in which the stone at a place stands."""
        whose = self.men[at]
        return [1 + self.line(at, way, whose) + self.line(at, (-way[0], -way[1]), whose) for way in self.directions]

    def beyond(self, at: Point, way: Point, steps: int) -> Point:
        return at[0] + way[0] * steps, at[1] + way[1] * steps

    def free(self) -> list[Point]:
        return [cell for cell in self.cells if cell not in self.men]

    def is_terminal(self) -> bool:
        return self.over


class Placing(Board, ABC):
    """Games in which stones are placed; a turn is `stones` of them, but for the first one."""

    stones = 1

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.left = 1

    def allowed(self) -> Iterator[Point]:
        yield from self.free()

    def legal(self, player: int) -> Collection[str]:
        return [text(cell) for cell in self.allowed()]

    def apply(self, joint: Mapping[int, str]) -> None:
        (name,) = joint.values()
        at = next(cell for cell in self.cells if text(cell) == name)
        self.men[at] = self.turn
        self.winner = self.judged(at)
        self.left -= 1
        if self.left == 0:
            self.turn, self.left = 1 - self.turn, self.stones
        self.over = self.winner is not None or not list(self.allowed())

    @abstractmethod
    def judged(self, at: Point) -> int | None: ...


class Yavalath(Placing):
    directions = ((0, 1), (1, 0), (1, -1))

    def __init__(self, size: int) -> None:
        super().__init__(2 * size - 1)
        self.cells = [(x, y) for x, y in self.cells if abs(x + y - 2 * (size - 1)) < size]

    def judged(self, at: Point) -> int | None:
        most = max(self.longest(at))
        return self.turn if most >= 4 else 1 - self.turn if most == 3 else None


class Yavalax(Placing):
    stones = 2

    def fours(self, at: Point) -> int | None:
        """Return how many lines of four a stone makes; None if it makes five."""
        self.men[at] = self.turn
        lengths = self.longest(at)
        del self.men[at]
        return None if max(lengths) > 4 else lengths.count(4)

    def allowed(self) -> Iterator[Point]:
        return (cell for cell in self.free() if self.fours(cell) not in (None, 1))

    def judged(self, at: Point) -> int | None:
        return self.turn if max(self.longest(at)) == 4 else None


class Connect6(Placing):
    stones = 2

    def judged(self, at: Point) -> int | None:
        return self.turn if max(self.longest(at)) >= 6 else None


class Pente(Placing):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.middle = ((size - 1) // 2, (size - 1) // 2)
        self.taken = [0, 0]

    def allowed(self) -> Iterator[Point]:
        yield from self.free() if self.men else [self.middle]

    def judged(self, at: Point) -> int | None:
        for way in COMPASS:
            if (
                self.line(at, way, 1 - self.turn) == 2
                and self.men.get(self.beyond(at, way, 3)) == self.turn
            ):  # fmt: skip
                self.taken[self.turn] += 1
                for steps in (1, 2):
                    del self.men[self.beyond(at, way, steps)]
        return self.turn if max(self.longest(at)) >= 5 or self.taken[self.turn] >= 5 else None


class Hasami(Board):
    def __init__(self, size: int, quiet_moves: int) -> None:
        super().__init__(size)
        self.size, self.quiet, self.quiet_moves = size, 0, quiet_moves
        self.men = {(x, y): player for player, y in ((0, 0), (1, size - 1)) for x in range(size)}

    def legal(self, player: int) -> Collection[str]:
        return {
            f"{text(at)} {text(self.beyond(at, way, steps))}"
            for at, whose in self.men.items()
            if whose == player
            for way in STRAIGHT
            for steps in range(1, self.line(at, way, None) + 1)
        }

    def apply(self, joint: Mapping[int, str]) -> None:
        start, end = next(iter(joint.values())).split()
        places = {text(cell): cell for cell in self.cells}
        at, me = places[end], self.turn
        self.men[at] = self.men.pop(places[start])
        lost = []
        for way in STRAIGHT:
            length = self.line(at, way, 1 - me)
            if self.men.get(self.beyond(at, way, length + 1)) == me:
                lost += [self.beyond(at, way, steps) for steps in range(1, length + 1)]
        for corner in product((0, self.size - 1), repeat=2):
            sides = [near for way in STRAIGHT if (near := self.beyond(corner, way, 1)) in self.cells]
            if self.men.get(corner) == 1 - me and at in sides and all(self.men.get(near) == me for near in sides):
                lost.append(corner)
        for cell in lost:
            del self.men[cell]
        self.quiet = 0 if lost else self.quiet + 1
        self.turn = 1 - me
        if list(self.men.values()).count(self.turn) < 2 or not self.legal(self.turn):
            self.winner = me
        self.over = self.winner is not None or self.quiet == self.quiet_moves


class Ataxx(Board):
    def __init__(self, size: int, quiet_moves: int) -> None:
        super().__init__(size)
        far = size - 1
        self.men = {(0, far): 0, (far, 0): 0, (0, 0): 1, (far, far): 1}
        self.quiet, self.quiet_moves = 0, quiet_moves

    def legal(self, player: int) -> Collection[str]:
        found = set()
        for at, whose in self.men.items():
            for to in self.free() if whose == player else ():
                steps = max(abs(at[0] - to[0]), abs(at[1] - to[1]))
                if steps == 1:
                    found.add(f"grow {text(to)}")
                elif steps == 2:
                    found.add(f"jump {text(at)} {text(to)}")
        return found

    def apply(self, joint: Mapping[int, str]) -> None:
        kind, *names = next(iter(joint.values())).split()
        places = {text(cell): cell for cell in self.cells}
        to, me = places[names[-1]], self.turn
        if kind == "jump":
            del self.men[places[names[0]]]
        self.men[to] = me
        for way in COMPASS:
            if self.beyond(to, way, 1) in self.men:
                self.men[self.beyond(to, way, 1)] = me
        self.quiet = self.quiet + 1 if kind == "jump" else 0
        if self.legal(1 - me):
            self.turn = 1 - me
        self.over = not self.legal(self.turn) or len(set(self.men.values())) == 1 or self.quiet == self.quiet_moves
        lead = 2 * list(self.men.values()).count(0) - len(self.men)
        self.winner = None if lead == 0 else int(lead < 0)


class WolfAndSheep(Board):
    def __init__(self) -> None:
        super().__init__(8)
        self.men = {(3, 7): 0, **{(x, 0): 1 for x in (0, 2, 4, 6)}}

    def legal(self, player: int) -> Collection[str]:
        found = []
        for at, whose in self.men.items():
            for way in product((-1, 1), (1, -1) if whose == 0 else (1,)):
                to = self.beyond(at, way, 1)
                if whose == player and to in self.cells and to not in self.men:
                    found.append(text(to) if player == 0 else f"{text(at)} {text(to)}")
        return found

    def apply(self, joint: Mapping[int, str]) -> None:
        *start, end = next(iter(joint.values())).split()
        places, me = {text(cell): cell for cell in self.cells}, self.turn
        at = places[start[0]] if start else next(cell for cell, whose in self.men.items() if whose == 0)
        self.men[places[end]] = self.men.pop(at)
        self.turn = 1 - me
        if not self.legal(1 - me) or (me == 0 and places[end][1] == 0):
            self.over, self.winner = True, me


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters", "begin", "games"),
    [
        ("yavalath", {}, lambda: Yavalath(5), 60),
        ("yavalath", {"size": 3}, lambda: Yavalath(3), 60),
        ("yavalax", {"size": 7}, lambda: Yavalax(7), 40),
        ("yavalax", {"size": 5}, lambda: Yavalax(5), 60),
        ("connect6", {"size": 8}, lambda: Connect6(8), 40),
        ("pente", {"size": 7}, lambda: Pente(7), 60),
        ("pente", {}, lambda: Pente(19), 2),
        ("hasami_shogi", {"size": 5}, lambda: Hasami(5, 60), 60),
        ("hasami_shogi", {"quiet_moves": 30}, lambda: Hasami(9, 30), 6),
        ("ataxx", {"size": 4}, lambda: Ataxx(4, 100), 60),
        ("ataxx", {"quiet_moves": 3}, lambda: Ataxx(7, 3), 10),
        ("wolf_and_sheep", {}, WolfAndSheep, 60),
    ],
)
def test_random_games(name: str, parameters: dict[str, int], begin: type[Board], games: int) -> None:
    assert compare_native(ggp.load(name, **parameters), begin, games=games, seed=4) > 4 * games


@pytest.mark.long
def test_sheep_win_with_perfect_play() -> None:
    assert told("solve", "wolf_and_sheep")["value"] == [-1, 1]
