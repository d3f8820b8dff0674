"""A process of a stranger's game that takes much memory, as a fault in its native code might."""

from __future__ import annotations

import mmap

from server.matches import guest_worker
from server.referee.game_interface import Game
from server.referee.rules_steps import Step, StepResult, make_step


def hungry(game: Game, step: Step, faults: tuple[type[Exception], ...]) -> StepResult:
    """Make the initial state; take 4 GiB before any later transition."""
    kept = []
    while step.words is not None and len(kept) < 64:
        kept.append(mmap.mmap(-1, 1 << 26))
    return make_step(game, step, faults)


if __name__ == "__main__":
    guest_worker.make_step = hungry  # type: ignore[attr-defined]
    guest_worker.main()
