"""The transitions that can follow a world state, from the view of a player who knows only its own action.

Dimensions: P players, A the larger of the largest number of actions and of chance outcomes, W words of a world state.

`open_branches` lists the joint choices of all others (the *branches*), with probabilities from the search's own
statistics. `judge` makes the transition of a branch and tells whether it gives the player the recorded observation
(`FITS`), no observation (`SILENT`), or another one (`BAD`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.model.native.calls import call_actors, call_chance, call_legal, call_observe, call_step
from ggp.model.native.information_states import KEY_WORDS, extend_keys_by_transition
from ggp.model.native.interface import CHANCE, TERMINAL, GameShape
from ggp.model.native.jit import F64, I64, U64, inline_kernel
from ggp.model.native.rng_kernels import below, uniform
from players.search.belief.openness import Openness, close_class, is_open
from players.search.belief.told import (
    ACTED,
    DECIDING,
    IDLE,
    KIND,
    MOST_DIFFERENT,
    SIGHTS,
    SIGHTS_AT,
    Told,
    differences,
    holds_number,
    legal_as_told,
)
from players.search.belief.told import ACTIONS as TOLD_ACTIONS
from players.search.belief.told import ACTIONS_AT as TOLD_ACTIONS_AT
from players.search.trees.information_tree import NO_NODE, InformationTree, find, numbers_of, state_tag
from players.search.walk.kernel_arguments import Model

BAD, SILENT, FITS = 0, 1, 2
ARRIVED, DEAD, NOT_SHOWN = -1, -2, -3
"""Results of `open_branches`: the record asks for no transition; no transition can fit it; the branch that the record
is known to show is impossible, so none fits, and all have been listed."""
MADE, ACTORS, SHOWN, TRIED, DIFFERENT, COUNTERS = 0, 1, 2, 3, 4, 5
NARROWED = 4
"""Up to this many branches, all are tried, whatever is known of them."""
CHECKED = 64
"""All branches are tried in one of this many cases in which the right one is known."""
PHASE_WORD = 0
UNKNOWN, KNOWN = 0, 1


class Believer(NamedTuple):
    """The player whose belief it is, and its model of the others."""

    role: int
    field: int  # index, among the numbers of an action in the search's tree, of how often it was chosen
    uniform: float  # share of the uniform strategy in the model of the others, 1 for the uniform strategy alone
    openness: Openness  # which observations show all that the others chose
    shown: (
        I64  # [R, P + 2] of records with such an observation: what the others and chance
        #     chose, and KNOWN once that has been found
    )


class Scratch(NamedTuple):
    """Scratch memory."""

    states: I64  # [3 * W] a state at 0, and after it the one that a branch leads to; a third for callers
    keys: U64  # [2 * P] of the state at 0
    next_keys: U64  # [2 * P] of the state after it
    actions: I64  # [P + 1, A] what each player can do; chance in the last row
    probability: F64  # [P + 1, A]
    sizes: I64  # [P + 1] how many there are; 1 for who does not act, or whose action is known
    joint: I64  # [P + 1]
    observation: I64  # [O]
    counters: I64  # [COUNTERS] transitions made so far, the actors of the state, whether the record shows
    #     what the others choose in it, how many branches are to be tried, and in how many words the last
    #     observation differed from the record
    rng: U64  # [1]


def new_scratch(shape: GameShape) -> Scratch:
    """Return scratch memory for one player."""
    players, most = shape.players, max(shape.max_actions, shape.max_outcomes)
    return Scratch(
        states=np.zeros(3 * shape.state_words, np.int64),
        keys=np.zeros(KEY_WORDS * players, np.uint64),
        next_keys=np.zeros(KEY_WORDS * players, np.uint64),
        actions=np.zeros((players + 1, most), np.int64),
        probability=np.zeros((players + 1, most), np.float64),
        sizes=np.ones(players + 1, np.int64),
        joint=np.zeros(players + 1, np.int64),
        observation=np.zeros(shape.max_observation_words, np.int64),
        counters=np.zeros(COUNTERS, np.int64),
        rng=np.ones(1, np.uint64),
    )


@inline_kernel
def believe(tree: InformationTree, scratch: Scratch, believer: Believer, player: int, count: int) -> None:
    """Write the probability of each action of another player: its frequency in the search, mixed with uniform."""
    share = 1.0 / count
    for action in range(count):
        scratch.probability[player, action] = share
    if believer.uniform >= 1.0 or count == 1:
        return
    at = KEY_WORDS * player
    node = find(tree, scratch.keys[at], state_tag(scratch.keys, at, player, scratch.actions[player], 0, count))
    if node == NO_NODE:
        return
    numbers = numbers_of(node) + believer.field * count
    total = 0.0
    for action in range(count):
        total += max(tree.words[numbers + action], 0.0)
    if total > 0.0:
        for action in range(count):
            frequency = max(tree.words[numbers + action], 0.0) / total
            scratch.probability[player, action] = (1.0 - believer.uniform) * frequency + believer.uniform * share


@inline_kernel
def shows_all(scratch: Scratch, believer: Believer, told: Told, record: int) -> bool:
    """Return whether a record shows what the others chose, if it is of a transition from the state at 0."""
    if told.records[record, SIGHTS] != 1:
        return False
    at = told.records[record, SIGHTS_AT]
    count = told.numbers[at]
    phase, actors = scratch.states[PHASE_WORD], scratch.counters[ACTORS]
    first = told.numbers[at + 1]
    return bool(count > 0 and is_open(believer.openness, phase, actors, believer.role, count, first))


@inline_kernel
def position_of(scratch: Scratch, player: int, choice: int) -> int:
    """Return the position of a choice in a player's row, which ascends, or -1."""
    low, high = 0, scratch.sizes[player] - 1
    while low < high:
        middle = (low + high) // 2
        if scratch.actions[player, middle] < choice:
            low = middle + 1
        else:
            high = middle
    return int(low) if scratch.actions[player, low] == choice else -1


