"""Small programs written for one game each, as yardsticks: what a few dozen lines that know the game can do."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from experiments.duels import Side
from ggp.game.state import State


class SmallProgram(Side):
    """A side without a process."""

    def begin(self, role: int, seed: int) -> None:  # noqa: ARG002
        """Seed its draws between equals."""
        self.random = random.Random(seed)


def sets_of(state: State, name: str) -> tuple[frozenset[int], ...]:
    """Return a variable of a state that is an array of sets."""
    found = state.game.codec.values(state.words)[name]
    assert isinstance(found, tuple)
    return found


# --- reversi ----------------------------------------------------------------------------------------------------------

FULL = (1 << 64) - 1
NOT_A, NOT_H = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F
SHIFTS = ((1, NOT_A), (-1, NOT_H), (8, FULL), (-8, FULL), (9, NOT_A), (-9, NOT_H), (7, NOT_H), (-7, NOT_A))
CORNERS = (0, 7, 56, 63)
BESIDE_CORNER = {9: 0, 14: 7, 49: 56, 54: 63}
"""The cells diagonal to a corner, which give it away while it is empty."""


def _shift(cells: int, by: int, mask: int) -> int:
    return ((cells << by if by > 0 else cells >> -by) & mask) & FULL


def reversi_flips(own: int, other: int, at: int) -> int:
    """Return the discs that a disc at a cell turns over."""
    turned = 0
    for by, mask in SHIFTS:
        line, cell = 0, _shift(at, by, mask)
        while cell & other:
            line |= cell
            cell = _shift(cell, by, mask)
        if cell & own:
            turned |= line
    return turned


def reversi_moves(own: int, other: int) -> Iterator[tuple[int, int]]:
    """Yield each legal cell with what it turns over."""
    near = 0
    for by, mask in SHIFTS:
        near |= _shift(other, by, mask)
    near &= ~(own | other)
    while near:
        at = near & -near
        near ^= at
        if turned := reversi_flips(own, other, at):
            yield at, turned


class ReversiAlphaBeta(SmallProgram):
    """Alpha-beta to a depth with the classic evaluation: corners, cells that give them away, mobility.

    Args:
        depth: in moves.
    """

    def __init__(self, depth: int = 4) -> None:
        self._depth = depth

    def choose(self, state: State, role: int, seconds: float) -> str:  # noqa: ARG002
        """Search to the depth."""
        boards = [sum(1 << cell for cell in cells) for cells in sets_of(state, "discs")]
        best, chosen = -(10**9), 0
        moves = list(reversi_moves(boards[role], boards[1 - role]))
        if not moves:
            return str(state.legal(role)[0])
        self.random.shuffle(moves)
        for at, turned in moves:
            value = -self._value(
                boards[1 - role] & ~turned, boards[role] | at | turned, self._depth - 1, -(10**9), -best
            )
            if value > best:
                best, chosen = value, at
        cell = chosen.bit_length() - 1
        return f"{'abcdefgh'[cell % 8]}{cell // 8 + 1}"

    def _value(self, own: int, other: int, depth: int, low: int, high: int) -> int:
        if depth == 0:
            return self._standing(own, other)
        moves = list(reversi_moves(own, other))
        if not moves:
            if next(reversi_moves(other, own), None) is None:
                return 1000 * (own.bit_count() - other.bit_count())
            return -self._value(other, own, depth - 1, -high, -low)
        for at, turned in moves:
            low = max(low, -self._value(other & ~turned, own | at | turned, depth - 1, -high, -low))
            if low >= high:
                break
        return low

    @staticmethod
    def _standing(own: int, other: int) -> int:
        value = 8 * (sum(1 for _ in reversi_moves(own, other)) - sum(1 for _ in reversi_moves(other, own)))
        for sign, discs in ((1, own), (-1, other)):
            value += sign * 100 * sum(discs >> corner & 1 for corner in CORNERS)
            for cell, corner in BESIDE_CORNER.items():
                value -= sign * 40 * (discs >> cell & 1) * (1 - ((own | other) >> corner & 1))
        return value


# --- five in a row ----------------------------------------------------------------------------------------------------

OWN_LINE, OTHER_LINE = (1, 15, 120, 1500, 100_000), (0, 12, 100, 1200, 20_000)
"""What a window of five with so many stones of one player and none of the other's is worth to who takes its cell."""


