"""Games unfolded by bundles against the unfolding that keeps every history, and against published counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ggp.game.history import History, InformationState
from ggp.language import load_rules
from ggp.rules_compiler.loading import load
from ggp.solvers.sequence_form.best_responses import responses, uniform
from ggp.solvers.sequence_form.bundled_unfolding import bundled_tree, has_bundles, sequence_form_of
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader
from ggp.solvers.sequence_form.linear_program import solve_linear_program
from ggp.solvers.sequence_form.regret_minimisation import METHODS, RegretMinimiser, minimise
from ggp.solvers.sequence_form.strategy_files import StrategyFileUnusable
from ggp.solvers.sequence_form.unfolding import TreeLimits, information_tree
from ggp.solvers.strategies import exploitability, strategy_of, tree_of
from ggp.solvers.worlds.exploration import GameTooLarge, NotSolvable
from players.evaluation.walked_strategies import walked_exploitability
from tests.support.library import game_of
from tests.support.strategies import carried_over, random_strategies

SIZES = (("2", "2"), ("2", "3"))


@pytest.mark.sweep
@pytest.mark.parametrize("collision", ["classical", "abrupt"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_bundles_stand_for_every_history(width: str, height: str, collision: str) -> None:
    game = load("dark_hex", width=width, height=height, collision=collision)
    plain, bundled = information_tree(game.native()), bundled_tree(game.native())
    assert [len(bundled.own_sets(player)) for player in (0, 1)] == [len(plain.own_sets(player)) for player in (0, 1)]
    assert bundled.states < plain.states
    for strategies in (uniform(plain), *(random_strategies(plain, np.random.default_rng(seed)) for seed in (1, 2))):
        expected = responses(plain, strategies)
        found = responses(bundled, carried_over(strategies, plain, bundled))
        np.testing.assert_allclose(found.best, expected.best, atol=1e-12)
        np.testing.assert_allclose(found.expected, expected.expected, atol=1e-12)
    reader, by_bundles = InformationStateReader(game, plain), InformationStateReader(game, bundled)
    for number, key in enumerate(bundled.key[:: len(bundled.key) // 50 + 1].tolist()):
        number *= len(bundled.key) // 50 + 1
        same = plain.find(bundled.player_of(number), tuple(key))
        assert same is not None
        assert by_bundles.texts(number) == reader.texts(same)
        assert by_bundles.information_state(number) == reader.information_state(same)
        history = by_bundles.history(number)
        assert history.information_state(game.players[bundled.player_of(number)]) == reader.information_state(same)


def test_solvers_of_bundles_agree() -> None:
    native = load("dark_hex", width="2", height="3").native()
    tree = bundled_tree(native)
    assert solve_linear_program(tree).value == pytest.approx(solve_linear_program(information_tree(native)).value)
    minimiser = RegretMinimiser(tree, METHODS["pcfr+"])
    for _ in minimise(minimiser, 60.0, 2000, 1e-3):
        pass
    assert minimiser.average().nash_conv < 2e-3


def test_games_without_bundles_are_left_alone() -> None:
    assert not has_bundles(load("kuhn_poker").native())
    assert not has_bundles(load("goofspiel", n="3").native())
    assert has_bundles(load("phantom_tic_tac_toe").native())


LEAK = """game leak "What one may do tells what the other did"
players a, b
state
    free: bool = yes
    said: 0..2 = 0
phase first
    a chooses x in 1..2
    free := x == 1
    sees a: x
    next second
phase second
    b chooses y in 1..2 where y == 1 or free
    said := y
    sees all: y
    next end
payoff[p] = if (said == 1) == (p == a) then 1 else -1
payoff sum = 0
"""
ADDED = "known[turn] := known[turn] + {at}"


def test_what_is_legal_must_follow_from_what_is_known() -> None:
    native = game_of(LEAK).native()
    assert not has_bundles(native)
    with pytest.raises(NotSolvable, match="different legal actions"):
        sequence_form_of(native)
    rules = load_rules("dark_hex")[0].text
    assert rules.count(ADDED) == 1
    for other in (f"{ADDED} if free", ADDED.replace("turn", "other(turn)"), f"{ADDED} & stones[turn]"):
        assert not has_bundles(game_of(rules.replace(ADDED, other)).native()), other
    assert has_bundles(game_of(rules.replace(ADDED, f"{ADDED} + {{at}}")).native())


def test_limits_end_the_unfolding() -> None:
    native = load("phantom_tic_tac_toe").native()
    with pytest.raises(GameTooLarge, match="1,000 histories"):
        bundled_tree(native, TreeLimits(states=1000))
    with pytest.raises(GameTooLarge, match="GiB"):
        bundled_tree(native, TreeLimits(memory_bytes=2**20))


@pytest.mark.long
def test_functions_and_files_are_measured_by_bundles(tmp_path: Path) -> None:
    game = load("dark_hex", width="2", height="3")

    def choose(known: InformationState) -> dict[int, float]:
        first = known.key[0] % 7 + 1
        legal = tree_of(game).action[tree_of(game).sequences_at(tree_of(game).find(known.player, known.key) or 0)]
        return {
            int(action): (first + place) / sum(range(first, first + len(legal))) for place, action in enumerate(legal)
        }

    def by_history(history: History, player: int) -> dict[int, float]:
        return choose(history.information_state(game.players[player]))

    found = exploitability(game, choose)
    assert tree_of(game).by_bundles
    assert found == exploitability(game, by_history)
    assert found.nash_conv == pytest.approx(walked_exploitability(game, choose).nash_conv)
    assert found.nash_conv != pytest.approx(exploitability(game, None).nash_conv)
    path = tmp_path / "hex.json"
    strategy_of(game, choose).save(path)
    assert exploitability(game, path).nash_conv == pytest.approx(found.nash_conv)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:100]))
    with pytest.raises(StrategyFileUnusable):
        exploitability(game, path)
