"""Things drawn on boards: from the rules' `display`, or, without one, from the types of the variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from ggp.display.looks import (
    FAMILIAR,
    Looks,
    has_arrows,
    indices_of,
    inner,
    is_held,
    is_player,
    is_table,
    meaning,
    short,
)
from ggp.display.variable_pieces import joined_tints, of_element, of_place, tinting_of
from ggp.display.walls import Side, sides_of, walls
from ggp.language import typed
from ggp.language.evaluation.expressions import bindings, evaluate, holds
from ggp.language.evaluation.scope import Scope
from ggp.language.pieces import SHAPES
from ggp.language.typed.types import (
    ArrayType,
    CellType,
    EnumType,
    OptionType,
    ScalarType,
    SetType,
    TextType,
    codes,
    scalar_text,
)
from ggp.scene.scene import Piece

OWNERS = ("owner", "owners", "owned", "holder", "control", "controls", "controller")
"""What variables that say whose a cell or a land is are often called."""
MAX_PIECES = 6
"""Pieces of one rule that are drawn on one cell."""


class Part(NamedTuple):
    """What one of several boards of a kind is of: a player, or a level."""

    type: ScalarType
    code: int


class Drawn(NamedTuple):
    """A thing on a cell of a board, or on its edge on a side (a direction)."""

    board: CellType
    cell: int
    piece: Piece
    layer: str
    rule: int
    side: int | None = None


def cells_of(rule: typed.DisplayRule, scope: Scope) -> frozenset[int]:
    """Return the cells at which a rule draws under the bindings of a scope, by their codes."""
    what = evaluate(rule.what, scope)
    if isinstance(what, frozenset):
        return what
    assert what is None or isinstance(what, int)
    return frozenset() if what is None else frozenset({what})


def fixed_look(rule: typed.DisplayRule) -> tuple[str | None, str, bool]:
    """Return what of the look of a rule is the same in all states.

    Returns:
        The shape, None where it is a value or only a text is drawn; the text; and whether that is all but the owner,
        the text being the letter for terminals.
    """
    shape, text = rule.look.shape, rule.look.text or ""
    if isinstance(shape, typed.Expression):
        return None, text, False
    if shape is not None:
        return shape, text, False
    if rule.side is not None and text in ("-", "=", "|", "#"):
        return "wall", text, True
    if text.strip() == "":
        return "nothing", " ", False
    return (FAMILIAR[text], text, True) if text in FAMILIAR else (None, text, False)


class Painter:
    """Draws what rules of a `display` say."""

    def __init__(self, looks: Looks) -> None:
        self.looks = looks

    def drawn(self, board: typed.DisplayBoard, scope: Scope) -> Iterator[Drawn]:
        """Yield what the rules draw on a board, in order."""
        for number, rule in enumerate(board.rules):
            for _ in bindings(rule.binders, scope):
                if not holds(rule.condition, scope):
                    continue
                cells = cells_of(rule, scope)
                piece = self._piece(rule, scope) if cells else None
                if piece is None:
                    continue
                layer = "piece" if piece.shape not in SHAPES else SHAPES[piece.shape].layer
                side = rule.side.value if isinstance(rule.side, typed.Constant) else None
                cells_type = inner(rule.what.type)
                assert isinstance(cells_type, CellType)
                for cell in cells:
                    yield Drawn(cells_type, cell, piece, layer, number, side)  # type: ignore[arg-type]

    def _piece(self, rule: typed.DisplayRule, scope: Scope) -> Piece | None:
        """Return what a rule draws under the bindings of a scope; None: nothing."""
        look = rule.look
        owner = None if look.owner is None else evaluate(look.owner, scope)
        shape, text, is_plain = fixed_look(rule)
        if is_plain:
            made = self.looks.piece(shape or "", "", owner, look.colour)  # type: ignore[arg-type]
            return replace(made, letter=text)
        if isinstance(look.shape, typed.Expression):
            value = evaluate(look.shape, scope)
            if value is None:
                return None
            shape, own = self.looks.of_value(inner(look.shape.type), value)  # type: ignore[arg-type]
            text = text or own
        count = 1 if look.count is None else evaluate(look.count, scope)
        assert isinstance(count, int)
        if count < 1:
            return None
        label = None if look.label is None else evaluate(look.label, scope)
        if label is not None and look.label is not None:
            text = short(self._text(inner(look.label.type), label), inner(look.label.type))
        symbols = [binder.symbol for binder in rule.binders]
        means = tuple(
            meaning(symbol.type, scope.symbols[symbol])  # type: ignore[arg-type]
            for symbol in symbols
            if isinstance(symbol.type, ScalarType) and not isinstance(symbol.type, CellType)
        )
        return replace(
            self.looks.piece(shape or "", text, owner, look.colour),  # type: ignore[arg-type]
            count=count,
            means=means,
        )

    def _text(self, type_: ScalarType | TextType, value: typed.Value) -> str:
        return value if isinstance(value, str) else scalar_text(type_, value)  # type: ignore[arg-type]


def drawn_by_types(
    game: typed.Game,
    values: Mapping[typed.Variable, typed.Value],
    board: ScalarType,
    looks: Looks,
    part: Part | None = None,
    *,
    lands: Sequence[tuple[int, Piece]] = (),
    standing: Sequence[tuple[Side, Piece]] = (),
    sided: CellType | None = None,
    lean: int = 0,
) -> Iterator[tuple[int, Piece, str, int | None]]:
    """Yield what the variables' types say of a board or a map: of sets of cells, cells, arrays.

    Variables that tell of one cell are put together: whose it is from one, what it is from another. On the board of
    one player or level, nothing of the others is drawn.

    Args:
        game: whose variables they are.
        values: of the variables.
        board: or a map.
        looks: makes the pieces.
        part: the player whose board it is, or its level; None: there is one board for all.
        lands: the grounds of cells, see `lands_of`.
        standing: the walls between cells, see `standing_of`.
        sided: the board between whose cells walls are drawn, see `walls`.
        lean: of its hexagons, see `geometry.LEANING`.

    Yields:
        The cell, the piece, its layer, and on which side of the cell it stands; None: in it.
    """
    pieces: dict[int, list[Piece]] = {}
    grounds: dict[int, Piece] = {}
    tinting = tinting_of(game, board, looks)
    tinted: dict[int, list[Piece]] = {}
    walkers, things = set[int](), set[int]()
    for variable in game.variables:
        if variable.is_kept or variable.part == "size" or is_table(variable) or variable in looks.nested:
            continue
        is_of_sides = sided is not None and sides_of(variable.name, variable.type, sided, lean) is not None
        if is_of_sides and variable not in looks.pipes:
            for (cell, side), piece in walls(variable.name, variable.type, values[variable], board, lean):
                yield cell, piece, "ground", side
            continue
        is_tint, heading = tints(game, variable, board), heading_of(game, variable)
        faced = values[heading] if heading is not None else None
        for cell, piece in _of_variable(variable, values[variable], board, looks, part, is_tint, heading, faced):
            if SHAPES.get(piece.shape, SHAPES["disc"]).layer == "ground":
                if piece.text in tinting and cell not in grounds:
                    tinted.setdefault(cell, []).append(piece)
                elif cell not in tinted:
                    grounds.setdefault(cell, piece)
            elif variable.part == "items":
                pieces[cell] = [*pieces.get(cell, ()), piece][-MAX_PIECES:]
            elif cell in pieces and (
                (cell in walkers) != is_walker(variable, board)
                or (
                    cell in things
                    and is_thing(variable, board)
                    and (pieces[cell][-1].player is None) != (piece.player is None)
                )
            ):
                pieces[cell].append(piece)
            else:
                join_pieces(pieces.setdefault(cell, []), piece, looks.mark(variable.name), looks)
            if is_walker(variable, board):
                walkers.add(cell)
            if is_thing(variable, board):
                things.add(cell)
    grounds |= {cell: joined_tints(held, tinting) for cell, held in tinted.items()}
    for cell, piece in lands:
        grounds.setdefault(cell, piece)
    for (cell, side), piece in standing if board == sided else ():
        yield cell, piece, "ground", side
    for cell, piece in grounds.items():
        yield cell, piece, "ground", None
    for cell, held in pieces.items():
        for piece in held:
            yield cell, piece, "piece", None


def is_walker(variable: typed.Variable, board: ScalarType) -> bool:
    """Return whether a variable says where each player is, `at[player]: town`: what else is there is not theirs."""
    return (
        isinstance(variable.type, ArrayType)
        and any(map(is_player, variable.type.indices))
        and is_thing(variable, board)
    )


def is_thing(variable: typed.Variable, board: ScalarType) -> bool:
    """Return whether a variable says where single things are, `king: cell`: two at one place are two."""
    indices = variable.type.indices if isinstance(variable.type, ArrayType) else ()
    element = variable.type.element if isinstance(variable.type, ArrayType) else variable.type
    return not isinstance(element, SetType) and board not in indices and inner(element) == board


def join_pieces(held: list[Piece], second: Piece, mark: str, looks: Looks) -> None:
    """Put what a variable says of a cell together with what others say of it; `mark` is the variable's letter."""
    if not held:
        held.append(second)
        return
    first = held[-1]
    if first.player is not None and second.player is None and first.shape == "disc" and not first.text:
        is_number = not second.shape  # such as the height of a stack
        held[-1] = _numbered(first, second) if is_number else looks.of_player(second, first.player)
    elif first.player is None and second.player is not None and second.shape == "disc" and not second.text:
        held[-1] = _numbered(second, first) if not first.shape else looks.of_player(first, second.player)
    elif first.player == second.player and first.shape == second.shape == "disc" and not first.text:
        held[-1] = replace(first, text=second.text or mark)
    elif first.player == second.player and _is_man(first):
        held[-1] = second  # a king is one of the men
    elif not (first.player == second.player and _is_man(second)) and (
        not second.shape or _look(first) != _look(second)
    ):
        held.append(second)  # numbers, or things that differ


