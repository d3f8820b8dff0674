"""Self-play that learns: TD(lambda) on the states of each game, by the values one action ahead.

Each player takes the action whose state is worth the most to it, now and then a random one; where it acts again at
once, the state counts to which its turn leads. At the end of a game its states are gone through backwards: the value of
each is moved towards a mixture of the best value ahead and of what came of it. What came of a random action does not
count. How far a weight moves is its own: the more its errors have agreed in sign, the farther (temporal coherence).

Where several players act at once each takes the best reply to random actions of the others, or a random action.

Sources: Sutton 1988; Tesauro 1992; Beal, Smith 1999 (temporal coherence); Szubert, Jaskowski 2014 (n-tuples).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F32, F64, F64_2D, I32, I64, U64, inline_kernel, kernel, kernel_of_long_loops
from ggp.native.calls import call_actors, call_init, call_legal, call_sample_chance, call_step, call_utility
from ggp.native.interface import GameShape, NativeFunctions, NativeGame
from ggp.native.rng_kernels import below, uniform
from players.learning.differences import UNREAD, Before, new_before, write_values_after
from players.learning.evaluation import (
    NO_TUPLE,
    Evaluation,
    hidden_begin,
    hidden_value,
    hidden_weights,
    read_state,
    weight_of,
    write_standing,
    write_values,
)

ENDED, PASSED, CHOSEN, STRAYED = range(4)
"""What came after a state: nothing, since it is the last; what chance or several players chose; what a player chose;
a random action."""
MAX_LENGTH = 600
"""Transitions after which a game is cut; its last state then is worth what the evaluation says."""
JOINT_SAMPLES = 24
"""Joint actions that are looked at where several players act."""
MAX_FURTHER, MAX_WAYS = 3, 400
"""Actions with which a turn is followed, and pairs of actions to look at beyond which it is not."""
GAMES, POSITIONS, COUNTERS = range(3)
LOW_HALF = (1 << 32) - 1


class Rates(NamedTuple):
    """How to learn."""

    step: float  # by how much of an error an evaluation moves at most
    decay: float  # lambda
    strays: float  # probability of a random action
    opening: int  # random actions at the beginning of a game, at most
    hidden: float = 0.0  # by how much of an error hidden units move an evaluation at most


class Table(NamedTuple):
    """The memory of self-play."""

    states: I64  # [3 * W] the present state, one that may follow, and the next, or one that may follow that
    joint: I64  # [P + 1]
    actions: I64  # [P * A]
    further: I64  # [A] actions with which a turn goes on
    counts: I64  # [P]
    indices: I32  # [T]
    hidden: F32  # [H] sums of the hidden units
    pulls: F32  # [H] how far their sums are to move
    before: Before  # the present state, from which those that may follow differ little
    values: F64  # [O]
    best: F64  # [O]
    ending: F64  # [O] where a turn goes on
    utility: F64  # [P]
    places: I32  # [MAX_LENGTH * T] the weights of each state of the game; -1: none
    inner: I64  # [MAX_LENGTH * (T + 1)] where the weights of hidden units begin that are added in each; H > 0
    inputs: I64  # [MAX_LENGTH] how many these are
    read: I64  # [MAX_LENGTH * (T + 1)] the tuple and, times 2^32, its index; -1 for the weights always added
    steps: F32  # [.] what values have in common, by the lesser
    kinds: I64  # [MAX_LENGTH] what came after each
    views: I64  # [MAX_LENGTH] 1 where it was read with seats exchanged
    standing: F64_2D  # [MAX_LENGTH, O] what the rules' estimate adds
    ahead: F64_2D  # [MAX_LENGTH, O] the value one action ahead
    sums: F64  # [P * A] for the choice among simultaneous actions
    times: I64  # [P * A]
    rng: U64  # [1]
    errors: F32  # [weights] sums of errors, and
    sizes: F32  # [weights] of their sizes
    often: I32  # [weights] scratch memory: how often a state uses a weight; 0 between uses
    counters: I64  # [COUNTERS]


def new_table(native: NativeGame, evaluation: Evaluation, seed: int) -> Table:
    """Return memory for self-play with an evaluation; nothing is learned yet."""
    shape, tuples, values = native.shape, evaluation.base.size, len(evaluation.scale)
    return Table(
        states=np.zeros(3 * shape.state_words, np.int64),
        joint=np.zeros(shape.players + 1, np.int64),
        actions=np.zeros(shape.players * shape.max_actions, np.int64),
        further=np.zeros(shape.max_actions, np.int64),
        counts=np.zeros(shape.players, np.int64),
        indices=np.zeros(tuples, np.int32),
        hidden=np.zeros(evaluation.hidden_units, np.float32),
        pulls=np.zeros(evaluation.hidden_units, np.float32),
        before=new_before(evaluation),
        values=np.zeros(values),
        best=np.zeros(values),
        ending=np.zeros(values),
        utility=np.zeros(shape.players),
        places=np.zeros(MAX_LENGTH * tuples, np.int32),
        inner=np.zeros(MAX_LENGTH * (tuples + 1) if evaluation.hidden_units else 0, np.int64),
        inputs=np.zeros(MAX_LENGTH, np.int64),
        read=np.full(MAX_LENGTH * (tuples + 1) if evaluation.hidden_units else 0, -1, np.int64),
        steps=np.cumsum(1 / np.arange(1, int(evaluation.last.max(initial=0)) + 2)).astype(np.float32),
        kinds=np.zeros(MAX_LENGTH, np.int64),
        views=np.zeros(MAX_LENGTH, np.int64),
        standing=np.zeros((MAX_LENGTH, values)),
        ahead=np.zeros((MAX_LENGTH, values)),
        sums=np.zeros(shape.players * shape.max_actions),
        times=np.zeros(shape.players * shape.max_actions, np.int64),
        rng=np.array([seed], np.uint64),
        errors=np.zeros(evaluation.weights.size, np.float32),
        sizes=np.zeros(evaluation.weights.size, np.float32),
        often=np.zeros(evaluation.weights.size, np.int32),
        counters=np.zeros(COUNTERS, np.int64),
    )


@inline_kernel
def value_after(functions: NativeFunctions, e: Evaluation, table: Table, at: int, out: F64) -> None:
    """Write the values of a state, `[O]` from -1 to 1: of its utilities if it is terminal, else what it is worth."""
    if call_actors(functions.actors, table.states, at) < 0:
        call_utility(functions.utility, table.states, at, table.utility, 0)
        for value in range(out.size):
            found = (table.utility[value] - e.scale[value, 0]) / e.scale[value, 1]
            out[value] = min(max(found, -1.0), 1.0)
    elif at == 0:
        write_values(e, table.states, at, table.indices, table.hidden, table.utility, out)
    else:
        write_values_after(e, table.before, table.states, 0, table.states, at, table.utility, out)


@inline_kernel
def own_value(values: F64, player: int) -> float:
    """Return what a player makes of values."""
    if values.size == 1:
        return float(-values[0] if player == 1 else values[0])
    return float(values[player])


@inline_kernel
def value_of_turn(
    functions: NativeFunctions, shape: GameShape, e: Evaluation, table: Table, player: int, ways: int
) -> None:
    """Write to `values` those of the state that may follow, or of where its player comes to who goes on with a turn.

    Each further action is the one whose state is worth the most. A state in the middle of a turn, with dice that were
    thrown, is hard to value: the next state before chance or another player says more.

    Args:
        functions: of the game.
        shape: of the game.
        e: the evaluation.
        table: the state that may follow, and the one behind it, are overwritten.
        player: who has acted.
        ways: actions that it could choose from; where these and the further ones are many, the state itself is valued.
    """
    words = shape.state_words
    value_after(functions, e, table, words, table.values)
    for _ in range(MAX_FURTHER):
        if call_actors(functions.actors, table.states, words) != 1 << player:
            return
        count = call_legal(functions.legal, table.states, words, player, table.further, 0)
        if count == 0 or count * ways > MAX_WAYS:
            return
        best, highest = 0, -math.inf
        for place in range(count):
            table.joint[player] = table.further[place]
            call_step(functions.step, table.states, words, table.states, 2 * words, table.joint, 0)
            value_after(functions, e, table, 2 * words, table.values)
            own = own_value(table.values, player)
            if own > highest:
                best, highest = place, own
                table.ending[:] = table.values
        table.joint[player] = table.further[best]
        call_step(functions.step, table.states, words, table.states, 2 * words, table.joint, 0)
        for word in range(words):
            table.states[words + word] = table.states[2 * words + word]
        table.values[:] = table.ending


@inline_kernel
def choose_alone(
    functions: NativeFunctions, shape: GameShape, e: Evaluation, table: Table, player: int, count: int
) -> int:
    """Return the place of the best of a player's actions, any of equal ones; `best` becomes its values."""
    words = shape.state_words
    table.before.banks[:] = UNREAD
    chosen, ties, highest = 0, 0, -math.inf
    for place in range(count):
        table.joint[player] = table.actions[place]
        call_step(functions.step, table.states, 0, table.states, words, table.joint, 0)
        value_of_turn(functions, shape, e, table, player, count)
        own = own_value(table.values, player)
        if own > highest:
            highest, ties, chosen = own, 1, place
            table.best[:] = table.values
        elif own == highest:
            ties += 1
            if below(table.rng, 0, ties) == 0:
                chosen = place
    return chosen


