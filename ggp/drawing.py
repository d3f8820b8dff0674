"""A world state drawn for a terminal: its scene as letters and lines."""

from __future__ import annotations

from functools import lru_cache

from ggp.display.scenes import Scenes
from ggp.interpreter.interpreter import Interpreter, WorldState
from ggp.scene.terminal import Drawing, drawing_of


def draw(interpreter: Interpreter, state: WorldState, player: int | None = None) -> Drawing:
    """Return a state as text, see `Scenes.scene`."""
    return drawing_of(_scenes(interpreter).scene(state, player))


@lru_cache(maxsize=4)
def _scenes(interpreter: Interpreter) -> Scenes:
    return Scenes(interpreter)
