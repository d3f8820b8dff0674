"""ISMCTS: Monte Carlo tree search over information states, for any number of players.

An iteration begins in a world state that the searching player considers possible and goes down the game; each decision
is made by the statistics of the information state that the deciding player has there, so no player uses what it cannot
know. The first unknown information state on the way gets a node, and the rest of the game is played at random.

Four ways to select: `uct` (the first action of those with the greatest bound), `ruct` (a random one of those, near
ties included, as in `decoupled_uct.py`), `exp3` (Lisý 2014, eq. 3.3 and 3.5) and `rm` (regret matching on estimated
regrets, figure 2.6; as `decoupled_regret_matching.py`). Actions that were never chosen come first, in random order.

With `uct`, players who move at once get their nodes in turn, one an iteration, as they do in figure 3.4, where they
move one after the other. Getting them in the same iteration they would have the same experience, choose alike, and
never leave the diagonal of their matrix: NashConv in goofspiel with four cards and hidden bids stayed at 1.667.

With `rave`, of `uct` and `ruct`, an action's mean is mixed with that of all iterations in which its player took it at
that decision or later, in the tree or in the playout (`uct/played_actions.py`): nodes hold what several world states
say, and far fewer iterations reach one than in a game with open cards.

The final strategy of `uct` and `ruct` is how often each action was chosen; of `exp3` and `rm` it is the average of
their strategies without exploration (eq. 3.6, and what eq. 3.7 approximates). Counting their choices would leave the
share `gamma` of every strategy to exploration, and the loss that comes with it, however long the search.

Source: Lisý 2014, section 3.2.3, figure 3.4; Cowling, Powley, Whitehouse 2012 (multiple observers); Ponsen, de Jong,
Lanctot 2011; Gelly, Silver 2007 (RAVE). Does not converge to an equilibrium in general: a search that starts in the
middle of the game knows about earlier moves only through the probabilities of the possible world states.

Action numbers: field 0 how often the action was chosen (uct, ruct), or the sum of strategies without exploration
(exp3, rm); field 1 the sum of scaled utilities (uct, ruct), a weight (exp3), or the cumulative estimated regret (rm);
field 2, of uct and ruct alone, 1 / sqrt(field 0); fields 3 to 5, with `rave`, the action itself, in how many iterations
it was taken there or later, and the mean of their utilities. The weight of an action by exp3 is e to its estimated sum
of utilities times gamma / k, and all weights of a node may be scaled by one factor: so a decision computes no
exponentials, and an update changes one weight.
"""

from __future__ import annotations

import math
from typing import NamedTuple

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
    state_tag,
    visit,
    visit_count,
)
from ggp.native.rng_kernels import below
from players.search.foundation.function_tables import next_reciprocal_root, root_of_logarithm
from players.search.foundation.kernel_arguments import ITERATION, Model
from players.search.foundation.leaf_values import note_utilities, share_of_range, spread_seen
from players.search.foundation.regret_strategies import (
    add_strategy,
    in_proportion,
    keep_argmax,
    matched,
    positive_sum,
    sample_with_exploration,
)
from players.search.foundation.settings import IsmctsSettings, SoSettings
from players.search.information_sets.information_search import InformationFamily
from players.search.information_sets.information_walk import (
    COUNT,
    InformationWork,
    Task,
    begin_plainly,
    enter,
    entry_at,
    iterate,
)
from players.search.simultaneous.decoupled_uct import draw_tied
from players.search.uct.played_actions import note_playout, slot_of

UCT, RUCT, EXP3, RM = 0, 1, 2, 3
SELECTIONS = {"uct": UCT, "ruct": RUCT, "exp3": EXP3, "rm": RM}
USES, SUMS, WEIGHTS, ROOTS, LABELS, TIMES, LATER = 0, 1, 1, 2, 3, 4, 5
"""The fields of the numbers of an action; which of them there are depends on the selection."""
EVERYBODY = -1
INFINITY = math.inf
NEVER_CHOSEN = 1e150
"""Field 2 of an action with 0 in field 0: its bound is the greatest, even with little exploration."""
LEAST_EXPLORED = 1e-50
MAX_WEIGHT, SHRUNK, LEAST_WEIGHT = 1e100, 1e-100, 1e-200
"""Weights of exp3 that become greater than the first are all multiplied by the second; none gets below the third."""


class Options(NamedTuple):
    """The settings that the kernels need."""

    selection: int
    c: float  # C of UCT, on utilities scaled to [0, 1], in units of the spread of those seen
    by_bounds: int  # 1: c, ties, and the utilities of exp3 are in units of the range of the payoffs instead
    ties: float  # of ruct: bounds no further apart than this are ties, in the same units
    gamma: float  # of exp3 and rm: share of uniform exploration
    argmax: int  # 1: the final strategy is the action chosen most often, 0: in proportion to how often
    rave: float  # of uct and ruct: uses at which an action's mean counts as much as that of its later plays; 0: none
    observer: int  # the player by whose information states all decisions are made; EVERYBODY: each by its own