@inline_kernel
def choose_together(
    functions: NativeFunctions, shape: GameShape, e: Evaluation, table: Table, actors: int, strays: float
) -> None:
    """Write the joint action: of each player the best reply to random ones, or one time in two a random one."""
    words, most = shape.state_words, shape.max_actions
    table.before.banks[:] = UNREAD
    table.sums[:] = 0.0
    table.times[:] = 0
    for _ in range(JOINT_SAMPLES):
        for player in range(shape.players):
            if actors >> player & 1:
                place = below(table.rng, 0, int(table.counts[player]))
                table.joint[player] = table.actions[player * most + place]
                table.times[player * most + place] += 1 << 32
        call_step(functions.step, table.states, 0, table.states, words, table.joint, 0)
        value_after(functions, e, table, words, table.values)
        for player in range(shape.players):
            if actors >> player & 1:
                for place in range(player * most, player * most + table.counts[player]):
                    if table.times[place] >= 1 << 32:
                        table.times[place] += 1 - (1 << 32)
                        table.sums[place] += own_value(table.values, player)
    for player in range(shape.players):
        if actors >> player & 1:
            first, count = player * most, int(table.counts[player])
            chosen, highest = first + below(table.rng, 0, count), -math.inf
            if uniform(table.rng, 0) >= 0.5 + strays:
                for place in range(first, first + count):
                    if table.times[place] > 0 and table.sums[place] / table.times[place] > highest:
                        highest, chosen = table.sums[place] / table.times[place], place
            table.joint[player] = table.actions[chosen]


