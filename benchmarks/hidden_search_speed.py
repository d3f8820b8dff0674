"""Iterations per second of the searches with hidden information, by processor time, on one thread, from the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ggp
from benchmarks import tables
from benchmarks.tables import Row, table
from players.agents.iteration_rate import iterations_a_second, search_at_first_decision
from players.agents.registry import read_player

PLAYERS = (
    "ismcts:selection=uct",
    "ismcts:selection=ruct",
    "ismcts:selection=exp3",
    "ismcts:selection=rm",
    "oos",
)
MEGABYTES = 512


GOOFSPIEL = {"prizes": "descending", "bids": "hidden"}
POKER: dict[str, str | int] = {"bet_sizes": 2, "max_raises": 2, "copies": 3}
ROWS = (
    Row("hidden goofspiel(6)", "goofspiel", {"n": 6, "lowest": 0, **GOOFSPIEL}, (1097, 239, 138, 260, 161)),
    Row("generic poker, 2 bets, 2 raises, 3×3 cards", "poker", POKER, (1167, 698, 1284, 1071, 822)),
    Row("phantom tic-tac-toe, centre first", "phantom_tic_tac_toe", {"opening": "centre"}, (681, 445, 301, 493, 579)),
    Row("phantom tic-tac-toe", "phantom_tic_tac_toe", {}, (337, 179, 162, 0, 0)),
    Row("hidden goofspiel(13)", "goofspiel", {"n": 13, **GOOFSPIEL}, (39, 32, 30, 33, 22)),
)


def hidden_search_speed(row: Row, player: str, seconds: float) -> float:
    """Return the iterations per second of a player that searches for `seconds` of processor time."""
    spec = read_player(f"{player}{',' if ':' in player else ':'}memory={MEGABYTES}")
    search = search_at_first_decision(ggp.load(row.game, **row.parameters), spec, 1)
    return iterations_a_second(search.run, seconds)


def measure(rows: tuple[Row, ...], seconds: float) -> dict[str, dict[str, float]]:
    """Return the speed of each player on each row, by title and player."""
    return {row.title: {player: hidden_search_speed(row, player, seconds) for player in PLAYERS} for row in rows}


def section(figures: Mapping[str, Mapping[str, float]]) -> str:
    """Return the table of searches with hidden information, each with the ratio to the Java program.

    Args:
        figures: iterations a second, by title of the game, and player.
    """
    rows = [row.cells([figures[row.title][player] for player in PLAYERS]) for row in ROWS if row.title in figures]
    heading = ["game", *(player.replace("ismcts:selection=", "ismcts ") for player in PLAYERS)]
    return (
        "## Searches with hidden information\n\nThousand iterations a second from the beginning of the game, in "
        + "brackets the ratio to the Java program of Lisý 2014.\n\n"
        + table(heading, rows)
    )


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    figures = measure(ROWS[:1] if quick else ROWS, tables.seconds(quick))
    return figures, section(figures)
