"""Best responses by a walk equal those on the unfolded game, for strategies from arrays and from searches."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from ggp.game.history import InformationState
from ggp.native.infoset_table import InfosetTable, new_infoset_table
from ggp.rules_compiler.loading import load, load_text
from ggp.solvers.sequence_form.best_responses import Response, responses, uniform
from ggp.solvers.sequence_form.strategy_files import StrategyFileUnusable
from ggp.solvers.sequence_form.unfolding import information_tree
from ggp.solvers.strategies import Strategy
from ggp.solvers.worlds.exploration import FaultInRules, GameTooLarge, NotSolvable
from players.agents.registry import read_player
from players.evaluation import response_memory
from players.evaluation.information_measuring import WalkingMeter, strategies_of_search
from players.evaluation.measuring import Course, measured_run
from players.evaluation.walked_strategies import walked_exploitability, walked_responses
from players.player_options import NotApplicable
from players.search.information_sets.information_search import frozen_search
from tests.support.searches import information_search
from tests.support.strategies import frozen_strategies, random_strategies

GAMES = [
    ("kuhn_poker", {}),
    ("kuhn_poker_three", {}),
    ("poker", {}),
    ("liars_dice", {"faces": "4"}),
    ("goofspiel", {"n": "4", "bids": "hidden"}),
    ("goofspiel", {"n": "3"}),
    ("dark_hex", {"width": "2", "height": "3"}),
]


def result(native, frozen: InfosetTable, memory_bytes: int = 2**30) -> Response:
    def run() -> Generator[float, None, Response]:
        nonlocal found
        found = yield from walked_responses(native, frozen, memory_bytes)
        return found

    found: Response | None = None
    assert all(0 <= share <= 1 for share in run())
    assert found is not None
    return found


def assert_same(first: Response, second: Response) -> None:
    assert first.expected == pytest.approx(second.expected, abs=1e-9)
    assert first.best == pytest.approx(second.best, abs=1e-9)


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_a_walk_finds_the_best_responses_of_the_unfolded_game(name: str, parameters: dict[str, str]) -> None:
    native = load(name, **parameters).native()
    tree = information_tree(native)
    for strategies in (uniform(tree), random_strategies(tree, np.random.default_rng(5))):
        assert_same(result(native, frozen_strategies(tree, strategies)), responses(tree, strategies))
    strategies = random_strategies(tree, np.random.default_rng(6))
    for number in range(tree.information_states):  # actions that are never played cut off histories
        place = tree.sequences_at(number)
        strategies[place.start] *= number % 3 > 0
        strategies[place] /= strategies[place].sum() or 1.0
        strategies[place.stop - 1] += strategies[place].sum() == 0
    assert_same(result(native, frozen_strategies(tree, strategies)), responses(tree, strategies))


@pytest.mark.sweep
@pytest.mark.parametrize(
    "player", ["ismcts:memory=4", "ismcts:selection=rm,memory=4", "oos:memory=4", "mmcts:memory=4"]
)
@pytest.mark.parametrize(("name", "parameters"), [GAMES[3], GAMES[4], GAMES[6]])
def test_where_a_search_has_no_node_it_plays_at_random_from_there_on(player, name, parameters) -> None:
    native = load(name, **parameters).native()
    tree = information_tree(native)
    for iterations in (1, 200):
        search = information_search(player, native, 3, iterations)
        assert search.nodes < tree.information_states / 2
        assert_same(result(native, frozen_search(search)), responses(tree, strategies_of_search(tree, search)))


def test_memory_grows_in_the_middle_of_an_expansion(monkeypatch) -> None:
    native = load("liars_dice", faces="4").native()
    nothing = new_infoset_table(0, 1)
    expected = result(native, nothing)
    monkeypatch.setattr(response_memory, "FIRST_ROWS", 2)
    monkeypatch.setattr(response_memory, "FIRST_FRAMES", 1)
    assert result(native, nothing) == expected
    with pytest.raises(GameTooLarge, match="raise the limit on memory"):
        result(native, nothing, 2000)


WRONG = """\
game wrong "Wrong"
players one, two
state
    hand: 0..2 = 0
