"""What the frames of one player's connection mean: which match each is for, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Callable

from ggp.protocol.codec import MessageError
from ggp.protocol.messages import ClientMessage, Enter, Hello, Problem, ProblemCode, Withdraw
from server.matches.members import Member
from server.network.connection import Connection


class PlayerFrames:
    """Takes the frames of one connection, and hands those that are for a match to it.

    Args:
        member: whose connection it is.
        connection: where problems are told.
        record_error: puts an error on record that belongs to no match: the member, its kind, the detail.
        take_entry: takes what a member says about competitions; returns whether it was in order.
    """

    def __init__(
        self,
        member: Member,
        connection: Connection,
        record_error: Callable[[Member, str, str], None],
        take_entry: Callable[[Member, Enter | Withdraw], bool],
    ) -> None:
        self._member = member
        self._connection = connection
        self._record_error = record_error
        self._take_entry = take_entry

    def message(self, message: ClientMessage) -> bool:
        """Take a message of the protocol; return whether it was in order."""
        if isinstance(message, Hello):
            return self._wrong("unexpected", "`hello` has been said already", None)
        if isinstance(message, Enter | Withdraw):
            return self._take_entry(self._member, message)
        entry = self._member.matches.get(message.match)
        if entry is None or entry[0].referee.ended is not None:
            # Moves may cross with the end of a match; that is no fault, but too many are.
            return self._problem("unknown_match", "no such match of yours is being played", message.match)
        match, seat = entry
        return match.receive(seat, message)

    def malformed(self, error: MessageError) -> bool:
        """Take note of a frame that is no message; it never is in order."""
        entry = self._member.matches.get(error.match or "")
        if entry is None or entry[0].referee.ended is not None:
            return self._wrong("malformed", error.reason, error.match)
        match, seat = entry
        match.receive_malformed(seat, error.reason)
        return False

    def _wrong(self, code: ProblemCode, detail: str, match: str | None) -> bool:
        self._record_error(self._member, code, detail)
        return self._problem(code, detail, match)

    def _problem(self, code: ProblemCode, detail: str, match: str | None) -> bool:
        self._connection.send(Problem(code, detail, match))
        return False
