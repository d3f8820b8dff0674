"""Stores of every released version are migrated, even if the migration is killed in the middle."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from server.competitions.settings import CompetitionSettings
from server.competitions.table import competition_table
from server.matches.library_games import LibraryGames
from server.network.host import hosting
from server.network.web_server import open_port
from server.referee.replay import first_difference
from server.store import competition_records, records, schema
from server.store.store import Store, StoreUnusable, read_store

STORES = Path(__file__).parents[2] / "stores"
VERSIONS = range(1, schema.SCHEMA_VERSION + 1)


def old_store(path: Path, version: int = 1) -> Path:
    """Make a store of a version.

    1: ten of eighteen matches of a tournament are over, and one is being played. 2: a Swiss is over, a competition has
    an invitation, a ladder is running. 3 and 4: a match with the times of its players.
    """
    connection = sqlite3.connect(path)
    connection.executescript((STORES / f"version_{version}.sql").read_text(encoding="utf-8"))
    connection.close()
    return path


def dump(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        return "\n".join(connection.iterdump())
    finally:
        connection.close()


def tables(path: Path) -> set[str]:
    connection = sqlite3.connect(path)
    try:
        rows = connection.execute("select type, name, replace(replace(sql, '\"', ''), ' ', '') from sqlite_master")
        return {f"{kind} {name}: {' '.join((sql or '').split())}" for kind, name, sql in rows}
    finally:
        connection.close()


def columns(path: Path) -> dict[str, set[tuple[object, ...]]]:
    """Return the columns of each table and index of a store."""
    connection = sqlite3.connect(path)
    try:
        kinds = connection.execute("select type, name from sqlite_master where name not like 'sqlite_%'").fetchall()
        asked = {"table": "table_info", "index": "index_info"}
        return {name: {row[1:4] for row in connection.execute(f"pragma {asked[kind]}({name})")} for kind, name in kinds}
    finally:
        connection.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_migrated_store_has_the_tables_of_a_new_one(tmp_path: Path, version: int) -> None:
    Store(old_store(tmp_path / "old", version)).close()
    Store(tmp_path / "new").close()
    assert columns(tmp_path / "old") == columns(tmp_path / "new")


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_a_migration_makes_the_tables_of_the_next_version(tmp_path: Path, version: int) -> None:
    """Whatever the tables of the present version are."""
    path = old_store(tmp_path / "old", version)
    connection = sqlite3.connect(path)
    schema.MIGRATIONS[version](connection)
    connection.commit()
    connection.close()
    assert columns(path) == columns(old_store(tmp_path / "next", version + 1))


def test_the_tables_of_the_present_version_are_those_of_its_dump(tmp_path: Path) -> None:
    Store(tmp_path / "new").close()
    assert tables(tmp_path / "new") == tables(old_store(tmp_path / "old", schema.SCHEMA_VERSION))


def test_a_store_of_version_2_is_read_and_continued(tmp_path: Path) -> None:
    async def competitions() -> list[str]:
        async with hosting(Store(old_store(tmp_path / "store", 2)), LibraryGames(), open_port("127.0.0.1", 0)) as host:
            found = [f"{one.settings.name} {one.state} {one.settings.entry}" for one in host.competitions.all]
            host.manager.store.close()
            return found

    assert asyncio.run(competitions()) == ["Closed registering invitation", "Ladder running everybody"]
    with read_store(tmp_path / "store") as connection:
        for row in records.matches(connection):
            journal = records.journal_of(connection, row.id)
            assert first_difference(journal, LibraryGames().load_created, LibraryGames.faults) is None
        (swiss, *_) = competition_records.competitions(connection)
        table = competition_table(connection, swiss.id)
        assert {row.name: (row.matches, row.byes) for row in table} == {"a": (4, 0), "b": (2, 1), "c": (2, 1)}
        # a meeting has two matches, each with a point to win, and a bye counts as two wins
        assert sum(row.points for row in table) == 4 + 2 * 2


def test_nothing_of_the_first_version_is_lost(tmp_path: Path) -> None:
    path = old_store(tmp_path / "store")
    before = sqlite3.connect(path)
    events = before.execute("select * from events order by match, number").fetchall()
    order = [id_ for (id_,) in before.execute("select id from matches order by place")]
    before.close()
    Store(path).close()
    with read_store(path) as connection:
        assert connection.execute("select * from events order by match, number").fetchall() == events
        rows = records.matches(connection)
        assert [row.id for row in rows] == order
        assert [row.state for row in rows] == ["finished"] * 10 + ["running"]
        (competition,) = competition_records.competitions(connection)
        settings = msgspec.json.decode(competition.settings, type=CompetitionSettings)
        assert (settings.games[0].game, settings.min_players, competition.state) == ("matching_pennies", 3, "running")
        meetings = {one.number: one for one in competition_records.meetings(connection, competition.id)}
        for row in rows:
            assert row.meeting is not None
            assert row.leg is not None
            group = meetings[row.meeting].players
            assert row.players == group[row.leg :] + group[: row.leg]
        assert len({(row.meeting, row.leg) for row in rows}) == len(rows)
        assert sum(row.matches for row in competition_table(connection, competition.id)) == 20
        for row in rows[:3]:
            journal = records.journal_of(connection, row.id)
            assert first_difference(journal, LibraryGames().load_created, LibraryGames.faults) is None


async def test_a_tournament_of_the_first_version_is_played_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.matches.running_match.RETURN_GRACE_S", 0.02)
    monkeypatch.setattr("server.competitions.competition.RETURN_GRACE_S", 0.02)
    path = old_store(tmp_path / "store")
    store, listener = Store(path), open_port("127.0.0.1", 0)
    async with hosting(store, LibraryGames(), listener) as host:
        competitions = host.competitions
        (competition,) = competitions.all
        await competition.change({"start_clock_ms": 20, "play_clock_ms": 20, "allowance_ms": 0})
        await asyncio.wait_for(asyncio.shield(competitions.task_of(competition)), 15)
    store.close()
    with read_store(path) as connection:
        rows = records.matches(connection)
        # three players, each pair three times in both orders of seats
        assert len(rows) == 18
        assert all(row.state == "finished" for row in rows)
        seated = [row.names for row in rows]
        assert all(seated.count((one, other)) == 3 for one in "abc" for other in "abc" if one != other)


KILLED = """
import sqlite3, sys
from server.store import migrations
from server.store.store import Store
path, at = sys.argv[1], int(sys.argv[2])
steps = 0
import os, signal
real = sqlite3.connect
class Connection(sqlite3.Connection):
    def execute(self, *arguments):
        global steps
        steps += 1
        if steps == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(*arguments)
