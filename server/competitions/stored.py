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


def read_matches(store: Store, competition: str, match: str | None, *, only_running: bool) -> list[MatchRow]:
    """Return one match, or the matches of a competition."""
    with store.reading() as connection:
        if match is not None:
            return records.matches(connection, id_=match)
        return records.matches(connection, competition=competition, state="running" if only_running else None)
