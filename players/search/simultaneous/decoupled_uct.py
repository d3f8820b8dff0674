"""DUCT: decoupled upper confidence bounds applied to trees, for any number of players.

Each player chooses by UCB over its own actions, as if the others did not choose. Source: LLW13 section 3.1, eq. 2;
Lisý 2014 section 3.1.1, eq. 3.1 and 3.2. Does not converge to an equilibrium in general.

Ties are broken at random: with a fixed order the players can cycle along a diagonal for ever (Lisý 2014, after eq.
3.2). Bounds that are nearly equal count as ties. If only exact ones did (`ties=0`), cycles would still occur in
symmetric matrices unless C is small: two players with the same experience have bounds that differ slightly, and in the
same way, so they keep choosing alike. Shafiei, Sturtevant, Schaeffer 2009, section 3, show it in biased
rock-paper-scissors. In Lisý's own example, in which DUCT is said to converge, it does so only with near ties.

Action numbers: `X`, the sum of scaled utilities, in field SUMS; `n`, how often the action was chosen, in field COUNTS.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ggp.codegen.kernels import F64, inline_kernel, kernel
from ggp.native.rng_kernels import below
from players.search.foundation.kernel_arguments import DEPTH, LeafOptions, Model, Work
from players.search.foundation.leaf_values import note_utilities, spread_seen
from players.search.foundation.regret_strategies import in_proportion, keep_argmax
from players.search.foundation.settings import MIXED_C, DuctSettings
from players.search.simultaneous.simulation import iterate
from players.search.simultaneous.tree import (
    FIRST_NODE,
    Tree,
    action_count,
    action_numbers,
)
from players.search.simultaneous.tree_search import Family, TreeSizes

SUMS, COUNTS, ACTION_NUMBERS = 0, 1, 2
INFINITY = math.inf


class Options(NamedTuple):
    """The settings that the kernel needs."""

    exploration: float  # C of eq. 2
    ties: float  # bounds no further apart than this are ties
    by_spread: int  # 1: both in units of the spread of the utilities seen; 0: on utilities scaled to [0, 1]
    least: float  # final strategy: 0 DUCT(mix), in proportion to n; 1 DUCT(max), the greatest mean


@inline_kernel
def select(tree: Tree, work: Work, node: int, tried: bool, options: Options) -> None:
    """Choose each player's action by eq. 2, ties at random; write `path_choice` at the current depth if `tried`."""
    if not tried:
        return
    depth = work.cursor[DEPTH]
    for player in range(tree.players):
        best_choice = 0
        if action_count(tree, node, player) > 1:
            sums = action_numbers(tree, node, player, SUMS)
            counts = action_numbers(tree, node, player, COUNTS)
            visits = 0.0
            for count in counts:
                visits += count
            spread = spread_seen(work, player) if options.by_spread else 1.0
            explored = options.exploration * spread
            logarithm = math.log(max(visits, 1.0))
            best = -INFINITY
            for action in range(counts.size):
                count = counts[action]
                bound = INFINITY
                if count > 0.0:
                    bound = sums[action] / count + explored * math.sqrt(logarithm / count)
                work.strategy[action] = bound
                best = max(best, bound)
            best_choice = draw_tied(work, counts.size, best - options.ties * spread)
        work.path_choice[depth, player] = best_choice


@inline_kernel
def draw_tied(work: Work, size: int, least: float) -> int:
    """Draw uniformly among the positions of the first `size` numbers of `work.strategy` that are at least `least`."""
    ties, chosen = 0, 0
    for action in range(size):
        if work.strategy[action] >= least:
            ties += 1
            if ties == 1 or below(work.rng, 0, ties) == 0:
                chosen = action
    return chosen


@inline_kernel
def update(tree: Tree, work: Work, node: int, depth: int, options: Options) -> None:  # noqa: ARG001
    """Add the utility of the iteration to the chosen actions of the decision node at a depth of the path."""
    for player in range(tree.players):
        action = work.path_choice[depth, player]
        action_numbers(tree, node, player, SUMS)[action] += work.utility[player]
        action_numbers(tree, node, player, COUNTS)[action] += 1.0


@kernel
def search(model: Model, tree: Tree, work: Work, leaf: LeafOptions, options: Options, iterations: int) -> None:
    """Run iterations; see `iterate`."""
    iterate(model, tree, work, leaf, options, iterations, select, note_utilities, update)


@kernel
def strategy(tree: Tree, node: int, player: int, least: float, out: F64) -> None:
    """Write a player's final strategy at a decision node: DUCT(mix), eq. 3.2, or DUCT(max).

    Args:
        tree: read.
        node: a decision node; one that is not expanded gives the uniform strategy.
        player: whose strategy.
        least: 0: DUCT(mix), 1: DUCT(max).
        out: `[k]` for the player's k actions, overwritten; sums to 1. DUCT(max) splits evenly among equal means.
    """
    out[:] = 1.0 / out.size
    if node < FIRST_NODE:
        return
    sums, counts = action_numbers(tree, node, player, SUMS), action_numbers(tree, node, player, COUNTS)
    if not in_proportion(counts, out) or least == 0.0:
        return
    for action in range(out.size):
        out[action] = sums[action] / counts[action] if counts[action] > 0.0 else -1.0
    keep_argmax(out)


def kernel_options(settings: DuctSettings) -> Options:
    """Return the settings in the form the kernels take."""
    exploration = MIXED_C if settings.c is None else settings.c
    return Options(exploration, settings.ties, int(settings.unit == "spread"), float(settings.final == "max"))


FAMILY = Family(search, strategy, TreeSizes(action_numbers=ACTION_NUMBERS), kernel_options)
