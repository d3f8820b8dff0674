"""Preparation of beliefs before a match: their kernels, and statistics of random plays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ggp.codegen.kernels import AnyKernel
from ggp.model.native.information_states import write_key
from players.search.belief.draft import load_draft
from players.search.belief.filtering import expand_all, sample_on
from players.search.belief.history_tree import merge_equal, prune_histories
from players.search.belief.openness import Openness, watch, watch_plays
from players.search.belief.repair import repair
from players.search.walk.kernel_arguments import new_model

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


def belief_kernels() -> Iterator[AnyKernel]:
    """Yield the kernels that beliefs call."""
    yield from (watch_plays, prune_histories, merge_equal, expand_all, sample_on, load_draft, repair)


@cache
def load_kernels() -> None:
    """Load the kernels into this process, from the cache where they have been compiled, before a clock runs."""
    for kernel in (write_key, *belief_kernels()):
        kernel.load()