@inline_kernel
def was_asked(told: Told, record: int) -> bool:
    """Return whether the previous record is the question that an action answers: its legal actions were compared."""
    return bool(record > 0 and told.records[record - 1, KIND] == DECIDING)


@inline_kernel
def narrow(scratch: Scratch, believer: Believer, players: int, record: int) -> int:
    """Keep only the branch that a record is known to show.

    Returns:
        1, or NOT_SHOWN, with nothing changed, if it is none of them.
    """
    for player in range(players + 1):
        if scratch.sizes[player] > 1 and position_of(scratch, player, believer.shown[record, player]) < 0:
            return NOT_SHOWN
    for player in range(players + 1):
        if scratch.sizes[player] > 1:
            position = position_of(scratch, player, believer.shown[record, player])
            scratch.actions[player, 0] = scratch.actions[player, position]
            scratch.probability[player, 0] = scratch.probability[player, position]
            scratch.sizes[player] = 1
    return 1


@inline_kernel
def keep_shown(scratch: Scratch, believer: Believer, players: int, record: int) -> None:
    """Note that a record shows the joint choice in `joint`."""
    for player in range(players + 1):
        believer.shown[record, player] = scratch.joint[player]
    believer.shown[record, players + 1] = KNOWN


@inline_kernel
def open_branches(
    model: Model, tree: InformationTree, scratch: Scratch, believer: Believer, told: Told, record: int
) -> int:
    """List the branches that can follow the state at 0, given the next record.

    Returns:
        The number of branches, or ARRIVED, DEAD or NOT_SHOWN.
    """
    functions, players = model.functions, model.shape.players
    actors = call_actors(functions.actors, scratch.states, 0)
    scratch.counters[ACTORS] = actors
    if actors == TERMINAL:
        return DEAD
    kind = told.records[record, KIND]
    acts = bool(actors >> believer.role & 1)
    for player in range(players + 1):
        scratch.sizes[player] = 1
        scratch.joint[player] = 0
    if acts:
        if kind == IDLE:
            return DEAD
        flat = scratch.actions[believer.role]
        if kind == ACTED and told.records[record, TOLD_ACTIONS] == 1 and was_asked(told, record):
            count = 1
            flat[0] = told.numbers[told.records[record, TOLD_ACTIONS_AT]]
        else:
            count = call_legal(functions.legal, scratch.states, 0, believer.role, flat, 0)
        if count < 1:
            return DEAD
        if kind == DECIDING:
            return ARRIVED if legal_as_told(told, record, flat, count) else DEAD
        known = -1
        first, listed = told.records[record, TOLD_ACTIONS_AT], told.records[record, TOLD_ACTIONS]
        for position in range(count):
            if holds_number(told.numbers, first, listed, flat[position]):
                known = position
        if known < 0:
            return DEAD
        flat[0] = flat[known]
        scratch.probability[believer.role, 0] = 1.0
    branches = 1
    if actors == CHANCE:
        count = call_chance(
            functions.chance, scratch.states, 0, scratch.actions[players], 0, scratch.probability[players], 0
        )
        if count < 1:
            return DEAD
        scratch.sizes[players] = count
        branches = count
    for player in range(players):
        if actors >> player & 1 and player != believer.role:
            count = call_legal(functions.legal, scratch.states, 0, player, scratch.actions[player], 0)
            if count < 1:
                return DEAD
            believe(tree, scratch, believer, player, count)
            scratch.sizes[player] = count
            branches *= count
    scratch.counters[SHOWN] = 0
    scratch.counters[TRIED] = branches
    if branches > NARROWED and shows_all(scratch, believer, told, record):
        scratch.counters[SHOWN] = 1
        if believer.shown[record, players + 1] == KNOWN and below(scratch.rng, 0, CHECKED) > 0:
            scratch.counters[TRIED] = 1
            return narrow(scratch, believer, players, record)
    return int(branches)


