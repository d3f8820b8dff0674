"""The scene of a world state: what a person sees of it, as data for terminals, SVG and web pages.

A scene is laid out already: places have coordinates, x to the east and y to the south, in units of a square's side.
Whatever stands for a value of the rules says so in `means`, as `TYPE:text` (`cell:e4`, `1..13:7`), so that a click on
it can name a component of an action.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

SEVERAL = ", "
"""Between the names of what tints a place."""


class Piece(Struct, omit_defaults=True, frozen=True):
    """A thing that stands somewhere.

    Attributes:
        shape: one of `ggp.language.pieces.SHAPES`; empty: only its text is drawn.
        text: written on it, or alone.
        letter: what a terminal shows.
        player: whose colour and pattern it has; None: nobody's.
        colour: its own colour; None: the player's, or a neutral one.
        count: how many lie there, 1 or more.
        means: the values it stands for.
        word: what its text is short for, where `means` does not have it.
    """

    shape: str = ""
    text: str = ""
    letter: str = ""
    player: int | None = None
    colour: str | None = None
    count: int = 1
    means: tuple[str, ...] = ()
    word: str = ""


def is_word(piece: Piece) -> bool:
    """Return whether a whole word is written on a piece: what else is there is beside it."""
    return piece.shape == "tile" and len(piece.text) > 2


class Place(Struct, omit_defaults=True, frozen=True):
    """A cell of a board, or an edge or a corner between cells.

    Attributes:
        name: its text, such as `e4`; empty where it stands for no value.
        type: the name of its board in the rules.
        on: the level that its board is of, as in `means`, where there are several.
        x: of its centre.
        y: of its centre.
        form: `square`, `hexagon`, `point`, `hole`, `triangle`, `flat` (an edge that runs from west to east), `upright`
            (from south to north), `rising` or `falling` (on the way to the east, of hexagons), `corner`, `way`.
        tint: 0, 1 or 2, of patterned boards.
        ground: what covers it.
        mark: a small sign on it.
        pieces: on it, the lowest first.
        note: a number in its corner that never changes, such as what it is worth.
        also: the other values that it stands for, as in `means`: an edge is the east of one cell, the west of another.
        along: of a way, from its middle to where it ends.
    """

    name: str
    type: str
    x: float
    y: float
    form: str
    tint: int = 0
    ground: Piece | None = None
    mark: Piece | None = None
    pieces: tuple[Piece, ...] = ()
    on: str = ""
    note: str = ""
    also: tuple[str, ...] = ()
    along: tuple[float, float] = (0, 0)


class Axis(Struct, frozen=True):
    """A label at the side of a board."""

    text: str
    x: float
    y: float


class Board(Struct, omit_defaults=True, frozen=True):
    """A board, `width` by `height` units large; `lines` are drawn below its pieces, each `x1, y1, x2, y2`.

    `player` is whose board it is, where each player has one; then `by_others` says whether others act on it, too.
    `level` is which it is of several boards that lie above each other. `note` is the name of what its places note.
    Pieces that mean the same member of a type in `long` are one thing that lies over all their places. `other_lines`
    are lines of other kinds than `lines`, by their names.
    """

    name: str
    style: str
    width: float
    height: float
    places: tuple[Place, ...]
    lines: tuple[tuple[float, float, float, float], ...] = ()
    axes: tuple[Axis, ...] = ()
    player: int | None = None
    by_others: bool = False
    level: str = ""
    note: str = ""
    long: tuple[str, ...] = ()
    other_lines: tuple[tuple[str, tuple[tuple[float, float, float, float], ...]], ...] = ()

    def long_things(self) -> dict[str, list[Place]]:
        """Return the places over which each thing lies that lies over several, in their order."""
        found: dict[str, list[Place]] = {}
        for place in self.places if self.long else ():
            for piece in place.pieces:
                for key in piece.means:
                    if key.rpartition(":")[0] in self.long:
                        found.setdefault(key, []).append(place)
        return {key: places for key, places in found.items() if len(places) > 1}


class Item(Struct, omit_defaults=True, frozen=True):
    """One value beside the boards; `name` says what it is the value of, in a row of several."""

    text: str
    name: str = ""
    shape: str = ""
    player: int | None = None
    number: int | None = None
    means: tuple[str, ...] = ()

    @property
    def copies(self) -> int:
        """How many equal cards it stands for: a number says so where the text is not that number itself."""
        return 1 if self.number is None or self.name or self.text == str(self.number) else self.number


class Row(Struct, omit_defaults=True, frozen=True):
    """Values in a row, of a player or under a name; `means` is what the row itself stands for, as a column of cards.

    `in_order` says that the order of the items means something, as in a sequence.
    """

    items: tuple[Item, ...]
    name: str = ""
    player: int | None = None
    means: tuple[str, ...] = ()
    in_order: bool = False


class Entry(Struct, omit_defaults=True, frozen=True):
    """A labelled value beside the boards: `kind` is a `LINE_KINDS` or `table`; `text` is all of it for a terminal.

    `low` and `high` are the ends of a track, `jumps` its snakes and ladders: from where they lead and where to, `marks`
    the places that are special: which, what they are called, in which colour. `notes` are the numbers in the corners of
    its places, from the first on, and `note` is what they are called.
    """

    kind: str
    label: str
    text: str
    rows: tuple[Row, ...]
    low: int = 0
    high: int = 0
    jumps: tuple[tuple[int, int], ...] = ()
    marks: tuple[tuple[int, str, str], ...] = ()
    notes: tuple[str, ...] = ()
    note: str = ""


class Player(Struct, frozen=True):
    """A player's name, colour, and pattern (its number), the same everywhere."""

    name: str
    colour: str


