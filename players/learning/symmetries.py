"""Symmetries of a game: turns and reflections of its boards, and exchanges of two players, that change nothing.

Candidates come from the geometry; a candidate is taken if, from many states of random play, turning and playing give
the same states as playing and turning, and the same utilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from ggp.arithmetic.rng import below, seed_word
from ggp.codegen.kernels import F64, I64
from ggp.game.game import Game
from ggp.language.typed.types import CellType, ScalarType, Type, lowest
from ggp.native.calls import call_actors, call_chance, call_legal, call_step, call_utility
from ggp.native.interface import NativeGame
from players.learning.declarations import Declarations, Key, Number, Plane, is_player

Rows: TypeAlias = I64
"""`[n, W]` states."""
TRANSPOSED, FLIPPED_Y, FLIPPED_X = 4, 2, 1
TESTED_STATES, TESTED_PLAYS = 40, 20
MAX_JOINT = 300
"""Joint actions of a state that is tested; others are passed over."""
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Boards turned, and seats exchanged.

    Attributes:
        turn: a sum of TRANSPOSED, FLIPPED_Y and FLIPPED_X; the transposition comes first.
        exchanged: whether the two players change seats.
    """

    turn: int
    exchanged: bool

    def step(self, x: int, y: int) -> tuple[int, int]:
        """Return what a step on a board becomes."""
        if self.turn & TRANSPOSED:
            x, y = y, x
        return (-x if self.turn & FLIPPED_X else x), (-y if self.turn & FLIPPED_Y else y)

    def cell(self, board: CellType, code: int) -> int:
        """Return where a cell comes to lie."""
        y, x = divmod(code, board.width)
        if self.turn & TRANSPOSED:
            x, y = y, x
        x = board.width - 1 - x if self.turn & FLIPPED_X else x
        return (board.height - 1 - y if self.turn & FLIPPED_Y else y) * board.width + x

    def code(self, type_: Type | None, code: int) -> int:
        """Return what a value becomes."""
        if isinstance(type_, CellType):
            return self.cell(type_, code)
        return 1 - code if self.exchanged and is_player(type_) else code

    def key(self, indices: Sequence[ScalarType], key: Key) -> Key:
        """Return what indices become."""
        return tuple(self.code(type_, code) for type_, code in zip(indices, key, strict=True))

    def places(self, plane: Plane) -> I64:
        """Return `[size]` where each element of a plane goes in the plane that it becomes."""
        low = lowest(plane.elements) if plane.elements is not None else 0
        return np.array([self.code(plane.elements, low + place) - low for place in range(plane.size)], np.int64)

    def values(self, number: Number) -> I64:
        """Return `[groups]` what each value of a number becomes."""
        if number.step > 1:
            return np.arange(number.groups)
        low = lowest(number.type) if number.size - number.none > 0 else 0  # type: ignore[arg-type]
        found = [self.code(number.type, low + place) - low for place in range(number.size - number.none)]
        return np.array([*range(number.none), *(place + number.none for place in found)], np.int64)


class Turner:
    """Turns states of a game."""

    def __init__(self, declared: Declarations) -> None:
        self._declared = declared
        self._planes = {(one.variable, one.key): one for one in declared.planes}
        self._numbers = {(one.variable, one.key): one for one in declared.numbers}

    def plane(self, plane: Plane, by: Symmetry) -> Plane:
        """Return what a plane becomes."""
        return self._planes[plane.variable, by.key(plane.indices, plane.key)]

    def number(self, number: Number, by: Symmetry) -> Number:
        """Return the number whose place a number takes."""
        return self._numbers[number.variable, by.key(number.indices, number.key)]

    def turned(self, rows: Rows, by: Symmetry) -> Rows:
        """Return states, turned."""
        out = rows.copy()
        for plane in self._declared.planes:
            other, words = self.plane(plane, by), (plane.size + 63) // 64
            raw = np.ascontiguousarray(rows[:, plane.word : plane.word + words]).view(np.uint8)
            bits = np.unpackbits(raw, axis=1, bitorder="little")
            moved = bits.copy()
            moved[:, by.places(plane)] = bits[:, : plane.size]
            out[:, other.word : other.word + words] = np.packbits(moved, axis=1, bitorder="little").view(np.int64)
        for number in self._declared.numbers:
            values = rows[:, number.word]
            if number.step == 1:
                values = by.values(number)[np.clip(values - number.low, 0, number.size - 1)] + number.low
            out[:, self.number(number, by).word] = values
        return out


