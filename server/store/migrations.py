"""From each version of the store to the next.

Version 1 knew round robins of one game only, 2 all competitions; 3 keeps how long players thought, 4 the teams of
players.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from typing import Any

import msgspec

from server.store.tables_2 import COMPETITIONS, MATCH_INDEXES, MATCHES


def from_version_1(connection: sqlite3.Connection) -> None:
    """Turn tournaments into competitions, and give each of their matches its place in a meeting.

    Args:
        connection: inside a transaction.
    """
    for statement in _statements(COMPETITIONS):
        connection.execute(statement)
    placed: list[tuple[int, int, str]] = []
    for row in connection.execute("select id, settings, players, state, created_at from tournaments").fetchall():
        placed += _add_competition(connection, *row)
    connection.execute(MATCHES.format(matches="new_matches"))
    connection.execute(
        "insert into new_matches (rowid, id, competition, purpose, chance_group, game, parameters, state, reason,"
        " released, created_at, ended_at) select rowid, id, tournament,"
        " case when tournament is null then 'single' else 'ranked' end,"
        " chance_group, game, parameters, state, reason, released, created_at, ended_at from matches"
    )
    connection.executemany("update new_matches set meeting = ?, leg = ? where id = ?", placed)
    connection.execute("drop table matches")
    connection.execute("drop table tournaments")
    connection.execute("alter table new_matches rename to matches")
    for statement in _statements(MATCH_INDEXES):
        connection.execute(statement)
    connection.execute("alter table seats add column forfeited integer not null default 0")
    connection.execute("create index seat_of_player on seats (player)")


def _statements(script: str) -> list[str]:
    return [statement for statement in script.split(";") if statement.strip()]


def _add_competition(
    connection: sqlite3.Connection, id_: str, settings: str, players: str, state: str, created_at: str
) -> list[tuple[int, int, str]]:
    """Add a tournament as a competition; return meeting and leg of each of its matches."""
    old: dict[str, Any] = msgspec.json.decode(settings)
    entrants: list[int] = msgspec.json.decode(players)
    new = {
        "name": f"tournament {id_}",
        "games": [{"game": old["game"], "parameters": old["parameters"]}],
        "format": {"kind": "round_robin", "cycles": old["rounds"]},
        "entry": "everybody",
        "min_players": old["players"],
        "max_players": old["players"],
        "start_clock_ms": old["start_clock_ms"],
        "play_clock_ms": old["play_clock_ms"],
        "allowance_ms": old["allowance_ms"],
        "common_chance": old.get("common_chance", False),
        "matches_at_once": old.get("matches_at_once", 1),
        "seed": old["seed"],
    }
    connection.execute(
        "insert into competitions values (?, ?, ?, ?, ?, ?, null, ?, ?, null)",
        (
            id_,
            new["name"],
            msgspec.json.encode(new).decode(),
            _sources(connection, id_),
            old["seed"],
            state,
            created_at,
            created_at,
        ),
    )
    connection.executemany(
        "insert into entrants (competition, player, state, entered_at) values (?, ?, 'entered', ?)",
        [(id_, player, created_at) for player in entrants],
    )
    return _add_meetings(connection, id_, {player: at for at, player in enumerate(entrants)})


def _sources(connection: sqlite3.Connection, competition: str) -> str | None:
    """Return the rules as they were sent, from the first event of a match; None where there is no match yet."""
    row = connection.execute(
        "select line from events join matches on events.match = matches.id where tournament = ? and number = 0 limit 1",
        (competition,),
    ).fetchone()
    if row is None:
        return None
    created = msgspec.json.decode(row[0])
    source = {key: created[key] for key in ("rules", "files", "parameters")}
    return msgspec.json.encode([{"name": created["game"], **source}]).decode()


def _add_meetings(
    connection: sqlite3.Connection, competition: str, position: dict[int, int]
) -> list[tuple[int, int, str]]:
    """Say of each match to which meeting of its players it belongs: the first, second, ... in this order of seats."""
    rows = connection.execute(
        "select id, (select json_group_array(player) from (select player from seats where match = id order by seat))"
        " from matches where tournament = ? order by place",
        (competition,),
    ).fetchall()
    numbers: dict[tuple[int, tuple[int, ...]], int] = {}
    times: Counter[tuple[int, ...]] = Counter()
    placed = []
    for match, text in rows:
        seated = tuple(msgspec.json.decode(text, type=list[int]))
        group = tuple(sorted(seated, key=lambda player: position.get(player, 0)))
        cycle = times[seated]
        times[seated] += 1
        number = numbers.setdefault((cycle, group), len(numbers))
        placed.append((number, group.index(seated[0]), match))
    connection.executemany(
        "insert into meetings values (?, ?, ?, ?, 'play', '', 0)",
        [
            (competition, number, cycle, msgspec.json.encode(group).decode())
            for (cycle, group), number in numbers.items()
        ],
    )
    return placed


def from_version_2(connection: sqlite3.Connection) -> None:
    """Give each seat of a match its times; those of earlier matches are not known: no decisions.

    Args:
        connection: inside a transaction.
    """
    for column in ("decisions", "thought_ms", "longest_ms"):
        connection.execute(f"alter table seats add column {column} integer not null default 0")


def from_version_3(connection: sqlite3.Connection) -> None:
    """Give each seat of a match its team; in earlier matches each plays alone.

    Args:
        connection: inside a transaction.
    """
    connection.execute("alter table seats add column team integer not null default 0")
    connection.execute("update seats set team = seat")
