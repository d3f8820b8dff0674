"""Replaying a journal: the same inputs must give the same events, byte for byte.

It leaves opening files to `ggp replay` and the store, and making games of rules to its caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from server.game_interface import Game
from server.journal import Created, Derived, Event, JournalUnreadable, Malformed, Received, encode_event
from server.referee import Referee


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a journal and its replay part. `line` counts from 1; None: there is no such line."""

    line: int
    expected: str | None
    found: str | None


def replay(
    events: Iterable[Event],
    load: Callable[[Created], Game],
    faults: tuple[type[Exception], ...] = (),
) -> tuple[Referee, list[Event]]:
    """Run a referee through a journal's inputs.

    Args:
        events: the journal from its beginning; it may end anywhere.
        load: makes the game of the first event.
        faults: exceptions by which that game says that its rules failed in play.

    Returns:
        The referee, as it was after the last event, and all events that it gave out.

    Raises:
        JournalUnreadable: the game has other roles, or an event is of a player that there is not.
    """
    stream = iter(events)
    created = next(stream)
    assert isinstance(created, Created)
    try:
        referee = Referee(load(created), created, faults)
    except ValueError as error:
        raise JournalUnreadable(1, str(error)) from error
    replayed: list[Event] = [created]
    for line, event in enumerate(stream, 2):
        if isinstance(event, Received | Malformed) and not 0 <= event.player < len(created.roles):
            raise JournalUnreadable(line, f"there is no player {event.player}")
        if not isinstance(event, Derived):
            assert not isinstance(event, Created)
            replayed.extend(referee.apply(event))
    return referee, replayed


def first_difference(
    events: list[Event],
    load: Callable[[Created], Game],
    faults: tuple[type[Exception], ...] = (),
) -> Difference | None:
    """Return where a journal differs from its replay, or breaks off before the match ended; None if it is right.

    Raises:
        JournalUnreadable: see `replay`.
    """
    referee, replayed = replay(events, load, faults)
    for line, (found, expected) in enumerate(zip(events, replayed, strict=False), 1):
        found_line, expected_line = encode_event(found), encode_event(expected)
        if found_line != expected_line:
            return Difference(line, expected_line, found_line)
    shorter = min(len(events), len(replayed))
    if len(events) != len(replayed):
        return Difference(
            shorter + 1,
            encode_event(replayed[shorter]) if shorter < len(replayed) else None,
            encode_event(events[shorter]) if shorter < len(events) else None,
        )
    if referee.ended is None:
        return Difference(shorter + 1, "the rest of the match", None)
    return None
