"""What actions are expected to gain at once, by what stands on the cells that they name.

An action that names two cells of a board, as from where a man goes and to where, is of a *sort*: which sets its first
cell is in, which its last one, and what else it names. By how much actions of a sort raise the estimate is learned
during the search. So it can go on beyond the horizon by those actions alone that gain, as captures do, without trying
the others, and leave out what cannot gain enough just before the horizon.

Dimensions: N actions, K sets of cells, C cells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, F64_2D, I32, I64, bit_length, inline_kernel
from ggp.native.interface import NativeGame

SORTS = 1 << 13
"""Rows for sorts; those of one row are taken for one."""
CELL_BITS = 10
MAX_CELLS = 1 << CELL_BITS
MAX_ACTIONS, MAX_PLANES = 1 << 20, 31
MEMORY = 64.0
"""How many of the last actions of a sort count."""
NOISE_MEMORY, ENOUGH = 4096.0, 500.0
"""How many of the last deviations count, and how many make a mean that can be relied on."""
SETTLED = 4.0
"""Actions of a sort from which on others of it deviate from a mean that says something."""
MEAN, OFTEN, GAIN_FIELDS = range(3)
NOISE, NOTED, NOISE_FIELDS = range(3)
MARGIN = 3.0
"""Mean deviations from what an action is expected to gain, that it might gain more; for each decision looked ahead."""
SORTED_DEPTH = 2
"""Decisions still looked ahead, up to which actions have sorts."""
LAST_BIT = 63
ONE = np.int64(1)
FIRST_FACTOR, LAST_FACTOR, REST_FACTOR = 0x9E377, 0x85EBD, 0xC2B2B
"""Of the hash of a sort."""


class Gains(NamedTuple):
    """What is learned, and memory for it; without planes where there is nothing to learn."""

    actions: I32  # [N] the first cell, the last one and a number for what else an action names, from the lowest bit on
    planes: I64  # [K] the first word of each set of cells
    inside: I32  # [C] the sets that each cell is in, bit by bit
    sorts: F64_2D  # [SORTS, GAIN_FIELDS] the mean gain of a sort, and how many were tried
    noise: F64  # [NOISE_FIELDS] the mean deviation of gains from those of their sorts, and how many were noted


def new_gains(native: NativeGame, wanted: bool) -> Gains:
    """Return memory in which nothing is learned yet; an empty one where it is not wanted, or would be of no use."""
    sizes = [size for _, size in native.sets if size <= MAX_CELLS]
    cells, actions, planes = 0, np.zeros(0, np.int32), np.zeros(0, np.int64)
    if wanted and sizes and native.functions.estimate and native.action_count <= MAX_ACTIONS:
        cells = max(set(sizes), key=sizes.count)
        actions = _named_cells(native, cells)
        planes = np.array([word for word, size in native.sets if size == cells and actions.size], np.int64)
    return Gains(
        actions=actions,
        planes=planes[:MAX_PLANES],
        inside=np.zeros(cells, np.int32),
        sorts=np.zeros((SORTS if actions.size else 0, GAIN_FIELDS)),
        noise=np.zeros(NOISE_FIELDS),
    )


def _named_cells(native: NativeGame, cells: int) -> I32:
    """Return `actions` of `Gains` on a board of so many cells; nothing if no action names two of them."""
    actions = np.zeros(native.action_count, np.int32)
    some = False
    for number, (base, parts) in enumerate(native.action_parts):
        places = [place for place, size in enumerate(parts) if size == cells]
        if len(places) < 2:
            continue
        some = True
        indices = np.indices(parts, sparse=True)
        rest = np.full(parts, number)
        for place, size in enumerate(parts):
            if size != cells:
                rest = rest * size + indices[place]
        first, last = indices[places[0]], indices[places[-1]]
        actions[base : base + rest.size] = (first | last << CELL_BITS | (rest % MAX_CELLS) << 2 * CELL_BITS).ravel()
    return actions if some else actions[:0]


def forget_gains(gains: Gains) -> None:
    """Forget what was learned."""
    gains.sorts[:] = 0.0
    gains.noise[:] = 0.0


@inline_kernel
def look_at_cells(gains: Gains, states: I64, at: int) -> None:
    """Note which sets each cell of a state is in."""
    gains.inside[:] = 0
    for plane in range(gains.planes.size):
        word = at + gains.planes[plane]
        for first in range(0, gains.inside.size, 64):
            bits = states[word]
            word += 1
            while bits != 0:
                place = LAST_BIT if bits < 0 else bit_length(bits) - 1
                bits ^= ONE << np.int64(place)
                gains.inside[first + place] |= 1 << plane


@inline_kernel
def sort_of(gains: Gains, player: int, action: int) -> int:
    """Return the sort of an action of the state whose cells were looked at."""
    named = gains.actions[action]
    first, last = gains.inside[named & (MAX_CELLS - 1)], gains.inside[named >> CELL_BITS & (MAX_CELLS - 1)]
    key = int(first) * FIRST_FACTOR + int(last) * LAST_FACTOR
    key += (2 * int(named >> 2 * CELL_BITS) + player) * REST_FACTOR
    return int((key ^ key >> 15 ^ key >> 29) & (SORTS - 1))


@inline_kernel
def note_gain(gains: Gains, sort: int, gain: float) -> None:
    """Learn from an action that was tried: by how much it raised the estimate of its player."""
    known = gains.sorts[sort, OFTEN]
    off = gain - gains.sorts[sort, MEAN]
    gains.sorts[sort, OFTEN] = min(known + 1.0, MEMORY)
    gains.sorts[sort, MEAN] += off / (known + 1.0)
    if known > SETTLED:
        gains.noise[NOTED] = min(gains.noise[NOTED] + 1.0, NOISE_MEMORY)
        gains.noise[NOISE] += (abs(off) - gains.noise[NOISE]) / gains.noise[NOTED]
