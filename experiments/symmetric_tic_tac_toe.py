"""Phantom tic-tac-toe in sequence form, with information states merged that are rotations or reflections of each other.

Dimensions: I information states, S sequences, Z ends of play; both players' together.

A square has eight symmetries, and there is an equilibrium whose strategies treat symmetric situations alike. So an
information state represents all its images under the symmetries, and an action represents all cells that the symmetries
of the player's own knowledge map to one another, among which it is drawn uniformly. Of symmetric histories one is
visited, with a weight: their number, divided by the number of ways in which the two players' actions represent them.
The equilibria of this smaller game are equilibria of the whole one, and it has the same value. Of
the 93.9 million plays with a winner after both have tried the centre, 11.7 million are kept.

This code is for this game alone; `ggp.analysis.sequence_form.unfolding` handles all games, but knows no symmetries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.analysis.sequence_form.information_tree import InformationTree, SequenceForm
from ggp.analysis.sequence_form.payoff_entries import payoff_entries
from ggp.codegen.kernels import F64, I32, I64, I64_2D, I64_3D, inline_kernel, kernel
from ggp.errors import GgpError
from ggp.model.native.interface import NativeGame

CELLS, SYMMETRIES, DEPTH = 9, 8, 19
DIGITS = 1 + 2 * CELLS
"""A try is a digit other than 0: its cell, and whether the cell was free. Nine of them fit in a word."""
CROSS, NOUGHT = 0, 1
LINES: I64 = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.int64)
CENTRE = 0o20
FULL = (1 << CELLS) - 1
STATES, SEQUENCES, ENDS, COUNTERS = 0, 1, 2, 3


class TooSmall(GgpError):
    """The arrays are too small for the game."""


class Found(NamedTuple):
    """The game in sequence form; arrays may have unused entries at the end."""

    key: I64  # [I] canonical key and player
    player: I32  # [I]
    parent: I32  # [I] the player's sequence before
    first: I32  # [I] first sequence
    slots: I32  # [2 ** n] hash table of information states, 0 where there is none, else the number plus 1
    sequence: I32  # [Z * 2] last sequence of each player
    utility: F64  # [Z * 2]
    counters: I64  # [COUNTERS] information states, sequences and ends in use


def symmetries() -> I64:
    """Return `[SYMMETRIES, CELLS]` the image of each cell under each symmetry; the first is the identity."""
    board = np.arange(CELLS).reshape(3, 3)
    turned = [np.rot90(board, quarter) for quarter in range(4)]
    return np.array([square.reshape(-1) for one in turned for square in (one, one.T)], np.int64)


@inline_kernel
def ones(bits: int) -> int:
    """Return the number of cells in a set, given as bits."""
    count = 0
    for cell in range(CELLS):
        count += bits >> cell & 1
    return count


@inline_kernel
def images(moves: I64, group: int, cell: int) -> int:
    """Return, as bits, the images of a cell under some symmetries, given as bits."""
    bits = 0
    for symmetry in range(SYMMETRIES):
        if group >> symmetry & 1:
            bits |= 1 << moves[symmetry, cell]
    return bits


@inline_kernel
def lowest(bits: int) -> int:
    """Return the number of the lowest bit that is set."""
    for cell in range(CELLS):
        if bits >> cell & 1:
            return cell
    return CELLS


@inline_kernel
def state_number(found: Found, key: int, player: int, before: int, actions: int) -> int:
    """Return the number of an information state, adding it if it is new; -1 if there is no room."""
    mask = found.slots.size - 1
    word = 2 * key + player
    place = ((word * 0x9E3779B97F4A7C1) >> 20) & mask
    while found.slots[place] > 0:
        number = found.slots[place] - 1
        if found.key[number] == word:
            return int(number)
        place = (place + 1) & mask
    number = found.counters[STATES]
    if number == found.key.size:
        return -1
    found.slots[place] = number + 1
    found.key[number], found.player[number], found.parent[number] = word, player, before
    found.first[number] = found.counters[SEQUENCES]
    found.counters[STATES] += 1
    found.counters[SEQUENCES] += actions
    return int(number)


class Path(NamedTuple):
    """The decisions of one play, from the position that both players know; D of them at most."""

    mark: I64_2D  # [D, 2] cells of each player, as bits
    tried: I64_2D  # [D, 2] cells that it knows to be taken
    group: I64_2D  # [D, 2] symmetries that change nothing of what it knows
    last: I64_2D  # [D, 2] its last sequence
    keys: I64_3D  # [D, 2, SYMMETRIES] its tries so far, as each symmetry moves them
    mover: I64  # [D] who decides
    number: I64  # [D] its information state
    canonical: I64  # [D] symmetries that take its tries to the least key
    actions: I64  # [D] cells that stand for its actions, as these symmetries move them
    next_cell: I64  # [D] to be tried next
    weight: F64  # [D] what the play counts, see the module's text
    plays: F64  # [D] how many plays it stands for


def new_path() -> Path:
    """Return memory for a play."""
    pairs = [np.zeros((DEPTH, 2), np.int64) for _ in range(4)]
    singles = [np.zeros(DEPTH, np.int64) for _ in range(5)]
    return Path(*pairs, np.zeros((DEPTH, 2, SYMMETRIES), np.int64), *singles, np.zeros(DEPTH), np.zeros(DEPTH))


@inline_kernel
def begin_path(path: Path, moves: I64, marks: I64, known: I64, turn: int) -> int:
    """Write the first position, and return the symmetries that it has, as bits."""
    everything = 0
    for symmetry in range(SYMMETRIES):
        fits = True
        for player in range(2):
            for cell in range(CELLS):
                to = moves[symmetry, cell]
                fits = fits and (marks[player] >> cell & 1) == (marks[player] >> to & 1)
                fits = fits and (known[player] >> cell & 1) == (known[player] >> to & 1)
        everything |= int(fits) << symmetry
    for player in range(2):
        path.mark[0, player], path.tried[0, player] = marks[player], known[player]
        path.group[0, player], path.last[0, player] = everything, player
        path.keys[0, player, :] = 0
    path.mover[0] = turn
    path.weight[0] = path.plays[0] = 1.0
    return everything


@inline_kernel
def enter_state(path: Path, found: Found, moves: I64, everything: int, depth: int) -> bool:
    """Find the information state of the play; False if there is no room for a new one."""
    player = path.mover[depth]
    least = path.keys[depth, player, 0]
    for symmetry in range(SYMMETRIES):
        if everything >> symmetry & 1:
            least = min(least, path.keys[depth, player, symmetry])
    canonical = 0
    for symmetry in range(SYMMETRIES):
        if everything >> symmetry & 1 and path.keys[depth, player, symmetry] == least:
            canonical |= 1 << symmetry
    actions = 0
    for cell in range(CELLS):
        if not path.tried[depth, player] >> cell & 1:
            actions |= 1 << lowest(images(moves, canonical, cell))
    path.canonical[depth], path.actions[depth], path.next_cell[depth] = canonical, actions, 0
    path.number[depth] = state_number(found, least, player, path.last[depth, player], ones(actions))
    return bool(path.number[depth] >= 0)


@inline_kernel
def try_cell(path: Path, found: Found, moves: I64, depth: int, cell: int, alike: int) -> bool:
    """Write the position after a try, one deeper, and return whether the cell was free; `alike` are its images."""
    player, deeper = path.mover[depth], depth + 1
    own = images(moves, path.group[depth, player], cell)
    action = lowest(images(moves, path.canonical[depth], cell))
    settled = not path.mark[depth, 1 - player] >> cell & 1
    for other in range(2):
        path.mark[deeper, other], path.tried[deeper, other] = path.mark[depth, other], path.tried[depth, other]
        path.group[deeper, other], path.last[deeper, other] = path.group[depth, other], path.last[depth, other]
        for symmetry in range(SYMMETRIES):
            path.keys[deeper, other, symmetry] = path.keys[depth, other, symmetry]
    path.tried[deeper, player] |= 1 << cell
    before = path.actions[depth] & ((1 << action) - 1)
    path.last[deeper, player] = found.first[path.number[depth]] + ones(before)
    path.weight[deeper] = path.weight[depth] * ones(alike) / ones(own)
    path.plays[deeper] = path.plays[depth] * ones(alike)
    for symmetry in range(SYMMETRIES):
        to = moves[symmetry, cell]
        path.keys[deeper, player, symmetry] = path.keys[depth, player, symmetry] * DIGITS + 1 + 2 * to + int(settled)
        if to != cell:
            path.group[deeper, player] &= ~(1 << symmetry)
    path.mover[deeper] = 1 - player if settled else player
    if settled:
        path.mark[deeper, player] |= 1 << cell
    return settled


@inline_kernel
def has_line(lines: I64, mark: int) -> bool:
    """Return whether cells, as bits, contain three in a line."""
    found = False
    for line in range(lines.size):
        found = found or mark & lines[line] == lines[line]
    return found


@kernel
def unfold(path: Path, moves: I64, lines: I64, marks: I64, known: I64, turn: int, store: bool, found: Found) -> float:
    """Visit all plays from a position that both players know.

    Args:
        path: overwritten.
        moves: of `symmetries`.
        lines: the lines of three, as bits.
        marks: `[2]` cells that each player has, as bits.
        known: `[2]` cells that each player does not try.
        turn: who is to move.
        store: whether ends are written, or only counted.
        found: written.

    Returns:
        The number of plays of the whole game that end with a winner; -1 if there is no room.
    """
    everything = begin_path(path, moves, marks, known, turn)
    found.counters[STATES], found.counters[SEQUENCES], found.counters[ENDS] = 0, 2, 0
    found.slots[:] = 0
    won, depth, entered = 0.0, 0, False
    while depth >= 0:
        if not entered and not enter_state(path, found, moves, everything, depth):
            return -1.0
        entered = True
        player, cell = path.mover[depth], path.next_cell[depth]
        if cell == CELLS:
            depth -= 1
            continue
        path.next_cell[depth] += 1
        if path.tried[depth, player] >> cell & 1:
            continue
        alike = images(moves, path.group[depth, 0] & path.group[depth, 1], cell)
        if lowest(alike) < cell:
            continue
        settled, deeper = try_cell(path, found, moves, depth, cell, alike), depth + 1
        if settled and has_line(lines, path.mark[deeper, player]):
            end = found.counters[ENDS]
            found.counters[ENDS] += 1
            won += path.plays[deeper]
            if store:
                utility = path.weight[deeper] if player == CROSS else -path.weight[deeper]
                for other in range(2):
                    found.sequence[2 * end + other] = path.last[deeper, other]
                found.utility[2 * end], found.utility[2 * end + 1] = utility, -utility
        elif not settled or path.mark[deeper, 0] | path.mark[deeper, 1] != FULL:
            depth, entered = deeper, False
    return won


def symmetric_tree(
    native: NativeGame, marks: tuple[int, int], known: tuple[int, int], turn: int, room: int = 1 << 20
) -> tuple[InformationTree, float]:
    """Return the game from a position that both players know, and how many plays of it have a winner.

    Args:
        native: the game, for the range of its utilities.
        marks: cells that cross and nought have, as bits, row by row.
        known: cells that they do not try.
        turn: CROSS or NOUGHT.
        room: for information states.

    Returns:
        A tree that solvers take; information states have no texts.

    Raises:
        TooSmall: there are more information states.
    """
    moves, arrays = symmetries(), (np.array(marks, np.int64), np.array(known, np.int64))
    states = [np.zeros(room, np.int64), *(np.zeros(room, np.int32) for _ in range(3)), np.zeros(4 * room, np.int32)]
    counters = np.zeros(COUNTERS, np.int64)
    found = Found(*states, np.zeros(2, np.int32), np.zeros(2), counters)
    plays = float(unfold(new_path(), moves, LINES, *arrays, turn, False, found))
    if plays < 0:
        raise TooSmall(f"there are more than {room:,} information states")
    ends = int(counters[ENDS])
    found = found._replace(sequence=np.zeros(2 * ends, np.int32), utility=np.zeros(2 * ends))
    unfold(new_path(), moves, LINES, *arrays, turn, True, found)
    return _tree(native, found), plays


def after_the_centre(native: NativeGame) -> InformationTree:
    """Return the game in which both try the centre first, from where cross has it and nought knows that it is taken."""
    return symmetric_tree(native, (CENTRE, 0), (CENTRE, CENTRE), NOUGHT)[0]


def _tree(native: NativeGame, found: Found) -> InformationTree:
    """Return the sequence form with the information states of each player together."""
    count, sequences, ends = (int(number) for number in found.counters)
    order = np.argsort(found.player[:count], kind="stable")
    sizes = np.diff(np.append(found.first[:count], sequences))[order]
    first = np.full(count + 1, 2, np.int32)
    first[1:] += np.cumsum(sizes).astype(np.int32)
    old = np.repeat(found.first[:count][order] - first[:-1], sizes) + np.arange(2, sequences, dtype=np.int32)
    number = np.arange(sequences, dtype=np.int32)
    number[old] = np.arange(2, sequences, dtype=np.int32)
    entry, value, others = payoff_entries(number[found.sequence], found.utility, 2, sequences)
    form = SequenceForm(
        parent=number[found.parent[:count][order]],
        first=first,
        entry=entry,
        value=value,
        others=others,
        range=np.searchsorted(found.player[:count][order], np.arange(3)).astype(np.int64),
    )
    nothing = np.zeros(0, np.int32)
    keys = np.zeros((count, 2), np.uint64)
    keys[:, 0] = found.key[:count][order].astype(np.uint64)
    return InformationTree(
        native=native,
        form=form,
        action=np.zeros(sequences, np.int64),
        key=keys,
        witness=nothing,
        opening=np.zeros(count),
        parent_state=nothing,
        branch=nothing,
        states=0,
        ends=ends,
        utility_sum=0.0,
    )
