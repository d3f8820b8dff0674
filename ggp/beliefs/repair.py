"""Finds histories consistent with all of a player's observations when no held history is any more.

A history is a list of transitions; the choices of the others and of chance in it are what can be varied. `try_history`
replays the best one so far with one choice changed, at random or so that the transition gives the recorded
observation. Choices that became illegal are replaced, first by the one that the change displaced, else by another.
Half of the trials exchange the outcomes of two draws, as of two cards dealt to the wrong hands, and rarely of draws
whose change has made more records differ. Histories with no more errors than before are kept, others sometimes. Of as
many records that differ, those that differ in fewer bits are the better: where a record tells what several others
chose, or a hand of cards, they can be mended one after the other. This local search mends one choice at a time; drawing
whole histories until one is consistent would take time exponential in the number of hidden choices. A history without
errors is varied further.

Dimensions: T transitions, P players.
"""

from __future__ import annotations

import math

from ggp.beliefs.branches import (
    ARRIVED,
    BAD,
    DEAD,
    FITS,
    NOT_SHOWN,
    SILENT,
    Inference,
    extend_keys,
    keep_shown,
    likelihood_of,
    open_branches,
    step_on,
)
from ggp.beliefs.candidate_history import (
    DRAWN,
    ERRORS,
    FEWEST,
    FIRST_ERROR,
    FREE,
    LENGTH,
    MAX_TRANSITIONS,
    NO_CHANGE,
    TRIALS,
    UNTRIED,
    WORSENED,
    CandidateHistory,
    begin_trial,
    draw_change,
    draw_doubtful,
    forget_candidate,
    keep,
    keep_state,
)
from ggp.beliefs.choices import (
    ANY_ACTION,
    PHASE_WORD,
    Scratch,
    any_position,
    draw_branch,
    lost_part,
    position_mended,
    position_of,
    set_branch,
    vary,
)
from ggp.beliefs.history_tree import NO_HISTORY, Front, append, reach
from ggp.beliefs.observation_record import ACTED, KIND, LATER, MOST_DIFFERENT, RECORD
from ggp.codegen.kernels import I64_2D, inline_kernel, kernel
from ggp.native.interface import CHANCE
from ggp.native.rng_kernels import uniform

LOOKED_AT = 64
"""Maximum number of branches of a transition that are all tried for a free choice."""
DRAWS = 12
"""Draws if there are more."""
LEAST = 1e-300
EXCHANGED = 0.5
"""Share of the trials in which two draws of chance exchange their outcomes, as two cards dealt to the wrong hands."""
VARIED = 0.75
"""Share of the trials in which a choice among many is varied, instead of drawn anew."""
WORSE = 0.02
"""Probability of keeping a history in which one more record differs, or as many in more bits. With 0.15, a history in
which one record differed was left, on average, long before the change that mends it was tried; with 0.3 for bits, a
hand of thirteen cards that is told as one set was never found."""
COOLING = 4.0
"""After so many times that a history has become worse since the best one was found, that is half as probable, and so
on: of thirty draws from a hundred cards, one was undone long before the next was found."""
RESTART = 4000
"""Trials without an improvement after which the search starts over."""


@inline_kernel
def replayed_branch(
    scratch: Scratch, candidate: CandidateHistory, blocks: I64_2D, players: int, step: int, displaced: I64_2D
) -> int:
    """Return the branch that repeats a transition of the best history; choices that are illegal are drawn.

    Where a choice is illegal because another one took its place, what that one displaced is taken if it is legal; where
    the other took the place of a part, such as a card of a hand, what it displaced stands for that part.
    """
    branch, weight = 0, 1
    actors = scratch.actors[0]
    for player in range(players + 1):
        size = scratch.sizes[player]
        if size > 1 and ((player == players and actors == CHANCE) or player < players):
            position = position_of(scratch, player, candidate.joint[0, step, player])
            if position < 0:
                if displaced[0, player] >= 0:
                    position = position_of(scratch, player, displaced[0, player])
                    if position < 0:
                        phase = scratch.states[PHASE_WORD] if player == players else ANY_ACTION
                        choice = candidate.joint[0, step, player]
                        position = position_mended(scratch, blocks, player, phase, choice, displaced[1, player])
                if position < 0:
                    position = any_position(scratch, player)
            branch += weight * position
        weight *= size
    return branch


