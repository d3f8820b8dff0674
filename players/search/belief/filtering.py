"""One more record: from the world states held before to those consistent with it, too.

`expand_all` enumerates: every joint choice of the others and of chance, from every state held, through any number of
transitions that the player is told nothing of. `sample_on` samples instead, guided by the observations: of the branches
of each transition it draws among those that fit, and weights the result by their total probability.

Source: Lisý 2014, figure 3.5; the weights of the samples are those of sequential importance sampling.
"""

from __future__ import annotations

from ggp.model.native.jit import F64, inline_kernel, kernel
from ggp.model.native.rng_kernels import uniform
from players.search.belief.branches import (
    ARRIVED,
    BAD,
    FITS,
    MADE,
    SHOWN,
    Believer,
    Scratch,
    draw_branch,
    extend_keys,
    judge,
    note_shown,
    open_branches,
    set_branch,
    step_on,
)
from players.search.belief.history_tree import NO_HISTORY, USED, Front, HistoryTree, add_history, append, reach
from players.search.belief.told import Told
from players.search.trees.information_tree import InformationTree
from players.search.walk.kernel_arguments import Model

FULL, MISTAKEN = -1, -2
MAX_SILENT = 512
"""Maximum number of consecutive transitions without an observation."""
ENUMERATED = 1024
"""Maximum number of branches of a transition that are all tried before one is drawn."""
TRIES = 64
"""Draws at a transition with more branches."""


@inline_kernel
def load(front: Front, place: int, scratch: Scratch) -> None:
    """Make a member of a front the state at 0."""
    for word in range(front.states.shape[1]):
        scratch.states[word] = front.states[place, word]
    for word in range(front.keys.shape[1]):
        scratch.keys[word] = front.keys[place, word]


@kernel
def expand_all(
    model: Model,
    tree: InformationTree,
    histories: HistoryTree,
    source: Front,
    target: Front,
    scratch: Scratch,
    believer: Believer,
    told: Told,
    record: int,
    begin: int,
    work: int,
) -> int:
    """Enumerate the successors of the members of `source` from `begin` on, until all are done or `work` is used up.

    Successors without an observation are appended to `source`, those that fit the record to `target`.

    Args:
        model: the game.
        tree: of the search, for how the others choose.
        histories: grows.
        source: grows by states between records.
        target: grows.
        scratch: overwritten.
        believer: the player.
        told: the records.
        record: which of them.
        begin: the first member of `source` to process.
        work: transitions after which the kernel returns; one member is always done.

    Returns:
        The first member not processed; FULL if an array is full; MISTAKEN if a record shows less than was assumed, so
        that successors of earlier members may be missing.
    """
    players, until = model.shape.players, scratch.counters[MADE] + work
    place = begin
    while place < source.counters[USED]:
        load(source, place, scratch)
        branches = open_branches(model, tree, scratch, believer, told, record)
        if branches == ARRIVED:
            if not append(target, scratch.states, 0, scratch.keys, source.node[place], source.weight[place]):
                return FULL
        elif branches > target.node.size and scratch.counters[SHOWN] == 0:
            return FULL
        fits = 0
        for branch in range(max(branches, 0)):
            weight = source.weight[place] * set_branch(scratch, players, branch)
            verdict = judge(model, scratch, believer, told, record)
            if verdict == BAD or weight <= 0.0 or not extend_keys(model, scratch):
                continue
            node = add_history(histories, source.node[place], scratch.joint, record)
            if node == NO_HISTORY:
                return FULL
            words = model.shape.state_words
            if verdict == FITS:
                fits += 1
                if fits == 1 and branches > 1 and scratch.counters[SHOWN]:
                    note_shown(scratch, believer, told, record, players, fits)
                elif fits == 2 and not note_shown(scratch, believer, told, record, players, fits):
                    return MISTAKEN
                kept = append(target, scratch.states, words, scratch.next_keys, node, weight)
            else:
                kept = append(source, scratch.states, words, scratch.next_keys, node, weight)
            if not kept:
                return FULL
        place += 1
        if scratch.counters[MADE] >= until:
            break
    return place


@inline_kernel
def pick_fitting(
    model: Model,
    scratch: Scratch,
    believer: Believer,
    told: Told,
    record: int,
    branches: int,
) -> float:
    """Draw one of the branches that fit or are silent, and make its transition.

    Returns:
        The total probability of those branches; 0 if none was found. If there are too many to try all, the share of
        draws that fitted.
    """
    players = model.shape.players
    if branches <= ENUMERATED or scratch.counters[SHOWN]:
        total, chosen, fits = 0.0, -1, 0
        for branch in range(branches):
            probability = set_branch(scratch, players, branch)
            verdict = judge(model, scratch, believer, told, record)
            if verdict == FITS:
                fits += 1
                if scratch.counters[SHOWN] and fits <= 2:
                    note_shown(scratch, believer, told, record, players, fits)
            if verdict != BAD:
                total += probability
                if uniform(scratch.rng, 0) * total < probability:
                    chosen = branch
        if chosen < 0:
            return 0.0
        if branches > 1:
            set_branch(scratch, players, chosen)
            judge(model, scratch, believer, told, record)
        return total
    for attempt in range(TRIES):
        set_branch(scratch, players, draw_branch(scratch, players))
        if judge(model, scratch, believer, told, record) != BAD:
            return 1.0 / (attempt + 1)
    return 0.0


@kernel
def sample_on(
    model: Model,
    tree: InformationTree,
    histories: HistoryTree,
    source: Front,
    cumulative: F64,
    target: Front,
    scratch: Scratch,
    believer: Believer,
    told: Told,
    record: int,
    work: int,
) -> int:
    """Draw members of `source` and continue the game from them up to the record, until `target` is full or `work` is
    used up.

    Args:
        model: the game.
        tree: of the search, for how the others choose.
        histories: grows.
        source: the members before the record.
        cumulative: `[L]` sums of their weights up to each.
        target: grows.
        scratch: overwritten.
        believer: the player.
        told: the records.
        record: which of them.
        work: transitions after which the kernel returns.

    Returns:
        The number of draws, or FULL if `histories` is full.
    """
    until, draws, members = scratch.counters[MADE] + work, 0, source.counters[USED]
    words = model.shape.state_words
    while scratch.counters[MADE] < until and target.counters[USED] < target.node.size:
        drawn = uniform(scratch.rng, 0) * cumulative[members - 1]
        low, high = 0, members - 1
        while low < high:
            middle = (low + high) // 2
            if cumulative[middle] > drawn:
                high = middle
            else:
                low = middle + 1
        load(source, low, scratch)
        node, weight = source.node[low], 1.0
        draws += 1
        scratch.counters[MADE] += 1  # so that draws that fail at once count, too
        for _ in range(MAX_SILENT):
            branches = open_branches(model, tree, scratch, believer, told, record)
            if branches == ARRIVED:
                append(target, scratch.states, 0, scratch.keys, node, weight)
                break
            if branches < 0:
                break
            share = pick_fitting(model, scratch, believer, told, record, branches)
            if share <= 0.0:
                break
            fits = judge(model, scratch, believer, told, record) == FITS
            if not extend_keys(model, scratch):
                break
            weight *= share
            node = reach(histories, node, scratch.joint, record)
            if node == NO_HISTORY:
                return FULL
            if fits:
                append(target, scratch.states, words, scratch.next_keys, node, weight)
                break
            step_on(model, scratch)
    return draws
