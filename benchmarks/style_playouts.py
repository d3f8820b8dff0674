"""Random playouts per second of games as their authors write them first, beside OpenSpiel's of the same game.

The rules in `styles` were written without a thought of speed: by columns and rows, by formulas for each pit, by
counting. What the compiler makes of such rules shows there; the library's are written by people who know it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ggp
from benchmarks import tables
from benchmarks.library_playouts import playouts, rollouts_of_open_spiel
from benchmarks.tables import rate, table

STYLES = Path(__file__).with_name("styles")
PEERS = {
    "amazons_by_columns": "amazons",
    "amazons_by_reached_sets": "amazons",
    "checkers_by_columns": "checkers",
    "clobber": "clobber(rows=6,columns=6)",
    "connect_four_by_columns": "connect_four",
    "mancala_by_counting": "mancala",
    "othello_by_columns": "othello",
    "othello_on_cells": "othello",
    "oware_by_a_chain": "oware",
    "oware_by_formulas": "oware",
    "oware_round_a_ring": "oware",
}
"""OpenSpiel's name of a game; when games without progress end may differ."""


def section(figures: Mapping[str, tuple[float, float]]) -> str:
    """Return the table: ours and OpenSpiel's (0: none) by file."""
    rows = [
        [name, rate(ours), rate(theirs), f"{ours / theirs:.2f}" if theirs else "-"]
        for name, (ours, theirs) in figures.items()
    ]
    heading = ["rules", "playouts/s", "OpenSpiel, C++", "ratio"]
    return f"## Random playouts of rules as they are first written\n\n{table(heading, rows)}"


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    seconds, figures = tables.seconds(quick), {}
    for path in sorted(STYLES.glob("*.rules"))[: 2 if quick else None]:
        peer = PEERS.get(path.stem, "")
        theirs = rollouts_of_open_spiel(peer, seconds) if peer else 0.0
        figures[path.stem] = playouts(ggp.load(str(path)), seconds)[0], theirs
    return {"games": figures}, section(figures)
