"""Results of many matches as a table: who won how often against whom, with 95 % intervals. Plain code, no I/O."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from ggp.competition.statistics import win_rate
from server.store.records import MatchRow


class Outcome(NamedTuple):
    """What the table needs of one match, by seat; `utilities` None where it was aborted."""

    names: Sequence[str]
    utilities: Sequence[float] | None
    errors: Sequence[int]


def table_of_matches(rows: Sequence[MatchRow]) -> list[TableRow]:
    """Return the table of the stored matches that are over; with a line for whoever plays in one that is not."""
    names = list(dict.fromkeys(name for row in rows for name in row.names))
    return cross_table(names, [Outcome(row.names, row.utilities, row.errors) for row in rows if row.state != "running"])


class Meetings(Struct):
    """One player's matches against another, or against all.

    A match counts 1 point for each opponent with a lower utility and ½ for each with the same; without opponents
    there are no points.
    """

    meetings: int = 0
    wins: int = 0
    draws: int = 0

    @property
    def rate(self) -> float | None:
        """Points per meeting, in [0, 1]."""
        return (self.wins + self.draws / 2) / self.meetings if self.meetings else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the rate, see `ggp.competition.statistics.win_rate`."""
        if not self.meetings:
            return None
        interval = win_rate(self.wins, self.draws, self.meetings - self.wins - self.draws)
        return interval.low, interval.high


class TableRow(Struct):
    """One player's line."""

    name: str
    matches: int
    win_rate: float | None
    ci95: tuple[float, float] | None
    mean_utility: float | None
    errors: int
    aborted: int
    against: dict[str, Meetings]


def cross_table(names: Sequence[str], outcomes: Iterable[Outcome]) -> list[TableRow]:
    """Return a line a player, the highest rate first (without opponents: the highest mean utility)."""
    against: dict[str, dict[str, Meetings]] = {name: {other: Meetings() for other in names} for name in names}
    utilities: dict[str, list[float]] = {name: [] for name in names}
    errors = dict.fromkeys(names, 0)
    aborted = dict.fromkeys(names, 0)
    for outcome in outcomes:
        for seat, name in enumerate(outcome.names):
            errors[name] += outcome.errors[seat]
            if outcome.utilities is None:
                aborted[name] += 1
                continue
            utilities[name].append(outcome.utilities[seat])
            for other_seat, other in enumerate(outcome.names):
                if other_seat != seat:
                    _count(against[name][other], outcome.utilities[seat] - outcome.utilities[other_seat])
    rows = []
    for name in names:
        total = Meetings(
            sum(m.meetings for m in against[name].values()),
            sum(m.wins for m in against[name].values()),
            sum(m.draws for m in against[name].values()),
        )
        mean = sum(utilities[name]) / len(utilities[name]) if utilities[name] else None
        met = {other: meetings for other, meetings in against[name].items() if meetings.meetings}
        rows.append(
            TableRow(name, len(utilities[name]), total.rate, total.interval, mean, errors[name], aborted[name], met)
        )
    return sorted(rows, key=lambda row: (-(row.win_rate or 0), -(row.mean_utility or 0)))


def _count(meetings: Meetings, difference: float) -> None:
    meetings.meetings += 1
    meetings.wins += difference > 0
    meetings.draws += difference == 0