sqlite3.connect = lambda *a, **k: real(*a, factory=Connection, **k)
Store(__import__("pathlib").Path(path)).close()
print(steps)
"""


def test_a_migration_that_is_killed_anywhere_is_done_by_the_next_manager(tmp_path: Path) -> None:
    original = old_store(tmp_path / "original")
    untouched = dump(original)
    whole = shutil.copy(original, tmp_path / "whole")
    steps = int(subprocess.run([sys.executable, "-c", KILLED, whole, "0"], capture_output=True, check=True).stdout)
    assert steps > 30
    migrated = dump(Path(whole))
    first = sqlite3.connect(shutil.copy(original, tmp_path / "first"))
    between = []
    for version in VERSIONS[:-1]:
        schema.MIGRATIONS[version](first)
        first.commit()
        between.append("\n".join(first.iterdump()))
    first.close()
    for at in range(8, steps + 1, 5):
        path = Path(shutil.copy(original, tmp_path / f"killed-{at}"))
        killed = subprocess.run([sys.executable, "-c", KILLED, path, str(at)], capture_output=True, check=False)
        assert killed.returncode == -signal.SIGKILL
        assert dump(path) in (untouched, *between), at
        Store(path).close()
        assert dump(path) == migrated


def test_an_old_store_is_not_read_without_being_brought_up_to_date(tmp_path: Path) -> None:
    path = old_store(tmp_path / "store")
    with pytest.raises(StoreUnusable, match="upgrades it"), read_store(path):
        pass
