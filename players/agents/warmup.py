"""Compiles the kernels of players before any clock runs, once on each machine, reporting progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from players.agents.auto import compile_solver, solver_samples
from players.agents.registry import PlayerSpec

if TYPE_CHECKING:
    from ggp.codegen.kernels import AnyKernel
    from ggp.game.game import Game

COMPILED = "kernels of "
"""How the text begins that tells what is compiled because it never was on this machine."""
Progress = Callable[[int, int, str], None]
"""Called with how many of how many kernels are ready, and what is being compiled (empty at the end)."""


def warm_up(
    players: Sequence[PlayerSpec], progress: Progress, games: Sequence[Game] = (), *, load: bool = True
) -> None:
    """Compile all kernels that these players need, unless they were compiled on this machine before.

    Args:
        players: who will play.
        progress: is told the progress.
        games: that they will play, so that only the kernels for them are compiled; empty if any may come.
        load: whether to load the kernels into this process, too; not worth it if only other processes play.
    """
    searching = [player for player in players if player.kind.searches]
    kinds = sorted({not game.perfect_information for game in games}) or [False, True]
    wanted: dict[AnyKernel, str] = {}
    for hidden in kinds:
        for part in dict.fromkeys(part for player in searching for part in player.played(games)):
            for kernel in part.kind.kernels(part.settings, hidden):
                wanted.setdefault(kernel, str(part))
    new = [kernel for kernel in wanted if not kernel.is_kept()]
    names = f"{COMPILED}{', '.join(dict.fromkeys(wanted[kernel] for kernel in new))} (only once on this machine)"
    for done, kernel in enumerate(new):
        progress(done, len(new), names)
        kernel.load()
    for done, kernel in enumerate(wanted if load else ()):
        progress(done, len(wanted), wanted[kernel])
        kernel.load()
    auto = any(player.kind.name == "auto" for player in searching)
    for what, sample in solver_samples(games).items() if auto else ():
        progress(len(wanted), len(wanted), f"solving {what}")
        compile_solver(sample)
    progress(len(wanted), len(wanted), "")
