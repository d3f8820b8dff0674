"""Unfolds a game into its information states and sequences, within limits of size and memory.

World states are found layer by layer, by the number of transitions; of an expanded layer only the history is kept. The
kernels that do the work are in `unfolding_kernels.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import I32, I64, U64, kernel, resized
from ggp.native.calls import call_actors, call_init
from ggp.native.information_states import start_key
from ggp.native.interface import TERMINAL, GameShape, NativeGame
from ggp.solvers.sequence_form.growing_arrays import (
    ENDS,
    EXPANDED,
    FAULT_FOUND,
    FOLLOWING,
    NEEDED,
    NOTHING,
    SEQUENCES,
    SETS,
    STATES,
    TROUBLE,
    Unfolding,
    new_unfolding,
)
from ggp.solvers.sequence_form.hash_tables import enter_sets, enter_states
from ggp.solvers.sequence_form.payoff_entries import payoff_entries
from ggp.solvers.sequence_form.sequence_form_tree import SequenceForm, SequenceFormTree, no_rectangles
from ggp.solvers.sequence_form.unfolding_kernels import (
    DEAD_END,
    DONE,
    FAULT,
    LEGAL_DIFFERS,
    NEEDS_ROOM,
    PAUSED,
    Buffers,
    Work,
    expand_layer,
    new_buffers,
)
from ggp.solvers.worlds.exploration import GameTooLarge, NotSolvable, raise_fault
from ggp.solvers.worlds.state_graph import bytes_of

SLICE = 20_000
"""World states expanded between two reports of progress."""

MAX_STATES = 2**31 - 2**24
"""World states, sequences and ends are numbered in 32 bits."""

PEAK_BYTES_PER_END = 48
"""Extra memory for sorting the payoffs, for each player and terminal history."""

SUM_TOLERANCE = 1e-9

Progress = Callable[[int, int], None]
"""Called with the number of world states found so far and the number of these expanded."""


class TreeLimits(Struct, frozen=True):
    """How large a game may be.

    Attributes:
        states: maximum number of world states that differ in words or in information states; ends of play count too.
        memory_bytes: maximum memory of all arrays, both copies counted while they grow.
    """

    states: int = MAX_STATES
    memory_bytes: int = 4 * 2**30


def information_tree(
    native: NativeGame, limits: TreeLimits | None = None, progress: Progress | None = None
) -> SequenceFormTree:
    """Return a game in sequence form.

    Args:
        native: a game with any number of players, hidden information, simultaneous moves and chance.
        limits: `TreeLimits()` by default.
        progress: called from time to time.

    Raises:
        GameTooLarge: the limits were reached.
        FaultInRules: a fault or a dead end can be reached.
        NotSolvable: the game ends at once, or one information state has different legal actions.
    """
    limits = limits or TreeLimits()
    shape, unfolding = native.shape, started(native)
    buffers, before, layer_states = new_buffers(native.shape), 0, 1
    while layer_states:
        status = PAUSED
        while status != DONE:
            work = Work(native.functions, shape, unfolding, buffers)
            status = expand_layer(work, layer_states, before, SLICE)
            check_states(unfolding, limits)
            if status == NEEDS_ROOM:
                unfolding = enlarged(unfolding, native.shape, limits)
            elif status not in (PAUSED, DONE):
                counters = unfolding.counters
                raise_problem(status, int(counters[FAULT_FOUND]), int(unfolding.sets.player[counters[TROUBLE]]), native)
            if progress is not None:
                progress(int(unfolding.counters[STATES]), before + int(unfolding.counters[EXPANDED]))
        before += layer_states
        layer_states = int(unfolding.counters[FOLLOWING])
        unfolding = next_layer(unfolding)
    if unfolding.counters[ENDS] == 0:
        raise NotSolvable("play ends as soon as it begins")
    return finished(unfolding, buffers, native)


def started(native: NativeGame) -> Unfolding:
    """Return arrays that contain the initial state.

    Raises:
        NotSolvable: it is terminal.
    """
    unfolding = new_unfolding(native.shape)
    call_init(native.functions.init, unfolding.layer.words, 0)
    start_keys(unfolding.layer.keys, native.shape.players)
    unfolding.layer.sequence[: native.shape.players] = range(native.shape.players)
    unfolding.layer.reach[0] = 1.0
    unfolding.layer.actors[0] = call_actors(native.functions.actors, unfolding.layer.words, 0)
    if unfolding.layer.actors[0] == TERMINAL:
        raise NotSolvable("play ends as soon as it begins")
    unfolding.counters[STATES] = 1
    return unfolding


def next_layer(unfolding: Unfolding) -> Unfolding:
    """Return the arrays with the following layer in place of the expanded one."""
    unfolding.layer.slots.fill(NOTHING)
    unfolding.counters[EXPANDED] = 0
    unfolding.counters[FOLLOWING] = 0
    return unfolding._replace(layer=unfolding.following, following=unfolding.layer)


def raise_problem(status: int, fault: int, player: int, native: NativeGame) -> None:
    """Raise the error that a kernel reports: of a fault with this number, or of a player's information states."""
    if status in (DEAD_END, FAULT):
        raise_fault(native, fault if status == FAULT else 0)
    if status == LEGAL_DIFFERS:
        raise NotSolvable(
            f"player {player + 1} can have different legal actions in states that look the same to it: let it see what"
            " decides which actions are legal"
        )
    raise NotSolvable(f"player {player + 1} can be in one information state after different decisions of its own")


