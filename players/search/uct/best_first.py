"""Unbounded best-first minimax with completion, on the graph of world states that UCT uses.

An iteration goes down from the root by the best action of each mover whose value is not proven, to a state that has not
been expanded; all its children are valued at once, by the leaf's options, and on the way back each node takes over the
value of its best action. Proven values go up as in UCT. In the end the action that was chosen most often is played,
unless a proven one is better.

Sources: Korf, Chickering 1996; Cohen-Solal 2020, and Cohen-Solal, Cazenave 2020 (completion, the safest decision).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ggp.codegen.kernels import F64, inline_kernel, kernel
from ggp.native.calls import call_step
from ggp.native.interface import NativeGame
from players.search.foundation.kernel_arguments import DEPTH, ITERATION, LeafOptions, Model, Work
from players.search.foundation.leaf_values import kind_of, value_leaf
from players.search.foundation.memory import calls
from players.search.foundation.node_kinds import TERMINAL
from players.search.foundation.searches import UnreadableSearches
from players.search.foundation.settings import BestFirstSettings, MctsSettings
from players.search.uct.descent import Options, Outcomes, node_of
from players.search.uct.graph import (
    CHANCE,
    CHILD,
    COUNT,
    EDGE_HALVES,
    EDGES,
    FIRST_NODE,
    KIND,
    LABEL,
    LEAF,
    MAX_COUNT,
    MEAN,
    MOVER,
    NONE,
    ROOT,
    SOLVED,
    TRIED,
    VALUE_WORD,
    VISITS,
    Graph,
    edge_of,
    node_at,
    number_of,
    slide_together,
    state_of,
)
from players.search.uct.graph_search import GraphSearch
from players.search.uct.iterations import prove_decision, root_statistics, settle_edge


@inline_kernel
def make_step(model: Model, graph: Graph, work: Work, node: int, edge: int) -> None:
    """Write the state behind an edge; an automatic phase is an edge, too, of the first player's."""
    chance = graph.ints[2 * node + KIND] == CHANCE
    work.joint[model.shape.players if chance else graph.ints[2 * node + MOVER]] = graph.ints[edge + LABEL]
    to = model.shape.state_words
    call_step(model.functions.step, graph.keys, state_of(graph, node), work.states, to, work.joint, 0)


@inline_kernel
def expand(
    model: Model, graph: Graph, work: Work, outcomes: Outcomes, leaf: LeafOptions, options: Options, node: int
) -> None:
    """Value all children of a node; those that are terminal become proven nodes."""
    half, to = 2 * node, model.shape.state_words
    mover = graph.ints[half + MOVER]
    graph.ints[half + TRIED] = graph.ints[half + EDGES]
    for number in range(graph.ints[half + EDGES]):
        edge = edge_of(graph, node, number)
        make_step(model, graph, work, node, edge)
        graph.ints[edge + COUNT] = 1
        graph.ints[edge + CHILD] = LEAF
        if kind_of(model, work.states, to) == TERMINAL:
            child = node_of(model, graph, work, outcomes, options, to)
            if child >= FIRST_NODE:
                graph.ints[edge + CHILD] = child
                graph.reals[edge + MEAN] = graph.words[child + VALUE_WORD + mover]
                settle_edge(graph, node, edge)
                if not graph.ints[half + SOLVED]:
                    prove_decision(graph, node, edge, child)
        else:
            value_leaf(model, work, leaf, to)
            graph.reals[edge + MEAN] = work.utility[mover]


@inline_kernel
def take_best(graph: Graph, node: int) -> None:
    """Make the value of the best action the value of a node that is not proven."""
    half = 2 * node
    if graph.ints[half + SOLVED]:
        return
    first, best = edge_of(graph, node, 0), np.float32(-1.0)
    for edge in range(first, first + EDGE_HALVES * graph.ints[half + EDGES], EDGE_HALVES):
        best = max(best, graph.reals[edge + MEAN])
    mover = graph.ints[half + MOVER]
    graph.words[node + VALUE_WORD + mover] = float(best)
    graph.words[node + VALUE_WORD + 1 - mover] = 1.0 - float(best)


@inline_kernel
def best_open_edge(graph: Graph, node: int) -> int:
    """Return the edge with the greatest value of those not proven; of equal ones that chosen least often."""
    first = edge_of(graph, node, 0)
    best = NONE
    for edge in range(first, first + EDGE_HALVES * graph.ints[2 * node + EDGES], EDGE_HALVES):
        count, mean = graph.ints[edge + COUNT], graph.reals[edge + MEAN]
        if count < 0:
            continue
        if (
            best == NONE
            or mean > graph.reals[best + MEAN]
            or (mean == graph.reals[best + MEAN] and count < graph.ints[best + COUNT])
        ):
            best = edge
    return int(best)