@inline_kernel
def draw_recorded(inference: Inference, record: int, branches: int) -> int:
    """Return a branch for a free choice: one that gives the recorded observation or none, if a few tries find one."""
    scratch, players = inference.scratch, inference.model.shape.players
    if branches == 1:
        return 0
    if branches <= LOOKED_AT or scratch.shown[0]:
        total, chosen, least = 0.0, 0, MOST_DIFFERENT + 1
        for branch in range(branches):
            probability = set_branch(scratch, players, branch)
            verdict = likelihood_of(inference, record)
            if verdict == FITS:
                keep_shown(inference, record)
            different = scratch.different[0] if verdict == BAD else 0
            if different < least:
                total, least = 0.0, different
            if different == least:
                total += probability
                if uniform(scratch.rng, 0) * total < probability:
                    chosen = branch
        return chosen
    branch = draw_branch(scratch, players)
    for _ in range(DRAWS):
        set_branch(scratch, players, branch)
        if likelihood_of(inference, record) != BAD:
            break
        branch = draw_branch(scratch, players)
    return branch


@kernel
def try_history(
    inference: Inference,
    records: int,
    candidate: CandidateHistory,
    change: int,
    other: int,
    guided: bool,
    displaced: I64_2D,
    most: int,
) -> int:
    """Play along the best history with one choice changed; return the number of records that differ.

    It stops as soon as there are more than `most`: the history is then incomplete.

    Args:
        inference: ends with the state and keys at the end.
        records: how many of them count.
        candidate: row 1 is overwritten.
        change: the transition of row 0 whose choice is to change, NO_CHANGE for none.
        other: a later draw whose outcome it takes, and which takes its own; NO_CHANGE: the choice is drawn.
        guided: whether the new choice must give the recorded observation, if one does.
        displaced: `[2, P + 1]`, overwritten: the choices that changed, and the value of a part that they lost.
        most: maximum number of errors.
    """
    model, scratch, observer, observed = inference.model, inference.scratch, inference.observer, inference.observed
    players = model.shape.players
    displaced[0][:] = -1
    record, errors, first_error, within, free, drawn, plausible = 0, 0, records, 0, 0, 0, 0.0
    step = begin_trial(model, scratch, candidate, change)
    if step > 0:
        record = candidate.record[0, step]
        within = step - candidate.first[0, record]
        errors, free, drawn = candidate.before[0, step, 0], candidate.before[0, step, 2], candidate.before[0, step, 3]
        first_error = min(candidate.before[0, step, 1], records)
        plausible = candidate.plausible[0, step]
    else:
        candidate.first[1, 0] = 0
    while record < records and step < MAX_TRANSITIONS and errors <= most:
        branches = open_branches(inference, record, True)
        if branches == DEAD:
            break
        if branches == NOT_SHOWN:  # an error, but the game can go on after it
            scratch.shown[0] = 0
            branches = 1
            for player in range(players + 1):
                branches *= scratch.sizes[player]
        if branches == ARRIVED:
            record += 1
            within = 0
            candidate.first[1, record] = step
            continue
        keep_state(scratch, candidate, step)
        candidate.before[1, step, 0], candidate.before[1, step, 1] = errors, first_error
        candidate.before[1, step, 2], candidate.before[1, step, 3] = free, drawn
        candidate.plausible[1, step] = plausible
        known = candidate.first[0, record] + within
        repeats = known < candidate.counters[0, LENGTH] and candidate.record[0, known] == record
        if repeats and known != change:
            branch = replayed_branch(scratch, candidate, observer.blocks, players, known, displaced)
        elif other != NO_CHANGE and position_of(scratch, players, candidate.joint[0, other, players]) >= 0:
            branch = replayed_branch(scratch, candidate, observer.blocks, players, other, displaced)
        elif repeats and branches > LOOKED_AT and uniform(scratch.rng, 0) < VARIED:
            branch = replayed_branch(scratch, candidate, observer.blocks, players, known, displaced)
            branch = vary(scratch, observer.blocks, players, branch)
        elif guided:
            branch = draw_recorded(inference, record, branches)
        else:
            branch = draw_branch(scratch, players)
        probability = set_branch(scratch, players, branch)
        verdict = likelihood_of(inference, record)
        if repeats and known != change and verdict == BAD and branches > 1 and uniform(scratch.rng, 0) < 0.5:
            # the choice does not fit any more: take one that does, if there is one
            branch = draw_recorded(inference, record, branches)
            probability = set_branch(scratch, players, branch)
            verdict = likelihood_of(inference, record)
        different = int(scratch.different[0])
        if branches > 1:
            candidate.free[1, free] = step
            free += 1
            if scratch.actors[0] == CHANCE:
                candidate.drawn[1, drawn] = step
                drawn += 1
        plausible += math.log(max(probability, LEAST))
        if repeats:
            for player in range(players + 1):
                before, now = candidate.joint[0, known, player], scratch.joint[player]
                if before != now and scratch.sizes[player] > 1:
                    phase = scratch.states[PHASE_WORD] if player == players else ANY_ACTION
                    displaced[0, player] = before
                    displaced[1, player] = lost_part(observer.blocks, phase, before, now)
        candidate.joint[1, step] = scratch.joint
        candidate.record[1, step] = record
        step += 1
        within += 1
        if not extend_keys(inference):
            break
        step_on(inference)
        if verdict == SILENT:
            continue
        if verdict == BAD:
            errors += RECORD + different
            first_error = min(first_error, record)
        later = observed.records[record, LATER] > 0 and observed.records[record, KIND] == ACTED
        record += 1
        candidate.first[1, record] = step
        if later and scratch.told[0] > 0 and record < records:  # right or wrong, it was told when it acted
            record += 1
            candidate.first[1, record] = step
        within = 0
    if record < records:
        first_error = min(first_error, record)
        errors += (RECORD + MOST_DIFFERENT) * (records - record)
    candidate.first[1][record + 1 : records + 1] = step
    candidate.counters[1, LENGTH] = step
    candidate.counters[1, ERRORS] = errors
    candidate.counters[1, FIRST_ERROR] = first_error
    candidate.counters[1, FREE] = free
    candidate.counters[1, DRAWN] = drawn
    candidate.plausible[1, step] = plausible
    return errors


