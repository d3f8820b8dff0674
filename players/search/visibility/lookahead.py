"""What a player of a visibility game knows after each move, and the value of that.

Dimensions: N cells, D moves from a cell at most, K own units, F units of the other player, L levels.

A *situation* is what the player knows, without how it came about (Lisý 2014, 5.3.1): the cells of its own units, and
the set of cells in which each unit of the other player can be. A move leads to the next situation in 1 + F levels:
first the own units step; then each of the other units either stays hidden, or is seen in some cell. The pursuer wants
the sets of possible cells to be small, the evader wants them to be large: their sizes are the only measure of how well
the evader is hidden.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from ggp.codegen.kernels import F64, I8_2D, I64, I64_2D, U64, allocated, inline_kernel, kernel
from ggp.native.rng_kernels import below

NONE, RANDOM, HEAVY, RLA, REGION, URLA = 0, 1, 2, 3, 4, 5
SIMULATED = 30
"""Moves from the root after which simulations end."""
LOOKAHEAD = 10
"""d of RLA."""
PURSUES, EVADES = 1, -1
MARK = 0
"""In `counters`: how many sets have been marked so far."""


class Graph(NamedTuple):
    """Where units can go, and what they see."""

    moves: I64  # [N] how many cells a unit can step to
    near: I64_2D  # [N, D] these cells
    sees: I8_2D  # [N, N] 1 where an own unit on the first cell sees one of the other player's on the second
    watched: I8_2D  # [N, N] after how many moves a pursuer on the first cell can see the second; at most LOOKAHEAD + 1
    side: int  # PURSUES or EVADES, of the player that searches


class Levels(NamedTuple):
    """Situations at some depths below the root, and scratch memory."""

    own: Annotated[I64, "L, K"]  # where the own units are
    cells: Annotated[I64, "L, F, N"]  # where the others can be, and
    sets: Annotated[I64, "L, F"]  # in how many cells
    known: Annotated[I64, "F"]  # 0 for a unit that can be nearly anywhere: it is left out
    total: Annotated[F64, "L"]  # sum of the sizes of the sets after each move since the root
    made: Annotated[I64, "L"]  # number of these moves
    hidden: Annotated[I64, "L, N"]  # cells in which the present unit stays hidden, and
    seen: Annotated[I64, "L, N"]  # in which it is seen, and
    sizes: Annotated[I64, "L, 2"]  # the numbers of both
    mark: Annotated[I64, "N"]  # the last set that a cell was in
    front: Annotated[I64, "N"]
    counters: Annotated[I64, "1"]
    rng: Annotated[U64, "1"]


def new_levels(levels: int, own: int, others: int, cells: int) -> Levels:
    """Return memory for situations."""
    made = allocated(Levels, L=levels, K=own, F=others, N=cells)
    made.known[:] = 1
    made.rng[0] = 1
    return made


@kernel
def write_watched(moves: I64, near: I64_2D, sees: I8_2D, reached: I64_2D, out: I8_2D) -> None:
    """Write after how many moves a unit on one cell can see another cell.

    Args:
        moves: see `Graph`.
        near: see `Graph`.
        sees: `[N, N]` of the pursuer.
        reached: `[2, N]`, overwritten.
        out: `[N, N]`, overwritten.
    """
    cells = moves.size
    out[:] = LOOKAHEAD + 1
    for start in range(cells):
        reached[1] = -1
        reached[0, 0], reached[1, start] = start, 0
        first, last = 0, 1
        while first < last:
            cell = reached[0, first]
            distance = reached[1, cell]
            first += 1
            for other in range(cells):
                if sees[cell, other] and out[start, other] > distance:
                    out[start, other] = distance
            if distance < LOOKAHEAD:
                for step in range(moves[cell]):
                    beside = near[cell, step]
                    if reached[1, beside] < 0:
                        reached[1, beside] = distance + 1
                        reached[0, last] = beside
                        last += 1


@inline_kernel
def copy_on(levels: Levels, at: int) -> int:
    """Copy the situation of a level to the next level, and return the number of that level."""
    levels.own[at + 1] = levels.own[at]
    for unit in range(levels.sets.shape[1]):
        levels.sets[at + 1, unit] = levels.sets[at, unit]
        levels.cells[at + 1, unit][: levels.sets[at, unit]] = levels.cells[at, unit][: levels.sets[at, unit]]
    levels.total[at + 1] = levels.total[at]
    levels.made[at + 1] = levels.made[at]
    return at + 1


@inline_kernel
def choices(graph: Graph, levels: Levels, at: int) -> int:
    """Return the number of ways in which the own units can step."""
    product = 1
    for unit in range(levels.own.shape[1]):
        product *= graph.moves[levels.own[at, unit]]
    return int(product)


@inline_kernel
def step_own(graph: Graph, levels: Levels, at: int, choice: int) -> None:
    """Write to level `at + 1` the situation after the own units stepped from level `at`, by number `choice`."""
    copy_on(levels, at)
    left = choice
    for unit in range(levels.own.shape[1]):
        cell = levels.own[at, unit]
        levels.own[at + 1, unit] = graph.near[cell, left % graph.moves[cell]]
        left //= graph.moves[cell]


@inline_kernel
def part(graph: Graph, levels: Levels, at: int, unit: int) -> int:
    """Divide the cells where a unit can be after its step into those where it is hidden and where it is seen.

    Returns:
        The number of possible observations: that it is hidden, if it can be, and one for each cell where it is seen.
    """
    if levels.known[unit] == 0:
        levels.sizes[at, 0], levels.sizes[at, 1] = -1, 0
        return 1
    levels.counters[MARK] += 1
    mark, hidden, seen = levels.counters[MARK], 0, 0
    for place in range(levels.sets[at, unit]):
        cell = levels.cells[at, unit, place]
        for step in range(graph.moves[cell]):
            beside = graph.near[cell, step]
            if levels.mark[beside] == mark:
                continue
            levels.mark[beside] = mark
            is_seen = False
            for own in range(levels.own.shape[1]):
                is_seen = is_seen or graph.sees[levels.own[at, own], beside] != 0
            if is_seen:
                levels.seen[at, seen] = beside
                seen += 1
            else:
                levels.hidden[at, hidden] = beside
                hidden += 1
    levels.sizes[at, 0], levels.sizes[at, 1] = hidden, seen
    return seen + (1 if hidden > 0 else 0)


@inline_kernel
def observe(levels: Levels, at: int, unit: int, observation: int, to: int) -> None:
    """Write to level `to`, which is `at` or the next one, the situation after an observation, numbered as in `part`."""
    hidden = levels.sizes[at, 0]
    if to != at:
        copy_on(levels, at)
    if hidden < 0:
        pass
    elif hidden > 0 and observation == 0:
        levels.sets[to, unit] = hidden
        levels.cells[to, unit][:hidden] = levels.hidden[at][:hidden]
    else:
        levels.sets[to, unit] = 1
        levels.cells[to, unit, 0] = levels.seen[at, observation - (1 if hidden > 0 else 0)]
    if unit == levels.sets.shape[1] - 1:
        levels.made[to] += 1
        levels.total[to] += size_of(levels, to)


@inline_kernel
def size_of(levels: Levels, at: int) -> float:
    """Return the number of cells in which the other player's units can be, summed over the units that are followed."""
    total = 0
    for unit in range(levels.sets.shape[1]):
        if levels.known[unit]:
            total += levels.sets[at, unit]
    return float(total)


