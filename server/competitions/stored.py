"""Reads the history and the matches of a competition from the store; for threads beside the event loop."""

from __future__ import annotations

from collections.abc import Set

from ggp.competition.history import History
from ggp.competition.results import Meeting
from server.store import competition_records, records
from server.store.records import MatchRow
from server.store.store import Store


def read_history(
    store: Store, competition: str, history: History, struck: Set[int], playing: Set[str]
) -> tuple[list[Meeting], set[str]]:
    """Add all meetings and results to a history.

    Args:
        store: of the manager.
        competition: its identifier.
        history: empty; the meetings and results are added.
        struck: players whose matches do not count.
        playing: matches that the caller assumes to be in play.

    Returns:
        The meetings, and those of the matches in `playing` that are over and have been added.
    """
    counted: set[str] = set()
    with store.reading() as connection:
        meetings = competition_records.meetings(connection, competition)
        history.paired(meetings)
        for match, meeting, result in competition_records.results(connection, competition):
            if match in playing:
                counted.add(match)
            if struck.isdisjoint(result.players):
                history.played(meeting, result)
    return meetings, counted


def read_matches(store: Store, competition: str) -> tuple[list[MatchRow], frozenset[tuple[int, int]]]:
    """Return the matches of a competition that are in play, and meeting and leg of all that have begun."""
    with store.reading() as connection:
        running = records.matches(connection, competition=competition, state="running")
        return running, competition_records.begun_legs(connection, competition)


def read_match(store: Store, match: str) -> MatchRow:
    """Return a match that exists."""
    with store.reading() as connection:
        (row,) = records.matches(connection, id_=match)
        return row
