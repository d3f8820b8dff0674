"""A match that a client plays: passes the messages to the player in order, and sends its answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Protocol, TypeVar, TypeVarTuple

from ggp.errors import GgpError
from ggp.protocol.messages import Act, ClientMessage, End, MatchMessage, Move, Observe, Ready, Reveal, Start
from ggp.terminal import safe_text
from players.network.match_player import MatchPlayer, RandomPlayer, Turn

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

MAX_QUEUED = 10_000
"""Messages of one match that may wait while the player thinks; a match with more is left."""


class CannotPlay(GgpError):
    """The player cannot play a game that the manager has assigned."""


class MatchClient(Protocol):
    """What a match needs of the client that plays it."""

    plays_on_as_random: bool
    """Whether a game that the player cannot play is played at random."""
    round_trip_s: float
    """The last round-trip time measured."""

    @property
    def threads(self) -> Executor:
        """Where players compute."""

    def send(self, message: ClientMessage) -> None:
        """Send a message to the manager."""

    def complain(self, text: str) -> None:
        """Print a warning on the terminal."""


class PlayedMatch:
    """One match: its messages in order, each handled by the player in a thread."""

    def __init__(self, client: MatchClient, player: MatchPlayer, match: str) -> None:
        self._client = client
        self._player = player
        self._match = match
        self._queue: asyncio.Queue[tuple[MatchMessage, float]] = asyncio.Queue()
        self._next_number = 0
        self.is_told_its_end = False
        """Whether the player only has to take in what it has been told."""
        self._answers: dict[int, ClientMessage] = {}
        """The answer to the last request, by the request's number."""
        self.task = asyncio.create_task(self._play(), name=f"match {match}")

    def receive(self, message: MatchMessage, received: float) -> None:
        """Take a message; after a reconnection, repeated messages are known, but their answers may have been lost."""
        if message.number >= self._next_number:
            self._next_number = message.number + 1
            if self._queue.qsize() >= MAX_QUEUED:
                self.task.cancel()
                return
            self._queue.put_nowait((message, received))
            self.is_told_its_end |= isinstance(message, End)
        elif message.number in self._answers and isinstance(message, Start | Act):
            self._client.send(self._answers[message.number])

    async def _play(self) -> None:
        while True:
            message, received = await self._queue.get()
            match message:
                case Start():
                    await self._start(message, received + message.remaining_ms / 1000)
                    self._answer(message.number, Ready(self._match))
                case Observe():
                    await self._call(self._player.observe, message)
                case Act():
                    deadline = received + message.remaining_ms / 1000
                    turn = Turn(message.step, message.legal, deadline, self._client.round_trip_s)
                    action = await self._call(self._player.choose, turn)
                    self._answer(message.number, Move(self._match, message.step, action))
                case End():
                    await self._call(self._player.end, message)
                    return
                case Reveal():
                    return

    async def _start(self, start: Start, deadline: float) -> None:
        try:
            await self._call(self._player.start, start, deadline)
        except GgpError as error:
            # The rules have errors, or are not for this player; third-party players may raise it, too.
            reason = f"cannot play {safe_text(start.game, 64)}: {safe_text(str(error), 300)}"
            if not self._client.plays_on_as_random:
                raise CannotPlay(reason) from error
            self._client.complain(f"{reason}; it plays at random")
            self._player = RandomPlayer()

    def _answer(self, number: int, answer: ClientMessage) -> None:
        self._answers = {number: answer}
        self._client.send(answer)

    async def _call(self, method: Callable[[*Arguments], T], *arguments: *Arguments) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._client.threads, method, *arguments)