class Scene(Struct, omit_defaults=True, frozen=True):
    """All that is drawn of a state.

    `faces` are the lines on cards that are numbers in the rules, by what they mean: `1..20:7`.
    """

    players: tuple[Player, ...]
    boards: tuple[Board, ...]
    entries: tuple[Entry, ...]
    faces: tuple[tuple[str, tuple[str, ...]], ...] = ()


OF_NAMES = {
    "gold": "yellow", "amber": "yellow", "lemon": "yellow", "silver": "gray", "grey": "gray", "purple": "magenta",
    "violet": "magenta", "plum": "magenta", "crimson": "red", "scarlet": "red", "ruby": "red", "azure": "blue",
    "navy": "blue", "sapphire": "blue", "teal": "cyan", "turquoise": "cyan", "olive": "green", "lime": "green",
    "emerald": "green", "jade": "green", "ivory": "white", "pearl": "white", "ebony": "black", "rose": "pink",
    "dark": "black", "light": "white",
}  # fmt: skip
"""Colours by other names."""
_SEQUENCE = ("orange", "blue", "green", "magenta", "yellow", "cyan", "red", "brown", "pink", "gray", "white", "black")


def player_colours(names: tuple[str, ...], known: tuple[str, ...]) -> tuple[Player, ...]:
    """Return the players with colours: those of words in their names, as of `red_agent`, else in a fixed order."""
    words = {name: _colour_word(name, known) for name in names}
    meant = {name: OF_NAMES.get(word, word) for name, word in words.items()}
    ways = Counter(meant[name] for name in {words[name]: name for name in names}.values())
    own = {name: colour if words[name] in known or ways[colour] == 1 else "" for name, colour in meant.items()}
    free = [colour for colour in _SEQUENCE if colour not in own.values()] or list(_SEQUENCE)
    found: list[Player] = []
    for name in names:
        colour = own[name] or free[0]
        if not own[name]:
            free = [other for other in free if other != colour] or list(_SEQUENCE)
        found.append(Player(name, colour))
    return tuple(found)


def _colour_word(name: str, known: tuple[str, ...]) -> str:
    """Return the last word of a name that is a colour, in singular or plural; empty: none."""
    words = (form for word in reversed(name.rstrip("0123456789").split("_")) for form in (word, word.removesuffix("s")))
    return next((word for word in words if word in known or word in OF_NAMES), "")
