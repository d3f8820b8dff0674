"""From version 3 of the store to version 4, which keeps the teams of players."""

from __future__ import annotations

import sqlite3


def from_version_3(connection: sqlite3.Connection) -> None:
    """Give each seat of a match its team; in earlier matches each plays alone.

    Args:
        connection: inside a transaction.
    """
    connection.execute("alter table seats add column team integer not null default 0")
    connection.execute("update seats set team = seat")
