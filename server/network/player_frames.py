"""Handles the frames of one player's connection: passes them to their matches, and reports errors."""

from __future__ import annotations

from collections.abc import Callable

from ggp.protocol.codec import MessageError
from ggp.protocol.messages import ClientMessage, Hello, MemberMessage, Problem, ProblemCode
from server.matches.members import Member
from server.network.connection import Connection


class PlayerFrames:
    """Handles the frames of one connection, and passes those of matches on.

    Args:
        member: whose connection it is.
        connection: where problems are reported.
        record_error: records an error outside of matches: the member, its kind, the detail.
        take: handles a member's message that is about no match; returns whether it was valid.
    """

    def __init__(
        self,
        member: Member,
        connection: Connection,
        record_error: Callable[[Member, str, str], None],
        take: Callable[[Member, MemberMessage], bool],
    ) -> None:
        self._member = member
        self._connection = connection
        self._record_error = record_error
        self._take = take

    def message(self, message: ClientMessage) -> bool:
        """Handle a message of the protocol; return whether it was valid."""
        if isinstance(message, Hello):
            return self._wrong("unexpected", "`hello` was sent already", None)
        if isinstance(message, MemberMessage):
            return self._take(self._member, message)
        expected = self._member.receive(message)
        if expected is None:
            # Moves may cross with the end of a match; that is not an error, but too many are.
            return self._problem("unknown_match", "this match is over, or is not one of yours", message.match)
        return expected

    def malformed(self, error: MessageError) -> bool:
        """Handle a frame that is not a message; it is never valid."""
        entry = self._member.match_in_play(error.match)
        if entry is None:
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
