"""MCCFR with external sampling: all actions of one player, one drawn of everybody else, over an abstraction.

Chance is drawn alike in all branches of an iteration, and in several iterations, so that an equity is found once for
all of them. Iteration t counts t times as much as the first: regrets and the average strategy are weighted.

Action numbers: field 0 cumulative regret, field 1 weighted sum of strategies.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, F64_2D, I64, U64, allocated, inline_kernel, kernel
from ggp.native.calls import call_actors, call_legal, call_sample_chance, call_utility, mover_of
from ggp.native.infoset_table import (
    NO_NODE,
    InfosetTable,
    action_numbers,
    add,
    find,
    state_tag,
    visit,
    visit_count,
)
from ggp.native.interface import CHANCE, TERMINAL, GameShape
from ggp.native.rng_kernels import mixed, next_word, uniform
from players.search.blueprint.abstraction import (
    DEPTH,
    KEYS,
    SHOWN,
    STAGES,
    Buckets,
    Walk,
    begin_path,
    equity,
    step_path,
    write_abstract_key,
)
from players.search.foundation.kernel_arguments import Model
from players.search.foundation.regret_strategies import (
    REGRETS,
    SUMS,
    add_strategy,
    in_proportion,
    matched,
    positive_sum,
)

FIELDS = 2
KEY_BITS = 40
"""Of the key of a node: enough for millions, and few for a file."""
KEPT, NOTHING = ~np.uint64((1 << (64 - KEY_BITS)) - 1), np.uint64(0)
REPEATS = 4
"""Iterations of each player with the same draws of chance."""
BUDGET = 10_000
"""Transitions of an iteration, about: a decision of the explorer has its share of them; where that is less than its
actions, only one of these is drawn, too."""


class Frames(NamedTuple):
    """The stack of an iteration; A actions at most."""

    node: Annotated[I64, "D"]  # NO_NODE where one transition is drawn
    counts: Annotated[I64, "D"]  # how many actions
    place: Annotated[I64, "D"]  # the one that is looked at
    player: Annotated[I64, "D"]
    drawn: Annotated[I64, "D"]  # how often chance has drawn
    actions: Annotated[I64, "D * A"]
    values: Annotated[F64, "D * A"]
    budget: Annotated[F64, "D + 1"]  # ends of games that an iteration may still see from here; the last is that of the
    #     whole
    rng: Annotated[U64, "3"]  # of players, of the deal, and scratch memory
    iteration: Annotated[I64, "1"]


def new_frames(shape: GameShape, seed: int) -> Frames:
    """Return memory for iterations."""
    frames = allocated(Frames, D=DEPTH, A=shape.max_actions)
    frames.budget[:] = BUDGET
    frames.rng[:] = seed, seed, 1
    return frames


@inline_kernel
def draw_chance(model: Model, path: Walk, frames: Frames, depth: int) -> bool:
    """Write a draw of chance into the path, the same whatever was done before; return False at a fault."""
    players = model.shape.players
    at = depth * (players + 1)
    path.joints[at : at + players + 1] = 0
    frames.rng[2] = mixed(frames.rng[1] + np.uint64(frames.drawn[depth])) | np.uint64(1)
    next_word(frames.rng, 2)
    frames.drawn[depth + 1] = frames.drawn[depth] + 1
    outcome = call_sample_chance(
        model.functions.sample_chance, path.states, depth * model.shape.state_words, frames.rng, 2
    )
    path.joints[at + players] = outcome
    return bool(outcome >= 0)


@inline_kernel
def node_at(
    model: Model,
    tree: InfosetTable,
    path: Walk,
    buckets: Buckets,
    depth: int,
    player: int,
    actions: I64,
    begin: int,
    count: int,
    grow: bool,
) -> int:
    """Return the node of a player's information state, added if it is new; NO_NODE if it is not there."""
    write_abstract_key(model, path, buckets, depth, player)
    tag = mixed(path.key[0] ^ state_tag(path.key, 0, player, actions, begin, count)) & KEPT
    node = find(tree, tag, NOTHING)
    if node == NO_NODE and grow:
        node = add(tree, tag, NOTHING, player, count)
    return node


