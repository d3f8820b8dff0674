"""The version of the store's tables, and migrations from each released version to the present one.

A new store has the tables of version 2, in `tables_2`, and the migrations from there. Neither is changed once a manager
with that version has been released: a migration makes the tables of the next version, whatever today's are. A migration
is one transaction: if the manager is killed in the middle, the old version remains.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from server.store import tables_2
from server.store.migrations import from_version_1, from_version_2, from_version_3

SCHEMA_VERSION = 4
APPLICATION_ID = 0x67677031  # "ggp1": tells our files from other databases

Migration = Callable[[sqlite3.Connection], None]

MIGRATIONS: dict[int, Migration] = {1: from_version_1, 2: from_version_2, 3: from_version_3}
"""From each released version to the next one."""


class UnknownVersion(Exception):
    """The tables are of an unknown version, most likely a later one."""

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version}")
        self.version = version


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a store's tables."""
    version: int = connection.execute("pragma user_version").fetchone()[0]
    return version


def create(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty database, or none; `migrate` is called next."""
    connection.executescript(
        f"begin; {tables_2.TABLES} pragma user_version = 2; pragma application_id = {APPLICATION_ID}; commit;"
    )


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate the tables to the present version, if they are of an earlier one.

    Raises:
        UnknownVersion: their version is unknown.
        sqlite3.Error: the migration failed; nothing has changed.
    """
    while (version := version_of(connection)) != SCHEMA_VERSION:
        if version not in MIGRATIONS:
            raise UnknownVersion(version)
        # Tables that others refer to are created again; references are checked at the end. This pragma has no effect
        # within a transaction.
        connection.execute("pragma foreign_keys = off")
        try:
            with connection:
                connection.execute("begin immediate")
                MIGRATIONS[version](connection)
                broken = connection.execute("pragma foreign_key_check").fetchone()
                assert broken is None, f"a migration leaves a reference to nothing: {broken}"
                connection.execute(f"pragma user_version = {version + 1}")
        finally:
            connection.execute("pragma foreign_keys = on")