@inline_kernel
def mean_size(levels: Levels, at: int) -> float:
    """Return the mean size from the root to a level."""
    return float(levels.total[at] / levels.made[at]) if levels.made[at] > 0 else size_of(levels, at)


@inline_kernel
def relaxed_lookahead(graph: Graph, levels: Levels, at: int) -> float:
    """Return RLA, the number of cells in which the evader can stay unseen whatever the pursuers do (eq. 5.9 and 5.10).

    It is a mean over now and the next LOOKAHEAD moves. A cell counts from the move at which the evader can be there
    until the move at which a pursuer can see it.
    """
    levels.counters[MARK] += 1
    mark, last = levels.counters[MARK], 0
    if graph.side == PURSUES:
        for unit in range(levels.sets.shape[1]):
            for place in range(levels.sets[at, unit]):
                if levels.mark[levels.cells[at, unit, place]] != mark:
                    levels.mark[levels.cells[at, unit, place]] = mark
                    levels.front[last] = levels.cells[at, unit, place]
                    last += 1
    else:
        for unit in range(levels.own.shape[1]):
            if levels.mark[levels.own[at, unit]] != mark:
                levels.mark[levels.own[at, unit]] = mark
                levels.front[last] = levels.own[at, unit]
                last += 1
    first, total = 0, 0
    for distance in range(LOOKAHEAD + 1):
        end = last
        while first < end:
            cell = levels.front[first]
            first += 1
            total += max(0, seen_after(graph, levels, at, cell) - distance)
            if distance < LOOKAHEAD:
                for step in range(graph.moves[cell]):
                    beside = graph.near[cell, step]
                    if levels.mark[beside] != mark:
                        levels.mark[beside] = mark
                        levels.front[last] = beside
                        last += 1
    return total / (LOOKAHEAD + 1.0)


