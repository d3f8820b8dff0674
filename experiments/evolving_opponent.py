"""An opponent that learns, by one-sided Monte Carlo tree search, to beat a strategy that never changes.

It starts with random play and has a tree of its own information states; the other players draw their actions from a
*frozen* tree of probabilities, and uniformly where that has no node. The results of the fixed strategy against the
evolving opponent show how robust it is, in games far too large for best responses.

Source: Auger 2011, section 4, figures 2 and 3. The opponent selects by upper confidence bounds (UCT).

Action numbers of the opponent's tree: how often the action was chosen, and the sum of scaled utilities. Of the frozen
one: the probability.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, inline_kernel, kernel
from ggp.native.calls import call_legal
from ggp.native.information_states import KEY_WORDS
from ggp.native.infoset_table import (
    NO_NODE,
    InfosetTable,
    action_count,
    action_numbers,
    add,
    find,
    new_infoset_table,
    state_tag,
    visit,
)
from ggp.native.interface import NativeGame
from ggp.native.rng_kernels import below, uniform
from players.search.foundation.kernel_arguments import LeafOptions, Model, new_model
from players.search.foundation.leaf_values import value_unknown
from players.search.foundation.memory import calls
from players.search.information_sets.information_search import initial_roots
from players.search.information_sets.information_walk import (
    InformationWork,
    Task,
    enter,
    entry_at,
    iterate,
    new_information_work,
)

EXPLORATION = 1.0
"""C of the upper confidence bounds, on utilities scaled to [0, 1]."""

ITERATIONS_A_CALL = 1 << 14
CUT = LeafOptions(estimate=0, moves=0, playout_limit=1)
"""How a game is valued that is too long: it counts as one that was cut, whatever the playout gives."""
USES, SUMS = 0, 1
GROWS = 0
"""Where `sampling` tells whether the tree may get a node in this game."""
WON, LOST, PLAYED, FAULTS = 0, 1, 2, 3
"""Places in the tally, of the fixed strategy's games."""


@inline_kernel
def select(tree: InfosetTable, node: int, count: int) -> int:
    """Return the position of the first action with the greatest upper confidence bound."""
    uses, sums = action_numbers(tree, node, USES, count), action_numbers(tree, node, SUMS, count)
    visits = 0.0
    for times in uses:
        visits += times
    best, chosen = -1.0, 0
    for action in range(count):
        times = uses[action]
        if times == 0.0:
            return action
        bound = sums[action] / times + EXPLORATION * math.sqrt(math.log(visits) / times)
        if bound > best:
            best, chosen = bound, action
    return chosen


@inline_kernel
def choose_fixed(frozen: InfosetTable, node: int, count: int, work: InformationWork) -> int:
    """Return the position of an action drawn from a frozen node, uniformly if there is no node."""
    if node == NO_NODE:
        return below(work.base.rng, 0, count)
    strategy = action_numbers(frozen, node, 0, count)
    left, chosen = uniform(work.base.rng, 0), 0
    for action in range(count):
        probability = strategy[action]
        if probability > 0.0:
            chosen = action
        left -= probability
        if left < 0.0:
            break
    return chosen


class Options(NamedTuple):
    """Against whom the opponent plays, and what comes of it."""

    frozen: InfosetTable  # the fixed strategy of the other players
    role: int  # whom the opponent plays
    tally: (
        F64  # [4] how many games a fixed strategy's player won and lost, all games, and those that ended in a fault of
    )
    #     the rules or were cut; added to. With several fixed players it is the first of them.


@inline_kernel
def begin(work: InformationWork, options: Options) -> None:  # noqa: ARG001
    """Begin a game in which the tree may get a node."""
    work.base.sampling[GROWS] = 1.0


@inline_kernel
def decide(model: Model, tree: InfosetTable, work: InformationWork, actors: int, at: int, options: Options) -> int:
    """Choose for all who act, and write `joint`; -1 at a fault of the rules."""
    for player in range(model.shape.players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, work.base.states, at, player, work.base.actions, 0)
            if count < 1:
                return -1
            first = work.keys[KEY_WORDS * player]
            second = state_tag(work.keys, KEY_WORDS * player, player, work.base.actions, 0, count)
            if player != options.role:
                chosen = choose_fixed(options.frozen, find(options.frozen, first, second), count, work)
            else:
                node = find(tree, first, second)
                if node == NO_NODE and work.base.sampling[GROWS] > 0.0:
                    node = add(tree, first, second, player, count)
                    work.base.sampling[GROWS] = 0.0
                if node == NO_NODE:
                    chosen = below(work.base.rng, 0, count)
                else:
                    chosen = select(tree, node, count)
                    visit(tree, node)
                    enter(work, node, player, chosen)
            work.base.joint[player] = work.base.actions[chosen]
    return 1


@inline_kernel
def note(model: Model, work: InformationWork, ended: bool, options: Options) -> None:
    """Count a game."""
    role, fixed, tally = options.role, 0 if options.role > 0 else 1, options.tally
    tally[PLAYED] += 1.0
    if not ended:
        value_unknown(work.base)
        tally[FAULTS] += 1.0
    else:
        # scaled by bounds that may differ between players, utilities are compared in the units of the game
        own = work.base.utility[fixed] / model.scale[fixed] + model.low[fixed]
        other = work.base.utility[role] / model.scale[role] + model.low[role]
        tally[WON] += own > other
        tally[LOST] += own < other


@inline_kernel
def update(tree: InfosetTable, work: InformationWork, place: int, options: Options) -> None:
    """Add what the opponent got to an entry of the path."""
    node, _, choice = entry_at(work, place)
    count = action_count(tree, node)
    action_numbers(tree, node, USES, count)[choice] += 1.0
    action_numbers(tree, node, SUMS, count)[choice] += work.base.utility[options.role]


@kernel
def evolve(task: Task, tree: InfosetTable, work: InformationWork, options: Options, iterations: int) -> None:
    """Play games of the evolving opponent against the fixed strategy; each adds one node at most to its tree."""
    iterate(task, tree, work, options, iterations, begin, decide, note, update)


class EvolvingOpponent:
    """Learns to beat a fixed strategy.

    Args:
        native: the game.
        frozen: the fixed strategy.
        role: whom the opponent plays.
        word: seeds it, not 0.
        megabytes: memory of its tree; it learns no new information states when that is full.

    Attributes:
        tree: how often it has chosen each action, and the sum of what it got, by information state.
    """

    def __init__(self, native: NativeGame, frozen: InfosetTable, role: int, word: int, megabytes: int = 256) -> None:
        self._task = Task(new_model(native), initial_roots(native), CUT)
        self._role = role
        self.tree = new_infoset_table(megabytes << 20, 2)
        self._work: InformationWork = new_information_work(native.shape)
        self._options = Options(frozen, role, np.zeros(4))
        self._work.base.rng[0] = word

    def run(self, games: int) -> float:
        """Play some games, and return the share won by the fixed strategy minus the share lost."""
        tally = self._options.tally
        tally[:] = 0.0
        for count in calls(games, ITERATIONS_A_CALL):
            evolve(self._task, self.tree, self._work, self._options, count)
        return float(tally[WON] - tally[LOST]) / games
