"""Games of strangers, each loaded and played in a process of its own, with limits of memory and time.

A process that ends takes no match with it at once: what was asked is asked again, once, in a new one. Whatever is asked
has no side effects.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ggp.errors import GgpError
from ggp.game.actions import Action
from server.matches.games import GameSource
from server.matches.guest_messages import (
    Answer,
    Drawn,
    Load,
    Loaded,
    Made,
    Make,
    Request,
    Show,
    Wrong,
    encoded,
    read_message,
    write_message,
)
from server.matches.shown_states import Shown
from server.matches.worker_threads import OverLimit
from server.referee.game_interface import State
from server.referee.rules_steps import Step, StepResult

WORKER = "server.matches.guest_worker"
MAX_AT_ONCE = 8
"""Requests at the same time, each of another game."""
MAX_PROCESSES = 16
"""More games than these: the process that was used longest ago ends, and is started again when it is needed."""
LOAD_LIMIT_S = 60.0
"""Processor time in which a game has to be loaded."""
PATIENCE = 4
"""Times as long as it may compute a process is waited for, and `PATIENCE_S` more."""
PATIENCE_S = 5.0

DECODER: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)

T = TypeVar("T", bound=Answer)
R = TypeVar("R")


class GuestDied(GgpError):
    """The process of a game ended, twice, or did not answer."""


class GuestWrong(GgpError):
    """The rules of a stranger's game have errors; the message shows them."""


class GuestFacts(Struct, frozen=True):
    """What the manager knows of a game that it does not load itself."""

    players: tuple[str, ...]
    perfect_information: bool
    teams: tuple[int, ...]

    def initial(self) -> State:
        """Not here: see `Guest.make`."""
        raise AssertionError("this game is played in a process of its own")

    def state(self, _words: tuple[object, ...]) -> State:
        """Not here: see `Guest.make`."""
        raise AssertionError("this game is played in a process of its own")


class _Ended(Exception):
    """The process ended before it answered."""


class Guest:
    """A game of a stranger, and its process while it has one.

    Args:
        source: the rules as they were sent.
        room: where processes are.
    """

    def __init__(self, source: GameSource, room: GuestRoom) -> None:
        self.is_busy = False
        self._source = source
        self._room = room
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = asyncio.Lock()

    async def load(self) -> tuple[GuestFacts, GameSource]:
        """Load the game; return what is known of it, and its source with every parameter bound.

        Raises:
            GuestWrong: its rules have errors.
            GuestDied: it takes too much time or memory.
        """
        try:
            loaded = await self._ask(None, 0.0, Loaded)
        except OverLimit as error:
            raise GuestDied(
                f"the rules of {self._source.name} take more than {LOAD_LIMIT_S:g} s of processor time to load"
            ) from error
        return GuestFacts(loaded.players, loaded.perfect_information, loaded.teams), loaded.source

    async def make(self, step: Step, limit_s: float) -> tuple[StepResult, float]:
        """Make a transition; see `LoadedGame.make`.

        Raises:
            OverLimit: it took more processor time than `limit_s`; the process is ended.
            GuestDied: the process ended otherwise, twice.
        """
        made = await self._ask(Make(step), limit_s, Made)
        result = made.result
        result.legal = {
            player: {text: Action(number, text) for text, number in legal.items()}
            for player, legal in result.legal.items()
        }
        return result, made.seconds

    async def show(
        self, words: tuple[Any, ...] | None, actions: Mapping[str, str], outcome: str | None, limit_s: float
    ) -> Shown:
        """Follow a transition, and draw the state; see `LoadedGame.show`. The exceptions are those of `make`."""
        return (await self._ask(Show(words, actions, outcome), limit_s, Drawn)).shown

    async def _ask(self, what: Make | Show | None, limit_s: float, kind: type[T]) -> T:
        """Ask the process, which is started if need be; None asks only that it loads the game."""
        async with self._lock, self._room.places:
            self.is_busy = True
            self._room.use(self)
            try:
                try:
                    return await self._tried(what, limit_s, kind)
                except _Ended:  # perhaps it was not the rules' fault
                    return await self._tried(what, limit_s, kind)
            except _Ended as error:
                raise GuestDied(
                    f"the process that plays the rules of {self._source.name} ended; it may have needed too much memory"
                ) from error
            finally:
                self.is_busy = False

    async def _tried(self, what: Make | Show | None, limit_s: float, kind: type[T]) -> T:
        answer: Answer | None = None
        if self._process is None or self._process.poll() is not None:
            if self._process is not None:
                _discard(self._process)
            self._process = await self._room.started()
            answer = await self._exchange(self._process, Request(Load(self._source), LOAD_LIMIT_S))
            if isinstance(answer, Wrong):
                _discard(self._process)
                raise GuestWrong(answer.why)
        if what is not None:
            answer = await self._exchange(self._process, Request(what, limit_s))
        assert isinstance(answer, kind)
        return answer

    async def _exchange(self, process: subprocess.Popen[bytes], request: Request) -> Answer:
        message, patience_s = encoded(request), PATIENCE_S + PATIENCE * request.limit_s
        try:
            async with asyncio.timeout(patience_s):
                return await self._room.in_thread(lambda: _exchanged(process, message))
        except BaseException as error:
            process.kill()  # its answer must not be taken for that to another request
            if isinstance(error, TimeoutError):
                raise GuestDied(
                    f"the process that plays the rules of {self._source.name} did not answer within {patience_s:g} s"
                ) from error
            if isinstance(error, _Ended) and process.returncode == -signal.SIGPROF:
                raise OverLimit from error
            raise

    def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            if not self.is_busy:  # else the thread that reads from it does so
                _discard(process)


class GuestRoom:
    """The processes of all such games of a manager."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(MAX_AT_ONCE)
        self._threads = ThreadPoolExecutor(MAX_AT_ONCE, "guest")
        self._guests: dict[Guest, None] = {}
        """Those that may have a process, the one used longest ago first."""

    async def in_thread(self, call: Callable[[], R]) -> R:
        """Return what a call returns that waits for a process."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def use(self, guest: Guest) -> None:
        """Note that a game is played."""
        self._guests.pop(guest, None)
        self._guests[guest] = None

    async def started(self) -> subprocess.Popen[bytes]:
        """Start a process, after ending another one if there are too many."""
        while len(self._guests) > MAX_PROCESSES:
            idle = next(one for one in self._guests if not one.is_busy)
            del self._guests[idle]
            idle.end()
        command = [sys.executable, "-X", "utf8", "-m", WORKER]
        return await self.in_thread(
            lambda: subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        )

    def close(self) -> None:
        """End all processes."""
        for guest in self._guests:
            guest.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _exchanged(process: subprocess.Popen[bytes], message: bytes) -> Answer:
    """Send a request, and return the answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        write_message(process.stdin, message)
        return DECODER.decode(read_message(process.stdout))
    except (EOFError, OSError, ValueError, msgspec.DecodeError) as error:  # ValueError: the pipe is closed
        _discard(process)
        raise _Ended from error


def _discard(process: subprocess.Popen[bytes]) -> None:
    """End a process, and close what led to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        with suppress(OSError):  # what is still to be written is of no use
            pipe.close()
