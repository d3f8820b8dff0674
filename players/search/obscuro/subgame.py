"""The explicit tree of a subgame: histories with their world states, both players' keys, and who can tell them apart.

Dimensions: N nodes at most, W words of a world state, I information states, k legal actions of one.

A node is a history. An expanded node has all its children, in one block: at a decision a child for each joint action
(rows are the first player's actions, columns the second's; one of a player who does not act), at a chance node one for
each outcome. Nodes are numbered in the order in which they are made, so parents come before their children; expanded
nodes are also listed in the order in which they were expanded. Roots have no parent.

Information states and their numbers are in an `InfosetTable`, found by key: what was learned about them stays from move
to move. Its action numbers, field by field:
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ggp.codegen.kernels import F64, I32, I64, U64, allocated, inline_kernel
from ggp.native.information_states import KEY_WORDS
from ggp.native.infoset_table import ACTIONS, EPOCH, NOW, InfosetTable, action_numbers, numbers_of
from ggp.native.interface import GameShape

REGRET, CURRENT, SUM, PENDING, MEAN, TRIED, OWN, OTHERS, FIELDS = range(9)
"""The cumulative regret, not below 0; the current strategy; the weighted sum of strategies; the counterfactual value
of this pass; the mean value when it was last passed; how often the explorer tried the action. Of the last two only the
first number counts: the player's own probability of reaching the information state, and that of all others."""
PARENT, FIRST, COLUMNS, CHILDREN, KIND, STATE_OF, DECISIONS, LINKS = 0, 1, 2, 3, 4, 5, 7, 9
"""The links of a node: parent, first child, columns and number of its children, kind, then the information state of
each player (0 of one who does not act) and how often each has acted on the way from the beginning of the match."""
NONE = -1
UNEXPANDED, DECISION, CHANCE, TERMINAL = 0, 1, 2, 3


class Subgame(NamedTuple):
    """A subgame; see the module's text."""

    states: Annotated[I64, "N * W"]
    keys: Annotated[U64, "N * 4"]  # of both players
    links: Annotated[I32, "N * LINKS"]
    value: Annotated[F64, "N"]  # to the first player, scaled to [0, 1]; of a leaf as it was valued, else by the last
    #     pass
    chance: Annotated[F64, "N"]  # probability of the outcome that leads to the node; 1 if none does
    own: Annotated[F64, "N"]  # probability that the player of the pass plays to the node
    others: Annotated[F64, "N"]  # the same of chance and the other player, with the weight of the root
    expanded: Annotated[I32, "N"]  # the expanded nodes in the order of their expansion
    live: Annotated[I64, "N"]  # the information states of the subgame, as nodes of the table
    nodes: Annotated[I64, "1"]  # in use
    expansions: Annotated[I64, "1"]  # expanded nodes
    listed: Annotated[I64, "1"]  # information states
    sweeps: Annotated[I64, "1"]  # passes made by both players
    stage: Annotated[I64, "1"]  # what is being done
    position: Annotated[I64, "1"]  # where it stands
    walks: Annotated[I64, "1"]  # made since the last pass
    walked: Annotated[I64, "1"]  # made in all
    full: Annotated[I64, "1"]  # whether there is no room
    units: Annotated[I64, "1"]  # of work


def new_subgame(memory_bytes: int, shape: GameShape) -> Subgame:
    """Return a subgame without nodes that takes about so many bytes."""
    a_node = 8 * shape.state_words + 8 * 2 * KEY_WORDS + 4 * LINKS + 4 * 8 + 4 + 8
    return allocated(Subgame, N=max(256, memory_bytes // a_node), W=shape.state_words)


def forget_nodes(game: Subgame) -> None:
    """Remove all nodes and information states."""
    game.nodes[0] = game.expansions[0] = game.listed[0] = game.full[0] = 0


@inline_kernel
def parent_of(game: Subgame, node: int) -> int:
    """Return the parent, or NONE of a root."""
    return int(game.links[LINKS * node + PARENT])


@inline_kernel
def kind_of(game: Subgame, node: int) -> int:
    """Return UNEXPANDED, DECISION, CHANCE or TERMINAL."""
    return int(game.links[LINKS * node + KIND])


@inline_kernel
def first_child(game: Subgame, node: int) -> int:
    """Return the first child of an expanded node."""
    return int(game.links[LINKS * node + FIRST])


@inline_kernel
def columns_of(game: Subgame, node: int) -> int:
    """Return the number of the second player's actions at a decision; 1 if it does not act, and at chance nodes."""
    return int(game.links[LINKS * node + COLUMNS])


@inline_kernel
def children_of(game: Subgame, node: int) -> int:
    """Return the number of children of an expanded node."""
    return int(game.links[LINKS * node + CHILDREN])


@inline_kernel
def infoset_of(game: Subgame, node: int, player: int) -> int:
    """Return the information state of a player who acts at a node, 0 if it does not."""
    return int(game.links[LINKS * node + STATE_OF + player])


@inline_kernel
def action_at(game: Subgame, node: int, player: int, place: int) -> int:
    """Return the position of a player's action that leads from a decision to its child at `place`."""
    columns = columns_of(game, node)
    return place % columns if player else place // columns


@inline_kernel
def field_of(table: InfosetTable, infoset: int, field: int) -> int:
    """Return the word at which a field of an information state's actions begins."""
    return int(numbers_of(infoset) + field * table.ints[2 * infoset + ACTIONS])


@inline_kernel
def probability_at(table: InfosetTable, infoset: int, action: int) -> float:
    """Return the probability of an action in the current strategy."""
    return float(table.words[field_of(table, infoset, CURRENT) + action])


@inline_kernel
def share_of(value: float, player: int) -> float:
    """Return a player's scaled utility where the first player's is `value`."""
    return 1.0 - value if player else value


@inline_kernel
def add_nodes(game: Subgame, parent: int, count: int) -> int:
    """Add unexpanded nodes, the children of `parent` if that is not NONE; return the first, or NONE without room."""
    first = game.nodes[0]
    if first + count > game.value.size:
        game.full[0] = 1
        return NONE
    for node in range(first, first + count):
        at = LINKS * node
        for link in range(LINKS):
            game.links[at + link] = 0
        game.links[at + PARENT] = parent
        game.chance[node] = 1.0
        for player in range(2):
            played = 0
            if parent != NONE:
                above = LINKS * parent
                played = game.links[above + DECISIONS + player] + (game.links[above + STATE_OF + player] != 0)
            game.links[at + DECISIONS + player] = played
    game.nodes[0] = first + count
    return int(first)


@inline_kernel
def bring_infoset(game: Subgame, table: InfosetTable, infoset: int) -> None:
    """List an information state as one of the subgame; what was averaged and tried before is forgotten."""
    if table.ints[2 * infoset + EPOCH] == table.counters[NOW]:
        return
    table.ints[2 * infoset + EPOCH] = table.counters[NOW]
    game.live[game.listed[0]] = infoset
    game.listed[0] += 1
    count = table.ints[2 * infoset + ACTIONS]
    sums, tried = action_numbers(table, infoset, SUM, count), action_numbers(table, infoset, TRIED, count)
    for action in range(count):
        sums[action] = 0.0
        tried[action] = 0.0
