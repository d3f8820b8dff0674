"""The evolving opponent against fixed strategies, whose best responses are known exactly."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.evolving_opponent import EvolvingOpponent
from ggp.native.infoset_table import NO_NODE, find_node, numbers_of
from ggp.rules_compiler.loading import load
from ggp.solvers.sequence_form.best_responses import responses, uniform
from ggp.solvers.sequence_form.linear_program import solve_linear_program
from ggp.solvers.sequence_form.unfolding import information_tree
from players.search.information_sets.information_search import frozen_search
from tests.support.searches import information_search
from tests.support.strategies import frozen_strategies, random_strategies


@pytest.mark.parametrize("role", [0, 1])
def test_it_learns_a_best_response(role: int) -> None:
    native = load("kuhn_poker").native()
    tree = information_tree(native)
    fixed = random_strategies(tree, np.random.default_rng(4))
    opponent = EvolvingOpponent(native, frozen_strategies(tree, fixed), role, 99, 4)
    opponent.run(300_000)
    learned, keys = fixed.copy(), np.zeros(4, np.uint64)
    for number in tree.own_sets(role):
        place = tree.sequences_at(number)
        keys[2 * role : 2 * role + 2] = tree.key[number]
        node = find_node(opponent.tree, keys, 2 * role, role, tree.action[place], place.stop - place.start)
        assert node != NO_NODE
        chosen = opponent.tree.words[numbers_of(node) : numbers_of(node) + place.stop - place.start]
        learned[place] = chosen == chosen.max()
    assert responses(tree, learned).expected[role] == pytest.approx(responses(tree, fixed).best[role], abs=1e-3)


def test_what_the_fixed_strategy_gets_falls_to_what_it_guarantees() -> None:
    """A won game of hidden goofspiel(3) is worth 1, so the difference of shares is the expected utility."""
    native = load("goofspiel", n="3", bids="hidden", prizes="descending").native()
    tree = information_tree(native)
    for strategies in (uniform(tree), solve_linear_program(tree).strategies):
        opponent = EvolvingOpponent(native, frozen_strategies(tree, strategies), 1, 7, 4)
        first = opponent.run(1_000)
        opponent.run(100_000)
        last = opponent.run(200_000)
        guaranteed = -responses(tree, strategies).best[1]
        assert last == pytest.approx(guaranteed, abs=0.02)
        assert first > guaranteed - 0.1


def test_an_opponent_depends_on_its_seed_alone() -> None:
    native = load("phantom_tic_tac_toe").native()
    empty = frozen_strategies(information_tree(load("kuhn_poker").native()), np.zeros(26))
    first, again, other = (EvolvingOpponent(native, empty, 1, word, 16) for word in (5, 5, 6))
    # against uniformly random play the second player begins at 28 % to 59 % (Auger 2011, table 1), and learns to win
    begin = first.run(200)
    assert begin == again.run(200) != other.run(200)
    assert begin > 0.1
    first.run(100_000)
    assert first.run(20_000) < -0.3


def test_a_search_can_be_frozen() -> None:
    native = load("kuhn_poker").native()
    search = information_search("ismcts:memory=4", native, 3, 20_000)
    opponent = EvolvingOpponent(native, frozen_search(search), 1, 7, 4)
    tree = information_tree(native)
    keys, strategies = np.zeros(4, np.uint64), uniform(tree)
    for number in tree.own_sets(0):
        keys[:2] = tree.key[number]
        place = tree.sequences_at(number)
        strategies[place] = search.strategy(keys, 0, tree.action[place])
    same = EvolvingOpponent(native, frozen_strategies(tree, strategies), 1, 7, 4)
    assert opponent.run(5_000) == same.run(5_000)
