"""UCT for turns: iterations from the root to a new state and back.

Source: Kocsis, Szepesvári 2006 (UCT); Lanctot et al. 2013 (MCMS13), section 2.2 (chance nodes in the graph, whose
outcomes are drawn; double progressive widening); Winands, Björnsson, Saito 2008 (proven values). Each mover maximises
its own utility, so any number of players can take turns.
"""

from __future__ import annotations

from ggp.codegen.kernels import F64, I64, inline_kernel, kernel
from ggp.model.native.calls import call_playouts
from ggp.model.native.rng_kernels import next_word
from players.search.uct.backup import pass_up
from players.search.uct.descent import Options, Outcomes, node_of
from players.search.uct.flights import NEW, OVER, PROVEN, UNKNOWN, VISITS_A_FLIGHT, Flights, go_down, slot_of
from players.search.uct.graph import (
    CHANCE,
    COUNT,
    EDGE_HALVES,
    EDGES,
    FIRST_NODE,
    KIND,
    LABEL,
    LEAF,
    MEAN,
    ROOT,
    SOLVED,
    VALUE_WORD,
    VISITS,
    Graph,
    edge_of,
)
from players.search.walk.kernel_arguments import ITERATION, LeafOptions, Model, Work
from players.search.walk.leaf_values import (
    note_utilities,
    spread_seen,
    value_end,
    value_leaf,
    value_played,
    value_unknown,
)
from players.search.walk.state_keys import state_key


@inline_kernel
def play_out(model: Model, work: Work, many: int, leaf: LeafOptions, flights: Flights, count: int) -> bool:
    """Play out all new states at once, where that is faster; return whether it was done."""
    if many == 0 or leaf.estimate:
        return False
    for flight in range(count):
        if flights.stage[flight] == OVER:  # its state would be overwritten; without room for nodes only
            return False
    row, words = 0, model.shape.state_words
    for flight in range(count):
        if flights.stage[flight] == NEW:
            if row != flight:
                at, to = slot_of(model, flight), slot_of(model, row)
                for word in range(words):
                    work.states[to + word] = work.states[at + word]
            flights.rngs[row] = next_word(work.rng, 0)
            row += 1
    at = slot_of(model, 0)
    call_playouts(many, work.states, at, words, flights.rngs, flights.utility, flights.made, row, leaf.playout_limit)
    return True


@kernel
def search(
    model: Model,
    graph: Graph,
    work: Work,
    outcomes: Outcomes,
    leaf: LeafOptions,
    options: Options,
    flights: Flights,
    many: int,
    iterations: int,
) -> int:
    """Run iterations from the root, whose world state `work.states` begins with; return how many were made.

    Fewer than asked for are made where the root is proven: more would change nothing.

    Args:
        model: the game.
        graph: changed.
        work: changed.
        outcomes: scratch memory.
        leaf: how new states are valued.
        options: the settings.
        flights: scratch memory for iterations at once.
        many: the address of the function for many playouts, or 0.
        iterations: how many are wanted.
    """
    if graph.counters[ROOT] == LEAF:
        key = state_key(work.states, 0, model.shape.state_words)
        node = node_of(model, graph, work, outcomes, options, 0, key)
        if node < FIRST_NODE:
            work.cursor[ITERATION] += iterations
            return iterations
        graph.counters[ROOT] = node
    root, made = int(graph.counters[ROOT]), 0
    while made < iterations and not graph.ints[2 * root + SOLVED]:
        at_once = min(flights.stage.size, 1 + graph.ints[2 * root + VISITS] // VISITS_A_FLIGHT, iterations - made)
        made += at_once
        for player in range(graph.players):
            work.strategy[player] = options.exploration * spread_seen(work, player)
        go_down(model, graph, work, outcomes, options, flights, at_once)
        played = play_out(model, work, many, leaf, flights, at_once)
        row = 0
        for flight in range(at_once):
            stage = flights.stage[flight]
            if stage == PROVEN:
                for player in range(graph.players):
                    work.utility[player] = graph.words[flights.node[flight] + VALUE_WORD + player]
            elif stage == OVER:
                value_end(model, work, slot_of(model, flight))
            elif stage == UNKNOWN:
                value_unknown(work)
            elif played:
                for player in range(graph.players):
                    work.utility[player] = flights.utility[row * graph.players + player]
                value_played(model, work, leaf, slot_of(model, row), flights.made[row])
                row += 1
            else:
                value_leaf(model, work, leaf, slot_of(model, flight))
            note_utilities(work)
            for depth in range(flights.depth[flight] - 1, -1, -1):
                node, number = int(flights.path_node[flight, depth]), int(flights.path_edge[flight, depth])
                pass_up(graph, work, node, number, flights.path_mean[flight, depth])
    work.cursor[ITERATION] += made
    return made


@kernel
def root_statistics(graph: Graph, actions: I64, visits: F64, means: F64) -> None:
    """Write the statistics of each action at the root.

    Args:
        graph: read.
        actions: `[k]` the legal actions of the root's mover.
        visits: `[k]` overwritten: how often each was chosen; minus that, and less than 0, where its value is proven.
        means: `[k]` overwritten: the mean of the mover's utilities, scaled to [0, 1].
    """
    visits[:] = 0.0
    means[:] = 0.0
    root = graph.counters[ROOT]
    if root < FIRST_NODE or graph.ints[2 * root + KIND] == CHANCE:
        return
    first = edge_of(graph, root, 0)
    for edge in range(first, first + EDGE_HALVES * graph.ints[2 * root + EDGES], EDGE_HALVES):
        for place in range(actions.size):
            if actions[place] == graph.ints[edge + LABEL]:
                visits[place] = graph.ints[edge + COUNT]
                means[place] = graph.reals[edge + MEAN]


@inline_kernel
def visits_of(graph: Graph, node: int) -> int:
    """Return how many iterations came through a node."""
    return int(graph.ints[2 * node + VISITS]) if node >= FIRST_NODE else 0