class GomokuPatterns(SmallProgram):
    """Takes the cell whose windows of five are worth most: it looks one move ahead."""

    def choose(self, state: State, role: int, seconds: float) -> str:  # noqa: ARG002
        """Return the cell of the greatest worth."""
        stones = sets_of(state, "stones")
        own, other = stones[role], stones[1 - role]
        legal = [str(action) for action in state.legal(role)]
        size = round((len(legal) + len(own) + len(other)) ** 0.5)
        worth: dict[int, float] = {cell: self.random.random() for cell in range(size * size)}
        for x in range(size):
            for y in range(size):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if x + 4 * dx < size and 0 <= y + 4 * dy < size:
                        line = [x + k * dx + (y + k * dy) * size for k in range(5)]
                        mine, theirs = len(own.intersection(line)), len(other.intersection(line))
                        if mine and theirs:
                            continue
                        for cell in line:
                            worth[cell] += OTHER_LINE[theirs] if theirs else OWN_LINE[min(mine, 4)]
        free = [cell for cell in worth if cell not in own and cell not in other]
        cell = max(free, key=worth.__getitem__)
        return f"{'abcdefghijklmnopqrs'[cell % size]}{cell // size + 1}"


# --- hold'em with twenty cards ----------------------------------------------------------------------------------------

SAMPLES = 200
RAISES_FROM, CALLS_FROM = 0.62, 0.05
"""Shares of deals won above which it raises; and how much more than the odds of the pot it wants before it calls."""


def royal_strength(cards: Sequence[int]) -> tuple[int, ...]:
    """Return the worth of seven cards of five ranks; a card is 4 * rank + suit."""
    counts = sorted(((sum(card // 4 == rank for card in cards), rank) for rank in range(5)), reverse=True)
    if any(len({card // 4 for card in cards if card % 4 == suit}) == 5 for suit in range(4)):
        return (8,)
    ranks = sorted({card // 4 for card in cards}, reverse=True)
    if counts[0][0] == 4:
        return (7, counts[0][1], max(rank for rank in ranks if rank != counts[0][1]))
    if counts[0][0] == 3 and counts[1][0] >= 2:
        return (6, counts[0][1], max(rank for count, rank in counts[1:] if count >= 2))
    if len(ranks) == 5:
        return (4,)
    if counts[0][0] == 3:
        return (3, counts[0][1], *[rank for rank in ranks if rank != counts[0][1]][:2])
    pairs = sorted((rank for count, rank in counts if count == 2), reverse=True)[:2]
    return (2, *pairs, max((rank for rank in ranks if rank not in pairs), default=0))


class EquityBot(SmallProgram):
    """Raises with a good chance to win against a random hand, calls when the pot is worth it; reads its own cards."""

    def choose(self, state: State, role: int, seconds: float) -> str:  # noqa: ARG002
        """Sample the other's hand and the rest of the table."""
        values: Mapping[str, object] = state.game.codec.values(state.words)
        hand, table = sets_of(state, "hand")[role], values["shared"]
        stakes = values["stake"]
        assert isinstance(table, frozenset)
        assert isinstance(stakes, tuple)
        deck = [card for card in range(20) if card not in hand and card not in table]
        points = 0.0
        for _ in range(SAMPLES):
            drawn = self.random.sample(deck, 7 - len(table))
            board = [*table, *drawn[2:]]
            mine, theirs = royal_strength([*hand, *board]), royal_strength([*drawn[:2], *board])
            points += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
        equity = points / SAMPLES
        legal = [str(action) for action in state.legal(role)]
        if equity > RAISES_FROM and "raise" in legal:
            return "raise"
        to_call = stakes[1 - role] - stakes[role]
        if to_call <= 0 or equity > to_call / (sum(stakes) + to_call) + CALLS_FROM or "fold" not in legal:
            return "call" if to_call > 0 else "check"
        return "fold"
