"""Stores of runs: the settings of a run and its records, so that it can be continued.

A SQLite file, like the game manager's store. Nothing here knows what the records mean.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from ggp.errors import GgpError

APPLICATION_ID = 0x67677032  # "ggp2": tells these files from other databases
VERSION = 1
SQLITE_MAGIC = b"SQLite format 3\0"

Record = tuple[int, Any]
"""The number of a record, from 1, and its content."""


class RecordUnusable(GgpError):
    """A store of something else, or one that cannot be read or written."""


class RunStore:
    """The store of one run, open for reading and appending, by one process at a time.

    Args:
        path: of the file; created if missing.
        kind: of the run: `match`, `tournament`, `experiment`.
        plan: the settings of the run, as plain data. A store with another plan is refused.

    Attributes:
        records: those found in the file.

    Raises:
        RecordUnusable: the file records something else, is damaged, is in use, cannot be opened, or is not a regular
            file.
    """

    def __init__(self, path: Path, kind: str, plan: Mapping[str, Any]) -> None:
        self._path = path
        asked = json.loads(json.dumps(plan))  # JSON has no tuples
        with ExitStack() as unless_opened:
            # Closed last: closing a file drops the locks that SQLite holds on it in this process.
            file = unless_opened.enter_context(_locked(path))
            file.seek(0)
            if file.read(len(SQLITE_MAGIC)) not in (b"", SQLITE_MAGIC):
                raise RecordUnusable(f"{path} is not the record of a run")
            self._connection = unless_opened.enter_context(_connected(path))
            with _told(path, "use"):
                if not self._connection.execute("select count(*) from sqlite_master").fetchone()[0]:
                    _fill(self._connection, kind, asked)
                found_kind, found_plan = _heading(self._connection, path)
                _check(path, kind, found_kind, asked, found_plan)
                self.records = _records(self._connection, path)
            self.close = unless_opened.pop_all().close
            """Closes the file."""

    def append(self, *records: Mapping[str, Any]) -> None:
        """Add records; they are on the disk when this returns, all of them or none.

        Raises:
            RecordUnusable: they cannot be written, as on a full disk. What was written before is kept.
        """
        try:
            with self._connection:
                self._connection.execute("begin immediate")
                rows = ((json.dumps(one),) for one in records)
                self._connection.executemany("insert into records (record) values (?)", rows)
        except sqlite3.Error as error:
            raise RecordUnusable(
                f"cannot write {self._path}: {error}; earlier records are kept, and the same command continues them"
            ) from error

    def read(self, take: Callable[[Any], object]) -> None:
        """Pass each record that was found to a function.

        Raises:
            RecordUnusable: the function raised KeyError, TypeError or ValueError: a record has not the expected form.
        """
        for number, record in self.records:
            try:
                take(record)
            except (KeyError, TypeError, ValueError) as error:
                reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
                message = f"{self._path}, record {number}, is not the result of a game: {reason}"
                raise RecordUnusable(message) from error

    def __enter__(self) -> RunStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_run(path: Path, kind: str) -> tuple[Any, list[Record]]:
    """Return the plan and the records of a store, also while a run appends to it.

    Raises:
        RecordUnusable: there is no such file, or it is not a store of this kind.
    """
    with _told(path, "read"), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        found_kind, plan = _heading(connection, path)
        if found_kind != kind:
            raise RecordUnusable(f"{path} is not the record of a {kind}")
        return plan, _records(connection, path)


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, creating it if missing, and keep others from using it within the context."""
    if path.exists() and not path.is_file():
        raise RecordUnusable(f"{path} is not a regular file")
    try:
        file = open(path, "a+b")  # noqa: SIM115 - as long as the context
    except OSError as error:
        raise RecordUnusable(f"cannot open {path}: {error.strerror}") from error
    with file:
        if sys.platform != "win32":  # locks there would keep the holder itself from reading
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RecordUnusable(f"{path} is in use by another run") from error
        yield file


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    with _told(path, "use"), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        yield connection


@contextmanager
def _told(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise RecordUnusable(f"cannot {what} {path}: {error}") from error


def _fill(connection: sqlite3.Connection, kind: str, plan: Any) -> None:
    """Create the tables in an empty database, in one transaction."""
    connection.execute("begin immediate")
    connection.execute("create table run (kind text not null, plan text not null)")
    connection.execute("create table records (number integer primary key, record text not null)")
    connection.execute("insert into run values (?, ?)", (kind, json.dumps(plan)))
    connection.execute(f"pragma user_version = {VERSION}")
    connection.execute(f"pragma application_id = {APPLICATION_ID}")
    connection.execute("commit")


def _heading(connection: sqlite3.Connection, path: Path) -> tuple[str, Any]:
    if connection.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
        raise RecordUnusable(f"{path} is a database, but not the record of a run")
    version = connection.execute("pragma user_version").fetchone()[0]
    if version != VERSION:
        raise RecordUnusable(f"{path} is of version {version}; this ggp reads version {VERSION}")
    kind, plan = connection.execute("select kind, plan from run").fetchone()
    return kind, json.loads(plan)


def _records(connection: sqlite3.Connection, path: Path) -> list[Record]:
    found = []
    for number, text in connection.execute("select number, record from records order by number"):
        try:
            found.append((number, json.loads(text)))
        except ValueError as error:
            raise RecordUnusable(f"{path}, record {number}, is damaged: {error}") from error
    return found


def _check(path: Path, kind: str, found_kind: str, plan: dict[str, Any], found: dict[str, Any]) -> None:
    if found_kind != kind:
        raise RecordUnusable(f"{path} is not the record of a {kind}")
    other = [key for key in plan if found.get(key) != plan[key]]
    if other:
        raise RecordUnusable(
            f"{path} is the record of another {kind}, with"
            f" {', '.join(_told_difference(key, found.get(key), plan[key]) for key in other)};"
            " continue it with the same arguments, or name another file"
        )


def _told_difference(name: str, there: Any, here: Any) -> str:
    """Return how a setting differs; values too long for a line are omitted."""
    if name == "digest":
        return "other rules"
    texts = [json.dumps(value, ensure_ascii=False) for value in (there, here)]
    return f"{name} {texts[0]} instead of {texts[1]}" if max(map(len, texts)) <= 100 else f"other {name}"