@inline_kernel
def select_by_bounds(
    tree: InfosetTable, work: InformationWork, node: int, player: int, count: int, options: Options
) -> int:
    """Return the position of an action with the greatest upper confidence bound."""
    spread = 1.0 if options.by_bounds else spread_seen(work.base, player)
    explored = max(options.c * spread * root_of_logarithm(visit_count(tree, node)), LEAST_EXPLORED)
    sums, roots = action_numbers(tree, node, SUMS, count), action_numbers(tree, node, ROOTS, count)
    best, chosen = -INFINITY, 0
    for action in range(count):
        bound = (sums[action] * roots[action] + explored) * roots[action]
        work.base.strategy[action] = bound
        if bound > best:
            best, chosen = bound, action
    if options.selection == RUCT or visit_count(tree, node) < count:
        chosen = draw_tied(work.base, count, best - options.ties * spread)
    return chosen


@inline_kernel
def select_with_later(
    tree: InfosetTable, work: InformationWork, node: int, player: int, count: int, options: Options
) -> int:
    """Return the position of an action with the greatest bound, of means mixed with those of its later plays."""
    spread = 1.0 if options.by_bounds else spread_seen(work.base, player)
    explored = options.c * spread * root_of_logarithm(visit_count(tree, node))
    uses, sums = action_numbers(tree, node, USES, count), action_numbers(tree, node, SUMS, count)
    times, later = action_numbers(tree, node, TIMES, count), action_numbers(tree, node, LATER, count)
    roots = action_numbers(tree, node, ROOTS, count)
    best = -INFINITY
    for action in range(count):
        own = uses[action]
        mean = sums[action] * roots[action] * roots[action] if own > 0.0 else 1.0
        if times[action] > 0.0:
            share = times[action] / (own + times[action] + own * times[action] / options.rave)
            mean += share * (later[action] - mean)
        bound = mean + explored * min(roots[action], 1.0)
        work.base.strategy[action] = bound
        best = max(best, bound)
    return draw_tied(work.base, count, best - options.ties * spread)


@inline_kernel
def start(tree: InfosetTable, work: InformationWork, node: int, begin: int, count: int, options: Options) -> None:
    """Write those numbers of a new node that are not 0; its legal actions stand in `base.actions` from `begin` on."""
    if options.rave > 0.0:
        labels = action_numbers(tree, node, LABELS, count)
        for action in range(count):
            labels[action] = float(work.base.actions[begin + action])
    if options.selection <= RUCT:
        action_numbers(tree, node, ROOTS, count)[:] = NEVER_CHOSEN
    elif options.selection == EXP3:
        action_numbers(tree, node, WEIGHTS, count)[:] = 1.0


@inline_kernel
def select(
    tree: InfosetTable, work: InformationWork, node: int, player: int, begin: int, count: int, options: Options
) -> int:
    """Choose an action of a node, add it to the path, and return its position; for `begin` see `start`."""
    uses = action_numbers(tree, node, USES, count)
    if visit_count(tree, node) == 0:
        start(tree, work, node, begin, count, options)
    if options.selection <= RUCT:
        if options.rave > 0.0:
            chosen = select_with_later(tree, work, node, player, count, options)
        else:
            chosen = select_by_bounds(tree, work, node, player, count, options)
        uses[chosen] += 1.0
    else:  # in proportion to the weights, or to the positive regrets, which are in the same field
        weights = action_numbers(tree, node, WEIGHTS, count)
        total = positive_sum(weights)
        add_strategy(weights, uses, total, 1.0)
        chosen = sample_with_exploration(weights, total, options.gamma, work.base)
        own = matched(weights[chosen], total, count)
        work.probability[work.path[COUNT]] = (1.0 - options.gamma) * own + options.gamma / count
    visit(tree, node)
    enter(work, node, player, chosen)
    return chosen


@inline_kernel
def count_later(tree: InfosetTable, work: InformationWork, node: int, player: int, choice: int) -> None:
    """Note the choice made at a node, and count all that its player did from there on for the actions there."""
    count, iteration = action_count(tree, node), work.base.cursor[ITERATION]
    labels = action_numbers(tree, node, LABELS, count)
    times, later = action_numbers(tree, node, TIMES, count), action_numbers(tree, node, LATER, count)
    work.played.latest[slot_of(player, int(labels[choice]))] = iteration
    utility = work.base.utility[player]
    for action in range(count):
        if work.played.latest[slot_of(player, int(labels[action]))] == iteration:
            times[action] += 1.0
            later[action] += (utility - later[action]) / times[action]


