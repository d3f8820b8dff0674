"""CFR+, DCFR and predictive CFR+ against OpenSpiel's solvers, and against a few lines that follow the definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.cfr import CFRPlusSolver
from open_spiel.python.algorithms.discounted_cfr import DCFRSolver

from ggp.rules_compiler.loading import load
from ggp.solvers.sequence_form.best_responses import responses
from ggp.solvers.sequence_form.linear_program import payoff_matrix
from ggp.solvers.sequence_form.regret_minimisation import METHODS, RegretMinimiser, minimise
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from ggp.solvers.sequence_form.unfolding import information_tree
from ggp.solvers.worlds.exploration import NotSolvable


def tree_of(name: str, **parameters: str) -> SequenceFormTree:
    return information_tree(load(name, **parameters).native())


@pytest.mark.parametrize(("method", "solver"), [("cfr+", CFRPlusSolver), ("dcfr", DCFRSolver)])
def test_same_averages_as_open_spiel(method: str, solver: Any) -> None:
    tree = tree_of("kuhn_poker")
    theirs, ours = solver(pyspiel.load_game("kuhn_poker")), RegretMinimiser(tree, METHODS[method])
    for _ in range(20):
        theirs.evaluate_and_update_policy()
        ours.run(1)
        policy = theirs.average_policy()
        expected = pyspiel.nash_conv(pyspiel.load_game("kuhn_poker"), policy.to_dict())
        assert ours.average().nash_conv == pytest.approx(expected, abs=1e-12)


def by_definition(tree: SequenceFormTree, method: str, iterations: int) -> np.ndarray[Any, Any]:
    """Return the average strategies of a method, written once more without its kernels: dense, recursive, by player."""
    own = {p: [p, *range(tree.own_sequences(p).start, tree.own_sequences(p).stop)] for p in range(2)}
    entries, matrix = payoff_matrix(tree), np.zeros((len(own[0]), len(own[1])))
    matrix[entries.row, entries.column] = entries.value
    payoffs = {0: matrix, 1: -matrix.T}
    place = {sequence: index for p in range(2) for index, sequence in enumerate(own[p])}
    sets = {
        p: [(range(*tree.sequences_at(i).indices(tree.sequences)), int(tree.form.parent[i])) for i in tree.own_sets(p)]
        for p in range(2)
    }
    strategy = {s: 1.0 / len(group) for p in range(2) for group, _ in sets[p] for s in group} | {0: 1.0, 1: 1.0}
    regret, average = dict.fromkeys(strategy, 0.0), dict.fromkeys(strategy, 0.0)

    def plan(p: int) -> np.ndarray[Any, Any]:
        reach = {p: 1.0}
        for group, parent in sets[p]:
            reach |= {s: reach[parent] * strategy[s] for s in group}
        return np.array([reach[s] for s in own[p]])

    for t in range(1, iterations + 1):
        for p in range(2):
            for sequence, reach in zip(own[p], plan(p), strict=True):
                average[sequence] += reach * (t if method == "cfr+" else t * t)
            value = payoffs[p] @ plan(1 - p)
            updates = []
            for group, parent in reversed(sets[p]):
                expected = sum(strategy[s] * value[place[s]] for s in group)
                updates.append((group, {s: value[place[s]] - expected for s in group}))
                value[place[parent]] += expected
            for group, gained in updates:
                for s in group:
                    total = regret[s] + gained[s]
                    if method == "dcfr":
                        regret[s] = total * (t**1.5 / (t**1.5 + 1) if total > 0 else 0.5)
                    else:
                        regret[s] = max(total, 0.0)
                wanted = {s: max(regret[s] + (gained[s] if method == "pcfr+" else 0.0), 0.0) for s in group}
                for s in group:
                    strategy[s] = wanted[s] / sum(wanted.values()) if sum(wanted.values()) else 1 / len(group)
    return np.array([average[s] for s in range(tree.sequences)])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", ["poker", "liars_dice"])
def test_same_sums_as_the_definitions(method: str, game: str) -> None:
    tree = tree_of(game, **({"faces": "3"} if game == "liars_dice" else {"ranks": "2"}))
    ours = RegretMinimiser(tree, METHODS[method])
    ours.run(3)
    ours.run(2)
    assert ours.tables.average[2:] == pytest.approx(by_definition(tree, method, 5)[2:], abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_leduc_poker_is_solved(method: str) -> None:
    minimiser = RegretMinimiser(tree_of("poker"), METHODS[method])
    stands = list(minimise(minimiser, iterations=3000))
    assert stands[-1].iterations == 3000
    assert stands[-1].nash_conv < 1e-3
    assert stands[-1].value == pytest.approx(-0.085606424078, abs=1e-3)
    assert responses(minimiser.tree, minimiser.average().strategies).nash_conv == pytest.approx(
        stands[-1].nash_conv, abs=1e-12
    )


def test_a_run_ends_by_its_limits() -> None:
    tree = tree_of("kuhn_poker")
    *_, last = minimise(RegretMinimiser(tree, METHODS["pcfr+"]), nash_conv=1e-6)
    assert last.nash_conv <= 1e-6
    *_, last = minimise(RegretMinimiser(tree, METHODS["cfr+"]), seconds=0.05)
    assert 0.05 <= last.seconds < 0.5


def test_three_players_are_refused() -> None:
    with pytest.raises(NotSolvable, match="3 players"):
        RegretMinimiser(tree_of("kuhn_poker_three"), METHODS["cfr+"])
