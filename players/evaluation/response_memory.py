"""The memory of a walk through a game for best responses; see `walked_strategies.py`.

Dimensions: P players, W words of a world state, A legal actions at most, C outcomes at most, O words of an observation;
R = W + 2 P + 1 words of a history: the state, the keys of all players, its reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, allocated
from ggp.native.information_states import KEY_WORDS
from ggp.native.infoset_table import InfosetTable, new_infoset_table
from ggp.native.interface import GameShape, NativeGame
from ggp.solvers.worlds.exploration import GameTooLarge
from players.search.information_sets.information_search import initial_roots

DEPTH, FRESH, BETWEEN, GROUPS, FAULT_FOUND, COUNTERS = range(6)
"""Indices of counters: the open frame, -1 after the last; histories found by the present expansion, of which those of
the second number are at nobody's or another's decision; groups in use; the fault met."""
DONE, PAUSED, NEEDS_ROOM, FAULT, DEAD_END, LEGAL_DIFFERS, TRAIL_FULL = range(7)
"""How a call of the kernel ended; the first are those of `ggp.solvers.sequence_form.unfolding_kernels`."""
TRAIL_WORDS = 3
"""Words of an event before those of the observation: the key before, and the action, -1 if the player did not act."""


class Trail(NamedTuple):
    """What led to each information state of the responder that a walk came to, if it is kept.

    Tables by key, of integers: of each key, how it came from another one, see TRAIL_WORDS; and of each decision, by its
    key with the tag, the legal actions. Not kept if `action_numbers` of the first is 0.
    """

    events: InfosetTable
    decisions: InfosetTable


def new_trail(memory_bytes: int) -> Trail:
    """Return an empty trail; with no memory, one that is not kept."""
    return Trail(*(new_infoset_table(memory_bytes // 2, 1 if memory_bytes else 0) for _ in Trail._fields))


class Rows(NamedTuple):
    """Histories, R words each; the three arrays are the same memory."""

    longs: I64
    keys: U64
    reals: F64


class Groups(NamedTuple):
    """Groups of histories that the responder cannot tell apart."""

    first: Annotated[I64, "G"]  # its first history
    size: Annotated[I64, "G"]  # how many there are
    slot: Annotated[I64, "G"]  # its slot in the table


class Frames(NamedTuple):
    """The open information states of the responder; row 0 is the beginning of the game."""

    first: Annotated[I64, "F"]  # its histories
    size: Annotated[I64, "F"]  # how many these are
    actions: Annotated[I64, "F"]  # how many it has
    action: Annotated[I64, "F"]  # the one being valued
    expanded: Annotated[I64, "F"]  # whether that is expanded
    group: Annotated[I64, "F"]  # the groups that follow
    found: Annotated[I64, "F"]  # how many these are
    next: Annotated[I64, "F"]  # the next of them to be walked
    held: Annotated[I64, "F"]  # where their histories are held
    end: Annotated[I64, "F"]
    belief: Annotated[I64, "F"]  # the two words of its belief's hash
    belief_second: Annotated[I64, "F"]
    best_here: Annotated[F64, "F"]  # the value of the present action if the responder goes on with a best response,
    own_here: Annotated[F64, "F"]  # or with its own strategy,
    best: Annotated[F64, "F"]  # and both for the information state so far
    own: Annotated[F64, "F"]
    reach: Annotated[F64, "F"]  # of its histories where its belief is to be kept, else 0


class Walk(NamedTuple):
    """The memory of a walk. N histories, G groups, F frames at most."""

    held: Rows  # [N] histories of the open information states and of those that follow them
    fresh: Rows  # [N] those found by the present expansion: from the front at the responder's decisions, from the back
    #     those that have not come to one
    here: Rows  # [2] the history that is being expanded, and a successor
    slots: Annotated[I64, "K"]  # table of the former by all their words: 1 + number; 0 is free
    slot_of: Annotated[I64, "N"]  # the slot of each
    group_of: Annotated[I64, "N"]  # the group of each
    group_slots: Annotated[I64, "K"]  # table of groups by the responder's key, as above
    groups: Groups
    frames: Frames
    legal: Annotated[I64, "F * A"]  # legal actions of the responder
    own: Annotated[F64, "F * A"]  # its own strategy
    counters: Annotated[I64, "COUNTERS"]
    belief: Annotated[U64, "2"]  # the hash of the histories of an information state
    counts: Annotated[I64, "P"]  # of the history being expanded: how many actions each player has
    chosen: Annotated[I64, "P"]  # the position of the action in the joint action being tried
    actions: Annotated[I64, "P * A"]
    strategy: Annotated[F64, "P * A"]
    joint: Annotated[I64, "P + 1"]
    outcomes: Annotated[I64, "C"]
    chances: Annotated[F64, "C"]
    observation: Annotated[I64, "O"]
    utility: Annotated[F64, "P"]
    sums: Annotated[F64, "2"]  # the least and the greatest sum of the utilities at an end


FIRST_ROWS, FIRST_FRAMES = 1 << 12, 64


def new_walk(shape: GameShape, rows: int, frames: int) -> Walk:
    """Return empty memory for a walk."""
    width, slots = shape.state_words + KEY_WORDS * shape.players + 1, 2 ** (2 * rows - 1).bit_length()

    def new_rows(count: int) -> Rows:
        longs = np.zeros(count * width, np.int64)
        return Rows(longs, longs.view(np.uint64), longs.view(np.float64))

    walk = allocated(
        Walk,
        held=new_rows(rows),
        fresh=new_rows(rows),
        here=new_rows(2),
        groups=allocated(Groups, G=rows),
        frames=allocated(Frames, F=frames),
        N=rows,
        K=slots,
        F=frames,
        **shape.lengths,
    )
    walk.own[:] = 1.0
    walk.sums[:] = np.inf, -np.inf
    return walk


def started(native: NativeGame) -> Walk:
    """Return a walk at the beginning of the game."""
    walk, roots = new_walk(native.shape, FIRST_ROWS, FIRST_FRAMES), initial_roots(native)
    words = native.shape.state_words
    walk.held.longs[:words] = roots.states[0]
    walk.held.keys[words : words + roots.keys.size] = roots.keys[0]
    walk.held.reals[words + roots.keys.size] = 1.0
    for numbers in (walk.frames.size, walk.frames.actions, walk.frames.held):
        numbers[0] = 1
    walk.frames.best[0] = -np.inf
    return walk


def arrays_of(walk: Walk) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Yield the arrays of a walk, with their names."""
    for name, part in zip(Walk._fields, walk, strict=True):
        parts: Any = (part.longs,) if isinstance(part, Rows) else part if isinstance(part, Groups | Frames) else (part,)
        for array in parts:
            yield name, array


def enlarged(walk: Walk, shape: GameShape, memory_bytes: int) -> Walk:
    """Return a walk with twice the memory.

    Raises:
        GameTooLarge: that would be more than is allowed.
    """
    larger = new_walk(shape, 2 * len(walk.slot_of), 2 * len(walk.frames.first))
    used = 0
    for (name, old), (_, new) in zip(arrays_of(walk), arrays_of(larger), strict=True):
        used += new.nbytes
        if "slots" not in name:
            new[: len(old)] = old
    if used > memory_bytes:
        raise GameTooLarge(
            f"so many histories follow one information state that they need more than {memory_bytes / 2**30:.2g} GiB:"
            " raise the limit on memory or choose smaller parameters"
        )
    return larger


def share_done(walk: Walk) -> float:
    """Return the share of a walk that is done, as if all that follows an information state took equally long."""
    share, part = 0.0, 1.0
    frames = walk.frames
    for depth in range(int(walk.counters[DEPTH]) + 1):
        share += part * float(frames.action[depth] / frames.actions[depth])
        part /= float(frames.actions[depth])
        if frames.found[depth] == 0:
            break
        share += part * max(int(frames.next[depth]) - 1, 0) / int(frames.found[depth])
        part /= int(frames.found[depth])
    return share
