"""Kernels that say what the games of a batch show: legal actions, observations, and tensors of these.

n games, P players, W words of a state, A legal actions at most, O words of an observation at most, N action numbers, T
entries of a tensor. Every kernel works on the games from `first` to `last - 1`; each thread has its own scratch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ggp.codegen.kernels import F32, I64, inline_kernel, kernel
from ggp.game.batch_play import BatchArrays
from ggp.native.calls import call_legal, call_observe, mover_of
from ggp.native.interface import FAULTED, GOES_ON, NativeFunctions

if TYPE_CHECKING:
    from ggp.encoding.features import Feature, SeenFeatures

Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

WORD_BITS = 64
ONE_HOT, SCALED, BITS, BINARY = range(4)
"""How a feature is written, see `ggp.encoding.features.Feature`."""

FEATURE_FIELDS = 7
KIND, WORD, LOW, SIZE, AT, APART, SETS = range(FEATURE_FIELDS)
"""A feature as a row of a table."""

KINDS = {"one_hot": ONE_HOT, "scaled": SCALED, "bits": BITS, "binary": BINARY}


def feature_table(features: Sequence[Feature]) -> I64:
    """Return features as kernels read them: a row for each, see `FEATURE_FIELDS`; flat."""
    rows = [(KINDS[one.kind], one.word, one.low, one.size, one.at, one.apart, one.sets) for one in features]
    return np.array(rows, np.int64).reshape(-1)


def observation_tables(seen: Sequence[SeenFeatures]) -> tuple[I64, I64]:
    """Return the tables by which kernels write observations: of headings, and of features; flat."""
    headings = np.zeros((1 + max((value.heading for value in seen), default=0), 4), np.int64)
    rows: list[Feature] = []
    for value in seen:
        headings[value.heading] = value.words, value.at, len(rows), len(rows) + len(value.features)
        rows += value.features
    return headings.reshape(-1), feature_table(rows)


@kernel
def write_legal(
    functions: NativeFunctions,
    arrays: BatchArrays,
    player: int,
    counts: I64,
    out: I64,
    words: int,
    first: int,
    last: int,
) -> None:
    """Write a player's legal actions in each game to `out` (`[n A]`), how many to `counts`; -1: the player who acts."""
    width = out.size // arrays.acting.size
    for game in range(first, last):
        counts[game] = 0
        who = _asked(arrays.acting[game], player)
        if who >= 0:
            counts[game] = max(0, call_legal(functions.legal, arrays.states, game * words, who, out, game * width))


@inline_kernel
def _asked(acting: int, player: int) -> int:
    """Return the player who is meant, if it acts: `player`, or where that is -1 the first who acts; else -1."""
    if acting <= 0:
        return -1
    if player >= 0:
        return player if acting >> player & 1 else -1
    return mover_of(acting)


@kernel
def write_observations(
    functions: NativeFunctions,
    arrays: BatchArrays,
    player: int,
    counts: I64,
    out: I64,
    words: int,
    first: int,
    last: int,
) -> None:
    """Write what the last transitions told a player to `out` (`[n O]`), how many words to `counts` (`[n]`)."""
    players = arrays.joint.size // arrays.acting.size - 1
    width = out.size // arrays.acting.size
    for game in range(first, last):
        counts[game] = 0
        goes_on = arrays.status[game] == GOES_ON
        if arrays.status[game] != FAULTED and (not goes_on or arrays.lengths[game] > 0):
            count = call_observe(
                functions.observe,
                arrays.before,
                game * words,
                arrays.states if goes_on else arrays.ends,
                game * words,
                arrays.joint,
                game * (players + 1),
                player,
                out,
                game * width,
            )
            counts[game] = max(0, count)


@kernel
def write_observation_tensor(
    counts: I64, observed: I64, headings: I64, features: I64, out: F32, first: int, last: int
) -> None:
    """Write observations as a tensor.

    Args:
        counts: `[n]` words of each observation.
        observed: `[n O]`.
        headings: `[H 4]` for each heading: words of the value that follows; where it says in the tensor that it was
            seen; the first of its features; the one behind its last.
        features: `[F FEATURE_FIELDS]`.
        out: `[n T]`.
        first: the first game.
        last: the one behind the last.
    """
    games = counts.size
    width, longest = out.size // games, observed.size // games
    for game in range(first, last):
        out[game * width : (game + 1) * width] = 0.0
        at = 0
        while at < counts[game]:
            heading = 4 * observed[game * longest + at]
            out[game * width + headings[heading + 1]] = 1.0
            for row in range(headings[heading + 2], headings[heading + 3]):
                _write_feature(features, row, observed, game * longest + at + 1, out, game * width)
            at += 1 + headings[heading]


@inline_kernel
def _write_feature(features: I64, row: int, source: I64, source_at: int, out: F32, out_at: int) -> None:
    """Write one feature of the words from `source_at` on, over zeros."""
    field = FEATURE_FIELDS * row
    kind, size, at = features[field + KIND], features[field + SIZE], out_at + features[field + AT]
    apart, sets = features[field + APART], features[field + SETS]
    value = source[source_at + features[field + WORD]] - features[field + LOW]
    if apart:
        # the value at a place of an array that is kept as sets; without a set, it is the first one
        value = 0
        for number in range(sets):
            word = source[source_at + features[field + WORD] + number * apart]
            value += (word >> features[field + LOW] & 1) * (size - sets + number)
    if kind == ONE_HOT:
        if 0 <= value < size:
            out[at + value] = 1.0
    elif kind == SCALED:
        # `size` values make one entry
        out[at] = value / (size - 1)
    elif kind == BINARY:
        _write_bits(value, size, out, at)
    else:
        _write_set(source, source_at + features[field + WORD], size, out, at)


@inline_kernel
def _write_set(source: I64, source_at: int, size: int, out: F32, at: int) -> None:
    for done in range(0, size, WORD_BITS):
        _write_bits(source[source_at + done // WORD_BITS], min(size - done, WORD_BITS), out, at + done)


@inline_kernel
def _write_bits(word: int, count: int, out: F32, at: int) -> None:
    entries = out[at : at + count]  # from 0, so that the loop becomes vectors
    for bit in range(count):
        entries[bit] = 1.0 if word >> bit & 1 else 0.0
