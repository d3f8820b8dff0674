"""Exp3: exponential weights for exploration and exploitation, for any number of players, decoupled.

Source: LLW13 section 3.2, eq. 3; Lisý 2014 eq. 3.3 to 3.7. The final strategy is Lisý's: the average strategy (eq. 3.6)
with the exploration removed (eq. 3.7), not LLW13's visit counts. It is removed from each strategy before it is added,
which is the same.
Both sources have utilities of some scale, and the learning rate depends on it: with the range of the payoffs as `rate`
and the scaled payoff of 0 as `shift` it learns as it would from the payoffs themselves.
By default, a utility counts as a share of the range of those met in the search (`share_of_range`), since the bounds of
the payoffs can be far wider; `unit=bounds` is the published form.
Expansion (see `choose_untried`) tries joint actions in turn, not by the strategy; each action comes as often as under
the uniform strategy, which its updates assume.

Action numbers: `G`, the estimated sum of scaled utilities, in field GAINS; in field SUMS that of strategies without
exploration.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ggp.codegen.kernels import F64, inline_kernel, kernel
from ggp.native.rng_kernels import drawn_by
from players.search.foundation.kernel_arguments import DEPTH, LeafOptions, Model, Work
from players.search.foundation.leaf_values import note_utilities, share_of_range
from players.search.foundation.settings import Exp3Settings
from players.search.simultaneous.simulation import iterate
from players.search.simultaneous.tree import Tree, action_numbers
from players.search.simultaneous.tree_search import Family, TreeSizes, average_strategy

GAINS, SUMS = 0, 1


class Options(NamedTuple):
    """The settings that the kernel needs."""

    gamma: float  # share of uniform exploration
    rate: float = 1.0  # the learning rate of k actions is rate * gamma / k
    shift: float = 0.0  # subtracted from utilities, which are scaled to [0, 1]
    by_range: int = 0  # 1: utilities count as shares of the range met in the search, and are not shifted
    least: float = 0.0  # of the average strategy, actions less probable than this share of the best are not played


@inline_kernel
def exponential_strategy(gains: F64, factor: float, out: F64) -> None:
    """Write the strategy of eq. 3 without its exploration: exponential in the estimated sums.

    Args:
        gains: `[k]` the estimated sums.
        factor: the learning rate is `factor / k`.
        out: `[k]` or longer, overwritten from the front; sums to 1.
    """
    rate = factor / gains.size
    greatest = gains[0]
    for gain in gains:
        greatest = max(greatest, gain)
    total = 0.0
    for action in range(gains.size):
        out[action] = math.exp(rate * (gains[action] - greatest))  # of 0 at least once: stable
        total += out[action]
    scale = 1.0 / total
    for action in range(gains.size):
        out[action] *= scale


@inline_kernel
def select(tree: Tree, work: Work, node: int, tried: bool, options: Options) -> None:
    """Add each player's strategy to its sum, and sample its action from it with exploration.

    Args:
        tree: the sums of strategies are changed.
        work: `path_choice` and `path_probability` at the current depth are written, the choice only if `tried`.
        node: the decision node at the cursor.
        tried: whether expansion is over, so that the choice is this function's.
        options: gamma.
    """
    depth = work.cursor[DEPTH]
    for player in range(tree.players):
        sums = action_numbers(tree, node, player, SUMS)
        gains = action_numbers(tree, node, player, GAINS)
        size = gains.size
        if sums.size == 1:
            work.path_choice[depth, player] = 0
            work.path_probability[depth, player] = 1.0
        else:
            exponential_strategy(gains, options.rate * options.gamma, work.strategy)
            for action in range(size):
                sums[action] += work.strategy[action]
                work.strategy[action] = (1.0 - options.gamma) * work.strategy[action] + options.gamma / size
            if tried:
                choice = drawn_by(work.rng, work.strategy[:size])
                work.path_choice[depth, player] = choice
                work.path_probability[depth, player] = work.strategy[choice]
            else:
                work.path_probability[depth, player] = 1.0 / size


@inline_kernel
def update(tree: Tree, work: Work, node: int, depth: int, options: Options) -> None:
    """Add the shifted or scaled utility, over the probability of the action, to the chosen action's sum (eq. 3.5)."""
    for player in range(tree.players):
        utility = work.utility[player]
        gain = share_of_range(work, player, utility) if options.by_range else utility - options.shift
        gains = action_numbers(tree, node, player, GAINS)
        gains[work.path_choice[depth, player]] += gain / work.path_probability[depth, player]


@kernel
def search(model: Model, tree: Tree, work: Work, leaf: LeafOptions, options: Options, iterations: int) -> None:
    """Run iterations; see `iterate`."""
    iterate(model, tree, work, leaf, options, iterations, select, note_utilities, update)


def kernel_options(settings: Exp3Settings) -> Options:
    """Return the settings in the form the kernels take."""
    by_range = int(settings.unit == "range")
    return Options(settings.gamma, settings.rate, settings.shift, by_range, float(settings.final == "max"))


FAMILY = Family(search, average_strategy, TreeSizes(action_numbers=2), kernel_options)
