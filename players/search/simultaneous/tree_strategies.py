"""The strategies of a search tree: the average strategy at a node, and those at all decision nodes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import F64, I64, kernel
from ggp.native.calls import call_actors, call_chance, call_step
from ggp.native.interface import CHANCE, NativeGame
from players.search.foundation.regret_strategies import SUMS, in_proportion
from players.search.foundation.searches import NO_CHILD, ReadableSearch
from players.search.foundation.state_search import legal_actions
from players.search.simultaneous.tree import FIRST_NODE, Tree, action_numbers


class NodeStrategies(Struct, frozen=True):
    """The strategies of all who act at one decision node.

    Attributes:
        path: the transitions from the root to the node, each by its key: the number of the joint action, row-major over
            the positions of the players' legal actions, or the chance outcome. States reached in several ways have
            several nodes.
        state: `[W]` words of the world state.
        visits: iterations that continued below the node.
        choices: for each player who acts, its legal actions `[k]` and the probability of each.
    """

    path: tuple[int, ...]
    state: I64
    visits: int
    choices: dict[int, tuple[I64, F64]]


def node_strategies(search: ReadableSearch, native: NativeGame) -> Iterator[NodeStrategies]:
    """Yield the strategies at every decision node that has some, each node after its ancestors."""
    words = native.shape.state_words
    waiting: list[tuple[int, tuple[int, ...], I64]] = [(search.root_node, (), search.root_state.copy())]
    while waiting:
        node, path, state = waiting.pop()
        actors = int(call_actors(native.functions.actors, state, 0))
        if actors != CHANCE:
            if not search.has_strategies(node):
                continue
            legal = [_legal(native, state, player, actors) for player in range(native.shape.players)]
            yield NodeStrategies(
                path=path,
                state=state,
                visits=search.visits_of(node),
                choices={
                    player: (actions, search.strategy_at(node, player, actions.size))
                    for player, actions in enumerate(legal)
                    if actors >> player & 1
                },
            )
        keys, joints = _transitions(native, state, actors)
        for key, joint, child in zip(keys, joints, search.children_of(node, keys), strict=True):
            if child != NO_CHILD:
                after = np.empty(words, np.int64)
                call_step(native.functions.step, state, 0, after, 0, joint, 0)
                waiting.append((int(child), (*path, int(key)), after))


def _legal(native: NativeGame, state: I64, player: int, actors: int) -> I64:
    return legal_actions(native, state, player) if actors >> player & 1 else np.zeros(1, np.int64)


def _transitions(native: NativeGame, state: I64, actors: int) -> tuple[I64, I64]:
    """Return `[n]` the key of each transition, and `[n, P + 1]` the joint action or outcome as `step` reads it."""
    shape = native.shape
    if actors == CHANCE:
        outcomes = np.empty(shape.max_outcomes, np.int64)
        count = int(call_chance(native.functions.chance, state, 0, outcomes, 0, np.empty(shape.max_outcomes), 0))
        joints = np.zeros((count, shape.players + 1), np.int64)
        joints[:, -1] = outcomes[:count]
        return outcomes[:count], joints
    legal = [_legal(native, state, player, actors) for player in range(shape.players)]
    places = np.indices([actions.size for actions in legal]).reshape(shape.players, -1)
    joints = np.zeros((places.shape[1], shape.players + 1), np.int64)
    for player, actions in enumerate(legal):
        joints[:, player] = actions[places[player]]
    return np.arange(len(joints)), joints


@kernel
def average_strategy(tree: Tree, node: int, player: int, least: float, out: F64) -> None:
    """Write a player's average strategy at a decision node (Lisý 2014, eq. 3.6), or the probable actions of it.

    Args:
        tree: read.
        node: a decision node; one that is not expanded gives the uniform strategy.
        player: whose strategy.
        least: actions are left out that are less probable than this share of the most probable one; 0: none are, 1: all
            but the most probable.
        out: `[k]` for the player's k actions, overwritten; sums to 1.
    """
    out[:] = 1.0 / out.size
    if node < FIRST_NODE:
        return
    sums = action_numbers(tree, node, player, SUMS)
    most = 0.0
    for weight in sums:
        most = max(most, weight)
    for action in range(out.size):
        out[action] = sums[action] if sums[action] >= least * most else 0.0
    in_proportion(out, out)