@inline_kernel
def list_actions(functions: NativeFunctions, shape: GameShape, table: Table, actors: int) -> bool:
    """Write the legal actions of all who act; return whether each has one."""
    found = True
    for player in range(shape.players):
        if actors >> player & 1:
            first = player * shape.max_actions if actors & (actors - 1) else 0
            table.counts[player] = call_legal(functions.legal, table.states, 0, player, table.actions, first)
            found = found and table.counts[player] > 0
    return found


@inline_kernel
def player_of(actors: int) -> int:
    """Return the player who acts alone."""
    player = 0
    while not actors >> player & 1:
        player += 1
    return player


@inline_kernel
def advance(functions: NativeFunctions, shape: GameShape, table: Table) -> None:
    """Make the joint action from the present state."""
    words = shape.state_words
    call_step(functions.step, table.states, 0, table.states, 2 * words, table.joint, 0)
    for word in range(words):
        table.states[word] = table.states[2 * words + word]


@inline_kernel
def take_turn(
    functions: NativeFunctions, shape: GameShape, e: Evaluation, table: Table, actors: int, strays: float
) -> int:
    """Go on to a following state; return what kind of transition it was, ENDED where the rules give none."""
    if actors == 0:
        outcome = call_sample_chance(functions.sample_chance, table.states, 0, table.rng, 0)
        if outcome < 0:
            return ENDED
        table.joint[shape.players] = outcome
        advance(functions, shape, table)
        return PASSED
    if not list_actions(functions, shape, table, actors):
        return ENDED
    if actors & (actors - 1):
        choose_together(functions, shape, e, table, actors, strays)
        advance(functions, shape, table)
        return PASSED
    player = player_of(actors)
    count = int(table.counts[player])
    chosen = choose_alone(functions, shape, e, table, player, count)
    kind = CHOSEN
    if uniform(table.rng, 0) < strays and count > 1:
        chosen, kind = below(table.rng, 0, count), STRAYED
    table.joint[player] = table.actions[chosen]
    advance(functions, shape, table)
    return kind


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


