"""What the pages of all measurements share: Markdown tables, rates, and how much a quick run measures."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.language import library_names

QUICK_GAMES = ("goofspiel", "tic_tac_toe")


def seconds(quick: bool) -> float:
    """Return for how long a rate is measured."""
    return 0.1 if quick else 0.6


def games(quick: bool) -> tuple[str, ...]:
    """Return the games of the library that are measured."""
    return QUICK_GAMES if quick else tuple(library_names())


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first are aligned to the right."""
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def rate(number: float) -> str:
    """Return a rate as a whole number, or `-` if there is none."""
    return f"{number:,.0f}" if number else "-"
