"""Self-play that learns: each game is played by the values one action ahead, then learned from.

Each player takes the action whose state is worth the most to it, now and then a random one.
"""

from __future__ import annotations

from ggp.codegen.kernels import inline_kernel, kernel, kernel_of_long_loops
from ggp.native.calls import call_actors, call_init, call_utility, mover_of
from ggp.native.interface import GameShape, NativeFunctions
from ggp.native.rng_kernels import below
from players.learning.evaluation import Evaluation
from players.learning.game_memory import ENDED, GAMES, MAX_LENGTH, POSITIONS, Table
from players.learning.one_ahead import advance, choose_together, list_actions, take_turn, value_after
from players.learning.temporal_differences import Rates, learn_game, record


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
        side = actors > 0 and bool(seats >> mover_of(actors) & 1)
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
