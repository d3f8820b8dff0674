"""Unfolds a game by bundles, see `bundle_kernels.py`: far larger ones than `unfolding.py` does."""

from __future__ import annotations

import time
from contextlib import suppress

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, kernel
from ggp.native.calls import call_init
from ggp.native.interface import NativeGame
from ggp.solvers.sequence_form.bundle_arrays import (
    DEPTH,
    FAULT_FOUND,
    NO_VALUE,
    PAIRS,
    SEQUENCES,
    SETS,
    TROUBLE,
    VISITED,
    Bundling,
    grown,
    mark_of,
    new_bundling,
    start_bundles,
)
from ggp.solvers.sequence_form.bundle_kernels import enter_start, unfold_on
from ggp.solvers.sequence_form.core_kernels import NOT_IN_TURNS
from ggp.solvers.sequence_form.growing_arrays import NOTHING
from ggp.solvers.sequence_form.sequence_form_tree import Heard, Rectangles, SequenceForm, SequenceFormTree
from ggp.solvers.sequence_form.unfolding import Progress, TreeLimits, information_tree, ordered_by_player, raise_problem
from ggp.solvers.sequence_form.unfolding_kernels import DONE, NEEDS_ROOM, PAUSED
from ggp.solvers.worlds.exploration import GameTooLarge, NotSolvable
from ggp.solvers.worlds.state_graph import bytes_of

SLICE = 200_000
"""Steps between two reports of progress."""
REPORT_S = 0.2
LEAST_SHARE = 1e-9
FORETOLD_FROM, FAR_BEYOND = 1 / 32, 4
"""From this share of the memory on, a game that seems to need so many times all of it is given up."""
MAX_ROWS = 2**31 - 2**24


class NotInTurns(NotSolvable):
    """Chance acts somewhere, or both players at once."""


def sequence_form_of(
    native: NativeGame, limits: TreeLimits | None = None, progress: Progress | None = None
) -> SequenceFormTree:
    """Return a game in sequence form, by bundles where it has any; arguments and errors as of `information_tree`."""
    if has_bundles(native):
        with suppress(NotInTurns):
            return bundled_tree(native, limits, progress)
    return information_tree(native, limits, progress)


def has_bundles(native: NativeGame) -> bool:
    """Return whether a game may be unfolded by bundles: of two players and sum 0, with words for legality alone."""
    return bool(native.legality_words) and native.shape.players == 2 and native.utility_sum == 0


def bundled_tree(
    native: NativeGame, limits: TreeLimits | None = None, progress: Progress | None = None
) -> SequenceFormTree:
    """Return a game in sequence form, its payoffs as rectangles.

    Args:
        native: a game that `has_bundles`, without chance, in which players act in turns.
        limits: of memory, and of histories of the core; `TreeLimits()` by default.
        progress: called from time to time.

    Raises:
        GameTooLarge: the limit was reached.
        FaultInRules: a fault or a dead end can be reached.
        NotInTurns: chance acts, or both players act at once.
        NotSolvable: one information state has different legal actions, or no play ends with a payoff.
    """
    limits, b, status, told = limits or TreeLimits(), new_bundling(native), PAUSED, 0.0
    call_init(native.functions.init, b.after, 0)
    start_bundles(b, native.shape.players)
    status = enter_start(b) or PAUSED
    while status != DONE:
        if status == NEEDS_ROOM:
            b = grown(b, native)
            _check_memory(b, limits)
        elif status == NOT_IN_TURNS:
            raise NotInTurns("chance acts, or both players act at once")
        elif status != PAUSED:
            player = int(b.set_player[b.counters[TROUBLE]])
            raise_problem(status, int(b.counters[FAULT_FOUND]), player, native)
        status = unfold_on(b, SLICE)
        if progress is not None and time.monotonic() - told > REPORT_S:
            told = time.monotonic()
            visited = int(b.counters[VISITED])
            progress(round(visited / max(_share_done(b), LEAST_SHARE)), visited)
        if b.counters[VISITED] > limits.states:
            raise GameTooLarge(
                f"the game has more than {limits.states:,} histories: raise the limit on states or choose smaller"
                " parameters"
            )
    if b.counters[PAIRS] == 0:
        raise NotSolvable("no play ends with a payoff")
    return _finished(b, native)


def _check_memory(b: Bundling, limits: TreeLimits) -> None:
    """Raise `GameTooLarge` if the arrays outgrew the limit, or will by far."""
    held, most, rows = bytes_of(b), limits.memory_bytes, max(map(len, (b.member, b.pair)))
    grows_on = held > most * FORETOLD_FROM and held > most * FAR_BEYOND * _share_done(b)
    if held > most or rows > 2 * MAX_ROWS or grows_on:
        raise GameTooLarge(
            f"the game's information states need more than {most / 2**30:.2g} GiB: raise the limit on memory or choose"
            " smaller parameters"
        )


