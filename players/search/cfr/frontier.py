"""How a partial tree grows: nodes are expanded breadth-first, then leaves are valued by random playouts or estimates.

Source: Shafiei, Sturtevant, Schaeffer 2009 (SSS09), section 5: at most 1000 simulations for each leaf, cut off when 25
more change its value by less than 0.1 on utilities from 0 to 100. Here utilities are scaled to [0, 1], so 0.001.

Kernels stop after a given number of small units of work, each about a transition of the game. Their position is kept in
`Progress`, so they can continue. World states are not stored but replayed from the root; the state of the last parent
is kept, since neighbouring leaves share it.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, allocated, inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_step
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.interface import GameShape
from players.search.cfr.partial_tree import (
    ENDED,
    FIRST,
    NEW,
    NODES,
    NONE,
    VALUED,
    WORDS,
    PartialTree,
    add_block,
    block_kind,
    block_length,
    children,
    column_count,
    depth_of,
    labels_begin,
    links_begin,
    outcome_probabilities,
    parent_of,
    place_in_parent,
    row_count,
    set_value,
)
from players.search.foundation.kernel_arguments import LeafOptions, Model, Work, new_work
from players.search.foundation.leaf_values import (
    NO_PLAY,
    NOTHING_KNOWN,
    kind_of,
    legal_of_all,
    other_state,
    value_end,
    value_leaf,
)
from players.search.foundation.node_kinds import CHANCE, DECISION, TERMINAL

GROWING, COMPLETE, FULL = range(3)
SUM, MEAN_BEFORE, SUMS = range(3)
SAMPLES_A_CHECK = 25
LEAST_CHANGE = 0.001
CELLS_A_UNIT = 8
"""Children of a block that a sweep handles in about the time of a transition of the game."""
PARENT_STATE, CHILD_STATE, STATES = 3, 4, 5
"""Places in `work.states`, counted in world states, after the three that simulations use."""


class Progress(NamedTuple):
    """The state of growing, valuing and sweeping."""

    grow_block: Annotated[I64, "1"]  # the next child to expand: its block, and its place there
    grow_place: Annotated[I64, "1"]
    value_block: Annotated[I64, "1"]  # the next child to value, and how many samples of it there are
    value_place: Annotated[I64, "1"]
    samples: Annotated[I64, "1"]
    sweep_block: Annotated[I64, "1"]  # the next block of the sweep, which goes down first, then up; sweeps made
    sweep_stage: Annotated[I64, "1"]
    sweeps: Annotated[I64, "1"]
    loaded: Annotated[I64, "1"]  # the block whose state is at PARENT_STATE, or NONE
    status: Annotated[I64, "1"]  # GROWING, COMPLETE or FULL
    sums: Annotated[F64, "SUMS"]  # of the scaled values of the leaf, to the first player; their mean at the last check
    expected: Annotated[F64, "4 * A"]  # scratch of the sweeps: the value of each action, in two copies
    node_value: Annotated[F64, "2"]  # scratch of the sweeps; after one, the root's value in each copy
    outcomes: Annotated[I64, "C"]  # scratch
    probability: Annotated[F64, "C"]  # scratch


def new_progress(shape: GameShape) -> Progress:
    """Return the progress of a tree in which nothing has been done."""
    return allocated(Progress, **shape.lengths)


def new_growth_work(shape: GameShape) -> Work:
    """Return scratch memory like that of simulations, with room for the states kept here."""
    return new_work(shape)._replace(states=np.zeros(STATES * shape.state_words, np.int64))


@inline_kernel
def look_again(progress: Progress) -> None:
    """Let growing, valuing and sweeping start at the front of the tree."""
    progress.grow_block[0] = progress.value_block[0] = progress.sweep_block[0] = FIRST
    progress.grow_place[0] = progress.value_place[0] = progress.samples[0] = progress.sweep_stage[0] = 0
    progress.loaded[0] = NONE
    progress.status[0] = GROWING
    progress.sums[:] = 0.0


@inline_kernel
def make_transition(model: Model, tree: PartialTree, work: Work, block: int, place: int, at: int, to: int) -> None:
    """Write to `to` the state of a child of the block whose state is at `at`."""
    first = labels_begin(tree, block)
    if block_kind(tree, block) == CHANCE:
        work.joint[model.shape.players] = tree.ints[first + place]
    else:
        rows, columns = row_count(tree, block), column_count(tree, block)
        work.joint[0] = tree.ints[first + place // columns]
        work.joint[1] = tree.ints[first + rows + place % columns]
    call_step(model.functions.step, work.states, at, work.states, to, work.joint, 0)


@inline_kernel
def load_parent(model: Model, tree: PartialTree, work: Work, progress: Progress, block: int) -> int:
    """Write the world state of a block to PARENT_STATE; return the number of transitions made."""
    if progress.loaded[0] == block:
        return 0
    words = model.shape.state_words
    depth, above = 0, block
    while parent_of(tree, above) != NONE:
        work.path_node[depth] = above
        above = parent_of(tree, above)
        depth += 1
    at = 0
    for step in range(depth - 1, -1, -1):
        to = other_state(model, at)
        place = place_in_parent(tree, work.path_node[step])
        make_transition(model, tree, work, above, place, at, to)
        above, at = work.path_node[step], to
    work.states[PARENT_STATE * words : (PARENT_STATE + 1) * words] = work.states[at : at + words]
    progress.loaded[0] = block
    return depth


@inline_kernel
def load_child(model: Model, tree: PartialTree, work: Work, progress: Progress, block: int, place: int) -> int:
    """Write the world state of a child to CHILD_STATE; return the number of transitions made."""
    words = model.shape.state_words
    made = load_parent(model, tree, work, progress, block)
    make_transition(model, tree, work, block, place, PARENT_STATE * words, CHILD_STATE * words)
    return made + 1


@inline_kernel
def end_at(model: Model, tree: PartialTree, work: Work, block: int, place: int, at: int) -> None:
    """Value the child whose terminal state is at `at`."""
    value_end(model, work, at)
    set_value(tree, block, place, work.utility[0], ENDED)


@inline_kernel
def expand_state(
    model: Model, tree: PartialTree, work: Work, progress: Progress, at: int, parent: int, place: int
) -> int:
    """Add the block of a state that is not terminal.

    Returns:
        The block, NONE if the tree is full, or NO_PLAY if the rules give no actions or outcomes.
    """
    functions = model.functions
    actors = call_actors(functions.actors, work.states, at)
    born = progress.sweeps[0]
    if actors == CHANCE_ACTS:
        rows = call_chance(functions.chance, work.states, at, progress.outcomes, 0, progress.probability, 0)
        if rows < 1:
            return NO_PLAY
        block = add_block(tree, CHANCE, rows, 1, parent, place, born)
        if block != NONE:
            probabilities, label = outcome_probabilities(tree, block), labels_begin(tree, block)
            for outcome in range(rows):
                probabilities[outcome] = progress.probability[outcome]
                tree.ints[label + outcome] = progress.outcomes[outcome]
        return block
    total = legal_of_all(model, work, work.states, at, actors)
    if total == NO_PLAY:
        return NO_PLAY
    block = add_block(tree, DECISION, work.counts[0], work.counts[1], parent, place, born)
    if block != NONE:
        label = labels_begin(tree, block)
        for action in range(total):
            tree.ints[label + action] = work.actions[action]
    return block


@kernel
def plant(model: Model, tree: PartialTree, work: Work, progress: Progress) -> None:
    """Add the root's block to an empty tree, unless the root's state, the first of `work.states`, is terminal."""
    look_again(progress)
    if kind_of(model, work.states, 0) == TERMINAL or expand_state(model, tree, work, progress, 0, NONE, 0) <= NONE:
        progress.status[0] = COMPLETE


@kernel
def grow(model: Model, tree: PartialTree, work: Work, progress: Progress, target: int, units: int) -> int:
    """Expand nodes breadth-first up to a number of nodes.

    Args:
        model: the game.
        tree: changed.
        work: the root's world state is the first of `states`; the rest is overwritten.
        progress: where to continue. Its `status` becomes COMPLETE if nothing is left to expand, FULL if there is room
            for no more nodes.
        target: of nodes.
        units: of work.

    Returns:
        The units that are left; 0 or less if they were used up first.
    """
    while units > 0 and progress.status[0] == GROWING and tree.counters[NODES] < target:
        block, place = progress.grow_block[0], progress.grow_place[0]
        if block == tree.counters[WORDS]:
            progress.status[0] = COMPLETE
        elif place == children(tree, block):
            progress.grow_block[0] = block + block_length(tree, block)
            progress.grow_place[0] = 0
            units -= 1 + place // CELLS_A_UNIT
        else:
            link = tree.ints[links_begin(tree, block) + place]
            if link in (NEW, VALUED) and depth_of(tree, block) + 1 < work.path_node.size:
                units -= 1 + load_child(model, tree, work, progress, block, place)
                at = CHILD_STATE * model.shape.state_words
                if kind_of(model, work.states, at) == TERMINAL:
                    end_at(model, tree, work, block, place, at)
                else:
                    added = expand_state(model, tree, work, progress, at, block, place)
                    if added == NO_PLAY:
                        set_value(tree, block, place, NOTHING_KNOWN, ENDED)
                    elif added == NONE:
                        progress.status[0] = FULL
            progress.grow_place[0] = place + (progress.status[0] == GROWING)
    return units


@kernel
def value_leaves(
    model: Model, tree: PartialTree, work: Work, progress: Progress, leaf: LeafOptions, rollouts: int, units: int
) -> int:
    """Value the leaves that have no value yet; the arguments are those of `grow`.

    Args:
        model: the game.
        tree: changed.
        work: as in `grow`.
        progress: where to continue. Its `value_block` is the end of the tree when no leaf is left.
        leaf: how a sample is taken. An estimate without random moves before it is computed only once.
        rollouts: largest number of samples of a leaf.
        units: of work.

    Returns:
        The units that are left; 0 or less if they were used up first.
    """
    words = model.shape.state_words
    if leaf.estimate and leaf.moves == 0:
        rollouts = 1
    while units > 0 and progress.value_block[0] != tree.counters[WORDS]:
        block, place = progress.value_block[0], progress.value_place[0]
        if place == children(tree, block):
            progress.value_block[0] = block + block_length(tree, block)
            progress.value_place[0] = 0
            units -= 1 + place // CELLS_A_UNIT
        elif tree.ints[links_begin(tree, block) + place] != NEW:
            progress.value_place[0] = place + 1
        else:
            at = CHILD_STATE * words
            if progress.samples[0] == 0:
                units -= load_child(model, tree, work, progress, block, place)
                if kind_of(model, work.states, at) == TERMINAL:
                    end_at(model, tree, work, block, place, at)
                    continue
            units -= 1 + value_leaf(model, work, leaf, at)
            if sampled_enough(progress, work.utility[0], rollouts):
                set_value(tree, block, place, progress.sums[SUM] / progress.samples[0], VALUED)
                progress.samples[0] = 0
                progress.sums[:] = 0.0
    return units


@inline_kernel
def sampled_enough(progress: Progress, utility: float, rollouts: int) -> bool:
    """Count a sample of a leaf, and return whether it was the last one, as in SSS09."""
    progress.samples[0] += 1
    progress.sums[SUM] += utility
    samples = progress.samples[0]
    if samples >= rollouts:
        return True
    if samples % SAMPLES_A_CHECK != 0:
        return False
    mean, before = progress.sums[SUM] / samples, progress.sums[MEAN_BEFORE]
    progress.sums[MEAN_BEFORE] = mean
    return bool(samples > SAMPLES_A_CHECK and abs(mean - before) < LEAST_CHANGE)
