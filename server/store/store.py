"""The embedded store: one SQLite file, written by one thread in group commits.

It knows how to write safely; the operations are in `server.store.records`. A write is an operation on the
connection. The writer takes all waiting operations, runs them in one transaction, and resumes their callers
only after the commit. So a caller that waits before it announces anything never announces what could be lost.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec

from ggp.errors import GgpError
from server.store import schema

T = TypeVar("T")
P = ParamSpec("P")
Operation = Callable[Concatenate[sqlite3.Connection, P], T]
"""Writes to the store: a function of the writer's connection and of what to write."""
EventRow = tuple[str, int, str]
"""A match, the number of an event in its journal, and the event's line."""

READERS = 3
"""Threads that read for the event loop, which needs the interpreter, too."""

_INSERT_EVENTS = """
insert into events (match, number, line)
select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') from json_each(?)
"""

log = logging.getLogger("ggp.store")


class StoreUnusable(GgpError):
    """The store file cannot be opened, is not a store, or is used by another manager."""


class StoreFailed(GgpError):
    """Something could not be stored (the disk is full, or fails). Nothing is written after that."""


CALLERS_FAULTS = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError, sqlite3.DataError)
"""Errors of SQLite that tell nothing of the disk: an operation violates a constraint, or is wrong."""


class _Item(NamedTuple):
    """A waiting operation, the events inserted with it, and the future of its caller (`loop`: in which event loop)."""

    operation: Callable[[sqlite3.Connection], Any]
    events: Sequence[EventRow]
    future: Future[Any] | asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop | None


