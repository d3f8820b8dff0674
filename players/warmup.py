"""Compiles the kernels of players before any clock runs, once a machine, telling how far it is.

Several processes may want the same kernels at the same time: the first compiles, the others wait for it and then load
what it left in the cache.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ggp.cache import cache_root
from players.registry import PlayerSpec

Progress = Callable[[int, int, str], None]
"""Told how many of how many parts are ready, and the name of the part that comes next (empty at the end)."""


def warm_up(players: Sequence[PlayerSpec], progress: Progress) -> None:
    """Compile, or load from the cache, all kernels that these players need."""
    parts = {str(player): player for player in players if player.kind.searches}
    with _one_process_at_a_time():
        for done, (name, player) in enumerate(sorted(parts.items())):
            progress(done, len(parts), name)
            for kernel, arguments in player.kind.kernels(player.settings):
                _compile(kernel, *arguments)
    progress(len(parts), len(parts), "")


def _compile(kernel: Any, *arguments: object) -> None:
    """Compile a kernel for the types of some arguments, or load it from the cache."""
    import numba

    type_of: Any = numba.typeof
    kernel.compile(tuple(type_of(argument) for argument in arguments))


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
