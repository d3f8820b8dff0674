"""Shows a hosted tournament in a terminal: a live line while it is played, a cross table when it is over."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggp.competition.standings import Standing
    from server.competitions.progress import Progress

LIVE_S = 0.2
LINE_S = 5.0


@contextlib.asynccontextmanager
async def shown_progress(progress: Progress) -> AsyncIterator[None]:
    """Show the progress of a tournament within the context: live in a terminal, otherwise a line now and then."""
    show = _live if sys.stderr.isatty() else _lines
    task = asyncio.create_task(show(progress))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _live(progress: Progress) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        # Names are the players' own choice, and no markup.
        TextColumn("{task.fields[playing]}", style="dim", markup=False),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("waiting for players", total=progress.wanted, left="", playing="")
        while True:
            if progress.matches and (progress.playing or progress.finished):
                bar.update(
                    task,
                    description="matches",
                    total=progress.total,
                    completed=progress.finished,
                    left=_left(progress),
                    playing=", ".join(progress.playing[:3]),
                )
            else:
                bar.update(task, completed=progress.entered, total=progress.wanted, playing=_preparing(progress))
            await asyncio.sleep(LIVE_S)


async def _lines(progress: Progress) -> None:
    told = ""
    while True:
        if progress.matches and (progress.playing or progress.finished):
            line = f"{progress.finished} of {progress.total} matches are over{', ' if _left(progress) else ''}"
            line += _left(progress)
        else:
            line = _preparing(progress) or f"{progress.entered} of {progress.wanted} players have joined"
        if line != told:
            print(line, file=sys.stderr, flush=True)
            told = line
        await asyncio.sleep(LINE_S)


def _preparing(progress: Progress) -> str:
    names = progress.preparing
    return f"waiting until {', '.join(names[:3])}{' and others' * (len(names) > 3)} can play" if names else ""


def _left(progress: Progress) -> str:
    seconds = progress.remaining_s
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f"about {minutes}:{rest:02d} left"


def print_table(table: Sequence[Standing]) -> None:
    """Print a cross table: win rates in percent with 95 % intervals, mean utility, errors, ratings, and all pairs.

    Aborted matches count for no player; the table says how many there were.
    """
    from rich.console import Console
    from rich.table import Table

    names = [row.name for row in table]
    shown = Table(title="win % ± 95 % interval, of the row's player")
    shown.add_column("player")
    aborted = ("aborted",) if any(row.aborted for row in table) else ()
    forfeits = ("forfeits",) if any(row.forfeits for row in table) else ()
    for name in (
        "points",
        "all",
        "mean utility",
        "errors",
        *aborted,
        *forfeits,
        "rating",
        *(f"vs {name}" for name in names),
    ):
        shown.add_column(name, justify="right")
    for row in table:
        points = "-" if row.mean_utility is None else f"{row.mean_utility:+.2f}"
        cells = [f"{row.points:g}", _rate(row.win_rate, row.ci95), points, str(row.errors)]
        cells += [str(row.aborted)] if aborted else []
        cells += [str(row.forfeits)] if forfeits else []
        cells.append("-" if row.rating is None else str(round(row.rating)))
        met = (row.against.get(name) for name in names)
        cells += ["" if one is None else _rate(one.rate, one.ci95) for one in met]
        shown.add_row(row.name, *cells)
    # Names are the players' own choice, and no markup.
    Console(width=None if sys.stdout.isatty() else 60 + 18 * len(names), markup=False, emoji=False).print(shown)


def _rate(rate: float | None, ci95: float | None) -> str:
    return "-" if rate is None or ci95 is None else f"{100 * rate:.0f} ± {100 * ci95:.0f}"
