"""The transitions that can follow a world state, from the view of a player who knows only its own action.

Dimensions: P players, A the larger of the largest number of actions and of chance outcomes, W words of a world state.

`open_branches` lists the joint choices of all others (the *branches*), with probabilities from the search's own
statistics. `likelihood_of` makes the transition of a branch and tells whether it gives the player the recorded
observation (`FITS`), no observation (`SILENT`), or another one (`BAD`).
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.beliefs.choices import (
    COUNT,
    IS_UNLISTED,
    LISTED_FIELDS,
    PHASE_WORD,
    PHASES_NOTED,
    ROW,
    UNLISTED,
    Scratch,
    any_position,
    is_unlisted,
    leave_unlisted,
    list_outcomes,
    position_of,
)
from ggp.beliefs.history_tree import NO_HISTORY, HistoryTree, add_history
from ggp.beliefs.observation_record import (
    ACTED,
    DECIDING,
    IDLE,
    KIND,
    LATER,
    MOST_DIFFERENT,
    RESTING,
    SIGHTS,
    SIGHTS_AT,
    ObservationRecords,
    differences,
    holds_number,
    legal_as_recorded,
    was_told_before,
)
from ggp.beliefs.observation_record import ACTIONS as RECORDED_ACTIONS
from ggp.beliefs.observation_record import ACTIONS_AT as RECORDED_ACTIONS_AT
from ggp.codegen.kernels import I64_2D, inline_kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_observe, call_step
from ggp.native.information_states import KEY_WORDS, extend_keys_by_transition
from ggp.native.infoset_table import NO_NODE, InfosetTable, action_numbers, find, state_tag
from ggp.native.interface import CHANCE, TERMINAL, NativeRules

BAD, SILENT, FITS = 0, 1, 2
ARRIVED, DEAD, NOT_SHOWN = -1, -2, -3
"""Results of `open_branches`: the record asks for no transition; no transition can fit it; the branch that the record
is known to show is impossible, so none fits, and all have been listed."""
NARROWED = 4
"""Up to this many branches, all are tried, whatever is known of them."""


class Observer(NamedTuple):
    """The player whose belief it is, and its model of the others."""

    role: int
    field: int  # index, among the numbers of an action in the search's tree, of how often it was chosen
    uniform: float  # share of the uniform strategy in the model of the others, 1 for the uniform strategy alone
    revealed: I64_2D  # [phases, P] 1 where a player is told all that the others, or chance, chose; see `Game`
    shown: I64_2D  # [R, P + 2] of records that tell this: it, and, once it has been found, 1 + the phase
    blocks: I64_2D  # [B, BLOCK_FIELDS + K] the parts of choices; see `block_table`


class Inference(NamedTuple):
    """What inference from a player's records works with."""

    model: NativeRules
    tree: InfosetTable  # of the search, for how the others choose
    histories: HistoryTree
    scratch: Scratch
    observer: Observer
    observed: ObservationRecords


@inline_kernel
def believe(inference: Inference, player: int, count: int) -> None:
    """Write the probability of each action of another player: its frequency in the search, mixed with uniform."""
    tree, scratch, observer = inference.tree, inference.scratch, inference.observer
    share = 1.0 / count
    scratch.probability[player][:count] = share
    if observer.uniform >= 1.0 or count == 1:
        return
    at = KEY_WORDS * player
    node = find(tree, scratch.keys[at], state_tag(scratch.keys, at, player, scratch.actions[player], 0, count))
    if node == NO_NODE:
        return
    numbers, total = action_numbers(tree, node, observer.field, count), 0.0
    for number in numbers:
        total += max(number, 0.0)
    if total > 0.0:
        for action in range(count):
            frequency = max(numbers[action], 0.0) / total
            scratch.probability[player, action] = (1.0 - observer.uniform) * frequency + observer.uniform * share


@inline_kernel
def shows_all(inference: Inference, record: int) -> bool:
    """Return whether a record shows what the others chose, if it is of a transition from the state at 0."""
    scratch, observer, observed = inference.scratch, inference.observer, inference.observed
    one_observation = (
        observed.records[record, SIGHTS] == 1 and observed.numbers[observed.records[record, SIGHTS_AT]] > 0
    )
    return bool(one_observation and observer.revealed[scratch.states[PHASE_WORD], observer.role] > 0)


@inline_kernel
def was_asked(observed: ObservationRecords, record: int) -> bool:
    """Return whether the previous record is the question that an action answers: its legal actions were compared."""
    return bool(record > 0 and observed.records[record - 1, KIND] == DECIDING)


