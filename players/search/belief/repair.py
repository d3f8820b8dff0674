"""Finds histories that fit everything a player was told, where none that was held does any more.

A history is a list of transitions; the choices of the others and of chance in it are what can be varied. `try_history`
plays the game once more along the best one so far with a choice changed, at random or so that the transition is told as
it was. Choices that have become illegal give way, first to the one that the change displaced (so that two cards drawn
in turn can change places), else to another. It counts the records that come out differently. Histories with no more
errors are kept, others sometimes: a local search, which mends one thing at a time, where drawing whole histories until
one fits would take time exponential in their number of hidden choices. A history without errors is varied further.

Dimensions: T transitions, P players.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ggp.model.native.calls import call_init
from ggp.model.native.information_states import KEY_WORDS, start_key
from ggp.model.native.interface import CHANCE
from ggp.model.native.jit import F64, I64, inline_kernel, kernel
from ggp.model.native.rng_kernels import below, uniform
from players.search.belief.branches import (
    ACTORS,
    ARRIVED,
    BAD,
    DEAD,
    FITS,
    MADE,
    NOT_SHOWN,
    SHOWN,
    SILENT,
    Believer,
    Scratch,
    draw_branch,
    extend_keys,
    judge,
    note_shown,
    open_branches,
    position_of,
    set_branch,
    step_on,
)
from players.search.belief.history_tree import NO_HISTORY, USED, Front, HistoryTree, append, reach
from players.search.belief.told import Told
from players.search.trees.information_tree import InformationTree
from players.search.walk.kernel_arguments import Model

MAX_TRANSITIONS = 4096
LOOKED_AT = 64
"""Branches of a transition, at most, that are all looked at where a choice is free."""
DRAWS = 12
"""Draws where there are more."""
LENGTH, ERRORS, FIRST_ERROR, FREE, TRIALS, COUNTERS = 0, 1, 2, 3, 4, 5
UNTRIED = -1
NO_CHANGE = -1
LEAST = 1e-300
WORSE = 0.15
"""Probability with which a history with one error more is kept."""
RESTART = 4000
"""Trials without an improvement after which the search begins anew, from nothing."""


class Draft(NamedTuple):
    """A history in the making; row 0 the best so far, row 1 the one being tried."""

    joint: I64  # [2, T, P + 1]
    record: I64  # [2, T] the record that the transition belongs to
    first: I64  # [2, R + 2] the first transition that belongs to each record
    node: I64  # [T + 1] nodes of the tried history where it has been entered
    free: I64  # [2, T] the transitions whose choice may be another one: the player neither made nor was shown it
    counters: I64  # [2, COUNTERS] transitions, errors, the record of the first error, free transitions (UNTRIED where
    #     they have not been listed); of row 0 also trials since the last improvement
    plausible: F64  # [2] logarithm of the probability of all choices


def new_draft(players: int, records: int) -> Draft:
    """Return an empty draft for so many records."""
    return Draft(
        np.zeros((2, MAX_TRANSITIONS, players + 1), np.int64),
        np.zeros((2, MAX_TRANSITIONS), np.int64),
        np.zeros((2, records + 2), np.int64),
        np.zeros(MAX_TRANSITIONS + 1, np.int64),
        np.zeros((2, MAX_TRANSITIONS), np.int64),
        np.zeros((2, COUNTERS), np.int64),
        np.zeros(2),
    )


@inline_kernel
def recall(scratch: Scratch, draft: Draft, players: int, step: int, displaced: I64) -> int:
    """Return the branch that repeats a transition of the best history; choices that are illegal are drawn.

    Where a choice is illegal because another one took its place, what that one displaced is taken if it is legal.
    """
    branch, weight = 0, 1
    actors = scratch.counters[ACTORS]
    for player in range(players + 1):
        size = scratch.sizes[player]
        if size > 1 and ((player == players and actors == CHANCE) or player < players):
            position = position_of(scratch, player, draft.joint[0, step, player])
            if position < 0:
                if displaced[player] >= 0:
                    position = position_of(scratch, player, displaced[player])
                if position < 0:
                    position = below(scratch.rng, 0, size)
            branch += weight * position
        weight *= size
    return branch


@inline_kernel
def draw_told(model: Model, scratch: Scratch, believer: Believer, told: Told, record: int, branches: int) -> int:
    """Return a branch for a free choice: one that is told as it was, or silent, if a few looks find one."""
    players = model.shape.players
    if branches == 1:
        return 0
    if branches <= LOOKED_AT or scratch.counters[SHOWN]:
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
        return chosen if chosen >= 0 else draw_branch(scratch, players)
    branch = draw_branch(scratch, players)
    for _ in range(DRAWS):
        set_branch(scratch, players, branch)
        if judge(model, scratch, believer, told, record) != BAD:
            break
        branch = draw_branch(scratch, players)
    return branch


@kernel
def try_history(
    model: Model,
    tree: InformationTree,
    scratch: Scratch,
    believer: Believer,
    told: Told,
    records: int,
    draft: Draft,
    change: int,
    guided: bool,
    displaced: I64,
    most: int,
) -> int:
    """Play along the best history with one choice changed; return the number of records that differ.

    It stops as soon as there are more than are of use: the history is then incomplete.

    Args:
        model: the game.
        tree: of the search, for how the others choose.
        scratch: overwritten; ends with the state and keys at the end.
        believer: the player.
        told: the records.
        records: how many of them count.
        draft: row 1 is overwritten.
        change: the transition of row 0 whose choice is to change, NO_CHANGE for none.
        guided: whether the new choice is one that is told as it was, if there is one.
        displaced: `[P + 1]`, overwritten.
        most: errors of use.
    """
    players = model.shape.players
    call_init(model.functions.init, scratch.states, 0)
    for player in range(players):
        start_key(scratch.keys, KEY_WORDS * player)
    for player in range(players + 1):
        displaced[player] = -1
    record, step, errors, first_error, within = 0, 0, 0, records, 0
    draft.first[1, 0] = 0
    free, plausible = 0, 0.0
    while record < records and step < MAX_TRANSITIONS and errors <= most:
        branches = open_branches(model, tree, scratch, believer, told, record)
        if branches == DEAD:
            break
        if branches == NOT_SHOWN:  # an error, but one after which the game can go on
            scratch.counters[SHOWN] = 0
            branches = 1
            for player in range(players + 1):
                branches *= scratch.sizes[player]
        if branches == ARRIVED:
            record += 1
            within = 0
            draft.first[1, record] = step
            continue
        known = draft.first[0, record] + within
        repeats = known < draft.counters[0, LENGTH] and draft.record[0, known] == record
        if repeats and known != change:
            branch = recall(scratch, draft, players, known, displaced)
        elif guided:
            branch = draw_told(model, scratch, believer, told, record, branches)
        else:
            branch = draw_branch(scratch, players)
        probability = set_branch(scratch, players, branch)
        verdict = judge(model, scratch, believer, told, record)
        if repeats and known != change and verdict == BAD and branches > 1 and uniform(scratch.rng, 0) < 0.5:
            # what was chosen does not fit any more: something that does, if there is something
            branch = draw_told(model, scratch, believer, told, record, branches)
            probability = set_branch(scratch, players, branch)
            verdict = judge(model, scratch, believer, told, record)
        if branches > 1:
            draft.free[1, free] = step
            free += 1
        plausible += math.log(max(probability, LEAST))
        if repeats:
            for player in range(players + 1):
                if draft.joint[0, known, player] != scratch.joint[player] and scratch.sizes[player] > 1:
                    displaced[player] = draft.joint[0, known, player]
        for player in range(players + 1):
            draft.joint[1, step, player] = scratch.joint[player]
        draft.record[1, step] = record
        step += 1
        within += 1
        if not extend_keys(model, scratch):
            break
        step_on(model, scratch)
        if verdict == SILENT:
            continue
        if verdict == BAD:
            errors += 1
            first_error = min(first_error, record)
        record += 1
        within = 0
        draft.first[1, record] = step
    if record < records:
        first_error = min(first_error, record)
        errors += records - record
    for left in range(record + 1, records + 1):
        draft.first[1, left] = step
    draft.counters[1, LENGTH] = step
    draft.counters[1, ERRORS] = errors
    draft.counters[1, FIRST_ERROR] = first_error
    draft.counters[1, FREE] = free
    draft.plausible[1] = plausible
    return errors


@inline_kernel
def keep(draft: Draft, records: int) -> None:
    """Make the tried history the best."""
    for step in range(draft.counters[1, LENGTH]):
        draft.record[0, step] = draft.record[1, step]
        for player in range(draft.joint.shape[2]):
            draft.joint[0, step, player] = draft.joint[1, step, player]
    for record in range(records + 1):
        draft.first[0, record] = draft.first[1, record]
    for place in range(draft.counters[1, FREE]):
        draft.free[0, place] = draft.free[1, place]
    for counter in range(LENGTH, FREE + 1):
        draft.counters[0, counter] = draft.counters[1, counter]
    draft.plausible[0] = draft.plausible[1]


@inline_kernel
def forget_draft(draft: Draft, records: int) -> None:
    """Begin from nothing."""
    draft.counters[0, LENGTH] = 0
    draft.counters[0, ERRORS] = records + 1
    draft.counters[0, FIRST_ERROR] = 0
    draft.counters[0, FREE] = UNTRIED
    draft.counters[0, TRIALS] = 0


@inline_kernel
def draw_change(scratch: Scratch, draft: Draft, records: int) -> int:
    """Return the transition of the best history whose choice is to change, NO_CHANGE where there is none.

    Only what came before the first error can be its cause, so every other time one of those is taken.
    """
    free = draft.counters[0, FREE]
    if free <= 0:
        return NO_CHANGE
    if draft.counters[0, ERRORS] > 0 and uniform(scratch.rng, 0) < 0.5:
        first_error = min(draft.counters[0, FIRST_ERROR], records - 1)
        low, high, end = 0, free, draft.first[0, first_error + 1]
        while low < high:
            middle = (low + high) // 2
            if draft.free[0, middle] <= end:
                low = middle + 1
            else:
                high = middle
        free = max(low, 1)
    return int(draft.free[0, below(scratch.rng, 0, free)])


@inline_kernel
def is_kept(scratch: Scratch, draft: Draft, errors: int) -> bool:
    """Return whether the tried history takes the place of the best one.

    Of two that fit, the more probable one does, the other one in proportion (Metropolis et al. 1953), so that those
    found stand for all that fit.
    """
    before = draft.counters[0, ERRORS]
    if errors == 0 and before == 0:
        return bool(uniform(scratch.rng, 0) < math.exp(min(draft.plausible[1] - draft.plausible[0], 0.0)))
    return bool(errors <= before or (before > 0 and errors == before + 1 and uniform(scratch.rng, 0) < WORSE))


@kernel
def repair(
    model: Model,
    tree: InformationTree,
    histories: HistoryTree,
    target: Front,
    scratch: Scratch,
    believer: Believer,
    told: Told,
    records: int,
    draft: Draft,
    displaced: I64,
    work: int,
) -> int:
    """Go on with the local search; append histories that fit all records to `target`, until it is full or work done.

    Returns:
        How many histories were found, the same one again included; -1 where `histories` has no room.
    """
    until, found = scratch.counters[MADE] + work, 0
    while scratch.counters[MADE] < until and target.counters[USED] < target.node.size:
        untried = draft.counters[0, FREE] == UNTRIED
        change = NO_CHANGE if untried else draw_change(scratch, draft, records)
        if not untried and change == NO_CHANGE and draft.counters[0, ERRORS] == 0:
            break  # nothing can be otherwise
        guided = draft.counters[0, LENGTH] == 0 or uniform(scratch.rng, 0) < 0.5
        scratch.counters[MADE] += 1
        before = draft.counters[0, ERRORS]
        most = 0 if before == 0 else before + 1
        errors = try_history(model, tree, scratch, believer, told, records, draft, change, guided, displaced, most)
        kept = is_kept(scratch, draft, errors)
        if kept:
            if errors < before:
                draft.counters[0, TRIALS] = 0
            keep(draft, records)
        draft.counters[0, TRIALS] += 1
        if errors == 0:
            draft.counters[0, TRIALS] = 0
            found += 1
            if not kept:
                continue
            node = 0
            for step in range(draft.counters[1, LENGTH]):
                node = reach(histories, node, draft.joint[1, step], draft.record[1, step])
                if node == NO_HISTORY:
                    return -1
            append(target, scratch.states, 0, scratch.keys, node, 1.0)
        elif draft.counters[0, TRIALS] > RESTART:
            forget_draft(draft, records)
    return found


@kernel
def load_draft(histories: HistoryTree, node: int, draft: Draft, records: int) -> None:
    """Make a held history the best so far, whatever it is worth.

    Args:
        histories: where it is.
        node: its end.
        draft: row 0 is overwritten.
        records: how many there are now.
    """
    forget_draft(draft, records)
    length, at = 0, node
    while at > 0:
        length += 1
        at = histories.parent[at]
    if length > MAX_TRANSITIONS:
        return
    step, at = length, node
    while at > 0:
        step -= 1
        draft.record[0, step] = histories.record[at]
        for player in range(draft.joint.shape[2]):
            draft.joint[0, step, player] = histories.joint[at, player]
        at = histories.parent[at]
    step = 0
    for record in range(records + 1):
        while step < length and draft.record[0, step] < record:
            step += 1
        draft.first[0, record] = step
    draft.counters[0, LENGTH] = length
    draft.counters[0, FIRST_ERROR] = records
