"""Archives journals and copies the store, both while a manager is running."""

from __future__ import annotations

import gzip
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from server.store import records
from server.store.store import Store, StoreUnusable, read_store

BATCH = 50
"""Matches archived in one transaction, so that the writer is not blocked for long."""
PAGES_AT_ONCE = 1000
"""Pages copied at a time by a backup; the manager writes in between."""


def archivable(connection: sqlite3.Connection, before: str) -> list[str]:
    """Return the oldest matches, a batch, whose journals can be archived.

    They were over before a time (ISO 8601, in the format of the store), with published seeds, and are not archived yet.
    """
    rows = connection.execute(
        "select id from matches where state != 'running' and released and not pruned and ended_at < ?"
        " order by rowid limit ?",
        (before, BATCH),
    )
    return [id_ for (id_,) in rows]


def write_archive(connection: sqlite3.Connection, folder: Path, matches: Sequence[str]) -> None:
    """Write journals as files `MATCH.jsonl.gz`, which `ggp replay` reads; they are flushed to disk.

    Raises:
        OSError: they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for match in matches:
        whole = folder / f"{match}.jsonl.gz"
        part = whole.with_suffix(".part")
        # Without the time, so that the same journal gives the same file.
        packed = gzip.compress(records.journal_text(connection, match).encode(), mtime=0)
        try:
            with part.open("wb") as file:
                file.write(packed)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            part.unlink()  # on a full disk it would only take room
            raise
        part.replace(whole)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_journals(connection: sqlite3.Connection, matches: Sequence[str]) -> None:
    """Remove journals from the store; results, errors and ratings stay."""
    for match in matches:
        connection.execute("delete from events where match = ? and number > 0", (match,))
        connection.execute("update matches set pruned = 1 where id = ?", (match,))


def archive_batch(store: Store, folder: Path, before: str) -> int:
    """Archive some journals; return how many. Call it from a thread, repeatedly until there are none left.

    Raises:
        OSError: a file cannot be written; nothing was removed.
        StoreFailed: they could not be removed.
    """
    with store.reading() as connection:
        matches = archivable(connection, before)
        if matches:
            write_archive(connection, folder, matches)
    if matches:
        store.submit(remove_journals, matches).result()
    return len(matches)


def copy_store(source: Path, target: Path) -> None:
    """Copy a store, also while a manager writes it: the copy holds what was committed when copying ended.

    Raises:
        FileExistsError: the target exists.
        OSError: it cannot be written.
        StoreUnusable: the source cannot be read, or the copy cannot be written.
    """
    if target.exists():
        raise FileExistsError(f"{target} exists already")
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    with read_store(source) as connection:
        try:
            with closing(sqlite3.connect(part)) as copy:
                connection.backup(copy, pages=PAGES_AT_ONCE)
        except sqlite3.Error as error:
            part.unlink(missing_ok=True)  # on a full disk it would only take room
            raise StoreUnusable(f"cannot copy {source} to {target}: {error}") from error
    part.replace(target)
