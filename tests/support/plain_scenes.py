"""Games with little in them that do not say how they are drawn, and what their scenes show."""

from __future__ import annotations

from ggp.display.scenes import Scenes
from ggp.interpreter.interpreter import Interpreter
from ggp.scene.scene import Entry, Place, Scene
from ggp.scene.svg import svg_of
from tests.support.library import one_phase, typed_game

BOARD = "board cell = grid(3, 2)"


def plain(
    types: str,
    *state: str,
    choice: str = "what in bool",
    update: str = "",
    payoff: str = "0",
    players: str = "anna, boris",
) -> str:
    """Return the rules of a game of one phase, in which `turn`, the first player, chooses something.

    Args:
        types: all declarations before the state.
        state: its variables beside `turn`.
        choice: what is chosen.
        update: what changes then, one a line; the last may be what comes next.
        payoff: of a player `p`.
        players: their names.
    """
    turn = f"turn: player = {players.partition(',')[0]}"
    phase = f"turn chooses {choice}\n{update}".rstrip("\n")
    return one_phase(phase, "\n".join([*state, turn]), types, payoff=payoff, players=players)


def first_scene(rules: str) -> Scene:
    interpreter = Interpreter(typed_game(rules))
    return Scenes(interpreter).scene(interpreter.initial())


def entries(types: str, state: str, choice: str = "what in bool") -> dict[str, Entry]:
    """Return the values beside the boards, by their labels."""
    return {entry.label: entry for entry in first_scene(plain(types, state, choice=choice)).entries}


def places(types: str, *state: str) -> dict[str, Place]:
    """Return the cells of the board, by their names."""
    scene = first_scene(plain(f"{BOARD}\n{types}", *state, choice="c in cell"))
    assert svg_of(scene)
    return {place.name: place for place in scene.boards[0].places}
