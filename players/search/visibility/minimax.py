"""Minimax with alpha-beta pruning on the tree of one player's information in a visibility game, by iterative deepening.

The player maximises its value under the worst observations. The search is a loop over a stack, so it can stop after any
number of positions and continue later. At the root, the best action of the previous depth is tried first.

Source: Raboin et al. 2010, as in Lisý 2014, 5.5.1.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from ggp.codegen.kernels import F64, I64, allocated, inline_kernel, kernel
from players.search.visibility.lookahead import Graph, Levels, choices, observe, part, step_own, value

AT, ENTERED, DEPTH, DONE, BEST, VISITED, FOUND, COUNTERS = 0, 1, 2, 3, 4, 5, 6, 7
"""In `counters`: the present level; 1 if it was just entered; the depth in moves of this search, and of the last
finished one; the best action of the latter; positions visited; the best action of this search so far."""
NOTHING = -1


class Stack(NamedTuple):
    """The state of the search. L levels, A actions at the root."""

    lower: Annotated[F64, "L"]  # alpha
    upper: Annotated[F64, "L"]  # beta
    best: Annotated[F64, "L"]
    next: Annotated[I64, "L"]  # the child to visit next
    children: Annotated[I64, "L"]  # the number of children
    order: Annotated[I64, "A"]  # the root's actions, in the order in which they are tried
    counters: Annotated[I64, "COUNTERS"]


def new_stack(levels: int, actions: int) -> Stack:
    """Return memory for a search."""
    return allocated(Stack, L=levels, A=actions)


@kernel
def begin_search(graph: Graph, levels: Levels, stack: Stack) -> None:
    """Begin a search from the situation of level 0, at depth 1."""
    for choice in range(choices(graph, levels, 0)):
        stack.order[choice] = choice
    stack.counters[BEST] = NOTHING
    stack.counters[DONE] = 0
    stack.counters[DEPTH] = 1
    begin_depth(stack)


@inline_kernel
def begin_depth(stack: Stack) -> None:
    """Return to the root, to search at the present depth."""
    stack.counters[AT] = 0
    stack.counters[ENTERED] = 1
    stack.counters[FOUND] = NOTHING
    stack.lower[0], stack.upper[0] = -math.inf, math.inf


@kernel
def search(graph: Graph, levels: Levels, stack: Stack, way: int, depth: int, positions: int) -> None:
    """Continue the search for a number of positions.

    Args:
        graph: the game.
        levels: level 0 is the root, the others are overwritten.
        stack: changed.
        way: of valuing leaves, see `lookahead.py`.
        depth: largest depth, in moves.
        positions: to visit.
    """
    plies = 1 + levels.sets.shape[1]
    deepest = min(depth, (levels.own.shape[0] - 1) // plies)
    left = positions
    while left > 0 and stack.counters[DEPTH] <= deepest:
        at = stack.counters[AT]
        unit = at % plies - 1
        if stack.counters[ENTERED]:
            stack.counters[ENTERED] = 0
            left -= 1
            stack.counters[VISITED] += 1
            if at == plies * stack.counters[DEPTH]:
                give_back(stack, at, plies, value(graph, levels, at, way))
                continue
            stack.next[at] = 0
            if unit < 0:
                stack.children[at], stack.best[at] = choices(graph, levels, at), -math.inf
            else:
                stack.children[at], stack.best[at] = part(graph, levels, at, unit), math.inf
        if stack.next[at] == stack.children[at] or stack.lower[at] >= stack.upper[at]:
            if at == 0:
                finish_depth(graph, levels, stack)
            else:
                give_back(stack, at, plies, stack.best[at])
            continue
        child = stack.next[at]
        stack.next[at] += 1
        if unit < 0:
            step_own(graph, levels, at, stack.order[child] if at == 0 else child)
        else:
            observe(levels, at, unit, child, at + 1)
        stack.lower[at + 1], stack.upper[at + 1] = stack.lower[at], stack.upper[at]
        stack.counters[AT] = at + 1
        stack.counters[ENTERED] = 1


@inline_kernel
def give_back(stack: Stack, at: int, plies: int, worth: float) -> None:
    """Return from a level to the one above it with its value."""
    above = at - 1
    stack.counters[AT] = above
    if above % plies == 0:
        if worth > stack.best[above]:
            stack.best[above] = worth
            if above == 0:
                stack.counters[FOUND] = stack.order[stack.next[0] - 1]
        stack.lower[above] = max(stack.lower[above], worth)
    else:
        stack.best[above] = min(stack.best[above], worth)
        stack.upper[above] = min(stack.upper[above], worth)


@inline_kernel
def finish_depth(graph: Graph, levels: Levels, stack: Stack) -> None:
    """Keep the best action, and begin a search one move deeper, with that action first."""
    best = stack.counters[FOUND]
    stack.counters[BEST] = best
    stack.counters[DONE] = stack.counters[DEPTH]
    stack.counters[DEPTH] += 1
    before = stack.order[0]
    for place in range(choices(graph, levels, 0)):
        here = stack.order[place]
        stack.order[place] = before
        before = here
        if here == best:
            break
    stack.order[0] = best
    begin_depth(stack)
