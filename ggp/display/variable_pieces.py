"""Pieces for what variables say of one cell: for an element of an array, for where things are, for tinted cells."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ggp.display.lands import are_lands, laid_land
from ggp.display.looks import (
    MEN,
    NOTHING,
    PLACES,
    TINTS,
    Looks,
    are_letters,
    are_words,
    colours_of,
    has_arrows,
    inner,
    is_held,
    meaning,
    shape_of,
    short,
)
from ggp.language import typed
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
    scalar_text,
)
from ggp.scene.scene import SEVERAL, Piece

OWN = "mine"
"""What authors call the things of a player; without a player, a mine is a bomb."""


def tinting_of(game: typed.Game, board: ScalarType, looks: Looks) -> tuple[str, ...]:
    """Return the names of the variables that tint cells of a board, sets of cells or truth values, in order."""
    found = []
    for variable in game.variables:
        is_set = isinstance(variable.type, SetType) and variable.type.element == board
        is_array = variable.type == ArrayType((board,), BoolType())
        if (is_set or is_array) and not variable.is_kept and not variable.part and not is_held(variable):
            piece = of_place(variable, [], looks) if is_set else of_named(variable.name, [], looks, is_ground=True)
            if piece.shape == "ground" and piece.player is None and piece.colour is None:
                found.append(variable.name)
    return tuple(found)


def joined_tints(held: Sequence[Piece], tinting: Sequence[str]) -> Piece:
    """Return what several variables that tint a cell make of it, in a colour of its own.

    Args:
        held: what each of them draws, in their order.
        tinting: all of them.
    """
    kinds = sum(1 << tinting.index(piece.text) for piece in held)
    single = kinds.bit_length() - 1
    colour = TINTS[(single if len(held) == 1 else len(tinting) + kinds - single - 2) % len(TINTS)]
    text, letter = SEVERAL.join(piece.text for piece in held), "".join(piece.letter for piece in held)
    return replace(held[0], text=text, letter=letter, colour=colour)


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
        made = replace(made, letter=looks.mark(name).lower(), text=name)
    return replace(made, means=tuple(means))
