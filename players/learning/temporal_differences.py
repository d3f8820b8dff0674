"""TD(lambda) on the states of one game, backwards, with temporal coherence.

The value of each state is moved towards a mixture of the best value ahead and of what came of it; what came of a random
action does not count. How far a weight moves is its own: the more its errors have agreed in sign, the farther.

Sources: Sutton 1988; Tesauro 1992; Beal, Smith 1999 (temporal coherence); Szubert, Jaskowski 2014 (n-tuples).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F32, inline_kernel
from players.learning.evaluation import (
    NO_TUPLE,
    Evaluation,
    hidden_begin,
    hidden_value,
    hidden_weights,
    read_state,
    weight_of,
    write_standing,
)
from players.learning.game_memory import CHOSEN, PASSED, STRAYED, Table

LOW_HALF = (1 << 32) - 1


class Rates(NamedTuple):
    """How to learn."""

    step: float  # by how much of an error an evaluation moves at most
    decay: float  # lambda
    strays: float  # probability of a random action
    opening: int  # random actions at the beginning of a game, at most
    hidden: float = 0.0  # by how much of an error hidden units move an evaluation at most
    search: int = 0  # states that a search visits for a decision; 0: by the values one action ahead


@inline_kernel
def record(e: Evaluation, table: Table, length: int) -> None:
    """Keep which weights the present state uses."""
    found = read_state(e, table.states, 0, table.indices)
    table.views[length] = found & 1
    write_standing(e, table.states, 0, table.utility)
    for value in range(table.values.size):
        table.standing[length, value] = table.utility[value]
    tuples, offset = e.base.size, (found >> 1) * e.bank[0]
    units, first = table.hidden.size, length * (e.base.size + 1)
    if units > 0:
        table.inner[first] = (found >> 1) * hidden_weights(e) * units
    count = 1
    for number in range(tuples):
        own = weight_of(e, table.indices, number)
        table.places[length * tuples + number] = -1 if own < 0 else own + offset
        if units > 0 and own > e.base[number] and e.hidden_base[number] != NO_TUPLE:
            index = int(own - e.base[number])
            table.inner[first + count] = hidden_begin(e, number, index, int(found >> 1))
            table.read[first + count] = index << 32 | number
            count += 1
    table.inputs[length] = count


@inline_kernel
def read_hidden(e: Evaluation, table: Table, at: int) -> None:
    """Write the sums of the hidden units for a state of the game."""
    table.hidden[:] = 0.0
    if table.hidden.size > 0:
        first = at * (e.base.size + 1)
        for place in range(first, first + table.inputs[at]):
            begin, times = table.inner[place], np.float32(1.0)
            if table.read[place] >= 0 and e.scales[table.read[place] & LOW_HALF] > 0:
                times = np.float32(table.read[place] >> 32)
            for unit in range(table.hidden.size):
                table.hidden[unit] += times * e.hidden[begin + unit]


@inline_kernel
def input_scale(e: Evaluation, table: Table, place: int) -> float:
    """Return how hidden units read an input of a state; see `Tuple`."""
    return float(e.scales[table.read[place] & LOW_HALF]) if table.read[place] >= 0 else 0.0


@inline_kernel
def size_of_input(e: Evaluation, table: Table, place: int) -> float:
    """Return the square of an input of the hidden units; of steps, the squares of all that are reached.

    The square of the first step is 1, of the next ones 1 / 2, 1 / 3 and so on: that there is one man on a point, or a
    second, says more than that there is a tenth.
    """
    scale, index = input_scale(e, table, place), table.read[place] >> 32
    if scale < 0:
        return float(table.steps[index - 1])
    return float(index * scale) ** 2 if scale > 0 else 1.0


@inline_kernel
def add_times(into: F32, begin: int, added: F32, times: float) -> None:
    """Add a multiple of an array to a part of another."""
    for place in range(added.size):
        into[begin + place] += np.float32(times) * added[place]


@inline_kernel
def learn_hidden(e: Evaluation, table: Table, at: int, value: int, error: float, step: float) -> None:
    """Move the weights of the hidden units, whose sums have been read, down the slope of an error.

    Args:
        e: the evaluation.
        table: `hidden` is overwritten.
        at: the state of the game.
        value: which.
        error: times the slope of the value.
        step: share of the error.
    """
    units, count, first = table.hidden.size, table.inputs[at], at * (e.base.size + 1)
    length, seen = 0.0, 0.0
    for place in range(first, first + count):
        seen += size_of_input(e, table, place)
    for unit in range(units):
        top = float(e.top[value * units + unit])
        still = 1.0 / (1.0 + abs(float(table.hidden[unit])))
        table.hidden[unit] = np.float32(float(table.hidden[unit]) * still)
        table.pulls[unit] = np.float32(top * still * still)
        length += float(table.hidden[unit]) ** 2 + seen * float(table.pulls[unit]) ** 2
    move = np.float32(step * error / max(length, 1.0))
    for unit in range(units):
        e.top[value * units + unit] += move * table.hidden[unit]
        table.pulls[unit] *= move
    for place in range(first, first + count):
        begin, index, scale = table.inner[place], table.read[place] >> 32, input_scale(e, table, place)
        if scale < 0:
            begin -= index * units
            for other in range(1, e.last[table.read[place] & LOW_HALF] + 1):
                begin += units
                add_times(e.hidden, begin, table.pulls, float(table.steps[min(index, other) - 1]))
        else:
            add_times(e.hidden, begin, table.pulls, index * scale * scale if scale > 0 else 1.0)


@inline_kernel
def agreement(table: Table, place: int) -> float:
    """Return how far the errors of a weight have agreed in sign: 1 where all did, 0 where they cancelled out."""
    size = float(table.sizes[place])
    return abs(float(table.errors[place])) / size if size > 0.0 else 1.0


@inline_kernel
def learn(e: Evaluation, table: Table, rates: Rates, at: int, value: int, target: float) -> None:
    """Move one value of a state of the game towards a target, from -1 to 1."""
    tuples, offset = e.base.size, value * e.bank[1]
    total, uses = 0.0, 0.0
    for number in range(at * tuples, (at + 1) * tuples):
        place = table.places[number]
        if place >= 0:
            total += e.weights[offset + place]
            table.often[place] += 1
    for number in range(at * tuples, (at + 1) * tuples):
        place = table.places[number]
        if place >= 0:
            # in all, the squared length of the vector of features; those whose errors disagree count less, so that
            # patterns that are everywhere and say nothing do not take the step from those that say something
            uses += table.often[place] * math.sqrt(agreement(table, place + offset))
    units = table.hidden.size
    read_hidden(e, table, at)
    total += hidden_value(e, table.hidden, value)
    sign = -1.0 if table.views[at] else 1.0
    now = math.tanh(total + sign * table.standing[at, value])
    error = sign * target - now
    slope = max(1.0 - now * now, 0.05)
    move = rates.step * error * slope / max(uses, 1.0)
    if units > 0:
        learn_hidden(e, table, at, value, error * slope, rates.hidden)
    for number in range(at * tuples, (at + 1) * tuples):
        place = table.places[number]
        if place >= 0 and table.often[place] > 0:
            own = table.often[place]
            table.often[place] = 0
            place += offset
            e.weights[place] += np.float32(move * own * agreement(table, place))
            table.errors[place] += np.float32(error)
            table.sizes[place] += np.float32(abs(error))


@inline_kernel
def learn_game(e: Evaluation, table: Table, rates: Rates, length: int) -> None:
    """Learn from a game; `values` is what its last state came to."""
    table.best[:] = table.values
    for at in range(length - 1, -1, -1):
        for value in range(table.values.size):
            came = table.values[value]
            if table.kinds[at] == STRAYED:
                came = table.ahead[at, value]
            elif table.kinds[at] == CHOSEN:
                came = (1.0 - rates.decay) * table.ahead[at, value] + rates.decay * came
            else:
                came = (1.0 - rates.decay) * table.best[value] + rates.decay * came
            table.values[value] = came
            learn(e, table, rates, at, value, float(came))
        if table.kinds[at] == PASSED:
            evaluate_record(e, table, at)
        else:  # the value by which it was chosen
            for value in range(table.values.size):
                table.best[value] = table.ahead[at, value]


@inline_kernel
def evaluate_record(e: Evaluation, table: Table, at: int) -> None:
    """Write to `best` what a state of the game is worth now."""
    tuples = e.base.size
    read_hidden(e, table, at)
    for value in range(table.best.size):
        total = hidden_value(e, table.hidden, value)
        for number in range(at * tuples, (at + 1) * tuples):
            if table.places[number] >= 0:
                total += e.weights[value * e.bank[1] + table.places[number]]
        table.best[value] = math.tanh(table.standing[at, value] + (-total if table.views[at] else total))
