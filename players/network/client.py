"""The client: joins a game manager and plays, with your class choosing the actions.

    class First(MatchPlayer):
        def choose(self, turn):
            return turn.legal[0]

    join("ws://localhost:8000/play", First, name="first")

The client says hello, answers for every match, reconnects after a broken connection, and plays any number of matches
at the same time: each has its own `MatchPlayer`, called in a thread, so that thinking blocks nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    ConnectionClosedError,
    ConnectionClosedOK,
    InvalidHandshake,
    InvalidStatus,
    InvalidURI,
)

from ggp.errors import GgpError
from ggp.protocol.codec import MessageError, decode_server, encode
from ggp.protocol.messages import (
    MAX_SERVER_FRAME_BYTES,
    ClientMessage,
    Enter,
    Entry,
    Hello,
    Prepare,
    Prepared,
    Problem,
    Refused,
    Resign,
    ServerMessage,
    Start,
    Welcome,
    Withdraw,
)
from ggp.terminal import safe_text
from players.network.match_player import MatchPlayer, RandomPlayer, Turn
from players.network.played_match import MAX_QUEUED, CannotPlay, PlayedMatch
from players.token_file import read_token, write_token

__all__ = ["CannotPlay", "Client", "JoinFailed", "MatchPlayer", "RandomPlayer", "Turn", "join"]

FIRST_PAUSE_S = 0.1
LASTED_S = 10.0
"""After a session this long, pauses start afresh; shorter ones may come from a hostile manager."""
LONGEST_PAUSE_S = 5.0
WELCOME_TIMEOUT_S = 20.0
MAX_THREADS = 64
MAX_MATCHES = 64
"""Matches played at the same time; others are resigned at once."""
MAX_COMPLAINTS = 50
"""Complaints about the manager shown in one session; further ones are not."""
MAX_PREPARED = 64
"""Games that wait to be prepared."""
MAX_LEFT = 1000
"""Finished matches that are remembered."""

LAST_WORDS_S = 5.0
"""How long players may take in the ends of their matches after the manager's farewell."""

MAX_MATCH_NAME = 64
"""Longest name that the protocol allows."""

BAD_ENTRIES = ("refused", "failed", "kicked", "disqualified")

PERMANENT = (403, 421)
"""HTTP statuses of a manager that will not accept the connection later either."""
MAX_REFUSAL = 300
"""Characters of such an answer that are shown."""

CLOSE_NORMAL = 1000
CLOSE_POLICY = 1008

log = logging.getLogger("ggp.client")


class JoinFailed(GgpError):
    """The manager cannot be reached, or does not accept the player."""


class _Busy(Exception):
    """The manager accepts no players at the moment."""