@inline_kernel
def descend(model: Model, graph: Graph, work: Work, outcomes: Outcomes, leaf: LeafOptions, options: Options) -> None:
    """Go down to a node that was not expanded, and expand it; the path is left in `work`."""
    node, to = int(graph.counters[ROOT]), model.shape.state_words
    work.cursor[DEPTH] = 0
    while not graph.ints[2 * node + SOLVED]:
        depth = work.cursor[DEPTH]
        if graph.ints[2 * node + TRIED] == 0:
            expand(model, graph, work, outcomes, leaf, options, node)
            take_best(graph, node)
            return
        edge = best_open_edge(graph, node)
        if edge == NONE or depth == work.path_node.size:
            return
        work.path_node[depth] = node
        work.path_joint[depth] = number_of(graph, node, edge)
        work.cursor[DEPTH] = depth + 1
        child = int(graph.ints[edge + CHILD])
        if child < FIRST_NODE:
            make_step(model, graph, work, node, edge)
            child = node_of(model, graph, work, outcomes, options, to)
            if child < FIRST_NODE:
                return  # the graph is full, or the rules fail
            graph.ints[edge + CHILD] = child
        node = child


@inline_kernel
def pass_best_up(graph: Graph, node: int, number: int) -> None:
    """Take over the value of a child, and prove the node if that proves it."""
    edge = edge_of(graph, node, number)
    half, child = 2 * node, graph.ints[edge + CHILD]
    graph.ints[half + VISITS] = min(graph.ints[half + VISITS] + 1, MAX_COUNT)
    if graph.ints[edge + COUNT] > 0:
        graph.ints[edge + COUNT] = min(graph.ints[edge + COUNT] + 1, MAX_COUNT)
    if child >= FIRST_NODE:
        if graph.ints[2 * child + SOLVED] or graph.ints[2 * child + TRIED]:
            graph.reals[edge + MEAN] = graph.words[child + VALUE_WORD + graph.ints[half + MOVER]]
        settle_edge(graph, node, edge)
        if graph.ints[2 * child + SOLVED] and not graph.ints[half + SOLVED]:
            prove_decision(graph, node, edge, child)
    take_best(graph, node)


@kernel
def search_best_first(
    model: Model, graph: Graph, work: Work, outcomes: Outcomes, leaf: LeafOptions, options: Options, iterations: int
) -> int:
    """Run iterations from the root, whose world state `work.states` begins with; return how many were made.

    Fewer than asked for are made where the root is proven.
    """
    if graph.counters[ROOT] == LEAF:
        node = node_of(model, graph, work, outcomes, options, 0)
        if node < FIRST_NODE:
            work.cursor[ITERATION] += iterations
            return iterations
        graph.counters[ROOT] = node
    root, made = graph.counters[ROOT], 0
    while made < iterations and not graph.ints[2 * root + SOLVED]:
        made += 1
        descend(model, graph, work, outcomes, leaf, options)
        for depth in range(work.cursor[DEPTH] - 1, -1, -1):
            pass_best_up(graph, int(work.path_node[depth]), int(work.path_joint[depth]))
    work.cursor[ITERATION] += made
    return made


class BestFirstSearch(GraphSearch):
    """Searches one game from one root; `seed` and `set_root` before anything else.

    Args:
        native: a game of two players of constant sum who take turns, in which nothing is drawn.
        settings: of the player.
    """

    def __init__(self, native: NativeGame, settings: BestFirstSettings) -> None:
        estimated = settings.leaf == "estimate" or (settings.leaf == "auto" and native.functions.estimate != 0)
        leaf: Literal["playout", "estimate"] = "estimate" if estimated else "playout"
        kept = {name: getattr(settings, name) for name in ("moves", "limit", "memory", "estimate")}
        super().__init__(native, MctsSettings(leaf=leaf, **kept))

    def run(self, iterations: int) -> None:
        """Search, without the GIL; not any longer once the root is proven."""
        for part in calls(iterations):
            arguments = self.model, self.graph, self.work, self._outcomes, self._leaf, self._options, part
            if search_best_first(*arguments) < part:
                return

    def values(self) -> F64:
        """Return `[P]` the root's utilities as far as they are known, scaled to [0, 1]."""
        root = int(self.graph.counters[ROOT])
        assert root >= FIRST_NODE, "nothing has been searched"
        return np.array(self.graph.words[root + VALUE_WORD : root + VALUE_WORD + self.graph.players])


FAMILY = UnreadableSearches(BestFirstSearch, (node_at, slide_together, root_statistics, search_best_first))
