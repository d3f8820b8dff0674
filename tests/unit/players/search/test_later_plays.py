"""RAVE in searches over information states: what counts for an action that was taken later, and what does not."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.codegen.kernels import F64
from ggp.native.information_states import key_of
from ggp.native.infoset_table import action_numbers
from players.agents.agent import Budget
from players.search.information_sets.information_search import InformationSearch
from players.search.information_sets.information_set_mcts import LATER, SUMS, TIMES, USES
from tests.support.library import game_of
from tests.support.searches import belief_agent, information_search

ACTIONS_TOLD = """
game told "The payoff tells all that was done: each of the bits of three actions"
players a, b
state
    first: 0..4 = 0
    answer: 0..4 = 0
    last: 0..4 = 0
{first_two}
phase last
    a chooses z in {{0, 1, 2, 3}}
    last := z
    sees nothing
    next end
payoff[p] = if p == a then 16 * first + 4 * answer + last else -16 * first - 4 * answer - last
"""
IN_TURNS = ACTIONS_TOLD.format(
    first_two="""phase first
    a chooses x in {0, 1, 2, 3}
    first := x
    sees nothing
    next answer
phase answer
    b chooses y in {0, 1, 2, 3}
    answer := y
    sees nothing
    next last"""
)
AT_ONCE = ACTIONS_TOLD.format(
    first_two="""phase first
    a chooses x in {0, 1, 2, 3}
    b chooses y in {0, 1, 2, 3}
    first := x
    answer := y
    sees nothing
    next last"""
)
ACTIONS = 4
LEGAL = np.arange(ACTIONS, dtype=np.int64)


def numbers(search: InformationSearch, keys: np.ndarray, player: int, *fields: int) -> list[F64]:
    """Return copies of some numbers of the actions of an information state, which must have a node."""
    node = search.node_of(keys, player, LEGAL)
    assert node
    return [action_numbers(search.tree, node, field, ACTIONS).copy() for field in fields]


@pytest.mark.parametrize("rules", [IN_TURNS, AT_ONCE])
@pytest.mark.parametrize("selection", ["uct", "ruct"])
def test_only_what_the_same_player_did_from_there_on_counts(rules: str, selection: str) -> None:
    native = game_of(rules).native()
    search = information_search(f"ismcts:selection={selection},rave=10,c=1,memory=16", native, 5)
    start = search.roots.keys[0]
    times, sums, others_times = np.zeros(ACTIONS), np.zeros(ACTIONS), np.zeros(ACTIONS)
    for _ in range(300):
        search.run(1)
        utility = float(search.work.base.utility[0])
        payoff = round(native.utility_low[0] + utility * (native.utility_high[0] - native.utility_low[0]))
        first, answer, last = payoff // 16, payoff // 4 % 4, payoff % 4
        for action in {first, last}:
            times[action] += 1
            sums[action] += utility
        others_times[answer] += 1
        found_times, found_means, uses = numbers(search, start, 0, TIMES, LATER, USES)
        assert found_times.tolist() == times.tolist()
        assert found_means == pytest.approx(np.divide(sums, times, out=np.zeros(ACTIONS), where=times > 0))
        assert (uses <= found_times).all()
    # of the second player alone the first iteration tells nothing here: its playout chose before there was a node
    found_times, found_means, uses, sums_of_b = numbers(search, start, 1, TIMES, LATER, USES, SUMS)
    assert found_times.tolist() == uses.tolist()
    assert abs(others_times - uses).sum() <= 1
    assert found_means * uses == pytest.approx(sums_of_b)


def test_what_was_done_before_does_not_count() -> None:
    search = information_search("ismcts:rave=10,c=1,memory=16", game_of(IN_TURNS).native(), 5, 500)
    for first in range(ACTIONS):
        keys = np.array([*key_of([first]), 0, 0], np.uint64)
        found_times, found_means, uses, sums = numbers(search, keys, 0, TIMES, LATER, USES, SUMS)
        assert uses.sum() > 1
        assert found_times.tolist() == uses.tolist()
        assert found_means * uses == pytest.approx(sums)


def test_finds_what_is_best() -> None:
    agent = belief_agent("ismcts:rave=100,c=0.1,final=max,memory=16", game_of(IN_TURNS), 0, 3)
    agent.choose(["0", "1", "2", "3"], Budget(lambda: 0.0, iterations=2000))
    assert list(agent.last_strategy()) == [0.0, 0.0, 0.0, 1.0]
