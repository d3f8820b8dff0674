"""The public functions for solving and measuring, against exact values and strategies computed by hand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import ggp
from ggp.game.history import History
from ggp.linear_programs import ProgramUnsolved
from ggp.solvers.sequence_form.best_responses import BadProbabilities
from ggp.solvers.sequence_form.strategy_files import StrategyFileUnusable
from ggp.solvers.strategies import OutOfTime
from tests.support.library import one_phase

THREE = one_phase(
    "each p chooses s in side\nlet others[p] = count q in player: s[q] != s[p]\n"
    "paid[p] := if others[p] == 2 then -1 else others[p] for p in player",
    "paid[player]: -2..2 = 0",
    "type side = {left, right}",
    payoff="paid[p]",
    players="ann, bob, cat",
)
"""Who differs from both others pays them."""


@pytest.mark.parametrize("method", ["sequence-form", "cfr+"])
def test_kuhn_poker_is_worth_an_eighteenth(method: str) -> None:
    game = ggp.load("kuhn_poker")
    found = ggp.solve(game, method, iterations=None if method == "sequence-form" else 3000)
    assert found.value == (pytest.approx(-1 / 18, abs=1e-4), pytest.approx(1 / 18, abs=1e-4))
    assert ggp.exploitability(game, found.strategy).nash_conv == pytest.approx(found.nash_conv, abs=1e-12)
    assert found.nash_conv < 1e-3
    value, answer = ggp.best_response(game, found.strategy, "second")
    assert value == pytest.approx(1 / 18, abs=1e-3)
    assert ggp.exploitability(game, answer).expected[1] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", ["connect_four", "dark_chess", "dark_hex"])
def test_the_time_for_solving_is_kept_where_states_or_histories_take_far_longer(name: str) -> None:
    with pytest.raises(OutOfTime, match=r"not solved in 0\.1 s"):
        ggp.solve(ggp.load(name), seconds=0.1)


def test_methods_return_what_they_have_when_time_is_up_or_say_that_they_have_nothing() -> None:
    assert ggp.solve(ggp.load("tic_tac_toe"), seconds=100).method == "backward induction"
    game = ggp.load("poker")
    assert 1e-9 < ggp.solve(game, seconds=1.0).nash_conv < 4
    with pytest.raises((OutOfTime, ProgramUnsolved), match=r"0\.001 s|time limit"):
        ggp.solve(game, "sequence-form", seconds=0.001)


def test_what_is_no_game_or_of_another_game_is_refused() -> None:
    name: Any = "kuhn_poker"
    for ask in (ggp.solve, ggp.strategy_of, lambda given: ggp.search_strategy(given, "oos", 10)):
        with pytest.raises(TypeError, match=r"`ggp\.load` gives one"):
            ask(name)
    for measure in (ggp.exploitability, ggp.walked_exploitability):
        with pytest.raises(TypeError, match=r"`ggp\.load` gives one"):
            measure(name, None)
    game, other = ggp.load("kuhn_poker"), ggp.load("kuhn_poker", cards=4)
    known = other.history().apply_outcome(1).information_state(0)
    with pytest.raises(ggp.GgpError, match="is none of"):
        ggp.strategy_of(game, None).at(known)
    with pytest.raises(ggp.GgpError, match="at least 1"):
        ggp.search_strategy(game, "oos", 0)


def test_what_is_no_distribution_is_told_with_its_place() -> None:
    game = ggp.load("kuhn_poker")
    with pytest.raises(
        BadProbabilities, match=r"not a distribution over 2 actions \(`second: saw b: 2; saw move: bet`\)"
    ):
        ggp.strategy_of(game, lambda known: [0.5, 0.6] if str(known) == "saw b: 2; saw move: bet" else None)
    wrong: list[Any] = ["bet", {0.5: 1.0}, {None: 1.0}, {"bet": "x"}, [float("nan")] * 2]
    for choice in wrong:
        with pytest.raises(BadProbabilities, match="first: saw a: 1"):
            ggp.strategy_of(game, lambda _, choice=choice: choice)  # type: ignore[misc]
    for seconds in (-1.0, float("nan")):
        with pytest.raises(ggp.GgpError, match="no time"):
            ggp.solve(game, seconds=seconds)
    history: Any = game.history()
    with pytest.raises(TypeError, match="no information state"):
        ggp.strategy_of(game).at(history)
    with pytest.raises(TypeError, match=r"`history\.state`"):
        ggp.solve(ggp.load("nim")).strategy.value(history)  # type: ignore[union-attr]


@pytest.mark.parametrize("iterations", [0, -1])
def test_a_limit_that_leaves_no_iteration_is_refused(iterations: int) -> None:
    with pytest.raises(ggp.GgpError, match="at least 1"):
        ggp.solve(ggp.load("kuhn_poker"), iterations=iterations)


def test_strategies_in_all_forms_are_worth_the_same(tmp_path: Path) -> None:
    game = ggp.load("kuhn_poker")

    def tight(history: History, player: int) -> dict[str, float]:
        legal = [str(action) for action in history.state.legal(player)]
        return {legal[0]: 0.75, legal[1]: 0.25}

    by_function = ggp.strategy_of(game, tight)
    table = by_function.table()
    by_table = ggp.strategy_of(game, table)
    by_function.save(tmp_path / "kuhn.json")
    by_file = ggp.strategy_of(game, str(tmp_path / "kuhn.json"))
    expected = ggp.exploitability(game, by_function)
    for other in (by_table, by_file, tmp_path / "kuhn.json", table):
        assert ggp.exploitability(game, other) == expected
    known = game.history().apply_outcome(1).information_state("first")
    assert by_file.at(known) == dict(zip(*options(game), strict=True))
    # a notebook shows it, and its trees have thousands of numbers
    assert repr(by_file) == "<strategy of <game kuhn_poker(cards=3)>: 12 information states>"
    assert len(repr(ggp.solve(ggp.load("tic_tac_toe")))) < 200
    only = ggp.strategy_of(game, {known: [1.0, 0.0]})
    assert list(only.at(known).values()) == [1.0, 0.0]
    with pytest.raises(ggp.GgpError, match=r"cannot read .*: No such file"):
        ggp.exploitability(game, tmp_path / "no.json")
    with pytest.raises(StrategyFileUnusable):
        ggp.exploitability(ggp.load("kuhn_poker_three"), str(tmp_path / "kuhn.json"))
    with pytest.raises(BadProbabilities):
        ggp.exploitability(ggp.load("poker"), by_function)
    with pytest.raises(BadProbabilities, match="nowhere"):
        ggp.strategy_of(game, {"first: nowhere": [0.5, 0.5]})
    with pytest.raises(BadProbabilities, match="`fold`"):
        ggp.strategy_of(game, {known: {"fold": 1.0}})


def options(game: ggp.Game) -> tuple[Sequence[object], Sequence[float]]:
    state = game.initial().apply_outcome(1)
    return state.legal(0), (0.75, 0.25)


def test_nash_conv_of_three_players_and_general_sums_is_counted_by_hand() -> None:
    game = ggp.load_text(THREE)
    shares = {0: 0.9, 1: 0.4, 2: 0.5}

    def drawn(_: History, player: int) -> list[float]:
        return [shares[player], 1 - shares[player]]

    def paid(sides: Sequence[int]) -> list[float]:
        differing = [sum(other != side for other in sides) for side in sides]
        return [count - (3 if count == 2 else 0) for count in differing]

    def expected(chances: dict[int, float], player: int) -> float:
        total = 0.0
        for sides in itertools.product((0, 1), repeat=3):
            weight = 1.0
            for who, side in enumerate(sides):
                weight *= chances[who] if side == 0 else 1 - chances[who]
            total += weight * paid(sides)[player]
        return total

    found = ggp.exploitability(game, drawn)
    for player in range(3):
        assert found.expected[player] == pytest.approx(expected(shares, player))
        best = max(expected({**shares, player: pure}, player) for pure in (0.0, 1.0))
        assert found.best[player] == pytest.approx(best)
    assert found.nash_conv == pytest.approx(sum(found.gains))
    assert found.nash_conv > 0.1


def test_a_game_of_one_player_is_solved_by_its_best_play() -> None:
    game = ggp.load_text(
        """game betting "Take what is sure, or bet twice as much on a coin"
players me
state
    won: 0..8 = 2
    chosen: 0..1 = 0
phase choose
    me chooses bet in 0..1
    chosen := bet
    next end if bet == 0 else toss
phase toss
    chance draws heads in 0..1
    won := if heads == 1 then 8 else 0
    next end
payoff[p] = won
"""
    )
    found = ggp.solve(game)
    assert (found.value, found.nash_conv) == ((4.0,), 0.0)
    assert list(found.strategy.at(game.history().information_state(0)).values()) == [0.0, 1.0]
