"""All players against each other in goofspiel(13): table 1 of Lanctot, Lisý, Winands 2013, at a fifth of its size.

Two tournaments, one for wins (WL) and one for points (PD), of 2,000 games a pair instead of 10,000, with the parameters
that the paper had tuned. The paper gives each move a second, well above 100,000 simulations; here it is a fixed number
of iterations, far smaller. Seats are swapped, and all pairs get the same shuffles.

The paper's C of 150 in PD is in points; ours is for utilities scaled to [0, 1], and points range over 182 (from -91 to
91), so it is 150 / 182 here. Exp3 learns from points, too (`rate`, `shift`).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from experiments.experiment import Experiment
from experiments.options import Option
from experiments.tables import around, markdown_table, new_figure, save_figure
from ggp.competition.run_store import read_run
from ggp.competition.statistics import Interval, mean_interval
from ggp.errors import GgpError
from players.evaluation.matches import GameResult, points

NAMES = ("random", "duct max", "duct mix", "exp3", "oos", "oos+", "rm")


class TournamentFailed(GgpError):
    """`ggp tournament` did not finish."""


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
        games: played so far.
        ours: with its interval; None before the second pair of games.
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


def play(half: Half, path: Path, options: argparse.Namespace) -> None:
    """Play the missing games of one tournament, recorded in `path`.

    Raises:
        TournamentFailed: it could not be played; the reason is on the standard error.
    """
    words = [sys.executable, "-m", "ggp", "tournament", "goofspiel", "--json", "-p", f"winner={half.winner}"]
    given = {"-p": f"n={options.cards}", "--store": path}
    given |= {f"--{key}": vars(options)[key] for key in ("games", "iterations", "seed", "jobs")}
    words += [str(part) for pair in given.items() for part in pair]
    done = subprocess.run([*words, "--players", *half.players], check=False, stdout=subprocess.DEVNULL)
    if done.returncode != 0:
        raise TournamentFailed(f"`ggp tournament` ended with status {done.returncode}")


def cells(name: str, path: Path) -> list[Cell]:
    """Return one half of the table from its record, complete or not."""
    played: dict[tuple[int, ...], list[GameResult]] = {}
    for _, match in read_run(path, "tournament")[1] if path.exists() else ():
        played.setdefault(tuple(match["players"]), []).extend(GameResult(**result) for result in match["results"])
    return [
        _cell(name, row, column, played.get((column, row), [])) for row in range(1, len(NAMES)) for column in range(row)
    ]


def _cell(name: str, row: int, column: int, results: Sequence[GameResult]) -> Cell:
    """Return a cell; `results` are of matches in which the row's player is number 1."""
    values: dict[int, list[float]] = {}
    for result in results:
        own = result.utilities[result.seats.index(1)] if name == "PD" else 100.0 * points(result, 1)
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


def draw(found: Sequence[Cell], options: argparse.Namespace) -> None:
    """Draw ours over the paper's, a point a pair.

    Raises:
        NotWritable: the figure cannot be written.
    """
    figure = new_figure(10, 5)
    for place, (name, half) in enumerate(HALVES.items()):
        axes = figure.add_subplot(1, 2, place + 1, title=f"{name}: {half.unit}", xlabel="paper", ylabel="ours")
        for cell in found:
            if cell.half == name and cell.ours is not None:
                axes.errorbar(cell.published, cell.ours.estimate, cell.ours.half_width, half.interval, fmt="o")
                label = f"{NAMES[cell.row]} – {NAMES[cell.column]}"
                axes.annotate(label, (cell.published, cell.ours.estimate), fontsize=6)
        axes.axline((half.even, half.even), slope=1, color="gray", linewidth=0.5)
    save_figure(figure, options)


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing of both tournaments."""
    options.store.mkdir(parents=True, exist_ok=True)
    found: list[Cell] = []
    for name, half in HALVES.items():
        path = options.record.with_stem(f"llw13_table_1_{name}{'_quick' if options.quick else ''}")
        if not options.so_far:
            print(f"{name}-goofspiel, recorded in {path}", file=sys.stderr)
            play(half, path, options)
        found += cells(name, path)
    if options.plot is not None:
        draw(found, options)
    about = (
        f"At most {options.games:,} games a pair, {options.iterations:,} iterations a move. Each cell: the row's player"
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
)

if __name__ == "__main__":
    EXPERIMENT.run()
