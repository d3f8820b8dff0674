"""Passes over a subgame: predictive CFR+ with alternating players, interrupted at any node.

A pass updates one player: down the expanded nodes with the probabilities of reaching them, up with the values of the
current strategies, and through the player's information states with their regrets. The last regrets are the prediction:
the next strategy is matched to the cumulative regrets as if they came again.

Source: Farina, Kroer, Sandholm 2021 (predictive CFR+); averages weighted by the square of the number of passes.
"""

from __future__ import annotations

from ggp.codegen.kernels import inline_kernel, kernel
from ggp.native.infoset_table import ACTIONS, PLAYER, InfosetTable, action_numbers
from players.search.foundation.kernel_arguments import LeafOptions, Model
from players.search.obscuro.gadget import Gadget, choose_again, draw_root, enter_subgame, weigh_roots
from players.search.obscuro.growth import walk
from players.search.obscuro.new_nodes import Growth, WalkOptions
from players.search.obscuro.subgame import (
    CHANCE,
    CURRENT,
    MEAN,
    NONE,
    OTHERS,
    OWN,
    PENDING,
    REGRET,
    SUM,
    Subgame,
    action_at,
    children_of,
    columns_of,
    field_of,
    first_child,
    infoset_of,
    kind_of,
    parent_of,
    probability_at,
    share_of,
)

WALKING, DOWN, UP, REGRETS = range(4)
"""What is being done: walks, or a stage of a pass; those of the second player have 3 more."""
STAGES_A_PASS = 3
NODES_A_UNIT = 512
"""Nodes of a pass that take about the time of a walk."""
NODES_A_WALK = 256
"""One more walk is made between passes for so many nodes, so that both take about the same time."""


@inline_kernel
def pass_down(game: Subgame, table: InfosetTable, node: int, player: int) -> None:
    """Write the probabilities of reaching an expanded node, for a pass of a player."""
    parent = parent_of(game, node)
    if parent == NONE:
        return
    own, others = game.own[parent], game.others[parent] * game.chance[node]
    if kind_of(game, parent) != CHANCE:
        place = node - first_child(game, parent)
        for acting in range(2):
            infoset = infoset_of(game, parent, acting)
            if infoset > 0:
                probability = probability_at(table, infoset, action_at(game, parent, acting, place))
                if acting == player:
                    own *= probability
                else:
                    others *= probability
    game.own[node] = own
    game.others[node] = others


@inline_kernel
def pass_up(game: Subgame, table: InfosetTable, node: int, player: int, learning: bool) -> None:
    """Write the value of an expanded node, and add to the counterfactual values of the player's actions there."""
    first, count = first_child(game, node), children_of(game, node)
    total = 0.0
    if kind_of(game, node) == CHANCE:
        for child in range(first, first + count):
            total += game.chance[child] * game.value[child]
        game.value[node] = total
        return
    columns = columns_of(game, node)
    rows = count // columns
    mine, theirs = infoset_of(game, node, player), infoset_of(game, node, 1 - player)
    own_count, other_count = (columns, rows) if player else (rows, columns)
    own_stride, other_stride = (1, columns) if player else (columns, 1)
    for action in range(own_count):
        value = 0.0
        child = first + action * own_stride
        if theirs > 0:
            strategy = action_numbers(table, theirs, CURRENT, other_count)
            for reply in range(other_count):
                value += strategy[reply] * game.value[child]
                child += other_stride
        else:
            value = game.value[child]
        if mine > 0:
            total += probability_at(table, mine, action) * value
            if learning:
                pending = action_numbers(table, mine, PENDING, own_count)
                pending[action] += game.others[node] * share_of(value, player)
        else:
            total = value
    game.value[node] = total
    if learning and mine > 0:
        table.words[field_of(table, mine, OWN)] = game.own[node]
        table.words[field_of(table, mine, OTHERS)] += game.others[node]


