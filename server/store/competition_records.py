"""Records of competitions in the store: settings, entrants, invitations, pairings, and results.

Functions that write are run by `Store.written`; functions that read take a connection of `Store.reading`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, starmap
from operator import itemgetter
from typing import Literal

from msgspec import Struct, json
from msgspec.structs import astuple

from ggp.competition.results import MatchResult, Meeting, Times
from server.store.records import outcome_of

CompetitionState = Literal["registering", "running", "paused", "finished", "cancelled"]
OVER: frozenset[CompetitionState] = frozenset({"finished", "cancelled"})
EntrantState = Literal[
    "asking", "qualifying", "entered", "failed", "refused", "withdrawn", "kicked", "disqualified"
]  # fmt: skip


class CompetitionRow(Struct, frozen=True):
    """A competition; `settings` and `sources` are JSON, `secret` is the source of all its seeds."""

    id: str
    name: str
    settings: str
    sources: str | None
    secret: str
    state: CompetitionState
    reason: str | None
    created_at: str
    started_at: str | None
    ended_at: str | None


@dataclass(slots=True)
class EntrantRow:
    """A player of a competition, and the reason for its state, for people."""

    player: int
    name: str
    state: EntrantState
    reason: str | None
    entered_at: str


class InvitationRow(Struct, frozen=True):
    """An invitation; only the hash of its token is kept. `player`: who used it."""

    token_hash: str
    note: str
    player: int | None
    created_at: str


# --- writing ----------------------------------------------------------------------------------------------------------


def add_competition(connection: sqlite3.Connection, row: CompetitionRow) -> None:
    """Add a competition."""
    connection.execute("insert into competitions values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", astuple(row))


def change_competition(connection: sqlite3.Connection, id_: str, settings: str) -> None:
    """Change the settings of a competition."""
    connection.execute("update competitions set settings = ? where id = ?", (settings, id_))


def set_state(connection: sqlite3.Connection, id_: str, state: CompetitionState, reason: str | None, now: str) -> None:
    """Change the state of a competition, and record when it began or ended."""
    connection.execute("update competitions set state = ?, reason = ? where id = ?", (state, reason, id_))
    if state == "running":
        connection.execute("update competitions set started_at = coalesce(started_at, ?) where id = ?", (now, id_))
    if state in OVER:
        connection.execute("update competitions set ended_at = ? where id = ?", (now, id_))


def set_entrant(connection: sqlite3.Connection, competition: str, row: EntrantRow) -> None:
    """Add or change an entrant."""
    connection.execute(
        "insert into entrants (competition, player, state, reason, entered_at) values (?, ?, ?, ?, ?)"
        " on conflict (competition, player) do update set state = excluded.state, reason = excluded.reason",
        (competition, row.player, row.state, row.reason, row.entered_at),
    )


def add_invitation(connection: sqlite3.Connection, competition: str, token_hash: str, note: str, now: str) -> None:
    """Add an invitation."""
    connection.execute("insert into invitations values (?, ?, ?, null, ?)", (token_hash, competition, note, now))


def use_invitation(connection: sqlite3.Connection, token_hash: str, player: int) -> None:
    """Record who used an invitation."""
    connection.execute("update invitations set player = ? where token_hash = ?", (player, token_hash))


def add_meetings(connection: sqlite3.Connection, competition: str, meetings: Sequence[Meeting]) -> None:
    """Add all meetings of a round."""
    connection.executemany(
        "insert into meetings values (?, ?, ?, ?, ?, ?, ?)",
        [
            (competition, one.number, one.round, json.encode(one.players).decode(), one.kind, one.stage, one.slot)
            for one in meetings
        ],
    )


# --- reading ----------------------------------------------------------------------------------------------------------


def competitions(connection: sqlite3.Connection, *, id_: str | None = None) -> list[CompetitionRow]:
    """Return all competitions, or the one with this name or number, in the order they were made."""
    rows = connection.execute(
        "select id, name, settings, sources, secret, state, reason, created_at, started_at, ended_at from competitions"
        " where ? is null or id = ? or name = ? order by rowid",
        (id_, id_, id_),
    )
    return [CompetitionRow(*row) for row in rows]


def unlisted(connection: sqlite3.Connection) -> frozenset[str]:
    """Return the numbers of the competitions that lists do not show."""
    rows = connection.execute("select id from competitions where json_extract(settings, '$.listed') = 0")
    return frozenset(id_ for (id_,) in rows)


def entrants(connection: sqlite3.Connection, competition: str) -> list[EntrantRow]:
    """Return the entrants of a competition in the order in which they entered."""
    rows = connection.execute(
        "select player, name, state, reason, entered_at from entrants join players on players.id = player"
        " where competition = ? order by entrants.id",
        (competition,),
    )
    return [EntrantRow(*row) for row in rows]


def invitations(connection: sqlite3.Connection, competition: str) -> list[InvitationRow]:
    """Return the invitations to a competition."""
    rows = connection.execute(
        "select token_hash, note, player, created_at from invitations where competition = ? order by created_at",
        (competition,),
    )
    return [InvitationRow(*row) for row in rows]


def meetings(connection: sqlite3.Connection, competition: str, *, after: int = -1, limit: int = -1) -> list[Meeting]:
    """Return the pairings in order, those with numbers above `after`."""
    rows = connection.execute(
        "select number, round, players, kind, stage, slot from meetings where competition = ? and number > ?"
        " order by number limit ?",
        (competition, after, limit),
    )
    return [
        Meeting(number, round_, json.decode(players, type=tuple[int, ...]), kind, stage, slot)
        for number, round_, players, kind, stage, slot in rows
    ]


def begun_legs(connection: sqlite3.Connection, competition: str) -> frozenset[tuple[int, int]]:
    """Return meeting and leg of every match of a competition's meetings that has begun."""
    return frozenset(
        connection.execute(
            "select meeting, leg from matches where competition = ? and meeting is not null", (competition,)
        )
    )


def results(connection: sqlite3.Connection, competition: str) -> Iterator[tuple[str, int, MatchResult]]:
    """Yield the finished ranked matches of a competition: name, number of the meeting, result.

    It needs only one query for all matches: a ladder has hundreds of thousands.
    """
    rows = connection.execute(
        "select matches.id, meeting, state, reason, player, utility, forfeited,"
        " (select count(*) from errors where errors.match = matches.id and errors.player = seats.player),"
        " team, decisions, thought_ms, longest_ms from matches join seats on seats.match = matches.id"
        " where competition = ? and purpose = 'ranked' and state != 'running' order by matches.rowid, seat",
        (competition,),
    )
    for (match, meeting, state, reason), seats in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        _, _, _, _, players, utilities, forfeited, errors, teams, *times = zip(*seats, strict=True)
        outcome = outcome_of(state, reason, utilities, forfeited)
        assert outcome is not None
        took = tuple(starmap(Times, zip(*times, strict=True)))
        yield match, meeting, MatchResult(players, outcome, errors, took, teams)
