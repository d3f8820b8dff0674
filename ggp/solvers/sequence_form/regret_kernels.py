"""One iteration of counterfactual regret minimisation over a whole game in sequence form: CFR+, DCFR, predictive CFR+.

Dimensions as in `sequence_form_tree.py`. Counterfactual values of all of a player's actions come from one pass over its
payoff entries; nothing is looked up by key, and only the player's own sequences are visited.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, inline_kernel, kernel
from ggp.solvers.sequence_form.plan_kernels import set_reach, set_utilities
from ggp.solvers.sequence_form.sequence_form_tree import SequenceForm

CFR_PLUS, DISCOUNTED, PREDICTIVE = 0, 1, 2
"""Rules that turn regrets into strategies."""


class RegretTables(NamedTuple):
    """Tables of the methods, with an entry per sequence."""

    regret: F64  # [S] cumulative counterfactual regret, in units of utility
    strategy: F64  # [S] probability of the action in the current strategy
    reach: F64  # [S] realization plan of the current strategy
    average: F64  # [S] weighted sum of the realization plans so far
    value: F64  # [S] counterfactual values of the last iteration


class Discounts(NamedTuple):
    """Exponents that discount earlier iterations: Brown and Sandholm 2019, section 3."""

    positive: float  # alpha: positive regrets are multiplied by t^alpha / (t^alpha + 1) after iteration t
    negative: float  # beta: the same of negative regrets
    average: float  # gamma: the strategy of iteration t counts t^gamma times in the average


def new_tables(sequences: int) -> RegretTables:
    """Return tables for a game with `sequences` sequences; the caller enters the first strategies."""
    return RegretTables(*(np.zeros(sequences) for _ in RegretTables._fields))


@kernel
def iterate(
    form: SequenceForm, tables: RegretTables, rule: int, discounts: Discounts, done: int, iterations: int
) -> None:
    """Make iterations in which the players update their regrets one after the other.

    Args:
        form: a game of any number of players; only for two with utilities of constant sum do averages converge.
        tables: updated; `strategy` and `reach` must belong together.
        rule: CFR_PLUS, DISCOUNTED or PREDICTIVE.
        discounts: `average` is read by all rules, the others by DISCOUNTED.
        done: how many were made before.
        iterations: how many to make.
    """
    for iteration in range(done + 1, done + iterations + 1):
        time = float(iteration)
        weight = time**discounts.average
        positive = time**discounts.positive / (time**discounts.positive + 1.0)
        negative = time**discounts.negative / (time**discounts.negative + 1.0)
        for player in range(form.range.size - 1):
            add_to_average(form, tables, player, weight)
            set_utilities(form, player, tables.reach, tables.value)
            for number in range(form.range[player + 1] - 1, form.range[player] - 1, -1):
                first, last = form.first[number], form.first[number + 1]
                value = 0.0
                for sequence in range(first, last):
                    value += tables.strategy[sequence] * tables.value[sequence]
                tables.value[form.parent[number]] += value
                if rule == CFR_PLUS:
                    match_clipped(tables, first, last, value)
                elif rule == PREDICTIVE:
                    match_predicted(tables, first, last, value)
                else:
                    match_discounted(tables, first, last, value, positive, negative)
            set_reach(form, player, tables.strategy, tables.reach)


@inline_kernel
def add_to_average(form: SequenceForm, tables: RegretTables, player: int, weight: float) -> None:
    """Add a player's current realization plan to the sum from which its average strategy is computed."""
    for sequence in range(form.first[form.range[player]], form.first[form.range[player + 1]]):
        tables.average[sequence] += weight * tables.reach[sequence]


@inline_kernel
def match_clipped(tables: RegretTables, first: int, last: int, value: float) -> None:
    """Regret matching+ at one information state: cumulative regrets never fall below 0.

    Args:
        tables: `regret` and `strategy` of its sequences are updated.
        first: its first sequence.
        last: one past its last sequence.
        value: counterfactual value of the information state under the current strategy.

    Source: Tammelin 2014.
    """
    total = 0.0
    for sequence in range(first, last):
        regret = max(tables.regret[sequence] + tables.value[sequence] - value, 0.0)
        tables.regret[sequence] = regret
        tables.strategy[sequence] = regret
        total += regret
    normalise(tables.strategy, first, last, total)


@inline_kernel
def match_predicted(tables: RegretTables, first: int, last: int, value: float) -> None:
    """Predictive regret matching+ at one information state; the prediction is that the last values repeat.

    Arguments as for `match_clipped`. Source: Farina, Kroer, Sandholm 2021, algorithm 3.
    """
    total = 0.0
    for sequence in range(first, last):
        gained = tables.value[sequence] - value
        regret = max(tables.regret[sequence] + gained, 0.0)
        tables.regret[sequence] = regret
        predicted = max(regret + gained, 0.0)
        tables.strategy[sequence] = predicted
        total += predicted
    normalise(tables.strategy, first, last, total)


@inline_kernel
def match_discounted(
    tables: RegretTables, first: int, last: int, value: float, positive: float, negative: float
) -> None:
    """Regret matching at one information state, with discounted regrets.

    Arguments as for `match_clipped`, and the factors of positive and negative regrets. Source: Brown, Sandholm 2019.
    """
    total = 0.0
    for sequence in range(first, last):
        regret = tables.regret[sequence] + tables.value[sequence] - value
        regret *= positive if regret > 0.0 else negative
        tables.regret[sequence] = regret
        tables.strategy[sequence] = max(regret, 0.0)
        total += max(regret, 0.0)
    normalise(tables.strategy, first, last, total)


@inline_kernel
def normalise(strategy: F64, first: int, last: int, total: float) -> None:
    """Scale entries that sum to `total` to probabilities; uniform where that is 0."""
    if total > 0.0:
        for sequence in range(first, last):
            strategy[sequence] /= total
    else:
        for sequence in range(first, last):
            strategy[sequence] = 1.0 / (last - first)
