"""Random game trees with native functions, as many as there are seeds: everything about a node follows from a hash.

Decisions of either player, chance events (of one outcome too, which is an automatic phase) and ends of the game come in
any order, so chance may decide who moves next.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, kernel
from ggp.native.interface import GameShape, NativeFunctions, NativeGame
from tests.support import native_functions

KEY, LEVEL, STATE_WORDS = 2, 3, 4
DEEPEST, MAX_CHILDREN = 9, 4
END, CHANCE, FIRST, SECOND = -1, 0, 1, 2


@kernel
def mixed(key: int, number: int) -> int:
    """Return another hash, not negative."""
    word = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number + 1) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    return np.int64((word ^ (word >> np.uint64(32))) >> np.uint64(1))


@kernel
def kind_of(key: int, level: int) -> int:
    """Return who acts: 40 % chance, 20 % the end, but not at the root, and always at the last level."""
    drawn = mixed(key, 100) % 10
    if level == DEEPEST or (level > 1 and drawn < 2):
        return END
    if level > 0 and drawn < 6:
        return CHANCE
    return FIRST if drawn % 2 else SECOND


@kernel
def children_of(key: int) -> int:
    return 1 + mixed(key, 101) % MAX_CHILDREN


@kernel
def weight_of(key: int, child: int) -> int:
    return 1 + mixed(key, 200 + child) % 5


@kernel
def payoff_of(key: int) -> float:
    """Return the first player's utility, or estimate: of nine values, so that there are ties and sure wins."""
    return (mixed(key, 102) % 9) / 4 - 1


def init(state: I64) -> None:
    for index in range(STATE_WORDS):
        state[index] = 0


def actors(state: I64) -> int:
    return kind_of(state[KEY], state[LEVEL])


def legal(state: I64, _player: int, out: I64) -> int:
    count = children_of(state[KEY])
    for child in range(count):
        out[child] = 7 * child
    return count


def chance(state: I64, out: I64, probability: F64) -> int:
    count, total = children_of(state[KEY]), 0
    for child in range(count):
        total += weight_of(state[KEY], child)
    for child in range(count):
        out[child] = 7 * child
        probability[child] = weight_of(state[KEY], child) / total
    return count


def sample_chance(state: I64, rng: U64) -> int:
    word = rng[0]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    rng[0] = word
    count, total = children_of(state[KEY]), 0
    for child in range(count):
        total += weight_of(state[KEY], child)
    left = np.int64((word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)) % total
    for child in range(count):
        left -= weight_of(state[KEY], child)
        if left < 0:
            return 7 * child
    return -1


def step(old: I64, new: I64, joint: I64) -> None:
    kind = kind_of(old[KEY], old[LEVEL])
    taken = joint[2] if kind == CHANCE else joint[0] if kind == FIRST else joint[1]
    new[0] = new[1] = 0
    new[KEY] = mixed(old[KEY], taken // 7)
    new[LEVEL] = old[LEVEL] + 1


def observe(_old: I64, _new: I64, joint: I64, _player: int, out: I64) -> int:
    out[0], out[1] = joint[0] + joint[1], joint[2]
    return 2


def utility(state: I64, out: F64) -> int:
    out[0] = payoff_of(state[KEY])
    out[1] = -out[0]
    return 0


def playout(_state: I64, _rng: U64, _out: F64, _limit: int) -> int:
    return -2


FUNCTIONS = {
    function.__name__: function
    for function in (init, actors, legal, chance, sample_chance, step, observe, utility, playout)
}


def tree_game() -> NativeGame:
    """Return the game; `root(seed)` is a state of it."""

    addresses, code = native_functions.compiled(FUNCTIONS)
    return NativeGame(
        functions=NativeFunctions(**addresses, estimate=addresses["utility"]),
        shape=GameShape(2, STATE_WORDS, MAX_CHILDREN, MAX_CHILDREN, 2),
        utility_low=(-1.0, -1.0),
        utility_high=(1.0, 1.0),
        utility_sum=0.0,
        perfect_information=True,
        faults=(),
        owner=code,
    )


def root(seed: int) -> np.ndarray:
    """Return the root of a tree: a decision."""
    return np.array([0, 0, mixed(seed, 1), 0])


def exact_value(key: int, level: int, depth: int) -> float:
    """Return the depth-limited value to the first player, scaled to [0, 1], by its definition (MCMS13, eq. 1)."""
    kind = kind_of(key, level)
    if kind == END or (kind != CHANCE and depth == 0):
        return (payoff_of(key) + 1) / 2
    following = [mixed(key, child) for child in range(children_of(key))]
    if kind == CHANCE:
        weights = [weight_of(key, child) for child in range(len(following))]
        values = [exact_value(child, level + 1, depth) for child in following]
        return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    values = [exact_value(child, level + 1, depth - 1) for child in following]
    return max(values) if kind == FIRST else min(values)