@inline_kernel
def choose(tree: InfosetTable, frames: Frames, node: int, count: int, weight: float) -> int:
    """Draw an action of a node by regret matching, and add the strategy to its sum."""
    regrets = action_numbers(tree, node, REGRETS, count)
    total = positive_sum(regrets)
    add_strategy(regrets, action_numbers(tree, node, SUMS, count), total, weight)
    left, chosen = uniform(frames.rng, 0), count - 1
    for action in range(count):
        left -= matched(regrets[action], total, count)
        if left < 0.0:
            chosen = action
            break
    visit(tree, node)
    return int(chosen)


@inline_kernel
def settle(tree: InfosetTable, frames: Frames, node: int, count: int, begin: int, weight: float) -> float:
    """Add the regrets of all actions of a node, whose values are known; return the value of its strategy."""
    regrets = action_numbers(tree, node, REGRETS, count)
    total, value = positive_sum(regrets), 0.0
    for action in range(count):
        value += matched(regrets[action], total, count) * frames.values[begin + action]
    for action in range(count):
        regrets[action] += weight * (frames.values[begin + action] - value)
    return value


@inline_kernel
def enter_state(
    model: Model,
    tree: InfosetTable,
    path: Walk,
    buckets: Buckets,
    frames: Frames,
    depth: int,
    explorer: int,
    weight: float,
) -> int:
    """Prepare the transition from a state; return who acts, -1: it is the end of the iteration."""
    players, width = model.shape.players, model.shape.max_actions
    words = model.shape.state_words
    actors = call_actors(model.functions.actors, path.states, depth * words)
    frames.node[depth] = NO_NODE
    if actors == TERMINAL or depth + 1 >= DEPTH:
        return -1
    frames.budget[depth + 1] = frames.budget[depth]
    if actors == CHANCE:
        return 0 if draw_chance(model, path, frames, depth) else -1
    player, begin, at = mover_of(actors), depth * width, depth * (players + 1)
    count = call_legal(model.functions.legal, path.states, depth * words, player, frames.actions, begin)
    if count < 1:
        return -1
    frames.drawn[depth + 1] = frames.drawn[depth]
    path.joints[at : at + players + 1] = 0
    chosen = 0
    if count > 1:
        node = node_at(model, tree, path, buckets, depth, player, frames.actions, begin, count, True)
        if node == NO_NODE:
            return -1
        if player == explorer and frames.budget[depth] >= count:
            frames.node[depth] = node
            frames.budget[depth + 1] /= count
            visit(tree, node)
        else:
            chosen = choose(tree, frames, node, count, 0.0 if player == explorer else weight)
    frames.place[depth], frames.counts[depth], frames.player[depth] = 0, count, player
    path.joints[at + player] = frames.actions[begin + chosen]
    return actors


@inline_kernel
def value_of(model: Model, path: Walk, depth: int, player: int) -> float:
    """Return the utility of a player in a state where an iteration ends, from 0 to 1; the middle if it is no end."""
    at = depth * model.shape.state_words
    if call_actors(model.functions.actors, path.states, at) != TERMINAL:
        return 0.5
    call_utility(model.functions.utility, path.states, at, path.utility, 0)
    return float((path.utility[player] - model.low[player]) * model.scale[player])