@inline_kernel
def note_shown(scratch: Scratch, believer: Believer, told: Told, record: int, players: int, fits: int) -> bool:
    """Learn from the number of all branches that fitted a record assumed to show what the others chose.

    Args:
        scratch: its `joint` is the one that fitted, if one did.
        believer: learns.
        told: the records.
        record: one of them.
        players: P.
        fits: number of branches that fitted and were not silent.

    Returns:
        False if two did, so that branches left out before may fit, too.
    """
    if scratch.counters[SHOWN] == 0 or scratch.counters[TRIED] == 1:
        return True
    if fits == 1:
        keep_shown(scratch, believer, players, record)
    elif fits > 1:
        at = told.records[record, SIGHTS_AT]
        phase = scratch.states[PHASE_WORD]
        actors = scratch.counters[ACTORS]
        close_class(believer.openness, phase, actors, believer.role, told.numbers[at], told.numbers[at + 1])
        return bool(believer.shown[record, players + 1] == UNKNOWN)
    return True


@inline_kernel
def set_branch(scratch: Scratch, players: int, branch: int) -> float:
    """Write the joint choice of a branch; return its probability."""
    probability = 1.0
    actors = scratch.counters[ACTORS]
    for player in range(players + 1):
        size = scratch.sizes[player]
        position = branch % size
        branch //= size
        if (player == players and actors == CHANCE) or (player < players and actors >> player & 1):
            scratch.joint[player] = scratch.actions[player, position]
            probability *= scratch.probability[player, position]
    return probability


@inline_kernel
def draw_branch(scratch: Scratch, players: int) -> int:
    """Return a branch drawn by the probabilities."""
    branch, weight = 0, 1
    for player in range(players + 1):
        size = scratch.sizes[player]
        position = 0
        if size > 1:
            left = uniform(scratch.rng, 0)
            position = size - 1
            for place in range(size):
                left -= scratch.probability[player, place]
                if left < 0.0:
                    position = place
                    break
        branch += weight * position
        weight *= size
    return branch


@inline_kernel
def judge(model: Model, scratch: Scratch, believer: Believer, told: Told, record: int) -> int:
    """Make the transition in `joint` and compare what the player would have been told with a record.

    Args:
        model: the game.
        scratch: the state after it is written behind the one at 0; its own observation stays.
        believer: the player.
        told: the records.
        record: one of them.

    Returns:
        FITS, SILENT or BAD.
    """
    words = model.shape.state_words
    call_step(model.functions.step, scratch.states, 0, scratch.states, words, scratch.joint, 0)
    scratch.counters[MADE] += 1
    scratch.counters[DIFFERENT] = MOST_DIFFERENT
    count = call_observe(
        model.functions.observe,
        scratch.states,
        0,
        scratch.states,
        words,
        scratch.joint,
        0,
        believer.role,
        scratch.observation,
        0,
    )
    if count < 0:
        return BAD
    acts = scratch.counters[ACTORS] > 0 and bool(scratch.counters[ACTORS] >> believer.role & 1)
    if not acts and count == 0:
        return SILENT
    kind = told.records[record, KIND]
    if (acts and kind != ACTED) or (not acts and kind != IDLE):
        return BAD
    scratch.counters[DIFFERENT] = differences(told, record, scratch.observation, count)
    return BAD if scratch.counters[DIFFERENT] else FITS


@inline_kernel
def extend_keys(model: Model, scratch: Scratch) -> bool:
    """Write to `next_keys` every player's key after the transition of the last `judge`; False if the rules fail."""
    words, actors = model.shape.state_words, scratch.counters[ACTORS]
    for word in range(scratch.keys.size):
        scratch.next_keys[word] = scratch.keys[word]
    observe, players, states = model.functions.observe, model.shape.players, scratch.states
    fault = extend_keys_by_transition(
        observe, players, actors, states, 0, states, words, scratch.joint, scratch.observation, scratch.next_keys
    )
    return fault == 0


@inline_kernel
def step_on(model: Model, scratch: Scratch) -> None:
    """Move the state and the keys after the last transition to 0."""
    words = model.shape.state_words
    for word in range(words):
        scratch.states[word] = scratch.states[words + word]
    for word in range(scratch.keys.size):
        scratch.keys[word] = scratch.next_keys[word]
