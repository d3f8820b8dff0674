"""All players against each other in goofspiel(13): table 1 of Lanctot, Lisý, Winands 2013, at a fifth of its size.

Two tournaments, one for wins (WL) and one for points (PD), of 2,000 games a pair instead of 10,000, with the parameters
that the paper had tuned. The paper gives each move a second, well above 100,000 simulations; here it is a fixed number
of iterations, far smaller. Seats are swapped, and all pairs get the same shuffles.

The paper's C of 150 in PD is in points; ours is for utilities scaled to [0, 1], and points range over 182 (from -91 to
91), so it is 150 / 182 here. Exp3 learns from points, too (`rate`, `shift`).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import ggp
from experiments.experiment import Experiment
from experiments.options import Option
from experiments.records import recorded_parts
from experiments.tables import around, markdown_table
from ggp.competition.statistics import Interval, mean_interval
from players.agents.registry import read_player
from players.evaluation.matches import GameResult, TimeControl, play_games, points

NAMES = ("random", "duct max", "duct mix", "exp3", "oos", "oos+", "rm")


@dataclass(frozen=True, slots=True)
class Half:
    """One half of the table.

    Attributes:
        winner: the parameter of goofspiel that defines the payoff.
        players: in the order of NAMES.
        published: for each player but the first, its result against those before it.
        even: the result between equal players.
        interval: half the width of the published 95 % intervals, at most.
        unit: of the results.
    """

    winner: str
    players: tuple[str, ...]
    published: tuple[tuple[float, ...], ...]
    even: float
    interval: float
    unit: str


HALVES = {
    "WL": Half(
        "most_points",
        ("random", "duct:unit=bounds,final=max", "duct:unit=bounds", "exp3:gamma=0.2,unit=bounds",
         "oos:gamma=0.5", "oos+:gamma=0.55", "rm:gamma=0.025"),
        (
            (76.0,),
            (78.3, 57.5),
            (80.0, 55.8, 48.4),
            (73.1, 55.3, 43.8, 47.0),
            (77.7, 67.0, 53.3, 60.0, 57.1),
            (80.9, 63.3, 53.2, 57.2, 58.3, 50.4),
        ),
        even=50.0,
        interval=1.0,
        unit="% of games won, a draw half",
    ),
    "PD": Half(
        "point_difference",
        (
            "random", "duct:c=0.824176,unit=bounds,final=max", "duct:c=0.824176,unit=bounds",
            "exp3:gamma=0.01,rate=182,shift=0.5,unit=bounds", "oos:gamma=0.5", "oos+:gamma=0.4", "rm:gamma=0.025",
        ),
        (
            (12.92,),
            (11.88, 0.91),
            (13.18, 4.15, 3.17),
            (10.69, 3.33, 0.82, -1.71),
            (10.83, 8.08, 3.23, 1.03, 1.03),
            (12.94, 6.60, 3.41, 1.12, 1.05, 0.17),
        ),
        even=0.0,
        interval=0.28,
        unit="points more than the other, a game",
    ),
}  # fmt: skip  # fmt: skip


AGREES, EVEN, DIFFERS, CLOSE = "agrees", "ours is even", "**differs**", "too close in the paper"


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of one pair: of the row's player against the column's.

    Attributes:
        games: in all.
        ours: with its interval; None if there are fewer than two pairs of games.
    """

    half: str
    row: int
    column: int
    games: int
    ours: Interval | None

    @property
    def published(self) -> float:
        """The paper's result of this pair."""
        return HALVES[self.half].published[self.row - 1][self.column]

    @property
    def verdict(self) -> str:
        """Whether the same player wins, if the paper's difference exceeds both intervals."""
        half = HALVES[self.half]
        if self.ours is None:
            return "not played"
        theirs, ours = self.published - half.even, self.ours.estimate - half.even
        if abs(theirs) <= max(half.interval, self.ours.half_width):
            return CLOSE
        if abs(ours) <= self.ours.half_width:
            return EVEN
        return AGREES if (theirs > 0) == (ours > 0) else DIFFERS


def play(name: str, row: int, column: int, games: int, iterations: int, cards: int, seed: int) -> Iterator[Cell]:
    """Play the games of a pair, and yield its cell once."""
    half = HALVES[name]
    players = [read_player(half.players[place]) for place in (column, row)]
    game, control = ggp.load("goofspiel", n=cards, winner=half.winner), TimeControl(iterations=iterations)
    yield cell_of(
        name, row, column, list(play_games(game, players, range(games), seed, swap=True, time_control=control))
    )


def cell_of(name: str, row: int, column: int, results: Sequence[GameResult]) -> Cell:
    """Return a cell; `results` are of matches in which the row's player is number 1."""
    values: dict[int, list[float]] = {}
    for result in results:
        own = (
            result.utilities[result.seats.index(1)]
            if name == "PD"
            else 100.0 * points(result.utilities, result.seats.index(1))
        )
        values.setdefault(result.number // 2, []).append(own)
    # two games with one shuffle, seats swapped, are one observation
    means = [sum(pair) / 2 for pair in values.values() if len(pair) == 2]
    return Cell(name, row, column, 2 * len(means), mean_interval(means) if len(means) > 1 else None)


def tables(found: Sequence[Cell]) -> list[str]:
    """Return a section for each half."""
    parts = []
    for name, half in HALVES.items():
        own, digits, rows = [cell for cell in found if cell.half == name], 1 if name == "WL" else 2, []
        for row in range(1, len(NAMES)):
            texts = [f"{around(cell.ours, digits)} / {cell.published:.{digits}f}" for cell in own if cell.row == row]
            rows.append([NAMES[row], *texts, *[""] * (len(NAMES) - 1 - len(texts)), f"`{half.players[row]}`"])
        counts = Counter(dict.fromkeys((AGREES, EVEN, DIFFERS, CLOSE), 0)) + Counter(cell.verdict for cell in own)
        parts += [f"## {name}-goofspiel(13): {half.unit}", markdown_table(["", *NAMES[:-1], "player"], rows)]
        parts.append("Who wins: " + "; ".join(f"{verdict}: {counts[verdict]}" for verdict in counts) + ".")
        other = [
            f"- {NAMES[cell.row]} against {NAMES[cell.column]}: {cell.verdict}"
            for cell in own
            if cell.verdict not in (AGREES, CLOSE)
        ]
        parts.append("\n".join(other))
    return parts


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing of both tournaments."""
    limits = options.games, options.iterations, options.cards, options.seed
    wanted = {
        f"{name}: {NAMES[row]} against {NAMES[column]}": (name, row, column, *limits)
        for name in HALVES
        for row in range(1, len(NAMES))
        for column in range(row)
    }
    found = list(recorded_parts(options, wanted, play, Cell, "pairs of players").values())
    about = (
        f"{options.games:,} games a pair, {options.iterations:,} iterations a move. Each cell: the row's player"
        " against the column's, ours with its 95 % interval, then the paper's."
    )
    facts = [{**asdict(cell), "published": cell.published, "verdict": cell.verdict} for cell in found]
    return [about, *tables(found)], facts


EXPERIMENT = Experiment(
    "llw13_table_1",
    "Table 1 of Lanctot, Lisý, Winands 2013",
    __doc__,
    measure,
    options=(
        Option("--games", "of each pair", 2000, 4),
        Option("--iterations", "of each decision", 2000, 200),
        Option("--cards", "in each hand", 13, 5),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
