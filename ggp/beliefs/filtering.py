"""One more record: from the world states held before to those consistent with it, too.

`expand_all` enumerates: every joint choice of the others and of chance, from every state held, through any number of
transitions that the player is told nothing of. `sample_on` samples instead, guided by the observations: of the branches
of each transition it draws among those that fit, and weights the result by their total probability.

Source: Lisý 2014, figure 3.5; the weights of the samples are those of sequential importance sampling.
"""

from __future__ import annotations

from ggp.beliefs.branches import (
    ARRIVED,
    BAD,
    FITS,
    SILENT,
    Inference,
    add_passed,
    extend_keys,
    keep_shown,
    likelihood_of,
    open_branches,
    pass_over,
    step_on,
)
from ggp.beliefs.choices import Scratch, draw_branch, set_branch
from ggp.beliefs.history_tree import (
    NO_HISTORY,
    Front,
    add_history,
    append,
    reach,
)
from ggp.beliefs.observation_record import KIND, RESTING
from ggp.codegen.kernels import F64, inline_kernel, kernel
from ggp.native.calls import call_actors
from ggp.native.rng_kernels import coprime_stride, drawn_place, uniform

FULL = -1
MAX_SILENT = 512
"""Maximum number of consecutive transitions without an observation."""
ENUMERATED = 1024
"""Maximum number of branches of a transition that are all tried before one is drawn."""
TRIES, SPARED = 64, 32
"""Draws at a transition with more branches: at least so many, or one for every 32 branches, as time allows."""


@inline_kernel
def load(front: Front, place: int, scratch: Scratch) -> None:
    """Make a member of a front the state at 0."""
    scratch.states[: front.states.shape[1]] = front.states[place]
    scratch.keys[:] = front.keys[place]


@kernel
def expand_all(inference: Inference, source: Front, target: Front, record: int, begin: int, work: int) -> int:
    """Enumerate the successors of the members of `source` from `begin` on, until all are done or `work` is used up.

    Successors without an observation are appended to `source`, those that fit the record to `target`.

    Args:
        inference: its histories grow.
        source: grows by states between records.
        target: grows.
        record: the next one.
        begin: the first member of `source` to process.
        work: transitions after which the kernel returns. If it does so in the middle of a member, the next call goes on
            there.

    Returns:
        The first member not yet done; FULL if an array is full, or would be.
    """
    model, histories, scratch = inference.model, inference.histories, inference.scratch
    players, words = model.shape.players, model.shape.state_words
    until = scratch.made[0] + work
    place = begin
    first = int(scratch.resumed[0])
    while place < source.used[0]:
        scratch.resumed[0] = 0
        load(source, place, scratch)
        branches = open_branches(inference, record, False)
        rests = inference.observed.records[record, KIND] == RESTING and first == 0
        if (branches == ARRIVED or rests) and not append(
            target, scratch.states, 0, scratch.keys, source.node[place], source.weight[place]
        ):
            return FULL
        if branches > target.node.size and scratch.shown[0] == 0 and place < source.used[0] - 1:
            return FULL  # the last member may have more, as when six dice are thrown at once: most of them do not fit
        stride = coprime_stride(branches) if branches > ENUMERATED and scratch.shown[0] == 0 else 1
        for branch in range(first, max(branches, 0)):
            if scratch.made[0] >= until and branch > first and scratch.shown[0] == 0:
                scratch.resumed[0] = branch
                return place
            weight = source.weight[place] * set_branch(scratch, players, branch * stride % branches)
            verdict = likelihood_of(inference, record)
            if verdict == BAD or weight <= 0.0 or not extend_keys(inference):
                continue
            if verdict == FITS:
                keep_shown(inference, record)
            scratch.passed_count[0] = 0
            if verdict == SILENT:
                verdict = pass_over(inference, record)
                if verdict == BAD:
                    continue
            node = add_passed(inference, add_history(histories, source.node[place], scratch.joint, record), record)
            if node == NO_HISTORY:
                return FULL
            into = target if verdict == FITS else source
            if not append(into, scratch.states, words, scratch.next_keys, node, weight):
                return FULL
        place += 1
        first = 0
        if scratch.made[0] >= until:
            break
    return place


@kernel
def keep_acting(inference: Inference, front: Front) -> int:
    """Keep only the members of a front in which the player acts, if there are any; return how many these are."""
    actors, role, acting = inference.model.functions.actors, inference.observer.role, 0
    for place in range(front.used[0]):
        load(front, place, inference.scratch)
        mask = call_actors(actors, inference.scratch.states, 0)
        if mask > 0 and bool(mask >> role & 1):
            front.states[acting] = front.states[place]
            front.keys[acting] = front.keys[place]
            front.node[acting] = front.node[place]
            front.weight[acting] = front.weight[place]
            acting += 1
    if acting > 0:
        front.used[0] = acting
    return acting