@inline_kernel
def update(tree: InfosetTable, work: InformationWork, place: int, options: Options) -> None:
    """Update the node of an entry of the path with what its player got."""
    node, player, choice = entry_at(work, place)
    count = action_count(tree, node)
    utility = work.base.utility[player]
    if options.selection <= RUCT:
        action_numbers(tree, node, SUMS, count)[choice] += utility
        roots, times = action_numbers(tree, node, ROOTS, count), action_numbers(tree, node, USES, count)[choice]
        roots[choice] = next_reciprocal_root(roots[choice], times)
        if options.rave > 0.0:
            count_later(tree, work, node, player, choice)
    elif options.selection == EXP3:
        # its estimated sum grows by utility / probability, times gamma / k in the exponent: by 1 at most
        gain = utility if options.by_bounds else share_of_range(work.base, player, utility)
        weights = action_numbers(tree, node, WEIGHTS, count)
        weights[choice] /= math.exp(-gain * options.gamma / (count * work.probability[place]))
        if weights[choice] > MAX_WEIGHT:
            for action in range(count):
                weights[action] = max(weights[action] * SHRUNK, LEAST_WEIGHT)
    else:
        # utilities around 0, as in drm: regrets of such numbers vary less
        utility = 2.0 * utility - 1.0
        regrets = action_numbers(tree, node, WEIGHTS, count)
        for action in range(count):
            regrets[action] -= utility
        regrets[choice] += utility / work.probability[place]


@inline_kernel
def decide(model: Model, tree: InfosetTable, work: InformationWork, actors: int, at: int, options: Options) -> int:
    """Choose for all who act, and write `joint`. A decision with one legal action needs no node.

    Returns:
        1 if every decision had a node before, 0 if some did not, -1 at a fault of the rules.
    """
    known, width = 1, model.shape.max_actions
    for player in range(model.shape.players):
        if actors >> player & 1:
            begin = player * width
            count = call_legal(model.functions.legal, work.base.states, at, player, work.base.actions, begin)
            if count < 1:
                return -1
            node = NO_NODE
            if count > 1:
                knows = player if options.observer == EVERYBODY else options.observer
                first = work.keys[KEY_WORDS * knows]
                second = state_tag(work.keys, KEY_WORDS * knows, player, work.base.actions, begin, count)
                node = find(tree, first, second)
                if node == NO_NODE:
                    if known or options.selection != UCT:  # in turn: see the module's text
                        node = add(tree, first, second, player, count)
                    known = 0
            work.counts[player] = count
            work.nodes[player] = node
    for player in range(model.shape.players):
        if actors >> player & 1:
            node, count = work.nodes[player], work.counts[player]
            chosen = 0
            if node != NO_NODE:
                chosen = select(tree, work, node, player, player * width, count, options)
            elif count > 1:
                chosen = below(work.base.rng, 0, count)
            work.base.joint[player] = work.base.actions[player * width + chosen]
    return known


@inline_kernel
def note(model: Model, work: InformationWork, ended: bool, options: Options) -> None:  # noqa: ARG001
    """Take note of the utilities of an iteration, and of the actions of its playout."""
    note_utilities(work.base)
    if options.rave > 0.0:
        note_playout(work.base, work.played)


@kernel
def search(task: Task, tree: InfosetTable, work: InformationWork, options: Options, iterations: int) -> None:
    """Run iterations; see `iterate`."""
    iterate(task, tree, work, options, iterations, begin_plainly, decide, note, update)


@inline_kernel
def write_uses(tree: InfosetTable, node: int, count: int, argmax: int, out: F64) -> None:
    """Write the final strategy at a node: in proportion to field 0 of its actions, or the action where it is greatest.

    Args:
        tree: read; field 0 of an action says how often it was chosen, or is the sum of its probabilities.
        node: NO_NODE gives the uniform strategy.
        count: k, its number of actions.
        argmax: 1: the actions where the field is greatest, each as likely; 0: all, in proportion.
        out: `[k]`, overwritten; sums to 1.
    """
    if node == NO_NODE:
        out[:] = 1.0 / count
    elif in_proportion(action_numbers(tree, node, USES, count), out) and argmax:
        keep_argmax(out)


@kernel
def strategy(tree: InfosetTable, node: int, count: int, options: Options, out: F64) -> None:
    """Write the final strategy at a node; see `write_uses`."""
    write_uses(tree, node, count, options.argmax, out)


def kernel_options(settings: IsmctsSettings | SoSettings) -> Options:
    """Return the settings in the form the kernels take."""
    return Options(
        selection=SELECTIONS[settings.selection],
        c=settings.c,
        by_bounds=int(settings.unit == "bounds"),
        ties=settings.ties,
        gamma=settings.gamma,
        argmax=int(settings.final == "max"),
        rave=settings.rave if SELECTIONS[settings.selection] <= RUCT else 0.0,
        observer=EVERYBODY,
    )


def field_count(settings: IsmctsSettings | SoSettings) -> int:
    """Return how many fields an action has."""
    if SELECTIONS[settings.selection] > RUCT:
        return 2
    return 6 if settings.rave > 0 else 3


FAMILY = InformationFamily(search, strategy, field_count, 0, kernel_options)
