"""From one decision to the next: what of the last subgame belongs to the new one, and what it says of alternatives.

The new subgame's roots are positions that fit what the player was told, and, of the last subgame, also those that do
not fit but that the opponent cannot tell from one that does: it plays there, too, as if the player might be there
(knowledge-limited subgames, order 1). Nothing is frozen in them. Everything below the kept roots stays.

Source: Zhang, Sandholm 2021; Zhang, Sandholm (arXiv 2506.01242), section 3.
"""

from __future__ import annotations

from ggp.codegen.kernels import I64, U64, inline_kernel, kernel
from ggp.native.information_states import KEY_WORDS
from ggp.native.infoset_table import InfosetTable
from players.search.obscuro.subgame import (
    DECISIONS,
    FIRST,
    LINKS,
    NONE,
    PARENT,
    Subgame,
    bring_infoset,
    infoset_of,
    parent_of,
)
from players.search.obscuro.sweeps import pass_down

GONE = -1


@inline_kernel
def group_of(keys: U64, at: int, wanted: U64) -> int:
    """Return which of the wanted keys, sorted by their first words, stands at `keys[at]`; NONE if none does."""
    low, high = 0, wanted.size // KEY_WORDS - 1
    while low < high:
        middle = (low + high) // 2
        if wanted[KEY_WORDS * middle] < keys[at]:
            low = middle + 1
        else:
            high = middle
    found = wanted[KEY_WORDS * low] == keys[at] and wanted[KEY_WORDS * low + 1] == keys[at + 1]
    return low if found else NONE


@kernel
def find_roots(game: Subgame, table: InfosetTable, player: int, key: U64, wanted: U64, roots: I64, groups: I64) -> int:
    """Find the nodes that stay as roots: the player acts there, for the same time as now, in a wanted group.

    Args:
        game: the subgame, evaluated for the opponent; the probabilities of reaching the roots are written.
        table: of information states.
        player: who acts now.
        key: `[2]` its present key.
        wanted: `[2 * G]` keys of the opponent, sorted by their first words.
        roots: overwritten from the front, ascending.
        groups: the same: which of the wanted keys the opponent has there.

    Returns:
        The number of roots; 0 if the player's information state is not in the subgame.
    """
    played = NONE
    for number in range(game.expansions[0]):
        node = int(game.expanded[number])
        at = 2 * KEY_WORDS * node + KEY_WORDS * player
        if game.keys[at] == key[0] and game.keys[at + 1] == key[1] and infoset_of(game, node, player) > 0:
            played = int(game.links[LINKS * node + DECISIONS + player])
            break
    count = 0
    if played == NONE:
        return count
    for node in range(game.nodes[0]):
        if infoset_of(game, node, player) > 0 and game.links[LINKS * node + DECISIONS + player] == played:
            group = group_of(game.keys, 2 * KEY_WORDS * node + KEY_WORDS * (1 - player), wanted)
            if group != NONE and count < roots.size:
                pass_down(game, table, node, 1 - player)
                roots[count] = node
                groups[count] = group
                count += 1
    return count


@kernel
def keep(game: Subgame, table: InfosetTable, words: int, roots: I64, count: int, place: I64) -> None:
    """Keep some nodes and what is below them; they become roots. What was tried and averaged is forgotten.

    Nodes keep their order, so that parents stay before their children.

    Args:
        game: changed.
        table: its present epoch is new: the information states that stay are marked with it.
        words: W.
        roots: nodes, ascending, none of them below another; overwritten with their new numbers.
        count: how many.
        place: `[N]` overwritten: where each old node is now, or GONE.
    """
    kept, next_root = 0, 0
    for node in range(game.nodes[0]):
        place[node] = GONE
        if next_root < count and roots[next_root] == node:
            place[node] = kept
            roots[next_root] = kept
            next_root += 1
            game.links[LINKS * node + PARENT] = NONE
            game.chance[node] = 1.0
        elif parent_of(game, node) != NONE and place[parent_of(game, node)] != GONE:
            place[node] = kept
            game.links[LINKS * node + PARENT] = place[parent_of(game, node)]
        if place[node] != GONE:
            kept += 1
    game.listed[0] = 0
    for node in range(game.nodes[0]):
        to = place[node]
        if to == GONE:
            continue
        for player in range(2):
            infoset = infoset_of(game, node, player)
            if infoset > 0:
                bring_infoset(game, table, infoset)
        if game.links[LINKS * node + FIRST] > 0:
            game.links[LINKS * node + FIRST] = place[game.links[LINKS * node + FIRST]]
        if to != node:
            move_node(game, words, node, to)
    expanded = 0
    for number in range(game.expansions[0]):
        to = place[game.expanded[number]]
        if to != GONE:
            game.expanded[expanded] = to
            expanded += 1
    game.expansions[0] = expanded
    game.nodes[0] = kept
    game.full[0] = 0


@inline_kernel
def move_node(game: Subgame, words: int, node: int, to: int) -> None:
    """Move a node to a place before it."""
    for word in range(words):
        game.states[to * words + word] = game.states[node * words + word]
    for word in range(2 * KEY_WORDS):
        game.keys[2 * KEY_WORDS * to + word] = game.keys[2 * KEY_WORDS * node + word]
    for link in range(LINKS):
        game.links[LINKS * to + link] = game.links[LINKS * node + link]
    game.value[to] = game.value[node]
    game.chance[to] = game.chance[node]
    game.others[to] = game.others[node]
