"""Records in the store: players, matches with their journals, results, errors.

Functions that write are run by `Store.written`; functions that read take a connection of `Store.reading`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, cast

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from ggp.competition.results import MatchOutcome, Result, Times
from server.referee.journal import Created, Ended, Event, Recorded, Released, decode_event, encode_event
from server.store.store import EventRow

MatchState: TypeAlias = Literal["running"] | Result
Purpose = Literal["single", "ranked", "qualifying"]
"""Why a match is played: on its own, in a competition, or to test whether a player can play."""


class PlayerRow(Struct, frozen=True):
    """A player in the store; only the hash of its token is kept."""

    id: int
    name: str
    token_hash: str


class MatchRow(Struct, frozen=True):
    """A match; `players`, `names`, `errors` (how many are recorded) by seat. `pruned`: its journal was archived."""

    id: str
    competition: str | None
    meeting: int | None
    leg: int | None
    purpose: Purpose
    chance_group: str
    game: str
    parameters: dict[str, str]
    outcome: MatchOutcome | None
    released: bool
    created_at: str
    ended_at: str | None
    roles: tuple[str, ...]
    players: tuple[int, ...]
    names: tuple[str, ...]
    errors: tuple[int, ...]
    pruned: bool

    @property
    def state(self) -> MatchState:
        """Whether it is in play, and else its result."""
        return "running" if self.outcome is None else self.outcome.result


class MatchPlace(Struct, frozen=True):
    """Where a match belongs: `leg` counts those of a meeting. The order is that of the table's columns."""

    competition: str | None = None
    meeting: int | None = None
    leg: int | None = None
    purpose: Purpose = "single"


# --- writing ----------------------------------------------------------------------------------------------------------


