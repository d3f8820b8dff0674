"""What a referee knows of one player of its match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from msgspec.structs import replace

from ggp.competition.results import Times
from ggp.protocol.codec import decode_server, encode
from ggp.protocol.messages import Act, ErrorKind, MatchMessage, MatchReply, Move, Ready, Resign, Reveal, Start

MAX_UNEXPECTED = 20
"""How many unexpected messages of one player a match records; further ones are ignored, so that a
flood costs neither time nor space."""


@dataclass(slots=True)
class Seat:
    """One player's side of a match.

    Attributes:
        role: which role it plays.
        ready: whether it has sent `ready`.
        step: the last decision it was asked for, from 0; -1 before the first.
        legal: the legal actions by text while an answer counts; None while it is not asked, or has answered.
        action: its action in this step, once determined.
        replaced: why `action` is not its own choice, if so.
        answered: its last valid move; repeating it once is not an error, since a player that reconnects cannot know.
        budget_ms: how long this decision may take.
        offset_ms: how long the clock had been running when the decision was asked for.
        bank_ms: its time left for the whole match; None if only the play clock limits it.
        times: how long it thought about its decisions so far.
        strikes: how many decisions in a row it was late for, delays of the manager left out.
        late_since_ms: when the first of them was enforced.
        missed: the last decision it was late for: its move may still be on the way, which is not another error.
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
    times: Times = field(default_factory=Times)
    strikes: int = 0
    late_since_ms: int = 0
    _unexpected: int = 0
    _sent: list[str | None] = field(default_factory=list)
    """All numbered messages to it; the number is the position here. They are kept as text, which takes least memory.
    A request is kept only until it is answered: legal actions take most of the memory."""
    _request: int | None = None
    _last: MatchMessage | None = None

    @property
    def next_number(self) -> int:
        """The number of the next message to this player."""
        return len(self._sent)

    def told(self, message: MatchMessage) -> None:
        """Keep a message, in case the player reconnects."""
        if isinstance(message, Act):
            self._request = len(self._sent)
        self._sent.append(encode(message))
        self._last = message

    @property
    def is_revealed(self) -> bool:
        """Whether it was told the seed."""
        return isinstance(self._last, Reveal)

    def expects(self, message: MatchReply) -> bool:
        """Return whether a message answers a request, even if too late."""
        if message == self.answered:
            return True
        if isinstance(message, Resign):
            return True
        if isinstance(message, Ready):
            return bool(self._sent) and not self.ready
        return message.step == self.missed or (self.legal is not None and message.step == self.step)

    def ask(self, legal: dict[str, Any], budget_ms: int, offset_ms: int = 0) -> None:
        """Begin a decision that may take `budget_ms`, on a clock that has been running for `offset_ms`."""
        self.step += 1
        self.budget_ms, self.offset_ms = budget_ms, offset_ms
        self.legal, self.action, self.replaced = legal, None, None

    def choose(self, action: Any, replaced: ErrorKind | None = None) -> None:
        """End a decision."""
        self.legal, self.action, self.replaced = None, action, replaced
        if self._request is not None:
            self._sent[self._request] = None

    def note_unexpected(self) -> bool:
        """Count an unexpected message; return whether to record it."""
        self._unexpected += 1
        return self._unexpected <= MAX_UNEXPECTED

    def recap(self, start_ms: int, play_ms: int) -> Iterator[MatchMessage]:
        """Yield all messages sent before, except requests that no longer need an answer."""
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
