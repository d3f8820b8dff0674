"""The processes in which slow rules run: each makes one transition at a time, and is ended where that takes too long.

Processes and not threads: a thread that never ends cannot be ended, and each that computes takes the interpreter from
the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process

from ggp.errors import GgpError
from server.matches.games import Games, GameSource
from server.matches.rules_process import LENGTH_BYTES, OVER_LIMIT, Answer, Request
from server.referee.rules_steps import Step, StepResult

MAX_PROCESSES = 8
"""Transitions that are made at the same time: more than there are cores, so that some that take long leave room."""

RULES_LIMIT_S = 10.0
"""Processor time that the rules of a match may take between two decisions of its players, chance included."""

_COMMAND = "from server.matches.rules_process import main; main()"


class RulesGivenUp(GgpError):
    """A transition was not made: it took too long, or its process was lost twice. The text names game and phase."""


def over_limit(source: GameSource, step: Step) -> RulesGivenUp:
    """Return what is raised where a transition takes too long."""
    return RulesGivenUp(
        f"the rules of {source.name} took more than {RULES_LIMIT_S:g} s of processor time {_where(step)}"
    )


class RulesPool:
    """Makes transitions in processes, which are started when they are needed; belongs to one event loop.

    Args:
        games: makes the games; it is handed to the processes, so it must be picklable.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._idle: list[_RulesProcess] = []
        self._places = asyncio.Semaphore(MAX_PROCESSES)
        self._endings: set[asyncio.Task[int]] = set()

    async def make(self, source: GameSource, step: Step, spent_s: float | None) -> tuple[StepResult, float]:
        """Make a transition; wait for a process that is free.

        Args:
            source: the game.
            step: the transition.
            spent_s: processor time that the rules took already, less than `RULES_LIMIT_S`; None: there is no limit.

        Returns:
            What came of it, and the processor time that it took.

        Raises:
            RulesGivenUp: it took too long, or its process was lost.
        """
        limit_s = 0.0 if spent_s is None else RULES_LIMIT_S - spent_s
        returncode = 0
        async with self._places:
            # Twice: a process can be lost by what others do, such as filling the memory.
            for _ in range(2):
                process = self._take_idle(source) or await self._started(source, step)
                answer = None
                try:
                    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                        answer = await process.ask(source, step, limit_s)
                finally:
                    if answer is None:  # lost, or whoever asked was cancelled: it may answer yet, to nobody
                        returncode = await self._ended(process)
                if answer is None:
                    if returncode == -OVER_LIMIT:
                        break
                    continue
                self._idle.append(process)
                if answer.situation is None:
                    raise RuntimeError(f"the rules of {source.name} broke:\n{answer.failure}")
                return answer.situation, answer.seconds
        if returncode == -OVER_LIMIT:
            raise over_limit(source, step)
        raise RulesGivenUp(f"the process of the rules of {source.name} ended {_where(step)} with status {returncode}")

    async def close(self) -> None:
        """End the processes that are idle, and wait for all that are ending."""
        for process in self._idle:
            self._end(process)
        self._idle.clear()
        await asyncio.gather(*self._endings)

    def _take_idle(self, source: GameSource) -> _RulesProcess | None:
        """Return a process that has nothing to do, one that has this game if there is one."""
        self._idle = [process for process in self._idle if process.lives]
        for position, process in enumerate(self._idle):
            if process.source == source:
                return self._idle.pop(position)
        return self._idle.pop() if self._idle else None

    async def _started(self, source: GameSource, step: Step) -> _RulesProcess:
        """Start a process and hand it what makes its games."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                _COMMAND,
                stdin=PIPE,
                stdout=PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                start_new_session=True,  # Ctrl-C is for the manager
            )
        except OSError as error:
            raise RulesGivenUp(f"no process for the rules of {source.name} {_where(step)}: {error}") from error
        assert process.stdin is not None
        process.stdin.write(pickle.dumps(self._games))
        return _RulesProcess(process)

    async def _ended(self, process: _RulesProcess) -> int:
        # Shielded: whoever waits may be cancelled again, and the process is to be waited for all the same.
        return await asyncio.shield(self._end(process))

    def _end(self, process: _RulesProcess) -> asyncio.Task[int]:
        ending = asyncio.create_task(process.end())
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)
        return ending


class _RulesProcess:
    """One process. `source` is the game that it has."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.source: GameSource | None = None

    @property
    def lives(self) -> bool:
        """Whether it has not ended, as far as is known."""
        return self._process.returncode is None

    async def ask(self, source: GameSource, step: Step, limit_s: float) -> Answer:
        """Let it make a transition.

        Raises:
            IncompleteReadError, ConnectionError: it has ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(pickle.dumps(Request(None if source == self.source else source, step, limit_s)))
        self.source = source
        await self._process.stdin.drain()
        length = int.from_bytes(await self._process.stdout.readexactly(LENGTH_BYTES), "big")
        answer = pickle.loads(await self._process.stdout.readexactly(length))
        assert isinstance(answer, Answer)
        return answer

    async def end(self) -> int:
        """End it, and return its return code: what it ended itself by, if it had ended."""
        # By its end the output is at an end, too; what has ended by itself is only waited for.
        if self._process.stdout is not None and not self._process.stdout.at_eof():
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        return await self._process.wait()


def _where(step: Step) -> str:
    return "before the first phase" if step.phase is None else f"in phase `{step.phase}`"
