"""What several scenes of one game have in common: what somebody knows who considers all of them possible."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from ggp.scene.scene import SEVERAL, Board, Entry, Item, Piece, Place, Row, Scene

UNKNOWN = "?"
UNKNOWN_PIECE = Piece("unknown", letter=UNKNOWN)
TOKEN = re.compile(r"([\[\]{},:; ]+)")
"""Separates the words of a value's text."""


def in_common(left: Scene, right: Scene) -> Scene:
    """Return the common part of two scenes of states of one game, with `?` for the rest."""
    boards = tuple(_board(one, other) for one, other in zip(left.boards, right.boards, strict=True))
    entries = tuple(_entry(one, other) for one, other in zip(left.entries, right.entries, strict=True))
    return replace(left, boards=boards, entries=entries)


def _board(left: Board, right: Board) -> Board:
    if left == right:
        return left
    others = {(place.type, place.x, place.y): place for place in right.places}
    places = tuple(_place(place, others.pop((place.type, place.x, place.y), None)) for place in left.places)
    # an edge that only the other scene draws
    places += tuple(_place(other, None) for other in others.values())
    return replace(left, places=places, lines=tuple(line for line in left.lines if line in right.lines))


def _place(one: Place, other: Place | None) -> Place:
    if one == other:
        return one
    if other is not None and one.ground == other.ground and len(one.pieces) == len(other.pieces) > 0:
        pairs = list(zip(one.pieces, other.pieces, strict=True))
        if all(a.player == b.player is not None for a, b in pairs):
            mark = one.mark if one.mark == other.mark else None
            return replace(one, mark=mark, pieces=tuple(a if a == b else _piece(a, b) for a, b in pairs))
    against, pieces = list(other.pieces if other is not None else ()), []
    for piece in one.pieces:
        if piece in against:
            against.remove(piece)
            pieces.append(piece)
    ground = None if other is None else _ground(one.ground, other.ground)
    return replace(one, ground=ground, mark=UNKNOWN_PIECE, pieces=tuple(pieces))


def _ground(one: Piece | None, other: Piece | None) -> Piece | None:
    """Return what is known of the ground of a place: of several tints those that are always there."""
    if one is None or other is None or one == other:
        return one if one == other else None
    if one.shape == other.shape == "ground" and one.text and other.text:
        fewer, more = sorted((one, other), key=lambda piece: len(piece.text.split(SEVERAL)))
        return fewer if {*fewer.text.split(SEVERAL)} < {*more.text.split(SEVERAL)} else None
    return None


def _piece(one: Piece, other: Piece) -> Piece:
    """Return a piece of which the player is known, but not what it is."""
    shape = one.shape if one.shape == other.shape else "tile"
    return Piece(shape, UNKNOWN, UNKNOWN, one.player, means=tuple(each for each in one.means if each in other.means))


def _entry(one: Entry, other: Entry) -> Entry:
    if one == other:
        return one
    text = _text_in_common(one.text, other.text)
    if len(one.rows) != len(other.rows):
        return replace(one, text=text, rows=(Row((Item(UNKNOWN),)),))
    rows = tuple(_row(each, against) for each, against in zip(one.rows, other.rows, strict=True))
    if text == UNKNOWN and len(rows) > 1:  # what is known of some rows is not lost for the others
        text = "; ".join(" ".join((row.name, *(item.text for item in row.items))) for row in rows)
    return replace(one, text=text, rows=rows)


def _row(one: Row, other: Row) -> Row:
    if one == other:
        return one
    if not one.in_order and not any(item.name for item in (*one.items, *other.items)):  # a set
        total = sum(item.copies for item in one.items)
        if total != sum(item.copies for item in other.items):
            return replace(one, items=(Item(UNKNOWN),))
        shared = [card for item in one.items for card in _cards_in_common(item, other.items)]
        return replace(one, items=(*shared, *[Item(UNKNOWN)] * (total - sum(item.copies for item in shared))))
    if len(one.items) != len(other.items):
        return replace(one, items=(Item(UNKNOWN),))
    pairs = zip(one.items, other.items, strict=True)
    return replace(one, items=tuple(a if a == b else Item(UNKNOWN, a.name, means=_shared(a, b)) for a, b in pairs))


def _cards_in_common(item: Item, others: tuple[Item, ...]) -> Iterator[Item]:
    """Yield an item that is in another row, too: of equal cards as many as are in both."""
    for other in others:
        if item == other or (item.copies * other.copies > 1 and replace(item, number=other.number) == other):
            yield min(item, other, key=lambda each: each.copies)
            return


def _shared(one: Item, other: Item) -> tuple[str, ...]:
    """Return what both stand for: an index, not the value."""
    return tuple(each for each in one.means if each in other.means)


def _text_in_common(left: str, right: str) -> str:
    """Return the text of a value with `?` for the parts that differ; only `?` if the parts do not correspond."""
    words, others = TOKEN.split(left), TOKEN.split(right)
    # the members of different sets do not correspond
    if len(words) != len(others) or left.startswith("{") or words[1::2] != others[1::2]:
        return UNKNOWN
    return "".join(one if one == other else UNKNOWN for one, other in zip(words, others, strict=True))
