"""Obscuro: equilibria of solved games, what it owes to alternatives elsewhere, and its passes beside plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.beliefs.history_tree import new_history_tree
from ggp.codegen.kernels import F64
from ggp.native.information_states import KEY_WORDS
from ggp.native.infoset_table import WORDS
from ggp.rules_compiler.loading import load as load_library
from players.agents.agent import Budget
from players.agents.belief_agent import BeliefAgent
from players.evaluation.measuring import Course, measured_run
from players.search.foundation.settings import ObscuroSettings
from players.search.information_sets.information_search import initial_roots
from players.search.information_sets.information_walk import Roots
from players.search.obscuro.gadget import choose_again, new_gadget, open_gadget, weigh_roots
from players.search.obscuro.obscuro_search import ObscuroSearch, purified
from players.search.obscuro.subgame import new_subgame
from players.search.obscuro.sweeps import search
from tests.support.belief_plays import load
from tests.support.searches import belief_agent


def nash_conv(game: str, player: str, units: float, **parameters: str) -> float:
    course = Course(game, tuple(parameters.items()), player, (units,))
    return list(measured_run(course, 1, 0))[-1].loss.nash_conv


@pytest.mark.parametrize("final", ["last", "average"])
@pytest.mark.parametrize(
    ("game", "units", "most", "parameters"),
    [
        ("kuhn_poker", 10_000, 0.005, {}),
        ("poker", 100_000, 0.1, {}),
        ("goofspiel", 30_000, 0.01, {"n": "4", "prizes": "descending", "bids": "hidden"}),
    ],
)
def test_approaches_an_equilibrium_from_the_beginning(
    game: str, units: float, most: float, parameters: dict[str, str], final: str
) -> None:
    assert nash_conv(game, f"obscuro:final={final},memory=64", units, **parameters) < most


def agent_at_the_reply(seed: int) -> BeliefAgent:
    """Return the minimizer of figure 3.6 of Lisý 2014 after its decision in the information state called I."""
    agent = belief_agent("obscuro:final=average,memory=64", load("non_locality"), 1, seed)
    agent.observe(None, [("drawn", "right")])
    agent.choose(["left", "right"], Budget(lambda: 0.0, iterations=20_000))
    return agent


@pytest.mark.parametrize("seed", [3, 4])
def test_alternatives_elsewhere_decide_what_is_played_here(seed: int) -> None:
    # in equilibrium left has probability 1/3, which nothing below the root of the subgame can tell
    agent = agent_at_the_reply(seed)
    assert agent.last_strategy() == pytest.approx([1 / 3, 2 / 3], abs=1e-3)
    found = agent.search
    assert isinstance(found, ObscuroSearch)
    # the maximizer's two information states are worth 1 and 2 of 3 there, so it gains nothing by either
    groups = int(found.gadget.groups[0])
    assert sorted(found.gadget.alternative[:groups]) == pytest.approx([1 / 3, 2 / 3], abs=1e-3)
    assert found.gadget.worth[:groups] == pytest.approx(found.gadget.alternative[:groups], abs=1e-3)


def test_positions_of_the_last_subgame_stay() -> None:
    agent = agent_at_the_reply(3)
    found = agent.search
    assert isinstance(found, ObscuroSearch)
    # the two histories in which right was drawn, with their four ends; what lies elsewhere is gone
    assert (found.subgame.nodes[0], found.subgame.expansions[0], found.subgame.listed[0]) == (6, 2, 1)
    assert found.gadget.roots[0] == 2


@pytest.mark.parametrize(("resolve", "factor"), [(1.0, [1.0, 0.0]), (0.5, [0.75, 0.25]), (0.0, [0.5, 0.5])])
def test_an_opponent_with_better_alternatives_does_not_enter(resolve: float, factor: list[float]) -> None:
    gadget, game = new_gadget(2, resolve), new_subgame(1 << 16, load_library("kuhn_poker").native().shape)
    gadget.roots[0] = gadget.groups[0] = 2
    gadget.opponent[0] = 1
    gadget.root[:], gadget.group[:], gadget.weight[:] = [0, 1], [0, 1], 1.0
    gadget.prior[:], gadget.alternative[:] = 0.5, [0.6, 0.7]
    open_gadget(gadget)
    game.value[:2] = [0.5, 0.6]  # the opponent, who is second, gets 0.5 and 0.4
    for _ in range(3):
        choose_again(game, gadget)
    assert gadget.enters[:2].tolist() == [0.0, 0.0]
    # margins of 0.1 and 0.3: the least is what counts
    assert gadget.picks[:2].tolist() == [1.0, 0.0]
    weigh_roots(gadget)
    assert gadget.factor[:2] == pytest.approx(factor)


@pytest.mark.parametrize(("units", "drawn"), [(10, 8), (20_000, 60)])
def test_as_many_positions_are_drawn_as_there_is_time_for(units: int, drawn: int) -> None:
    native = load_library("phantom_tic_tac_toe").native()
    first, count = initial_roots(native), 60
    keys = np.repeat(first.keys, count, axis=0)
    keys[:, KEY_WORDS] = np.arange(count)  # the opponent tells them apart
    roots = Roots(np.repeat(first.states, count, axis=0), keys, np.arange(1, count + 1) / count)
    found = ObscuroSearch(native, ObscuroSettings(memory=16))
    found.seed(7)
    found.begin()
    found.run(units)
    found.move_to(roots, new_history_tree(1, 2), 0)
    assert found.gadget.groups[0] == drawn


def first_values(playouts: int, amaf: float) -> F64:
    native = load_library("dark_hex", width=5, height=5).native()
    found = ObscuroSearch(native, ObscuroSettings(memory=16, playouts=playouts, amaf=amaf))
    found.seed(7)
    found.begin()
    found.run(1)
    assert found.subgame.nodes[0] == 26
    return found.subgame.value[1:26].copy()


def test_playouts_of_siblings_tell_what_an_action_is_worth() -> None:
    exact = first_values(20_000, 0.0)
    errors = {amaf: (first_values(4, amaf) - exact).std() for amaf in (0.0, 64.0)}  # all alike would not matter
    assert errors[0.0] > 0.15
    assert errors[64.0] < errors[0.0] / 3


def strategy(*numbers: float) -> F64:
    return np.array(numbers)


def test_purified_strategies_have_few_actions_that_are_stable() -> None:
    last, average = strategy(0.5, 0.3, 0.0, 0.2), strategy(0.4, 0.02, 0.4, 0.18)
    assert purified(last, average, 3) == pytest.approx([0.4 / 0.58, 0, 0, 0.18 / 0.58])
    assert purified(last, average, 1).tolist() == [1, 0, 0, 0]
    assert purified(strategy(1.0, 0.0), strategy(0.0, 1.0), 3).tolist() == [0, 1]


def test_compiled_and_plain_passes_agree() -> None:
    native = load_library("poker").native()
    found = []
    for kernel in (search, search.py_func):
        one = ObscuroSearch(native, ObscuroSettings(memory=1, positions=4))
        one.seed(7)
        one.begin()
        with np.errstate(over="ignore"):  # words wrap around
            kernel(one._model, one.subgame, one.table, one.gadget, one._work, one._leaf, one._options, 400)
        found.append(one)
    compiled, plain = found
    for counter in ("nodes", "expansions", "listed", "sweeps", "stage", "position", "walks", "walked", "full", "units"):
        assert getattr(compiled.subgame, counter) == getattr(plain.subgame, counter), counter
    nodes, words = int(plain.subgame.nodes[0]), int(plain.table.counters[WORDS])
    assert nodes > 100
    assert compiled.subgame.value[:nodes] == pytest.approx(plain.subgame.value[:nodes], abs=1e-12)
    assert compiled.table.longs[:4].tolist() == plain.table.longs[:4].tolist()
    assert compiled.table.words[:words] == pytest.approx(plain.table.words[:words], abs=1e-9, nan_ok=True)


def test_memory_that_is_full_stops_growth_alone() -> None:
    game = load_library("dark_hex")
    agent = belief_agent("obscuro:memory=1", game, 0, 1)
    texts = [str(action) for action in game.initial().legal(0)]
    chosen = agent.choose(texts, Budget(lambda: 0.0, iterations=20_000))
    assert chosen in texts
    assert sum(agent.last_strategy()) == pytest.approx(1)
