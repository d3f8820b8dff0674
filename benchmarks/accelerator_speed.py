"""Random games by the batch on all processors, beside Pgx and Ludax on an accelerator of the same machine.

`python -m benchmarks.accelerator_speed --jax PYTHON [--json FILE] [GAME...]`, where PYTHON is a Python that has JAX for
the accelerator, Pgx and Ludax. They are compiled side by side, then measured one after the other, each by the best
number of games at once; ours are measured when all of them have ended.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.batch_speed import CHILD, Child
from benchmarks.library_playouts import game_of
from benchmarks.machine import machine_line
from benchmarks.tables import rate, table
from ggp.game.batch_threads import usable_processors
from ggp.native.playouts import PLAYOUT_LIMIT

LIGHT, MIDDLE, HEAVY = (65_536, 1_048_576), (8_192, 131_072), (4_096, 32_768)
"""Games at once of what fits into an accelerator more and less often."""
PEERS: dict[str, tuple[tuple[str, ...], tuple[int, int]]] = {
    "tic_tac_toe": (("pgx:tic_tac_toe", "ludax:tic_tac_toe"), LIGHT),
    "connect_four": (("pgx:connect_four", "ludax:connect_four"), LIGHT),
    "kuhn_poker": (("pgx:kuhn_poker",), LIGHT),
    "poker": (("pgx:leduc_holdem",), LIGHT),
    "reversi": (("pgx:othello", "ludax:reversi"), MIDDLE),
    "hex": (("pgx:hex", "ludax:hex"), MIDDLE),
    "backgammon": (("pgx:backgammon",), MIDDLE),
    "go": (("pgx:go_9x9",), HEAVY),
    "chess": (("pgx:chess",), HEAVY),
    "checkers": (("ludax:english_draughts",), MIDDLE),
    "connect6": (("ludax:connect_six",), MIDDLE),
    "gomoku": (("ludax:gomoku",), MIDDLE),
    "hasami_shogi": (("ludax:hasami_shogi",), MIDDLE),
    "pente": (("ludax:pente",), MIDDLE),
    "wolf_and_sheep": (("ludax:wolf_and_sheep",), MIDDLE),
    "yavalath": (("ludax:yavalath",), MIDDLE),
    "yavalax": (("ludax:yavalax",), MIDDLE),
}
"""What each library game is called there."""
OUR_SIZES = (32_768, 131_072)
STEPS = 50
ROUNDS = 3
COMPILE_S = 240.0


@dataclass(frozen=True, slots=True)
class Rates:
    """Actions of players a second of the clock: `shown` with masks and observations of every step, `bare` without."""

    shown: float
    bare: float


def peer_rates(python: Path, names: Sequence[str]) -> dict[str, Rates]:
    """Return the rates of games of Pgx and Ludax that were compiled in time, by their names there."""
    found: dict[str, Rates] = {}
    end = time.monotonic() + COMPILE_S
    environment = {"JAX_PLATFORMS": "cuda", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"} | os.environ
    with ExitStack() as stack:
        running = [
            (peer, subprocess.Popen(
                [str(python), str(CHILD), peer, str(size), str(STEPS)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
            ))
            for name in names for peer in PEERS[name][0] for size in PEERS[name][1]
        ]  # fmt: skip
        children = [(peer, Child(process, max(1.0, end - time.monotonic()))) for peer, process in running]
        for _, child in children:
            stack.callback(child.end)
        for peer, child in children:
            rounds = [Rates(*child.rates()) for _ in range(ROUNDS)][1:]
            rounds.append(found.get(peer, Rates(0.0, 0.0)))
            found[peer] = Rates(max(one.shown for one in rounds), max(one.bare for one in rounds))
            child.end()
            print(f"{peer}: {rate(found[peer].shown)} shown, {rate(found[peer].bare)} bare", flush=True)
    return found


def our_rates(name: str, seconds: float, threads: int | None = None) -> Rates:
    """Return the rates of a library game's batches, by threads on all processors unless told otherwise."""
    return Rates(*(max(_rate(name, n, show, seconds, threads) for n in OUR_SIZES) for show in (True, False)))


def _rate(name: str, n: int, show: bool, seconds: float, threads: int | None) -> float:
    batch = game_of(name).batch(n, seed=1, threads=threads, limit=PLAYOUT_LIMIT, show=show)
    shares = []
    began = time.perf_counter()
    while time.perf_counter() - began < seconds / 2 or len(shares) < 10:
        shares.append(np.count_nonzero(batch.acting > 0) / n)
        batch.step(batch.random_actions(), check=False)
    made, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        batch.step(batch.random_actions(), check=False)
        made += n
    return made / spent * float(np.mean(shares[len(shares) // 2 :]))


def page(ours: dict[str, Rates], theirs: dict[str, Rates]) -> str:
    """Return the table."""
    rows = []
    for name, own in ours.items():
        for peer in PEERS[name][0]:
            other = theirs.get(peer, Rates(0.0, 0.0))
            rows.append(
                [name, peer, rate(own.shown), rate(other.shown), _ratio(own.shown, other.shown),
                 rate(own.bare), rate(other.bare), _ratio(own.bare, other.bare)]
            )  # fmt: skip
    heading = ["game", "beside", "ours, shown", "theirs", "ratio", "ours, bare", "theirs", "ratio"]
    return table(heading, rows)


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.2f}" if theirs else "-"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accelerator_speed", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(PEERS)}; all by default")
    parser.add_argument("--jax", type=Path, metavar="PYTHON", help="has JAX, Pgx and Ludax; without it, only ours")
    parser.add_argument("--seconds", type=float, default=0.6, help="of each of our rates")
    parser.add_argument("--json", type=Path, help="write the figures")
    given = parser.parse_args(arguments)
    names = given.games or list(PEERS)
    if unknown := [name for name in names if name not in PEERS]:
        parser.error(f"`{unknown[0]}` is not measured; games: {', '.join(PEERS)}")
    theirs = peer_rates(given.jax, names) if given.jax else {}
    ours = {name: our_rates(name, given.seconds) for name in names}
    threads = {
        count: our_rates("connect_four", given.seconds, count)
        for count in (1, 2, 4, 8, 16) if count <= usable_processors()
    }  # fmt: skip
    print(page(ours, theirs))
    for count, one in threads.items():
        print(f"connect four, {count} threads: {rate(one.shown)} shown, {rate(one.bare)} bare")
    print(machine_line())
    if given.json:
        figures = {"ours": ours, "theirs": theirs, "threads": threads}
        told = {key: {str(name): asdict(one) for name, one in rates.items()} for key, rates in figures.items()}
        given.json.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
