"""The standings of a competition, computed from the store, during the competition or years later."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter, defaultdict
from typing import Any

import msgspec

from ggp.competition.formats import GroupsKnockout, Ladder, RoundRobin, Swiss
from ggp.competition.history import History
from ggp.competition.knockout import knockout_places
from ggp.competition.ratings import ratings_of
from ggp.competition.results import MatchResult, Meeting, add_pair_points
from ggp.competition.standings import Standing, by_points, by_rate, by_rating, standings
from ggp.competition.walkovers import counted, unplayed
from server.competitions.settings import CompetitionSettings
from server.store import competition_records
from server.store.competition_records import EntrantState

MAX_RATING_POINTS = 24
"""Points of a curve of ratings: each computes the ratings of all players anew."""

SHOWN: frozenset[EntrantState] = frozenset({"entered", "withdrawn", "kicked", "disqualified"})


def competition_table(connection: sqlite3.Connection, competition: str) -> list[Standing]:
    """Return the standings of a competition, including players who have left.

    Args:
        connection: of the store.
        competition: its number or name; if unknown, the standings are empty.
    """
    found = competition_records.competitions(connection, id_=competition)
    if not found:
        return []
    settings = msgspec.json.decode(found[0].settings, type=CompetitionSettings)
    id_ = found[0].id
    entrants = competition_records.entrants(connection, id_)
    meetings, results = counted_results(connection, id_, settings)
    played = {player for *_, result in results for player in result.players}
    shown = {row.player: row for row in entrants if row.state in SHOWN or row.player in played}
    byes = Counter(meeting.players[0] for meeting in meetings if meeting.kind == "bye" and not meeting.stage)
    struck = frozenset(row.player for row in entrants if row.state == "disqualified")

    def order(player: int, row: Standing) -> Any:
        match settings.format:
            case Ladder():
                return by_rating(row)
            case RoundRobin():
                return by_rate(row)
            case GroupsKnockout():
                return (places.get(player, 1 << 30), *by_points(row))
            case _:
                return by_points(row)

    places: dict[int, int] = {}
    if isinstance(settings.format, GroupsKnockout):
        history = History()
        history.paired(meetings)
        for _, meeting, result in results:
            history.played(meeting, result)
        places = knockout_places(history)
    rows = standings(
        {player: row.name for player, row in shown.items()},
        [result for *_, result in results],
        byes=byes,
        bye_points=settings.matches_of_meeting(max((len(one.players) for one in meetings), default=0)),
        struck=struck,
        order=order,
    )
    state_of = {row.name: row.state for row in entrants}
    for row in rows:
        state = state_of.get(row.name, "entered")
        row.state = "" if state == "entered" else state
    return rows


def counted_results(
    connection: sqlite3.Connection, competition: str, settings: CompetitionSettings
) -> tuple[list[Meeting], list[tuple[str, int, MatchResult]]]:
    """Return the meetings of a competition, and its results as they count: match, number of the meeting, result.

    The name of a match that is not played is empty.
    """
    form = settings.format
    entrants = competition_records.entrants(connection, competition)
    struck = frozenset(row.player for row in entrants if row.state == "disqualified")
    left = frozenset(row.player for row in entrants if row.state in ("withdrawn", "kicked", "disqualified"))
    meetings = competition_records.meetings(connection, competition)
    results = [
        (match, meeting, counted(form, result, struck))
        for match, meeting, result in competition_records.results(connection, competition)
    ]
    if left and isinstance(form, Swiss):
        begun = Counter(meeting for meeting, _ in competition_records.begun_legs(connection, competition))
        for meeting in meetings:
            matches = settings.matches_of_meeting(len(meeting.players)) - begun[meeting.number]
            results += [("", meeting.number, result) for result in unplayed(form, meeting, matches, left)]
    return meetings, results


def rating_course(connection: sqlite3.Connection, competition: str, player: int) -> list[dict[str, float]]:
    """Return a player's rating after some of the matches, the last after all: `matches`, `rating`, `low`, `high`."""
    results = [result for *_, result in competition_records.results(connection, competition)]
    points = min(MAX_RATING_POINTS, len(results))
    cuts = {round(len(results) * (at + 1) / points) for at in range(points)}
    pairs: defaultdict[tuple[int, int], float] = defaultdict(float)
    found = []
    for count, result in enumerate(results, 1):
        add_pair_points(pairs, result)
        if count in cuts:
            rating = ratings_of(sorted({player, *(one for one, _ in pairs)}), pairs)[player]
            if math.isfinite(rating.low):
                found.append({"matches": count, "rating": rating.estimate, "low": rating.low, "high": rating.high})
    return found
