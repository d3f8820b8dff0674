"""Exact values against an independent recursion with HiGHS, against the literature, and against hand calculation."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import ggp
from ggp.game.game import Game, State
from ggp.solvers.matrix import matrix_games
from ggp.solvers.matrix.matrix_kernels import MatrixWork
from ggp.solvers.worlds import backward_induction
from ggp.solvers.worlds.backward_induction import (
    EndlessPlay,
    StateValues,
    equilibrium_profile,
    optimal_values,
    value_states,
)
from ggp.solvers.worlds.exploration import FaultInRules, GameTooLarge, Limits, NotSolvable, explore_game
from ggp.solvers.worlds.valuation import BOTH_FIXED, FIRST_RESPONDS, SECOND_RESPONDS
from tests.support.command_line import told
from tests.support.library import game_of, one_phase


def solved(game: Game) -> StateValues:
    return optimal_values(explore_game(game.native()))


def value_by_linear_program(payoff: np.ndarray) -> float:
    from scipy.optimize import linprog  # takes long to import, in each worker

    rows, columns = payoff.shape
    return -linprog(
        c=np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-payoff.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    ).fun


def value_by_recursion(state: State, known: dict[State, float]) -> float:
    """Return the value to the first player, by plain Python and a linear program for each joint-action matrix."""
    if state in known:
        return known[state]
    if state.is_terminal():
        value = state.utilities()[0]
    elif state.is_chance():
        outcomes = state.chance_outcomes()
        value = sum(share * value_by_recursion(state.apply_outcome(outcome), known) for outcome, share in outcomes)
    else:
        actors = state.actors()
        rows = state.legal(0) if 0 in actors else (None,)
        columns = state.legal(1) if 1 in actors else (None,)
        payoff = np.zeros((len(rows), len(columns)))
        for row, one in enumerate(rows):
            for column, other in enumerate(columns):
                joint = {player: action for player, action in enumerate((one, other)) if action is not None}
                payoff[row, column] = value_by_recursion(state.apply(joint), known)
        value = value_by_linear_program(payoff)
    known[state] = value
    return value


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("goofspiel", {"n": 3}),
        ("goofspiel", {"n": 3, "winner": "point_difference", "lowest": 0}),
        ("oshi_zumo", {"coins": 4, "half": 1}),
        ("random_game", {"branching": 3, "depth": 3}),
        ("pursuit_evasion", {"moves": 3, "left_x": 2, "left_y": 3}),
        ("nim", {}),
    ],
)
def test_every_state_has_the_value_of_an_independent_recursion(name: str, parameters: dict[str, int]) -> None:
    game = ggp.load(name, **parameters)
    values = solved(game)
    known: dict[State, float] = {}
    value_by_recursion(game.initial(), known)
    assert values.game.states == len(known)
    for state, value in known.items():
        assert values.value[values.game.find(state.words)] == pytest.approx(value, abs=1e-7)


def test_where_the_kernel_misses_its_tolerance_another_solver_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = explore_game(ggp.load("goofspiel", n=3).native())
    plain = optimal_values(graph)
    helped = []

    def refine(work: MatrixWork, rows: int, columns: int, tolerance: float) -> None:
        helped.append((rows, columns))
        matrix_games.refine(work, rows, columns, tolerance)

    monkeypatch.setattr(backward_induction, "TOLERANCE", -1.0)  # no bounds are that close
    monkeypatch.setattr(backward_induction, "refine", refine)
    assert optimal_values(graph, precision=-1.0).value == pytest.approx(plain.value, abs=1e-6)
    matrices = (graph.graph.rows > 1) & (graph.graph.columns > 1)
    assert len(helped) == matrices.sum() > 0


def test_biased_rock_paper_scissors_has_the_equilibrium_of_the_literature() -> None:
    # Shafiei, Sturtevant, Schaeffer 2009, table 1
    facts = told("solve", "rock_paper_scissors", "-p", "payoffs=biased")
    assert facts["value"] == pytest.approx([50, 50])
    assert facts["method"] == "backward induction"
    assert facts["states"] == 8  # the initial one, and seven pairs of points
    expected = {"rock": 0.0625, "paper": 0.625, "scissors": 0.3125}
    assert facts["strategy"] == {"row": pytest.approx(expected), "col": pytest.approx(expected)}
    counts = facts["by_depth"]
    assert [(one["depth"], one["pure"], one["mixed"]) for one in counts] == [(0, 0, 1)]


def test_where_chance_acts_first_all_first_decisions_are_told() -> None:
    facts = told("solve", "goofspiel", "-p", "n=3")
    first = facts["first_decisions"]
    assert [one["chance"] for one in first] == [["1"], ["2"], ["3"]]
    assert [one["probability"] for one in first] == pytest.approx([1 / 3] * 3)
    assert facts["strategy"] == first[0]["strategy"]
    # 3 prizes; 9 joint bids, then 2 prizes; 4 joint bids
    assert [one["pure"] + one["mixed"] for one in facts["by_depth"]] == [3, 54, 216]
    # with the highest of three prizes at stake the highest card dominates: it is worth more than the other two
    # together less one
    assert first[2]["strategy"] == {role: {"1": 0, "2": 0, "3": 1} for role in ("row", "col")}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kuhn_poker_three"], "has 3 players"),
        (
            ["random_game", "-p", "branching=6", "-p", "depth=6", "--max-states", "1000", "--anyway"],
            "more than 1,000 world states",
        ),
        (["random_game", "-p", "branching=6", "-p", "depth=6", "--max-memory", "0.01", "--anyway"], "limit on memory"),
        (["random_game", "-p", "branching=6", "-p", "depth=6"], "or use --anyway"),
        (["random_game", "-p", "branching=5", "-p", "depth=4", "--max-states", "1000"], "or use --anyway"),
        (["random_game", "-p", "branching=5", "-p", "depth=4", "--max-memory", "0.01"], "or use --anyway"),
    ],
)
def test_what_does_not_apply_is_told(arguments: list[str], message: str) -> None:
    with pytest.raises((NotSolvable, GameTooLarge), match=message):
        told("solve", *arguments)


GENEROUS = one_phase(
    "each p chooses c in choice\ngiven := (count q in player: c[q] == give)",
    "given: 0..2 = 0",
    "type choice = {give, keep}",
    payoff="given",
)


def test_payoffs_without_a_constant_sum_are_refused() -> None:
    game = game_of(GENEROUS)
    with pytest.raises(NotSolvable, match="constant sum"):
        explore_game(game.native())


@pytest.mark.parametrize(("first", "second"), [("{}", "all"), ("all", "{}")])
def test_players_without_an_action_are_told(first: str, second: str) -> None:
    left = f"left[player]: set of 1..2 = {{ann: {first}, bob: {second}}}"
    game = game_of(one_phase("each p chooses c in left[p]", left))
    with pytest.raises(FaultInRules, match="no legal action"):
        explore_game(game.native())


def test_faults_of_the_rules_are_told() -> None:
    text = one_phase("ann chooses by in 1..2\nleft := left - by\nnext go if left > 0 else end", "left: 0..3 = 3")
    with pytest.raises(FaultInRules, match="error of the rules"):
        explore_game(game_of(text).native())


def test_sums_that_differ_are_found_in_play_too() -> None:
    native = game_of(GENEROUS).native()
    with pytest.raises(NotSolvable, match="do not sum to the same number"):
        explore_game(dataclasses.replace(native, utility_sum=0.0))


ALONE = """
game alone "Throw again or not"
players one
type wish = {keep, again}
state
    left: 0..3 = 2
    won: 0..9 = 0
