"""The plots of `ggp report`: how long games are, and who leads in games between strong players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

if TYPE_CHECKING:
    from players.evaluation.game_report import GameReport


def write_plots(found: GameReport, name: str, folder: Path) -> list[Path]:
    """Write the plots of a report as SVG files, and return their paths.

    Raises:
        OSError: the folder cannot be made or written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    figures = {}
    if found.lengths:
        figures["lengths"] = lengths = Figure(figsize=(7, 4), layout="constrained")
        axes = lengths.subplots()
        begins, ends, games = zip(*found.lengths_counted(), strict=True)
        axes.bar(begins, games, [end - begin + 1 for begin, end in zip(begins, ends, strict=True)], align="edge")
        axes.set(title=f"{name}: length of random games", xlabel="transitions", ylabel="games")
    if found.leads:
        figures["lead"] = leads = Figure(figsize=(7, 4), layout="constrained")
        axes = leads.subplots()
        for curve in found.leads:
            axes.plot(curve, linewidth=1)
        role = found.first_role or "the first player"
        ylabel = f"mean utility of {role} in random games from here"
        axes.set(title=f"{name}: games by auto", xlabel="transitions", ylabel=ylabel)
    paths = []
    for what, figure in figures.items():
        paths.append(folder / f"{name}-{what}.svg")
        figure.savefig(paths[-1], format="svg", metadata={"Date": None})
    return paths
