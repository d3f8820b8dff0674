"""Samples aimed iterations of OOS, which lead to histories that the searching player considers possible.

The targets are a tree of histories. At each of its nodes the iteration draws one of the children, in proportion to
their probabilities by the players' strategies or by chance. So it ends in a target, and its probability is known.
"""

from __future__ import annotations

from ggp.codegen.kernels import I64, inline_kernel
from ggp.native.interface import CHANCE
from ggp.native.rng_kernels import uniform
from players.search.foundation.kernel_arguments import Model
from players.search.information_sets.history_tree import NO_HISTORY, HistoryTree
from players.search.information_sets.information_walk import InformationWork


@inline_kernel
def place_in(actions: I64, begin: int, count: int, wanted: int) -> int:
    """Return the position of an action among `count` ascending ones; any position if it is not among them."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if actions[begin + middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


@inline_kernel
def weight_of(
    model: Model, histories: HistoryTree, work: InformationWork, actors: int, outcomes: int, child: int
) -> float:
    """Return the probability of the transition to a child of the aim, by the players' strategies or by chance."""
    players, width = model.shape.players, model.shape.max_actions
    if actors == CHANCE:
        return float(work.chances[place_in(work.outcomes, 0, outcomes, histories.joint[child, players])])
    weight = 1.0
    for player in range(players):
        if actors >> player & 1:
            begin = player * width
            position = place_in(work.base.actions, begin, work.counts[player], histories.joint[child, player])
            weight *= work.base.strategy[begin + position]
    return weight


@inline_kernel
def aimed_probability(
    model: Model,
    histories: HistoryTree,
    work: InformationWork,
    actors: int,
    outcomes: int,
    aim: int,
    wanted: int,
    gamma: float,
) -> float:
    """Return the probability that an aimed iteration goes from a node of the aim to one of its children.

    Args:
        model: the game.
        histories: the targets.
        work: strategies, or probabilities of chance, at the cursor.
        actors: bit mask of the players who act.
        outcomes: number of chance outcomes.
        aim: the node of `histories` at the cursor; it has children.
        wanted: the child.
        gamma: the explorer's exploration, if the others' choices are known and not its own; else 0.
    """
    total, children, own, child = 0.0, 0, 0.0, histories.child[aim]
    while child != NO_HISTORY:
        weight = weight_of(model, histories, work, actors, outcomes, child)
        total += weight
        children += 1
        if child == wanted:
            own = weight
        child = histories.sibling[child]
    return (1.0 - gamma) * own / total + gamma / children if total > 0.0 else 1.0 / children


@inline_kernel
def draw_child(
    model: Model,
    histories: HistoryTree,
    work: InformationWork,
    actors: int,
    outcomes: int,
    aim: int,
    gamma: float,
) -> int:
    """Return a child of a node of the aim, drawn with `aimed_probability`."""
    explore = uniform(work.base.rng, 0) < gamma
    total, chosen, child = 0.0, histories.child[aim], histories.child[aim]
    while child != NO_HISTORY:
        weight = 1.0 if explore else weight_of(model, histories, work, actors, outcomes, child)
        total += weight
        if uniform(work.base.rng, 0) * total < weight:
            chosen = child
        child = histories.sibling[child]
    return int(chosen)
