"""A world state drawn as data: the cells of a board with text and colour, and labelled lines.

Who shows it (a terminal, a web page) decides how; `str` gives it plain.
"""

from __future__ import annotations

from dataclasses import dataclass

from ggp.language import typed
from ggp.language.typed.types import CellType
from ggp.model.reference.expressions import evaluate
from ggp.model.reference.interpreter import Interpreter, WorldState
from ggp.model.reference.scope import Scope
from ggp.model.value_texts import value_text


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """One cell of a drawn board; `text` is empty where no rule draws anything, `color` None where none is asked for."""

    text: str
    color: str | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn state.

    Attributes:
        rows: the board from its top row (the largest y) down, each row from west to east; empty without a board.
        lines: label and value of each line below the board.
    """

    rows: tuple[tuple[DrawnCell, ...], ...]
    lines: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        width = max((len(cell.text) for row in self.rows for cell in row), default=1) or 1
        rows = [" ".join((cell.text or ".").ljust(width) for cell in row).rstrip() for row in self.rows]
        return "\n".join([*rows, *(f"{label}: {value}" for label, value in self.lines)])


def draw(interpreter: Interpreter, state: WorldState) -> Drawing:
    """Draw a state as the rules' `display` says; without one, every variable is a line.

    Raises:
        RulesFault: an expression of the display fails in this state.
    """
    game = interpreter.game
    scope = interpreter.scope(state)
    if game.display is None:
        values = [pair for pair in zip(game.variables, state.values, strict=True) if not pair[0].is_kept]
        return Drawing((), tuple((variable.name, value_text(variable.type, value)) for variable, value in values))
    lines = tuple((label, value_text(line.type, evaluate(line, scope))) for label, line in game.display.lines)
    if game.display.board is None:
        return Drawing((), lines)
    return Drawing(_drawn_rows(game.display.board, game.display.rules, scope), lines)


def _drawn_rows(
    board: CellType, rules: tuple[typed.DisplayRule, ...], scope: Scope
) -> tuple[tuple[DrawnCell, ...], ...]:
    """Return the rows of a board, each cell drawn by the first rule that has it."""
    drawn: dict[int, DrawnCell] = {}
    for rule in rules:
        what = evaluate(rule.what, scope)
        cells = what if isinstance(what, frozenset) else () if what is None else (what,)
        for cell in cells:
            assert isinstance(cell, int)
            drawn.setdefault(cell, DrawnCell(rule.text, rule.color))
    blank = DrawnCell("", None)
    return tuple(
        tuple(drawn.get(y * board.width + x, blank) for x in range(board.width)) for y in reversed(range(board.height))
    )
