"""From version 2 of the store to version 3, which keeps how long players thought."""

from __future__ import annotations

import sqlite3


def from_version_2(connection: sqlite3.Connection) -> None:
    """Give each seat of a match its times; those of earlier matches are not known: no decisions.

    Args:
        connection: inside a transaction.
    """
    for column in ("decisions", "thought_ms", "longest_ms"):
        connection.execute(f"alter table seats add column {column} integer not null default 0")
