"""The value of the world state at which an iteration leaves the tree: utilities if it is terminal, else by the options.

A fault of the rules ends play; a state with a fault is valued as a draw.
"""

from __future__ import annotations

from ggp.codegen.kernels import I64, inline_kernel, kernel
from ggp.native.calls import (
    call_actors,
    call_estimate,
    call_legal,
    call_playout,
    call_sample_chance,
    call_step,
    call_utility,
)
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.interface import TERMINAL as NOBODY_ACTS
from ggp.native.rng_kernels import below
from players.search.foundation.kernel_arguments import (
    GREATEST,
    ITERATION,
    LEAST,
    LEAST_SPREAD,
    NOTHING_SEEN,
    NUMBER,
    SHARE,
    SPREAD,
    SQUARES,
    SUM,
    LeafOptions,
    Model,
    Work,
)
from players.search.foundation.node_kinds import CHANCE as CHANCE_NODE
from players.search.foundation.node_kinds import DECISION, TERMINAL

NOTHING_KNOWN = 0.5
"""The scaled value of a state with a fault, or without an estimate."""
FIRST_ITERATIONS = 256
"""Those whose utilities show how the game's payoffs are distributed."""
NO_PLAY = -1
"""The rules give no actions or outcomes."""
STOPPED = -1
"""What a playout returns that reached its limit; after a fault it returns less."""


@inline_kernel
def kind_of(model: Model, states: I64, at: int) -> int:
    """Return the kind of node of a world state."""
    actors = call_actors(model.functions.actors, states, at)
    if actors == NOBODY_ACTS:
        return TERMINAL
    return CHANCE_NODE if actors == CHANCE_ACTS else DECISION


@inline_kernel
def scale_utility(model: Model, work: Work) -> None:
    """Scale utilities to [0, 1]."""
    for player in range(model.shape.players):
        work.utility[player] = (work.utility[player] - model.low[player]) * model.scale[player]


def begin_anew(work: Work, word: int) -> None:
    """Seed the generator with a 64-bit word that is not 0, and forget what was met and counted before."""
    work.rng[0] = word
    work.cursor[ITERATION] = 0  # outcome sampling has the players take turns by it
    work.seen[:] = NOTHING_SEEN


def forget_utilities(work: Work) -> None:
    """Forget the range of the utilities of earlier iterations: late in a game, far less can still be won or lost."""
    work.seen[:, :SHARE] = NOTHING_SEEN[:SHARE]


@inline_kernel
def note_utilities(work: Work) -> None:
    """Note the utilities of an iteration: their range at this decision, and how they are distributed.

    Exploration is measured by their spread, a share of that range: nine times the variance of the first
    iterations (nearly random play) over the square of their range, or 1 where that is more. So it is the range
    where plays are won, drawn or lost, and a third of it or less in sums over many moves, which seldom come
    near the ends. The variance of all iterations would not do: once nearly all are drawn, nothing would be
    explored any more.
    """
    for player in range(work.seen.shape[0]):
        utility = work.utility[player]
        seen = work.seen[player]
        seen[LEAST] = min(seen[LEAST], utility)
        seen[GREATEST] = max(seen[GREATEST], utility)
        range_ = seen[GREATEST] - seen[LEAST]
        if seen[NUMBER] < FIRST_ITERATIONS:
            seen[NUMBER] += 1.0
            seen[SUM] += utility
            seen[SQUARES] += utility * utility
            variance = (seen[SQUARES] - seen[SUM] * seen[SUM] / seen[NUMBER]) / seen[NUMBER]
            seen[SHARE] = min(9.0 * variance / (range_ * range_), 1.0) if range_ > 0.0 else 1.0
        seen[SPREAD] = max(range_ * seen[SHARE], LEAST_SPREAD)


@inline_kernel
def spread_seen(work: Work, player: int) -> float:
    """Return the spread of a player's utilities at this decision; see `note_utilities`."""
    return float(work.seen[player, SPREAD])


