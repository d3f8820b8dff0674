"""A search for disagreements: random rules files are compared until the time is over, and what fails is kept."""

from __future__ import annotations

import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

from tests.support.random_rules import random_text

from .comparisons import COMPARISONS, QUICK, REFUSED, THOROUGH, Effort, Failure
from .finds import Finds
from .isolated import Worker, compared_apart
from .reduction import reduced

NATIVE = ("machine code", "playouts", "batch", "information states", "check")
EVERY = {"formatter": 64, "drawings": 4, "encodings": 4, "lengths": 16} | dict.fromkeys(NATIVE, 32)
"""Of how many texts one is compared so: most finds show in the generated source, for a tenth of the time of all."""
SETS_EVERY = 4
"""One of so many texts keeps its arrays as sets, whether that pays or not, in all that is compared."""
TABLES_EVERY = 5
"""One of so many texts has tables for formulas of small values."""
THOROUGH_EVERY = 128
"""One of so many texts is compared thoroughly; finds by LLVM's optimisation and in long plays are few."""
TEXTS_OF_A_PROCESS = 100
SHOW_EVERY_S, SHOW_IN_LOG_S = 1.0, 60.0


def in_turn(number: int) -> tuple[list[str], Effort]:
    """Return how a text is compared, and how much of it."""
    if number % THOROUGH_EVERY == 0:
        return list(COMPARISONS), THOROUGH
    others = ("arrays as sets",) if number % SETS_EVERY else ("generated source", "recorded playouts")
    names = [name for name in COMPARISONS if name not in others and number % EVERY.get(name, 1) == 0]
    return names, QUICK._replace(tabulated=number % TABLES_EVERY == 0)


class Search:
    """One run of the command."""

    def __init__(self, finds: Finds, minutes: float, reduce_minutes: float) -> None:
        self.finds = finds
        self.end = time.monotonic() + 60 * minutes
        self.reduce_minutes = reduce_minutes
        self.new: list[Path] = []
        self.texts = 0
        self.shown = 0.0
        self.worker = Worker(TEXTS_OF_A_PROCESS)

    def run(self) -> None:
        """Compare texts, from where the last search of this seed stopped, until the time is over."""
        try:
            while time.monotonic() < self.end:
                self.step()
        finally:
            self.worker.close()
            self.finds.save()

    def step(self) -> None:
        """Compare the next text."""
        began, searched = time.monotonic(), self.finds.searched
        text = random_text(self.finds.seed, searched.texts)
        result = self.worker.compared(text, searched.texts + 1, *in_turn(searched.texts))
        if isinstance(result, Failure):
            self._found(result, text, searched.texts)
        searched.texts += 1
        searched.refused += result == REFUSED
        searched.seconds += time.monotonic() - began
        self.texts += 1
        self.finds.save()
        self._show()

    def _found(self, failure: Failure, text: str, number: int) -> None:
        if not self.finds.is_new(failure):
            return
        self.new.append(self.finds.keep(failure, text, number))  # in case reducing it is interrupted
        self._say(f"found: {self.new[-1]}")
        end = min(self.end, time.monotonic() + 60 * self.reduce_minutes)

        def still_fails(smaller: str) -> bool:
            self._show()
            result = compared_apart(smaller, number + 1, (failure.comparison,))
            return isinstance(result, Failure) and result.sort == failure.sort

        smaller = reduced(text, still_fails, lambda: time.monotonic() < end)
        again = compared_apart(smaller, number + 1, (failure.comparison,))
        self.finds.keep(again if isinstance(again, Failure) else failure, smaller, number)

    def _show(self) -> None:
        now, is_shown = time.monotonic(), sys.stderr.isatty()
        if now < self.shown + (SHOW_EVERY_S if is_shown else SHOW_IN_LOG_S):
            return
        self.shown = now
        searched = self.finds.searched
        ends = datetime.now().astimezone() + timedelta(seconds=self.end - now)
        refused = 100 * searched.refused / max(1, searched.texts)
        line = f"{searched.texts:,} texts, {refused:.0f} % refused, {len(self.new)} new finds, ends {ends:%H:%M:%S}"
        print(f"\r{line} " if is_shown else line, end="" if is_shown else "\n", file=sys.stderr, flush=True)

    def _say(self, line: str) -> None:
        print(f"\r{line}" if sys.stderr.isatty() else line, file=sys.stderr, flush=True)
