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

from ggp import analysis
from ggp.cache import cache_root, digest_of, locked, write_whole
from players import search
from players.auto import compiled_solver, solver_samples
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
        hidden: for which games, see `PlayerKind.kernels`.
        number: its place among the player's kernels for them.
        size: a measure of its compile time: how many numbers and arrays it takes.
    """

    player: PlayerSpec
    hidden: bool
    number: int
    size: int


@dataclass(frozen=True, slots=True)
class Beside:
    """Kernels that are compiled at the same time as those of players.

    Attributes:
        name: what they are for.
        room: the folder of their package.
        compiled: a function at the top of a module that compiles or loads them, and then yields once.
        arguments: its arguments, which can be pickled.
    """

    name: str
    room: Path
    compiled: Callable[..., Iterator[None]]
    arguments: tuple[Any, ...] = ()

    @property
    def marker(self) -> Path:
        """The file that exists when they have been compiled on this machine."""
        from ggp.codegen.kernels import kernel_cache_folder

        return kernel_cache_folder(self.room) / f"{digest_of(self.name.encode())}.compiled"


def warm_up(
    players: Sequence[PlayerSpec],
    progress: Progress,
    games: Sequence[Game] = (),
    *,
    load: bool = True,
    beside: Sequence[Beside] = (),
) -> None:
    """Compile all kernels that these players need, unless they were compiled on this machine before.

    Args:
        players: who will play.
        progress: is told the progress.
        games: that they will play, so that only the kernels for them are compiled; empty if any may come.
        load: whether to load the kernels into this process, too; not worth it if only other processes play.
        beside: what else to compile; it is not loaded.
    """
    searching = [player for player in players if player.kind.searches]
    kinds = sorted({not game.perfect_information for game in games}) or [False, True]
    auto = any(player.kind.name == "auto" for player in searching)
    solvers = solver_samples(games) if auto else {}
    room = Path(analysis.__file__).parent
    beside = [*beside, *(Beside(f"solving {what}", room, compiled_solver, (one,)) for what, one in solvers.items())]
    parts = {(str(part), hidden): part for hidden in kinds for player in searching for part in player.played(games)}
    with locked(cache_root() / "compiling.lock"):
        new = {key: player for key, player in parts.items() if not _marker(player, key[1]).exists()}
        others = [one for one in beside if not one.marker.exists()]
        if new or others:
            wanted = dict.fromkeys([*(name for name, _ in new), *(one.name for one in others)])
            names = f"{COMPILED}{', '.join(wanted)} (only once on this machine)"
            found = _tasks([(player, hidden) for (_, hidden), player in new.items()])
            tasks = [(compiled_kernel, (task.player, task.hidden, task.number)) for task in found]
            # the largest kernel comes first, and its parts are wanted by those after it
            tasks[1:1] = [(one.compiled, one.arguments) for one in others]
            progress(0, len(tasks), names)
            for done, _ in enumerate(yielded(_done, tasks, os.cpu_count() or 1), 1):
                progress(done, len(tasks), names)
            for marker in (*(_marker(player, key[1]) for key, player in new.items()), *(one.marker for one in others)):
                write_whole(marker, b"")
        for done, (name, hidden) in enumerate(sorted(parts) if load else ()):
            progress(done, len(parts), name)
            compile_kernels(parts[name, hidden], hidden)
        for what, sample in solvers.items() if load else ():
            progress(len(parts), len(parts), f"solving {what}")
            for _ in compiled_solver(sample):
                pass
    progress(len(parts), len(parts), "")


def compile_kernels(player: PlayerSpec, hidden: bool) -> None:
    """Compile, or load from the cache, all kernels of a player in one kind of games in this process."""
    for kernel, given in player.kind.kernels(player.settings, hidden):
        kernel.compile(_types_of(given))


def _done(function: Callable[..., Iterator[None]], arguments: tuple[Any, ...]) -> Iterator[None]:
    """Call a function of a task."""
    yield from function(*arguments)


def _tasks(players: Sequence[tuple[PlayerSpec, bool]]) -> list[_Task]:
    """Return each kernel of some players once: the largest first, then the others in ascending order of size.

    When the next large one is compiled, the parts that it shares with the first one are ready.

    Args:
        players: each with the kind of games, see `PlayerKind.kernels`.
    """
    found: dict[Any, _Task] = {}
    for player, hidden in players:
        for number, (kernel, given) in enumerate(player.kind.kernels(player.settings, hidden)):
            key = kernel.py_func, _types_of(given)
            found.setdefault(key, _Task(player, hidden, number, sum(map(_size, given))))
    ascending = sorted(found.values(), key=lambda task: task.size)
    return ascending[-1:] + ascending[:-1]


def _size(argument: object) -> int:
    return sum(map(_size, argument)) if isinstance(argument, tuple) else 1


def compiled_kernel(player: PlayerSpec, hidden: bool, number: int) -> Iterator[None]:
    """Compile, or load from the cache, a kernel of a player; yield once when done."""
    for at, (kernel, given) in enumerate(player.kind.kernels(player.settings, hidden)):
        if at == number:
            kernel.compile(_types_of(given))
    yield


def _types_of(arguments: tuple[object, ...]) -> tuple[Any, ...]:
    import numba

    type_of: Any = numba.typeof
    return tuple(map(type_of, arguments))


def _marker(player: PlayerSpec, hidden: bool) -> Path:
    """Return the file that exists when a player's kernels for one kind of games have been compiled here."""
    from ggp.codegen.kernels import kernel_cache_folder

    settings = digest_of(repr(player.settings).encode())
    return (
        kernel_cache_folder(Path(search.__file__).parent)
        / f"{player.kind.name}-{settings}{'-hidden' if hidden else ''}.compiled"
    )