def check_states(unfolding: Unfolding, limits: TreeLimits) -> None:
    """Stop when there are more histories than allowed.

    Raises:
        GameTooLarge: there are.
    """
    if unfolding.counters[STATES] + unfolding.counters[ENDS] > limits.states:
        raise GameTooLarge(
            f"the game has more than {limits.states:,} histories: raise the limit on states or choose smaller"
            " parameters"
        )


def enlarged(unfolding: Unfolding, shape: GameShape, limits: TreeLimits) -> Unfolding:
    """Return the arrays, those more than half full enlarged.

    Raises:
        GameTooLarge: a limit would be exceeded.
    """
    counters = unfolding.counters
    states, needed = int(counters[STATES]), int(counters[NEEDED])
    if states + int(counters[ENDS]) + needed > MAX_STATES:
        raise GameTooLarge(f"the game has more than {MAX_STATES:,} histories: choose smaller parameters")
    if 2 * bytes_of(unfolding) + PEAK_BYTES_PER_END * shape.players * int(counters[ENDS]) > limits.memory_bytes:
        raise GameTooLarge(
            f"the game's information states need more than {limits.memory_bytes / 2**30:.2g} GiB (after {states:,}"
            f" world states and {int(counters[ENDS]):,} ends of play): raise the limit on memory or choose smaller"
            " parameters"
        )
    following, count = unfolding.following, int(counters[FOLLOWING])
    room = _room(len(following.reach), count, needed)
    if room > len(following.reach):
        following = resized(following, N=room, **shape.lengths)
        following.slots.fill(NOTHING)
        enter_states(following, shape, count)
    history, ends, sets = unfolding.history, unfolding.ends, unfolding.sets
    sets = resized(
        sets,
        I=_room(len(sets.player), int(counters[SETS]), shape.players),
        S=_room(len(sets.action), int(counters[SEQUENCES]), needed),
    )
    sets.slots.fill(NOTHING)
    enter_sets(sets, int(counters[SETS]))
    end_room = _room(len(ends.utility) // shape.players, int(counters[ENDS]), needed)
    return unfolding._replace(
        following=following,
        history=resized(history, M=_room(len(history.parent), states, needed)),
        ends=resized(ends, Z=end_room, P=shape.players),
        sets=sets,
    )


def _room(length: int, used: int, needed: int) -> int:
    return max(length * (2 if 2 * used >= length else 1), used + needed)


def ordered_by_player(players: int, player: I32, first: I32) -> tuple[I64, I32, I32, I32]:
    """Return numbers of information states and sequences by player, of one player in the order of their discovery.

    Args:
        players: P.
        player: `[I]` who acts at each information state, in the order of discovery.
        first: `[I + 1]` the first sequence of each, P sequences being empty.

    Returns:
        `[I]` the old numbers of the information states; `[I + 1]` the first sequence of each by the new numbers; `[S]`
        the old numbers of the sequences; and `[S]` the new number of each old one.
    """
    order = np.argsort(player, kind="stable")
    sizes, sequences = np.diff(first)[order], int(first[-1])
    begin = np.full(len(first), players, np.int32)
    begin[1:] += np.cumsum(sizes, dtype=np.int32)
    old = np.repeat(first[:-1][order] - begin[:-1], sizes) + np.arange(players, sequences, dtype=np.int32)
    old = np.concatenate([np.arange(players, dtype=np.int32), old])
    number = np.empty(sequences, np.int32)
    number[old] = np.arange(sequences, dtype=np.int32)
    return order, begin, old, number


def finished(unfolding: Unfolding, buffers: Buffers, native: NativeGame) -> SequenceFormTree:
    """Return the sequence form of an unfolded game: information states and sequences numbered by player."""
    players, counters, sets = native.shape.players, unfolding.counters, unfolding.sets
    count, sequences, states, ends = (int(counters[index]) for index in (SETS, SEQUENCES, STATES, ENDS))
    order, first, old, number = ordered_by_player(players, sets.player[:count], sets.first[: count + 1])
    last_sequence = number[unfolding.ends.sequence[: ends * players]]
    entry, value, others = payoff_entries(last_sequence, unfolding.ends.utility[: ends * players], players, sequences)
    low, high = buffers.sums
    tolerance = SUM_TOLERANCE * max(1.0, abs(low), abs(high))
    return SequenceFormTree(
        native=native,
        form=SequenceForm(
            parent=number[sets.parent[:count][order]],
            first=first,
            entry=entry,
            value=value,
            others=others,
            range=np.searchsorted(sets.player[:count][order], np.arange(players + 1)).astype(np.int64),
            rectangles=no_rectangles(),
        ),
        action=sets.action[old],
        key=sets.key[: 2 * count].reshape(count, 2)[order],
        witness=sets.witness[:count][order],
        opening=sets.opening[:count][order],
        parent_state=unfolding.history.parent[:states].copy(),
        branch=unfolding.history.branch[:states].copy(),
        states=states,
        ends=ends,
        utility_sum=float(low + high) / 2 if high - low <= tolerance else None,
    )


@kernel
def start_keys(keys: U64, players: int) -> None:
    """Write the information-state keys of all players at the start of play."""
    for player in range(players):
        start_key(keys, 2 * player)
