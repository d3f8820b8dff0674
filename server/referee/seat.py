"""What a referee knows of one player of its match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from msgspec.structs import replace

from ggp.protocol.codec import decode_server, encode
from ggp.protocol.messages import Act, ErrorKind, MatchMessage, MatchReply, Move, Ready, Resign, Reveal, Start

MAX_UNEXPECTED = 20
"""How many uncalled-for messages of one player a match records; what comes after is not even looked at, so that a
flood costs neither time nor store."""


@dataclass(slots=True)
class Seat:
    """One player's side of a match.

    Attributes:
        role: what it plays.
        ready: whether it said that it is.
        step: the decision that it has been asked for last, from 0; -1 before the first.
        legal: the legal actions by text while an answer counts; None while it is not asked, or has answered.
        action: what it does in this step, once that is certain.
        replaced: why `action` is not its own choice, if so.
        answered: its last move that counted; the same once more is no error, it may have come back and not know.
        budget_ms: how long this decision may take.
        offset_ms: how long the clock had run already when the decision was asked for.
        bank_ms: what is left of its time for the whole match; None where only the play clock limits it.
        strikes: how many of its last decisions in a row it was late for.
        missed: the last decision that it was late for: its move may still be on the way, which is no further error.
    """

    role: str
    ready: bool = False
    step: int = -1
    legal: dict[str, Any] | None = None
    action: Any = None
    replaced: ErrorKind | None = None
    missed: int | None = None
    answered: Move | None = None
    budget_ms: int = 0
    offset_ms: int = 0
    bank_ms: int | None = None
    strikes: int = 0
    _unexpected: int = 0
    _sent: list[str | None] = field(default_factory=list)
    """All numbered messages to it, as they were sent; the number is the position here. As text they take least memory.
    A request is kept until it is answered: legal actions take most of the memory."""
    _request: int | None = None
    _last: MatchMessage | None = None

    @property
    def next_number(self) -> int:
        """The number of the next message to this player."""
        return len(self._sent)

    def told(self, message: MatchMessage) -> None:
        """Keep a message, for when the player comes back."""
        if isinstance(message, Act):
            self._request = len(self._sent)
        self._sent.append(encode(message))
        self._last = message

    @property
    def is_revealed(self) -> bool:
        """Whether it was told the seed."""
        return isinstance(self._last, Reveal)

    def expects(self, message: MatchReply) -> bool:
        """Return whether a message answers something, be it too late."""
        if message == self.answered:
            return True
        if isinstance(message, Resign):
            return True
        if isinstance(message, Ready):
            return bool(self._sent) and not self.ready
        return message.step == self.missed or (self.legal is not None and message.step == self.step)

    def ask(self, legal: dict[str, Any], budget_ms: int, offset_ms: int = 0) -> None:
        """Begin a decision that may take so long, on a clock that has run for `offset_ms` already."""
        self.step += 1
        self.budget_ms, self.offset_ms = budget_ms, offset_ms
        self.legal, self.action, self.replaced = legal, None, None

    def choose(self, action: Any, replaced: ErrorKind | None = None) -> None:
        """End a decision."""
        self.strikes = self.strikes + 1 if replaced == "late" else 0
        self.legal, self.action, self.replaced = None, action, replaced
        if self._request is not None:
            self._sent[self._request] = None

    def note_unexpected(self) -> bool:
        """Count an uncalled-for message; return whether it is to be recorded."""
        self._unexpected += 1
        return self._unexpected <= MAX_UNEXPECTED

    def recap(self, start_ms: int, play_ms: int) -> Iterator[MatchMessage]:
        """Give everything sent before, without requests that need no answer any more.

        Args:
            start_ms: what is left of the start clock.
            play_ms: what is left of the play clock.
        """
        for frame in self._sent:
            message = None if frame is None else cast("MatchMessage", decode_server(frame))
            if message is None:
                continue
            if isinstance(message, Start):
                yield replace(message, remaining_ms=start_ms)
            elif not isinstance(message, Act):
                yield message
            elif self.legal is not None and message.step == self.step:
                yield replace(message, remaining_ms=play_ms)
