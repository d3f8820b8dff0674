"""SO: UCT on the tree of a single player's information, in a visibility game.

Decisions of the player alternate with its next observations, of which the worst is assumed: the tree is searched as a
game against an opponent who chooses what is seen. A move takes 1 + F levels (see `lookahead.py`).

Source: Lisý 2014, 5.3.1 and 5.5.1.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from ggp.codegen.kernels import F64, I64, allocated, inline_kernel, kernel
from players.search.visibility.lookahead import Graph, Levels, choices, copy_on, observe, part, step_own, value

NO_CHILD = 0
ROOT = 0
NODES, ITERATIONS, COUNTERS = 0, 1, 2


class ObservingTree(NamedTuple):
    """The tree; row `n` is node `n`, row 0 the root. M nodes, L levels."""

    visits: Annotated[I64, "M"]
    total: Annotated[F64, "M"]  # sum of the values of iterations through the node
    first: Annotated[I64, "M"]  # its first child, followed by the others; NO_CHILD before it has any
    children: Annotated[I64, "M"]  # the number of children
    path: Annotated[I64, "H"]  # (1 + F) * L
    counters: Annotated[I64, "COUNTERS"]


def new_observing_tree(nodes: int, path: int) -> ObservingTree:
    """Return an empty tree."""
    tree = allocated(ObservingTree, M=nodes, H=path)
    tree.counters[NODES] = 1
    return tree


@inline_kernel
def add_children(tree: ObservingTree, node: int, count: int) -> bool:
    """Give a node its children; return False if the tree is full."""
    first = tree.counters[NODES]
    if first + count > tree.visits.size:
        return False
    for child in range(first, first + count):
        tree.visits[child], tree.total[child], tree.first[child], tree.children[child] = 0, 0.0, NO_CHILD, 0
    tree.first[node], tree.children[node] = first, count
    tree.counters[NODES] = first + count
    return True


@inline_kernel
def select(tree: ObservingTree, node: int, sign: float, c: float) -> int:
    """Return the child with the greatest upper bound, for the player (`sign` 1) or for its opponent (-1)."""
    first, count = tree.first[node], tree.children[node]
    logarithm = math.log(max(1.0, float(tree.visits[node])))
    best, chosen = -math.inf, 0
    for child in range(count):
        visits = tree.visits[first + child]
        if visits == 0:
            return child
        bound = sign * tree.total[first + child] / visits + c * math.sqrt(logarithm / visits)
        if bound > best:
            best, chosen = bound, child
    return chosen


@kernel
def search(graph: Graph, levels: Levels, tree: ObservingTree, way: int, c: float, iterations: int) -> None:
    """Run iterations from the situation of level 0.

    Args:
        graph: the game.
        levels: level 0 is read, the others are overwritten.
        tree: changed.
        way: of valuing leaves, see `lookahead.py`.
        c: of UCT, for logarithms of sizes.
        iterations: to run.
    """
    others = levels.sets.shape[1]
    deepest = min(levels.own.shape[0] - 2, tree.path.size // (1 + others) - 1)
    for _ in range(iterations):
        tree.counters[ITERATIONS] += 1
        at, node, length = 0, ROOT, 1
        tree.path[0] = ROOT
        while at < deepest and tree.visits[node] > 0:
            if tree.first[node] == NO_CHILD and not add_children(tree, node, choices(graph, levels, at)):
                break
            choice = select(tree, node, 1.0, c)
            step_own(graph, levels, at, choice)
            node = tree.first[node] + choice
            at += 1
            tree.path[length] = node
            length += 1
            for unit in range(others):
                observations = part(graph, levels, at, unit)
                observed = 0
                if observations > 1:
                    full = tree.first[node] == NO_CHILD and not add_children(tree, node, observations)
                    if not full:
                        observed = select(tree, node, -1.0, c)
                        node = tree.first[node] + observed
                        tree.path[length] = node
                        length += 1
                observe(levels, at, unit, observed, at)
        worth = value(graph, levels, copy_on(levels, at), way)
        for place in range(length):
            tree.visits[tree.path[place]] += 1
            tree.total[tree.path[place]] += worth