@kernel_of_long_loops
def play_and_learn(
    functions: NativeFunctions, shape: GameShape, e: Evaluation, table: Table, rates: Rates, games: int
) -> None:
    """Play games and learn from each; `counters` are added to."""
    for _ in range(games):
        call_init(functions.init, table.states, 0)
        opening = below(table.rng, 0, rates.opening + 1) if rates.opening > 0 else 0
        length = 0
        while True:
            actors = call_actors(functions.actors, table.states, 0)
            if actors < 0 or length == MAX_LENGTH:
                break
            record(e, table, length)
            kind = take_turn(functions, shape, e, table, actors, 1.0 if opening > 0 and actors > 0 else rates.strays)
            if kind == ENDED:
                break
            opening -= int(actors > 0)
            table.kinds[length] = kind
            for value in range(table.best.size):
                table.ahead[length, value] = table.best[value]
            length += 1
        value_after(functions, e, table, 0, table.values)
        learn_game(e, table, rates, length)
        table.counters[GAMES] += 1
        table.counters[POSITIONS] += length


@kernel
def play_against(
    functions: NativeFunctions,
    shape: GameShape,
    one: Evaluation,
    other: Evaluation,
    table: Table,
    seats: int,
    strays: float,
    opening: int,
) -> int:
    """Play a game between two evaluations, each one action ahead; `utility` is what came of it.

    Args:
        functions: of the game.
        shape: of the game.
        one: plays for the players in `seats`.
        other: plays for the others; of as many tuples and values.
        table: scratch memory.
        seats: a bit mask of players.
        strays: probability of a random action.
        opening: random actions at the beginning.

    Returns:
        1 if the game ended, 0 if it was cut.
    """
    call_init(functions.init, table.states, 0)
    for _ in range(MAX_LENGTH):
        actors = call_actors(functions.actors, table.states, 0)
        if actors < 0:
            call_utility(functions.utility, table.states, 0, table.utility, 0)
            return 1
        random = 1.0 if opening > 0 and actors > 0 else strays
        opening -= int(actors > 0)
        if actors & (actors - 1) and list_actions(functions, shape, table, actors):
            choose_together(functions, shape, one, table, actors, random - 0.5)
            for player in range(shape.players):  # the sides' own choices, each for its seats
                table.counts[player] = table.joint[player]
            if list_both(functions, shape, other, table, actors, seats, random):
                advance(functions, shape, table)
                continue
            break
        side = actors > 0 and bool(seats >> player_of(actors) & 1)
        kind = ENDED
        if side:
            kind = take_turn(functions, shape, one, table, actors, random)
        else:
            kind = take_turn(functions, shape, other, table, actors, random)
        if kind == ENDED:
            break
    table.utility[:] = 0.0
    return 0


@inline_kernel
def list_both(
    functions: NativeFunctions,
    shape: GameShape,
    other: Evaluation,
    table: Table,
    actors: int,
    seats: int,
    random: float,
) -> bool:
    """Keep the choices in `counts` for some seats, and let the other evaluation choose for the rest."""
    for player in range(shape.players):
        table.kinds[player] = table.counts[player]
    if not list_actions(functions, shape, table, actors):
        return False
    choose_together(functions, shape, other, table, actors, random - 0.5)
    for player in range(shape.players):
        if seats >> player & 1:
            table.joint[player] = table.kinds[player]
    return True
