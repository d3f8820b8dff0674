"""Tak against a simulator that keeps each stack as a list of letters and moves stacks as the printed rules say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import pytest

import ggp
from tests.support.native_side_by_side import SequentialModel, compare_native

WAYS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
PIECES = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1)}
Point = tuple[int, int]


class Tak(SequentialModel):
    """Stacks are texts, the lowest piece first: `w` and `b` lie flat, `W` and `B` stand, `x` and `y` are capstones."""

    def __init__(self, size: int, longest: int) -> None:
        self.size, self.longest = size, longest
        self.board = {(x, y): "" for y in range(size) for x in range(size)}
        self.left = [list(PIECES[size]), list(PIECES[size])]
        self.turn = self.moves = 0
        self.carried = ""
        self.at, self.way = (0, 0), (0, 0)
        self.result: int | None = None

    def name(self, at: Point) -> str:
        return "abcdef"[at[0]] + str(at[1] + 1)

    def open_to(self, at: Point, load: str) -> bool:
        """Return whether a load may be moved onto a cell."""
        if at not in self.board:
            return False
        top = self.board[at][-1:]
        return top not in ("x", "y") or top == "" if top not in ("W", "B") else load in ("x", "y")

    def actions(self) -> Iterator[str]:
        if self.carried:
            ahead = self.at[0] + self.way[0], self.at[1] + self.way[1]
            for number in range(1, len(self.carried) + 1):
                if number == len(self.carried) or self.open_to(ahead, self.carried[number:]):
                    yield str(number)
            return
        stones, capstones = self.left[self.turn if self.moves > 1 else 1 - self.turn]
        kinds = ["flat"] * (stones > 0)
        if self.moves > 1:
            kinds += ["standing"] * (stones > 0) + ["capstone"] * (capstones > 0)
        yield from (f"lay {kind} {self.name(at)}" for kind in kinds for at, stack in self.board.items() if not stack)
        if self.moves < 2:
            return
        for at, stack in self.board.items():
            if stack and stack[-1] in ("wWx", "bBy")[self.turn]:
                for way, (x, y) in WAYS.items():
                    for number in range(1, min(self.size, len(stack)) + 1):
                        if self.open_to((at[0] + x, at[1] + y), stack[-number:]):
                            yield f"lift {self.name(at)} {way} {number}"

    def apply(self, joint: Mapping[int, str]) -> None:
        (words,) = (action.split() for action in joint.values())
        cells = {self.name(at): at for at in self.board}
        if words[0] == "lay":
            whose = self.turn if self.moves > 1 else 1 - self.turn
            self.left[whose][words[1] == "capstone"] -= 1
            self.board[cells[words[2]]] = {"flat": "wb", "standing": "WB", "capstone": "xy"}[words[1]][whose]
            self.end_turn()
        elif words[0] == "lift":
            at, self.way, number = cells[words[1]], WAYS[words[2]], int(words[3])
            stack = self.board[at]
            self.board[at], self.carried = stack[: len(stack) - number], stack[len(stack) - number :]
            self.at = at[0] + self.way[0], at[1] + self.way[1]
        else:
            number = int(words[0])
            below = self.board[self.at]
            if below[-1:] in ("W", "B"):
                below = below[:-1] + below[-1].lower()
            self.board[self.at] = below + self.carried[:number]
            self.carried = self.carried[number:]
            self.at = self.at[0] + self.way[0], self.at[1] + self.way[1]
            if not self.carried:
                self.end_turn()

    def end_turn(self) -> None:
        mover, self.turn, self.moves = self.turn, 1 - self.turn, self.moves + 1
        tops = [stack[-1:] for stack in self.board.values()]
        flats = [tops.count("w"), tops.count("b")]
        if self.joined(mover):
            self.result = mover
        elif self.joined(1 - mover):
            self.result = 1 - mover
        elif all(tops) or [0, 0] in self.left or self.moves == self.longest:
            is_draw = flats[0] == flats[1] or (self.moves == self.longest and not all(tops) and [0, 0] not in self.left)
            self.result = -1 if is_draw else int(flats[1] > flats[0])

    def joined(self, player: int) -> bool:
        """Return whether a player's flat stones and capstones join two opposite edges."""
        own = {at for at, stack in self.board.items() if stack and stack[-1] in ("wx", "by")[player]}
        for axis in (0, 1):
            seen = {at for at in own if at[axis] == 0}
            waiting = list(seen)
            while waiting:
                x, y = waiting.pop()
                near = {(x + a, y + b) for a, b in WAYS.values()} & own - seen
                seen |= near
                waiting += near
            if any(at[axis] == self.size - 1 for at in seen):
                return True
        return False

    def is_terminal(self) -> bool:
        return self.result is not None

    def legal(self, player: int) -> Collection[str]:
        return list(self.actions())

    def returns(self) -> Sequence[float]:
        assert self.result is not None
        return (0, 0) if self.result < 0 else (1, -1) if self.result == 0 else (-1, 1)


@pytest.mark.long
@pytest.mark.parametrize(("size", "longest", "games"), [(3, 60, 60), (4, 100, 30), (5, 200, 12), (6, 30, 12)])
def test_tak_is_played_as_by_a_simulator(size: int, longest: int, games: int) -> None:
    game = ggp.load("tak", n=size, longest=longest)
    assert compare_native(game, lambda: Tak(size, longest), games=games, seed=size) > 20 * games
