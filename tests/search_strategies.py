"""Reads the strategies of a search node by node, by playing there: the plain way, to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ggp.model.calls import call_actors, call_chance, call_legal, call_step
from ggp.model.interface import CHANCE, NativeGame
from ggp.model.jit import F64, I64
from players.search.orders import action_counts, keys_in_node
from players.search.tree import FIRST_NODE, child_of, root_of, visits_of
from players.search.tree_search import TreeSearch


@dataclass(frozen=True, slots=True)
class NodeStrategies:
    """The strategies of all who act at one decision node.

    Attributes:
        path: the transitions from the root to the node, each by its key: the number of the joint action, row-major over
            the positions of the players' legal actions, or the chance outcome. States reached in several ways have
            several nodes.
        state: `[W]` words of the world state.
        visits: iterations that went on below the node.
        choices: for each player who acts, its legal actions `[k]` and the probability of each.
    """

    path: tuple[int, ...]
    state: I64
    visits: int
    choices: dict[int, tuple[I64, F64]]


def node_strategies(search: TreeSearch, native: NativeGame) -> Iterator[NodeStrategies]:
    """Yield the strategies at every expanded decision node from the root on, each after its ancestors."""
    tree = search.tree
    words = native.shape.state_words
    waiting: list[tuple[int, tuple[int, ...], I64]] = [(root_of(tree), (), search.work.states[:words].copy())]
    while waiting:
        node, path, state = waiting.pop()
        if node < FIRST_NODE:
            continue
        actors = int(call_actors(native.functions.actors, state, 0))
        if actors != CHANCE:
            legal = [_legal(native, state, player, actors) for player in range(native.shape.players)]
            yield NodeStrategies(
                path=path,
                state=state,
                visits=visits_of(tree, node),
                choices={
                    player: (actions, search.strategy_at(node, player, actions.size))
                    for player, actions in enumerate(legal)
                    if actors >> player & 1
                },
            )
        in_node = np.empty(0, np.int64)
        if actors != CHANCE:
            joint_actions = int(np.prod(action_counts(tree, node), dtype=np.int64))
            in_node = keys_in_node(tree, node, np.arange(joint_actions))
        for key, joint in _transitions(native, state, actors):
            child = int(child_of(tree, node, key if actors == CHANCE else int(in_node[key])))
            if child >= FIRST_NODE:
                after = np.empty(words, np.int64)
                call_step(native.functions.step, state, 0, after, 0, joint, 0)
                waiting.append((child, (*path, key), after))


def _legal(native: NativeGame, state: I64, player: int, actors: int) -> I64:
    if not actors >> player & 1:
        return np.zeros(1, np.int64)
    actions = np.empty(native.shape.max_actions, np.int64)
    count = int(call_legal(native.functions.legal, state, 0, player, actions, 0))
    return actions[:count]


def _transitions(native: NativeGame, state: I64, actors: int) -> Iterator[tuple[int, I64]]:
    """Yield the key of each transition, and the joint action as `step` reads it."""
    shape = native.shape
    joint = np.zeros(shape.players + 1, np.int64)
    if actors == CHANCE:
        outcomes = np.empty(shape.max_outcomes, np.int64)
        count = int(call_chance(native.functions.chance, state, 0, outcomes, 0, np.empty(shape.max_outcomes), 0))
        for outcome in outcomes[:count]:
            joint[-1] = outcome
            yield int(outcome), joint
        return
    legal = [_legal(native, state, player, actors) for player in range(shape.players)]
    for key, places in enumerate(np.ndindex(*(actions.size for actions in legal))):
        for player, place in enumerate(places):
            joint[player] = legal[player][place]
        yield key, joint
