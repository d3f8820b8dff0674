"""An iteration of the searches with hidden information: walking down the game with every player's key, and back.

Dimensions: P players, W words of a world state, O words of an observation, E entries of a path, R roots.

A walk begins in one of some weighted world states (`Roots`): the beginning of the game, or the states that a player
considers possible. Each decision on the way is an entry of the path. A search is a way to decide and an update, with
which it calls `iterate`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, I64_2D, U64, U64_2D, allocated, inline_kernel
from ggp.native.calls import call_actors, call_sample_chance, call_step
from ggp.native.information_states import KEY_WORDS, extend_keys_by_transition, start_key
from ggp.native.infoset_table import InfosetTable
from ggp.native.interface import CHANCE, TERMINAL, GameShape
from ggp.native.rng_kernels import drawn_place
from players.search.foundation.kernel_arguments import ITERATION, LeafOptions, Model, Work, new_work
from players.search.foundation.leaf_values import other_state, value_end, value_unknown
from players.search.uct.played_actions import Played, new_played, value_new

ENTRIES = 4096
"""Largest number of decisions of a path; a playout completes longer ones."""
MAX_TRANSITIONS = 10_000
"""Largest number of transitions of a walk: rules can continue for ever without a decision."""
COUNT = 0
"""Index in `path` of the number of entries."""
NODE, PLAYER, CHOICE, FIELDS = 1, 2, 3, 3
"""Indices in `path` of what it says about the first entry; how many words each entry takes."""


class Roots(NamedTuple):
    """World states that iterations begin in."""

    states: I64_2D  # [R, W]
    keys: U64_2D  # [R, 2 * P]
    cumulative: F64  # [R] sums of the probabilities up to each root; the last is 1


class Task(NamedTuple):
    """What is searched: a game, where iterations begin, and how a state is valued at which they leave the tree."""

    model: Model
    roots: Roots
    leaf: LeafOptions


class InformationWork(NamedTuple):
    """The scratch memory of one thread that searches with hidden information."""

    base: Work  # states, joint, actions, strategy, utility, rng, and the count of iterations
    keys: Annotated[U64, "2 * P"]  # of the present state
    observation: Annotated[I64, "O"]
    path: Annotated[I64, "1 + FIELDS * E"]  # the number of entries; for each, in the order of play, its node, who
    #     decides there and the position of the action chosen
    probability: Annotated[F64, "E"]  # with which it was chosen, for searches that need it
    value: Annotated[F64, "E"]  # another number that a search needs of an entry
    counts: Annotated[I64, "P"]  # the number of legal actions of each player at the cursor; 1 if it does not act
    nodes: Annotated[I64, "P"]  # the node of each player at the cursor, NO_NODE if there is none
    outcomes: Annotated[I64, "C"]  # outcomes of chance at the cursor
    chances: Annotated[F64, "C"]  # their probabilities
    played: Played  # by the last playout, if playouts are noted


def new_information_work(shape: GameShape, notes: bool = False) -> InformationWork:
    """Return scratch memory for one thread; `notes`: whether playouts are noted."""
    played = new_played(shape.players, notes)
    work = allocated(InformationWork, base=new_work(shape), played=played, E=ENTRIES, **shape.lengths)
    work.counts[:] = 1
    return work


def single_root(state: I64, players: int) -> Roots:
    """Return roots with a single world state, `[W]` words, such as the beginning of the game."""
    keys = np.zeros((1, KEY_WORDS * players), np.uint64)
    for player in range(players):
        start_key(keys[0], KEY_WORDS * player)
    return Roots(np.array(state, np.int64).reshape(1, -1), keys, np.ones(1))


@inline_kernel
def iterate(
    task: Task,
    tree: InfosetTable,
    work: InformationWork,
    options: Any,
    iterations: int,
    begin: Callable[..., None],
    decide: Callable[..., int],
    note: Callable[..., None],
    update: Callable[..., None],
) -> None:
    """Run iterations, each from one of the roots.

    Args:
        task: what is searched.
        tree: changed.
        work: overwritten.
        options: of the search.
        iterations: how many.
        begin: `begin(work, options)` begins an iteration.
        decide: `decide(model, tree, work, actors, at, options)` chooses for all who act, and writes `joint`; 1: the
            iteration goes on in the tree, 0: it leaves it after this transition, -1: the rules failed.
        note: `note(model, work, ended, options)` takes note of the utilities, and of whether the game came to its end.
        update: `update(tree, work, place, options)` updates an entry of the path; called from the last to the first.
    """
    model, roots, leaf = task.model, task.roots, task.leaf
    for _ in range(iterations):
        begin_at(roots, draw_root(roots, work), work)
        begin(work, options)
        inside, acted, before, at, transitions, ended = 1, CHANCE, 0, 0, 0, False
        while True:
            actors = call_actors(model.functions.actors, work.base.states, at)
            if actors == TERMINAL:
                value_end(model, work.base, at)
                ended = True
                break
            if inside == 0 or not has_room(model, work, transitions):
                value_new(model, work.base, leaf, work.played, work.base.states, at, at)
                break
            inside = -1
            if transitions == 0 or extend_keys(model, work, acted, before, at):
                if actors == CHANCE:
                    outcome = call_sample_chance(model.functions.sample_chance, work.base.states, at, work.base.rng, 0)
                    work.base.joint[model.shape.players] = outcome
                    inside = -1 if outcome < 0 else 1
                else:
                    inside = decide(model, tree, work, actors, at, options)
            if inside < 0:
                value_unknown(work.base)
                break
            before, at, acted = at, step_on(model, work, at), actors
            transitions += 1
        note(model, work, ended, options)
        for place in range(work.path[COUNT] - 1, -1, -1):
            update(tree, work, place, options)


@inline_kernel
def begin_plainly(work: InformationWork, options: Any) -> None:
    """Begin an iteration for which nothing has to be prepared."""


@inline_kernel
def note_nothing(model: Model, work: InformationWork, ended: bool, options: Any) -> None:
    """Leave the utilities of an iteration as they are."""


@inline_kernel
def draw_root(roots: Roots, work: InformationWork) -> int:
    """Return a root, drawn with its probability."""
    count = roots.cumulative.size
    return drawn_place(work.base.rng, 0, roots.cumulative, count) if count > 1 else 0


@inline_kernel
def begin_at(roots: Roots, root: int, work: InformationWork) -> None:
    """Write a root to place 0 of the states, at which a new iteration begins."""
    work.base.cursor[ITERATION] += 1
    work.path[COUNT] = 0
    work.played.length[0] = 0
    work.base.states[: roots.states.shape[1]] = roots.states[root]
    work.keys[:] = roots.keys[root]


@inline_kernel
def step_on(model: Model, work: InformationWork, at: int) -> int:
    """Make the transition in `base.joint` from the state at `at`; return the next state's place. Keys do not change."""
    # Kernels pass places on as values: reading them from memory would cost a wait at every transition.
    to = other_state(model, at)
    call_step(model.functions.step, work.base.states, at, work.base.states, to, work.base.joint, 0)
    return int(to)