class Client:
    """A player's connection to a manager, which reconnects when it breaks.

    Args:
        url: of the manager, such as `ws://localhost:8000/play`.
        make_player: called for each match.
        name: the requested name.
        token: of an earlier `welcome`, to be that player again.
        patience_s: how long to try to connect, at first and after the connection broke, in seconds.
        joined: called with every `welcome`.
        entering: the competition to enter, and an invitation to it, if one is needed.
        plays_on_as_random: whether a game that the player cannot play is played at random; else the player leaves.
        prepare: prepares for a game before the first match of it, in a thread; the match waits for it.
    """

    def __init__(
        self,
        url: str,
        make_player: Callable[[], MatchPlayer],
        name: str,
        *,
        token: str | None = None,
        patience_s: float = 60.0,
        joined: Callable[[Welcome], None] | None = None,
        entering: tuple[str, str | None] | None = None,
        plays_on_as_random: bool = False,
        prepare: Callable[[Prepare], None] | None = None,
    ) -> None:
        self.url = url
        self.plays_on_as_random = plays_on_as_random
        self.round_trip_s = 0.0
        self.threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="match")
        self._make_player = make_player
        self._name = name
        self._token = token
        self._patience_s = patience_s
        self._joined = joined
        self._entering = entering
        self._prepare = prepare
        self._games: asyncio.Queue[Prepare] = asyncio.Queue(MAX_PREPARED)
        self._entered: dict[str, str] = {}
        """The player's state in each competition that the manager has announced."""
        self._unable: CannotPlay | None = None
        self._complaints = 0
        self._seats: dict[str, PlayedMatch] = {}
        self._left: dict[str, bool] = {}
        """Matches that are over for the player, the latest last, and whether it resigned: it may have to again."""
        self._outgoing: asyncio.Queue[ClientMessage] = asyncio.Queue()

    async def run(self) -> str:
        """Play until the manager says that it is done; return its farewell.

        Raises:
            JoinFailed: it cannot be reached, refuses the player, or does not come back.
            CannotPlay: the manager has assigned a game that the player cannot play.
        """
        try:
            farewell = await self._stay_connected()
            ending = [seat.task for seat in self._seats.values() if seat.is_told_its_end]
            if ending:
                await asyncio.wait(ending, timeout=LAST_WORDS_S)
            return farewell
        finally:
            for seat in self._seats.values():
                seat.task.cancel()
            await asyncio.gather(*(seat.task for seat in self._seats.values()), return_exceptions=True)
            self.threads.shutdown(wait=False, cancel_futures=True)

    def send(self, message: ClientMessage) -> None:
        """Queue a message for the manager."""
        self._outgoing.put_nowait(message)

    def complain(self, text: str) -> None:
        """Report a fault of the manager in one line, unless too many have been reported."""
        self._complaints += 1
        if self._complaints <= MAX_COMPLAINTS:
            log.warning("%s", safe_text(text))
        if self._complaints == MAX_COMPLAINTS:
            log.warning("further faults of the manager are not shown")

    async def _stay_connected(self) -> str:
        pause_s, lost_at, told, known = FIRST_PAUSE_S, None, "", False
        while True:
            joined_at = None
            try:
                async with await self._connect() as socket:
                    await self._join(socket)
                    if told:  # who was told that it broke wants to know that it holds
                        log.warning("%s", "connected again" if known else "connected")
                    joined_at, known, told = time.monotonic(), True, ""
                    return await self._session(socket)
            except (OSError, InvalidHandshake, TimeoutError, ConnectionClosed, _Busy) as error:
                now = time.monotonic()
                if joined_at is not None and now - joined_at >= LASTED_S:
                    pause_s, self._complaints = FIRST_PAUSE_S, 0
                lost_at = now if joined_at is not None or lost_at is None else lost_at
                if now - lost_at + pause_s > self._patience_s:
                    if not known:
                        raise JoinFailed(f"cannot join {self.url}: {_reason(error)}") from error
                    raise JoinFailed(f"{self.url} has not come back: {_reason(error)}") from error
                what = f"{'the connection broke' if known else 'cannot connect'} ({_reason(error)}); trying again"
                if what != told:  # once, however often it tries
                    self.complain(what)
                told = what
                await asyncio.sleep(pause_s * random.SystemRandom().uniform(0.5, 1.5))
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _connect(self) -> ClientConnection:
        try:
            return await connect(
                self.url, max_size=MAX_SERVER_FRAME_BYTES, compression=None, open_timeout=10, close_timeout=2
            )
        except InvalidStatus as error:
            if error.response.status_code not in PERMANENT:
                raise
            said = (error.response.body or b"").decode(errors="replace")[:MAX_REFUSAL] or str(error)
            raise JoinFailed(f"{self.url} refuses the connection: {safe_text(said)}") from error
        except (InvalidURI, ValueError) as error:  # an invalid port or host name
            raise JoinFailed(f"`{self.url}` is not an address such as ws://localhost:8000/play") from error

    async def _join(self, socket: ClientConnection) -> None:
        await socket.send(encode(Hello(self._name, token=self._token, prepares=self._prepare is not None)))
        async with asyncio.timeout(WELCOME_TIMEOUT_S):
            answer = _decode(await socket.recv())
        if isinstance(answer, Refused) and answer.code == "busy":
            raise _Busy(answer.message)
        if isinstance(answer, Refused):
            raise JoinFailed(f"{self.url} refuses the player: {safe_text(answer.message)}")
        if not isinstance(answer, Welcome):
            raise JoinFailed(f"{self.url} does not answer like a game manager")
        self._token = answer.token
        suspended = [match for match in self._seats if match not in answer.matches]
        for seat in [self._seats.pop(match) for match in suspended if not self._seats[match].is_told_its_end]:
            seat.task.cancel()
        # The manager repeats requests whose answers were not sent on the old connection.
        self._outgoing, self._games = asyncio.Queue(), asyncio.Queue(MAX_PREPARED)
        if self._joined is not None:
            self._joined(answer)
        if self._entering is not None:
            self.send(Enter(*self._entering))

    async def _session(self, socket: ClientConnection) -> str:
        """Play on one connection; return the manager's farewell, or raise what broke the connection."""
        reading = asyncio.create_task(self._read(socket))
        tasks = {reading, *(asyncio.create_task(work(socket)) for work in (self._write, self._measure, self._study))}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._unable is None:
                await asyncio.wait({reading}, timeout=LAST_WORDS_S)  # what came before the connection broke
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._unable is not None:
            raise self._unable
        for task in done:
            try:
                task.result()
            except ConnectionClosedOK as closed:
                if closed.rcvd is not None and closed.rcvd.code == CLOSE_NORMAL:
                    return safe_text(closed.rcvd.reason)
                raise
            except ConnectionClosedError as closed:
                # Reconnecting would not help: the same would happen again, or two processes with one token take turns.
                if closed.rcvd is not None and closed.rcvd.code == CLOSE_POLICY:
                    raise JoinFailed(
                        f"{self.url} has closed the connection: {safe_text(closed.rcvd.reason)}"
                    ) from closed
                raise
        return ""

    async def _read(self, socket: ClientConnection) -> None:
        while True:
            frame = await socket.recv()
            received = time.monotonic()
            message = _decode(frame)
            if message is not None:
                self._receive(message, received)

    def _receive(self, message: ServerMessage, received: float) -> None:
        match message:
            case Problem():
                self.complain(f"{message.match or 'the manager'}: {message.message}")
            case Entry():
                if len(self._entered) < MAX_LEFT:
                    self._entered[message.competition] = message.state
                if message.state in BAD_ENTRIES:
                    why = f": {message.message}" if message.message else ""
                    self.complain(f"competition {message.name}: {message.state}{why}")
            case Prepare():
                if self._games.full():
                    self.complain(f"more than {MAX_PREPARED} games at once; {message.game} is not prepared")
                    self.send(Prepared(message.number))
                else:
                    self._games.put_nowait(message)
            case Welcome() | Refused():
                raise JoinFailed(f"{self.url} does not answer like a game manager")
            case _:
                if isinstance(message, Start) and self._left.get(message.match):
                    self._leave(message.match)  # the manager has not received the resignation
                seat = self._seats.get(message.match)
                if seat is None and isinstance(message, Start) and message.match not in self._left:
                    if len(self._seats) >= MAX_MATCHES:
                        self.complain(f"more than {MAX_MATCHES} matches at once; one more is resigned")
                        self._leave(message.match)
                        return
                    seat = self._seats[message.match] = PlayedMatch(self, self._make_player(), message.match)
                    seat.task.add_done_callback(lambda task: self._ended(message.match, task))
                if seat is not None:
                    seat.receive(message, received)

    def _ended(self, match: str, task: asyncio.Task[None]) -> None:
        self._seats.pop(match, None)
        if task.cancelled():
            return  # the manager has suspended it, but may continue it later
        error = task.exception()
        if error is None:
            self._remember(match, resigned=False)
            return
        if isinstance(error, CannotPlay):
            self._unable = error
        else:
            log.error("the player fails in match %s and resigns it", safe_text(match), exc_info=error)
        self._leave(match)

    def _leave(self, match: str) -> None:
        """Resign a match, so that other players need not wait."""
        self._remember(match, resigned=True)
        if len(match) <= MAX_MATCH_NAME and self._outgoing.qsize() < MAX_QUEUED:
            self.send(Resign(match))

    def _remember(self, match: str, *, resigned: bool) -> None:
        self._left[match] = resigned
        if len(self._left) > MAX_LEFT:
            del self._left[next(iter(self._left))]

    async def _write(self, socket: ClientConnection) -> None:
        while True:
            message = await self._outgoing.get()
            await socket.send(encode(message))
            if self._unable is not None and self._outgoing.empty():
                for competition, state in self._entered.items():
                    if state in ("entered", "qualifying", "asking"):
                        await socket.send(encode(Withdraw(competition)))
                await socket.close(CLOSE_NORMAL, "the player cannot play this game")
                raise self._unable

    async def _study(self, _: ClientConnection) -> None:
        """Prepare for the games that the manager has told, one after the other."""
        while True:
            message = await self._games.get()
            if self._prepare is not None:
                try:
                    await asyncio.get_running_loop().run_in_executor(self.threads, self._prepare, message)
                except Exception as error:  # the player fails in a match of this game, if there is one
                    self.complain(f"cannot prepare for {message.game}: {error}")
            self.send(Prepared(message.number))

    async def _measure(self, socket: ClientConnection) -> None:
        """Measure the round-trip time now and then."""
        pause_s = 0.2
        while True:
            began = time.monotonic()
            await (await socket.ping())
            self.round_trip_s = time.monotonic() - began
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, 10.0)


def join(
    url: str, make_player: Callable[[], MatchPlayer], name: str, *, token_file: Path | None = None, **options: Any
) -> str:
    """Join a manager and play until it is done; return its farewell.

    Args:
        url: of the manager.
        make_player: called for each match.
        name: the requested name.
        token_file: keeps the player's token, and with it its identity, between runs; created if missing.
        options: see `Client`.

    Raises:
        JoinFailed: it cannot be reached, refuses the player, or does not come back.
        CannotPlay: the manager has assigned a game that the player cannot play.
        TokenFileUnusable: the token cannot be read or written.
    """
    if token_file is not None:
        options["token"] = read_token(token_file)
        options["joined"] = lambda welcome: write_token(token_file, welcome.token)
    return asyncio.run(Client(url, make_player, name, **options).run())


def _decode(frame: str | bytes) -> ServerMessage | None:
    try:
        return decode_server(frame)
    except MessageError as error:
        raise JoinFailed(f"the manager sent an invalid message: {safe_text(str(error))}") from error


def _reason(error: BaseException) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "there is no server there"
    if isinstance(error, TimeoutError):
        return "no answer"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return safe_text(text.splitlines()[0])