@inline_kernel
def share_of_range(work: Work, player: int, utility: float) -> float:
    """Return where a player's utility lies between the least and the greatest met at this decision: 0 to 1."""
    seen = work.seen[player]
    return float((utility - seen[LEAST]) / max(seen[GREATEST] - seen[LEAST], LEAST_SPREAD))


@inline_kernel
def value_unknown(work: Work) -> None:
    """Write the same utility for all players."""
    work.utility[:] = NOTHING_KNOWN


@inline_kernel
def value_end(model: Model, work: Work, at: int) -> None:
    """Write the scaled utilities of a terminal state."""
    if call_utility(model.functions.utility, work.states, at, work.utility, 0) < 0:
        value_unknown(work)
    else:
        scale_utility(model, work)


@kernel
def random_transition(model: Model, work: Work, at: int, to: int) -> bool:
    """Write the state after a random transition; the state at `at` must not be terminal.

    Returns:
        False if the rules give no actions or outcomes; then nothing is written.
    """
    players = model.shape.players
    actors = call_actors(model.functions.actors, work.states, at)
    if actors == CHANCE_ACTS:
        outcome = call_sample_chance(model.functions.sample_chance, work.states, at, work.rng, 0)
        if outcome < 0:
            return False
        work.joint[players] = outcome
    for player in range(players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, work.states, at, player, work.actions, 0)
            if count < 1:
                return False
            work.joint[player] = work.actions[below(work.rng, 0, count)]
    call_step(model.functions.step, work.states, at, work.states, to, work.joint, 0)
    return True


@inline_kernel
def legal_of_all(model: Model, work: Work, states: I64, at: int, actors: int) -> int:
    """Write to `work` how many actions each player has, and all of them, those of one player behind another's.

    A player who does not act has one action, 0.

    Returns:
        How many these are in all; NO_PLAY if the rules give somebody none.
    """
    total = 0
    for player in range(model.shape.players):
        work.counts[player] = 1
        work.actions[total] = 0
        if actors >> player & 1:
            work.counts[player] = call_legal(model.functions.legal, states, at, player, work.actions, total)
            if work.counts[player] < 1:
                return NO_PLAY
        total += work.counts[player]
    return int(total)


@inline_kernel
def other_state(model: Model, at: int) -> int:
    """Return the place of the other one of the two states that change."""
    return 2 * model.shape.state_words if at == model.shape.state_words else model.shape.state_words


@inline_kernel
def value_leaf(model: Model, work: Work, options: LeafOptions, at: int) -> int:
    """Write to `work.utility` the scaled value of a state that is not terminal, by the options.

    Returns:
        The number of transitions made.
    """
    if not options.estimate:
        functions, limit = model.functions, options.playout_limit
        made = call_playout(functions.playout, work.states, at, work.rng, 0, work.utility, 0, limit)
        if made >= 0:
            scale_utility(model, work)
            return int(made)
        if made != STOPPED:
            value_unknown(work)
            return 0
        value_by_estimate(model, work, at)
        return int(limit)
    for step in range(options.moves):
        to = other_state(model, at)
        if not random_transition(model, work, at, to):
            value_unknown(work)
            return step
        at = to
        if kind_of(model, work.states, at) == TERMINAL:
            value_end(model, work, at)
            return step + 1
    value_by_estimate(model, work, at)
    return int(options.moves)


@inline_kernel
def value_by_estimate(model: Model, work: Work, at: int) -> None:
    """Write the scaled estimate of a state."""
    functions = model.functions
    if functions.estimate and call_estimate(functions.estimate, work.states, at, work.utility, 0) >= 0:
        scale_utility(model, work)
        for player in range(model.shape.players):  # an estimate may lie outside the range of utilities
            work.utility[player] = min(max(work.utility[player], 0.0), 1.0)
    else:
        value_unknown(work)