def _share_done(b: Bundling) -> float:
    """Return the share of the walk that is done, as if all that follows a history of the core took equally long."""
    share, part = 0.0, 1.0
    for depth in range(int(b.counters[DEPTH]) + 1):
        if b.frame_opening[depth] == NOTHING:
            break
        size = max(1, int(b.open_size[b.frame_opening[depth]]))
        share += part * max(0, int(b.frame_next[depth]) - 1) / size
        part /= size
    return share


def _finished(b: Bundling, native: NativeGame) -> SequenceFormTree:
    """Return the sequence form: information states and sequences numbered by player, and only bundles in use."""
    players, count, sequences = 2, int(b.counters[SETS]), int(b.counters[SEQUENCES])
    order, first, old, number = ordered_by_player(players, b.set_player[:count], b.set_first[: count + 1])
    key, player = b.set_key[:count][order], b.set_player[:count][order]
    marks = np.array([mark_of(one) for one in range(players)], np.uint64)
    pair = b.pair
    pair.resize(2 * int(b.counters[PAIRS]), refcheck=False)
    rows = np.full(int(b.bundles.used[0]), NOTHING, np.int32)
    used, members = (int(one) for one in number_bundles(b, pair, rows))
    shared = Rectangles(
        first=np.zeros(used + 1, np.int64),
        member=np.empty(members, np.int32),
        factor=np.ones(used),
        player=np.empty(used, np.int32),
        pair=pair,
        weight=np.empty(used),
    )
    write_bundles(b, rows, number, shared.first, shared.member, shared.factor)
    shared.player[pair[0::2]], shared.player[pair[1::2]] = 0, 1
    bounds = np.searchsorted(player, np.arange(players + 1)).astype(np.int64)
    return SequenceFormTree(
        native=native,
        form=SequenceForm(
            parent=number[b.sequence[key]],
            first=first,
            entry=np.zeros(sequences + 1, np.int64),
            value=np.zeros(0),
            others=np.zeros(0, np.int32),
            range=bounds,
            rectangles=shared,
        ),
        action=b.action[old].astype(np.int64),
        key=np.stack([b.keys.first[key] ^ marks[player], b.keys.second[key]], 1),
        witness=number[b.witness[:count][order]],
        opening=(order == 0).astype(np.float64),
        parent_state=np.zeros(0, np.int32),
        branch=np.zeros(0, np.int32),
        states=int(b.counters[VISITED]),
        ends=int(b.counters[PAIRS]),
        utility_sum=0.0,
        heard=_heard(b, key, native.shape.max_observation_words),
    )


def _heard(b: Bundling, key: I32, width: int) -> Heard:
    """Return what was heard last with the keys of all information states."""
    first = np.zeros(len(key) + 1, np.int64)
    told = np.empty(int(write_heard(b, key, first, np.zeros(0, np.int32))), np.int32)
    write_heard(b, key, first, told)
    words = b.told_words.reshape(-1, width)[: int(b.told.used[0])].tolist()
    return Heard(first, told, [tuple(row[:size]) for row, size in zip(words, b.told_size.tolist(), strict=False)])


@kernel
def write_heard(b: Bundling, key: I32, first: I64, told: I32) -> int:
    """Write what was heard with each key since its player acted, earliest first, if there is room; return how much."""
    end = 0
    for number in range(key.size):
        at = key[number]
        count = 0
        while at >= 2:
            count += b.key_told[at] != 0
            if b.key_action[at] != NOTHING:
                break
            at = b.key_before[at]
        at = key[number]
        end += count
        first[number + 1] = end
        place = end
        while at >= 2 and told.size > 0:
            if b.key_told[at] != 0:
                place -= 1
                told[place] = b.key_told[at]
            if b.key_action[at] != NOTHING:
                break
            at = b.key_before[at]
    return end


@kernel
def number_bundles(b: Bundling, pair: I32, rows: I32) -> tuple[int, int]:
    """Give the bundles of pairs their numbers, in ascending order; return how many there are, and their members."""
    for at in range(pair.size):
        rows[pair[at]] = 0
    used = members = 0
    for bundle in range(rows.size):
        if rows[bundle] != NOTHING:
            rows[bundle] = used
            used += 1
            members += b.bundle_first[bundle + 1] - b.bundle_first[bundle]
    for at in range(pair.size):
        pair[at] = rows[pair[at]]
    return used, members


@kernel
def write_bundles(b: Bundling, rows: I32, number: I32, first: I64, member: I32, factor: F64) -> None:
    """Write the bundles in use: their sequences, by their new numbers, and their factors."""
    end = 0
    for bundle in range(rows.size):
        row = rows[bundle]
        if row == NOTHING:
            continue
        value = b.bundle_value[bundle]
        for at in range(b.bundle_first[bundle], b.bundle_first[bundle + 1]):
            if value == NO_VALUE:
                member[end] = number[b.sequence[b.member[at]]]
            else:
                member[end] = number[b.member[at]]
            end += 1
        if value != NO_VALUE:
            factor[row] = b.value[value]
        first[row + 1] = end
