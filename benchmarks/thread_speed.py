"""The effect of threads: iterations a second of wall time, and how exploitable the root's strategies are at equal time.

Exploitability is that in the matrix of the root's joint actions with their exact values (NashConv: the sum of what the
players could gain by their best actions there), as a mean over seeds. Separate trees that are averaged at the end get
fewer iterations each than a single tree would, so twice the iterations are worth less than twice the time.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

import ggp
from benchmarks import tables
from benchmarks.search_speed import FIXED, first_decision, player_with_memory
from benchmarks.tables import Row, rate, table
from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import F64, I64
from ggp.game.game import Game
from ggp.solvers.worlds.backward_induction import StateValues, optimal_values
from ggp.solvers.worlds.exploration import explore_game
from players.agents.time_control import Pacing
from players.search.foundation.searches import Search

PLAYERS = ("duct", "rm", "oos")
SPEED_ROWS = (
    Row("goofspiel(13), shuffled prizes", "goofspiel", {}),
    Row("Oshi-Zumo(50,3,1)", "oshi_zumo", {"coins": "50"}),
)
STRENGTH_ROW = Row("goofspiel(5), fixed prizes", "goofspiel", {"n": "5", **FIXED})
STRENGTH_SECONDS = (0.01, 0.1)
STRENGTH_RUNS = 20
SLICES = 20


@dataclass(frozen=True, slots=True)
class ThreadSpeed:
    """Iterations a second with one thread, and with several: of wall time, and of processor time of all threads.

    On a machine that does other work too, only the second shows whether threads hinder each other.
    """

    one: float
    several: float
    one_of_cpu: float
    several_of_cpu: float


@dataclass(frozen=True, slots=True)
class ThreadStrength:
    """Mean NashConv at the root after the same wall time, with one thread and with several; and standard errors."""

    seconds: float
    one: float
    one_error: float
    several: float
    several_error: float


@dataclass(frozen=True, slots=True)
class ThreadFigures:
    """All measurements of threads, by title of the game and by player."""

    threads: int
    speed: dict[str, dict[str, ThreadSpeed]]
    strength: dict[str, list[ThreadStrength]]


def thread_count() -> int:
    """Return the number of threads compared with one: as many as there are processors, at least two."""
    return max(2, os.cpu_count() or 2)


def prepared(game: Game, words: I64, player: str, threads: int, seconds: float) -> Search:
    """Return a search that is ready to be seeded and run; all its memory was touched before."""
    spec = player_with_memory(player, seconds, threads)
    search = spec.kind.family.make_search(game.native(), spec.settings)
    search.touch_memory()
    search.prepare(words)
    return search


def speeds(search: Search, words: I64, seconds: float) -> tuple[float, float]:
    """Return iterations a second of wall time, and of processor time, in slices of a twentieth of the time."""
    search.seed(seed_word(1))
    search.set_root(words)
    done, batch = 0, 1024
    began, began_cpu = time.perf_counter(), time.process_time()
    while (spent := time.perf_counter() - began) < seconds:
        search.run(batch)
        done += batch
        batch = max(1024, int(done / max(time.perf_counter() - began, 1e-6) * seconds / SLICES))
    return done / spent, done / (time.process_time() - began_cpu)


def thread_speed(game: Game, words: I64, player: str, threads: int, seconds: float) -> ThreadSpeed:
    """Measure one thread, then several."""
    one, one_of_cpu = speeds(prepared(game, words, player, 1, seconds), words, seconds)
    several, several_of_cpu = speeds(prepared(game, words, player, threads, seconds), words, seconds)
    return ThreadSpeed(one, several, one_of_cpu, several_of_cpu)


def root_matrix(values: StateValues, state: int) -> F64:
    """Return `[R, C]` the exact value to the first player of each joint action of a decision."""
    graph = values.game.graph
    after = graph.target[graph.first[state] : graph.first[state + 1]]
    return values.value[after].reshape(int(graph.rows[state]), int(graph.columns[state]))


def root_nash_conv(search: Search, matrix: F64) -> float:
    """Return the NashConv at the root: what both players together could gain by best responses."""
    row, column = search.strategy(0)[1], search.strategy(1)[1]
    return float((matrix @ column).max() - (row @ matrix).min())


def strength(game: Game, words: I64, matrix: F64, player: str, threads: int, seconds: float) -> tuple[float, float]:
    """Return the mean NashConv at the root over seeds after some wall time, and its standard error."""
    search, pacing, found = prepared(game, words, player, threads, seconds), Pacing(), []
    for run in range(STRENGTH_RUNS):
        search.seed(seed_word(run + 1))
        search.set_root(words)
        pacing.run_until(time.perf_counter() + seconds, search.run, time.perf_counter)
        found.append(root_nash_conv(search, matrix))
    return statistics.fmean(found), statistics.stdev(found) / len(found) ** 0.5


def measure(seconds: float, quick: bool) -> ThreadFigures:
    """Measure speed on each row, and strength on one; with `quick`, one of each only."""
    threads = thread_count()
    speed: dict[str, dict[str, ThreadSpeed]] = {}
    for row in SPEED_ROWS[:1] if quick else SPEED_ROWS:
        game = ggp.load(row.game, **row.parameters)
        words = np.array(first_decision(game), np.int64)
        speed[row.title] = {player: thread_speed(game, words, player, threads, seconds) for player in PLAYERS}
    game = ggp.load(STRENGTH_ROW.game, **STRENGTH_ROW.parameters)
    words = np.array(first_decision(game), np.int64)
    values = optimal_values(explore_game(game.native()))
    matrix = root_matrix(values, values.game.find(words))
    strengths = {
        player: [
            ThreadStrength(
                limit,
                *strength(game, words, matrix, player, 1, limit),
                *strength(game, words, matrix, player, threads, limit),
            )
            for limit in (STRENGTH_SECONDS[:1] if quick else STRENGTH_SECONDS)
        ]
        for player in PLAYERS
    }
    return ThreadFigures(threads, speed, strengths)


def section(figures: ThreadFigures) -> str:
    """Return the tables of the effect of threads."""
    several = f"{figures.threads} threads"
    speeds = [
        [
            title,
            player,
            rate(speed.one),
            rate(speed.several),
            f"{speed.several / speed.one:.2f}",
            f"{speed.several_of_cpu / speed.one_of_cpu:.2f}",
        ]
        for title, row in figures.speed.items()
        for player, speed in row.items()
    ]
    strengths = [
        [
            player,
            f"{found.seconds:g}",
            f"{found.one:.4f} ± {1.96 * found.one_error:.4f}",
            f"{found.several:.4f} ± {1.96 * found.several_error:.4f}",
        ]
        for player, row in figures.strength.items()
        for found in row
    ]
    return (
        "## Threads\n\nIterations a second of wall time; a thread has a tree of its own. The last column compares "
        + "iterations a second of processor time: below 1, threads hinder each other.\n\n"
        + table(["game", "player", "one thread", several, "speed-up", "a CPU second"], speeds)
        + f"\n\nNashConv of the root's strategies in the matrix of exact values, {STRENGTH_ROW.title}, after the same "
        + f"wall time; mean of {STRENGTH_RUNS} runs, with its 95 % interval.\n\n"
        + table(["player", "seconds", "one thread", several], strengths)
    )


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    figures = measure(tables.seconds(quick), quick)
    return figures, section(figures)
