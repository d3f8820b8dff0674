"""Tables 4.1 to 4.12 of Lisý 2014, and the matches of its figures: `python -m experiments.l14_tables 4.8 figure-4.6`.

4.1 to 4.5 are matches of searches of simultaneous moves, with playouts and with an evaluation function; those of
figures 4.6 to 4.10 are the same in the small games of the figures. 4.6 compares parameters of exploration in Oshi-Zumo,
4.7 counts iterations, and 4.8 to 4.12 are matches with hidden information: OOS and the four variants of IS-MCTS against
one another, with beliefs and without. The row's player always has the first role. The thesis gave a decision 0.1 s,
0.5 s (figures), 1 s or 5 s; here it is a number of iterations, so the same seed gives the same table. All pairs get the
same chance and the same seeds, so the cells of a table are not independent of each other.

Goofspiel with hidden bids is played in turns, as in the thesis: the second player bids without being told what the
first has bid. This makes the seats unequal. In the library's goofspiel both bid at once, and there is no first player.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import ggp
from experiments.experiment import Experiment
from experiments.l14_matches import MATCHES, PLAIN, READING, Matches, cell_name, section_of_matches
from experiments.options import Option, some
from experiments.records import recorded_parts
from experiments.tables import around, markdown_table
from ggp.cli.commands.bench import search_speed
from ggp.competition.statistics import Interval, mean_interval, win_rate
from players.agents.registry import read_player
from players.evaluation.matches import TimeControl, play_games

EXPLORING_GAMES, SECONDS, QUICK_SECONDS = 40, 0.5, 0.01

EXPLORATION: dict[str, tuple[str, dict[str, float]]] = {
    "OOS": ("oos:gamma={}", {"0.6": 53.5, "0.5": 50.3, "0.4": 54.1, "0.3": 58.5, "0.2": 55.2, "0.1": 57.1}),
    "DUCT": ("duct:c={},unit=bounds", {"2": 36.2, "1": 50.5, "0.75": 53.6, "0.5": 57.8, "0.4": 63.0, "0.3": 64.7}),
    "EXP3": (
        "exp3:gamma={},unit=bounds",
        {"0.6": 65.2, "0.5": 60.1, "0.4": 62.2, "0.3": 55.2, "0.2": 48.9, "0.1": 39.3},
    ),
    "RM": ("rm:gamma={}", {"0.75": 25.4, "0.5": 36.7, "0.3": 44.2, "0.2": 46.8, "0.1": 48.1, "0.05": 52.8}),
}
"""Of table 4.6: parameters, DUCT's halved for utilities in [0, 1], and the percentages of its first row, after 1 s."""
DEFAULTS = {"OOS": "0.6", "DUCT": "1", "EXP3": "0.2", "RM": "0.1"}
EXPLORING_ITERATIONS = 2000

LARGE_GAMES: dict[str, tuple[str, dict[str, str]]] = {
    "Oshi-Zumo(50,3,1)": ("oshi_zumo", {}),
    "goofspiel(13)": ("goofspiel", {"lowest": "0", "prizes": "descending"}),
    "pursuit-evasion": ("pursuit_evasion", {}),
    "Tron 13x13": ("tron", {}),
}
SPEEDS = {
    "OOS": ("oos:gamma=0.6", (187, 73, 28, 77)),
    "RM": ("rm:gamma=0.1", (186, 92, 34, 75)),
    "DUCT": ("duct:c=1,unit=bounds", (134, 74, 30, 72)),
    "EXP3": ("exp3:gamma=0.2,unit=bounds", (14, 50, 32, 80)),
}
"""Of table 4.7: players, and thousands of iterations in 5 s, in the order of the games."""
TABLES = sorted(("4.6", "4.7", *MATCHES), key=lambda table: (table[0] == "f", int(table.rpartition(".")[2])))


def parts_of(table: str) -> dict[str, tuple[str, ...]]:
    """Return the parts of a table by name, as `Plan.result` takes them."""
    if table == "4.6":
        return {
            f"{table} {name} {value}": (name, value) for name, (_, values) in EXPLORATION.items() for value in values
        }
    if table == "4.7":
        return {f"{table} {title} {name}": (title, name) for title in LARGE_GAMES for name in SPEEDS}
    matches = MATCHES[table]
    return {
        cell_name(table, variant, row, column): (variant, row, column)
        for variant in matches.variants
        for row in matches.names
        for column in matches.names
    }


