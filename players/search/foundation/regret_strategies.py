"""What the searches that match regrets share: the strategy of positive regrets, and draws from it.

They keep, as action numbers, cumulative regrets in field REGRETS and sums of strategies in field SUMS.
"""

from __future__ import annotations

from ggp.codegen.kernels import F64, inline_kernel
from ggp.native.rng_kernels import below, uniform
from players.search.foundation.kernel_arguments import Work

REGRETS, SUMS = 0, 1


@inline_kernel
def positive_sum(regrets: F64) -> float:
    """Return the sum of the positive regrets."""
    total = 0.0
    for regret in regrets:
        total += max(regret, 0.0)
    return total


@inline_kernel
def sample_positive(regrets: F64, total: float, work: Work) -> int:
    """Draw an action in proportion to the positive regrets, whose sum is `total`; 0 means uniformly."""
    if total <= 0.0:
        return below(work.rng, 0, regrets.size)
    drawn = uniform(work.rng, 0) * total
    passed, choice = 0.0, 0
    for regret in regrets:  # to the end, without a branch: where a draw ends cannot be predicted
        passed += max(regret, 0.0)
        choice += passed <= drawn
    return min(choice, regrets.size - 1)


@inline_kernel
def sample_with_exploration(regrets: F64, total: float, gamma: float, work: Work) -> int:
    """Draw uniformly with probability `gamma`, else in proportion to the positive regrets."""
    if uniform(work.rng, 0) < gamma:
        return below(work.rng, 0, regrets.size)
    return sample_positive(regrets, total, work)


@inline_kernel
def matched(regret: float, total: float, size: int) -> float:
    """Return the probability of an action by regret matching (LLW13, eq. 5)."""
    return max(regret, 0.0) / total if total > 0.0 else 1.0 / size


@inline_kernel
def add_strategy(regrets: F64, sums: F64, total: float, weight: float) -> None:
    """Add the strategy of eq. 5, times `weight`, to the sum of strategies.

    Args:
        regrets: `[k]` of the actions.
        sums: `[k]` or longer, changed from the front.
        total: sum of the positive regrets.
        weight: of this strategy.
    """
    if total > 0.0:
        share = weight / total
        for action in range(regrets.size):
            sums[action] += max(regrets[action], 0.0) * share
    else:
        share = weight / regrets.size
        for action in range(regrets.size):
            sums[action] += share


@inline_kernel
def in_proportion(numbers: F64, out: F64) -> bool:
    """Write the strategy in proportion to numbers that are not negative; uniform where all are 0.

    Args:
        numbers: `[k]`; may be `out`.
        out: `[k]`, overwritten; sums to 1.

    Returns:
        Whether one of them is not 0.
    """
    total = 0.0
    for number in numbers:
        total += number
    for action in range(out.size):
        out[action] = numbers[action] / total if total > 0.0 else 1.0 / out.size
    return total > 0.0


@inline_kernel
def keep_argmax(strategy: F64) -> None:
    """Keep only the most probable actions of a strategy, with equal probability.

    Args:
        strategy: `[k]`, overwritten.
    """
    most = 0.0
    for probability in strategy:
        most = max(most, probability)
    ties = 0
    for probability in strategy:
        ties += probability == most
    for action in range(strategy.size):
        strategy[action] = 1.0 / ties if strategy[action] == most else 0.0
