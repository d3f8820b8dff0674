"""Results of many matches as standings and a cross table, with ratings.

Used for tournaments on one machine and over the network.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ggp.competition.ratings import ratings_of
from ggp.competition.results import Entrant, MatchResult, Times, pair_points
from ggp.competition.statistics import win_rate


class HeadToHead(Struct):
    """One player's matches against another, or against all.

    A match counts 1 point for each opponent with a lower utility and ½ for each with the same; without opponents
    there are no points.
    """

    meetings: int = 0
    wins: int = 0
    draws: int = 0

    def count(self, points: float) -> None:
        """Add a match that gave 1, 0.5 or no points."""
        self.meetings += 1
        self.wins += points == 1
        self.draws += points == 0.5

    @property
    def points(self) -> float:
        """A point for each win, half a point for each draw."""
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float | None:
        """Points per meeting, in [0, 1]."""
        return self.points / self.meetings if self.meetings else None

    @property
    def ci95(self) -> float | None:
        """Half the width of the 95 % interval of the rate, see `ggp.competition.statistics.win_rate`."""
        if not self.meetings:
            return None
        return win_rate(self.wins, self.draws, self.meetings - self.wins - self.draws).half_width


class Standing(Struct):
    """One player's line.

    Attributes:
        rank: from 1; the same for players with equal standings.
        name: of the player.
        points: 1 a win, ½ a draw; in a match of n players the sum over its opponents, divided by n - 1. Byes included.
        matches: that count, aborted ones left out.
        byes: rounds without an opponent.
        win_rate: points per opponent met.
        ci95: half the width of its 95 % interval.
        opponents_points: the points of all opponents, once for each match (Buchholz).
        rating, low, high: on the Elo scale, with the 95 % interval; None without matches.
        mean_utility: over the matches that were played to the end.
        errors: late, illegal and malformed moves.
        mean_ms, longest_ms: for which it thought about a decision; None where that is not known.
        forfeits: matches that it resigned, or lost by its conduct.
        aborted: matches that do not count.
        state: whether it takes part, such as `playing` or `withdrawn`; empty if unknown.
        against: by the opponents' names.
    """

    name: str
    rank: int = 0
    points: float = 0.0
    matches: int = 0
    byes: int = 0
    win_rate: float | None = None
    ci95: float | None = None
    opponents_points: float = 0.0
    rating: float | None = None
    low: float | None = None
    high: float | None = None
    mean_utility: float | None = None
    errors: int = 0
    mean_ms: float | None = None
    longest_ms: int | None = None
    forfeits: int = 0
    aborted: int = 0
    state: str = ""
    against: dict[str, HeadToHead] = {}


def standings(
    names: Mapping[Entrant, str],
    results: Iterable[MatchResult],
    *,
    byes: Mapping[Entrant, int] | None = None,
    bye_points: int = 1,
    struck: frozenset[Entrant] = frozenset(),
    order: Callable[[Entrant, Standing], Any] | None = None,
) -> list[Standing]:
    """Return the standings, the best player first.

    Args:
        names: of all players.
        results: of finished matches, as they count; see `ggp.competition.walkovers`.
        byes: how many each player had.
        bye_points: of each, as many as winning all matches of a meeting.
        struck: disqualified players: they are last and not rated. As an opponent one counts as much as the player
            itself.
        order: sort key of a line, the smallest first; default `by_points`.
    """
    rows = {player: Standing(name, against={}) for player, name in names.items()}
    pairs: dict[tuple[Entrant, Entrant], float] = {}
    utilities: dict[Entrant, list[float]] = {player: [] for player in names}
    times: dict[Entrant, list[Times]] = {player: [] for player in names}
    opponents: dict[Entrant, list[Entrant]] = {player: [] for player in names}
    for result in results:
        _count_match(result, rows, utilities)
        for player, took in zip(result.players, result.times, strict=False):
            times[player].append(took)
        for one, other, points in pair_points(result):
            for seat, against, won in ((one, other, points), (other, one, 1 - points)):
                player, opponent = result.players[seat], result.players[against]
                rows[player].against.setdefault(names[opponent], HeadToHead()).count(won)
                rows[player].points += won * result.worth(seat)
                opponents[player].append(opponent)
                if struck.isdisjoint((player, opponent)):
                    pairs[player, opponent] = pairs.get((player, opponent), 0.0) + won
    ratings = ratings_of([player for player in names if player not in struck], pairs)
    for player, row in rows.items():
        row.byes = (byes or {}).get(player, 0)
        row.points += row.byes * bye_points
        _complete(row, utilities[player], times[player])
        if player in ratings and math.isfinite(ratings[player].low):
            row.rating, row.low, row.high = (
                ratings[player].estimate,
                ratings[player].low,
                ratings[player].high,
            )
    for player, row in rows.items():
        row.opponents_points = sum(
            (row if opponent in struck else rows[opponent]).points for opponent in opponents[player]
        )
    return _ranked(rows, struck, order or (lambda _, row: by_points(row)))


def by_points(row: Standing) -> tuple[float, ...]:
    """Return a sort key: points, then the points of the opponents, the rate, and the mean utility."""
    return (-row.points, -row.opponents_points, -(row.win_rate or 0), -(row.mean_utility or 0))


def by_rate(row: Standing) -> tuple[float, ...]:
    """Return a sort key: the share of points, for players who have not played equally often."""
    return (-(row.win_rate or 0), -(row.mean_utility or 0))


def by_rating(row: Standing) -> tuple[float, ...]:
    """Return a sort key: the rating; players without one are last."""
    return (-(row.rating if row.rating is not None else -math.inf),)


def standings_csv(rows: Sequence[Standing]) -> str:
    """Return standings as CSV with a header line.

    Spreadsheets treat cells that begin with `=`, `+`, `-` or `@` as formulas; such names are prefixed with `'`.
    """
    columns = [name for name in Standing.__struct_fields__ if name != "against"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = [getattr(row, name) for name in columns]
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t")) else cell
            for cell in cells
        )
    return text.getvalue()


def _count_match(
    result: MatchResult, rows: Mapping[Entrant, Standing], utilities: Mapping[Entrant, list[float]]
) -> None:
    for seat, player in enumerate(result.players):
        row = rows[player]
        row.errors += result.errors[seat]
        row.forfeits += seat in result.outcome.forfeited
        if result.outcome.result == "aborted":
            row.aborted += 1
            continue
        row.matches += 1
        if result.outcome.utilities is not None and math.isfinite(result.outcome.utilities[seat]):
            utilities[player].append(result.outcome.utilities[seat])


def _complete(row: Standing, utilities: Sequence[float], times: Sequence[Times]) -> None:
    total = HeadToHead(
        sum(one.meetings for one in row.against.values()),
        sum(one.wins for one in row.against.values()),
        sum(one.draws for one in row.against.values()),
    )
    row.win_rate, row.ci95 = total.rate, total.ci95
    row.mean_utility = math.fsum(utilities) / len(utilities) if utilities else None
    if decisions := sum(one.decisions for one in times):
        row.mean_ms = sum(one.thought_ms for one in times) / decisions
        row.longest_ms = max(one.longest_ms for one in times)


def _ranked(
    rows: Mapping[Entrant, Standing], struck: frozenset[Entrant], order: Callable[[Entrant, Standing], Any]
) -> list[Standing]:
    keyed = sorted(((player in struck, order(player, row)), at, row) for at, (player, row) in enumerate(rows.items()))
    for place, (key, _, row) in enumerate(keyed):
        same = place > 0 and keyed[place - 1][0] == key
        row.rank = keyed[place - 1][2].rank if same else place + 1
    return [row for _, _, row in keyed]