class Successors:
    """What can follow a state, natively."""

    def __init__(self, native: NativeGame) -> None:
        self.native = native
        self._actions = np.zeros((native.shape.players, native.shape.max_actions), np.int64)
        self._outcomes = np.zeros(native.shape.max_outcomes, np.int64)
        self._probabilities = np.zeros(native.shape.max_outcomes)
        self._utility = np.zeros(native.shape.players)

    def actors(self, state: I64) -> int:
        """Return who acts; see `call_actors`."""
        return int(call_actors(self.native.functions.actors, state, 0))

    def utilities(self, state: I64) -> list[float]:
        """Return the utilities of a terminal state."""
        call_utility(self.native.functions.utility, state, 0, self._utility, 0)
        return [float(one) for one in self._utility]

    def joints(self, state: I64) -> I64 | None:
        """Return `[n, P + 1]` all joint actions or outcomes; None if there are too many."""
        functions, players = self.native.functions, self.native.shape.players
        mask = self.actors(state)
        lists = [np.zeros(1, np.int64)] * (players + 1)
        if mask == 0:
            count = call_chance(functions.chance, state, 0, self._outcomes, 0, self._probabilities, 0)
            lists[players] = self._outcomes[:count].copy()
        for player in range(players):
            if mask >> player & 1:
                count = call_legal(functions.legal, state, 0, player, self._actions[player], 0)
                lists[player] = self._actions[player, :count].copy()
        total = 1
        for one in lists:
            total *= one.size
        if not 0 < total <= MAX_JOINT:
            return None
        return np.array(list(product(*lists)), np.int64)

    def after(self, state: I64, joints: I64) -> Rows:
        """Return the states that follow, in the order of the joint actions."""
        out = np.zeros((len(joints), self.native.shape.state_words), np.int64)
        for place, joint in enumerate(joints):
            call_step(self.native.functions.step, state, 0, out[place], 0, joint, 0)
        return out

    def probabilities(self, count: int) -> F64:
        """Return the probabilities of the outcomes that `joints` has listed last."""
        return self._probabilities[:count].copy()


def sampled_states(game: Game, count: int, seed: int) -> tuple[Rows, Rows]:
    """Return states of random plays in which something can still happen, spread over the plays, and some last states.

    Args:
        game: any.
        count: how many at most.
        seed: of the plays.
    """
    follow = Successors(game.native())
    rng = [seed_word(seed, 77)]
    seen: list[I64] = []
    ends: list[I64] = []
    for _ in range(TESTED_PLAYS):
        state = np.array(game.initial().words, np.int64)
        for _ in range(LONGEST):
            if follow.actors(state) < 0:
                ends.append(state)
                break
            seen.append(state)
            state = _random_step(game, state, rng)
    order = sorted(range(len(seen)), key=lambda place: seed_word(seed, 78, place))[:count]
    return np.array([seen[place] for place in order]), np.array(ends).reshape(-1, game.shape.state_words)


def _random_step(game: Game, state: I64, rng: list[int]) -> I64:
    at = game.state(tuple(int(word) for word in state))
    if at.is_chance():
        return np.array(at.apply_outcome(at.sample_outcome(rng)).words, np.int64)
    chosen = {role: int(legal[below(rng, len(legal))]) for role in at.actors() if (legal := at.legal(role))}
    return np.array(at.apply(chosen).words, np.int64)


def symmetries_of(game: Game, declared: Declarations, seed: int = 1, payoffs: bool = True) -> list[Symmetry]:
    """Return the symmetries that random plays bear out, the identity first; of those with seats exchanged one only.

    Args:
        game: any.
        declared: its declarations.
        seed: of the plays.
        payoffs: whether they change nothing in the payoffs either.
    """
    rows, ends = sampled_states(game, TESTED_STATES, seed)
    ends = ends if payoffs else ends[:0]
    boards = declared.boards()
    turns = range(8) if boards and all(board.width == board.height for board in boards) else range(4 if boards else 1)
    tester = _Tester(game, declared, rows, ends)
    found = [Symmetry(0, False), *(one for turn in turns[1:] if tester.holds(one := Symmetry(turn, False)))]
    if len(game.players) == 2:
        exchanged = (Symmetry(turn, True) for turn in turns)
        found += [one for one in [next(filter(tester.holds, exchanged), None)] if one is not None]
    return found


class _Tester:
    def __init__(self, game: Game, declared: Declarations, rows: Rows, ends: Rows) -> None:
        self._follow, self._turner, self._rows, self._ends = Successors(game.native()), Turner(declared), rows, ends
        read = [0]  # the phase
        for plane in declared.planes:
            read += range(plane.word, plane.word + (plane.size + 63) // 64)
        self._read = sorted({*read, *(number.word for number in declared.numbers)})

    def holds(self, by: Symmetry) -> bool:
        """Return whether a symmetry changes nothing in the sampled states."""
        follow = self._follow
        try:
            turned, ends = self._turner.turned(self._rows, by), self._turner.turned(self._ends, by)
        except KeyError:  # an array whose indices do not come in both seats
            return False
        for one, other in zip(self._ends, ends, strict=True):
            utilities = follow.utilities(one)
            if follow.actors(other) >= 0:
                return False
            if follow.utilities(other) != (utilities[::-1] if by.exchanged else utilities):
                return False
        return all(self._agree(one, other, by) for one, other in zip(self._rows, turned, strict=True))

    def _agree(self, one: I64, other: I64, by: Symmetry) -> bool:
        follow = self._follow
        mask, seen = follow.actors(one), follow.actors(other)
        if by.exchanged and mask in (1, 2):
            mask = 3 - mask
        if mask != seen:
            return False
        joints = follow.joints(one)
        chances = follow.probabilities(len(joints)) if joints is not None and mask == 0 else None
        others = follow.joints(other)
        if joints is None or others is None:
            return joints is None and others is None
        mine, theirs = self._turner.turned(follow.after(one, joints), by), follow.after(other, others)
        if len(mine) != len(theirs):
            return False
        left, right = mine[:, self._read], theirs[:, self._read]
        if chances is not None:
            left = np.column_stack([left, _whole(chances)])
            right = np.column_stack([right, _whole(follow.probabilities(len(others)))])
        return bool((_sorted(left) == _sorted(right)).all())


def _whole(probabilities: F64) -> I64:
    return np.rint(probabilities * 1e9).astype(np.int64)


def _sorted(rows: Rows) -> Rows:
    return rows[np.lexsort(rows.T[::-1])]
