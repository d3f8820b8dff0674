"""Random playouts per second of processor time of exported pages, in node, and of native code in turns with them.

Of pages, both in one call as native code is measured, and in a call each, as the page's search makes them.

Run by `python -m benchmarks.exported_speed [SECONDS] [GAME...]`, seconds for each measurement of a game; both sides are
measured three times, and the medians compared.
"""

from __future__ import annotations

import base64
import statistics
import sys
from dataclasses import dataclass

import ggp
from benchmarks.library_playouts import playouts
from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Assign, Call, For, Kind, Name, Return
from ggp.codegen.llvm.wasm import WasmModule, wasm_module
from ggp.game.game import Game
from ggp.language import library_names
from ggp.rules_compiler.entry_points.entries import RNG_ROW, generate
from ggp.rules_compiler.entry_points.playouts import REALS_OUT, STATE
from ggp.rules_compiler.native_code import FUNCTIONS
from ggp.rules_compiler.rules_backend import rules_of
from studio.one_page.compiled_game import compiled_game
from studio.one_page.writing import page_of
from tests.support.page_plays import data_of, run_script

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class ExportedSpeed:
    """Of one game: playouts a second of native code, of the page, of the page in a call each; its size in bytes."""

    native: float
    page: float
    called: float
    bytes: int

    @property
    def times(self) -> float:
        """How many times as fast native code is."""
        return self.native / self.page


def with_playouts(game: Game) -> WasmModule:
    """Return a game's functions as WebAssembly, with one that makes several random plays and counts those that end."""
    backend = rules_of(game)
    module = generate(backend.rules, backend.layout)
    limit, count, ended, number = (Name(name, Kind.INT) for name in ("limit", "count", "ended", "number"))
    parameters = (STATE, RNG_ROW, REALS_OUT, limit)
    did_end = ir.compare("greater_equal", Call("playout", parameters, Kind.INT), 0)
    body = [
        Assign(ended, ir.ZERO),
        For(number, ir.ZERO, count, [Assign(ended, ir.add(ended, ir.as_integer(did_end)))]),
        Return((ended,)),
    ]
    module.finish("playouts", (*parameters, count), [Kind.INT], body)
    return wasm_module(module.code, (*FUNCTIONS, "playouts"))


def measure(name: str, seconds: float) -> ExportedSpeed:
    """Return the speeds of a library game."""
    game = ggp.load(name)
    native, page, called = [], [], []
    module = with_playouts(game)
    given = {**data_of(game), "code": base64.b64encode(module.code).decode(), "seconds": seconds}
    given["facts"]["dataEnd"] = module.data_end
    for _ in range(ROUNDS):
        native.append(playouts(game, seconds)[0])
        together, alone = run_script("page_playouts.ts", given)
        page.append(together)
        called.append(alone)
    size = len(page_of(compiled_game(game, name)).encode())
    return ExportedSpeed(statistics.median(native), statistics.median(page), statistics.median(called), size)


def main(seconds: float, names: list[str]) -> None:
    """Print the table."""
    print(f"{'game':22}{'native/s':>12}{'page/s':>12}{'times':>8}{'in calls':>12}{'kB':>8}")
    measured = []
    for name in names:
        speed = measure(name, seconds)
        measured.append(speed.times)
        rates = f"{speed.native:12,.0f}{speed.page:12,.0f}{speed.times:8.2f}{speed.called:12,.0f}"
        print(f"{name:22}{rates}{speed.bytes / 1000:8.0f}", flush=True)
    print(f"{'geometric mean':46}{statistics.geometric_mean(measured):8.2f}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.5, sys.argv[2:] or list(library_names()))
