"""The entrants of a competition: entering, leaving, approval and removal by the host."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from typing import Literal

from ggp.errors import GgpError
from ggp.protocol.messages import Entry, EntryState
from server.competitions.settings import CompetitionSettings
from server.matches.members import Member, token_hash_of
from server.matches.player_names import skeleton
from server.store.competition_records import (
    OVER,
    CompetitionState,
    EntrantRow,
    EntrantState,
    InvitationRow,
    add_invitation,
    set_entrant,
    use_invitation,
)
from server.store.store import Store
from server.store.wall_clock import wall_clock

MAX_ENTRANTS = 10_000
HostAction = Literal["approve", "refuse", "withdraw", "kick", "disqualify"]
STATE_AFTER: dict[HostAction, EntrantState] = {
    "approve": "entered",
    "refuse": "refused",
    "withdraw": "withdrawn",
    "kick": "kicked",
    "disqualify": "disqualified",
}
FINAL: frozenset[EntrantState] = frozenset({"refused", "kicked", "disqualified"})
"""Only the host can change these."""


class EntrantUnknown(GgpError):
    """There is no entrant of that name."""


class EntryRefused(GgpError):
    """A player may not enter; the message says why."""


class Field:
    """The entrants of one competition.

    Args:
        competition: its number.
        store: where every change is stored before it is announced.
        rows: the entrants, in the order in which they entered.
        invitations: all invitations.
        changed: called when the state of an entrant changes, or it enters again.
    """

    def __init__(
        self,
        competition: str,
        store: Store,
        rows: Iterable[EntrantRow],
        invitations: Iterable[InvitationRow],
        changed: Callable[[EntrantRow], None],
    ) -> None:
        self.rows: dict[int, EntrantRow] = {row.player: row for row in rows}
        self._competition = competition
        self._store = store
        self._invitations = {row.token_hash: row for row in invitations}
        self._changed = changed

    def of_state(self, *states: EntrantState) -> list[EntrantRow]:
        """Return the entrants in some states, in the order in which they entered."""
        return [row for row in self.rows.values() if row.state in states]

    @property
    def active(self) -> list[int]:
        """The players who take part, in the order in which they entered."""
        return [row.player for row in self.of_state("entered")]

    @property
    def struck(self) -> frozenset[int]:
        """The players whose matches do not count."""
        return frozenset(row.player for row in self.of_state("disqualified"))

    def named(self, name: str) -> EntrantRow:
        """Return the entrant of a name.

        Raises:
            EntrantUnknown: there is none.
        """
        for row in self.rows.values():
            if row.name == name:
                return row
        raise EntrantUnknown(f"no player `{name}` has entered")

    def state_after(self, row: EntrantRow, action: HostAction, settings: CompetitionSettings) -> EntrantState:
        """Return the state of an entrant after an action of the host.

        Raises:
            EntryRefused: the action is not possible with this entrant.
        """
        if action in ("approve", "refuse") and row.state not in ("asking", "failed", "refused"):
            raise EntryRefused(f"{row.name} is {row.state}, and has not asked to enter")
        if action == "approve" and settings.qualifying and row.state != "failed":
            return "qualifying"
        return STATE_AFTER[action]

    async def enter(
        self, member: Member, invitation: str | None, settings: CompetitionSettings, state: CompetitionState
    ) -> None:
        """Let a player enter, or announce its present entry.

        Raises:
            EntryRefused: it may not enter.
            StoreFailed: that cannot be stored.
        """
        known = self.rows.get(member.id)
        if known is not None and known.state not in ("withdrawn", "failed"):
            self._changed(known)
            return
        self._check_open(settings, state)
        taking = len(self.of_state("entered", "qualifying", "asking"))
        limit = settings.max_players if settings.entry != "everybody" or state != "registering" else None
        if taking >= (limit or MAX_ENTRANTS):
            raise EntryRefused("the competition is full")
        entered: EntrantState = "qualifying" if settings.qualifying else "entered"
        if settings.entry == "approval" and known is None:
            entered = "asking"
        if settings.entry == "allow_list" and skeleton(member.name) not in {skeleton(one) for one in settings.allowed}:
            raise EntryRefused(f"{member.name} is not on the allow-list")
        if settings.entry == "invitation" and known is None:
            await self._use_invitation(member, invitation)
        await self._set(EntrantRow(member.id, member.name, entered, None, wall_clock()))

    async def set_state(self, row: EntrantRow, state: EntrantState, reason: str | None = None) -> None:
        """Change the state of an entrant.

        Raises:
            StoreFailed: that cannot be stored, and nothing has changed.
        """
        await self._set(EntrantRow(row.player, row.name, state, reason, row.entered_at))

    async def invite(self, note: str) -> str:
        """Return a new invitation, for one player.

        Raises:
            StoreFailed: it cannot be stored.
        """
        token, now = secrets.token_urlsafe(18), wall_clock()
        await self._store.written(add_invitation, self._competition, token_hash_of(token), note, now)
        self._invitations[token_hash_of(token)] = InvitationRow(token_hash_of(token), note, None, now)
        return token

    def entry(self, row: EntrantRow, name: str, state: CompetitionState) -> Entry:
        """Return the message that tells an entrant its state."""
        shown: EntryState = "over" if state in OVER and row.state == "entered" else row.state
        return Entry(self._competition, name, shown, row.reason)

    def _check_open(self, settings: CompetitionSettings, state: CompetitionState) -> None:
        if state in OVER:
            raise EntryRefused("the competition is over")
        if state != "registering" and not settings.admits_latecomers():
            raise EntryRefused("the competition has begun")

    async def _use_invitation(self, member: Member, token: str | None) -> None:
        found = self._invitations.get(token_hash_of(token or ""))
        if found is None:
            raise EntryRefused("an invitation from the host is needed" if token is None else "no such invitation")
        if found.player not in (None, member.id):
            raise EntryRefused("the invitation has been used")
        # Before the first await: if two players come with one invitation, only the first may use it.
        self._invitations[found.token_hash] = InvitationRow(found.token_hash, found.note, member.id, found.created_at)
        await self._store.written(use_invitation, found.token_hash, member.id)

    async def _set(self, row: EntrantRow) -> None:
        await self._store.written(set_entrant, self._competition, row)
        self.rows[row.player] = row
        self._changed(row)