@inline_kernel
def match_regrets(table: InfosetTable, infoset: int, weight: float) -> None:
    """Update the regrets and strategies of an information state from the values that a pass has added up."""
    count = table.ints[2 * infoset + ACTIONS]
    current = action_numbers(table, infoset, CURRENT, count)
    pending = action_numbers(table, infoset, PENDING, count)
    regrets = action_numbers(table, infoset, REGRET, count)
    means = action_numbers(table, infoset, MEAN, count)
    sums = action_numbers(table, infoset, SUM, count)
    own, others = table.words[field_of(table, infoset, OWN)], table.words[field_of(table, infoset, OTHERS)]
    expected, total = 0.0, 0.0
    for action in range(count):
        expected += current[action] * pending[action]
        sums[action] += weight * own * current[action]
    for action in range(count):
        gain = pending[action] - expected
        regrets[action] = max(0.0, regrets[action] + gain)
        current[action] = max(0.0, regrets[action] + gain)
        total += current[action]
        if others > 0.0:
            means[action] = pending[action] / others
        pending[action] = 0.0
    for action in range(count):
        current[action] = current[action] / total if total > 0.0 else 1.0 / count
    table.words[field_of(table, infoset, OTHERS)] = 0.0


@inline_kernel
def finish_stage(game: Subgame, gadget: Gadget, stage: int) -> int:
    """Return the stage after one that has come to its end, and prepare it."""
    player = (stage - DOWN) // STAGES_A_PASS
    kind = (stage - DOWN) % STAGES_A_PASS + DOWN
    if kind == DOWN:
        game.position[0] = game.expansions[0]
        return stage + 1
    game.position[0] = 0
    if kind == UP:
        if player == gadget.opponent[0] and not gadget.forced[0]:
            choose_again(game, gadget)
        return stage + 1
    if player == 0:
        weigh_roots(gadget)
        enter_subgame(game, gadget, 1)
        return stage + 1
    game.sweeps[0] += 1
    game.walks[0] = 0
    weigh_roots(gadget)
    return WALKING


@inline_kernel
def do_part(game: Subgame, table: InfosetTable, gadget: Gadget) -> None:
    """Do a part of a pass."""
    stage = game.stage[0]
    player = (stage - DOWN) // STAGES_A_PASS
    kind = (stage - DOWN) % STAGES_A_PASS + DOWN
    place, left = game.position[0], NODES_A_UNIT
    if kind == DOWN:
        end = game.expansions[0]
        while place < end and left > 0:
            pass_down(game, table, game.expanded[place], player)
            place += 1
            left -= 2
    elif kind == UP:
        end = 0
        while place > end and left > 0:
            place -= 1
            node = game.expanded[place]
            pass_up(game, table, node, player, True)
            left -= children_of(game, node)
    else:
        end = game.listed[0]
        weight = (game.sweeps[0] + 1.0) * (game.sweeps[0] + 1.0)
        while place < end and left > 0:
            infoset = game.live[place]
            if table.ints[2 * infoset + PLAYER] == player:
                match_regrets(table, infoset, weight)
                left -= 2 * table.ints[2 * infoset + ACTIONS]
            left -= 1
            place += 1
    game.position[0] = place
    if place == end:
        game.stage[0] = finish_stage(game, gadget, stage)


@kernel
def search(
    model: Model,
    game: Subgame,
    table: InfosetTable,
    gadget: Gadget,
    work: Growth,
    leaf: LeafOptions,
    options: WalkOptions,
    units: int,
) -> None:
    """Search for some units: walks, or parts of passes that take about as long.

    Args:
        model: the game.
        game: the subgame; its roots are there.
        table: of information states.
        gadget: what stands before the subgame.
        work: scratch memory.
        leaf: how leaves are valued.
        options: of the walks.
        units: of work.
    """
    game.units[0] += units
    for _ in range(units):
        if game.stage[0] == WALKING:
            walk(model, game, table, work, leaf, options, draw_root(gadget, work.base.rng), game.walked[0] & 1)
            game.walked[0] += 1
            game.walks[0] += 1
            if game.walks[0] > game.nodes[0] // NODES_A_WALK:
                game.stage[0] = DOWN
                game.position[0] = 0
                enter_subgame(game, gadget, 0)
        else:
            do_part(game, table, gadget)


@kernel
def evaluate(game: Subgame, table: InfosetTable, gadget: Gadget, player: int) -> None:
    """Write the values of the current strategies, and the probabilities of reaching nodes as a player counts them.

    The roots are weighted by the prior of the opponent's information states.
    """
    for place in range(gadget.roots[0]):
        node = gadget.root[place]
        game.own[node] = 1.0
        game.others[node] = gadget.weight[place] * gadget.prior[gadget.group[place]]
    for place in range(game.expansions[0]):
        pass_down(game, table, game.expanded[place], player)
    for place in range(game.expansions[0] - 1, -1, -1):
        pass_up(game, table, game.expanded[place], player, False)
