"""Games whose transitions take long, for the manager."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.matches.games import GameSource
from server.referee.game_interface import Game, State
from tests.support.tiny_games import Counting, CountState, TinyGames


def burn(seconds: float) -> None:
    """Compute for some processor time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@dataclass(frozen=True)
class SlowState(CountState):
    """A state of `Slow`."""

    manner: str = "burn"

    @property
    def words(self) -> tuple[Any, ...]:
        return (*super().words, self.phase, self.manner)

    def apply(self, joint: Mapping[int, Any]) -> State:
        match self.manner.partition(" "):
            case ("burn", _, _):
                burn(0.05)
            case ("broken", _, _):
                burn(0.05)
                raise ZeroDivisionError("our own mistake")
            case ("meeting", _, folder):
                # Goes on as soon as a second thread has come here.
                Path(folder, str(threading.get_native_id())).touch()
                while len(os.listdir(folder)) < 2:
                    time.sleep(0.001)
            case ("waiting", _, mark):
                while not Path(mark).exists():
                    time.sleep(0.001)
        return SlowState(self.limit, self.fault_at, self.count + 1, self.phase, self.manner)


@dataclass(frozen=True)
class Slow(Counting):
    """Counts, and takes its time over it in some manner: see `SlowState.apply`."""

    manner: str = "burn"

    def initial(self) -> State:
        return SlowState(self.limit, self.fault_at, 0, "counting", self.manner)

    def state(self, words: tuple[Any, ...]) -> State:
        return SlowState(*words)


class SlowGames(TinyGames):
    """Tiny games, and those of this module by the name `slow`, with a parameter `manner`."""

    def load(self, source: GameSource) -> Game:
        return Slow(manner=source.parameters["manner"]) if source.name == "slow" else super().load(source)

    def is_quick(self, game: Game) -> bool:
        return not isinstance(game, Slow)
