"""The tables of matches of Lisý 2014: 4.1 to 4.5 and figures 4.6 to 4.10, all choose at once; 4.8 to 4.12, much is
hidden. What the thesis has, after a second a decision, is in `l14_matches.txt`: the row's player against the column's,
in percent won in tables 4.1 to 4.5, 4.8, 4.9 and 4.12; the mean payoff less the game's value in 4.10 and 4.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, toml
from msgspec.structs import replace

from experiments.l14_convergence import FIGURES
from experiments.rules_files import game_here
from experiments.tables import around, markdown_table
from ggp.competition.statistics import Interval

SIMULTANEOUS = ("OOS", "DUCT", "EXP3", "RM", "RAND")
HIDDEN = ("OOS", "RUCT", "UCT", "EXP3", "RM", "RAND")
PLAIN, ESTIMATE = "random playouts", "with the evaluation function"
WITHOUT, WITH, COLUMNS = "without beliefs", "with beliefs", "with beliefs for the column only"

_TABLES = Path(__file__).with_suffix(".txt")
"""Each table begins with its number and variant; rows and columns are in the order of the names above, `-` where the
thesis has no number, or none that can be read."""


@cache
def published(table: str, variant: str) -> dict[tuple[str, str], float]:
    """Return a table's numbers by the names of the row's and the column's player; empty if the thesis has none."""
    blocks = _TABLES.read_text(encoding="utf-8").strip().split("\n\n")
    tables = {heading: rows for heading, *rows in (block.split("\n") for block in blocks)}
    rows = [line.split() for line in tables.get(f"{table}: {variant}", ())]
    names = SIMULTANEOUS if len(rows) == len(SIMULTANEOUS) else HIDDEN
    return {
        (row, column): float(text)
        for row, cells in zip(names, rows, strict=False)
        for column, text in zip(names, cells, strict=True)
        if text != "-"
    }


SELECTIONS = {"RUCT": "ruct", "UCT": "uct", "EXP3": "exp3", "RM": "rm"}
SEARCHES = {
    "OOS": "oos:gamma=0.6",
    "DUCT": "duct:c={c},unit=bounds",
    "EXP3": "exp3:gamma=0.2,unit=bounds",
    "RM": "rm:gamma=0.1",
}


class Matches(Struct, frozen=True):
    """A table of matches.

    Attributes:
        title: for the page.
        game: a rules file, or the name of a library game.
        iterations: of each decision.
        games: of each pair.
        variants: how all play, or which players use beliefs.
        claims: what the thesis says.
        parameters: of the game.
        value: of the game to the first player, subtracted from mean payoffs; None: results are shares of wins.
        c: DUCT's constant, for utilities in [0, 1].
        seeds: random games among which the matches are divided: the parameter `seed` from 1 on.
    """

    title: str
    game: str
    iterations: int
    games: int
    variants: tuple[str, ...]
    claims: str
    parameters: dict[str, str] = {}
    value: float | None = None
    c: float = 1.0
    seeds: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """The players, as the thesis calls them."""
        return SIMULTANEOUS if self.variants[0] == PLAIN else HIDDEN

    def players(self, variant: str, row: str, column: str) -> list[str]:
        """Return the two players of a cell, as commands write them."""
        return [self._player(row, variant in (WITH, ESTIMATE)), self._player(column, variant not in (WITHOUT, PLAIN))]

    def _player(self, name: str, helped: bool) -> str:
        if name == "RAND":
            return "random"
        if self.names == SIMULTANEOUS:
            return SEARCHES[name].format(c=self.c) + (",leaf=estimate" if helped else "")
        if name == "OOS":
            return "oos"
        return f"ismcts:selection={SELECTIONS[name]},belief={'on' if helped else 'off'}"


class _File(Struct):
    matches: dict[str, Matches]
    small_claims: dict[str, str]
    reading: dict[str, str]


_FILE = toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_File)
READING = _FILE.reading
"""What each table has shown so far."""
MATCHES = {name: replace(one, game=game_here(one.game)) for name, one in _FILE.matches.items()}
for (name, claims), (title, figure) in zip(_FILE.small_claims.items(), FIGURES.items(), strict=True):
    game = game_here(figure.game)
    MATCHES[name] = Matches(title, game, 1000, 200, (PLAIN,), claims, figure.parameters, c=figure.c)


def cell_name(table: str, variant: str, row: str, column: str) -> str:
    """Return the name under which a cell is recorded."""
    return f"{table} {variant}: {row} against {column}"


def _together(table: str, variant: str, found: Mapping[str, Interval]) -> list[str]:
    """Return the mean over all pairs of variants of IS-MCTS: the advantage of the first player."""
    pairs = [(row, column) for row in SELECTIONS for column in SELECTIONS]
    scale = 1 if MATCHES[table].value is not None else 100
    own = [scale * found[name].estimate for pair in pairs if (name := cell_name(table, variant, *pair)) in found]
    theirs = published(table, variant)
    if MATCHES[table].names != HIDDEN or len(own) < len(pairs) or not theirs:
        return []
    ours, thesis = sum(own) / len(own), sum(theirs[pair] for pair in pairs) / len(pairs)
    return [f"The {len(own)} pairs of variants of IS-MCTS together: {ours:.2f}, in the thesis {thesis:.2f}."]


def section_of_matches(
    table: str, found: Mapping[str, Interval], iterations: int | None, games: int | None
) -> list[str]:
    """Return what follows the heading of a table: each cell with the thesis's number behind it."""
    matches = MATCHES[table]
    share = matches.value is None
    unit = "% won by the row's player, a draw half" if share else "mean payoff less the game's value"
    parts = [
        f"{matches.title}; {iterations or matches.iterations:,} iterations a decision, {games or matches.games} games"
        f" each: {unit}; behind the stroke, the thesis's after 1 s a decision where its text has numbers.",
        *([f"Thesis: {matches.claims}"] if matches.claims else []),
    ]
    for variant in matches.variants:
        theirs, rows = published(table, variant), []
        for row in matches.names:
            cells = [f"**{row}**"]
            for column in matches.names:
                told = theirs.get((row, column))
                thesis = "-" if told is None else f"{told:.0f}" if share else f"{told:.2f}"
                ours = found.get(cell_name(table, variant, row, column))
                cells.append(f"{around(ours, 0, 100) if share else around(ours, 2)} / {thesis}")
            rows.append(cells)
        parts += [variant.capitalize() + ":", markdown_table(["", *matches.names], rows)]
        parts += _together(table, variant, found)
    return parts
