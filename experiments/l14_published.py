"""What Lisý 2014 has in its tables of matches, after a second a decision: the row's player against the column's.

In percent won in tables 4.1 to 4.5, 4.8, 4.9 and 4.12; the mean payoff less the game's value in 4.10 and 4.11.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

SIMULTANEOUS = ("OOS", "DUCT", "EXP3", "RM", "RAND")
HIDDEN = ("OOS", "RUCT", "UCT", "EXP3", "RM", "RAND")
PLAIN, ESTIMATE = "random playouts", "with the evaluation function"
WITHOUT, WITH, COLUMNS = "without beliefs", "with beliefs", "with beliefs for the column only"

_TABLES = Path(__file__).with_suffix(".txt")
"""Each table begins with its number and variant; rows and columns are in the order of the names above, `-` where the
thesis has no number, or none that can be read."""


@cache
def published(table: str, variant: str) -> dict[tuple[str, str], float]:
    """Return a table's numbers by the names of the row's and the column's player; empty if the thesis has none."""
    blocks = _TABLES.read_text(encoding="utf-8").strip().split("\n\n")
    tables = {heading: rows for heading, *rows in (block.split("\n") for block in blocks)}
    rows = [line.split() for line in tables.get(f"{table}: {variant}", ())]
    names = SIMULTANEOUS if len(rows) == len(SIMULTANEOUS) else HIDDEN
    return {
        (row, column): float(text)
        for row, cells in zip(names, rows, strict=False)
        for column, text in zip(names, cells, strict=True)
        if text != "-"
    }
