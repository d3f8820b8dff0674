"""A match as a journal of typed events, one JSON line each.

Input events are what happened to the referee; derived events are what it made of them. The inputs alone determine the
rest, so replaying a journal (`server.referee.replay`) and comparing it line by line shows whether anything was changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, cast

import msgspec
from msgspec import Struct

from ggp.errors import GgpError
from ggp.protocol.messages import MatchMessage, MatchReply, PlayerError, Problem


class EventStruct(Struct, frozen=True, tag_field="event", forbid_unknown_fields=True, gc=False):
    """What all events share."""


class Created(EventStruct, frozen=True, tag="created"):
    """The first event of every journal: all that the match is determined by, its seed included."""

    match: str
    game: str
    rules: str
    files: dict[str, str]
    parameters: dict[str, str]
    roles: tuple[str, ...]
    names: tuple[str, ...]
    """The name of the player in each seat, in the order of the roles."""
    start_clock_ms: int
    play_clock_ms: int
    allowance_ms: int
    transition_limit: int
    seed: str
    nonce: str
    protocol: int
    total_ms: int | None = None
    increment_ms: int = 0
    strikes: int = 0
    """So many late moves of a player in a row forfeit the match; 0: none do."""
    hide_times: bool = False
    """Whether players are asked at the end of the play clock, so that the time tells nothing of what is hidden."""


# --- inputs -----------------------------------------------------------------------------------------------------------


class Begun(EventStruct, frozen=True, tag="begun"):
    """The players were told to start."""

    at_ms: int


class Received(EventStruct, frozen=True, tag="received"):
    """A player's message arrived."""

    at_ms: int
    player: int
    message: MatchReply


class Malformed(EventStruct, frozen=True, tag="malformed"):
    """A player sent a frame that names this match, but is no message."""

    at_ms: int
    player: int
    reason: str


class Ticked(EventStruct, frozen=True, tag="ticked"):
    """A deadline had passed."""

    at_ms: int


class Announced(EventStruct, frozen=True, tag="announced"):
    """The messages sent so far have left; the clock runs."""

    at_ms: int


class Resumed(EventStruct, frozen=True, tag="resumed"):
    """The manager went on with the match after it had been stopped; the current clock runs afresh."""

    at_ms: int


class Stopped(EventStruct, frozen=True, tag="stopped"):
    """Somebody with the right to do so, or a failure of the manager's own, ended the match."""

    at_ms: int
    reason: str


class Forfeited(EventStruct, frozen=True, tag="forfeited"):
    """A player was taken out of the match: it left the competition, or was sent away."""

    at_ms: int
    player: int
    reason: str


class RulesStopped(EventStruct, frozen=True, tag="rules_stopped"):
    """A transition that the last input led to was given up: its rules took too long.

    `made` counts the transitions that were made for that input before; the one given up is not repeated in a replay.
    """

    at_ms: int
    reason: str
    made: int


class Released(EventStruct, frozen=True, tag="released"):
    """No match that shares the seed is played any more, so it may be told."""

    at_ms: int


Input: TypeAlias = (
    Begun | Received | Malformed | Ticked | Announced | Resumed | Stopped | Forfeited | RulesStopped | Released
)


# --- derived ----------------------------------------------------------------------------------------------------------


class Sent(EventStruct, frozen=True, tag="sent"):
    """A message to one player."""

    player: int
    message: MatchMessage | Problem


class Transition(EventStruct, frozen=True, tag="transition"):
    """The world state changed, by the actions of those who acted (by role), or by a chance outcome."""

    actions: dict[str, str]
    outcome: str | None


class Recorded(EventStruct, frozen=True, tag="recorded"):
    """An error went on record against a player."""

    player: int
    error: PlayerError


class Ended(EventStruct, frozen=True, tag="ended"):
    """The match is over. `utilities` by seat; None unless it was finished. `forfeited`: the seats that forfeited it."""

    result: Literal["finished", "aborted", "forfeited"]
    reason: str | None
    utilities: tuple[float, ...] | None
    forfeited: tuple[int, ...] = ()


Derived: TypeAlias = Sent | Transition | Recorded | Ended
Event: TypeAlias = Created | Input | Derived

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(cast("type[Event]", Event))


@dataclass(eq=False)
class JournalUnreadable(GgpError):
    """A line of a journal is no event. `line` counts from 1; `is_last` says that the file was probably cut off."""

    line: int
    reason: str
    is_last: bool = False

    def __str__(self) -> str:
        where = f"line {self.line}"
        return f"{where}: the journal is cut off here" if self.is_last else f"{where}: {self.reason}"


def encode_event(event: Event) -> str:
    """Return the JSON line of an event, without the line's end."""
    return _ENCODER.encode(event).decode()


def decode_event(line: str | bytes) -> Event:
    """Read the JSON line of an event.

    Raises:
        msgspec.DecodeError: it is none.
    """
    return _DECODER.decode(line)


def write_journal(path: Path, events: Iterable[Event]) -> None:
    """Write events as a journal file."""
    path.write_text("".join(encode_event(event) + "\n" for event in events), encoding="utf-8")


def read_journal(lines: Iterable[bytes]) -> Iterator[Event]:
    """Read the lines of a journal file, as an open binary file gives them.

    Raises:
        JournalUnreadable: a line is no event; `is_last` where it is the last and has no line end, that is, was cut off.
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
