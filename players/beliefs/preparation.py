"""Preparation of beliefs before a match: their kernels, and statistics of random plays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numba
import numpy as np

from ggp.model.native.information_states import key_kernels
from ggp.model.native.interface import GameShape, NativeFunctions
from players.search.belief.branches import Believer
from players.search.belief.choices import block_table, new_scratch
from players.search.belief.draft import load_draft, new_draft
from players.search.belief.filtering import expand_all, sample_on
from players.search.belief.history_tree import merge_equal, new_front, new_history_tree, prune_histories
from players.search.belief.openness import Openness, new_openness, watch, watch_plays
from players.search.belief.repair import repair
from players.search.belief.told import Told
from players.search.trees.information_tree import new_information_tree
from players.search.trees.searches import Warming
from players.search.walk.kernel_arguments import Model, new_model

if TYPE_CHECKING:
    from ggp.model.game import Game

WATCHED = 30_000
"""Transitions of random plays that show what players observe."""

_OPENNESS: WeakKeyDictionary[Game, Openness] = WeakKeyDictionary()


def openness_of(game: Game) -> Openness:
    """Return the statistics of random plays of a game, made once per process."""
    found = _OPENNESS.get(game)
    if found is None:
        native = game.native()
        found = _OPENNESS[game] = watch(new_model(native), native.shape, WATCHED)
    return found


def belief_kernels() -> Iterator[Warming]:
    """Yield the kernels that beliefs call."""
    shape = GameShape(2, 1, 1, 1, 1)
    functions = NativeFunctions(*[0] * len(NativeFunctions._fields))
    model, tree = Model(functions, shape, np.zeros(2), np.ones(2)), new_information_tree(0, 1)
    histories, front, scratch = new_history_tree(1, 2), new_front(1, 1, 2), new_scratch(shape)
    believer, told, draft = (
        Believer(0, 0, 1.0, new_openness(), np.zeros((1, 4), np.int64), block_table([])),
        Told(np.zeros((0, 6), np.int64), np.zeros(1, np.int64)),
        new_draft(shape, 1),
    )
    numbers = np.zeros(1, np.int64)
    words, reals = np.zeros(1, np.uint64), np.zeros(1)
    yield watch_plays, (model, new_openness(), numbers, numbers, reals, numbers, numbers, words, 0)
    yield prune_histories, (histories, front, numbers)
    yield merge_equal, (front, numbers, words, False)
    yield expand_all, (model, tree, histories, front, front, scratch, believer, told, 0, 0, 0)
    yield sample_on, (model, tree, histories, front, np.zeros(1), front, scratch, believer, told, 0, 0)
    yield load_draft, (histories, 0, draft, 0)
    yield repair, (model, tree, histories, front, scratch, believer, told, 0, draft, numbers, 0)


@cache
def load_kernels() -> None:
    """Load the kernels into this process, from the cache where they have been compiled, before a clock runs."""
    type_of: Any = numba.typeof
    for kernel, arguments in chain(key_kernels(), belief_kernels()):
        kernel.compile(tuple(type_of(argument) for argument in arguments))
