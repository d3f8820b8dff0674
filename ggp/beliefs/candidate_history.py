"""The history that a repair starts from, and the one that it tries instead.

Dimensions: T transitions, R records, P players, W words of a world state, S transitions whose state is kept.

Row 0 is the best history so far, row 1 the one being tried. A trial begins at the transition whose choice changes, from
the state kept there, so row 1 holds only what comes from there on, and so does what is copied when it is better.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ggp.beliefs.choices import Scratch
from ggp.beliefs.history_tree import HistoryTree
from ggp.beliefs.observation_record import RECORD
from ggp.codegen.kernels import F64, I64, U64, allocated, inline_kernel, kernel
from ggp.native.calls import call_init
from ggp.native.information_states import KEY_WORDS, start_key
from ggp.native.interface import GameShape, NativeRules
from ggp.native.rng_kernels import below, uniform

MAX_TRANSITIONS = 4096
KEPT_WORDS = 1 << 20
"""Maximum number of states kept; trials of later changes start from the last one."""
LENGTH, ERRORS, FIRST_ERROR, FREE, DRAWN, TRIALS, START, FEWEST, WORSENED, COUNTERS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
UNTRIED = -1
NO_CHANGE = -1
DOUBTS = 16
"""Maximum number of draws of a transition that is not known to be right."""
NEARBY = 0.75
"""Probability with which the search for the choice to change goes one transition further back."""


class CandidateHistory(NamedTuple):
    """Two histories; see the module's text."""

    joint: Annotated[I64, "2, T, P + 1"]
    record: Annotated[I64, "2, T"]  # the record that the transition belongs to
    first: Annotated[I64, "2, R + 2"]  # the first transition that belongs to each record
    free: Annotated[I64, "2, T"]  # the transitions whose choice may be another one: the player neither made nor was
    #     shown it
    drawn: Annotated[I64, "2, T"]  # those of chance
    blame: Annotated[I64, "T"]  # of row 0, how often a change of the transition's choice made more records differ
    counters: Annotated[I64, "2, COUNTERS"]  # transitions; errors, RECORD for each record that differs, and 1 for each
    #     bit; the record of the first error; free transitions (UNTRIED where they have not been listed); those of
    #     chance; of row 0 also trials since the last improvement, the fewest errors
    #     so far, and how often it has become worse since then; of row 1 where it begins
    before: Annotated[I64, "2, T, 4"]  # before each transition: errors, record of the first error, free transitions,
    #     those of chance
    plausible: Annotated[F64, "2, T + 1"]  # before each transition: logarithm of the probability of all choices
    states: Annotated[I64, "2, S, W"]  # before each transition
    keys: Annotated[U64, "2, S, 2 * P"]  # before each transition