class Store:
    """An open store.

    Args:
        path: the file; created if missing.

    Raises:
        StoreUnusable: it cannot be opened, is not a store, is of a later version, or is used by another manager.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failure: str | None = None
        """Why nothing can be written any more, if something failed."""
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        with ExitStack() as unless_opened:
            try:
                self._lock = _take_lock(path)
                unless_opened.callback(self._lock.close)
                self._connection = _open(path)
            except sqlite3.Error as error:
                raise StoreUnusable(f"cannot use the store {path}: {error}") from error
            unless_opened.pop_all()
        self._thread = threading.Thread(target=self._write, name="store", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The approximate number of operations waiting to be written."""
        return self._queue.qsize()

    def submit(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run an operation in the writer's next transaction; the future is done once that is committed.

        The future fails with `StoreFailed` if the store does, and with the operation's own error if it raises one.
        """
        future: Future[T] = Future()
        self._queue.put(_Item(lambda connection: operation(connection, *args, **kwargs), (), future, None))
        return future

    async def written(self, operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Wait until an operation is committed, and return its result; call it from an event loop.

        Raises:
            StoreFailed: the store has failed.
            Exception: whatever the operation raised; it has changed nothing.
        """
        return await self.appended((), operation, *args, **kwargs)

    async def appended(
        self, events: Sequence[EventRow], operation: Operation[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Wait until an operation and rows of the event table are committed; see `written`."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Item(lambda connection: operation(connection, *args, **kwargs), events, future, loop))
        return await future

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of a query of committed data, made in a thread; large ones wait for each other."""

        def read() -> T:
            with self.reading() as connection:
                return query(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, read)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for reading committed data; for one thread."""
        with read_store(self.path) as connection:
            yield connection

    def close(self) -> None:
        """Write all waiting operations, and close the file."""
        self._readers.shutdown()
        self._queue.put(None)
        self._thread.join()
        self._connection.close()
        self._lock.close()

    def _write(self) -> None:
        while True:
            batch, last = self._next_batch()
            if batch:
                self._commit(batch)
            if last:
                return

    def _next_batch(self) -> tuple[list[_Item], bool]:
        """Wait for an operation; return all waiting operations, and whether the store is being closed."""
        batch = []
        item = self._queue.get()
        while item is not None:
            batch.append(item)
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _commit(self, batch: list[_Item]) -> None:
        """Store a batch in one transaction; if an operation is at fault, each in a transaction of its own."""
        outcome = self._attempt(batch)
        if isinstance(outcome, list):
            _settle(batch, outcome)
        elif len(batch) > 1 and not isinstance(outcome, StoreFailed):
            for item in batch:
                self._commit([item])
        else:
            _settle(batch, [outcome] * len(batch))

    def _attempt(self, batch: list[_Item]) -> list[Any] | Exception:
        """Return the results of a transaction, or why nothing of it is stored."""
        if self.failure is not None:
            return StoreFailed(self.failure)
        try:
            self._connection.execute("begin immediate")
            results = [item.operation(self._connection) for item in batch]
            self._insert_events([row for item in batch for row in item.events])
            self._connection.execute("commit")
        except Exception as error:  # the end of a transaction: its callers are told
            # The failure may have ended the transaction already, or prevent ending it.
            with suppress(sqlite3.Error):
                self._connection.execute("rollback")
            if isinstance(error, CALLERS_FAULTS) or not isinstance(error, sqlite3.Error):
                return error
            self.failure = f"the store {self.path} cannot be written: {error}"
            log.critical("%s; matches stop, nothing more is announced", self.failure)
            return StoreFailed(self.failure)
        return results

    def _insert_events(self, rows: list[EventRow]) -> None:
        """Insert all rows with one statement.

        Each statement releases the GIL and has to wait for it again, for milliseconds while the event loop is
        busy: with one statement per row, a busy manager could store only a few hundred rows per second.
        """
        if rows:
            self._connection.execute(_INSERT_EVENTS, (msgspec.json.encode(rows).decode(),))


def _settle(batch: list[_Item], results: list[Any]) -> None:
    """Resume the callers that wait for a batch with their results or errors; each event loop is woken only once."""
    by_loop: dict[asyncio.AbstractEventLoop | None, list[tuple[_Item, Any]]] = {}
    for item, result in zip(batch, results, strict=True):
        by_loop.setdefault(item.loop, []).append((item, result))
    for loop, items in by_loop.items():
        if loop is None:
            _settle_items(items)
        else:
            # RuntimeError: the loop is closed, and nothing waits any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle_items, items)


def _settle_items(items: list[tuple[_Item, Any]]) -> None:
    for item, result in items:
        if item.future.cancelled():
            continue
        if isinstance(result, Exception):
            item.future.set_exception(result)
        else:
            item.future.set_result(result)


@contextmanager
def read_store(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store for reading only, also while a manager writes it.

    Raises:
        StoreUnusable: there is no such file, or it is not a store.
    """
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise StoreUnusable(f"cannot read the store {path}: {error}") from error
    try:
        _check_identity(connection, path)
        _check_version(connection, path)
        yield connection
    except sqlite3.DatabaseError as error:
        raise StoreUnusable(f"cannot read the store {path}: {error}") from error
    finally:
        connection.close()


def _take_lock(path: Path) -> sqlite3.Connection:
    """Hold a lock beside the store, released whenever and however the process ends."""
    lock = sqlite3.connect(f"{path}-lock", isolation_level=None, timeout=0, check_same_thread=False)
    try:
        lock.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" in str(error):
            raise StoreUnusable(f"another manager uses the store {path}") from error
        raise
    return lock


def _open(path: Path) -> sqlite3.Connection:
    with ExitStack() as unless_opened:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        unless_opened.callback(connection.close)
        # Flushed to disk at each group commit, so that announced events survive a power failure, too.
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.execute("pragma foreign_keys = on")
        if connection.execute("select count(*) from sqlite_master").fetchone()[0] == 0:
            schema.create(connection)
        _check_identity(connection, path)
        try:
            schema.migrate(connection)
        except schema.UnknownVersion as error:
            raise _of_other_version(path, error.version) from error
        unless_opened.pop_all()
    return connection


def _check_identity(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("pragma application_id").fetchone()[0] != schema.APPLICATION_ID:
        raise StoreUnusable(f"{path} is a database, but not a store of ggp")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    version = schema.version_of(connection)
    if version in schema.MIGRATIONS:
        raise StoreUnusable(
            f"the store {path} has version {version}, and this ggp reads version {schema.SCHEMA_VERSION};"
            " `ggp serve --store` with this file upgrades it"
        )
    if version != schema.SCHEMA_VERSION:
        raise _of_other_version(path, version)


def _of_other_version(path: Path, version: int) -> StoreUnusable:
    return StoreUnusable(f"the store {path} has version {version}; this ggp reads version {schema.SCHEMA_VERSION}")