@kernel
def search(model: Model, tree: InfosetTable, path: Walk, buckets: Buckets, frames: Frames, iterations: int) -> None:
    """Run iterations, for each player in turn."""
    players, width = model.shape.players, model.shape.max_actions
    for _ in range(iterations):
        iteration = int(frames.iteration[0])
        frames.iteration[0] += 1
        if iteration % (players * REPEATS) == 0:
            next_word(frames.rng, 1)
        explorer, weight = iteration % players, float(iteration + 1)
        begin_path(model, path)
        frames.drawn[0] = 0
        frames.budget[0] = frames.budget[DEPTH]
        depth = 0
        while depth >= 0:
            actors = enter_state(model, tree, path, buckets, frames, depth, explorer, weight)
            if actors >= 0:
                step_path(model, path, depth, actors)
                depth += 1
                continue
            value = value_of(model, path, depth, explorer)
            depth -= 1
            while depth >= 0:
                if frames.node[depth] != NO_NODE:
                    begin, count, place = depth * width, frames.counts[depth], frames.place[depth]
                    frames.values[begin + place] = value
                    if place + 1 < count:
                        frames.place[depth] = place + 1
                        path.joints[depth * (players + 1) + frames.player[depth]] = frames.actions[begin + place + 1]
                        step_path(model, path, depth, path.actors[depth])
                        depth += 1
                        break
                    value = settle(tree, frames, int(frames.node[depth]), int(count), int(begin), weight)
                depth -= 1


@kernel
def sample_equities(
    model: Model,
    path: Walk,
    frames: Frames,
    games: int,
    found: F64_2D,
    keys: U64,
    counts: I64,
) -> int:
    """Note the equities of players who decide, in games with random actions; return how many transitions were made.

    Args:
        model: the game.
        path: overwritten.
        frames: overwritten.
        games: how many.
        found: `[S, N]` equities by how often chance has shown something.
        keys: `[S * N]` what it has shown.
        counts: `[S]` how many there are of each.
    """
    players, words = model.shape.players, model.shape.state_words
    made = 0
    for _ in range(games):
        next_word(frames.rng, 1)
        begin_path(model, path)
        frames.drawn[0] = 0
        depth = 0
        while depth + 1 < DEPTH:
            actors = call_actors(model.functions.actors, path.states, depth * words)
            if actors == TERMINAL:
                break
            if actors == CHANCE:
                if not draw_chance(model, path, frames, depth):
                    break
            else:
                player = mover_of(actors)
                own = depth * players + player
                stage = min(path.stages[own], STAGES - 1)
                if counts[stage] < found.shape[1] and stage > 0:
                    found[stage, counts[stage]] = equity(model, path, depth, player)
                    keys[stage * found.shape[1] + counts[stage]] = path.keys[own * KEYS + SHOWN]
                    counts[stage] += 1
                count = call_legal(model.functions.legal, path.states, depth * words, player, frames.actions, 0)
                if count < 1:
                    break
                frames.drawn[depth + 1] = frames.drawn[depth]
                at = depth * (players + 1)
                path.joints[at : at + players + 1] = 0
                path.joints[at + player] = frames.actions[int(uniform(frames.rng, 0) * count)]
            step_path(model, path, depth, actors)
            depth += 1
        made += depth
    return made


@kernel
def strategy_after(
    model: Model,
    tree: InfosetTable,
    path: Walk,
    buckets: Buckets,
    history: I64,
    length: int,
    player: int,
    legal: I64,
    out: F64,
) -> int:
    """Write the average strategy of a player after a history, uniform where it was never met; return its visits.

    Args:
        model: the game.
        tree: what was learned.
        path: overwritten.
        buckets: of the abstraction.
        history: `[length * (P + 1)]` its transitions.
        length: how many.
        player: who decides.
        legal: `[k]` its actions.
        out: `[k]`, overwritten.
    """
    words = model.shape.state_words
    begin_path(model, path)
    path.joints[: history.size] = history
    for depth in range(length):
        step_path(model, path, depth, call_actors(model.functions.actors, path.states, depth * words))
    out[:] = 1.0 / out.size
    node = node_at(model, tree, path, buckets, length, player, legal, 0, legal.size, False)
    if node == NO_NODE:
        return 0
    in_proportion(action_numbers(tree, node, SUMS, legal.size), out)
    return visit_count(tree, node)


@kernel
def add_strategies(tree: InfosetTable, keys: U64, counts: I64, shares: F64) -> None:
    """Add nodes with average strategies, which lie one after the other in `shares`."""
    begin = 0
    for place in range(keys.size):
        count = counts[place]
        node = add(tree, keys[place], NOTHING, 0, count)
        action_numbers(tree, node, SUMS, count)[:] = shares[begin : begin + count]
        begin += count
