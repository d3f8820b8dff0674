"""Sweeps over a partial tree: each is an iteration of CFR (SSS09, figure 3), and can be interrupted at any node."""

from __future__ import annotations

from ggp.codegen.kernels import inline_kernel, kernel
from players.search.cfr.counterfactual_regret import SweepOptions, update, write_reach
from players.search.cfr.frontier import CELLS_A_UNIT, Progress
from players.search.cfr.partial_tree import (
    FIRST,
    LAST,
    NONE,
    WORDS,
    PartialTree,
    block_length,
    child_values,
    children,
    parent_of,
    place_in_parent,
    previous_block,
)
from players.search.cfr.restricted_nash import update_restricted, write_restricted_reach

DOWN, UP = 0, 1
BLOCKS_A_UNIT = 4
"""Number of blocks that the pass down the tree handles in the time of a unit."""


@kernel
def sweep(tree: PartialTree, progress: Progress, options: SweepOptions, until: int, units: int) -> int:
    """Sweep until `until` sweeps have been made in all, or the units are used up.

    Args:
        tree: changed; not empty, and every leaf has a value. With two copies, it is a restricted Nash search.
        progress: where to continue; its `sweeps` counts them.
        options: for `update`.
        until: the number of sweeps to stop at.
        units: of work, as in `grow`.

    Returns:
        The units that are left; 0 or less if they were used up first.
    """
    while units > 0 and progress.sweeps[0] < until:
        block = progress.sweep_block[0]
        if progress.sweep_stage[0] == DOWN:
            passed = 0
            while block != tree.counters[WORDS] and passed < BLOCKS_A_UNIT:
                if tree.copies == 1:
                    write_reach(tree, block)
                else:
                    write_restricted_reach(tree, block, options)
                block += block_length(tree, block)
                passed += 1
            units -= 1
            if block == tree.counters[WORDS]:
                progress.sweep_stage[0] = UP
                block = tree.counters[LAST]
        else:
            units -= 1 + children(tree, block) * tree.copies // CELLS_A_UNIT
            pass_up(tree, progress, options, block)
            block = previous_block(tree, block)
            if block == NONE:
                progress.sweeps[0] += 1
                progress.sweep_stage[0] = DOWN
                block = FIRST
        progress.sweep_block[0] = block
    return units


@inline_kernel
def pass_up(tree: PartialTree, progress: Progress, options: SweepOptions, block: int) -> None:
    """Update a node, and write its values to its parent."""
    parent, place = parent_of(tree, block), place_in_parent(tree, block)
    values = progress.node_value
    if tree.copies == 1:
        values[0] = update(tree, block, options, progress.expected)
    else:
        update_restricted(tree, block, options, progress.expected, values)
    if parent != NONE:
        for copy in range(tree.copies):
            seen = child_values(tree, parent, copy)
            seen[place] = values[copy]
