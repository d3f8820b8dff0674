"""OOS for games with hidden information: outcome sampling targeted at the histories that a player considers possible.

Source: Lisý 2014, section 3.2.4, figures 3.7 and 3.8; Lisý, Lanctot, Bowling 2015. Two players, constant sum. Converges
to an equilibrium wherever it is asked, since every iteration begins where the game does.

Each iteration updates the regrets of one player `i`, the explorer, and the average strategy of the other, in turn. With
probability delta an iteration is *aimed*: it draws only transitions that continue a history which its player holds
possible (`HistoryTree`), until one of these is complete. Theorem 3.2.1 allows any subset of histories to be aimed at,
so a sample of them will do. An iteration that leaves those histories, as unaimed ones do, is no longer restricted.

Figure 3.7 carries six probabilities. The other player and chance are drawn by their own strategies in an unaimed
iteration, so these cancel, and what is left is

    s_i   the product of sigma'_i, with exploration, of the explorer's choices so far
    r     s_b / s_u, how much more probable an aimed iteration makes the history than an unaimed one; 0 off the aim
    D     (1 - delta) + delta r
    W     u / (s_i(z) D(z)) at the end z; times x_i, the product of sigma_i below, it is figure 3.7's W c
    line 27: the other player's strategy counts 1 / (s_i(h) D(h))

Every strategy is mixed with a share epsilon of the uniform one (epsilon-regret matching), so that no history has
probability 0 and strategies behind mistakes go on improving.

A new information state ends an iteration in a random playout; not on the aim, which is gone down to its end at once.

Action numbers: field 0 cumulative sampled counterfactual regret, field 1 weighted sum of strategies.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.beliefs.history_tree import NO_HISTORY, HistoryTree, child_by, new_history_tree
from ggp.codegen.kernels import F64, inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_sample_chance
from ggp.native.information_states import KEY_WORDS
from ggp.native.infoset_table import (
    NO_NODE,
    InfosetTable,
    action_count,
    action_numbers,
    add,
    find,
    state_tag,
    visit,
)
from ggp.native.interface import CHANCE, TERMINAL
from ggp.native.rng_kernels import below, drawn_by, uniform
from players.search.foundation.kernel_arguments import ITERATION, Model
from players.search.foundation.leaf_values import value_end, value_leaf, value_unknown
from players.search.foundation.regret_strategies import REGRETS, SUMS, in_proportion, keep_argmax, positive_sum
from players.search.foundation.settings import OutcomeSamplingSettings
from players.search.information_sets.aiming import Crossing, aimed_probability, draw_child, place_in, weight_of
from players.search.information_sets.information_search import InformationFamily, InformationSearch, initial_roots
from players.search.information_sets.information_walk import (
    COUNT,
    InformationWork,
    Roots,
    Task,
    begin_at,
    enter,
    entry_at,
    extend_keys,
    has_room,
    step_on,
)

FIELDS = 2
DEFAULT_GAMMA = 0.4
NOTHING = new_history_tree(1, 2)
"""To aim at."""
LEAST = 1e-280
"""Of a probability of sampling: the product of hundreds of choices would be 0."""


class Options(NamedTuple):
    """The settings that the kernels need."""

    gamma: float  # share of uniform exploration of the explorer
    delta: float  # share of aimed iterations
    epsilon: float  # share of the uniform strategy in every strategy
    argmax: int  # 1: the final strategy is the most probable action of the average, 0: the average strategy
    histories: (
        HistoryTree  # what aimed iterations follow, those that `role` considers possible; a beginning alone where
    )
    #     nothing is aimed at
    role: int  # the player who searches


@inline_kernel
def write_strategy(tree: InfosetTable, work: InformationWork, player: int, begin: int, epsilon: float) -> None:
    """Write a player's strategy at the cursor, by epsilon-regret matching, to `strategy[begin:]`."""
    node, count = work.nodes[player], work.counts[player]
    regrets = action_numbers(tree, node, REGRETS, count if node != NO_NODE else 0)
    total, share = positive_sum(regrets), 1.0 / count
    if total > 0.0:
        scale, least = (1.0 - epsilon) / total, epsilon * share
        for action in range(count):
            work.base.strategy[begin + action] = scale * max(regrets[action], 0.0) + least
    else:
        work.base.strategy[begin : begin + count] = share