def add_player(connection: sqlite3.Connection, name: str, token_hash: str, now: str) -> int:
    """Add a player; return its number."""
    cursor = connection.execute(
        "insert into players (name, token_hash, created_at) values (?, ?, ?)", (name, token_hash, now)
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def add_match(
    connection: sqlite3.Connection,
    created: Created,
    players: Sequence[int],
    chance_group: str,
    place: MatchPlace,
    now: str,
    teams: Sequence[int] = (),
) -> None:
    """Add a match with the first event of its journal; `teams`: the number of each seat's, empty: each alone."""
    parameters = msgspec.json.encode(created.parameters).decode()
    connection.execute(
        "insert into matches (id, competition, meeting, leg, purpose, chance_group, game, parameters, state,"
        " created_at) values (?, ?, ?, ?, ?, ?, ?, ?, 'running', ?)",
        (created.match, *astuple(place), chance_group, created.game, parameters, now),
    )
    connection.executemany(
        "insert into seats (match, seat, role, player, team) values (?, ?, ?, ?, ?)",
        [
            (created.match, seat, created.roles[seat], player, teams[seat] if teams else seat)
            for seat, player in enumerate(players)
        ],
    )
    connection.execute("insert into events values (?, 0, ?)", (created.match, encode_event(created)))


def event_rows(match: str, first_number: int, events: Sequence[Event]) -> list[EventRow]:
    """Return the rows that append events to the journal of a match, which has `first_number` events."""
    return [(match, number, encode_event(event)) for number, event in enumerate(events, first_number)]


def add_results(
    connection: sqlite3.Connection,
    match: str,
    events: Sequence[Event],
    players: Sequence[int],
    now: str,
    times: Sequence[Times] = (),
) -> None:
    """Record the errors and results in events appended to a match's journal.

    Args:
        connection: of the store's writer.
        match: the match.
        events: the appended events.
        players: the numbers of the players, by seat.
        now: the wall-clock time, ISO 8601.
        times: how long each player has thought, by seat; recorded at the end.
    """
    for event in events:
        match event:
            case Recorded(player=seat, error=error):
                add_error(connection, match, players[seat], error.step, error.kind, error.detail, now)
            case Ended():
                set_outcome(connection, match, event, now)
                connection.executemany(
                    "update seats set decisions = ?, thought_ms = ?, longest_ms = ? where match = ? and seat = ?",
                    [(*astuple(one), match, seat) for seat, one in enumerate(times)],
                )
            case Released():
                connection.execute("update matches set released = 1 where id = ?", (match,))
            case _:
                pass


def set_outcome(connection: sqlite3.Connection, match: str, outcome: MatchOutcome, now: str) -> None:
    """Record how a match ended. If its journal cannot be continued, this is all that is recorded of its end."""
    connection.execute(
        "update matches set state = ?, reason = ?, ended_at = ? where id = ?",
        (outcome.result, outcome.reason, now, match),
    )
    connection.executemany(
        "update seats set utility = ? where match = ? and seat = ?",
        [(utility, match, seat) for seat, utility in enumerate(outcome.utilities or ())],
    )
    connection.executemany(
        "update seats set forfeited = 1 where match = ? and seat = ?", [(match, seat) for seat in outcome.forfeited]
    )


def outcome_of(
    state: MatchState, reason: str | None, utilities: Sequence[float | None], forfeited: Sequence[int]
) -> MatchOutcome | None:
    """Return how a match ended, from its columns and those of its seats; None while it is in play."""
    if state == "running":
        return None
    values = tuple(utility for utility in utilities if utility is not None)
    seats = tuple(seat for seat, lost in enumerate(forfeited) if lost)
    return MatchOutcome(state, reason, values if len(values) == len(utilities) else None, seats)


def add_error(
    connection: sqlite3.Connection,
    match: str | None,
    player: int,
    step: int | None,
    kind: str,
    detail: str,
    now: str,
) -> None:
    """Record an error of a player; without `match` one outside of matches."""
    connection.execute(
        "insert into errors (match, player, step, kind, detail, at) values (?, ?, ?, ?, ?, ?)",
        (match, player, step, kind, detail, now),
    )


# --- reading ----------------------------------------------------------------------------------------------------------


def all_players(connection: sqlite3.Connection) -> list[PlayerRow]:
    """Return all players that ever joined."""
    return [PlayerRow(*row) for row in connection.execute("select id, name, token_hash from players order by id")]


def player_named(connection: sqlite3.Connection, name: str) -> int | None:
    """Return the number of the player of this name; None if there is none."""
    row = connection.execute("select id from players where name = ? order by id limit 1", (name,)).fetchone()
    return None if row is None else int(row[0])


def journal_of(connection: sqlite3.Connection, match: str) -> list[Event]:
    """Return the events of a match so far; none if there is no such match."""
    rows = connection.execute("select line from events where match = ? order by number", (match,))
    return [decode_event(line) for (line,) in rows]


def created_of(connection: sqlite3.Connection, match: str) -> Created:
    """Return the first event of an existing match."""
    (line,) = connection.execute("select line from events where match = ? and number = 0", (match,)).fetchone()
    event = decode_event(line)
    assert isinstance(event, Created)
    return event


def journal_lines(connection: sqlite3.Connection, match: str, first: int, limit: int) -> list[str]:
    """Return up to `limit` lines of a match's journal, from number `first` on."""
    rows = connection.execute(
        "select line from events where match = ? and number >= ? order by number limit ?", (match, first, limit)
    )
    return [line for (line,) in rows]


def journal_text(connection: sqlite3.Connection, match: str) -> str:
    """Return the journal of a match as the text of a file."""
    rows = connection.execute("select line from events where match = ? order by number", (match,))
    return "".join(f"{line}\n" for (line,) in rows)


def matches(
    connection: sqlite3.Connection,
    *,
    id_: str | None = None,
    state: MatchState | None = None,
    competition: str | None = None,
    player: int | None = None,
    unreleased: bool = False,
    before: str | None = None,
    limit: int = -1,
) -> list[MatchRow]:
    """Return matches in the order they were created; each argument narrows the selection.

    Args:
        connection: of the store.
        id_: the one match with this name.
        state: only those in this state.
        competition: only those of this competition.
        player: only those of this player.
        unreleased: only those whose seed is not published yet.
        before: only those created before the match of this name.
        limit: only this many, the latest; negative: all.
    """
    conditions = ["1"]
    values: list[Any] = []
    for column, value in (("id", id_), ("state", state), ("competition", competition)):
        if value is not None:
            conditions.append(f"{column} = ?")
            values.append(value)
    if player is not None:
        conditions.append("id in (select match from seats where player = ?)")
        values.append(player)
    if before is not None:
        conditions.append("rowid < (select rowid from matches where id = ?)")
        values.append(before)
    if unreleased:
        conditions.append("released = 0")
    rows = connection.execute(
        "select id, competition, meeting, leg, purpose, chance_group, game, parameters, state, reason, released,"
        " pruned, created_at, ended_at "
        f"from matches where {' and '.join(conditions)} order by rowid desc limit ?",
        (*values, limit),
    ).fetchall()
    return [_match_row(connection, row) for row in reversed(rows)]


def _match_row(connection: sqlite3.Connection, row: tuple[Any, ...]) -> MatchRow:
    (id_, competition, meeting, leg, purpose, group, game, parameters, state, reason, released, pruned, *times) = row
    created_at, ended_at = times
    seats = connection.execute(
        "select role, player, name, utility, forfeited, (select count(*) from errors "
        "where errors.match = seats.match and errors.player = seats.player) "
        "from seats join players on players.id = seats.player where match = ? order by seat",
        (id_,),
    ).fetchall()
    roles, players, names, utilities, forfeited, errors = zip(*seats, strict=True)
    return MatchRow(
        id=id_,
        competition=competition,
        meeting=meeting,
        leg=leg,
        purpose=purpose,
        chance_group=group,
        game=game,
        parameters=msgspec.json.decode(parameters, type=dict[str, str]),
        outcome=outcome_of(state, reason, utilities, forfeited),
        released=bool(released),
        created_at=created_at,
        ended_at=ended_at,
        roles=roles,
        players=players,
        names=names,
        errors=errors,
        pruned=bool(pruned),
    )


def errors(connection: sqlite3.Connection, *, match: str | None = None, limit: int = -1) -> list[dict[str, Any]]:
    """Return recorded errors, the latest last: of one match, or all."""
    cursor = connection.execute(
        "select match, name as player, step, kind, detail, at from errors join players on players.id = player "
        "where ? is null or match = ? order by errors.id desc limit ?",
        (match, match, limit),
    )
    columns = [cast("str", column[0]) for column in cursor.description]
    return [dict(zip(columns, row, strict=True)) for row in reversed(cursor.fetchall())]
