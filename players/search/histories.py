"""Reads the strategies that a search has at all decision nodes of its tree, as exploitability is measured from.

Dimensions: M nodes of the search tree that can be reached from its root; C largest number of chance outcomes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ggp.analysis.state_graph import ROOT as ROOT_STATE
from ggp.analysis.state_graph import GameGraph, StateGraph
from ggp.analysis.strategy_trees import NO_NODE as NO_HISTORY
from ggp.analysis.strategy_trees import StrategyTree
from ggp.model.calls import call_chance
from ggp.model.interface import CHANCE as CHANCE_ACTS
from ggp.model.interface import GameShape, NativeFunctions
from ggp.model.jit import F64, I32, I64, generic_kernel, kernel
from players.search.tree import NO_NODE, NONE, ROOT, STATISTICS, Tree, child_of, record
from players.search.tree_search import TreeSearch


class Histories(NamedTuple):
    """The nodes of a search tree, each after its parent; there may be room for more than there are."""

    node: I32  # [M] in the search tree
    state: I32  # [M] in the game graph
    depth: I32  # [M] transitions made before
    parent: I32  # [M] place of the parent among the histories
    position: I32  # [M] which of the parent's transitions leads here
    first_child: I64  # [M + 1] transitions of all histories before
    first_row: I64  # [M + 1] actions of the first player at all histories before that have statistics
    first_column: I64  # [M + 1] the same of the second player


def strategies_of(search: TreeSearch, game: GameGraph) -> StrategyTree:
    """Return the strategies at every node of a search's tree; a node that was never expanded has none.

    Args:
        search: its root is the game's initial state.
        game: the same game, of two players.
    """
    found = _histories(search, game)
    count = found.node.size
    child = np.full(found.first_child[count], NO_HISTORY, np.int32)
    child[found.first_child[found.parent[1:]] + found.position[1:]] = np.arange(1, count, dtype=np.int32)
    return StrategyTree(
        state=found.state,
        depth=found.depth,
        first_child=found.first_child,
        child=child,
        first_row=found.first_row,
        row_probability=_probabilities(search, found.node, found.first_row, 0),
        first_column=found.first_column,
        column_probability=_probabilities(search, found.node, found.first_column, 1),
    )


def _histories(search: TreeSearch, game: GameGraph) -> Histories:
    nodes, starts = search.nodes, search.nodes + 1
    room = Histories(
        node=np.zeros(nodes, np.int32),
        state=np.zeros(nodes, np.int32),
        depth=np.zeros(nodes, np.int32),
        parent=np.zeros(nodes, np.int32),
        position=np.zeros(nodes, np.int32),
        first_child=np.zeros(starts, np.int64),
        first_row=np.zeros(starts, np.int64),
        first_column=np.zeros(starts, np.int64),
    )
    shape = game.native.shape
    outcomes, shares = np.zeros(shape.max_outcomes, np.int64), np.zeros(shape.max_outcomes)
    count = list_histories(game.native.functions, shape, search.tree, game.graph, room, outcomes, shares)
    return Histories(
        node=room.node[:count],
        state=room.state[:count],
        depth=room.depth[:count],
        parent=room.parent[:count],
        position=room.position[:count],
        first_child=room.first_child[: count + 1],
        first_row=room.first_row[: count + 1],
        first_column=room.first_column[: count + 1],
    )


def _probabilities(search: TreeSearch, nodes: I32, first: I64, player: int) -> F64:
    out = np.zeros(first[-1])
    write_strategies(search.family.strategy, search.tree, nodes, first, player, search.options, out)
    return out


@kernel
def list_histories(
    functions: NativeFunctions,
    shape: GameShape,
    tree: Tree,
    graph: StateGraph,
    out: Histories,
    outcomes: I64,
    shares: F64,
) -> int:
    """Write the nodes of a search tree breadth first, with the states they stand for, and return how many.

    Args:
        functions: of the game.
        shape: of the game.
        tree: its root is the game's initial state.
        graph: of the same game.
        out: overwritten; room for as many as the tree has nodes.
        outcomes: `[C]` overwritten.
        shares: `[C]` overwritten.
    """
    out.node[0] = tree.counters[ROOT]
    out.state[0] = ROOT_STATE
    out.depth[0] = 0
    count, at = 1, 0
    while at < count:
        node, state = out.node[at], out.state[at]
        first = graph.first[state]
        transitions = graph.first[state + 1] - first
        expanded = tree.halves[record(tree, node) + STATISTICS] != NONE
        out.first_child[at + 1] = out.first_child[at] + transitions
        out.first_row[at + 1] = out.first_row[at] + (graph.rows[state] if expanded else 0)
        out.first_column[at + 1] = out.first_column[at] + (graph.columns[state] if expanded else 0)
        by_chance = graph.actors[state] == CHANCE_ACTS
        if by_chance:
            call_chance(functions.chance, graph.words, state * shape.state_words, outcomes, 0, shares, 0)
        for position in range(transitions):
            child = child_of(tree, node, outcomes[position] if by_chance else position)
            if child != NO_NODE:
                out.node[count] = child
                out.state[count] = graph.target[first + position]
                out.depth[count] = out.depth[at] + 1
                out.parent[count] = at
                out.position[count] = position
                count += 1
        at += 1
    return count


@generic_kernel
def write_strategies(strategy: Any, tree: Tree, nodes: I32, first: I64, player: int, options: Any, out: F64) -> None:
    """Write a player's strategy at each node where it has actions, one behind the other.

    Args:
        strategy: the kernel of a family.
        tree: read.
        nodes: `[M]` of the tree.
        first: `[M + 1]` where each node's probabilities begin; equal to the next where it has no strategy.
        player: whose strategies.
        options: of the family.
        out: `[first[M]]` overwritten.
    """
    for at in range(nodes.size):
        if first[at + 1] > first[at]:
            strategy(tree, nodes[at], player, options, out[first[at] : first[at + 1]])
