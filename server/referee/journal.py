"""A match as a journal of typed events, one JSON line each.

Input events are what happened; derived events are the referee's response. The inputs determine the
rest, so replaying a journal (`server.referee.replay`) and comparing it line by line shows whether anything was changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, cast

import msgspec
from msgspec import Struct

from ggp.competition.results import MatchOutcome
from ggp.errors import GgpError
from ggp.protocol.messages import MatchMessage, MatchReply, MatchSettings, PlayerError, Problem


class EventStruct(Struct, frozen=True, tag_field="event", forbid_unknown_fields=True, gc=False):
    """What all events share."""


class Created(
    MatchSettings, frozen=True, kw_only=True, tag_field="event", tag="created", forbid_unknown_fields=True, gc=False
):
    """The first event of every journal: everything that determines the match, including its seed."""

    match: str
    game: str
    rules: str
    files: dict[str, str]
    parameters: dict[str, str]
    roles: tuple[str, ...]
    names: tuple[str, ...]
    """The name of the player in each seat, in the order of the roles."""
    transition_limit: int
    strikes: int = 0
    grace_ms: int = 0
    seed: str
    nonce: str
    protocol: int


# --- inputs -----------------------------------------------------------------------------------------------------------


class InputStruct(EventStruct, frozen=True):
    """What all inputs share: when they came, in milliseconds of the match's own time."""

    at_ms: int


class Begun(InputStruct, frozen=True, tag="begun"):
    """The players were told to start."""


class Received(InputStruct, frozen=True, tag="received"):
    """A player's message arrived."""

    player: int
    message: MatchReply


class Malformed(InputStruct, frozen=True, tag="malformed"):
    """A player sent a frame that names this match, but is not a message."""

    player: int
    reason: str


class Ticked(InputStruct, frozen=True, tag="ticked"):
    """A deadline had passed."""


class Announced(InputStruct, frozen=True, tag="announced"):
    """The messages so far have been sent; the clock runs."""


class Resumed(InputStruct, frozen=True, tag="resumed"):
    """The manager continued the match after it had been stopped; the current clock starts afresh."""


class Stopped(InputStruct, frozen=True, tag="stopped"):
    """A host, or a failure of the manager, ended the match."""

    reason: str


class Forfeited(InputStruct, frozen=True, tag="forfeited"):
    """A player was removed from the match: it left the competition, or was kicked."""

    player: int
    reason: str


class RulesStopped(InputStruct, frozen=True, tag="rules_stopped"):
    """A transition after the last input was given up: its rules took too long.

    `made` counts the transitions made for that input before; a replay does not repeat the one given up.
    """

    reason: str
    made: int


class Released(InputStruct, frozen=True, tag="released"):
    """All matches that share the seed are over, so it may be published."""


Input: TypeAlias = (
    Begun | Received | Malformed | Ticked | Announced | Resumed | Stopped | Forfeited | RulesStopped | Released
)


# --- derived ----------------------------------------------------------------------------------------------------------


class Sent(EventStruct, frozen=True, tag="sent"):
    """A message to one player."""

    player: int
    message: MatchMessage | Problem


class Transition(EventStruct, frozen=True, tag="transition"):
    """The world state changed, by actions (by role) or by a chance outcome."""

    actions: dict[str, str]
    outcome: str | None


class Recorded(EventStruct, frozen=True, tag="recorded"):
    """An error of a player was recorded."""

    player: int
    error: PlayerError


class Ended(MatchOutcome, frozen=True, tag_field="event", tag="ended", forbid_unknown_fields=True, gc=False):
    """The match is over."""


Derived: TypeAlias = Sent | Transition | Recorded | Ended
Event: TypeAlias = Created | Input | Derived

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(cast("type[Event]", Event))


@dataclass(eq=False)
class JournalUnreadable(GgpError):
    """A line of a journal is not an event. `line` counts from 1; `is_last`: the file was probably cut off."""

    line: int
    reason: str
    is_last: bool = False

    def __str__(self) -> str:
        where = f"line {self.line}"
        return f"{where}: the journal is cut off here" if self.is_last else f"{where}: {self.reason}"


def encode_event(event: Event) -> str:
    """Return an event as JSON, without a newline."""
    return _ENCODER.encode(event).decode()


def decode_event(line: str | bytes) -> Event:
    """Read an event from its JSON line.

    Raises:
        msgspec.DecodeError: the line is not an event.
    """
    return _DECODER.decode(line)


def read_journal(lines: Iterable[bytes]) -> Iterator[Event]:
    """Read the lines of a journal file, opened in binary mode.

    Raises:
        JournalUnreadable: a line is not an event; `is_last` if it is the last one and has no newline, so was cut off.
    """
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            event = decode_event(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise JournalUnreadable(number, str(error), is_last=not line.endswith(b"\n")) from error
        if (number == 1) != isinstance(event, Created):
            raise JournalUnreadable(number, "the first event, and only it, must be `created`")
        yield event
    if number == 0:
        raise JournalUnreadable(1, "the file is empty")
