"""Compiles the kernels of players before any clock runs, once a machine, telling how far it is.

Several processes may want the same kernels at the same time: the first compiles, the others wait for it and then load
what it left in the cache.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ggp.cache import cache_root, digest_of, write_whole
from players import search
from players.auto import load_solver, needs_solver
from players.processes import yielded
from players.registry import PlayerSpec

if TYPE_CHECKING:
    from ggp.model.game import Game

Progress = Callable[[int, int, str], None]
"""Told how many of how many parts are ready, and the name of the part that comes next (empty at the end)."""


def warm_up(players: Sequence[PlayerSpec], progress: Progress, games: Sequence[Game] = ()) -> None:
    """Compile, or load from the cache, all kernels that these players need; several players side by side.

    Args:
        players: who will play.
        progress: told how far it is.
        games: that they will play, for `auto`, which needs little of what it can need; empty where any may come.
    """
    searching = [player for player in players if player.kind.searches]
    parts = {str(part): part for player in searching for part in player.played(games)}
    with _one_process_at_a_time():
        new = [player for player in parts.values() if not _marker(player).exists()]
        if len(new) > 1:
            arguments, done = [(player,) for player in new], 0
            progress(0, len(new), ", ".join(map(str, new)))
            for done, _ in enumerate(yielded(compiled_kernels, arguments, os.cpu_count() or 1), 1):
                progress(done, len(new), "")
        for done, (name, player) in enumerate(sorted(parts.items())):
            progress(done, len(parts), name)
            for _ in compiled_kernels(player):
                pass
        if any(player.kind.name == "auto" for player in searching) and needs_solver(games):
            progress(len(parts), len(parts), "solver")
            load_solver()
    progress(len(parts), len(parts), "")


def compiled_kernels(player: PlayerSpec) -> Iterator[None]:
    """Compile, or load from the cache, the kernels of a player; yield once when that is done."""
    for kernel, arguments in player.kind.kernels(player.settings):
        _compile(kernel, *arguments)
    write_whole(_marker(player), b"")
    yield


def _marker(player: PlayerSpec) -> Path:
    """Return the file that is there when a player's kernels have been compiled on this machine."""
    from ggp.model.native.jit import kernel_cache_folder

    settings = digest_of(repr(player.settings).encode())
    return kernel_cache_folder(Path(search.__file__).parent) / f"{player.kind.name}-{settings}.compiled"


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
