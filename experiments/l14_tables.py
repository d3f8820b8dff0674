"""Tables 4.1 to 4.12 of Lisý 2014: `python -m experiments.l14_tables 4.8`, several tables, or all if none is named.

4.1 to 4.5 are matches of searches of simultaneous moves, with playouts and with an evaluation function. 4.6 compares
parameters of exploration in Oshi-Zumo, 4.7 counts iterations, and 4.8 to 4.12 are matches with hidden information: OOS
and the four variants of IS-MCTS against one another, with beliefs and without. The row's player always has the first
role. The thesis gave a decision 0.1 s, 1 s or 5 s; here it is a number of iterations, so the same seed gives the same
table. All pairs get the same chance and the same seeds, so the cells of a table are not independent of each other.

Goofspiel is played in turns, as in the thesis: the second player bids without being told what the first has bid. This
makes the seats unequal. In the library's goofspiel both bid at once, and there is no first player.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import ggp
from experiments.l14_matches import MATCHES, Matches, cell, cell_name, section_of_matches
from experiments.l14_published import PLAIN
from experiments.options import count, read_options, run_experiment
from experiments.records import Facts, recorded
from experiments.tables import markdown_table, write_results
from ggp.cli.commands.bench import search_speed
from ggp.cli.progress import progress_bar
from ggp.competition.statistics import mean_interval, win_rate
from ggp.errors import GgpError
from players.agents.registry import read_player
from players.evaluation.matches import TimeControl, play_games

EXPLORING_GAMES, QUICK_GAMES, QUICK_ITERATIONS = 40, 1, 20
SECONDS, QUICK_SECONDS = 0.5, 0.01


class UnknownTable(GgpError):
    """A table that is not in the thesis, or not of this kind."""


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
TABLES = tuple(sorted(("4.6", "4.7", *MATCHES), key=lambda table: int(table[2:])))
QUICK_TABLES = ("4.3", "4.6", "4.8")

READING = {
    "4.6": (
        "EXP3 profits from more exploration, and loses with less, as in the thesis. DUCT loses with more and RM does"
        " not gain with less; that DUCT gains with less, as in the thesis, does not show after 2,000 iterations. OOS"
        " loses with less exploration here, where the thesis has no difference."
    ),
    "4.7": "All are 10 to 300 times as fast as the thesis's program on its machine.",
    "4.8": (
        "As in the thesis, the first player profits without beliefs: the variants of IS-MCTS win 64 % among"
        " themselves, and 51 % with beliefs. OOS is the hardest to beat without. With beliefs only the results against"
        " the random player differ from a draw, as in the thesis."
    ),
    "4.9": (
        "So few games of so few iterations show little: the intervals are wider than the differences. The first player"
        " does not profit, and OOS is no worse as the first player than the others. The thesis gave a decision a"
        " second, a hundred times as many iterations."
    ),
    "4.10": (
        "As in the thesis, hardly any difference is significant but those to the random player; RM loses least as"
        " the second player. The deals, which all cells share, favour the first player a little: `random` has 0.45"
        " more than the value of the game against itself."
    ),
    "4.11": (
        "After 1,000 iterations the intervals are wider than most differences. The row's player has more than the value"
        " of the game in most cells, because all cells share the same deals. RM is the hardest to beat as the second"
        " player, and earns most from the random player as the first."
    ),
    "4.12": (
        "Beliefs make no difference to the variants of IS-MCTS among themselves: 67.5 % without, 67.8 % with. RUCT, UCT"
        " and RM win 57 to 82 % as the first player after 1,000 iterations, less than in the thesis after 0.1 s; RM"
        " loses least as the second with beliefs."
    ),
}
"""What each table has shown so far; revise after every run."""


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


@dataclass(frozen=True, slots=True)
class Plan:
    """The size of tables: games per pair, iterations per decision (None: each table's default); seconds; seed."""

    games: int | None
    iterations: int | None
    seconds: float
    seed: int

    def result(self, table: str, part: tuple[str, ...]) -> Facts:
        """Return the result of a part: an estimate with the ends of its interval, or for a speed the number alone."""
        if table == "4.7":
            name, parameters = LARGE_GAMES[part[0]]
            player, _ = SPEEDS[part[1]]
            game = _loaded(name, tuple(parameters.items()))
            return [search_speed(game, player, self.seconds, self.seed)]
        if table == "4.6":
            text, _ = EXPLORATION[part[0]]
            players = [text.format(part[1]), text.format(DEFAULTS[part[0]])]
            chosen = Matches("", "oshi_zumo", {}, EXPLORING_ITERATIONS, EXPLORING_GAMES, (PLAIN,), "")
            return self._played(chosen, players, swap=True)
        matches, (variant, row, column) = MATCHES[table], part
        return self._played(matches, matches.players(variant, row, column), swap=False)

    def _played(self, matches: Matches, players: Sequence[str], swap: bool) -> Facts:
        both = [read_player(player) for player in players]
        control = TimeControl(iterations=self.iterations or matches.iterations)
        own: list[tuple[float, ...]] = []
        for instance in range(matches.seeds):
            drawn = (("seed", str(instance + 1)),) if matches.seeds > 1 else ()
            game = _loaded(matches.game, (*matches.parameters.items(), *drawn))
            numbers = range(instance, self.games or matches.games, matches.seeds)
            results = play_games(game, both, numbers, self.seed, swap=swap, time_control=control)
            own += [tuple(one.utilities[one.seats.index(player)] for player in (0, 1)) for one in results]
        if matches.value is not None:
            found = mean_interval(first - matches.value for first, _ in own)
            return [found.estimate, found.low, found.high]
        wins = sum(first > second for first, second in own)
        losses = sum(first < second for first, second in own)
        rate = win_rate(wins, len(own) - wins - losses, losses)
        return [100 * rate.estimate, 100 * rate.low, 100 * rate.high]


@cache
def _loaded(name: str, parameters: tuple[tuple[str, str | int], ...]) -> ggp.Game:
    """Return a game; a process plays many parts of the same one."""
    return ggp.load(name, **dict(parameters))


def section(table: str, found: Mapping[str, Facts], plan: Plan) -> list[str]:
    """Return the section about a table; `found` has results by the names of parts."""
    parts = [f"## Table {table}"]
    if table == "4.6":
        parts.append(
            f"Oshi-Zumo(50,3,1), {plan.iterations or EXPLORING_ITERATIONS:,} iterations a decision,"
            f" {plan.games or EXPLORING_GAMES} games each: % won against the default, which is in bold, and that of the"
            " thesis after 1 s. The thesis's second opponent, a double-oracle search, is not among our players."
        )
        rows = []
        for name, (_, values) in EXPLORATION.items():
            heads = [f"**{value}**" if value == DEFAULTS[name] else value for value in values]
            rows.append([f"{name}, parameter", *heads])
            rows.append(["% won", *(cell(found.get(f"{table} {name} {value}"), 0) for value in values)])
            rows.append(["thesis", *(f"{published:.0f}" for published in values.values())])
        parts.append(markdown_table(["", *[""] * 6], rows))
    elif table == "4.7":
        parts.append(
            f"Thousands of iterations a second, measured for {plan.seconds:g} s, and the thesis's in 5 s divided by 5."
            " The mean depth of the trees is not measured."
        )
        rows = []
        for name, (_, published) in SPEEDS.items():
            cells = []
            for title, theirs in zip(LARGE_GAMES, published, strict=True):
                own = found.get(f"{table} {title} {name}")
                cells.append(f"{own[0] / 1000:.0f} / {theirs / 5:.0f}" if own else "-")
            rows.append([name, *cells])
        parts.append(markdown_table(["ours / thesis", *LARGE_GAMES], rows))
    else:
        parts += section_of_matches(table, found, plan.iterations, plan.games)
    return [*parts, READING[table]] if table in READING else parts


def own_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of this experiment."""
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; default: all")
    parser.add_argument("--games", type=count, metavar="N", help="of each pair; default: each table's own")
    parser.add_argument("--iterations", type=count, metavar="N", help="of each decision; default: each table's own")


def main(words: Sequence[str]) -> None:
    """Run the experiment."""
    nothing_for = ("runs", "jobs", "plot")
    options = read_options("l14_tables", str(__doc__), words, without=nothing_for, add=own_options)
    for table in options.tables:
        if table not in TABLES:
            raise UnknownTable(f"there is no table {table} here: {', '.join(TABLES)}")
    tables = options.tables or (QUICK_TABLES if options.quick else TABLES)
    plan = Plan(
        options.games or (QUICK_GAMES if options.quick else None),
        options.iterations or (QUICK_ITERATIONS if options.quick else None),
        QUICK_SECONDS if options.quick else SECONDS,
        options.seed,
    )
    parts = {name: (table, part) for table in tables for name, part in parts_of(table).items()}

    def do(names: Sequence[str]) -> Iterator[tuple[str, Facts]]:
        with progress_bar() as progress:
            task = progress.add_task("playing", total=len(names))
            for name in names:
                yield name, plan.result(*parts[name])
                progress.advance(task)

    facts = {"games": plan.games, "iterations": plan.iterations, "seconds": plan.seconds, "seed": plan.seed}
    found = recorded(options.record, facts, list(parts), options.so_far, do)
    text = ["# Tables 4.1 to 4.12 of Lisý 2014", str(__doc__).split("\n\n", 1)[1].strip()]
    text += [part for table in tables for part in section(table, found, plan)]
    told = [{"table": parts[name][0], "part": parts[name][1], "result": result} for name, result in found.items()]
    write_results(options, "\n\n".join(text) + "\n", told)


if __name__ == "__main__":
    run_experiment(main)