@inline_kernel
def extend_keys(model: Model, work: InformationWork, actors: int, before: int, at: int) -> bool:
    """Extend every player's key by its action and observation in the last transition.

    Not needed if the iteration ends after the transition, at the end of the game or in a playout.

    Args:
        model: the game.
        work: `base.joint` is read, `keys` are changed.
        actors: bit mask of the players who acted, 0 if chance did.
        before: place of the state before the transition.
        at: place of the state after it.

    Returns:
        False if computing an observation fails.
    """
    functions, players, states = model.functions, model.shape.players, work.base.states
    fault = extend_keys_by_transition(
        functions.observe, players, actors, states, before, states, at, work.base.joint, work.observation, work.keys
    )
    return fault == 0


@inline_kernel
def enter(work: InformationWork, node: int, player: int, choice: int) -> int:
    """Append a decision to the path and return its place; searches that need them write `probability` and `value`."""
    place = work.path[COUNT]
    at = FIELDS * place
    work.path[at + NODE] = node
    work.path[at + PLAYER] = player
    work.path[at + CHOICE] = choice
    work.path[COUNT] = place + 1
    return int(place)


@inline_kernel
def entry_at(work: InformationWork, place: int) -> tuple[int, int, int]:
    """Return the node of an entry of the path, who decides there, and the position of the action chosen."""
    at = FIELDS * place
    return int(work.path[at + NODE]), int(work.path[at + PLAYER]), int(work.path[at + CHOICE])


@inline_kernel
def has_room(model: Model, work: InformationWork, transitions: int) -> bool:
    """Return whether another transition is allowed, and its decisions fit into the path."""
    return bool(work.path[COUNT] + model.shape.players <= work.value.size and transitions < MAX_TRANSITIONS)
