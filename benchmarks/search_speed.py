"""Iterations per second of the searches, by processor time on one thread, and bytes per node of their trees."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import ggp
from benchmarks import tables
from benchmarks.tables import Row, table
from ggp.game.game import Game
from players.agents.iteration_rate import iterations_a_second, search_at_first_decision
from players.agents.registry import read_player
from players.search.simultaneous.tree_search import TreeSearch

PLAYERS = ("duct", "exp3", "rm", "oos")
MEGABYTES_A_SECOND = 1280
"""More than the fastest tree needs; the memory it will use is touched beforehand."""
LEAST_MEGABYTES = 64
PROBE_WORDS = 1 << 25

TRON_NOTE = """\
Riding into a wall is legal in Tron, so its random games last 1.35 transitions on average: its rates say little about
longer games, and it is unknown whether the Java program's playouts crash as early.
"""


FIXED = {"prizes": "descending"}
PURSUIT_10 = {"width": "10", "height": "10", "moves": "15"}
ROWS = (
    Row("goofspiel(5), fixed prizes", "goofspiel", {"n": "5", **FIXED}, (691, 412, 756, 283)),
    Row("Oshi-Zumo(10,3,1)", "oshi_zumo", {"coins": "10"}, (183, 143, 269, 189)),
    Row("Tron 5×6", "tron", {"width": "5", "height": "6"}, (333, 199, 279, 149)),
    Row("pursuit-evasion 4×4, 5 moves", "pursuit_evasion", {}, (876, 307, 1028, 1654)),
    Row("goofspiel(13), fixed prizes", "goofspiel", FIXED, (27, 31, 30, 26)),
    Row("Oshi-Zumo(50,3,1)", "oshi_zumo", {"coins": "50"}, (38, 10, 39, 52)),
    Row("Tron 13×13", "tron", {}, (24, 25, 20, 21)),
    Row("pursuit-evasion 10×10, 15 moves", "pursuit_evasion", PURSUIT_10, (15, 14, 16, 15)),
    Row("goofspiel(13), shuffled prizes", "goofspiel", {}),
)


@dataclass(frozen=True, slots=True)
class Speed:
    """Iterations per second of processor time, and bytes of memory per node of the tree."""

    iterations_per_s: float
    bytes_per_node: float


def search_speed(game: Game, player: str, seconds: float) -> Speed:
    """Search for `seconds` of processor time, with a tree that does not fill up in this time.

    All memory of the tree is touched before, as after some moves of a match. The first touch costs the time that the
    system needs to provide memory, which is a property of the machine: see `memory_cost`.
    """
    spec = read_player(f"{player}:memory={max(LEAST_MEGABYTES, round(MEGABYTES_A_SECOND * seconds))}")
    search = search_at_first_decision(game, spec, 1, touch=True)
    assert isinstance(search, TreeSearch)
    return Speed(iterations_a_second(search.run, seconds), search.bytes_used / search.nodes)


def memory_cost() -> float:
    """Return the seconds of processor time that a gigabyte of memory takes when it is touched for the first time."""
    words = np.zeros(PROBE_WORDS)
    began = time.process_time()
    words[:] = 0.0
    return (time.process_time() - began) * (1 << 30) / words.nbytes


def measure(rows: tuple[Row, ...], seconds: float) -> dict[str, dict[str, Speed]]:
    """Return the speed of each player on each row, by title and player."""
    games = {row.title: ggp.load(row.game, **row.parameters) for row in rows}
    return {title: {player: search_speed(game, player, seconds) for player in PLAYERS} for title, game in games.items()}


def section(figures: Mapping[str, Mapping[str, Speed]], memory_s: float) -> str:
    """Return the table of searches, each with the ratio to the Java program, and that of memory.

    Args:
        figures: by title of the game, and player.
        memory_s: seconds that a gigabyte takes when it is touched for the first time.
    """
    rows = [
        row.cells([figures[row.title][player].iterations_per_s for player in PLAYERS])
        for row in ROWS
        if row.title in figures
    ]
    memory = [
        [title, *(f"{speeds[player].bytes_per_node:,.0f}" for player in PLAYERS)] for title, speeds in figures.items()
    ]
    return (
        "## Searches\n\nThousand iterations a second, in brackets the ratio to the Java program of Lisý 2014.\n\n"
        + table(["game", *PLAYERS], rows)
        + f"\n\n{TRON_NOTE}\nThe memory had been touched before. The first touch of a gigabyte took {memory_s:.2f} s "
        + "of processor time, which is added where a tree grows into fresh memory.\n\n"
        + "Bytes a node, with all its statistics and its table of children; leaves are nodes.\n\n"
        + table(["game", *PLAYERS], memory)
    )


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    memory_s = memory_cost()
    speeds = measure(ROWS[:2] if quick else ROWS, tables.seconds(quick))
    return speeds, section(speeds, memory_s)
