"""Strategies that depend on the history, such as those of a search tree, over the state graph of a game.

Best responses to them are in `exploitability.py`. Dimensions: M nodes, N states of the game graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ggp.codegen.kernels import F64, I32, I64
from ggp.native.calls import call_chance
from ggp.native.interface import CHANCE
from ggp.solvers.worlds.profiles import SUM_TOLERANCE, BadStrategy, legal_actions
from ggp.solvers.worlds.state_graph import ROOT, GameGraph

NO_NODE = -1


class HistoryStrategies(Protocol):
    """The players' strategies after one history.

    Attributes:
        path: the transitions from the initial state, each by its key: the number of the joint action, row-major over
            the positions of the players' legal actions, or the chance outcome.
        choices: for each player who acts, its legal actions `[k]` in ascending order and the probability of each.
    """

    @property
    def path(self) -> tuple[int, ...]: ...  # noqa: D102

    @property
    def choices(self) -> Mapping[int, tuple[I64, F64]]: ...  # noqa: D102


class StrategyTree(NamedTuple):
    """Histories with the strategies defined there; each node is numbered after its parent.

    Chance nodes between decisions have no strategies. Where a history has no node, strategies are undefined.
    """

    state: I32  # [M] in the game graph
    depth: I32  # [M] transitions made before
    first_child: I64  # [M + 1]
    child: I32  # node for each transition of the node's state, or NO_NODE
    first_row: I64  # [M + 1] first probability of the first player
    row_probability: F64
    first_column: I64  # [M + 1] the same of the second player
    column_probability: F64


@dataclass(slots=True)
class _Node:
    state: int
    depth: int
    children: list[int]
    row: F64
    column: F64


NOTHING: F64 = np.zeros(0)


class _Builder:
    def __init__(self, game: GameGraph) -> None:
        self.game = game
        self.nodes: list[_Node] = []
        self.by_path: dict[tuple[int, ...], int] = {}
        self.positions: dict[int, dict[int, int]] = {}

    def add(self, path: tuple[int, ...]) -> int:
        """Return the node of a path, adding it, with all chance nodes on the way, if it is new."""
        known = self.by_path.get(path)
        if known is not None:
            return known
        state, parent, position = ROOT, NO_NODE, 0
        graph = self.game.graph
        if path:
            parent = self.add(path[:-1])
            before = self.nodes[parent].state
            position = self.position(before, path[-1])
            state = int(graph.target[graph.first[before] + position])
        number = len(self.nodes)
        transitions = int(graph.first[state + 1] - graph.first[state])
        self.nodes.append(_Node(state, len(path), [NO_NODE] * transitions, NOTHING, NOTHING))
        self.by_path[path] = number
        if parent != NO_NODE:
            self.nodes[parent].children[position] = number
        return number

    def position(self, state: int, key: int) -> int:
        """Return which transition of a state has this key."""
        if self.game.graph.actors[state] != CHANCE:
            return key
        if state not in self.positions:
            shape = self.game.native.shape
            outcomes = np.zeros(shape.max_outcomes, np.int64)
            words, shares = self.game.state_words(state), np.zeros(shape.max_outcomes)
            count = int(call_chance(self.game.native.functions.chance, words, 0, outcomes, 0, shares, 0))
            self.positions[state] = {int(outcome): place for place, outcome in enumerate(outcomes[:count])}
        return self.positions[state][key]

    def strategy(self, node: int, player: int, choice: tuple[I64, F64] | None) -> F64:
        """Return a player's distribution over its legal actions; the only entry, 1, for a player who does not act.

        Raises:
            BadStrategy: it is not a distribution over the legal actions.
        """
        if choice is None:
            return np.ones(1)
        actions, probabilities = choice
        if [int(action) for action in actions] != legal_actions(self.game, self.nodes[node].state, player):
            raise BadStrategy(f"the strategy of player {player} is not over its legal actions in order")
        total = float(probabilities.sum())
        if not (probabilities.min() >= 0 and abs(total - 1) <= SUM_TOLERANCE):
            raise BadStrategy(f"probabilities of player {player} are not a distribution: {probabilities}")
        return np.asarray(probabilities / total, np.float64)


def strategy_tree(game: GameGraph, strategies: Iterable[HistoryStrategies]) -> StrategyTree:
    """Return the tree of the histories for which strategies are given.

    Args:
        game: of one player or two; paths begin at its initial state.
        strategies: each history at most once.

    Raises:
        BadStrategy: a strategy is not a distribution over the legal actions.
    """
    builder = _Builder(game)
    builder.add(())
    for given in strategies:
        node = builder.add(given.path)
        assert set(given.choices) == {
            player for player in (0, 1) if game.graph.actors[builder.nodes[node].state] >> player & 1
        }
        builder.nodes[node].row = builder.strategy(node, 0, given.choices.get(0))
        builder.nodes[node].column = builder.strategy(node, 1, given.choices.get(1))
    nodes = builder.nodes
    return StrategyTree(
        state=np.array([node.state for node in nodes], np.int32),
        depth=np.array([node.depth for node in nodes], np.int32),
        first_child=_starts([len(node.children) for node in nodes]),
        child=np.array([child for node in nodes for child in node.children], np.int32),
        first_row=_starts([len(node.row) for node in nodes]),
        row_probability=np.concatenate([node.row for node in nodes]),
        first_column=_starts([len(node.column) for node in nodes]),
        column_probability=np.concatenate([node.column for node in nodes]),
    )


def _starts(sizes: list[int]) -> I64:
    first = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=first[1:])
    return first
