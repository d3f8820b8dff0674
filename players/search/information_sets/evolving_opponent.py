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

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, inline_kernel, kernel
from ggp.native.calls import call_actors, call_legal, call_sample_chance
from ggp.native.information_states import KEY_WORDS
from ggp.native.interface import CHANCE, TERMINAL, NativeGame
from ggp.native.rng_kernels import below, uniform
from players.search.foundation.kernel_arguments import Model, new_model
from players.search.foundation.leaf_values import value_end, value_unknown
from players.search.foundation.memory import calls
from players.search.information_sets.information_search import initial_roots
from players.search.information_sets.information_walk import (
    COUNT,
    InformationWork,
    Roots,
    begin_at,
    enter,
    entry_at,
    has_room,
    make_transition,
    new_information_work,
)
from players.search.information_sets.infoset_table import (
    ACTIONS,
    NO_NODE,
    InfosetTable,
    add,
    find,
    find_node,
    new_infoset_table,
    numbers_of,
    state_tag,
    visit,
)

EXPLORATION = 1.0
"""C of the upper confidence bounds, on utilities scaled to [0, 1]."""

ITERATIONS_A_CALL = 1 << 14
WON, LOST, PLAYED, FAULTS = 0, 1, 2, 3
"""Places in the tally, of the fixed strategy's games."""


@inline_kernel
def select(tree: InfosetTable, node: int, count: int) -> int:
    """Return the position of the first action with the greatest upper confidence bound."""
    numbers, visits = numbers_of(node), 0.0
    for action in range(count):
        visits += tree.words[numbers + action]
    best, chosen = -1.0, 0
    for action in range(count):
        times = tree.words[numbers + action]
        if times == 0.0:
            return action
        bound = tree.words[numbers + count + action] / times + EXPLORATION * math.sqrt(math.log(visits) / times)
        if bound > best:
            best, chosen = bound, action
    return chosen


@inline_kernel
def choose_fixed(frozen: InfosetTable, node: int, count: int, work: InformationWork) -> int:
    """Return the position of an action drawn from a frozen node, uniformly if there is no node."""
    if node == NO_NODE:
        return below(work.base.rng, 0, count)
    left = uniform(work.base.rng, 0)
    chosen = 0
    for action in range(count):
        probability = frozen.words[numbers_of(node) + action]
        if probability > 0.0:
            chosen = action
        left -= probability
        if left < 0.0:
            break
    return chosen


@inline_kernel
def decide(
    model: Model,
    tree: InfosetTable,
    frozen: InfosetTable,
    work: InformationWork,
    role: int,
    actors: int,
    at: int,
    grow: bool,
) -> int:
    """Choose for all who act, and write `joint`; return 0 if the tree got a node, 1 if not, -1 at a fault."""
    grown = 1
    for player in range(model.shape.players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, work.base.states, at, player, work.base.actions, 0)
            if count < 1:
                return -1
            first = work.keys[KEY_WORDS * player]
            second = state_tag(work.keys, KEY_WORDS * player, player, work.base.actions, 0, count)
            if player != role:
                chosen = choose_fixed(frozen, find(frozen, first, second), count, work)
            else:
                node = find(tree, first, second)
                if node == NO_NODE and grow:
                    node = add(tree, first, second, player, count)
                    grown = 0
                if node == NO_NODE:
                    chosen = below(work.base.rng, 0, count)
                else:
                    chosen = select(tree, node, count)
                    visit(tree, node)
                    enter(work, node, player, chosen)
            work.base.joint[player] = work.base.actions[chosen]
    return grown


@kernel
def evolve(
    model: Model,
    tree: InfosetTable,
    frozen: InfosetTable,
    work: InformationWork,
    roots: Roots,
    role: int,
    iterations: int,
    tally: F64,
) -> None:
    """Play games of the evolving opponent against the fixed strategy; each adds one node at most to its tree.

    Args:
        model: the game.
        tree: the opponent's, changed.
        frozen: the fixed strategy of the other players.
        work: scratch memory.
        roots: the initial state of the game.
        role: whom the opponent plays.
        iterations: games.
        tally: `[4]` how many games a fixed strategy's player won and lost, all games, and those that ended in a fault
            of the rules or were cut; added to. With several fixed players it is the first of them.
    """
    players, fixed = model.shape.players, 0 if role > 0 else 1
    for _ in range(iterations):
        begin_at(roots, 0, work)
        grow, ended = True, False
        at, transitions = 0, 0
        while has_room(model, work, transitions):
            actors = call_actors(model.functions.actors, work.base.states, at)
            if actors == TERMINAL:
                value_end(model, work.base, at)
                ended = True
                break
            if actors == CHANCE:
                outcome = call_sample_chance(model.functions.sample_chance, work.base.states, at, work.base.rng, 0)
                work.base.joint[players] = outcome
                if outcome < 0:
                    break
            else:
                found = decide(model, tree, frozen, work, role, actors, at, grow)
                if found < 0:
                    break
                grow = grow and found == 1
            at = make_transition(model, work, actors, at)
            transitions += 1
            if at < 0:
                break
        if not ended:
            value_unknown(work.base)
            tally[FAULTS] += 1.0
        for place in range(work.path[COUNT]):
            node, _, choice = entry_at(work, place)
            chosen = numbers_of(node) + choice
            tree.words[chosen] += 1.0
            tree.words[chosen + tree.ints[2 * node + ACTIONS]] += work.base.utility[role]
        tally[PLAYED] += 1.0
        if not ended:
            continue
        # scaled by bounds that may differ between players, utilities are compared in the units of the game
        own = work.base.utility[fixed] / model.scale[fixed] + model.low[fixed]
        other = work.base.utility[role] / model.scale[role] + model.low[role]
        tally[WON] += own > other
        tally[LOST] += own < other


class EvolvingOpponent:
    """Learns to beat a fixed strategy.

    Args:
        native: the game.
        frozen: the fixed strategy.
        role: whom the opponent plays.
        word: seeds it, not 0.
        megabytes: memory of its tree; it learns no new information states when that is full.
    """

    def __init__(self, native: NativeGame, frozen: InfosetTable, role: int, word: int, megabytes: int = 256) -> None:
        self._model = new_model(native)
        self._frozen = frozen
        self._role = role
        self._tree = new_infoset_table(megabytes << 20, 2)
        self._work: InformationWork = new_information_work(native.shape)
        self._roots = initial_roots(native)
        self._tally = np.zeros(4)
        self._work.base.rng[0] = word

    def run(self, games: int) -> float:
        """Play some games, and return the share won by the fixed strategy minus the share lost."""
        self._tally[:] = 0.0
        for count in calls(games, ITERATIONS_A_CALL):
            evolve(self._model, self._tree, self._frozen, self._work, self._roots, self._role, count, self._tally)
        return float(self._tally[WON] - self._tally[LOST]) / games

    def favourite(self, keys: U64, actions: I64) -> int | None:
        """Return the position of the action it has played most often at one of its information states.

        Args:
            keys: `[2]` the information state's key.
            actions: numbers of the legal actions.
        """
        places = np.zeros(2 * self._model.shape.players, np.uint64)
        places[2 * self._role : 2 * self._role + 2] = keys
        node = int(find_node(self._tree, places, 2 * self._role, self._role, actions, actions.size))
        if node == NO_NODE:
            return None
        numbers = numbers_of(node)
        return int(np.argmax(self._tree.words[numbers : numbers + actions.size]))
