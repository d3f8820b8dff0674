"""The time of day, as it stands in records; clocks of matches are in `server.referee.clocks`."""

from __future__ import annotations

from datetime import UTC, datetime


def wall_clock() -> str:
    """Return the time of day in UTC, ISO 8601, to the millisecond."""
    return iso_text(datetime.now(UTC))


def iso_text(moment: datetime) -> str:
    """Return a time of day in UTC as the store writes it: such texts sort by time."""
    return moment.isoformat(timespec="milliseconds")
