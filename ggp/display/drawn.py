"""Things drawn on boards: from the rules' `display`, or, without one, from the types of the variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from ggp.display.lands import are_lands, laid_land
from ggp.display.looks import (
    FAMILIAR,
    MEN,
    NOTHING,
    PLACES,
    TINTS,
    Looks,
    are_letters,
    are_words,
    colours_of,
    has_arrows,
    indices_of,
    inner,
    is_held,
    is_player,
    is_table,
    meaning,
    shape_of,
    short,
)
from ggp.display.walls import Side, sides_of, walls
from ggp.language import typed
from ggp.language.evaluation.expressions import bindings, evaluate, holds
from ggp.language.evaluation.scope import Scope
from ggp.language.pieces import COLOURS, SHAPES
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
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
OWN = "mine"
"""What authors call the things of a player; without a player, a mine is a bomb."""
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
    tinted: list[str] = []
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
                is_plain = piece.shape == "ground" and piece.player is None and piece.colour is None
                if is_plain and variable.name not in tinted:
                    tinted.append(variable.name)
                own = TINTS[tinted.index(variable.name) % len(TINTS)] if is_plain else None
                grounds.setdefault(cell, piece if own is None else replace(piece, colour=own))
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
    elif bool(first.shape) != bool(second.shape) or _are_of_two(first, second):
        held.append(second)  # a number and what stands there besides, or things of two players
    elif first.player is None and second.player is None and first.text != second.text:
        held.append(second)  # two things of nobody


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


def _are_of_two(first: Piece, second: Piece) -> bool:
    """Return whether two pieces are of two players."""
    return first.player is not None and second.player is not None and first.player != second.player


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


def of_element(
    name: str,
    indices: list[tuple[ScalarType, int]],
    type_: object,
    value: typed.Value,
    looks: Looks,
    is_tint: bool = False,
) -> Piece | None:
    """Return what an element of an array over cells shows on its cell; None: nothing.

    Args:
        name: of the variable.
        indices: the element's other indices, and their codes.
        type_: of the element.
        value: of the element.
        looks: makes the piece.
        is_tint: whether the player that it names tints the cell, see `tints`.
    """
    kind = inner(type_)
    if value is None or isinstance(value, frozenset | tuple | str | float):
        return None
    if isinstance(kind, BoolType):
        return of_named(name, indices, looks, is_ground=not indices) if value else None
    if isinstance(kind, EnumType) and kind.role == "player":
        if is_tint:
            return Piece("ground", "", looks.letters[value], value)
        own = shape_of(name) if name != OWN else ""
        return looks.piece(own if own in SHAPES and SHAPES[own].layer == "piece" else "disc", "", value)
    if isinstance(kind, IntType):
        return looks.piece("", str(value)) if value else None
    if isinstance(kind, CellType):
        return None
    word = scalar_text(kind, value) if isinstance(kind, EnumType) else ""
    if word in NOTHING:
        return None
    if kind in looks.long and isinstance(kind, EnumType):
        return of_named(name, [*indices, (kind, value)], looks, is_ground=False)
    owner = next((code for index, code in indices if isinstance(index, EnumType) and index.role == "player"), None)
    if isinstance(kind, EnumType) and not indices and are_lands(kind.members):
        land = laid_land(word, value)
        if land is not None:
            return land
    if owner is None and isinstance(kind, EnumType):
        owner = looks.movers.get(kind, {}).get(value)
    named, rest = looks.owned(word)
    if named is not None and isinstance(kind, EnumType):
        shape = shape_of(rest)
        kinds = EnumType("", tuple({looks.owned(member)[1]: None for member in kind.members}))
        text = "" if shape or len(kinds.members) == 1 else short(rest, kinds)
        return replace(looks.piece(shape or "disc", text, named), word=rest if text else "")
    if word in looks.names:
        return looks.piece("disc", "", looks.names.index(word))
    if isinstance(kind, EnumType) and word in (colours := colours_of(kind.members)):
        return looks.piece("disc", "", owner, colours[word])
    shape, text = looks.of_value(kind, value)
    if text and looks.plain.get(name) == value and isinstance(kind, EnumType) and not has_arrows(kind):
        return None
    if isinstance(kind, EnumType) and are_words(kind.members):
        shape, text = "tile", word.replace("_", " ")
    elif text and owner is None and isinstance(kind, EnumType) and are_letters(kind.members):
        shape, text = "tile", text.upper()
    colour = next((part for part in word.split("_") if part in COLOURS and owner is None), None)
    return replace(looks.piece(shape, text, owner, colour), word=word if text and text != word.upper() else "")


def of_place(variable: typed.Variable, indices: list[tuple[ScalarType, int]], looks: Looks) -> Piece:
    """Return a piece for a variable that says where things are; a set of cells without an index is a ground or men."""
    is_men = variable in looks.moving or variable.name in MEN
    is_one = isinstance(variable.type, CellType | OptionType)
    if len(looks.names) == 1 and isinstance(variable.type, CellType):  # where the only player is
        return replace(looks.piece(shape_of(variable.name) or "disc", "", 0), means=(f"at:{variable.name}",))
    piece = of_named(variable.name, indices, looks, isinstance(variable.type, SetType) and not is_men)
    if is_one:  # directions may lead from there
        piece = replace(piece, means=(f"at:{variable.name}",))
    if is_men and len(looks.marks) == 1:
        return replace(piece, text="")
    return replace(piece, word=variable.name) if piece.text and piece.text == looks.mark(variable.name) else piece


def of_named(name: str, indices: list[tuple[ScalarType, int]], looks: Looks, is_ground: bool) -> Piece:
    """Return a piece for a variable: its player by an index, its shape by another index or by the variable's name."""
    owner = colour = None
    shape, text = "", ""
    means = []
    for index, code in indices:
        if isinstance(index, EnumType) and index.role == "player":
            owner = code
        else:
            shape, text = looks.of_value(index, code)
            named, rest = looks.owned(scalar_text(index, code))
            if named is not None and isinstance(index, EnumType):
                owner, (shape, text) = named, (shape_of(rest), "") if shape_of(rest) else (shape, text)
            if isinstance(index, EnumType):
                colour = colours_of(index.members).get(scalar_text(index, code), colour)
        means.append(meaning(index, code))
    if not shape:
        shape = ("" if name == OWN and owner is not None else shape_of(name)) or ("ground" if is_ground else "disc")
        if owner is None and name not in SHAPES:
            owner, rest = (looks.names.index(name), "at") if name in looks.names else looks.owned(name)
            shape = (shape_of(rest) if owner is not None else "") or shape
            if shape == "disc":
                text = looks.mark(name) if owner is None else "" if rest in PLACES else rest[0].upper()
        elif shape == "disc" and name in looks.lettered:
            text = looks.mark(name)
    made = looks.piece(shape, text, owner, colour)
    if shape == "ground":
        made = replace(made, letter=name[0], text=name)
    return replace(made, means=tuple(means))
