"""Games with little in them that do not say how they are drawn, and what their scenes show."""

from __future__ import annotations

from ggp.display.scenes import Scenes
from ggp.interpreter.interpreter import Interpreter
from ggp.scene.scene import Entry, Place, Scene
from ggp.scene.svg import svg_of
from tests.support.library import game_of, typed_game

PLAIN = """game plain "Anything"
players anna, boris
{types}
state
{state}
    turn: player = anna

phase play
    turn chooses {choice}
    next end

payoff[p] = 0
"""
BOARD = "board cell = grid(3, 2)"


def entries(types: str, state: str, choice: str = "what in bool") -> dict[str, Entry]:
    """Return the values beside the boards, by their labels."""
    scene = game_of(PLAIN.format(types=types, state=f"    {state}", choice=choice)).initial().scene()
    return {entry.label: entry for entry in scene.entries}


def places(types: str, *state: str) -> dict[str, Place]:
    """Return the cells of the board, by their names."""
    lines = "\n".join(f"    {line}" for line in state)
    scene = game_of(PLAIN.format(types=f"{BOARD}\n{types}", state=lines, choice="c in cell")).initial().scene()
    assert svg_of(scene)
    return {place.name: place for place in scene.boards[0].places}


def first_scene(rules: str) -> Scene:
    interpreter = Interpreter(typed_game(rules))
    return Scenes(interpreter).scene(interpreter.initial())
