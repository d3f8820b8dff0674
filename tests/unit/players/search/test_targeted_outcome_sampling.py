"""OOS with hidden information: its samples are right on average, and it solves what beliefs alone cannot."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import pytest

import ggp
from ggp.codegen.kernels import F64
from ggp.game.game import State
from ggp.native.information_states import key_of
from ggp.native.infoset_table import NO_NODE, WORDS, numbers_of
from players.agents.agent import Budget
from players.agents.belief_agent import BeliefAgent
from players.agents.registry import read_player
from players.beliefs.belief import Belief
from players.search.information_sets.information_search import InformationSearch
from tests.support.belief_plays import NO_TREE, followed, load
from tests.support.searches import information_search

Known = tuple[tuple[int | tuple[int, ...], ...], ...]


@dataclass
class Exact:
    """Counterfactual regrets, and what the average strategies grow by, by brute force over the whole game.

    Strategies are those of epsilon-regret matching at the nodes of a search.
    """

    game: ggp.Game
    made: InformationSearch
    regrets: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))
    growth: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))

    def node(self, state: State, player: int, known: Known) -> tuple[int, F64]:
        """Return a player's node and its strategy there; one legal action has no node."""
        legal = np.array([int(action) for action in state.legal(player)], np.int64)
        if legal.size == 1:
            return NO_NODE, np.ones(1)
        keys = np.zeros(4, np.uint64)
        keys[2 * player : 2 * player + 2] = key_of(known[player])
        node = self.made.node_of(keys, player, legal)
        assert node, "every information state is in the tree"
        positive = np.maximum(self.made.tree.words[numbers_of(node) : numbers_of(node) + legal.size], 0.0)
        matched = positive / positive.sum() if positive.sum() > 0 else np.full(legal.size, 1 / legal.size)
        epsilon = self.made.options.epsilon
        return node, (1 - epsilon) * matched + epsilon / legal.size

    def value(self, state: State, known: Known, reach: tuple[float, float], chance: float) -> float:
        """Return the first player's value, its utilities brought to [-1, 1], and add what the state gives."""
        if state.is_terminal():
            native = self.game.native()
            low, high = native.utility_low[0], native.utility_high[0]
            return 2 * (state.utilities()[0] - low) / (high - low) - 1
        if state.is_chance():
            return math.fsum(
                share * self.value(*self.after(state, None, outcome, known), reach, chance * share)
                for outcome, share in state.chance_outcomes()
            )
        nodes = {player: self.node(state, player, known) for player in state.actors()}
        legal = [state.legal(player) if player in nodes else (None,) for player in range(2)]
        values = np.zeros((len(legal[0]), len(legal[1])))
        shares = [nodes[player][1] if player in nodes else np.ones(1) for player in range(2)]
        for row, first in enumerate(legal[0]):
            for column, second in enumerate(legal[1]):
                joint = {player: action for player, action in enumerate((first, second)) if action is not None}
                below = self.after(state, joint, None, known)
                inside = (reach[0] * float(shares[0][row]), reach[1] * float(shares[1][column]))
                values[row, column] = self.value(*below, inside, chance)
        value = float(shares[0] @ values @ shares[1])
        for player, (node, strategy) in nodes.items():
            if node == NO_NODE:
                continue
            own = values @ shares[1] if player == 0 else -(shares[0] @ values)
            for position in range(strategy.size):
                against = reach[1 - player] * chance
                self.regrets[node, position] += against * (float(own[position]) - (value if player == 0 else -value))
                self.growth[node, position] += reach[player] * chance * float(strategy[position])
        return value

    def after(
        self, state: State, joint: dict[int, int] | None, outcome: int | None, known: Known
    ) -> tuple[State, Known]:
        """Return the state after a transition and what the players then know."""
        if joint is None:
            assert outcome is not None
            following = state.apply_outcome(outcome)
        else:
            following = state.apply(joint)
        grown = []
        for player in range(2):
            own = known[player]
            if joint is not None and player in joint:
                own = (*own, int(joint[player]))
            seen = following.observation(player)
            grown.append((*own, seen) if seen else own)
        return following, tuple(grown)


