"""The arguments of every search kernel besides a tree: the game, the options for leaves, and scratch memory.

Dimensions: P players, A largest number of actions of one player, W words of a world state, D longest path.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, allocated
from ggp.native.interface import GameShape, NativeFunctions, NativeGame
from players.search.foundation.settings import LeafSettings

LEAST, GREATEST, SPREAD, SHARE, NUMBER, SUM, SQUARES = 0, 1, 2, 3, 4, 5, 6
LEAST_SPREAD = 1e-6
"""Of the utilities of iterations that were all worth the same: enough to explore evenly."""
NOTHING_SEEN = (1.0, 0.0, LEAST_SPREAD, 1.0, 0.0, 0.0, 0.0)
ENTRY, SLOT, STATE, DEPTH, ITERATION, CURSOR = 0, 1, 2, 3, 4, 5
SAMPLED, WEIGHT, SAMPLING = 0, 1, 2
LONGEST_PATH = 1024
EXPAND_JOINT, EXPAND_COVER, EXPAND_NONE = 0, 1, 2


class Model(NamedTuple):
    """A game in the form that search kernels take."""

    functions: NativeFunctions
    shape: GameShape
    low: F64  # [P] the least utility, which searches scale to 0
    scale: F64  # [P] 1 / (greatest - least utility)


class LeafOptions(NamedTuple):
    """How new leaves are expanded and valued."""

    estimate: int  # 1: the value is the rules' estimate, after `moves` random transitions; 0: a random playout
    moves: int
    playout_limit: int  # transitions of a playout; one that is stopped is valued by the estimate, without one at 1/2
    expansion: int = EXPAND_NONE  # how untried actions are chosen: one of EXPAND_...
    mean: int = 0  # 1: nodes back up the mean of their values (SM-MCTS-A), 0: the value of the iteration


def leaf_options(settings: LeafSettings) -> LeafOptions:
    """Return how leaves are valued by the settings of a search, in the form that kernels take."""
    return LeafOptions(int(settings.leaf == "estimate" or settings.estimate != ""), settings.moves, settings.limit)


class Work(NamedTuple):
    """The scratch memory of one searching thread."""

    states: Annotated[I64, "3 * W"]  # the root's world state, and two that take turns on the way down
    cursor: Annotated[I64, "CURSOR"]  # entry in the tree, where it stands, index of its state in `states`, decision
    #     nodes on the path; iterations so far
    path_node: Annotated[I64, "D"]  # decision nodes on the path, root first
    path_joint: Annotated[I64, "D"]  # the joint action chosen there
    path_choice: Annotated[I64, "D, P"]  # the position of each player's action
    path_probability: Annotated[F64, "D, P"]  # the probability with which it was sampled
    sampling: Annotated[F64, "SAMPLING"]  # of outcome sampling: the probability with which the explorer's choices led
    #     here, and the weight that an update passes up
    joint: Annotated[I64, "P + 1"]  # actions and chance outcome, as `step` reads them
    counts: Annotated[I64, "P"]
    actions: Annotated[I64, "P * A"]
    strategy: Annotated[F64, "P * A"]
    utility: Annotated[F64, "P"]  # of the leaf, scaled to [0, 1]
    seen: Annotated[F64, "P, 7"]  # of the utilities of each player: the least and greatest at this decision, the
    #     spread, its share of that range; number, sum and sum of squares of the first ones; see `note_utilities`
    rng: Annotated[U64, "1"]


def new_model(native: NativeGame) -> Model:
    """Return a compiled game in the form that kernels take; a utility that is constant becomes 1/2."""
    low, high = np.array(native.utility_low, np.float64), np.array(native.utility_high, np.float64)
    constant = low == high
    low[constant] -= 0.5
    high[constant] += 0.5
    return Model(native.functions, native.shape, low, 1.0 / (high - low))


def new_work(shape: GameShape) -> Work:
    """Return scratch memory for one thread."""
    work = allocated(Work, D=LONGEST_PATH, **shape.lengths)
    work.sampling[:] = 1.0
    work.seen[:] = NOTHING_SEEN
    work.rng[0] = 1
    return work
