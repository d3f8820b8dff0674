"""Best responses: their strategies get what their values say, and what is no strategy is refused."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.rules_compiler.loading import load
from ggp.solvers.sequence_form.best_responses import (
    BadProbabilities,
    best_response,
    distribution,
    realization_plans,
    responses,
    strategies_of_plans,
    uniform,
)
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader
from ggp.solvers.sequence_form.unfolding import information_tree
from tests.support.strategies import random_strategies


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker_three", "poker"])
def test_a_best_response_gets_its_value_and_nothing_gets_more(name: str) -> None:
    tree = information_tree(load(name).native())
    rng = np.random.default_rng(8)
    strategies = random_strategies(tree, rng)
    for player in range(tree.players):
        value, answer = best_response(tree, strategies, player)
        assert responses(tree, answer).expected[player] == pytest.approx(value, abs=1e-12)
        assert responses(tree, answer).gains[player] == pytest.approx(0, abs=1e-12)
        own = tree.own_sequences(player)
        for _ in range(20):
            other = strategies.copy()
            other[own] = random_strategies(tree, rng)[own]
            assert responses(tree, other).expected[player] <= value + 1e-12


def test_plans_and_strategies_are_two_forms_of_one_thing() -> None:
    tree = information_tree(load("poker").native())
    strategies = random_strategies(tree, np.random.default_rng(9))
    again = strategies_of_plans(tree, 7.0 * realization_plans(tree, strategies))
    assert again == pytest.approx(strategies)
    assert strategies_of_plans(tree, np.zeros(tree.sequences)) == pytest.approx(uniform(tree))


def test_strategies_by_information_state() -> None:
    game = load("kuhn_poker")
    tree = information_tree(game.native())
    reader = InformationStateReader(game, tree)
    # the second player folds the least card to a bet; everything else is uniform
    (fold,) = [number for number in tree.own_sets(1) if reader.texts(number) == ("b: 1", "move: bet")]
    assert reader.actions(fold) == ("pass", "bet")
    strategies = uniform(tree)
    strategies[tree.sequences_at(fold)] = distribution(np.array([1.0, 0.0]), 2)
    expected = uniform(tree)
    expected[tree.sequences_at(fold)] = [1.0, 0.0]
    assert strategies.tolist() == expected.tolist()
    # it calls a bet with a card that cannot win a third of the time; each such call costs one more than a fold
    assert responses(tree, strategies).expected[1] > responses(tree, uniform(tree)).expected[1]


@pytest.mark.parametrize("given", [[0.5, 0.6], [1.5, -0.5], [1.0], [np.nan, 1.0]])
def test_what_is_no_strategy_is_refused(given: list[float]) -> None:
    with pytest.raises(BadProbabilities):
        distribution(np.array(given), 2)