def aimed_at(game: ggp.Game, role: int, decisions: int, seed: int) -> Belief:
    """Return a belief at some decision of a random play."""
    belief = Belief(game, 1000, field=1, uniform=1.0, equal=True)
    belief.begin(3, role)
    for number, _ in enumerate(followed(game, belief, role, seed), 1):
        if number == decisions:
            break
    assert belief.histories.used[0] > 1
    return belief


GAMES = [
    ("kuhn_poker", {}, 1, 1),
    ("goofspiel", {"n": 3, "bids": "hidden", "prizes": "ascending"}, 2, 6),
    ("non_locality", {"first_leaf": 2}, 1, 2),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "parameters", "decisions", "seed"), GAMES)
@pytest.mark.parametrize("delta", [0.0, 0.7])
def test_sampled_regrets_are_counterfactual_regrets_on_average(
    name: str, parameters: dict[str, str | int], decisions: int, seed: int, delta: float
) -> None:
    game = load(name, **parameters)
    made = information_search(f"oos:memory=1,delta={delta},epsilon=0.4,gamma=0.5", game.native(), 11, 10_000)
    role = 1
    belief = aimed_at(game, role, decisions, seed)
    made.move_to(belief.roots(), belief.histories, role)
    exact = Exact(game, made)
    exact.value(game.initial(), ((), ()), (1.0, 1.0), 1.0)
    used = int(made.tree.counters[WORDS])
    before = made.tree.words[:used].copy()
    total, squares, samples = np.zeros(used), np.zeros(used), 40_000
    for _ in range(samples):
        made.tree.words[:used] = before
        made.run(1)
        change = made.tree.words[:used] - before
        total += change
        squares += change * change
    assert int(made.tree.counters[WORDS]) == used, "no node was missing"
    mean = total / samples
    error = np.sqrt((squares / samples - mean * mean) / samples)
    assert len(exact.regrets) > 3
    for (node, position), regret in exact.regrets.items():
        count = int(made.tree.ints[2 * node + 4])
        at = numbers_of(node) + position
        # the players take turns in exploring: half of the iterations are for each
        assert abs(mean[at] - regret / 2) < 4 * error[at] + 1e-9, (node, position)
        at += count
        assert abs(mean[at] - exact.growth[node, position] / 2) < 4 * error[at] + 1e-9, (node, position)


@pytest.mark.parametrize(("first_leaf", "wanted"), [(1, 1 / 3), (5, 0.0)])
def test_solves_what_search_from_the_middle_cannot(first_leaf: int, wanted: float) -> None:
    # Lisý 2014, figure 3.6: asked in the information state I, where ismcts mixes evenly
    game = load("non_locality", first_leaf=first_leaf)
    agent = read_player("oos:memory=16").make_agent()
    agent.start(game, 1, 5)
    agent.observe(None, [("drawn", "right")])
    agent.choose(["left", "right"], Budget(time.monotonic, iterations=400_000))
    hidden: BeliefAgent = agent._playing  # type: ignore[attr-defined]
    state = game.state([int(word) for word in hidden.belief.states[0]])
    legal = np.array([int(action) for action in state.legal(1)], np.int64)
    keys = hidden.belief.roots().keys[0]
    assert hidden.search.strategy(keys, 1, legal)[0] == pytest.approx(wanted, abs=0.05)


def test_aims_at_histories_that_fit() -> None:
    game = load("goofspiel", n=4, bids="hidden", prizes="descending")
    belief = aimed_at(game, 0, 2, 5)
    visits = {}
    for delta in (0.0, 0.9):
        made = information_search(f"oos:memory=4,delta={delta}", game.native(), 1)
        made.move_to(belief.roots(), belief.histories, 0)
        made.run(5000)
        state = game.state([int(word) for word in belief.states[0]])
        legal = np.array([int(action) for action in state.legal(0)], np.int64)
        node = made.node_of(belief.roots().keys[0], 0, legal)
        visits[delta] = int(made.tree.ints[2 * node + 6]) if node else 0
    assert visits[0.9] > 0.85 * 5000 * 0.9
    assert visits[0.0] < 1000
    assert NO_TREE.counters[0] == 0