@inline_kernel
def narrow(scratch: Scratch, observer: Observer, players: int, record: int) -> int:
    """Keep only the branch that a record is known to show.

    Returns:
        1, or NOT_SHOWN, with nothing changed, if it is none of them.
    """
    for player in range(players + 1):
        if scratch.sizes[player] > 1 and position_of(scratch, player, observer.shown[record, player]) < 0:
            return NOT_SHOWN
    for player in range(players + 1):
        if scratch.sizes[player] > 1:
            row, position = scratch.rows[player], position_of(scratch, player, observer.shown[record, player])
            if is_unlisted(scratch, player):
                scratch.actions[row, 0], scratch.probability[row, 0] = position, scratch.chance[0]
                scratch.unlisted[IS_UNLISTED] = 0
            else:
                scratch.actions[row, 0] = scratch.actions[row, position]
                scratch.probability[row, 0] = scratch.probability[row, position]
            scratch.sizes[player] = 1
            kept = scratch.listed.size - LISTED_FIELDS
            if scratch.listed[kept + COUNT] > 0 and scratch.listed[kept + ROW] == row:
                scratch.listed[kept + COUNT] = 0
    return 1


@inline_kernel
def keep_shown(inference: Inference, record: int) -> None:
    """Note that a record shows the joint choice in `joint`, if it shows one."""
    model, scratch, observer = inference.model, inference.scratch, inference.observer
    players = model.shape.players
    if scratch.shown[0]:
        observer.shown[record][: players + 1] = scratch.joint
        observer.shown[record, players + 1] = 1 + scratch.states[PHASE_WORD]


@inline_kernel
def open_branches(inference: Inference, record: int, unlisted: bool) -> int:
    """List the branches that can follow the state at 0, given the next record.

    Args:
        inference: whose branches.
        record: the next.
        unlisted: whether many outcomes of chance may be left unlisted.

    Returns:
        The number of branches, or ARRIVED, DEAD or NOT_SHOWN.
    """
    model, scratch, observer, observed = inference.model, inference.scratch, inference.observer, inference.observed
    functions, players = model.functions, model.shape.players
    actors = call_actors(functions.actors, scratch.states, 0)
    scratch.actors[0] = actors
    kind = observed.records[record, KIND]
    if was_told_before(observed, record, scratch.keys, KEY_WORDS * observer.role):
        return ARRIVED
    if actors == TERMINAL:
        return DEAD
    acts = bool(actors >> observer.role & 1)
    if acts and kind == RESTING:
        return ARRIVED
    scratch.unlisted[IS_UNLISTED] = 0
    for player in range(players + 1):
        scratch.sizes[player] = 1
        scratch.joint[player] = 0
    if acts:
        if kind == IDLE:
            return DEAD
        flat = scratch.actions[observer.role]
        if kind == ACTED and observed.records[record, RECORDED_ACTIONS] == 1 and was_asked(observed, record):
            count = 1
            flat[0] = observed.numbers[observed.records[record, RECORDED_ACTIONS_AT]]
        else:
            count = call_legal(functions.legal, scratch.states, 0, observer.role, flat, 0)
        if count < 1:
            return DEAD
        if kind == DECIDING:
            return ARRIVED if legal_as_recorded(observed, record, flat, count) else DEAD
        known = -1
        first, listed = observed.records[record, RECORDED_ACTIONS_AT], observed.records[record, RECORDED_ACTIONS]
        for position in range(count):
            if holds_number(observed.numbers, first, listed, flat[position]):
                known = position
        if known < 0:
            return DEAD
        flat[0] = flat[known]
        scratch.probability[observer.role, 0] = 1.0
    branches = 1
    if actors == CHANCE:
        shown = observer.shown[record, players + 1] == 1 + scratch.states[PHASE_WORD]
        if unlisted and (shown or not shows_all(inference, record)) and leave_unlisted(model, scratch):
            if any_position(scratch, players) < 0:
                return DEAD
            scratch.sizes[players] = branches = UNLISTED
        else:
            count = list_outcomes(model, scratch)
            if count < 1:
                return DEAD
            scratch.sizes[players] = branches = count
    for player in range(players):
        if actors >> player & 1 and player != observer.role:
            count = call_legal(functions.legal, scratch.states, 0, player, scratch.actions[player], 0)
            if count < 1:
                return DEAD
            believe(inference, player, count)
            scratch.sizes[player] = count
            branches *= count
    scratch.shown[0] = 0
    if branches > NARROWED and shows_all(inference, record):
        scratch.shown[0] = 1
        if observer.shown[record, players + 1] == 1 + scratch.states[PHASE_WORD]:
            return narrow(scratch, observer, players, record)
    return int(branches)


