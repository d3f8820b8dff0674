"""The host's own player: it answers at once with random actions, without a connection.

In competitions with a qualifying match, entrants play it against this player.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from ggp.protocol.codec import decode_server
from ggp.protocol.messages import Act, Move, Ready, Start

if TYPE_CHECKING:
    from server.matches.members import Member

HOUSE_NAME = "random (house)"


class HousePlayer:
    """Answers every request at once with a legal action drawn at random."""

    def __init__(self, member: Member) -> None:
        self._member = member
        self._random = random.SystemRandom()

    def hear(self, frame: str) -> None:
        """Handle a message of the manager; the answer follows in the loop's next iteration."""
        message = decode_server(frame)
        if isinstance(message, Start):
            self._answer(Ready(message.match))
        elif isinstance(message, Act):
            self._answer(Move(message.match, message.step, self._random.choice(message.legal)))

    def _answer(self, reply: Ready | Move) -> None:
        asyncio.get_running_loop().call_soon(self._send, reply)

    def _send(self, reply: Ready | Move) -> None:
        entry = self._member.matches.get(reply.match)
        if entry is not None:
            match, seat = entry
            match.receive(seat, reply)
