"""The words of `display`: the shapes that are drawn for this project, colours, styles of boards, kinds of lines.

What the shapes look like is `ggp.scene`'s; a terminal shows their letters.
"""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    """A shape. `letter` is for terminals, empty where that of the owner says more; `layer` says what it covers."""

    letter: str
    layer: str


CHESS_MEN = {"pawn": "P", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K"}
_PIECES = {
    "disc": "", "stone": "", "man": "", "crown": "K", "ring": "", "counter": "", "cube": "", "ball": "", "soldier": "",
    "runner": "", "cross": "X", "nought": "O", "star": "*", "flag": "F", "bomb": "B", "spy": "S", "tower": "T",
    "house": "H", "ship": "s", "hit": "*", "miss": ".", "coin": "$", "gem": "+", "seed": "o", "tile": "", "die": "",
    "card": "", "back": "?", "tree": "T", "arrow": "^", "fire": "#", "trail": "#",
}  # fmt: skip
_GROUNDS = {"ground": "", "wall": "#", "water": "~", "burnt": "#", "goal": "", "nothing": " "}
_MARKS = {"dot": ".", "target": "x", "unknown": "?"}
SHAPES: dict[str, Shape] = (
    {name: Shape(letter, "piece") for name, letter in (CHESS_MEN | _PIECES).items()}
    | {name: Shape(letter, "ground") for name, letter in _GROUNDS.items()}
    | {name: Shape(letter, "mark") for name, letter in _MARKS.items()}
)
COLOURS = (
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "orange", "brown", "pink",
)  # fmt: skip
BOARD_STYLES = ("squares", "checkered", "hexagons", "points", "frame", "triangles")
"""`frame` is a standing frame with holes, `points` has cells without sides, `triangles` are those of backgammon."""
LINE_KINDS = ("line", "score", "cards", "backs", "dice", "track", "pits", "pile")