def _numbered(piece: Piece, number: Piece) -> Piece:
    return replace(piece, text=number.text, letter=piece.letter + number.text)


def tints(game: typed.Game, variable: typed.Variable, board: ScalarType) -> bool:
    """Return whether a variable says whose the cells of a board are, on which players have other things."""
    return variable.name in OWNERS and any(
        is_player(index)
        for other in game.variables
        if isinstance(other.type, ArrayType) and (board in other.type.indices or inner(other.type) == board)
        for index in other.type.indices
    )


def _is_man(piece: Piece) -> bool:
    """Return whether a piece only says whose it is."""
    return piece.player is not None and piece.shape == "disc" and not piece.text


def _look(piece: Piece) -> tuple[str, str, int | None]:
    return piece.shape, piece.text, piece.player


def _of_variable(
    variable: typed.Variable,
    value: typed.Value,
    board: ScalarType,
    looks: Looks,
    part: Part | None,
    is_tint: bool,
    heading: typed.Variable | None,
    faced: typed.Value,
) -> Iterator[tuple[int, Piece]]:
    type_ = variable.type
    indices: tuple[ScalarType, ...] = ()
    elements: tuple[typed.Value, ...] = (value,)
    element: object = type_
    if isinstance(type_, ArrayType):
        assert isinstance(value, tuple)
        indices, element, elements = type_.indices, type_.element, value
    if board in indices:
        keys = product(*(codes(index) for index in indices))
        at = indices.index(board)
        for key, each in zip(keys, elements, strict=True):
            if is_of_another(indices, key, part):
                continue
            rest = [(index, code) for place, (index, code) in enumerate(zip(indices, key, strict=True)) if place != at]
            name = "" if variable.part == "items" else variable.name  # a tower is one of its items
            piece = of_element(name, rest, element, each, looks, is_tint)
            if piece is not None:
                yield key[at], piece
        return
    if inner(element) != board or isinstance(element, ArrayType) or variable in looks.gaps or is_held(variable):
        return
    arrows = arrows_of(heading, looks)
    towards = faced if isinstance(faced, tuple) else (faced,) * len(elements)
    keys = product(*(codes(index) for index in indices))
    spans = looks.spans.get(variable)
    for place, (key, each, facing) in enumerate(zip(keys, elements, towards, strict=True)):
        if is_of_another(indices, key, part):
            continue
        cells = each if isinstance(each, frozenset) else {each}
        if spans is not None and isinstance(each, int):
            cells = spans[place][each]
        pairs = list(zip(indices, key, strict=True))
        for cell in cells:
            if isinstance(cell, int):
                piece = of_place(variable, pairs, looks)
                yield cell, replace(piece, text=arrows[facing]) if isinstance(facing, int) else piece


