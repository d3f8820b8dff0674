"""Choices by the values of the states one action ahead.

Where a player acts again at once, the state counts to which its turn leads. Where several players act at once each
takes the best reply to random actions of the others, or a random action.
"""

from __future__ import annotations

import math

from ggp.codegen.kernels import F64, inline_kernel, kernel
from ggp.native.calls import call_actors, call_legal, call_sample_chance, call_step, call_utility, mover_of
from ggp.native.interface import GameShape, NativeFunctions
from ggp.native.rng_kernels import below, uniform
from players.learning.differences import UNREAD, write_values_after
from players.learning.evaluation import Evaluation, write_values
from players.learning.game_memory import CHOSEN, ENDED, PASSED, STRAYED, Table

JOINT_SAMPLES = 24
"""Joint actions that are looked at where several players act."""
MAX_FURTHER, MAX_WAYS = 3, 400
"""Actions with which a turn is followed, and pairs of actions to look at beyond which it is not."""


@kernel
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
def advance(functions: NativeFunctions, shape: GameShape, table: Table) -> None:
    """Make the joint action from the present state."""
    words = shape.state_words
    call_step(functions.step, table.states, 0, table.states, 2 * words, table.joint, 0)
    for word in range(words):
        table.states[word] = table.states[2 * words + word]


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


@kernel
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


@kernel
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
    player = mover_of(actors)
    count = int(table.counts[player])
    chosen = choose_alone(functions, shape, e, table, player, count)
    kind = CHOSEN
    if uniform(table.rng, 0) < strays and count > 1:
        chosen, kind = below(table.rng, 0, count), STRAYED
    table.joint[player] = table.actions[chosen]
    advance(functions, shape, table)
    return kind
