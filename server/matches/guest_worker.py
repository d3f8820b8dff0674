"""The process in which a stranger's game is loaded and played for the manager: messages on standard input and output.

Its memory is limited. A request that takes more processor time than it may is ended by the system, native code, too,
and the process with it. It ends when its parent is gone, at the latest after the request at hand.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress

import msgspec

from ggp.errors import GgpError
from server.matches.games import GameSource, teams_of
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
from server.matches.library_games import LibraryGames
from server.matches.memory_limits import RULES_MEMORY, limit_memory
from server.matches.shown_states import shown
from server.referee.game_interface import Game
from server.referee.rules_steps import make_step

NICENESS = 5
"""The event loop of the manager comes first."""


class _Worker:
    """A game, once it is loaded."""

    def __init__(self) -> None:
        self._games = LibraryGames()
        self._game: Game | None = None

    def answer(self, what: Load | Make | Show) -> Answer:
        """Do what is asked for."""
        if isinstance(what, Load):
            try:
                return self._load(what.source)
            except GgpError as error:
                return Wrong(str(error))
        assert self._game is not None, "Load comes first"
        faults = self._games.faults
        if isinstance(what, Show):
            return Drawn(shown(self._game, faults, what.words, what.actions, what.outcome))
        began_s = time.process_time()
        result = make_step(self._game, what.step, faults)
        return Made(result, time.process_time() - began_s)

    def _load(self, given: GameSource) -> Loaded:
        self._game, source = self._games.load_bound(given)
        game = self._game
        return Loaded(source, tuple(game.players), bool(getattr(game, "perfect_information", False)), teams_of(game))


def main() -> None:
    """Answer requests until there are no more."""
    limit_memory(RULES_MEMORY)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever is printed is no answer
    decoder, worker = msgspec.msgpack.Decoder(Request), _Worker()
    with suppress(EOFError, BrokenPipeError):
        while True:
            request = decoder.decode(read_message(requests))
            _limit(request.limit_s)
            answer = encoded(worker.answer(request.what))
            _limit(0)
            write_message(answers, answer)


def _limit(seconds: float) -> None:
    """End this process after so much processor time; 0: not any more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


if __name__ == "__main__":
    main()