phase throw
    chance draws face in 1..3
    won := face
    next choose
phase choose
    one chooses what in wish
    left := left - 1                  if what == again
    next throw if what == again and left > 0 else end
payoff[p] = won
"""


def test_one_player_against_chance() -> None:
    # the second throw is worth 2, so only a first throw of 1 is thrown again: (2 + 2 + 3) / 3
    values = solved(game_of(ALONE))
    assert values.to_players() == pytest.approx((7 / 3,))


def test_endless_play_is_told() -> None:
    text = one_phase(
        "turn chooses what in {stay, leave}\nturn := other(turn)\nnext end if what == leave else go",
        "turn: player = ann",
        "type wish = {stay, leave}",
        payoff="if p == turn then 1 else -1\npayoff sum = 0",
    )
    graph = explore_game(game_of(text).native())
    with pytest.raises(EndlessPlay, match="for ever"):
        optimal_values(graph, max_sweeps=100)


def test_limits_hold_for_states_found() -> None:
    native = ggp.load("goofspiel", n=3).native()
    assert explore_game(native, Limits(states=283)).states == 283
    with pytest.raises(GameTooLarge):
        explore_game(native, Limits(states=282))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_equilibrium_guarantees_the_value_against_best_responses(seed: int) -> None:
    graph = explore_game(ggp.load("random_game", branching=3, depth=3, seed=seed).native())
    values = optimal_values(graph)
    profile = equilibrium_profile(values)
    for mode in (BOTH_FIXED, FIRST_RESPONDS, SECOND_RESPONDS):
        assert value_states(graph, mode, profile).root == pytest.approx(values.root, abs=1e-8)
