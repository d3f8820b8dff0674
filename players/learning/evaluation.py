"""A learned evaluation as kernels read it: which weights a world state uses, and their sum.

A *site* is a place with a small number on it, its code: what stands on a cell, whether a card is held, how many men
are on a point. A *tuple* is a few sites and a table with a weight for every combination of their codes; a code adds to
the tuple's index, so only what is there is looked at, not what could be. All weights that a state uses are added, and
the hyperbolic tangent of the sum is the value between the least utility and the greatest. Where the rules have an
estimate, it is part of the sum: weights of 0 give the same values as the rules.

There may be a layer of *hidden units*: each has its own weights for the tuples of one site, except for index 0, and
one that is always added. Their sum x becomes x / (1 + |x|), and adds that to the values by weights of its own.

With a symmetry that exchanges the players, states in which the second player is to act are read with seats exchanged
and the board turned: `view` 1.

Dimensions: P players, K planes (sets), N numbers, S sites, T tuples, E entries of sites in tuples, O values (1 where
two players have opposite utilities, else P), M weights of a bank; there is a bank for each kind of phase and turn;
H hidden units, each with I weights of a bank.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F32, F64, F64_2D, I32, I64, I64_2D, bit_length, inline_kernel
from ggp.codegen.kernels import kernel as _kernel
from ggp.native.calls import call_actors, call_estimate, mover_of
from ggp.native.interface import PHASE_WORD

TURN_WORD, TURNS, EXCHANGED, FACTS = range(4)
"""In `facts`: the word that says whose turn it is, or NO_WORD; how many players have banks of their own; whether
seats are exchanged for the second player."""
NO_WORD, NO_TUPLE = -1, -1
WORD, ELEMENTS, FIRST_SITE, PLANE_FIELDS = range(4)
LOW, SIZE, SITE, MAP, STEP, NUMBER_FIELDS = range(1, 7)  # a step of 0: the greatest of a set; -1: the least
LAST_BIT = 63
SUREST = 0.999
"""The greatest share of the range of utilities that the rules' estimate may give; a surer one could not be mended."""
ONE = np.int64(1)


class Evaluation(NamedTuple):
    """See the module's text."""

    actors: int  # address of the game's function; 0 where a word says whose turn it is
    estimate: int  # address of the function of the rules; 0 where they have none
    facts: I64  # [FACTS]
    phase_bank: I64  # [phases] which bank's weights are used, as a multiple of `turns`
    planes: I64_2D  # [K, PLANE_FIELDS] first word of the set, how many elements it may have, site of the first
    plane_code: I64_2D  # [2, K] by view: what an element adds to the code of its site
    plane_count: I64_2D  # [2, K] by view: the tuple whose index is the number of elements
    numbers: I64_2D  # [N, NUMBER_FIELDS] word, least value, how many, site, where its codes begin, how many share one
    codes: I64_2D  # [2, ...] by view: the code of each value
    site_seen: I64_2D  # [2, S] by view: the site that a site is read as
    first: I64  # [S + 1] entries of a site
    target: I32  # [E] the tuple
    factor: I32  # [E] what a code of 1 adds to its index
    base: I32  # [T] where the tuple's table begins
    last: I32  # [T] its last index
    fixed: I32  # [T] 1: index 0 has no weight, since it says that nothing is there
    weights: F32  # [O * banks * M]
    bank: I64  # [2] M, and how many weights a value has
    scale: F64_2D  # [O, 2] middle and half of the range of utilities
    sum: F64  # [1] of the utilities of two players, where O is 1
    scales: F32  # [T] more than 0: hidden units have one weight, times the index; see `Tuple`
    hidden_base: I32  # [T] before which, of the I, its weights of hidden units begin; NO_TUPLE: not read
    hidden: F32  # [banks * I * H]
    top: F32  # [O * H] what each hidden unit adds to each value

    @property
    def hidden_units(self) -> int:
        """Return H."""
        return self.top.size // len(self.scale)


