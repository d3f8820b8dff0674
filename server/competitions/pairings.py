"""The pairings of a competition, and the results of its meetings."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence, Set

from ggp.competition.formats import Format, Ladder, next_round
from ggp.competition.history import History
from ggp.competition.results import MatchOutcome, MatchResult, Meeting
from ggp.competition.walkovers import counted
from server.competitions.schedule import Playing
from server.competitions.settings import CompetitionSettings
from server.competitions.table import counted_results
from server.store import competition_records
from server.store.store import Store


class Pairings:
    """The pairings of one competition.

    Args:
        store: where they are stored.
        competition: its number.
        form: determines who meets whom.
        seats: of its games.
    """

    def __init__(self, store: Store, competition: str, form: Format, seats: int) -> None:
        self.form = form
        self._store = store
        self._competition = competition
        self._seats = seats
        self._history = History(keep=not isinstance(form, Ladder))
        self._counted: set[str] = set()
        """Matches in play that the history contains already, since it was read after they had ended."""

    async def pair(self, active: Sequence[int], present: Sequence[int] | None, bye_points: int) -> list[Meeting] | None:
        """Return the meetings of the next round; see `next_round` and `History.paired`.

        Raises:
            StoreFailed: they cannot be stored.
        """
        meetings = await asyncio.to_thread(next_round, self.form, self._seats, active, self._history, present)
        if meetings:
            await self._store.written(competition_records.add_meetings, self._competition, meetings)
            self._history.paired(meetings, bye_points)
        return meetings

    def played(self, playing: Playing, outcome: MatchOutcome, struck: Set[int]) -> None:
        """Count a match that is over; `struck`: the disqualified players."""
        assert playing.scheduled is not None
        if playing.match in self._counted:
            self._counted.discard(playing.match)
        else:
            result = MatchResult(playing.players, outcome, (0,) * len(playing.players), teams=playing.teams)
            self._history.played(playing.scheduled.meeting, counted(self.form, result, struck))

    async def load(self, settings: CompetitionSettings, playing: Sequence[Playing]) -> list[Meeting]:
        """Read and return all meetings, and count their results.

        Args:
            settings: of the competition.
            playing: matches in play; those that have just ended are counted now, and not again by `played`.
        """
        in_play = {one.match for one in playing}
        history, over = History(keep=not isinstance(self.form, Ladder)), set()

        def read(connection: sqlite3.Connection) -> list[Meeting]:
            meetings, results = counted_results(connection, self._competition, settings)
            history.paired(meetings, settings.matches_of_meeting(self._seats))
            for match, meeting, result in results:
                if match in in_play:
                    over.add(match)
                history.played(meeting, result)
            return meetings

        meetings = await self._store.read(read)
        self._history, self._counted = history, over
        return meetings
