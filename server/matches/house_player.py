"""The host's own player: it answers at once with random actions, without a connection.

In competitions with a qualifying match, entrants play it against this player.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from ggp.protocol.codec import decode_server
from ggp.protocol.messages import Act, MatchReply, Move, Ready, Start

HOUSE_NAME = "random (house)"


class HousePlayer:
    """Answers every request at once with a legal action drawn at random, by calling a function."""

    def __init__(self, answer: Callable[[MatchReply], object]) -> None:
        self._answer = answer
        self._random = random.SystemRandom()

    def hear(self, frame: str) -> None:
        """Handle a message of the manager; the answer follows in the loop's next iteration."""
        message = decode_server(frame)
        loop = asyncio.get_running_loop()
        if isinstance(message, Start):
            loop.call_soon(self._answer, Ready(message.match))
        elif isinstance(message, Act):
            move = Move(message.match, message.step, self._random.choice(message.legal))
            loop.call_soon(self._answer, move)
