"""The strategies at all decision nodes of a search tree: one after the other, of any search that can be read, or all
at once from a tree of our own, from which exploitability is measured.

Dimensions: M nodes of the search tree that can be reached from its root; A largest number of actions of one player; C
largest number of chance outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import F64, I32, I64, kernel
from ggp.native.calls import call_actors, call_chance, call_step
from ggp.native.interface import CHANCE, GameShape, NativeFunctions, NativeGame
from ggp.solvers.worlds.state_graph import ROOT as ROOT_STATE
from ggp.solvers.worlds.state_graph import GameGraph, StateGraph
from ggp.solvers.worlds.strategy_trees import NO_NODE as NO_HISTORY
from ggp.solvers.worlds.strategy_trees import StrategyTree
from players.search.foundation.searches import NO_CHILD, ReadableSearch
from players.search.foundation.state_search import legal_actions
from players.search.simultaneous.tree import (
    FIRST_NODE,
    NODES,
    ROOT_ENTRY,
    Tree,
    child_of,
)


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


NODE_FIELDS = 5
"""Those of `Histories` that say something of each node."""


class Histories(NamedTuple):
    """The expanded nodes of a search tree, each after its parent; there may be room for more than there are."""

    node: I32  # [M] in the search tree
    state: I32  # [M] in the game graph
    depth: I32  # [M] transitions made before
    parent: I32  # [M] place of the parent among the histories
    position: I32  # [M] which of the parent's transitions leads here
    first_child: I64  # [M + 1] transitions of all histories before
    first_row: I64  # [M + 1] actions of the first player at all decisions before
    first_column: I64  # [M + 1] the same of the second player


class ReadingWork(NamedTuple):
    """Scratch memory of the reading kernel."""

    outcomes: I64  # [C]
    shares: F64  # [C]


def strategies_of(tree: Tree, strategy: Callable[..., None], least: float, game: GameGraph) -> StrategyTree:
    """Return the strategies at all expanded decision nodes of a search tree.

    Args:
        tree: its root is the game's initial state.
        strategy: the kernel of the tree's family.
        least: what that kernel is told.
        game: the same game, of two players.
    """
    found = _histories(tree, game)
    count = found.node.size
    child = np.full(found.first_child[count], NO_HISTORY, np.int32)
    child[found.first_child[found.parent[1:]] + found.position[1:]] = np.arange(1, count, dtype=np.int32)
    return StrategyTree(
        state=found.state,
        depth=found.depth,
        first_child=found.first_child,
        child=child,
        first_row=found.first_row,
        row_probability=_probabilities(tree, strategy, least, found.node, found.first_row, 0),
        first_column=found.first_column,
        column_probability=_probabilities(tree, strategy, least, found.node, found.first_column, 1),
    )


def _histories(tree: Tree, game: GameGraph) -> Histories:
    nodes, shape = int(tree.counters[NODES]), game.native.shape
    room = Histories._make(
        [np.zeros(nodes, np.int32) for _ in range(NODE_FIELDS)] + [np.zeros(nodes + 1, np.int64) for _ in range(3)]
    )
    work = ReadingWork(outcomes=np.zeros(shape.max_outcomes, np.int64), shares=np.zeros(shape.max_outcomes))
    count = list_histories(game.native.functions, shape, tree, game.graph, room, work)
    arrays: tuple[Any, ...] = room
    return Histories._make(array[: count + (place >= NODE_FIELDS)] for place, array in enumerate(arrays))


def _probabilities(tree: Tree, strategy: Callable[..., None], least: float, nodes: I32, first: I64, player: int) -> F64:
    out = np.zeros(first[-1])
    write_strategies(strategy, tree, nodes, first, player, least, out)
    return out


@kernel
def list_histories(
    functions: NativeFunctions, shape: GameShape, tree: Tree, graph: StateGraph, out: Histories, work: ReadingWork
) -> int:
    """Write the expanded nodes of a search tree breadth-first, with their states, and return their number.

    Args:
        functions: of the game.
        shape: of the game.
        tree: its root is the game's initial state; listed even if it is not expanded.
        graph: of the same game.
        out: overwritten; room for as many as the tree has nodes.
        work: overwritten.
    """
    out.node[0] = tree.ints[ROOT_ENTRY]
    out.state[0] = ROOT_STATE
    out.depth[0] = 0
    count, at = 1, 0
    while at < count:
        node, state = out.node[at], out.state[at]
        first = graph.first[state]
        transitions = graph.first[state + 1] - first
        by_chance = graph.actors[state] == CHANCE
        decides = node >= FIRST_NODE and not by_chance
        out.first_child[at + 1] = out.first_child[at] + transitions
        out.first_row[at + 1] = out.first_row[at] + (graph.rows[state] if decides else 0)
        out.first_column[at + 1] = out.first_column[at] + (graph.columns[state] if decides else 0)
        if by_chance:
            call_chance(functions.chance, graph.words, state * shape.state_words, work.outcomes, 0, work.shares, 0)
        for position in range(transitions):
            child = child_of(tree, node, work.outcomes[position] if by_chance else position)
            if child >= FIRST_NODE:
                out.node[count] = child
                out.state[count] = graph.target[first + position]
                out.depth[count] = out.depth[at] + 1
                out.parent[count] = at
                out.position[count] = position
                count += 1
        at += 1
    return count


@kernel
def write_strategies(
    strategy: Any,
    tree: Tree,
    nodes: I32,
    first: I64,
    player: int,
    least: float,
    out: F64,
) -> None:
    """Write a player's strategies at the nodes where it has actions, one after the other, actions in ascending order.

    Args:
        strategy: the kernel of a family.
        tree: read.
        nodes: `[M]` of the tree.
        first: `[M + 1]` where each node's probabilities begin; equal to the next where it has no strategy.
        player: whose strategies.
        least: what that kernel is told.
        out: `[first[M]]` overwritten.
    """
    for at in range(nodes.size):
        if first[at + 1] > first[at]:
            strategy(tree, nodes[at], player, least, out[first[at] : first[at + 1]])
