"""The values of states that follow one state: only what differs from it is looked at.

On a large board, that is a tenth of the work of reading each state as a whole. Seats may be exchanged between a state
and the next, so the state before is read both ways, each when it is first needed.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F32, F64, I32, I64, allocated, bit_length, inline_kernel, kernel
from players.learning.evaluation import (
    ELEMENTS,
    EXCHANGED,
    FIRST_SITE,
    LAST_BIT,
    NO_TUPLE,
    ONE,
    SITE,
    WORD,
    Evaluation,
    add_hidden,
    bank_of,
    fill_indices,
    hidden_value,
    place_of,
    sum_of,
    take_hidden,
    view_of,
    write_hidden,
    write_standing,
    write_utilities,
)

UNREAD = -1
GRAIN = 2.0**-18
"""Of weights that are read for play: sums of multiples below 64 are exact, and so the same in whatever order they are
added."""
LARGEST_SHARE = 0.18
"""Of the tuples, up to which differences are looked at: where more differ, reading the state as a whole pays."""


class Before(NamedTuple):
    """A state, read as it is and with seats exchanged; T tuples, O values, H hidden units."""

    indices: Annotated[I32, "2 * T"]  # by view
    sums: Annotated[F64, "2 * O"]  # by view
    hidden: Annotated[F32, "2 * H"]  # by view: sums of the hidden units
    hidden_after: Annotated[F32, "H"]  # scratch memory
    banks: Annotated[I64, "2"]  # by view: whose weights were added; UNREAD where the state was not read
    touched: Annotated[I32, "T"]  # tuples whose index differs, and
    was: Annotated[I32, "T"]  # their index before
    marks: Annotated[I64, "T + 1"]  # the last state in which a tuple was touched; at the end, the number of the present
    #     one


def new_before(evaluation: Evaluation) -> Before:
    """Return memory for a state; nothing is read yet."""
    before = allocated(Before, T=evaluation.base.size, O=len(evaluation.scale), H=evaluation.hidden_units)
    before.banks[:] = UNREAD
    return before


@inline_kernel
def shift(e: Evaluation, before: Before, view: int, target: int, by: int, count: int) -> int:
    """Add to the index of a tuple; return how many have been touched."""
    tuples = e.base.size
    at = view * tuples + target
    if before.marks[target] != before.marks[tuples]:
        before.marks[target] = before.marks[tuples]
        before.touched[count] = target
        before.was[count] = before.indices[at]
        count += 1
    before.indices[at] += by
    return count


@inline_kernel
def shift_site(e: Evaluation, before: Before, view: int, site: int, code: int, count: int) -> int:
    """Add a code on a site; return how many tuples have been touched."""
    for entry in range(e.first[site], e.first[site + 1]):
        count = shift(e, before, view, int(e.target[entry]), int(e.factor[entry] * code), count)
    return count


@inline_kernel
def shift_planes(e: Evaluation, before: Before, olds: I64, old: int, states: I64, new: int, view: int) -> int:
    """Take over what differs in the sets of two states; return how many tuples have been touched."""
    count = 0
    for plane in range(e.planes.shape[0]):
        code, begin = int(e.plane_code[view, plane]), e.planes[plane, FIRST_SITE]
        word = e.planes[plane, WORD]
        for first in range(0, e.planes[plane, ELEMENTS], 64):
            bits = olds[old + word] ^ states[new + word]
            while bits != 0:
                place = LAST_BIT if bits < 0 else bit_length(bits) - 1
                bits ^= ONE << np.int64(place)
                sign = 1 if (states[new + word] >> np.int64(place)) & 1 else -1
                site = int(e.site_seen[view, begin + first + place])
                count = shift_site(e, before, view, site, sign * code, count)
                if e.plane_count[view, plane] != NO_TUPLE:
                    count = shift(e, before, view, int(e.plane_count[view, plane]), sign, count)
            word += 1
    return count


@inline_kernel
def shift_numbers(
    e: Evaluation, before: Before, olds: I64, old: int, states: I64, new: int, view: int, count: int
) -> int:
    """Take over what differs in the numbers of two states; return how many tuples have been touched."""
    for number in range(e.numbers.shape[0]):
        word = e.numbers[number, WORD]
        if olds[old + word] == states[new + word]:
            continue
        code = e.codes[view, place_of(e, number, states[new + word])]
        code -= e.codes[view, place_of(e, number, olds[old + word])]
        if code != 0:
            site = int(e.site_seen[view, e.numbers[number, SITE]])
            count = shift_site(e, before, view, site, int(code), count)
    return count


@inline_kernel
def write_values_after(
    e: Evaluation, before: Before, olds: I64, old: int, states: I64, new: int, standing: F64, out: F64
) -> None:
    """Write the values of a state, `[O]`, as `write_values` does, by its differences from the one before.

    Args:
        e: the evaluation.
        before: of the state at `old`; `banks` are set to UNREAD when another state comes there.
        olds: read.
        old: where in `olds` the state before begins.
        states: read.
        new: where this state begins.
        standing: `[P]` scratch memory.
        out: overwritten.
    """
    tuples, units = e.base.size, before.hidden_after.size
    turn = view_of(e, states, new)
    view = 1 if e.facts[EXCHANGED] and turn == 1 else 0
    bank = bank_of(e, states, new, turn)
    if before.banks[view] != bank:
        own = before.indices[view * tuples : (view + 1) * tuples]
        if before.banks[view] == UNREAD:
            fill_indices(e, olds, old, view, own)
        before.banks[view] = bank
        for value in range(out.size):
            offset = int(value * e.bank[1] + bank * e.bank[0])
            before.sums[view * out.size + value] = sum_of(e, own, offset)
        write_hidden(e, own, bank, before.hidden[view * units : (view + 1) * units])
    before.marks[tuples] += 1
    count = shift_planes(e, before, olds, old, states, new, view)
    count = shift_numbers(e, before, olds, old, states, new, view, count)
    for value in range(out.size):
        out[value] = before.sums[view * out.size + value]
    for unit in range(units):
        before.hidden_after[unit] = before.hidden[view * units + unit]
    for place in range(count):
        target = before.touched[place]
        at, base, last = view * tuples + target, e.base[target] + bank * e.bank[0], e.last[target]
        was, now = min(max(before.was[place], 0), last), min(max(before.indices[at], 0), last)
        for value in range(out.size):
            offset = value * e.bank[1] + base
            out[value] += e.weights[offset + now] - e.weights[offset + was]
        if units > 0 and now != was and e.hidden_base[target] != NO_TUPLE:
            if now > 0:
                add_hidden(e, target, now, bank, before.hidden_after)
            if was > 0:
                take_hidden(e, target, was, bank, before.hidden_after)
        before.indices[at] = before.was[place]
    write_standing(e, states, new, standing)
    for value in range(out.size):
        out[value] += hidden_value(e, before.hidden_after, value)
        out[value] = math.tanh(standing[value] + (-out[value] if view else out[value]))


class Kept(NamedTuple):
    """A state that was valued, from which the next ones differ little: in a search, most follow the same few states."""

    before: Before
    state: I64  # [W]
    limits: I64  # [1] elements and numbers that may differ; where more do, the state is read as a whole


def new_kept(evaluation: Evaluation, words: int) -> Kept:
    """Return memory for the state that was valued last, which is none yet."""
    read = max(evaluation.target.size, 1) / max(evaluation.site_seen.shape[1], 1)
    limit = int(LARGEST_SHARE * evaluation.base.size / read)
    return Kept(new_before(evaluation), np.zeros(words, np.int64), np.array([limit]))


def in_grains(evaluation: Evaluation) -> Evaluation:
    """Return an evaluation of rounded weights, a copy."""
    weights, hidden = (
        (np.round(own / GRAIN) * GRAIN).astype(np.float32) for own in (evaluation.weights, evaluation.hidden)
    )
    return evaluation._replace(weights=weights, hidden=hidden)


@inline_kernel
def differing(e: Evaluation, one: I64, other: I64) -> int:
    """Return how many elements of sets, and how many numbers, are not the same in two states."""
    count = 0
    for plane in range(e.planes.shape[0]):
        word = e.planes[plane, WORD]
        for _ in range(0, e.planes[plane, ELEMENTS], 64):
            bits = one[word] ^ other[word]
            while bits != 0:
                bits &= bits - 1
                count += 1
            word += 1
    for number in range(e.numbers.shape[0]):
        word = e.numbers[number, WORD]
        count += int(one[word] != other[word])
    return count


@kernel
def evaluate_near(e: Evaluation, kept: Kept, states: I64, values: F64, out: F64) -> int:
    """Write the utilities that a state is worth, as `evaluate` does, by what differs from the state that is kept.

    Args:
        e: the evaluation, whose weights are multiples of GRAIN.
        kept: becomes the state itself where much differs.
        states: `[W]` the state.
        values: `[O]` scratch memory.
        out: `[P]` overwritten: utilities.

    Returns:
        0.
    """
    if differing(e, kept.state, states) > kept.limits[0]:
        kept.state[:] = states
        kept.before.banks[:] = UNREAD
    write_values_after(e, kept.before, kept.state, 0, states, 0, out, values)
    write_utilities(e, values, out)
    return 0
