"""Random playouts per second of processor time of exported pages, in node, and of native code in turns with them.

Run by `python -m benchmarks.exported_speed [SECONDS] [GAME...]`, seconds for each measurement of a game; both sides are
measured three times, and the medians compared.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import ggp
from benchmarks.library_playouts import playouts
from ggp.language import library_names
from studio.one_page.compiled_game import compiled_game
from studio.one_page.writing import page_of
from tests.support.page_plays import data_of, run_script

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class ExportedSpeed:
    """Of one game: playouts a second of native code and of the page, and the page's size in bytes."""

    native: float
    page: float
    bytes: int

    @property
    def times(self) -> float:
        """How many times as fast native code is."""
        return self.native / self.page


def measure(name: str, seconds: float) -> ExportedSpeed:
    """Return the speeds of a library game."""
    game = ggp.load(name)
    native, page = [], []
    with tempfile.TemporaryDirectory() as folder:
        given = {**data_of(game), "seconds": seconds}
        for _ in range(ROUNDS):
            native.append(playouts(game, seconds)[0])
            page.append(float(run_script("page_playouts.ts", given, Path(folder))))
    size = len(page_of(compiled_game(game, name)).encode())
    return ExportedSpeed(statistics.median(native), statistics.median(page), size)


def main(seconds: float, names: list[str]) -> None:
    """Print the table."""
    print(f"{'game':22}{'native/s':>12}{'page/s':>12}{'times':>8}{'kB':>8}")
    measured = []
    for name in names:
        speed = measure(name, seconds)
        measured.append(speed.times)
        print(
            f"{name:22}{speed.native:12,.0f}{speed.page:12,.0f}{speed.times:8.2f}{speed.bytes / 1000:8.0f}", flush=True
        )
    print(f"{'geometric mean':46}{statistics.geometric_mean(measured):8.2f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.5, sys.argv[2:] or list(library_names()))
