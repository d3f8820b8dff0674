"""Random games by the batch beside Pgx: the same core, the same run, one after the other in turns."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from benchmarks import tables
from benchmarks.library_playouts import game_of, playouts
from benchmarks.tables import rate, table
from ggp.game.game import Game
from ggp.native.playouts import PLAYOUT_LIMIT

BATCH = 4096
CHILD = Path(__file__).with_name("jax_child.py")
ROUNDS = 5
COMPILE_S = 600.0
"""Pgx is left out of a row where it has not compiled the game by then."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A game that Pgx has, too: its name there, and how many transitions are made in one round."""

    name: str
    steps: int


PEERS = {
    "tic_tac_toe": Peer("pgx:tic_tac_toe", 200),
    "connect_four": Peer("pgx:connect_four", 200),
    "poker": Peer("pgx:leduc_holdem", 100),
    "go": Peer("pgx:go_9x9", 2),
    "chess": Peer("pgx:chess", 1),
}


@dataclass(frozen=True, slots=True)
class BatchSpeed:
    """Rates a second of processor time, on one core.

    Attributes:
        steps_per_s: transitions of BATCH games, those of chance included.
        actions_per_s: of these, the ones in which a player acts.
        shown_actions_per_s: the same where every step also writes what is legal as a mask and what is seen as a tensor:
            the state, or what each player is told where something is hidden.
        playout_steps_per_s: transitions of native playouts.
        peer_actions_per_s: Pgx's transitions, in all of which a player acts, called once a step from Python as ours
            are; 0 where it was not measured.
        peer_loop_actions_per_s: the same in one compiled loop.
        peer_compile_s: what it took to compile them, seconds on the clock.
    """

    steps_per_s: float
    actions_per_s: float
    shown_actions_per_s: float
    playout_steps_per_s: float
    peer_actions_per_s: float
    peer_loop_actions_per_s: float
    peer_compile_s: float


def measure(names: Sequence[str], seconds: float, pgx: Path | None) -> dict[str, BatchSpeed]:
    """Measure games on one core, the medians of some rounds.

    Args:
        names: of library games; those in `PEERS` beside Pgx.
        seconds: of each round.
        pgx: a Python that has Pgx; None: without it.
    """
    with _one_core():
        return {name: _measure(name, seconds, pgx) for name in names}


def _measure(name: str, seconds: float, pgx: Path | None) -> BatchSpeed:
    game, peer = game_of(name), None if pgx is None else PEERS.get(name)
    with _child(pgx, peer) as child:
        rounds = [(*batch_rates(game, seconds), playouts(game, seconds / 2)[1], *child.rates()) for _ in range(ROUNDS)]
    return BatchSpeed(*(float(np.median(figures)) for figures in zip(*rounds, strict=True)), child.compile_s)


def batch_rates(game: Game, seconds: float) -> tuple[float, float, float]:
    """Return transitions a second of BATCH games by random legal actions: all; those in which a player acts; the
    latter with masks and tensors written after each.
    """
    rates, share = [], 0.0
    for show in (False, True):
        batch = game.batch(BATCH, seed=1, threads=1, limit=PLAYOUT_LIMIT, show=show)
        shares = []
        for _ in range(100):  # compiles, and spreads the games over their lengths
            shares.append(np.count_nonzero(batch.acting > 0) / BATCH)
            batch.step(batch.random_actions(), check=False)
        share = float(np.mean(shares[20:]))
        made, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            batch.step(batch.random_actions(), check=False)
            made += BATCH
        rates.append(made / spent)
    return rates[0], rates[0] * share, rates[1] * share


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep this process, and those that it starts, on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class Child:
    """Pgx or Ludax in a process of its own, or nothing; it has so many seconds to compile."""

    def __init__(self, process: subprocess.Popen[str] | None, compile_s: float = COMPILE_S) -> None:
        self.compile_s = 0.0
        self._process = process
        answer = self._answer(compile_s)
        if answer.startswith("ready "):
            self.compile_s = float(answer.removeprefix("ready "))
        else:
            self.end()

    def rates(self) -> tuple[float, float]:
        """Return transitions a second of one round, by calls and in a loop; 0 without Pgx."""
        if self._process is None:
            return 0.0, 0.0
        print("go", file=_open(self._process.stdin), flush=True)
        by_calls, in_loop = map(float, (self._answer(COMPILE_S) or "0 0").split())
        return by_calls, in_loop

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _answer(self, limit_s: float) -> str:
        """Return the next line that the process writes; none after some time, or where there is no process."""
        if self._process is None:
            return ""
        output = _open(self._process.stdout)
        os.set_blocking(output.fileno(), False)
        end, line = time.monotonic() + limit_s, ""
        while not line.endswith("\n") and time.monotonic() < end and self._process.poll() is None:
            line += output.readline()
            time.sleep(0.01)
        return line


def _open(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


@contextmanager
def _child(pgx: Path | None, peer: Peer | None) -> Iterator[Child]:
    process = None
    if pgx is not None and peer is not None:
        process = subprocess.Popen(
            [str(pgx), str(CHILD), peer.name, str(BATCH), str(peer.steps)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
    child = Child(process)
    try:
        yield child
    finally:
        child.end()


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.1f}" if theirs else "-"


def section(figures: Mapping[str, BatchSpeed]) -> str:
    """Return the table of batches, beside Pgx where it was measured."""
    rows = [
        [
            name,
            rate(one.steps_per_s),
            f"{one.playout_steps_per_s / one.steps_per_s:.1f}",
            rate(one.actions_per_s),
            rate(one.shown_actions_per_s),
            rate(one.peer_actions_per_s),
            _ratio(one.actions_per_s, one.peer_actions_per_s),
            _ratio(one.shown_actions_per_s, one.peer_actions_per_s),
            rate(one.peer_loop_actions_per_s),
            _ratio(one.actions_per_s, one.peer_loop_actions_per_s),
        ]
        for name, one in figures.items()
    ]
    heading = [
        "game",
        "steps/s",
        "playout is faster by",
        "players' actions/s",
        "with masks and observations",
        "Pgx",
        "ratio",
        "ratio with both",
        "Pgx in a loop",
        "ratio",
    ]
    note = (
        f"Transitions of {BATCH:,} games at once, random legal actions and automatic reset included, on one core, by "
        "processor time, measured in turns. `Pgx`: Python calls one compiled function a step and gets the "
        "states, which hold masks and observations; `in a loop`: all steps are one compiled loop (`lax.scan`). "
        "Pgx draws for chance within a player's action, so only players' actions are compared."
    )
    return f"## Beside Pgx\n\n{table(heading, rows)}\n\n{note}"


def part(quick: bool, pgx: Path | None) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    figures = measure(tables.QUICK_GAMES[1:] if quick else tuple(PEERS), tables.seconds(quick), pgx)
    return figures, section(figures)
