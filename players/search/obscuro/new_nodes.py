"""What new nodes of a subgame are worth: by the rules' estimate, or by playouts of their own and of their siblings.

The children of a node are valued together. Where one player chose among them, a playout of one child in which this
player later takes the action that leads to another one also tells what that one is worth (AMAF): in hex and its like
it matters little when a stone is placed, and a child has hardly more than a few playouts of its own.

Source: Gelly, Silver 2007 (all moves as first).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ggp.codegen.kernels import F64, I64, U64, allocated, inline_kernel
from ggp.native.calls import call_actors
from ggp.native.interface import TERMINAL as NOBODY_ACTS
from ggp.native.interface import GameShape
from players.search.foundation.kernel_arguments import LeafOptions, Model, Work, new_work
from players.search.foundation.leaf_values import value_end, value_leaf
from players.search.obscuro.subgame import FIRST, KIND, LINKS, NONE, TERMINAL, Subgame, children_of, kind_of
from players.search.uct.played_actions import SLOTS, Played, new_played, play_out, slot_of

MOST_OUTCOMES = 128
"""Outcomes of a chance event: of more, as many are drawn, each with the same weight."""


class WalkOptions(NamedTuple):
    """The settings of growth."""

    c: float  # of PUCT, on utilities scaled to [0, 1]
    playouts: int  # of a leaf, where the rules' estimate is not used
    amaf: float  # playouts of its own that what came of the siblings' playouts counts for at most; 0: it does not


class Growth(NamedTuple):
    """Scratch memory of growth: places 0, 1 and 2 of `base.states` are a parent and what playouts use."""

    base: Work
    keys: Annotated[U64, "4"]  # of the child that is being made
    observation: Annotated[I64, "O"]
    outcomes: Annotated[I64, "C"]
    chances: Annotated[F64, "C"]
    played: Played  # by the last playout
    child_of: Annotated[I64, "Z"]  # by slot of an action: 1 + the place of the child to which it leads, or 0
    slots: Annotated[I64, "A"]  # of the actions that lead to the children
    later: Annotated[F64, "A"]  # the sum of what came of playouts that took a child's action later
    times: Annotated[F64, "A"]  # their number


def new_growth(shape: GameShape) -> Growth:
    """Return scratch memory for one thread."""
    lengths = shape.lengths | {"C": max(shape.max_outcomes, MOST_OUTCOMES), "Z": 2 * SLOTS}
    return allocated(Growth, base=new_work(shape), played=new_played(2, notes=True), **lengths)


@inline_kernel
def value_terminal(model: Model, game: Subgame, work: Growth, node: int) -> bool:
    """Copy a node's state to the first of `base`; if it is terminal, note that and its value. Return whether it is."""
    words = model.shape.state_words
    for word in range(words):  # playouts and estimates read the first state, and overwrite the others
        work.base.states[word] = game.states[node * words + word]
    if call_actors(model.functions.actors, work.base.states, 0) != NOBODY_ACTS:
        return False
    value_end(model, work.base, 0)
    game.links[LINKS * node + KIND] = TERMINAL
    game.value[node] = work.base.utility[0]
    return True


@inline_kernel
def value_node(model: Model, game: Subgame, work: Growth, leaf: LeafOptions, options: WalkOptions, node: int) -> None:
    """Value a new node, and note whether it is terminal."""
    if value_terminal(model, game, work, node):
        return
    samples = 1 if leaf.estimate and leaf.moves == 0 else options.playouts
    total = 0.0
    for _ in range(samples):
        value_leaf(model, work.base, leaf, 0)
        total += work.base.utility[0]
    game.value[node] = total / samples


@inline_kernel
def value_siblings(
    model: Model, game: Subgame, work: Growth, leaf: LeafOptions, options: WalkOptions, first: int, count: int
) -> None:
    """Value the children of a node by playouts, each also by those of the others; `slots` are written."""
    for place in range(count):
        work.later[place] = work.times[place] = 0.0
        work.child_of[work.slots[place]] = place + 1
    for child in range(first, first + count):
        if value_terminal(model, game, work, child):
            continue
        total = 0.0
        for _ in range(options.playouts):
            work.played.length[0] = 0
            play_out(model, work.base, leaf, work.played, work.base.states, 0, 0)
            total += work.base.utility[0]
            for number in range(work.played.length[0]):
                place = work.child_of[work.played.trace[number]] - 1
                if place >= 0:
                    work.later[place] += work.base.utility[0]
                    work.times[place] += 1.0
        game.value[child] = total
    for place in range(count):
        work.child_of[work.slots[place]] = 0
        child, times = first + place, work.times[place]
        if kind_of(game, child) != TERMINAL:
            counted = min(options.amaf, times)
            total = game.value[child] + (counted * work.later[place] / times if times > 0.0 else 0.0)
            game.value[child] = total / (options.playouts + counted)


@inline_kernel
def finish_block(
    model: Model,
    game: Subgame,
    work: Growth,
    leaf: LeafOptions,
    options: WalkOptions,
    node: int,
    first: int,
    mover: int,
) -> None:
    """Value the children of a node, and list it as expanded.

    Args:
        model: the game.
        game: the subgame.
        work: `base.actions` has the mover's legal actions from `mover` on: the other player has one that says nothing.
        leaf: how leaves are valued.
        options: the same.
        node: the node.
        first: its first child.
        mover: the only player who acts there; NONE if there are two, or chance acts.
    """
    count = children_of(game, node)
    if mover != NONE and options.amaf > 0.0 and not leaf.estimate:
        for place in range(count):
            work.slots[place] = slot_of(mover, int(work.base.actions[mover + place]))
        value_siblings(model, game, work, leaf, options, first, count)
    else:
        for child in range(first, first + count):
            value_node(model, game, work, leaf, options, child)
    game.links[LINKS * node + FIRST] = first
    game.expanded[game.expansions[0]] = node
    game.expansions[0] += 1