@inline_kernel
def look_around(
    model: Model, tree: InfosetTable, work: InformationWork, actors: int, at: int, grow: bool, options: Options
) -> int:
    """Find the nodes, legal actions and strategies of all who act; one legal action needs no node.

    Args:
        model: the game.
        tree: gets nodes for information states it does not have.
        work: `counts`, `nodes`, `base.actions` and `base.strategy` are written.
        actors: mask of who acts.
        at: the world state.
        grow: whether new nodes do not end the iteration.
        options: epsilon.

    Returns:
        1 to go on in the tree, 0 to leave it after this transition, -1 at a fault of the rules.
    """
    inside, width = 1, model.shape.max_actions
    for player in range(model.shape.players):
        work.counts[player] = 1
        if actors >> player & 1:
            begin = player * width
            count = call_legal(model.functions.legal, work.base.states, at, player, work.base.actions, begin)
            if count < 1:
                return -1
            node = NO_NODE
            if count > 1:
                first = work.keys[KEY_WORDS * player]
                second = state_tag(work.keys, KEY_WORDS * player, player, work.base.actions, begin, count)
                node = find(tree, first, second)
                if node == NO_NODE:
                    node = add(tree, first, second, player, count)
                    if not grow:
                        inside = 0
            work.counts[player] = count
            work.nodes[player] = node
            write_strategy(tree, work, player, begin, options.epsilon)
    return inside


@inline_kernel
def draw_action(work: InformationWork, player: int, begin: int, explore: bool) -> int:
    """Return the position of an action drawn from a player's strategy, or uniformly."""
    count = work.counts[player]
    if explore:
        return below(work.base.rng, 0, count)
    return drawn_by(work.base.rng, work.base.strategy[begin : begin + count])


@inline_kernel
def record(
    model: Model,
    tree: InfosetTable,
    work: InformationWork,
    actors: int,
    explorer: int,
    sampled: float,
    blend: float,
    options: Options,
) -> float:
    """Enter the explorer's choice into the path, and add the other player's strategy to its sum.

    Args:
        model: the game.
        tree: sums are changed.
        work: the choices are in `base.counts`, as positions.
        actors: mask of who acts.
        explorer: whose regrets are updated.
        sampled: s_i before this choice.
        blend: D before this choice.
        options: gamma.

    Returns:
        s_i after it.
    """
    width, after = model.shape.max_actions, sampled
    for player in range(model.shape.players):
        if not actors >> player & 1:
            continue
        node, count, begin = work.nodes[player], work.counts[player], player * width
        chosen = work.base.counts[player]
        own = work.base.strategy[begin + chosen]
        if player == explorer:
            if node != NO_NODE:
                work.probability[enter(work, node, player, chosen)] = own
                visit(tree, node)
                after = max(sampled * ((1.0 - options.gamma) * own + options.gamma / count), LEAST)
        elif node != NO_NODE:
            sums = action_numbers(tree, node, SUMS, count)
            weight = 1.0 / (sampled * blend)
            for action in range(count):
                sums[action] += weight * work.base.strategy[begin + action]
            visit(tree, node)
    return after


