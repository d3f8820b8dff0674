"""Kernels over realization plans: reach probabilities, counterfactual values, best responses.

Dimensions as in `sequence_form_tree.py`. Every array over sequences has entries for those of all players; a kernel for
one player writes that player's only.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64, I32, inline_kernel, kernel
from ggp.solvers.sequence_form.sequence_form_tree import SequenceForm


@kernel
def set_reach(form: SequenceForm, player: int, probability: F64, reach: F64) -> None:
    """Write a player's realization plan: the reach probability of each sequence under a behavioural strategy.

    Args:
        form: the game.
        player: whose.
        probability: `[S]` of each action where its information state is reached.
        reach: `[S]` the player's entries are overwritten.
    """
    reach[player] = 1.0
    for number in range(form.range[player], form.range[player + 1]):
        before = reach[form.parent[number]]
        for sequence in range(form.first[number], form.first[number + 1]):
            reach[sequence] = before * probability[sequence]


@inline_kernel
def utility_of(form: SequenceForm, players: int, sequence: int, reach: F64) -> float:
    """Return the utility of the ends that a sequence reaches, weighted by the reach of chance and the others."""
    total = 0.0
    if players == 2:
        for entry in range(form.entry[sequence], form.entry[sequence + 1]):
            total += form.value[entry] * reach[form.others[entry]]
        return total
    others = players - 1
    for entry in range(form.entry[sequence], form.entry[sequence + 1]):
        weighted = form.value[entry]
        for other in range(entry * others, (entry + 1) * others):
            weighted *= reach[form.others[other]]
        total += weighted
    return total


@kernel
def set_shared_utilities(form: SequenceForm, player: int, reach: F64, value: F64) -> None:
    """Do what `set_utilities` does where payoffs are rectangles."""
    shared = form.rectangles
    weight, pair = shared.weight, shared.pair
    for bundle in range(shared.player.size):
        total = 0.0
        if shared.player[bundle] != player:
            for at in range(shared.first[bundle], shared.first[bundle + 1]):
                total += reach[shared.member[at]]
        weight[bundle] = total * shared.factor[bundle]
    for at in range(player, pair.size, 2):
        weight[pair[at]] += weight[pair[at + 1 - 2 * player]]
    value[player] = 0.0
    value[form.first[form.range[player]] : form.first[form.range[player + 1]]] = 0.0
    for bundle in range(shared.player.size):
        if shared.player[bundle] == player:
            utility = weight[bundle] * shared.factor[bundle]
            if player == 1:
                utility = -utility
            for at in range(shared.first[bundle], shared.first[bundle + 1]):
                value[shared.member[at]] += utility


@inline_kernel
def set_utilities(form: SequenceForm, player: int, reach: F64, value: F64) -> None:
    """Write `utility_of` for each sequence of a player.

    Args:
        form: the game.
        player: whose.
        reach: `[S]` plans of the other players.
        value: `[S]` the player's entries are overwritten.
    """
    if form.rectangles.pair.size > 0:
        set_shared_utilities(form, player, reach, value)
        return
    players = form.range.size - 1
    value[player] = utility_of(form, players, player, reach)
    for sequence in range(form.first[form.range[player]], form.first[form.range[player + 1]]):
        value[sequence] = utility_of(form, players, sequence, reach)


@kernel
def expected_utility(form: SequenceForm, player: int, reach: F64, value: F64) -> float:
    """Return a player's expected utility when all follow plans `reach` (`[S]`); `value` (`[S]`) is overwritten."""
    set_utilities(form, player, reach, value)
    total = value[player]
    for sequence in range(form.first[form.range[player]], form.first[form.range[player + 1]]):
        total += reach[sequence] * value[sequence]
    return float(total)


@kernel
def best_response_value(form: SequenceForm, player: int, reach: F64, value: F64) -> float:
    """Return the greatest expected utility of a player against the plans of the others.

    Args:
        form: the game.
        player: who responds.
        reach: `[S]` plans of the other players; the player's own entries are not read.
        value: `[S]` overwritten by counterfactual values: for each sequence of the player, the best utility after it,
            weighted by the reach probabilities of chance and the others.
    """
    set_utilities(form, player, reach, value)
    for number in range(form.range[player + 1] - 1, form.range[player] - 1, -1):
        best = -np.inf
        for sequence in range(form.first[number], form.first[number + 1]):
            best = max(best, value[sequence])
        value[form.parent[number]] += best
    return float(value[player])


@kernel
def best_response_strategy(form: SequenceForm, player: int, value: F64, probability: F64) -> None:
    """Write a best response in pure strategies: at each information state the first action of greatest value.

    Args:
        form: the game.
        player: who responds.
        value: `[S]` as `best_response_value` left it.
        probability: `[S]` the player's entries are overwritten.
    """
    probability[player] = 1.0
    for number in range(form.range[player], form.range[player + 1]):
        best = form.first[number]
        for sequence in range(form.first[number], form.first[number + 1]):
            probability[sequence] = 0.0
            if value[sequence] > value[best]:
                best = sequence
        probability[best] = 1.0


@kernel
def strategy_of_plan(form: SequenceForm, player: int, plan: F64, probability: F64) -> None:
    """Write the behavioural strategy of a plan, uniform where the plan never goes.

    Args:
        form: the game.
        player: whose.
        plan: `[S]` a realization plan, or a positive multiple of one.
        probability: `[S]` the player's entries are overwritten.
    """
    probability[player] = 1.0
    for number in range(form.range[player], form.range[player + 1]):
        first, last = form.first[number], form.first[number + 1]
        total = 0.0
        for sequence in range(first, last):
            total += max(plan[sequence], 0.0)
        for sequence in range(first, last):
            if total <= 0.0:
                probability[sequence] = 1.0 / (last - first)
            else:
                probability[sequence] = plan[sequence] / total if plan[sequence] > 0.0 else 0.0


@kernel
def uniform_strategies(parent: I32, first: I32, probability: F64) -> None:
    """Write the strategies of all players that take every legal action with the same probability, `[S]`."""
    probability[:] = 1.0
    for number in range(parent.size):
        for sequence in range(first[number], first[number + 1]):
            probability[sequence] = 1.0 / (first[number + 1] - first[number])