phase deal
    chance draws card in 0..2
    hand := card
    sees nothing
    next act
phase act
    one chooses n in LEGAL
    next end
payoff[p] = PAYOFF
"""


@pytest.mark.parametrize(
    ("legal", "payoff", "error", "said"),
    [
        ("0..hand", "0", NotSolvable, "different legal actions"),
        ("0..1", "1 div (hand - 1)", FaultInRules, "zero"),
        ("{m in 0..1: m > hand + 1}", "0", FaultInRules, "no legal action"),
        ("0..1", "if p == one then hand else 0", NotSolvable, "do not have the same sum"),
    ],
)
def test_faults_dead_ends_and_differing_legal_actions_are_reported(legal, payoff, error, said) -> None:
    game = load_text(WRONG.replace("LEGAL", legal).replace("PAYOFF", payoff))
    with pytest.raises(error, match=said):
        result(game.native(), new_infoset_table(0, 1))


def test_a_game_that_does_not_fit_is_measured_by_walks() -> None:
    course = Course("kuhn_poker", (), "ismcts:memory=4", (500.0,))
    (held,) = measured_run(course, 2, 0)
    (found,) = measured_run(replace(course, walked=True), 2, 0)
    assert found.loss.nash_conv == pytest.approx(held.loss.nash_conv, abs=1e-9)
    assert found.loss.by_player != held.loss.by_player
    uniformly = result(load("kuhn_poker").native(), new_infoset_table(0, 1))
    (random,) = measured_run(Course("kuhn_poker", (), "random", (1.0,), walked=True), 0, 0)
    assert random.loss.by_player == pytest.approx(uniformly.gains[::-1])
    spec = read_player("ismcts:threads=2,memory=4")
    parallel = spec.kind.hidden_family.make_hidden_search(load("kuhn_poker").native(), spec.settings)
    with pytest.raises(NotApplicable, match="one thread"):
        list(WalkingMeter(load("kuhn_poker").native(), 2**30).loss_of_search(parallel))


@pytest.mark.parametrize(("name", "parameters"), GAMES)
@pytest.mark.parametrize("memory_gib", [0.1, 0.004])
def test_random_play_is_measured_with_each_belief_once(
    name: str, parameters: dict[str, str], memory_gib: float
) -> None:
    """With little memory some beliefs are not kept."""
    game = load(name, **parameters)
    tree = information_tree(game.native())
    assert_same(walked_exploitability(game, None, memory_gib), responses(tree, uniform(tree)))


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_any_strategy_is_measured_by_asking_it(name: str, parameters: dict[str, str], tmp_path: Path) -> None:
    game, asked = load(name, **parameters), set()

    def choose(known: InformationState) -> dict[int, float] | None:
        """Something that differs by information state, and is uniform at some."""
        assert known not in asked
        asked.add(known)
        at = strategy.at(known)
        return None if known.key[0] % 3 == 0 else {int(action): share for action, share in at.items()}

    tree = information_tree(game.native())
    strategies = random_strategies(tree, np.random.default_rng(7))
    for number in np.flatnonzero(tree.key[:, 0] % 3 == 0).tolist():
        place = tree.sequences_at(number)
        strategies[place] = 1 / (place.stop - place.start)
    strategy = Strategy(game, tree, strategies)
    expected = responses(tree, strategies)
    assert_same(walked_exploitability(game, choose, 0.1), expected)
    assert len(asked) == sum(np.diff(tree.form.first) > 1)
    strategy.save(tmp_path / "saved.json")
    assert_same(walked_exploitability(game, tmp_path / "saved.json", 0.1), expected)
    assert_same(walked_exploitability(game, strategy, 0.1), expected)
    with pytest.raises(StrategyFileUnusable, match="not for"):
        walked_exploitability(load("tic_tac_toe"), tmp_path / "saved.json")
