"""Checks of `display`: the boards, what is drawn on them, and the labelled values beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import described, expect, truth
from ggp.language.check.declarations.declared import for_each_player
from ggp.language.check.expressions.binders import bind
from ggp.language.check.expressions.boards import search_steps
from ggp.language.check.expressions.names import row
from ggp.language.check.expressions.sequences import as_sequence, items
from ggp.language.check.type_names import meant_type
from ggp.language.diagnostics import suggestions
from ggp.language.pieces import BOARD_STYLES, COLOURS, SHAPES
from ggp.language.typed import Constant, Expression
from ggp.language.typed.types import (
    DIRECTION,
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    TextType,
    Type,
)


def display(checking: Checking, nodes: Sequence[syntax.Display]) -> typed.Display:
    """Return how a state is drawn: the blocks of several boards make one drawing."""
    boards: list[typed.DisplayBoard] = []
    lines: list[typed.DisplayLine] = []
    for place, node in enumerate(nodes):
        with checking.attempt():
            made = _Block(checking, node)
            lines += made.lines
            if made.cells is not None:
                if made.cells in [board.cells for board in boards]:
                    checking.fail(node.span, f"`{made.cells.name}` is drawn twice")
                boards.append(typed.DisplayBoard(made.cells, made.style, tuple(made.rules), made.steps))
            elif any(other.board is None for other in nodes[:place]):
                checking.fail(node.span, "`display` is given twice")
    return typed.Display(tuple(boards), tuple(lines))


def views(checking: Checking, nodes: Sequence[syntax.Display]) -> tuple[typed.Display, ...]:
    """Return how a state is drawn for each player, whom a name stands for."""
    word = nodes[0].player
    assert word is not None
    for node in nodes:
        if node.player is not None and node.player.text != word.text:
            checking.fail(node.player.span, f"the player is called `{word.text}` above")
        if node.player is not None and node.player is not word:
            checking.names.uses[node.player.span] = word.span
    return for_each_player(checking, word, lambda: display(checking, nodes))


class _Block:
    """One block of `display`, checked."""

    def __init__(self, checking: Checking, node: syntax.Display) -> None:
        self.checking = checking
        self.cells: CellType | None = None
        self.style = self._one_of(node.style, BOARD_STYLES, "style")
        self.rules: list[typed.DisplayRule] = []
        self.lines: list[typed.DisplayLine] = []
        self.steps: Expression | None = None
        if node.board is not None:
            meant = meant_type(checking, syntax.NamedType(node.board.span, node.board))
            if not isinstance(meant, CellType):
                checking.fail(node.board.span, f"`{node.board.text}` is not a board")
            self.cells = meant
        elif node.style is not None:
            checking.fail(node.style.span, "there is no board to draw", "write `display grid BOARD STYLE`")
        for part in node.rules:
            with checking.attempt():
                self._add(part)

    def _add(self, part: syntax.DisplayRule | syntax.DisplayLine | syntax.DisplaySteps) -> None:
        if isinstance(part, syntax.DisplayLine):
            values, type_ = self._shown(part.value)
            self.lines.append(typed.DisplayLine(part.kind.text, part.label.value, values, type_, part.value.span))
            return
        if self.cells is None:
            hint = 'write `display grid BOARD` above, or `line "label" value`'
            self.checking.fail(part.span, "there is no board to draw on", hint)
        if isinstance(part, syntax.DisplayRule):
            self.rules.append(self._rule(part, self.cells))
            return
        self.steps = search_steps(self.checking, part.steps)
        types: tuple[Type, ...] = (SetType(DIRECTION), ArrayType((self.cells,), SetType(self.cells)))
        if self.steps.type not in types:
            self.checking.fail(self.steps.span, f"expected directions, or the neighbours of each `{self.cells.name}`")

    def _shown(self, node: syntax.Expression) -> tuple[tuple[Expression, ...], Type]:
        """Return a value with its type; of a row, or of a `let` with indices, an expression for each element."""
        indices, elements = row(self.checking, node, "`display`")
        if elements:
            values = tuple(element for _, element in elements)
            return values, ArrayType(indices, cast("ScalarType", values[0].type))
        value = self.checking.infer(node)
        sequence = as_sequence(value)
        if sequence is not None:
            return tuple(items(self.checking, sequence, "`display`")), sequence.type
        return (value,), value.type

    def _rule(self, node: syntax.DisplayRule, cells: CellType) -> typed.DisplayRule:
        with self.checking.names.inner():
            binders = bind(self.checking, node.binders)
            condition = None if node.condition is None else truth(self.checking, node.condition)
            what = self.checking.infer(node.what, SetType(cells))
            element = what.type.inner if isinstance(what.type, OptionType) else what.type
            element = element.element if isinstance(element, SetType) else element
            if not isinstance(element, CellType) or not fits(cells, element):
                expected = f"expected a cell or a set of cells of `{cells.name}`"
                self.checking.fail(what.span, f"{expected}, found {described(what.type)}")
            look = self._look(node)
            side = None
            if node.side is not None:
                side = expect(self.checking, node.side, DIRECTION, "a line of cells has four sides")
                if not isinstance(side, Constant) or cast("int", side.value) % 2:
                    self.checking.fail(side.span, "the side of a cell is `north`, `east`, `south` or `west`")
            return typed.DisplayRule(what, look, node.span, side, binders, condition)

    def _look(self, node: syntax.DisplayRule) -> typed.Look:
        given = {part.word: part.value for part in node.parts if part.word}
        text, colour = None, None
        for part in node.parts:
            if isinstance(part.value, syntax.Text) and not part.word:
                text = part.value.value
            elif isinstance(part.value, syntax.Name) and not part.word:
                colour = self._one_of(syntax.Word(part.span, part.value.text), COLOURS, "colour")
        shape: str | Expression | None = None
        if isinstance(node.look, syntax.Text):
            text = node.look.value
        elif isinstance(node.look, syntax.Name) and node.look.text in SHAPES:
            shape = node.look.text
        elif isinstance(node.look, syntax.Name) and self.checking.names.lookup(node.look.text) is None:
            shape = self._one_of(syntax.Word(node.look.span, node.look.text), tuple(SHAPES), "shape")
        else:
            shape = self._value(node.look)
        owner = None
        if "of" in given:
            players = cast("EnumType", self.checking.players)
            owner = self.checking.infer(given["of"], players)
            if owner.type not in (players, OptionType(players)):
                self.checking.fail(owner.span, f"expected a player, found {described(owner.type)}")
        label = self._value(given["label"]) if "label" in given else None
        count = self.checking.infer(given["count"]) if "count" in given else None
        if count is not None and not isinstance(count.type, IntType):
            self.checking.fail(count.span, f"expected a number, found {described(count.type)}")
        return typed.Look(shape, text, owner, colour, label, count)

    def _value(self, node: syntax.Expression) -> Expression:
        value = self.checking.infer(node)
        inner = value.type.inner if isinstance(value.type, OptionType) else value.type
        if not isinstance(inner, ScalarType | TextType) or isinstance(inner, BoolType):
            self.checking.fail(value.span, f"expected the name of a shape, or one value, found {described(value.type)}")
        return value

    def _one_of(self, word: syntax.Word | None, known: tuple[str, ...], what: str) -> str | None:
        if word is not None and word.text not in known:
            listed = f"the {what}s are {', '.join(known)}" if len(known) < 20 else None
            self.checking.fail(word.span, f"unknown {what} `{word.text}`", suggestions(word.text, known) or listed)
        return None if word is None else word.text


def fits(board: CellType, other: CellType) -> bool:
    """Return whether the cells of another board have their places on a board: on its cells, edges or corners."""
    wide, high = other.width - board.width, other.height - board.height
    if other == board or (wide, high) in ((0, 1), (1, 0), (1, 1), (-1, -1)):
        return True
    return (other.width, other.height) == (2 * board.width - 1, 2 * board.height - 1)