@inline_kernel
def view_of(e: Evaluation, states: I64, at: int) -> int:
    """Return who is to act, by number; 0 where that is not one player, or not known."""
    word = e.facts[TURN_WORD]
    if word != NO_WORD:
        return int(states[at + word])
    actors = call_actors(e.actors, states, at)
    return mover_of(actors) if actors > 0 and actors & (actors - 1) == 0 else 0


@inline_kernel
def add_code(e: Evaluation, index: I32, site: int, code: int) -> None:
    """Add a code on a site to the indices of all tuples that read it."""
    for entry in range(e.first[site], e.first[site + 1]):
        target = e.target[entry]
        index[target] += e.factor[entry] * code


@inline_kernel
def read_state(e: Evaluation, states: I64, at: int, index: I32) -> int:
    """Write the index of each tuple, `[T]`, and return the number of the bank, with the view in its lowest bit."""
    turn = view_of(e, states, at)
    view = 1 if e.facts[EXCHANGED] and turn == 1 else 0
    fill_indices(e, states, at, view, index)
    return int(2 * bank_of(e, states, at, turn) + view)


@inline_kernel
def place_of(e: Evaluation, number: int, word: int) -> int:
    """Return where in `codes` the code of a number's value is."""
    step = e.numbers[number, STEP]
    if step > 0:
        value = (word - e.numbers[number, LOW]) // step
    else:  # the word is a set: its greatest element, or its least
        value = np.int64(bit_length(word if step == 0 else word & -word))
    return int(e.numbers[number, MAP] + min(max(value, 0), e.numbers[number, SIZE] - 1))


@inline_kernel
def bank_of(e: Evaluation, states: I64, at: int, turn: int) -> int:
    """Return which bank's weights a state uses; `turn` is who is to act."""
    bank = e.phase_bank[states[at + PHASE_WORD]] * e.facts[TURNS]
    return int(bank + min(turn, e.facts[TURNS] - 1))


@inline_kernel
def fill_indices(e: Evaluation, states: I64, at: int, view: int, index: I32) -> None:
    """Write the index of each tuple, `[T]`, of a state read with seats exchanged or not."""
    index[:] = 0
    for plane in range(e.planes.shape[0]):
        code, begin = e.plane_code[view, plane], e.planes[plane, FIRST_SITE]
        count = 0
        word = at + e.planes[plane, WORD]
        for first in range(0, e.planes[plane, ELEMENTS], 64):
            bits = states[word]
            word += 1
            while bits != 0:
                place = LAST_BIT if bits < 0 else bit_length(bits) - 1
                bits ^= ONE << np.int64(place)
                count += 1
                if code != 0:
                    add_code(e, index, int(e.site_seen[view, begin + first + place]), int(code))
        if e.plane_count[view, plane] != NO_TUPLE:
            index[e.plane_count[view, plane]] += count
    for number in range(e.numbers.shape[0]):
        code = e.codes[view, place_of(e, number, states[at + e.numbers[number, WORD]])]
        if code != 0:
            add_code(e, index, int(e.site_seen[view, e.numbers[number, SITE]]), int(code))


@inline_kernel
def weight_of(e: Evaluation, index: I32, number: int) -> int:
    """Return the place of a tuple's weight in its bank; -1 where it has none.

    An index is kept within the table even where the state is one that rules should not allow.
    """
    own = min(max(index[number], 0), e.last[number])
    if own == 0 and e.fixed[number]:
        return -1
    return int(e.base[number] + own)


@inline_kernel
def sum_of(e: Evaluation, index: I32, offset: int) -> float:
    """Return the sum of a bank's weights for the indices of a state."""
    total = np.float32(0.0)
    for number in range(e.base.size):
        own = min(max(index[number], 0), e.last[number])
        total += e.weights[offset + e.base[number] + own]
    return float(total)


@inline_kernel
def write_hidden(e: Evaluation, index: I32, bank: int, out: F32) -> None:
    """Write the sums of the hidden units, `[H]`, for the indices of a state."""
    if out.size == 0:
        return
    always = bank * hidden_weights(e) * out.size
    for unit in range(out.size):
        out[unit] = e.hidden[always + unit]
    for number in range(e.base.size):
        own = min(index[number], e.last[number])
        if own > 0 and e.hidden_base[number] != NO_TUPLE:
            add_hidden(e, number, own, bank, out)