def heading_of(game: typed.Game, variable: typed.Variable) -> typed.Variable | None:
    """Return the variable that says where things look whose cells a variable says: `robot[player]`, `facing[player]`.

    It has a direction for each of them; without an index, it is the only one, and so are the cells.
    """

    def are_like(one: typed.Variable, kinds: type[ScalarType]) -> bool:
        element = one.type.element if isinstance(one.type, ArrayType) else one.type
        kind = element.inner if isinstance(element, OptionType) else element
        is_kind = isinstance(kind, kinds) and (not isinstance(kind, EnumType) or has_arrows(kind))
        return is_kind and not one.is_kept and not one.part and indices_of(one) == indices_of(variable)

    if not are_like(variable, CellType):
        return None
    found = [one for one in game.variables if are_like(one, EnumType)]
    is_only = indices_of(variable) or sum(are_like(one, CellType) for one in game.variables) == 1
    return found[0] if len(found) == 1 and is_only else None


def arrows_of(heading: typed.Variable | None, looks: Looks) -> tuple[str, ...]:
    """Return the arrow for each value of a variable that says where things look."""
    kind = None if heading is None else inner(heading.type)
    return tuple(looks.of_value(kind, code)[1] for code in codes(kind)) if isinstance(kind, EnumType) else ()


def is_of_another(indices: Sequence[ScalarType], key: Sequence[int], part: Part | None) -> bool:
    """Return whether an element of an array is not drawn on the board of a part; None: on a board for all."""
    if part is None:
        return False
    of = [code for index, code in zip(indices, key, strict=True) if index == part.type]
    return bool(of) and part.code not in of
