"""A competition in a manager: its course, and the requests of entrants and the host."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import msgspec

from ggp.competition.standings import Standing
from ggp.protocol.messages import Enter
from server.competitions.course import CompetitionRefused, Course
from server.competitions.field import FINAL, EntryRefused
from server.competitions.settings import changed
from server.competitions.table import competition_table
from server.matches.members import Member
from server.store import competition_records
from server.store.competition_records import EntrantState

HostAction = Literal["approve", "refuse", "withdraw", "kick", "disqualify"]
STATE_OF: dict[HostAction, EntrantState] = {
    "approve": "entered",
    "refuse": "refused",
    "withdraw": "withdrawn",
    "kick": "kicked",
    "disqualify": "disqualified",
}


class Competition(Course):
    """One competition, new or continued; see `Course`.

    A request raises `CompetitionRefused` if it is not possible in the present state of the competition, and
    `StoreFailed` if it cannot be stored.
    """

    async def enter(self, member: Member, message: Enter) -> None:
        """Let a member enter, and tell it its state.

        Raises:
            EntryRefused: it may not enter.
        """
        before = self.field.rows.get(member.id)
        row = await self.field.enter(member, message.invitation, self.settings, self.state)
        if row is before:
            self.tell(row)  # changes are announced by the field itself
        self._wake.set()

    def joined(self, member: Member) -> None:
        """Take note that a member has connected; an entrant is told its state."""
        row = self.field.rows.get(member.id)
        if row is not None:
            self.tell(row)
        self._wake.set()

    async def act_on(self, name: str, action: HostAction, reason: str | None = None) -> None:
        """Approve, refuse or remove an entrant, for the host.

        Raises:
            EntrantUnknown: there is no entrant of that name.
            CompetitionRefused: that is not possible with this entrant.
        """
        row = self.field.named(name)
        if action in ("approve", "refuse") and row.state not in ("asking", "failed", "refused"):
            raise CompetitionRefused(f"{name} is {row.state}, and has not asked to enter")
        state = STATE_OF[action]
        if action == "approve" and self.settings.qualifying and row.state != "failed":
            state = "qualifying"
        if action == "approve" and self.is_over:
            raise CompetitionRefused("the competition is over")
        await self._leave(row, state, reason)

    async def withdraw(self, member: Member) -> None:
        """Let an entrant withdraw.

        Raises:
            EntryRefused: it has not entered, or the host has removed it.
        """
        row = self.field.rows.get(member.id)
        if row is None or row.state in FINAL:
            raise EntryRefused("you do not take part in this competition")
        await self._leave(row, "withdrawn", None)

    async def change(self, changes: dict[str, Any]) -> None:
        """Change settings.

        Raises:
            SettingsWrong: the changes are not possible.
            CompetitionRefused: it is over.
        """
        self._need(not self.is_over)
        settings = changed(self.settings, changes, in_play=self.state != "registering")
        text = msgspec.json.encode(settings).decode()
        await self._manager.store.written(competition_records.change_competition, self.id, text)
        self.settings = settings
        self.progress.wanted = settings.min_players or 0
        self._wake.set()

    async def start(self) -> None:
        """Start it now.

        Raises:
            CompetitionRefused: it has begun, or cannot be played by the present entrants.
        """
        self._need(self.state == "registering")
        self._check_startable()
        await self._begin()

    async def pause(self) -> None:
        """Start no more matches; those in play go on."""
        self._need(self.state == "running")
        await self._set_state("paused", None)

    async def resume(self) -> None:
        """Resume after a pause."""
        self._need(self.state == "paused")
        await self._set_state("running", None)

    async def cancel(self, reason: str) -> None:
        """End it now; matches in play are aborted."""
        self._need(not self.is_over)
        await self._set_state("cancelled", reason)
        for playing in self._playing.all:
            match = self._manager.matches.get(playing.match)
            if match is not None:
                match.stop("the competition was cancelled")

    def _need(self, allowed: bool) -> None:
        """Refuse a request unless the state of the competition allows it."""
        if not allowed:
            raise CompetitionRefused(f"the competition is {self.state}")

    async def table(self) -> list[Standing]:
        """Return the standings so far."""

        def read() -> list[Standing]:
            with self._manager.store.reading() as connection:
                return competition_table(connection, self.id)

        return await asyncio.to_thread(read)
