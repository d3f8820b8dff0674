"""Messages between the manager and the processes in which games of strangers are played: plain data, as msgpack.

Each message is its length, four bytes, and its text. The process answers every message with one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, TypeAlias

import msgspec
from msgspec import Struct

from server.matches.games import GameSource
from server.matches.shown_states import Shown
from server.referee.rules_steps import Step, StepResult

MAX_MESSAGE = 64 << 20
"""Bytes, as many as the journal of a match may have."""


class Load(Struct, frozen=True, tag=True):
    """Load a game: the first message."""

    source: GameSource


class Make(Struct, frozen=True, tag=True):
    """Make a transition. Actions are numbers."""

    step: Step


class Show(Struct, frozen=True, tag=True):
    """Follow a transition, and draw the state; see `shown_states.shown`."""

    words: tuple[Any, ...] | None
    actions: Mapping[str, str]
    outcome: str | None


class Request(Struct, frozen=True):
    """What to do, and how many seconds of processor time it may take."""

    what: Load | Make | Show
    limit_s: float


class Loaded(Struct, frozen=True, tag=True):
    """The game is loaded. Its source has every parameter bound."""

    source: GameSource
    players: tuple[str, ...]
    perfect_information: bool
    teams: tuple[int, ...]


class Wrong(Struct, frozen=True, tag=True):
    """The rules have errors."""

    why: str


class Made(Struct, frozen=True, tag=True):
    """The result of a transition, its legal actions by number, and the processor time that it took, in seconds."""

    result: StepResult
    seconds: float


class Drawn(Struct, frozen=True, tag=True):
    """The result of `Show`."""

    shown: Shown


Answer: TypeAlias = Loaded | Wrong | Made | Drawn


def plain(value: Any) -> int:
    """Return an action as its number, which is all that a message needs of it."""
    assert isinstance(value, int)
    return int(value)


encoded = msgspec.msgpack.Encoder(enc_hook=plain).encode


def write_message(stream: IO[bytes], message: bytes) -> None:
    """Write a message."""
    stream.write(len(message).to_bytes(4, "big") + message)
    stream.flush()


def read_message(stream: IO[bytes]) -> bytes:
    """Return the next message.

    Raises:
        EOFError: there are no more, or it is too long.
    """
    length = int.from_bytes(stream.read(4), "big")
    message = stream.read(length) if 0 < length <= MAX_MESSAGE else b""
    if not message or len(message) < length:
        raise EOFError
    return message
