"""What the pages of all measurements share: Markdown tables, rates, and how much a quick run measures."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ggp.language import library_names

QUICK_GAMES = ("goofspiel", "tic_tac_toe")


@dataclass(frozen=True, slots=True)
class Row:
    """A game, and the speed of another program on it.

    Attributes:
        title: for the table.
        game: library name.
        parameters: of the game.
        java: thousand iterations a second of Lisý's Java program for each player of the table, measured on a machine of
            this kind, one thread; 0 or nothing where it was not measured.
    """

    title: str
    game: str
    parameters: Mapping[str, str | int]
    java: tuple[int, ...] = ()

    def cells(self, iterations_per_s: Sequence[float]) -> list[str]:
        """Return the title, and thousand iterations a second of each player with their ratio to the Java program."""
        theirs = self.java or (0,) * len(iterations_per_s)
        ours = [rate / 1000 for rate in iterations_per_s]
        pairs = zip(ours, theirs, strict=True)
        return [self.title, *(f"{own:,.0f}{f' ({own / java:.1f}×)' if java else ''}" for own, java in pairs)]


def rate_of_more(work: Callable[[int], object], seconds: float) -> tuple[int, float]:
    """Do something more and more often, until it takes half of the seconds; return how often, and the time it took.

    Args:
        work: does it so many times.
        seconds: of processor time.
    """
    count = 64
    while True:
        began = time.process_time()
        work(count)
        spent = time.process_time() - began
        if spent >= seconds / 2:
            return count, spent
        count = int(count * min(16.0, 1.2 * seconds / max(spent, 1e-6))) + 1


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