@inline_kernel
def is_kept(scratch: Scratch, candidate: CandidateHistory, errors: int) -> bool:
    """Return whether the tried history replaces the best one.

    Of two consistent ones, a more probable one always does, a less probable one in proportion (Metropolis et al. 1953),
    so that the histories found represent all consistent ones.
    """
    before = candidate.counters[0, ERRORS]
    if errors == 0 and before == 0:
        tried = candidate.plausible[1, candidate.counters[1, LENGTH]]
        difference = tried - candidate.plausible[0, candidate.counters[0, LENGTH]]
        return bool(uniform(scratch.rng, 0) < math.exp(min(difference, 0.0)))
    if errors <= before:
        return True
    more = (errors - before) // RECORD
    if before == 0 or more >= 2:
        return False
    return bool(uniform(scratch.rng, 0) * (1 + candidate.counters[0, WORSENED] / COOLING) < WORSE)


@kernel
def repair(
    inference: Inference, target: Front, records: int, candidate: CandidateHistory, displaced: I64_2D, work: int
) -> int:
    """Continue the local search; append consistent histories to `target` until it is full or `work` is used up.

    Returns:
        The number of histories found, repetitions included; -1 if `histories` is full.
    """
    histories, scratch = inference.histories, inference.scratch
    until, found = scratch.made[0] + work, 0
    while scratch.made[0] < until and target.used[0] < target.node.size:
        untried = candidate.counters[0, FREE] == UNTRIED
        change, other = NO_CHANGE, NO_CHANGE
        if not untried:
            change = draw_change(scratch, candidate, records)
            if candidate.counters[0, DRAWN] > 1 and uniform(scratch.rng, 0) < EXCHANGED:
                one, two = draw_doubtful(scratch, candidate), draw_doubtful(scratch, candidate)
                if one != two:
                    change, other = min(one, two), max(one, two)
        if not untried and change == NO_CHANGE and candidate.counters[0, ERRORS] == 0:
            break  # there is nothing to vary
        guided = candidate.counters[0, LENGTH] == 0 or uniform(scratch.rng, 0) < 0.5
        scratch.made[0] += 1
        before = candidate.counters[0, ERRORS]
        most = 0 if before == 0 else before + 2 * RECORD
        errors = try_history(inference, records, candidate, change, other, guided, displaced, most)
        kept = is_kept(scratch, candidate, errors)
        if other != NO_CHANGE and errors != before:
            for step in (change, other):
                candidate.blame[step] = 0 if errors < before else candidate.blame[step] + 1
        if kept:
            if errors < before:
                candidate.counters[0, TRIALS] = 0
            if errors < candidate.counters[0, FEWEST]:
                candidate.counters[0, FEWEST], candidate.counters[0, WORSENED] = errors, 0
            elif errors > before:
                candidate.counters[0, WORSENED] += 1
            keep(candidate, records)
        candidate.counters[0, TRIALS] += 1
        if errors == 0:
            candidate.counters[0, TRIALS] = 0
            found += 1
            if not kept:
                continue
            node = 0
            for step in range(candidate.counters[0, LENGTH]):
                node = reach(histories, node, candidate.joint[0, step], candidate.record[0, step])
                if node == NO_HISTORY:
                    return -1
            append(target, scratch.states, 0, scratch.keys, node, 1.0)
        elif candidate.counters[0, TRIALS] > RESTART:
            forget_candidate(candidate, records)
    return found
