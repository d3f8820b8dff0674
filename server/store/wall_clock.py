"""The time of day in records; clocks of matches are in `server.referee.match_clock`."""

from __future__ import annotations

from datetime import UTC, datetime


def wall_clock() -> str:
    """Return the time of day in UTC, ISO 8601, to the millisecond."""
    return iso_text(datetime.now(UTC))


def iso_text(moment: datetime) -> str:
    """Return a time in UTC in the format of the store, which sorts by time."""
    return moment.isoformat(timespec="milliseconds")
