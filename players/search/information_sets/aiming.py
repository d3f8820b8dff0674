"""Samples aimed iterations of OOS, which lead to histories that the searching player considers possible.

The targets are a tree of histories. At each of its nodes the iteration draws one of the children, in proportion to
their probabilities by the players' strategies or by chance. So it ends in a target, and its probability is known.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.beliefs.history_tree import NO_HISTORY, HistoryTree
from ggp.codegen.kernels import I64, inline_kernel
from ggp.native.interface import CHANCE
from ggp.native.rng_kernels import uniform
from players.search.foundation.kernel_arguments import Model
from players.search.information_sets.information_walk import InformationWork


class Crossing(NamedTuple):
    """Where an iteration is on its aim, with the strategies, or the probabilities of chance, there in `work`."""

    model: Model
    histories: HistoryTree  # the targets
    work: InformationWork
    actors: int  # bit mask of the players who act
    outcomes: int  # number of chance outcomes
    aim: int  # the node of `histories`; it has children
    gamma: float  # the explorer's exploration, if the others' choices are known and not its own; else 0


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
def weight_of(here: Crossing, child: int) -> float:
    """Return the probability of the transition to a child of the aim, by the players' strategies or by chance."""
    work, histories = here.work, here.histories
    players, width = here.model.shape.players, here.model.shape.max_actions
    if here.actors == CHANCE:
        return float(work.chances[place_in(work.outcomes, 0, here.outcomes, histories.joint[child, players])])
    weight = 1.0
    for player in range(players):
        if here.actors >> player & 1:
            begin = player * width
            position = place_in(work.base.actions, begin, work.counts[player], histories.joint[child, player])
            weight *= work.base.strategy[begin + position]
    return weight


@inline_kernel
def aimed_probability(here: Crossing, wanted: int) -> float:
    """Return the probability that an aimed iteration goes on to one of the children of the aim."""
    histories, gamma = here.histories, here.gamma
    total, children, own, child = 0.0, 0, 0.0, histories.child[here.aim]
    while child != NO_HISTORY:
        weight = weight_of(here, child)
        total += weight
        children += 1
        if child == wanted:
            own = weight
        child = histories.sibling[child]
    return (1.0 - gamma) * own / total + gamma / children if total > 0.0 else 1.0 / children


@inline_kernel
def draw_child(here: Crossing) -> int:
    """Return a child of the aim, drawn with `aimed_probability`."""
    histories, rng = here.histories, here.work.base.rng
    explore = uniform(rng, 0) < here.gamma
    total, chosen, child = 0.0, histories.child[here.aim], histories.child[here.aim]
    while child != NO_HISTORY:
        weight = 1.0 if explore else weight_of(here, child)
        total += weight
        if uniform(rng, 0) * total < weight:
            chosen = child
        child = histories.sibling[child]
    return int(chosen)
