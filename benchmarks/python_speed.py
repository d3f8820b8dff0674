"""How fast random games are from Python: in a loop over `State`, and in OpenSpiel's loop."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks import tables
from benchmarks.library_playouts import PEERS, game_of
from benchmarks.openspiel import pyspiel
from benchmarks.tables import rate, table
from ggp.cli.commands.bench import python_speed


@dataclass(frozen=True, slots=True)
class PythonSpeed:
    """Rates per second of processor time, on one thread.

    Attributes:
        python_games_per_s: random games in a loop over `State`.
        peer_games_per_s: the same in OpenSpiel, 0 if it does not have the game.
    """

    python_games_per_s: float
    peer_games_per_s: float


def measure(names: Sequence[str], seconds: float) -> dict[str, PythonSpeed]:
    """Measure games of the library; each figure takes some seconds."""
    found = {}
    for name in names:
        game = game_of(name)
        peer = PEERS.get(name, ("", {}))[0]
        found[name] = PythonSpeed(
            python_games_per_s=python_speed(game, seconds, 1, time.process_time)["python_games_per_s"],
            peer_games_per_s=loop_of_open_spiel(peer, seconds) if peer else 0.0,
        )
    return found


def loop_of_open_spiel(name: str, seconds: float) -> float:
    """Return OpenSpiel's random games per second in a plain Python loop."""
    game, rng, played = pyspiel.load_game(name), Random(1), 0
    players, choice = range(game.num_players()), rng.choice
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, probabilities)[0])
            elif state.is_simultaneous_node():
                state.apply_actions([choice(state.legal_actions(player) or [0]) for player in players])
            else:
                state.apply_action(choice(state.legal_actions()))
        state.returns()
        played += 1
    return played / spent


def section(figures: Mapping[str, PythonSpeed]) -> str:
    """Return the table of random games from Python, against OpenSpiel's loop (0: none)."""
    rows = [
        [
            name,
            rate(one.python_games_per_s),
            rate(one.peer_games_per_s),
            f"{one.python_games_per_s / one.peer_games_per_s:.1f}" if one.peer_games_per_s else "-",
        ]
        for name, one in figures.items()
    ]
    heading = ["game", "games/s in Python", "OpenSpiel", "ratio"]
    note = "Random games in a loop over `State`, and in the same loop over OpenSpiel's states."
    return f"## From Python\n\n{table(heading, rows)}\n\n{note}"


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    figures = measure(tables.games(quick), tables.seconds(quick))
    return figures, section(figures)
