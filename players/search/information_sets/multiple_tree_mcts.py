"""MMCTS: multiple-tree Monte Carlo tree search with EXP3, learned before play; for any number of players.

Source: Auger 2011, algorithm 2. Every simulation starts at the beginning of the game. Each player goes down a tree of
its own, over its own actions and observations; the first node that its tree does not have is added, and from there on
that player chooses uniformly, while others may still be in their trees. At the end each player's path is updated, with
an exponent that grows with the depth, so that the choices near the end are settled first:

    rew(N, m) <- rew(N, m) exp(f(d) r / p),    f(d) = base^(d - D)

for the move m chosen at node N with probability p, r the utility in [0, 1], d the decision's number within the player's
path and D the most decisions that a player can have (9 in phantom tic-tac-toe, as in the source); rewards are kept as
logarithms. Moves are drawn in proportion to the rewards, mixed with gamma(n) = n^-exponent of uniform exploration in
simulation n. The final strategy is the frequency of each move, which is what converges. With `rewards=wins` r is 1
after a win, a result better than the middle of the range, and 0 after all others; the source does not say which it is.

The trees of all players lie in one hash table by information state. They can be saved, and loaded for matches.

Action numbers: field 0 how often the action was chosen; field 1 the logarithm of its reward.
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
)
from ggp.native.rng_kernels import below, uniform
from players.search.foundation.kernel_arguments import ITERATION, Model
from players.search.foundation.settings import MmctsSettings
from players.search.information_sets.information_search import InformationFamily
from players.search.information_sets.information_set_mcts import write_uses
from players.search.information_sets.information_walk import (
    InformationWork,
    Task,
    enter,
    entry_at,
    iterate,
    note_nothing,
)
from players.search.information_sets.learned_search import LearnedSearch

FIELDS, COUNTS, LOGARITHMS = 2, 0, 1
SMALLEST_EXPONENT = -700.0
GAMMA = 0
"""Where `sampling` holds the share of uniform exploration of a simulation."""
LEFT = 0
"""Entry of `counts` for a player that has left its tree; otherwise 1 + the number of its decisions in it."""


class Options(NamedTuple):
    """The settings that the kernels need."""

    base: float  # of f
    longest: float  # D
    exponent: float  # of gamma
    argmax: int  # 1: the final strategy is the action chosen most often, 0: in proportion to how often
    wins: int  # 1: a win counts 1, everything else 0; 0: utilities count


@inline_kernel
def select(tree: InfosetTable, work: InformationWork, node: int, count: int, gamma: float) -> int:
    """Draw an action of a node; its probability is written to `chances[0]`."""
    rewards = action_numbers(tree, node, LOGARITHMS, count)
    most = rewards[0]
    for reward in rewards:
        most = max(most, reward)
    total = 0.0
    for action in range(count):
        exponent = rewards[action] - most
        work.base.strategy[action] = math.exp(exponent) if exponent > SMALLEST_EXPONENT else 0.0
        total += work.base.strategy[action]
    left, chosen = uniform(work.base.rng, 0), count - 1
    for action in range(count):
        probability = (1.0 - gamma) * work.base.strategy[action] / total + gamma / count
        work.base.strategy[action] = probability
        left -= probability
        if left < 0.0:
            chosen = action
            break
    if left >= 0.0:
        work.base.strategy[chosen] = max(work.base.strategy[chosen], gamma / count)
    work.chances[0] = work.base.strategy[chosen]
    return chosen


@inline_kernel
def begin(work: InformationWork, options: Options) -> None:
    """Begin an iteration with all players in their trees."""
    work.base.sampling[GAMMA] = float(work.base.cursor[ITERATION]) ** -options.exponent
    work.counts[:] = 1


@inline_kernel
def decide(model: Model, tree: InfosetTable, work: InformationWork, actors: int, at: int, options: Options) -> int:  # noqa: ARG001
    """Choose for all who act, each in its tree or outside; return 0 once all are outside, -1 if there is no action."""
    inside = 0
    for player in range(model.shape.players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, work.base.states, at, player, work.base.actions, 0)
            if count < 1:
                return -1
            work.base.joint[player] = work.base.actions[choose(tree, work, player, count)]
        inside += work.counts[player]
    return min(inside, 1)


@inline_kernel
def choose(tree: InfosetTable, work: InformationWork, player: int, count: int) -> int:
    """Return the position of an action for a player, of the `count` that are in `actions`."""
    if work.counts[player] == LEFT:
        return below(work.base.rng, 0, count)
    first = work.keys[KEY_WORDS * player]
    second = state_tag(work.keys, KEY_WORDS * player, player, work.base.actions, 0, count)
    node = find(tree, first, second)
    known = node != NO_NODE
    if not known:
        node = add(tree, first, second, player, count)
    if node == NO_NODE:
        chosen = below(work.base.rng, 0, count)
    else:
        chosen = select(tree, work, node, count, work.base.sampling[GAMMA])
        place = enter(work, node, player, chosen)
        work.probability[place] = work.chances[0]
        work.value[place] = float(work.counts[player])
        action_numbers(tree, node, COUNTS, count)[chosen] += 1.0
        visit(tree, node)
    work.counts[player] = work.counts[player] + 1 if known else LEFT
    return chosen


@inline_kernel
def update(tree: InfosetTable, work: InformationWork, place: int, options: Options) -> None:
    """Update the reward of an entry of the path with what its player got."""
    node, player, choice = entry_at(work, place)
    count = action_count(tree, node)
    weight = options.base ** (work.value[place] - options.longest)
    utility = work.base.utility[player]
    if options.wins:
        utility = 1.0 if utility > 0.5 else 0.0
    action_numbers(tree, node, LOGARITHMS, count)[choice] += weight * utility / work.probability[place]


@kernel
def search(task: Task, tree: InfosetTable, work: InformationWork, options: Options, iterations: int) -> None:
    """Run simulations from the beginning of the game, the only root; see `iterate`."""
    iterate(task, tree, work, options, iterations, begin, decide, note_nothing, update)


@kernel
def strategy(tree: InfosetTable, node: int, count: int, options: Options, out: F64) -> None:
    """Write the final strategy at a node; see `write_uses`."""
    write_uses(tree, node, count, options.argmax, out)


def kernel_options(settings: MmctsSettings) -> Options:
    """Return the settings in the form the kernels take; D is that of the game, see `LearnedSearch`."""
    return Options(
        base=settings.base,
        longest=float(settings.depth or 1),
        exponent=settings.exponent,
        argmax=int(settings.final == "max"),
        wins=int(settings.rewards == "wins"),
    )


FAMILY = InformationFamily(search, strategy, lambda _: FIELDS, COUNTS, kernel_options, LearnedSearch, believes=False)