@inline_kernel
def pick_fitting(inference: Inference, record: int, branches: int) -> float:
    """Draw one of the branches that fit or are silent, and make its transition.

    Returns:
        The total probability of those branches; 0 if none was found.
    """
    scratch, players = inference.scratch, inference.model.shape.players
    total, chosen = 0.0, -1
    for branch in range(branches):
        probability = set_branch(scratch, players, branch)
        verdict = likelihood_of(inference, record)
        if verdict == FITS:
            keep_shown(inference, record)
        if verdict != BAD:
            total += probability
            if uniform(scratch.rng, 0) * total < probability:
                chosen = branch
    if chosen < 0:
        return 0.0
    if branches > 1:
        set_branch(scratch, players, chosen)
        likelihood_of(inference, record)
    return total


@inline_kernel
def draw_many(
    inference: Inference,
    target: Front,
    record: int,
    branches: int,
    parent: int,
    weight: float,
    most: int,
    until: int,
) -> tuple[int, int]:
    """Draw branches of a transition that has very many, since listing them takes far longer than to try one.

    Those that fit are appended to `target`, up to `most`. If the first possible one is silent, play goes on from it.

    Args:
        inference: the branches are listed; its histories grow. If play goes on, the state to go on from follows that
            at 0.
        target: grows.
        record: the next one.
        branches: how many there are.
        parent: the history so far.
        weight: of that history.
        most: maximum number to append.
        until: transitions made, in all, after which no more than TRIES are drawn.

    Returns:
        The number of draws up to a silent branch from which play goes on, 0 if there is none; the history up to there,
        or NO_HISTORY if the tree is full.
    """
    model, histories, scratch = inference.model, inference.histories, inference.scratch
    players, words = model.shape.players, model.shape.state_words
    begin = target.used[0]
    attempts, possible = 0, 0
    for _ in range(max(TRIES, branches // SPARED)):
        if target.used[0] >= min(begin + most, target.node.size):
            break
        if attempts >= TRIES and scratch.made[0] >= until:
            break
        attempts += 1
        set_branch(scratch, players, draw_branch(scratch, players))
        verdict = likelihood_of(inference, record)
        if verdict == BAD or not extend_keys(inference):
            continue
        scratch.passed_count[0] = 0
        if verdict == SILENT:
            verdict = pass_over(inference, record)
            if verdict == BAD:
                continue
        possible += 1
        if verdict == SILENT and possible > 1:
            continue
        node = add_passed(inference, reach(histories, parent, scratch.joint, record), record)
        if verdict == SILENT or node == NO_HISTORY:
            return attempts, node
        append(target, scratch.states, words, scratch.next_keys, node, 1.0)
    found = target.used[0] - begin
    for place in range(begin, target.used[0]):
        target.weight[place] = weight * possible / (found * attempts)
    return 0, parent


@kernel
def sample_on(inference: Inference, source: Front, cumulative: F64, target: Front, record: int, work: int) -> int:
    """Draw members of `source` and continue the game from them up to the record, until `target` is full or `work` is
    used up.

    Args:
        inference: its histories grow.
        source: the members before the record.
        cumulative: `[L]` sums of their weights up to each.
        target: grows.
        record: the next one.
        work: transitions after which the kernel returns.

    Returns:
        The number of draws, or FULL if `histories` is full.
    """
    model, histories, scratch = inference.model, inference.histories, inference.scratch
    until, draws, members = scratch.made[0] + work, 0, source.used[0]
    words = model.shape.state_words
    while scratch.made[0] < until and target.used[0] < target.node.size:
        member = drawn_place(scratch.rng, 0, cumulative, members)
        load(source, member, scratch)
        node, weight = source.node[member], 1.0
        draws += 1
        scratch.made[0] += 1  # so that draws that fail at once count, too
        for _ in range(MAX_SILENT):
            branches = open_branches(inference, record, False)
            if branches == ARRIVED:
                append(target, scratch.states, 0, scratch.keys, node, weight)
                break
            if branches < 0:
                break
            if branches > ENUMERATED and scratch.shown[0] == 0:
                most = 1 + target.node.size // members
                attempts, node = draw_many(inference, target, record, branches, node, weight, most, until)
                if node == NO_HISTORY:
                    return FULL
                if attempts == 0:
                    break
                weight /= attempts
                step_on(inference)
                continue
            share = pick_fitting(inference, record, branches)
            if share <= 0.0:
                break
            fits = likelihood_of(inference, record) == FITS
            if not extend_keys(inference):
                break
            weight *= share
            node = reach(histories, node, scratch.joint, record)
            if node == NO_HISTORY:
                return FULL
            if fits:
                append(target, scratch.states, words, scratch.next_keys, node, weight)
                break
            step_on(inference)
    return draws
