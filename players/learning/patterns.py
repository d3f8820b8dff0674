"""The patterns around the cells of a game's board by which playouts choose: found from declarations and random play.

A board's cells differ by the sets that they are in. The ring around a cell tells whose its eight neighbours are, the
cross beside it more: the six commonest combinations of sets, so that stones in danger, say, are told from others where
the rules keep them in a set of their own. Symmetries of the game, seats exchanged whatever the payoffs, make patterns
one.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from ggp.codegen.kernels import I32, I64
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.language.typed.types import DIRECTIONS as STEPS
from ggp.language.typed.types import CellType
from ggp.rules_compiler.rules_backend import rules_of
from players.learning.declarations import Declarations, Plane, declarations_of, is_player
from players.learning.symmetries import Symmetry, sampled_states, symmetries_of
from players.search.uct.playout_policy import (
    BITS,
    CROSS_BITS,
    CROSSES,
    DIRECTIONS,
    MAX_PLANES,
    OUTSIDE,
    OUTSIDE_CROSS,
    OUTSIDE_RING,
    RING_BITS,
    RINGS,
    TABLE,
    Policy,
)

SAMPLED = 400
"""States of random play in which combinations of sets are counted."""
NOBODY = -1


class NoBoard(GgpError):
    """No set of cells changes in the game, so that actions have no patterns."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """What a game has around its cells.

    Attributes:
        policy: without weights: all actions are as probable.
        classes: `[P, TABLE]` the weight of each player's rings and crosses, shared by what symmetries make one.
    """

    policy: Policy
    classes: I32


def patterns_of(game: Game) -> Patterns:
    """Return the patterns of a game.

    Raises:
        NoBoard: it has no board with sets of cells.
        NoRules: it was not made from a rules file.
    """
    declared = declarations_of(game)
    _, planes = _board(game, declared)
    owners, contents, apart = _codes(planes, _seen(game, planes))
    return Patterns(new_policy(game, owners, contents), _classes(game, declared, planes, contents, apart))


def new_policy(game: Game, owners: I32, contents: I32) -> Policy:
    """Return a policy of a game by which all actions are as probable; see `Policy` for the arguments.

    Raises:
        NoBoard: the game has no board with sets of cells.
        NoRules: it was not made from a rules file.
    """
    board, planes = _board(game, declarations_of(game))
    near, cells = _neighbours(board), board.width * board.height
    outside = near == OUTSIDE
    rings = (outside * (OUTSIDE_RING << RING_BITS * np.arange(DIRECTIONS))).sum(1)
    crosses = (outside[:, ::2] * (OUTSIDE_CROSS << CROSS_BITS * np.arange(DIRECTIONS // 2))).sum(1)
    return Policy(
        cells=_cells_of_actions(game, board),
        planes=np.array([one.word for one in planes], np.int64),
        neighbours=near.astype(np.int32).ravel(),
        owners=owners,
        contents=contents,
        empty=np.array([*rings, RINGS - 1, *crosses, CROSSES - 1], np.int32),
        weights=np.ones(len(game.players) * 2 * TABLE, np.float32),
        inside=np.zeros(cells, np.int32),
        rings=np.zeros(cells + 1, np.int32),
        crosses=np.zeros(cells + 1, np.int32),
        changed=np.zeros(cells + 1, np.int64),
        time=np.zeros(1, np.int64),
        sums=np.zeros(game.shape.max_actions),
    )


def _board(game: Game, declared: Declarations) -> tuple[CellType, list[Plane]]:
    """Return the board of most sets, and the sets; those that players own come first."""
    boards = [one.elements for one in declared.planes if isinstance(one.elements, CellType)]
    if not boards:
        raise NoBoard(f"{game.name} has no sets of cells, so its actions have no patterns")
    board = max(boards, key=boards.count)
    planes = (one for one in declared.planes if one.elements == board)
    return board, sorted(planes, key=lambda one: _owner(one) == NOBODY)[:MAX_PLANES]


def _owner(plane: Plane) -> int:
    return next((code for type_, code in zip(plane.indices, plane.key, strict=True) if is_player(type_)), NOBODY)


def _neighbours(board: CellType) -> I64:
    """Return `[C, DIRECTIONS]` the cell in each direction, or OUTSIDE."""
    y, x = np.divmod(np.arange(board.width * board.height), board.width)
    found = []
    for _, east, north in STEPS:
        inside = (x + east >= 0) & (x + east < board.width) & (y + north >= 0) & (y + north < board.height)
        found.append(np.where(inside, (y + north) * board.width + x + east, OUTSIDE))
    return np.stack(found, axis=1)


def _cells_of_actions(game: Game, board: CellType) -> I32:
    """Return `[N]` the last cell that an action names; the number of cells where it names none."""
    cells = board.width * board.height
    found = np.full(max(game.native().action_count, 1), cells, np.int32)
    choosers = itertools.chain.from_iterable(rules_of(game).layout.choice_blocks)
    for block in itertools.chain.from_iterable(choosers):
        places = [place for place, type_ in enumerate(block.types) if type_ == board]
        if places:
            behind = math.prod(block.sizes[places[-1] + 1 :])
            found[block.base : block.base + block.count] = np.arange(block.count) // behind % cells
    return found


def _seen(game: Game, planes: list[Plane]) -> list[int]:
    """Return the combinations of sets that cells are in, in random play, the commonest first; bit by bit."""
    rows, _ = sampled_states(game, SAMPLED, 1)
    words = (planes[0].size + BITS - 1) // BITS
    inside = np.zeros((len(rows), planes[0].size), np.int64)
    for number, plane in enumerate(planes):
        raw = np.ascontiguousarray(rows[:, plane.word : plane.word + words]).view(np.uint8)
        inside |= np.unpackbits(raw, axis=1, bitorder="little")[:, : plane.size].astype(np.int64) << number
    found, often = np.unique(inside, return_counts=True)
    return [int(found[place]) for place in np.argsort(-often, kind="stable") if found[place]]


def _exchanged(planes: list[Plane], inside: int) -> int:
    """Return the sets with seats exchanged; a set that has no counterpart stays."""
    places = {(plane.variable, plane.key): number for number, plane in enumerate(planes)}
    found = 0
    for number, plane in enumerate(planes):
        if inside >> number & 1:
            pairs = zip(plane.indices, plane.key, strict=True)
            key = tuple(1 - code if is_player(type_) and code < 2 else code for type_, code in pairs)
            found |= 1 << places.get((plane.variable, key), number)
    return found


def _codes(planes: list[Plane], seen: list[int]) -> tuple[I32, I32, list[int]]:
    """Return what rings and crosses tell of each combination of sets, and the combinations that crosses tell apart."""
    owners, contents = np.zeros(1 << len(planes), np.int32), np.zeros(1 << len(planes), np.int32)
    apart = list(dict.fromkeys(itertools.chain.from_iterable((one, _exchanged(planes, one)) for one in seen)))
    apart = apart[: OUTSIDE_CROSS - 1]
    for inside in range(1, 1 << len(planes)):
        whose = [_owner(plane) for number, plane in enumerate(planes) if inside >> number & 1]
        owned = [owner for owner in whose if owner != NOBODY]
        owners[inside] = 1 + min(owned[0], 1) if owned else OUTSIDE_RING
        like = max(apart, key=lambda one: -(one ^ inside).bit_count(), default=0)
        contents[inside] = 1 + apart.index(like) if apart else 0
    return owners, contents, apart


def _classes(game: Game, declared: Declarations, planes: list[Plane], contents: I32, apart: list[int]) -> I32:
    """Return `[P, TABLE]` the least of the patterns that symmetries make of each pattern, numbered over all players."""
    players = len(game.players)
    found = symmetries_of(game, declared, payoffs=False)
    turns, exchanges = [one for one in found if not one.exchanged], [one for one in found if one.exchanged]
    crosses = np.arange(OUTSIDE_CROSS + 1)
    for number, one in enumerate(apart):
        crosses[1 + number] = contents[_exchanged(planes, one)]
    images = [(_turned(turn, crosses), False) for turn in turns]
    for exchange in exchanges:
        first = _turned(exchange, crosses)
        images += [(after[first], True) for after, exchanged in images if not exchanged]
    classes = np.zeros((players, TABLE), np.int32)
    for player in range(players):
        classes[player] = np.min(
            [image + TABLE * (1 - player if exchanged else player) for image, exchanged in images], axis=0
        )
    return classes


def _turned(by: Symmetry, exchanged: I64) -> I64:
    """Return `[TABLE]` what each ring and cross becomes; `exchanged`: what each code of a cross does."""
    owners = np.array([0, 2, 1, OUTSIDE_RING]) if by.exchanged else np.arange(OUTSIDE_RING + 1)
    codes = exchanged if by.exchanged else np.arange(OUTSIDE_CROSS + 1)
    steps = [(x, y) for _, x, y in STEPS]
    rings, crosses = np.arange(RINGS), np.arange(CROSSES)
    turned = np.zeros(TABLE, np.int64)
    turned[RINGS:] = RINGS
    for direction, (x, y) in enumerate(steps):
        to = steps.index(by.step(x, y))
        turned[:RINGS] |= owners[rings >> RING_BITS * direction & OUTSIDE_RING] << RING_BITS * to
        if direction % 2 == 0:
            place, target = direction // 2, to // 2
            turned[RINGS:] += codes[crosses >> CROSS_BITS * place & OUTSIDE_CROSS] << CROSS_BITS * target
    return turned
