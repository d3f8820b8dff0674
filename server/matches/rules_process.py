"""What a process does that makes transitions of games by their rules, for `server.matches.rules_pool`.

It reads requests from its standard input and writes what came of each to its standard output, until its input ends.
A request over its limit ends the process: the system sees to that, whatever the rules are doing.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
import traceback
from dataclasses import dataclass

from server.matches.games import Games, GameSource
from server.referee.game_interface import Game
from server.referee.rules_steps import Step, StepResult, make_step

OVER_LIMIT = signal.SIGVTALRM
"""The signal that ends the process where a transition takes too long."""
NICENESS = 10
"""The event loop of the manager goes first."""
LENGTH_BYTES = 8
"""Each answer has its length before it."""


@dataclass(frozen=True, slots=True)
class Request:
    """A transition to make.

    Attributes:
        source: the game, where it is not that of the request before.
        step: the transition.
        limit_s: processor time that it may take, in seconds; 0: any.
    """

    source: GameSource | None
    step: Step
    limit_s: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request, and the processor time that it took in seconds; or the traceback of what failed."""

    situation: StepResult | None
    seconds: float
    failure: str = ""


def main() -> None:
    """Answer requests until there are no more. The first thing read is the `Games` that make the games."""
    os.nice(NICENESS)
    requests = sys.stdin.buffer
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what rules print is no answer
    games: Games = pickle.load(requests)
    game: Game | None = None
    while True:
        try:
            request: Request = pickle.load(requests)
        except EOFError:
            return
        try:
            if request.source is not None:
                game = games.load(request.source)
            assert game is not None
            answer = _answer(game, games, request)
        except Exception:  # the process's end of a request: the manager tells of it
            answer = Answer(None, 0.0, traceback.format_exc())
        try:
            _write(answers, answer)
        except BrokenPipeError:
            return  # the manager has gone


def _answer(game: Game, games: Games, request: Request) -> Answer:
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, request.limit_s)
    try:
        situation = make_step(game, request.step, games.faults)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return Answer(situation, time.process_time() - began)


def _write(answers: int, answer: Answer) -> None:
    data = pickle.dumps(answer)
    rest = memoryview(len(data).to_bytes(LENGTH_BYTES, "big") + data)
    while rest:
        rest = rest[os.write(answers, rest) :]