@inline_kernel
def add_hidden(e: Evaluation, number: int, own: int, bank: int, out: F32) -> None:
    """Add to the sums of the hidden units what they have for an index of a tuple."""
    begin = hidden_begin(e, number, own, bank)
    times = np.float32(own if e.scales[number] > 0 else 1)
    for unit in range(out.size):
        out[unit] += times * e.hidden[begin + unit]


@inline_kernel
def take_hidden(e: Evaluation, number: int, own: int, bank: int, out: F32) -> None:
    """Take away from the sums of the hidden units what they have for an index of a tuple."""
    begin = hidden_begin(e, number, own, bank)
    times = np.float32(own if e.scales[number] > 0 else 1)
    for unit in range(out.size):
        out[unit] -= times * e.hidden[begin + unit]


@inline_kernel
def hidden_begin(e: Evaluation, number: int, own: int, bank: int) -> int:
    """Return where the weights of the hidden units for an index of a tuple begin."""
    row = 1 if e.scales[number] > 0 else own
    return int((bank * hidden_weights(e) + e.hidden_base[number] + row) * (e.top.size // e.scale.shape[0]))


@inline_kernel
def hidden_weights(e: Evaluation) -> int:
    """Return I."""
    banks = e.bank[1] // e.bank[0]
    units = e.top.size // e.scale.shape[0]
    return int(e.hidden.size // max(banks * units, 1))


@inline_kernel
def hidden_value(e: Evaluation, sums: F32, value: int) -> float:
    """Return what the hidden units add to a value."""
    total = np.float32(0.0)
    for unit in range(sums.size):
        total += e.top[value * sums.size + unit] * sums[unit] / (np.float32(1.0) + abs(sums[unit]))
    return float(total)


@inline_kernel
def write_standing(e: Evaluation, states: I64, at: int, standing: F64) -> None:
    """Write what the rules' estimate adds to each value's sum, `[P]`; 0 where there is none."""
    if e.estimate == 0 or call_estimate(e.estimate, states, at, standing, 0) < 0:
        standing[:] = 0.0
        return
    for value in range(e.scale.shape[0]):
        share = min(max((standing[value] - e.scale[value, 0]) / e.scale[value, 1], -SUREST), SUREST)
        standing[value] = 0.5 * math.log((1.0 + share) / (1.0 - share))


@inline_kernel
def write_values(e: Evaluation, states: I64, at: int, index: I32, hidden: F32, standing: F64, out: F64) -> None:
    """Write the values of a state, `[O]`, each from -1 to 1; of two players the first one's."""
    found = read_state(e, states, at, index)
    write_standing(e, states, at, standing)
    write_hidden(e, index, found >> 1, hidden)
    for value in range(out.size):
        total = sum_of(e, index, int(value * e.bank[1] + (found >> 1) * e.bank[0])) + hidden_value(e, hidden, value)
        out[value] = math.tanh(standing[value] + (-total if found & 1 else total))


@inline_kernel
def write_utilities(e: Evaluation, values: F64, out: F64) -> None:
    """Write the utilities, `[P]`, that values from -1 to 1 stand for."""
    for value in range(values.size):
        out[value] = e.scale[value, 0] + e.scale[value, 1] * values[value]
    if values.size < out.size:
        out[1] = e.sum[0] - out[0]


@_kernel
def evaluate(e: Evaluation, states: I64, at: int, index: I32, hidden: F32, values: F64, out: F64) -> int:
    """Write the utilities that a state is worth.

    Args:
        e: the evaluation.
        states: read.
        at: where the state begins.
        index: `[T]` scratch memory.
        hidden: `[H]` scratch memory.
        values: `[O]` scratch memory.
        out: `[P]` overwritten: utilities.

    Returns:
        0.
    """
    write_values(e, states, at, index, hidden, out, values)
    write_utilities(e, values, out)
    return 0
