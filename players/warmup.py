"""Compiles the kernels of players before any clock runs, once on each machine, reporting progress.

Kernels are compiled in parallel, in several processes. If several commands need the same kernels at the same
time, the first compiles them, and the others wait and load them from the cache.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ggp.cache import cache_root, digest_of, locked, write_whole
from players import search
from players.auto import load_solvers
from players.processes import yielded
from players.registry import PlayerSpec

if TYPE_CHECKING:
    from ggp.model.game import Game

COMPILED = "kernels of "
"""How the text begins that tells what is compiled because it never was on this machine."""
Progress = Callable[[int, int, str], None]
"""Called with how many of how many kernels are ready, and what is being compiled (empty at the end)."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A kernel of a player, by its number: arrays need not be sent to another process.

    Attributes:
        player: whose kernel it is.
        number: its place among the player's kernels.
        size: a measure of its compile time: how many numbers and arrays it takes.
    """

    player: PlayerSpec
    number: int
    size: int


def warm_up(
    players: Sequence[PlayerSpec], progress: Progress, games: Sequence[Game] = (), *, load: bool = True
) -> None:
    """Compile all kernels that these players need, unless they were compiled on this machine before.

    Args:
        players: who will play.
        progress: is told the progress.
        games: that they will play, so that `auto` compiles only what it needs for them; empty if any may come.
        load: whether to load the kernels into this process, too; not worth it if only other processes play.
    """
    searching = [player for player in players if player.kind.searches]
    parts = {str(part): part for player in searching for part in player.played(games)}
    with locked(cache_root() / "compiling.lock"):
        new = [player for player in parts.values() if not _marker(player).exists()]
        if new:
            names = COMPILED + ", ".join(map(str, new)) + " (only once on this machine)"
            tasks = _tasks(new)
            progress(0, len(tasks), names)
            arguments = [(task.player, task.number) for task in tasks]
            for done, _ in enumerate(yielded(compiled_kernel, arguments, os.cpu_count() or 1), 1):
                progress(done, len(tasks), names)
            for player in new:
                write_whole(_marker(player), b"")
        for done, (name, player) in enumerate(sorted(parts.items()) if load else ()):
            progress(done, len(parts), name)
            compile_kernels(player)
        if any(player.kind.name == "auto" for player in searching):
            progress(len(parts), len(parts), "solver")
            load_solvers(games)
    progress(len(parts), len(parts), "")


def compile_kernels(player: PlayerSpec) -> None:
    """Compile, or load from the cache, all kernels of a player in this process."""
    for kernel, given in player.kind.kernels(player.settings):
        kernel.compile(_types_of(given))


def _tasks(players: Sequence[PlayerSpec]) -> list[_Task]:
    """Return each kernel of some players once: the largest first, then the others in ascending order of size.

    When the next large one is compiled, the parts that it shares with the first one are ready.
    """
    found: dict[Any, _Task] = {}
    for player in players:
        for number, (kernel, given) in enumerate(player.kind.kernels(player.settings)):
            key = kernel.py_func, _types_of(given)
            found.setdefault(key, _Task(player, number, sum(map(_size, given))))
    ascending = sorted(found.values(), key=lambda task: task.size)
    return ascending[-1:] + ascending[:-1]


def _size(argument: object) -> int:
    return sum(map(_size, argument)) if isinstance(argument, tuple) else 1


def compiled_kernel(player: PlayerSpec, number: int) -> Iterator[None]:
    """Compile, or load from the cache, a kernel of a player; yield once when done."""
    for at, (kernel, given) in enumerate(player.kind.kernels(player.settings)):
        if at == number:
            kernel.compile(_types_of(given))
    yield


def _types_of(arguments: tuple[object, ...]) -> tuple[Any, ...]:
    import numba

    type_of: Any = numba.typeof
    return tuple(map(type_of, arguments))


def _marker(player: PlayerSpec) -> Path:
    """Return the file that exists when a player's kernels have been compiled on this machine."""
    from ggp.model.native.jit import kernel_cache_folder

    settings = digest_of(repr(player.settings).encode())
    return kernel_cache_folder(Path(search.__file__).parent) / f"{player.kind.name}-{settings}.compiled"
