"""Compiles the kernels of players before any clock runs, once a machine, telling how far it is.

Several processes may want the same kernels at the same time: the first compiles, the others wait for it and then load
what it left in the cache.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ggp.cache import cache_root
from players.registry import PlayerKind, PlayerSpec

if TYPE_CHECKING:
    from players.search.simulation import Model, Work
    from players.search.tree import Tree

Progress = Callable[[int, int, str], None]
"""Told how many of how many parts are ready, and the name of the part that comes next (empty at the end)."""


def warm_up(players: Sequence[PlayerSpec], progress: Progress) -> None:
    """Compile, or load from the cache, all kernels that these players need."""
    kinds = {player.kind.name: player.kind for player in players if player.kind.module}
    parts: list[tuple[str, Callable[[], None]]] = [("tree", _compile_shared)] if kinds else []
    parts += [(name, partial(_compile_family, kind)) for name, kind in sorted(kinds.items())]
    with _one_process_at_a_time():
        for done, (name, compile_part) in enumerate(parts):
            progress(done, len(parts), name)
            compile_part()
    progress(len(parts), len(parts), "")


def _sample() -> tuple[Model, Tree, Work]:
    """Return arguments of the types that kernels are compiled for; nothing is called with them."""
    import numpy as np

    from ggp.model.interface import GameShape, NativeFunctions
    from players.search.simulation import Model, new_work
    from players.search.tree import new_tree

    shape = GameShape(2, 1, 1, 1, 1)
    functions = NativeFunctions(*[0] * len(NativeFunctions._fields))
    model = Model(functions, shape, np.zeros(2), np.ones(2))
    return model, new_tree(0, 2, 0, 0, 0, 0), new_work(shape)


def _compile(kernel: Any, *arguments: object) -> None:
    """Compile a kernel for the types of some arguments, or load it from the cache."""
    import numba

    type_of: Any = numba.typeof
    kernel.compile(tuple(type_of(argument) for argument in arguments))


def _compile_shared() -> None:
    from ggp.model.calls import call_actors, call_legal
    from players.search.reroot import find_live, move_live
    from players.search.simulation import kind_of
    from players.search.tree import child_of, free_words

    model, tree, work = _sample()
    _compile(call_actors, 0, work.states, 0)
    _compile(call_legal, 0, work.states, 0, 0, work.actions, 0)
    _compile(child_of, tree, 0, 0)
    _compile(free_words, tree)
    _compile(kind_of, model, work.states, 0)
    _compile(find_live, tree)
    _compile(move_live, tree)


def _compile_family(kind: PlayerKind) -> None:
    import numpy as np

    from players.search.simulation import LeafOptions

    model, tree, work = _sample()
    family = kind.family
    options = family.options(kind.settings())
    _compile(family.search, model, tree, work, LeafOptions(0, 0.0, 0.0, 0, 0, 0, 0), options, 0)
    _compile(family.strategy, tree, 0, 0, options, np.zeros(1))


@contextlib.contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    """Hold the lock of the cache folder; where the folder cannot be written nothing is kept, and nothing is locked."""
    path = cache_root() / "compiling.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = path.open("a+b")
    except OSError:
        yield
        return
    with file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            try:
                yield
            finally:
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
            yield