@kernel
def search(task: Task, tree: InfosetTable, work: InformationWork, options: Options, iterations: int) -> None:
    """Run iterations, all from the first root, which is the beginning of the game; `tree` is changed."""
    model, histories, role = task.model, options.histories, options.role
    players, width = model.shape.players, model.shape.max_actions
    has_aim = histories.child[0] != NO_HISTORY
    for _ in range(iterations):
        begin_at(task.roots, 0, work)
        explorer = work.base.cursor[ITERATION] & 1
        aim = 0 if has_aim else NO_HISTORY
        delta = options.delta if has_aim else 0.0
        aimed = uniform(work.base.rng, 0) < delta
        sampled, ratio = 1.0, 1.0
        inside, acted, previous, at, transitions = 1, CHANCE, 0, 0, 0
        while True:
            actors = call_actors(model.functions.actors, work.base.states, at)
            if actors == TERMINAL:
                value_end(model, work.base, at)
                break
            if inside == 0 or not has_room(model, work, transitions):
                value_leaf(model, work.base, task.leaf, at)
                break
            if transitions > 0 and not extend_keys(model, work, acted, previous, at):
                value_unknown(work.base)
                break
            on_aim = aim != NO_HISTORY and histories.child[aim] != NO_HISTORY
            outcomes, inside, explored = 0, 1, 0.0
            if actors == CHANCE:
                if on_aim:
                    outcomes = call_chance(
                        model.functions.chance, work.base.states, at, work.outcomes, 0, work.chances, 0
                    )
                    inside = 1 if outcomes > 0 else -1
            else:
                inside = look_around(model, tree, work, actors, at, on_aim, options)
                if explorer != role and actors >> explorer & 1:
                    explored = options.gamma
            if inside < 0:
                value_unknown(work.base)
                break
            child, chance = NO_HISTORY, 1.0
            here = Crossing(model, histories, work, actors, outcomes, aim, explored)
            if on_aim and aimed:
                child = draw_child(here)
                work.base.joint[:] = histories.joint[child]
                for player in range(players):
                    if actors >> player & 1:
                        work.base.counts[player] = place_in(
                            work.base.actions, player * width, work.counts[player], work.base.joint[player]
                        )
            elif actors == CHANCE:
                outcome = call_sample_chance(model.functions.sample_chance, work.base.states, at, work.base.rng, 0)
                if outcome < 0:
                    value_unknown(work.base)
                    break
                work.base.joint[:] = 0
                work.base.joint[players] = outcome
            else:
                work.base.joint[:] = 0
                for player in range(players):
                    if actors >> player & 1:
                        explore = player == explorer and uniform(work.base.rng, 0) < options.gamma
                        chosen = draw_action(work, player, player * width, explore)
                        work.base.counts[player] = chosen
                        work.base.joint[player] = work.base.actions[player * width + chosen]
            before = (1.0 - delta) + delta * ratio
            if on_aim:
                if child == NO_HISTORY:
                    child = child_by(histories, aim, work.base.joint)
                if child == NO_HISTORY:
                    ratio = 0.0
                else:
                    unaimed = 1.0
                    if actors == CHANCE:
                        unaimed = weight_of(here, child)
                    for player in range(players):
                        if actors > 0 and actors >> player & 1:
                            own = work.base.strategy[player * width + work.base.counts[player]]
                            if player == explorer:
                                own = (1.0 - options.gamma) * own + options.gamma / work.counts[player]
                            unaimed *= own
                    chance = aimed_probability(here, child)
                    ratio *= chance / unaimed
                aim = child
            if actors > 0:
                sampled = record(model, tree, work, actors, explorer, sampled, before, options)
            previous, at, acted = at, step_on(model, work, at), actors
            transitions += 1
        blend = max((1.0 - delta) + delta * ratio, LEAST)
        # utilities around 0: regrets are differences, but single samples vary less this way
        weight = (2.0 * work.base.utility[explorer] - 1.0) / (sampled * blend)
        for place in range(work.path[COUNT] - 1, -1, -1):
            node, _, choice = entry_at(work, place)
            regrets = action_numbers(tree, node, REGRETS, action_count(tree, node))
            reached = weight * work.probability[place]
            for action in range(regrets.size):
                regrets[action] -= reached
            regrets[choice] += weight
            weight = reached


@kernel
def strategy(tree: InfosetTable, node: int, count: int, options: Options, out: F64) -> None:
    """Write the average strategy at a node, without the share epsilon, or its most probable action.

    Args:
        tree: read.
        node: NO_NODE gives the uniform strategy.
        count: k, its number of actions.
        options: says which of the two, and epsilon.
        out: `[k]`, overwritten; sums to 1.
    """
    if node == NO_NODE:
        out[:] = 1.0 / count
    elif in_proportion(action_numbers(tree, node, SUMS, count), out):
        for action in range(count):
            out[action] = max(out[action] - options.epsilon / count, 0.0)
        in_proportion(out, out)
        if options.argmax:
            keep_argmax(out)


def kernel_options(settings: OutcomeSamplingSettings) -> Options:
    """Return the settings in the form the kernels take."""
    return Options(
        gamma=settings.gamma or DEFAULT_GAMMA,
        delta=settings.delta,
        epsilon=settings.epsilon,
        argmax=int(settings.final == "max"),
        histories=NOTHING,
        role=0,
    )


class TargetedSearch(InformationSearch):
    """Begins every iteration where the game does, and aims at the histories in the belief; see `InformationSearch`."""

    def begin(self) -> None:
        """Forget the tree, and aim at nothing."""
        super().begin()
        self.options = self.options._replace(histories=NOTHING)

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Target the histories that a role considers possible; the search still starts at the root of the game."""
        super().move_to(roots, histories, role)
        self.roots = initial_roots(self._native)
        self.options = self.options._replace(histories=histories, role=role)


FAMILY = InformationFamily(search, strategy, lambda _: FIELDS, SUMS, kernel_options, TargetedSearch)
