"""Preparation of beliefs before a match: their kernels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ggp.beliefs.candidate_history import load_candidate
from ggp.beliefs.filtering import expand_all, sample_on
from ggp.beliefs.history_tree import merge_equal, prune_histories
from ggp.beliefs.repair import repair
from ggp.codegen.kernels import AnyKernel
from ggp.native.information_states import write_keys


def belief_kernels() -> Iterator[AnyKernel]:
    """Yield the kernels that beliefs call."""
    yield from (prune_histories, merge_equal, expand_all, sample_on, load_candidate, repair)


@cache
def load_kernels() -> None:
    """Load the kernels into this process, from the cache where they have been compiled, before a clock runs."""
    for kernel in (write_keys, *belief_kernels()):
        kernel.load()
