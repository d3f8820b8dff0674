"""The histories that a player considers possible, as a tree: shared beginnings are stored once.

Dimensions: P players, N nodes, W words of a world state, L histories held.

Node 0 is the beginning of the game; a node is its parent's history and one more transition. The world states and keys
at the ends of the held histories are in a `Front`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, allocated, inline_kernel, kernel
from ggp.native.hashing import START, hash_of, same_words
from ggp.native.information_states import KEY_WORDS, start_key
from ggp.native.rng_kernels import uniform

NO_HISTORY = -1
EVERYBODY = -1


class HistoryTree(NamedTuple):
    """Nodes by number; parents have smaller numbers than their children."""

    parent: Annotated[I64, "N"]
    child: Annotated[I64, "N"]  # the child added last, NO_HISTORY if there is none
    sibling: Annotated[I64, "N"]  # the child of the same parent added before, NO_HISTORY for the first
    joint: Annotated[I64, "N, P + 1"]  # the transition that led here, as `step` reads it; 0 where somebody did not act
    record: Annotated[I64, "N"]  # of what the player was told, the record that this transition came before or with
    used: Annotated[I64, "1"]  # how many nodes there are


class Front(NamedTuple):
    """World states with their histories and probabilities."""

    states: Annotated[I64, "L, W"]
    keys: Annotated[U64, "L, 2 * P"]
    node: Annotated[I64, "L"]
    weight: Annotated[F64, "L"]  # not negative, of any sum
    used: Annotated[I64, "1"]  # how many there are


def new_history_tree(nodes: int, players: int) -> HistoryTree:
    """Return a tree that contains only the beginning of the game."""
    tree = allocated(HistoryTree, N=nodes, P=players)
    forget_histories(tree)
    return tree


def forget_histories(tree: HistoryTree) -> None:
    """Remove everything but the beginning of the game."""
    tree.parent[0] = tree.child[0] = tree.sibling[0] = NO_HISTORY
    tree.used[0] = 1


def new_front(size: int, state_words: int, players: int) -> Front:
    """Return an empty front."""
    return allocated(Front, L=size, W=state_words, P=players)


def first_members(front: Front, most: int) -> Front:
    """Return a front that has room for fewer members, in the same memory."""
    return Front(front.states[:most], front.keys[:most], front.node[:most], front.weight[:most], front.used)


def begin_front(front: Front, state: I64) -> None:
    """Make the beginning of the game, `[W]` words, the only member."""
    front.states[0] = state
    for player in range(front.keys.shape[1] // KEY_WORDS):
        start_key(front.keys[0], KEY_WORDS * player)
    front.node[0] = 0
    front.weight[0] = 1.0
    front.used[0] = 1


@inline_kernel
def add_history(tree: HistoryTree, parent: int, joint: I64, record: int) -> int:
    """Return a new child of a node, or NO_HISTORY if the tree is full."""
    node = tree.used[0]
    if node == tree.parent.size:
        return NO_HISTORY
    tree.used[0] = node + 1
    tree.parent[node] = parent
    tree.child[node] = NO_HISTORY
    tree.sibling[node] = tree.child[parent]
    tree.child[parent] = node
    tree.record[node] = record
    tree.joint[node] = joint
    return int(node)


@inline_kernel
def child_by(tree: HistoryTree, parent: int, joint: I64) -> int:
    """Return the child of a node that a transition leads to, or NO_HISTORY."""
    node = tree.child[parent]
    while node != NO_HISTORY:
        same = True
        for place in range(joint.size):
            if tree.joint[node, place] != joint[place]:
                same = False
                break
        if same:
            return int(node)
        node = tree.sibling[node]
    return NO_HISTORY


@inline_kernel
def reach(tree: HistoryTree, parent: int, joint: I64, record: int) -> int:
    """Return the child of a node that a transition leads to, added if it is new; NO_HISTORY if the tree is full."""
    node = child_by(tree, parent, joint)
    return add_history(tree, parent, joint, record) if node == NO_HISTORY else node


@inline_kernel
def append(front: Front, states: I64, at: int, keys: U64, node: int, weight: float) -> bool:
    """Append a world state, the words from `states[at]` on; return False if the front is full."""
    place = front.used[0]
    if place == front.node.size:
        return False
    front.states[place] = states[at : at + front.states.shape[1]]
    front.keys[place] = keys
    front.node[place] = node
    front.weight[place] = weight
    front.used[0] = place + 1
    return True


@kernel
def prune_histories(tree: HistoryTree, front: Front, moved: I64) -> None:
    """Drop all histories that no member of a front continues, and renumber the rest.

    Args:
        tree: changed.
        front: its nodes are changed.
        moved: `[N]`, overwritten.
    """
    used = tree.used[0]
    moved[:used] = 0
    for place in range(front.used[0]):
        moved[front.node[place]] = 1
    for node in range(used - 1, 0, -1):
        if moved[node]:
            moved[tree.parent[node]] = 1
    kept = 1
    moved[0] = 0
    tree.child[0] = NO_HISTORY
    for node in range(1, used):
        if moved[node]:
            moved[node] = kept
            parent = moved[tree.parent[node]]
            tree.parent[kept] = parent
            tree.child[kept] = NO_HISTORY
            tree.sibling[kept] = tree.child[parent]
            tree.child[parent] = kept
            tree.record[kept] = tree.record[node]
            tree.joint[kept] = tree.joint[node]
            kept += 1
    tree.used[0] = kept
    for place in range(front.used[0]):
        front.node[place] = moved[front.node[place]]


@kernel
def merge_equal(front: Front, table: I64, rng: U64, player: int) -> int:
    """Merge members with the same world state and the same keys, adding their weights; return the number of remaining
    ones.

    Args:
        front: changed; the first of equal members stays.
        table: `[2^n]`, more than twice as many as members; overwritten.
        rng: for drawing.
        player: whose key alone is compared, EVERYBODY for all keys. Of members that are the same to this player one
            stays, drawn by the weights. A sample then covers more states, and knows less of what others may have seen
            in them.
    """
    mask, words = table.size - 1, front.states.shape[1]
    first = 0 if player == EVERYBODY else KEY_WORDS * player
    compared = front.keys.shape[1] if player == EVERYBODY else KEY_WORDS
    table[:] = -1
    kept = 0
    for place in range(front.used[0]):
        tag = hash_of(front.states[place], 0, words, START)
        tag = hash_of(front.keys[place], first, first + compared, tag)
        slot = int(np.int64(tag & np.uint64(mask)))
        found = False
        while table[slot] >= 0 and not found:
            other = table[slot]
            found = same_words(front.states[other], 0, front.states[place], 0, words) and same_words(
                front.keys[other], first, front.keys[place], first, compared
            )
            if found:
                front.weight[other] += front.weight[place]
                if player != EVERYBODY and uniform(rng, 0) * front.weight[other] < front.weight[place]:
                    front.keys[other] = front.keys[place]
                    front.node[other] = front.node[place]
            else:
                slot = (slot + 1) & mask
        if not found:
            table[slot] = kept
            if kept != place:
                front.states[kept] = front.states[place]
                front.keys[kept] = front.keys[place]
                front.node[kept] = front.node[place]
                front.weight[kept] = front.weight[place]
            kept += 1
    front.used[0] = kept
    return int(kept)