def result_of(
    table: str, part: tuple[str, ...], games: int | None, iterations: int | None, seconds: float, seed: int
) -> Iterator[Interval]:
    """Yield the result of a part once; `games` per pair and `iterations` per decision, None: the table's default."""
    if table == "4.7":
        name, parameters = LARGE_GAMES[part[0]]
        speed = search_speed(_loaded(name, tuple(parameters.items())), SPEEDS[part[1]][0], seconds, seed)
        yield Interval(speed, speed, speed)
        return
    if table == "4.6":
        text, _ = EXPLORATION[part[0]]
        players = [text.format(part[1]), text.format(DEFAULTS[part[0]])]
        chosen = Matches("", "oshi_zumo", EXPLORING_ITERATIONS, EXPLORING_GAMES, (PLAIN,), "")
    else:
        chosen, (variant, row, column) = MATCHES[table], part
        players = chosen.players(variant, row, column)
    yield _played(chosen, players, games or chosen.games, iterations or chosen.iterations, seed, table == "4.6")


def _played(matches: Matches, players: Sequence[str], games: int, iterations: int, seed: int, swap: bool) -> Interval:
    both, control = [read_player(player) for player in players], TimeControl(iterations=iterations)
    own: list[tuple[float, ...]] = []
    for instance in range(matches.seeds):
        drawn = (("seed", str(instance + 1)),) if matches.seeds > 1 else ()
        game = _loaded(matches.game, (*matches.parameters.items(), *drawn))
        numbers = range(instance, games, matches.seeds)
        results = play_games(game, both, numbers, seed, swap=swap, time_control=control)
        own += [tuple(one.utilities[one.seats.index(player)] for player in (0, 1)) for one in results]
    if matches.value is not None:
        return mean_interval(first - matches.value for first, _ in own)
    wins = sum(first > second for first, second in own)
    losses = sum(first < second for first, second in own)
    return win_rate(wins, len(own) - wins - losses, losses)


@cache
def _loaded(name: str, parameters: tuple[tuple[str, str | int], ...]) -> ggp.Game:
    """Return a game; a process plays many parts of the same one."""
    return ggp.load(name, **dict(parameters))


def section(table: str, found: Mapping[str, Interval], options: argparse.Namespace) -> list[str]:
    """Return the section about a table; `found` has results by the names of parts."""
    parts = [f"## {table.replace('-', ' ').capitalize() if table[0] == 'f' else f'Table {table}'}"]
    rows = []
    if table == "4.6":
        parts.append(
            f"Oshi-Zumo(50,3,1), {options.iterations or EXPLORING_ITERATIONS:,} iterations a decision,"
            f" {options.games or EXPLORING_GAMES} games each: % won against the default, which is in bold, and that of"
            " the thesis after 1 s. The thesis's second opponent, a double-oracle search, is not among our players."
        )
        for name, (_, values) in EXPLORATION.items():
            heads = [f"**{value}**" if value == DEFAULTS[name] else value for value in values]
            cells = [around(found.get(f"{table} {name} {value}"), 0, 100) for value in values]
            published = [f"{one:.0f}" for one in values.values()]
            rows += [[f"{name}, parameter", *heads], ["% won", *cells], ["thesis", *published]]
        parts.append(markdown_table(["", *[""] * 6], rows))
    elif table == "4.7":
        parts.append(
            f"Thousands of iterations a second, measured for {QUICK_SECONDS if options.quick else SECONDS:g} s, and the"
            " thesis's in 5 s divided by 5. The mean depth of the trees is not measured."
        )
        for name, (_, theirs) in SPEEDS.items():
            own = [found.get(f"{table} {title} {name}") for title in LARGE_GAMES]
            both = zip(own, theirs, strict=True)
            rows.append([name, *(f"{one.estimate / 1000:.0f} / {told / 5:.0f}" if one else "-" for one, told in both)])
        parts.append(markdown_table(["ours / thesis", *LARGE_GAMES], rows))
    else:
        parts += section_of_matches(table, found, options.iterations, options.games)
    return [*parts, READING[table]] if table in READING else parts


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    limits = options.games, options.iterations, QUICK_SECONDS if options.quick else SECONDS, options.seed
    tables = options.tables or TABLES
    parts = {name: (table, part) for table in tables for name, part in parts_of(table).items()}
    wanted = {name: (*part, *limits) for name, part in parts.items()}
    found = recorded_parts(options, wanted, result_of, Interval, "pairs of players")
    told = [{"table": parts[name][0], "part": parts[name][1], "result": result} for name, result in found.items()]
    return [part for table in tables for part in section(table, found, options)], told


EXPERIMENT = Experiment(
    "l14_tables",
    "Tables 4.1 to 4.12 of Lisý 2014",
    __doc__,
    measure,
    options=(
        some("tables", TABLES, ("4.3", "4.6", "4.8", "figure-4.7"), "TABLE"),
        Option("--games", "of each pair; default: each table's own", None, 1),
        Option("--iterations", "of each decision; default: each table's own", None, 20),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