@inline_kernel
def seen_after(graph: Graph, levels: Levels, at: int, cell: int) -> int:
    """Return after how many moves a pursuer can see a cell, at most LOOKAHEAD + 1."""
    least = LOOKAHEAD + 1
    if graph.side == PURSUES:
        for unit in range(levels.own.shape[1]):
            least = min(least, graph.watched[levels.own[at, unit], cell])
    else:
        for unit in range(levels.sets.shape[1]):
            if levels.known[unit]:
                for place in range(levels.sets[at, unit]):
                    least = min(least, graph.watched[levels.cells[at, unit, place], cell])
    return int(least)


@inline_kernel
def simulate(graph: Graph, levels: Levels, at: int, heavy: bool) -> None:
    """Play on at random from a level, in place, until SIMULATED moves have been made since the root.

    Args:
        graph: the game.
        levels: level `at` is overwritten, and serves as scratch.
        at: the level.
        heavy: whether own units prefer cells from which they see a unit that is in sight now, and the other units hide
            if they can (figure 5.1); else everything is drawn uniformly, beginning with whether a unit is seen.
    """
    while levels.made[at] < SIMULATED:
        for unit in range(levels.own.shape[1]):
            cell = levels.own[at, unit]
            chosen, fitting = graph.near[cell, below(levels.rng, 0, graph.moves[cell])], 0
            if heavy and levels.sets.shape[1] == 1 and levels.sets[at, 0] == 1:
                for step in range(graph.moves[cell]):
                    beside = graph.near[cell, step]
                    if graph.sees[beside, levels.cells[at, 0, 0]]:
                        fitting += 1
                        if below(levels.rng, 0, fitting) == 0:
                            chosen = beside
            levels.own[at, unit] = chosen
        for unit in range(levels.sets.shape[1]):
            observations, drawn = part(graph, levels, at, unit), 0
            if levels.sizes[at, 0] > 0:
                if observations > 1 and not heavy and below(levels.rng, 0, 2) == 1:
                    drawn = 1 + below(levels.rng, 0, observations - 1)
            elif observations > 1:
                drawn = below(levels.rng, 0, observations)
            observe(levels, at, unit, drawn, at)


@inline_kernel
def value(graph: Graph, levels: Levels, at: int, way: int) -> float:
    """Return the value of a level to the player, larger is better; simulations overwrite the level.

    Logarithms of the sizes are used, so that differences between small ones count more (after eq. 5.12), except in
    URLA, which adds a size and a region.
    """
    if way == RLA:
        size = relaxed_lookahead(graph, levels, at)
    elif way == URLA:
        return -graph.side * (relaxed_lookahead(graph, levels, at) + mean_size(levels, at))
    elif way == REGION:
        size = size_of(levels, at)
    else:
        if way != NONE:
            simulate(graph, levels, at, way == HEAVY)
        size = mean_size(levels, at)
    return -graph.side * math.log10(1.0 + size)