def new_candidate(shape: GameShape, records: int) -> CandidateHistory:
    """Return an empty candidate for `records` records."""
    kept = max(1, min(MAX_TRANSITIONS, KEPT_WORDS // max(shape.state_words, 1)))
    return allocated(CandidateHistory, T=MAX_TRANSITIONS, R=records, S=kept, **shape.lengths)


@inline_kernel
def forget_candidate(candidate: CandidateHistory, records: int) -> None:
    """Reset the candidate."""
    candidate.blame[: candidate.counters[0, LENGTH]] = 0
    candidate.counters[0, LENGTH] = 0
    candidate.counters[0, ERRORS] = 2 * RECORD * (records + 1)
    candidate.counters[0, FIRST_ERROR] = 0
    candidate.counters[0, FREE] = UNTRIED
    candidate.counters[0, TRIALS] = candidate.counters[0, WORSENED] = 0
    candidate.counters[0, FEWEST] = candidate.counters[0, ERRORS]


@kernel
def load_candidate(histories: HistoryTree, node: int, candidate: CandidateHistory, records: int) -> None:
    """Make a held history the best so far, regardless of its errors.

    Args:
        histories: where it is.
        node: its end.
        candidate: row 0 is overwritten.
        records: their current number.
    """
    forget_candidate(candidate, records)
    length, at = 0, node
    while at > 0:
        length += 1
        at = histories.parent[at]
    if length > MAX_TRANSITIONS:
        return
    step, at = length, node
    while at > 0:
        step -= 1
        candidate.record[0, step] = histories.record[at]
        candidate.joint[0, step] = histories.joint[at]
        at = histories.parent[at]
    step = 0
    for record in range(records + 1):
        while step < length and candidate.record[0, step] < record:
            step += 1
        candidate.first[0, record] = step
    candidate.counters[0, LENGTH] = length
    candidate.counters[0, FIRST_ERROR] = records


@inline_kernel
def begin_trial(model: NativeRules, scratch: Scratch, candidate: CandidateHistory, change: int) -> int:
    """Set `scratch` to the state from which a trial starts; return the number of its transition.

    Args:
        model: the game.
        scratch: its state and keys at 0 are written.
        candidate: row 0 has been played, if a choice is to change.
        change: the transition whose choice changes; NO_CHANGE: the trial starts at the beginning of the game.
    """
    start = min(change, candidate.states.shape[1] - 1)
    candidate.counters[1, START] = max(start, 0)
    if start <= 0:
        call_init(model.functions.init, scratch.states, 0)
        for player in range(model.shape.players):
            start_key(scratch.keys, KEY_WORDS * player)
        return 0
    scratch.states[: candidate.states.shape[2]] = candidate.states[0, start]
    scratch.keys[:] = candidate.keys[0, start]
    return int(start)


@inline_kernel
def keep_state(scratch: Scratch, candidate: CandidateHistory, step: int) -> None:
    """Keep the state at 0 as the one before a transition of the tried history, if there is room."""
    if step < candidate.states.shape[1]:
        candidate.states[1, step] = scratch.states[: candidate.states.shape[2]]
        candidate.keys[1, step] = scratch.keys


@inline_kernel
def keep(candidate: CandidateHistory, records: int) -> None:
    """Make the tried history the best."""
    start, length = candidate.counters[1, START], candidate.counters[1, LENGTH]
    first_record, first_free, first_drawn = 0, 0, 0
    if start > 0:  # the trial began in the middle of row 0
        first_record = candidate.record[0, start] + 1
        first_free, first_drawn = candidate.before[0, start, 2], candidate.before[0, start, 3]
    for step in range(start, length):
        candidate.record[0, step] = candidate.record[1, step]
        candidate.plausible[0, step] = candidate.plausible[1, step]
        candidate.joint[0, step] = candidate.joint[1, step]
        candidate.before[0, step] = candidate.before[1, step]
    candidate.plausible[0, length] = candidate.plausible[1, length]
    for step in range(start, min(length, candidate.states.shape[1])):
        candidate.states[0, step] = candidate.states[1, step]
        candidate.keys[0, step] = candidate.keys[1, step]
    candidate.first[0][first_record : records + 1] = candidate.first[1][first_record : records + 1]
    free, drawn = candidate.counters[1, FREE], candidate.counters[1, DRAWN]
    candidate.free[0][first_free:free] = candidate.free[1][first_free:free]
    candidate.drawn[0][first_drawn:drawn] = candidate.drawn[1][first_drawn:drawn]
    candidate.counters[0][LENGTH : DRAWN + 1] = candidate.counters[1][LENGTH : DRAWN + 1]


@inline_kernel
def draw_doubtful(scratch: Scratch, candidate: CandidateHistory) -> int:
    """Return a free draw of chance of the best history, rarely one that the records have shown to be right."""
    drawn = candidate.counters[0, DRAWN]
    step = candidate.drawn[0, below(scratch.rng, 0, drawn)]
    for _ in range(DOUBTS):
        if uniform(scratch.rng, 0) * (1 + candidate.blame[step]) < 1.0:
            break
        step = candidate.drawn[0, below(scratch.rng, 0, drawn)]
    return int(step)


@inline_kernel
def draw_change(scratch: Scratch, candidate: CandidateHistory, records: int) -> int:
    """Return the transition of the best history whose choice is to change, NO_CHANGE if there is none.

    Every other time, a random one; otherwise one shortly before the first error, since its cause must be earlier, or
    shortly before the end if there is no error.
    """
    free = candidate.counters[0, FREE]
    if free <= 0:
        return NO_CHANGE
    if uniform(scratch.rng, 0) < 0.5:
        return int(candidate.free[0, below(scratch.rng, 0, free)])
    if candidate.counters[0, ERRORS] > 0:
        first_error = min(candidate.counters[0, FIRST_ERROR], records - 1)
        low, high, end = 0, free, candidate.first[0, first_error + 1]
        while low < high:
            middle = (low + high) // 2
            if candidate.free[0, middle] <= end:
                low = middle + 1
            else:
                high = middle
        free = max(low, 1)
    place = free - 1
    while place > 0 and uniform(scratch.rng, 0) < NEARBY:
        place -= 1
    return int(candidate.free[0, place])