@inline_kernel
def likelihood_of(inference: Inference, record: int) -> int:
    """Make the transition in `joint` and compare what the player would have been told with a record.

    The state after it is written behind the one at 0; the player's own observation stays.

    Returns:
        FITS, SILENT or BAD.
    """
    model, scratch, observer, observed = inference.model, inference.scratch, inference.observer, inference.observed
    words = model.shape.state_words
    call_step(model.functions.step, scratch.states, 0, scratch.states, words, scratch.joint, 0)
    scratch.made[0] += 1
    scratch.told[0] = 0
    scratch.different[0] = MOST_DIFFERENT
    observe, states = model.functions.observe, scratch.states
    count = call_observe(observe, states, 0, states, words, scratch.joint, 0, observer.role, scratch.observation, 0)
    if count < 0:
        return BAD
    scratch.told[0] = count
    acts = scratch.actors[0] > 0 and bool(scratch.actors[0] >> observer.role & 1)
    if not acts and count == 0:
        return SILENT
    kind = observed.records[record, KIND]
    if (acts and kind != ACTED) or (not acts and kind != IDLE):
        return BAD
    if acts and count == 0 and observed.records[record, LATER]:
        return FITS
    scratch.different[0] = differences(observed, record, scratch.observation, count)
    return BAD if scratch.different[0] else FITS


@inline_kernel
def extend_keys(inference: Inference) -> bool:
    """Write to `next_keys` every player's key after the last transition looked at; False if the rules fail."""
    model, scratch = inference.model, inference.scratch
    words, actors = model.shape.state_words, max(scratch.actors[0], 0)
    scratch.next_keys[:] = scratch.keys
    observe, players, states = model.functions.observe, model.shape.players, scratch.states
    fault = extend_keys_by_transition(
        observe, players, actors, states, 0, states, words, scratch.joint, scratch.observation, scratch.next_keys
    )
    return fault == 0


@inline_kernel
def pass_over(inference: Inference, record: int) -> int:
    """Make the automatic transitions that follow a silent one, as long as they are silent, too.

    What was drawn in secret is often told in the next phase, in which nobody acts. Of many draws, those that do not
    fit are then dropped at once. The state after the silent transition and its keys, which follow those at 0, go on;
    those at 0 stay.

    Returns:
        SILENT, FITS or BAD, of the last of them.
    """
    model, scratch = inference.model, inference.scratch
    players, words, verdict = model.shape.players, model.shape.state_words, SILENT
    actors, scratch.passed_count[0] = scratch.actors[0], 0
    while verdict == SILENT and scratch.passed_count[0] < scratch.passed.size:
        if call_actors(model.functions.actors, scratch.states, words) != CHANCE:
            break
        phase = scratch.states[words + PHASE_WORD] & (PHASES_NOTED - 1)
        outcomes, chances = scratch.actions[players + 2], scratch.probability[players + 2]
        if scratch.widest[phase] <= 1:
            count = call_chance(model.functions.chance, scratch.states, words, outcomes, 0, chances, 0)
            scratch.widest[phase] = max(scratch.widest[phase], count)
        if scratch.widest[phase] != 1:
            break
        if scratch.passed_count[0] == 0:
            put_aside(scratch, words)
        step_on(inference)
        scratch.actors[0] = CHANCE
        scratch.joint[:players] = 0
        scratch.joint[players] = scratch.passed[scratch.passed_count[0]] = outcomes[0]
        scratch.passed_count[0] += 1
        verdict = likelihood_of(inference, record)
        if verdict != BAD and not extend_keys(inference):
            verdict = BAD
    if scratch.passed_count[0] > 0:
        take_back(scratch, words)
        scratch.actors[0] = actors
    return int(verdict)


@inline_kernel
def add_passed(inference: Inference, node: int, record: int) -> int:
    """Return the history behind another one and the automatic transitions passed over; NO_HISTORY if it is full."""
    histories, scratch = inference.histories, inference.scratch
    joint = scratch.joint_aside
    joint[:] = 0
    for place in range(scratch.passed_count[0]):
        if node == NO_HISTORY:
            break
        joint[joint.size - 1] = scratch.passed[place]
        node = add_history(histories, node, joint, record)
    return int(node)


@inline_kernel
def put_aside(scratch: Scratch, words: int) -> None:
    """Put the state at 0, its keys, and the joint choice aside."""
    scratch.states[2 * words : 3 * words] = scratch.states[:words]
    scratch.keys_aside[:] = scratch.keys
    scratch.joint_aside[:] = scratch.joint


@inline_kernel
def take_back(scratch: Scratch, words: int) -> None:
    """Take back what was put aside."""
    scratch.states[:words] = scratch.states[2 * words : 3 * words]
    scratch.keys[:] = scratch.keys_aside
    scratch.joint[:] = scratch.joint_aside


@inline_kernel
def step_on(inference: Inference) -> None:
    """Move the state and the keys after the last transition to 0."""
    model, scratch = inference.model, inference.scratch
    words = model.shape.state_words
    scratch.states[:words] = scratch.states[words : 2 * words]
    scratch.keys[:] = scratch.next_keys
