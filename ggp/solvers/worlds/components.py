"""An order in which states can be valued: the strongly connected components of the state graph, last ones first.

Play can return to a state only in a component of several states, or of one that leads to itself.
Dimensions: N states, K components.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import I32, I64, kernel
from ggp.solvers.worlds.state_graph import STATES, StateGraph

UNSEEN = -1


@dataclass(frozen=True, slots=True)
class Components:
    """Strongly connected components; each leads only to itself and to components before it.

    Attributes:
        order: `[N]` int32, all states, component by component.
        first: `[K + 1]` int64, where in `order` each component begins.
        largest: states of the largest component.
        cyclic: whether play can return to some state.
    """

    order: I32
    first: I64
    largest: int
    cyclic: bool


class TarjanWork(NamedTuple):
    """Scratch memory of `find_components`."""

    discovery: I32  # [N] order of discovery, or UNSEEN
    low: I32  # [N] least index known to be reachable within the component; N once the component is complete
    edge: I64  # [N] next transition to follow
    pending: I32  # [N] states of components not complete yet
    path: I32  # [N] states on the way from the root to the current one


def order_components(graph: StateGraph) -> Components:
    """Return the strongly connected components of all states in reverse topological order."""
    states = int(graph.counters[STATES])
    work = TarjanWork(
        discovery=np.full(states, UNSEEN, np.int32),
        low=np.zeros(states, np.int32),
        edge=graph.first[:-1].copy(),
        pending=np.zeros(states, np.int32),
        path=np.zeros(states, np.int32),
    )
    order = np.zeros(states, np.int32)
    first = np.zeros(states + 1, np.int64)
    count = int(find_components(graph, work, order, first))
    sizes = np.diff(first[: count + 1])
    return Components(order, first[: count + 1], int(sizes.max()), bool(has_cycle(graph, order, first, count)))


@kernel
def find_components(graph: StateGraph, work: TarjanWork, order: I32, first: I64) -> int:
    """Write the components by Tarjan's algorithm, without recursion, and return how many there are.

    Every state is reachable from state 0, so one search from there finds all.

    Source: Tarjan 1972, "Depth-first search and linear graph algorithms", section 4.
    """
    complete = graph.first.size
    discovered, written, components = 1, 0, 0
    pending, depth = 1, 1
    work.discovery[0] = work.low[0] = 0
    work.pending[0] = work.path[0] = 0
    while depth:
        state = work.path[depth - 1]
        edge = work.edge[state]
        if edge < graph.first[state + 1]:
            work.edge[state] = edge + 1
            target = graph.target[edge]
            if work.discovery[target] == UNSEEN:
                work.discovery[target] = work.low[target] = discovered
                discovered += 1
                work.pending[pending] = work.path[depth] = target
                pending += 1
                depth += 1
            elif work.low[target] < complete:
                work.low[state] = min(work.low[state], work.discovery[target])
            continue
        depth -= 1
        if depth:
            parent = work.path[depth - 1]
            work.low[parent] = min(work.low[parent], work.low[state])
        if work.low[state] == work.discovery[state]:
            first[components] = written
            components += 1
            while True:
                pending -= 1
                member = work.pending[pending]
                work.low[member] = complete
                order[written] = member
                written += 1
                if member == state:
                    break
    first[components] = written
    return components


@kernel
def has_cycle(graph: StateGraph, order: I32, first: I64, components: int) -> bool:
    """Return whether some component has several states or a state that leads to itself."""
    for component in range(components):  # noqa: SIM110 - kernels have no generators
        if is_cyclic(graph, order, first, component):
            return True
    return False


@kernel
def is_cyclic(graph: StateGraph, order: I32, first: I64, component: int) -> bool:
    """Return whether play can come back to a state of this component."""
    begin = first[component]
    if first[component + 1] - begin > 1:
        return True
    state = order[begin]
    for edge in range(graph.first[state], graph.first[state + 1]):  # noqa: SIM110 - kernels have no generators
        if graph.target[edge] == state:
            return True
    return False
