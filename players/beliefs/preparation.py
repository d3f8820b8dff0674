"""Preparation of beliefs before a match: their kernels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import numba
import numpy as np

from ggp.model.native.information_states import key_kernels
from ggp.model.native.interface import GameShape, NativeFunctions
from players.search.belief.branches import Believer
from players.search.belief.choices import block_table, new_scratch
from players.search.belief.draft import load_draft, new_draft
from players.search.belief.filtering import expand_all, sample_on
from players.search.belief.history_tree import merge_equal, new_front, new_history_tree, prune_histories
from players.search.belief.repair import repair
from players.search.belief.told import Told
from players.search.trees.information_tree import new_information_tree
from players.search.trees.searches import Warming
from players.search.walk.kernel_arguments import Model


def belief_kernels() -> Iterator[Warming]:
    """Yield the kernels that beliefs call."""
    shape = GameShape(2, 1, 1, 1, 1)
    functions = NativeFunctions(*[0] * len(NativeFunctions._fields))
    model, tree = Model(functions, shape, np.zeros(2), np.ones(2)), new_information_tree(0, 1)
    histories, front, scratch = new_history_tree(1, 2), new_front(1, 1, 2), new_scratch(shape)
    believer, told, draft = (
        Believer(0, 0, 1.0, np.zeros((1, 2), np.int64), np.zeros((1, 4), np.int64), block_table([])),
        Told(np.zeros((0, 6), np.int64), np.zeros(1, np.int64)),
        new_draft(shape, 1),
    )
    numbers = np.zeros(1, np.int64)
    words = np.zeros(1, np.uint64)
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
