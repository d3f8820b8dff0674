"""Searches in games with turns: simulations and nodes per second, depths reached, nodes saved.

All per second of processor time on one thread, from the first decision; OpenSpiel's MCTS bot in the same run.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ggp
from benchmarks import tables
from benchmarks.openspiel import pyspiel
from benchmarks.tables import rate, rate_of_more, table
from players.agents.iteration_rate import iterations_a_second, search_at_first_decision
from players.agents.registry import read_player
from players.search.star.star_search import StarSearch

SIMULATING = ("mcts", "dpw")
MEGABYTES = 512
STARS = ("expectimax", "star1", "star2", "expss:samples=8", "star1ss:samples=8", "star2ss:samples=8")
PEERS = {"connect_four": "connect_four", "breakthrough": "breakthrough", "backgammon": "backgammon", "kalah": "mancala"}
"""OpenSpiel's names of the games in which simulations are compared."""
STAR_GAMES = ("pig", "einstein", "cant_stop", "ra", "backgammon", "connect_four", "breakthrough", "chess")
MOVE_S = 0.2
QUICK_NODES = 300_000
MAX_EQUAL_NODES = 3_000_000
"""Maximum number of nodes that expectimax visits at the depth at which nodes are compared."""


@dataclass(frozen=True, slots=True)
class SimulationSpeed:
    """Simulations per second in a game: ours by player, and OpenSpiel's bot's."""

    ours: dict[str, float]
    peer: float


@dataclass(frozen=True, slots=True)
class StarSpeed:
    """Measurements of a depth-limited search in a game.

    Attributes:
        nodes_per_s: states visited a second.
        depth: of the last iteration completed within MOVE_S seconds.
        share: of expectimax's nodes that it visits at `equal_depth`, without a table; 0 for sampled outcomes.
        equal_depth: the deepest at which expectimax visits no more than MAX_EQUAL_NODES.
    """

    nodes_per_s: float
    depth: int
    share: float
    equal_depth: int


def simulations_per_s(name: str, player: str, seconds: float) -> float:
    """Return the simulations a second of one of our players."""
    spec = read_player(f"{player}:memory={MEGABYTES}")
    return iterations_a_second(search_at_first_decision(ggp.load(name), spec, 1, touch=True).run, seconds)


def open_spiel_simulations_per_s(name: str, seconds: float) -> float:
    """Return the simulations a second of OpenSpiel's MCTS bot."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def search(simulations: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 5)
        pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 7, False).mcts_search(state)

    simulations, spent = rate_of_more(search, seconds)
    return simulations / spent


def star_search(name: str, player: str, options: str = "") -> StarSearch:
    """Return a search of a player at the first decision of a game."""
    spec = read_player(f"{player}{',' if ':' in player else ':'}{options}" if options else player)
    search = search_at_first_decision(ggp.load(name), spec, 1)
    assert isinstance(search, StarSearch)
    return search


def nodes_at(name: str, player: str, depth: int, most: int) -> int:
    """Return how many states the iteration of one depth visits, without a table; 0 if more than `most`."""
    search = star_search(name, player, f"table=0,depth={depth}")
    while not search.settled:
        search.run(100_000)
        if search.iterations > most:
            return 0
    before = search.found[-2].visited if len(search.found) > 1 else 0
    return search.found[-1].visited - before


def equal_depth(name: str, most: int) -> tuple[int, int]:
    """Return the greatest depth at which expectimax visits at most `most` states, and how many it visits there."""
    depth, nodes = 1, 0
    while True:
        found = nodes_at(name, "expectimax", depth + 1, most)
        if not found or found == nodes:
            return depth, nodes or nodes_at(name, "expectimax", depth, most)
        depth, nodes = depth + 1, found


def star_speeds(name: str, seconds: float, most: int) -> dict[str, StarSpeed]:
    """Return the measurements of each of STARS in a game."""
    depth, whole = equal_depth(name, most)
    found = {}
    for player in STARS:
        search = star_search(name, player)
        began, reached = time.process_time(), 0
        while (spent := time.process_time() - began) < max(seconds, MOVE_S) and not search.settled:
            search.run(10_000)
            if time.process_time() - began <= MOVE_S and search.found:
                reached = search.found[-1].depth
        share = 0.0 if "samples" in player else nodes_at(name, player, depth, 2 * most) / whole
        found[player] = StarSpeed(search.iterations / spent, reached, share, depth)
    return found


def measure_simulations(names: Sequence[str], seconds: float) -> dict[str, SimulationSpeed]:
    """Return simulations a second in each game, ours and OpenSpiel's."""
    return {
        name: SimulationSpeed(
            {player: simulations_per_s(name, player, seconds) for player in SIMULATING},
            open_spiel_simulations_per_s(PEERS[name], seconds),
        )
        for name in names
    }


def measure_stars(names: Sequence[str], seconds: float, most: int = MAX_EQUAL_NODES) -> dict[str, dict[str, StarSpeed]]:
    """Return the measurements of depth-limited searches in each game, by game and player."""
    return {name: star_speeds(name, seconds, most) for name in names}


def section(simulations: Mapping[str, SimulationSpeed], stars: Mapping[str, Mapping[str, StarSpeed]]) -> str:
    """Return the tables of searches in games with turns."""
    compared = [
        [
            name,
            *(rate(speed.ours[player]) for player in SIMULATING),
            rate(speed.peer),
            f"{speed.ours['mcts'] / speed.peer:.1f}",
        ]
        for name, speed in simulations.items()
    ]
    fast = [
        [name, *(f"{found[player].nodes_per_s / 1000:,.0f}, {found[player].depth}" for player in STARS)]
        for name, found in stars.items()
    ]
    saved = [
        [
            name,
            str(found["star1"].equal_depth),
            *(f"{100 * (1 - found[player].share):.0f}" for player in ("star1", "star2")),
        ]
        for name, found in stars.items()
    ]
    return (
        "## Searches of games in turns\n\nSimulations a second, beside OpenSpiel's MCTS bot.\n\n"
        + table(["game", *SIMULATING, "OpenSpiel, C++", "mcts is faster by"], compared)
        + "\n\nThousand states visited a second, and the depth that is finished from the first decision after "
        + f"{1000 * MOVE_S:.0f} ms.\n\n"
        + table(["game", *STARS], fast)
        + "\n\nShare of expectimax's states that pruning saves at equal depth, without a table, in %.\n\n"
        + table(["game", "depth", "star1", "star2"], saved)
    )


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    seconds = tables.seconds(quick)
    simulations = measure_simulations(("connect_four",) if quick else tuple(PEERS), seconds)
    most = QUICK_NODES if quick else MAX_EQUAL_NODES
    stars = measure_stars(("pig",) if quick else STAR_GAMES, seconds, most)
    return {"simulations": simulations, "stars": stars}, section(simulations, stars)
