import asyncio
import contextlib
import sqlite3
import subprocess
import sys
import threading

import pytest

from server.referee.journal import Announced, Begun, Released, Stopped, Ticked
from server.referee.referee import Referee
from server.store import records
from server.store.schema import SCHEMA_VERSION
from server.store.store import Store, StoreFailed, StoreUnusable, read_store
from tests.support.tiny_games import DarkBids, created

NOW = "2026-01-01T00:00:00.000+00:00"


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "store")
    yield opened
    opened.close()


def add_match(store, **options):
    first = created(DarkBids())
    ids = [store.submit(records.add_player, name, name, NOW).result() for name in ("a", "b")]
    chosen = {"chance_group": "g", "place": records.MatchPlace(), **options}
    store.submit(records.add_match, first, ids, now=NOW, **chosen).result()
    return first, ids


def append(store, first_number, events, ids):
    rows = records.event_rows("m1", first_number, events)
    asyncio.run(store.appended(rows, records.add_results, "m1", events, ids, NOW))


def test_a_match_is_read_as_it_was_written(store):
    first, ids = add_match(store)
    referee = Referee(DarkBids(), first)
    events = (
        referee.apply(Begun(0))
        + referee.apply(Announced(0))
        + referee.apply(Ticked(2000))
        + referee.apply(Stopped(2001, "enough"))
    )
    append(store, 1, events, ids)
    with store.reading() as connection:
        assert records.journal_of(connection, "m1") == [first, *events]
        (row,) = records.matches(connection)
        assert (row.state, row.outcome.reason, row.outcome.utilities, row.names, row.errors) == (
            "aborted", "enough", None, ("a", "b"), (1, 1),
        )  # fmt: skip
        assert [error["kind"] for error in records.errors(connection, match="m1")] == ["not_ready", "not_ready"]
        assert records.matches(connection, state="running") == []
        assert [match.id for match in records.matches(connection, unreleased=True)] == ["m1"]
    append(store, 1 + len(events), referee.apply(Released(1)), ids)
    with store.reading() as connection:
        assert records.matches(connection, unreleased=True) == []


def test_what_fails_is_not_stored_even_in_part_and_nothing_after_it(store, caplog):
    def half(connection):
        connection.execute("insert into players (name, token_hash, created_at) values ('half', 'half', '')")
        raise sqlite3.OperationalError("database or disk is full")

    with pytest.raises(StoreFailed, match="database or disk is full"):
        store.submit(half).result()
    with pytest.raises(StoreFailed):
        store.submit(records.add_player, "late", "late", NOW).result()
    with store.reading() as connection:
        assert records.all_players(connection) == []
    assert "matches stop, nothing more is announced" in caplog.text
    assert "Traceback" not in caplog.text, "the disk is full: nothing is wrong with the code"


def test_an_operation_that_is_wrong_fails_alone(store):
    going = threading.Event()
    wrong = lambda connection: connection.execute("insert into seats default values")  # noqa: E731
    first = store.submit(lambda _: going.wait(10))
    several = [store.submit(records.add_player, "a", "a", NOW), store.submit(wrong), store.submit(lambda _: 1 / 0)]
    last = store.submit(records.add_player, "b", "b", NOW)
    going.set()
    assert first.result()
    with pytest.raises(sqlite3.IntegrityError):
        several[1].result()
    with pytest.raises(ZeroDivisionError):
        several[2].result()
    assert (several[0].result(), last.result(), store.failure) == (1, 2, None)
    with store.reading() as connection:
        assert [row.name for row in records.all_players(connection)] == ["a", "b"]


class NoWayBack:
    """A connection on which not even `rollback` works."""

    in_transaction = True

    def execute(self, statement, *_):
        if statement in ("begin immediate", "rollback"):
            raise sqlite3.OperationalError("disk I/O error")

    def close(self):
        """Nothing is open."""


def test_nobody_waits_for_ever_for_a_store_that_fails_altogether(tmp_path, caplog):
    store = Store(tmp_path / "store")
    store._connection.close()
    store._connection = NoWayBack()
    with pytest.raises(StoreFailed, match="disk I/O error"):
        store.submit(records.add_player, "a", "a", NOW).result(timeout=10)
    with pytest.raises(StoreFailed):
        store.submit(records.add_player, "b", "b", NOW).result(timeout=10)
    store.close()
    assert "nothing more is announced" in caplog.text


FILL_THE_DISK = """
import resource, sys, signal
from pathlib import Path
from server.store import records
from server.store.store import Store, StoreFailed
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
stored = 0
try:
    for number in range(10_000):
        store.submit(records.add_player, "x" * 1000, str(number), "").result()
        stored += 1
except StoreFailed as error:
    print(stored, error)
"""


def test_a_full_disk_stops_the_store_and_what_was_confirmed_is_there(tmp_path):
    command = [sys.executable, "-c", FILL_THE_DISK, str(tmp_path / "store")]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    stored, _, message = result.stdout.partition(" ")
    assert "cannot be written" in message
    assert int(stored) > 10
    reopened = Store(tmp_path / "store")
    with reopened.reading() as connection:
        assert len(records.all_players(connection)) == int(stored)
    reopened.close()


def test_two_managers_cannot_use_one_store(store):
    with pytest.raises(StoreUnusable, match="another manager uses the store"):
        Store(store.path)


def test_a_store_is_used_again_after_it_was_closed(tmp_path):
    for _ in range(2):
        store = Store(tmp_path / "store")
        store.submit(records.add_player, "a", str(_), NOW).result()
        store.close()
    with read_store(tmp_path / "store") as connection:
        assert len(records.all_players(connection)) == 2


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("create table other (x)", "is a database, but not a store of ggp"),
        (f"pragma user_version = {SCHEMA_VERSION + 1}", f"has version {SCHEMA_VERSION + 1}"),
    ],
)
def test_other_databases_are_refused(tmp_path, statement, message):
    path = tmp_path / "store"
    if statement.startswith("pragma"):
        Store(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
    with pytest.raises(StoreUnusable, match=message) as first:
        Store(path)
    with pytest.raises(StoreUnusable, match=message):  # nor does it count as one that a manager uses
        Store(path)
    assert first.tb is not None


def test_what_is_no_database_or_not_there_is_refused(tmp_path):
    (tmp_path / "text").write_text("not a database, but long enough to be looked at as one " * 20)
    with pytest.raises(StoreUnusable, match="file is not a database"):
        Store(tmp_path / "text")
    with pytest.raises(StoreUnusable, match="unable to open database file"):
        Store(tmp_path / "no" / "store")
    with pytest.raises(StoreUnusable, match="cannot read the store"), read_store(tmp_path / "none"):
        pass
