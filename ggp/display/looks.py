"""How values look on boards: shapes for words, letters, colours, whose they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache

from msgspec.structs import replace

from ggp.language import typed
from ggp.language.pieces import COLOURS, SHAPES
from ggp.language.typed.types import (
    DIRECTION,
    ArrayType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    TextType,
    scalar_text,
    type_text,
)
from ggp.scene.playing_cards import corner
from ggp.scene.scene import OF_NAMES, Piece, Player

FAMILIAR = {"#": "wall", "~": "water", ".": "dot", "*": "star", "X": "cross", "O": "nought", "?": "unknown"}
"""Shapes for the letters with which boards are drawn in terminals."""
SYNONYMS = {
    "river": "water", "rivers": "water", "lake": "water", "lakes": "water", "sea": "water",
    "forest": "tree", "forests": "tree", "rock": "wall", "rocks": "wall", "block": "wall", "blocks": "wall",
    "blocked": "wall", "obstacle": "wall", "obstacles": "wall", "eaten": "burnt", "removed": "burnt",
    "destroyed": "burnt", "gone": "burnt", "castle": "tower", "treasure": "gem", "mine": "bomb", "exit": "goal",
}  # fmt: skip
"""Shapes for other words that authors call things by."""
NOTHING = ("empty", "free", "blank", "vacant", "nobody", "no_one", "clear", "none_yet", "unmarked")
"""Members that say that a cell holds nothing."""
SIGNS = ("cross", "nought")
"""Shapes that are a player's sign themselves."""
ARROWS = dict(zip(DIRECTION.members, "↑↗→↘↓↙←↖", strict=True))
"""Arrows for the directions of squares; on hexagons those that lean point elsewhere."""
LEANING_ARROWS = {1: {"north": "↗", "south": "↙"}, -1: {"north": "↖", "south": "↘"}}
NUMERALS = {word: str(number) for number, word in enumerate(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
)}  # fmt: skip
HELD = (
    "hand", "hands", "deck", "decks", "stock", "talon", "rack", "racks", "discard", "discards", "discarded",
    "draw_pile", "discard_pile",
)  # fmt: skip
"""What variables are called that hold cards."""
PLACES = (
    "at", "is_at", "place", "cell", "pos", "position", "square", "spot", "location", "field", "where", "home", "men",
    "pieces", "stones", "discs", "pawns", "units", "of", "has", "owns", "own",
)  # fmt: skip
"""Words for where something is, or for what all of a player's things are: they tell nothing about a thing."""
MEN = ("men", "pieces", "marbles", "pegs", "beans")
"""What sets of cells are called where men stand that belong to nobody."""
MANY_LETTERS = 7
"""So many letters of nobody are tiles."""
MANY_WORDS = 16
"""So many members of an enumeration are written on a board as they are."""
TINTS = (None, "cyan", "pink", "green", "yellow", "gray")
"""Colours of the grounds that several variables draw, in their order."""


def shape_of(text: str) -> str:
    """Return the shape that a word names, in singular or plural; empty: none."""
    singular = text.removesuffix("s")
    known = (one for one in (text, singular, SYNONYMS.get(text, "")) if one in SHAPES)
    return next(known, "")


def is_table(variable: typed.Variable) -> bool:
    """Return whether a variable has a number of each of several things at each point of a map, such as prices."""
    type_ = variable.type
    if not isinstance(type_, ArrayType) or not isinstance(type_.element, IntType) or len(type_.indices) != 2:
        return False
    return all(isinstance(index, EnumType) and index.role == "enumeration" for index in type_.indices)


def is_held(variable: typed.Variable) -> bool:
    """Return whether a variable holds cards by its name: what they name, such as cities, is not where they are."""
    return variable.name in HELD and isinstance(inner(variable.type), ScalarType)


@lru_cache(512)
def are_words(members: tuple[str, ...]) -> bool:
    """Return whether members are too many to be known by a letter, and most of them neither shapes nor cards."""
    plain = [word for word in members if word.replace("_", "").isalpha() and not shape_of(word) and "_of_" not in word]
    return len(members) >= MANY_WORDS and 2 * len(plain) > len(members)


def are_letters(members: tuple[str, ...]) -> bool:
    """Return whether most members are letters, as on the tiles of which words are made."""
    return len(members) >= MANY_LETTERS and 2 * sum(len(word) == 1 for word in members) > len(members)


@lru_cache(512)
def colours_of(members: tuple[str, ...]) -> Mapping[str, str]:
    """Return the colours that members name: by other names, such as `purple`, where all are different colours."""
    named = [word if word in COLOURS else OF_NAMES.get(word, "") for word in members]
    if "" not in named and len(set(named)) == len(members):
        return dict(zip(members, named, strict=True))
    return {word: word for word in members if word in COLOURS}


def has_arrows(type_: object) -> bool:
    """Return whether the members of a type are directions."""
    return isinstance(type_, EnumType) and type_.role != "player" and set(type_.members) <= set(ARROWS)


def arrow(direction: str, lean: int) -> str:
    """Return the arrow for a direction, on hexagons that lean to a side; 0: on squares."""
    return ARROWS[direction] if not lean else LEANING_ARROWS[lean].get(direction, ARROWS[direction])


def is_player(type_: object) -> bool:
    """Return whether a type is that of the players."""
    return isinstance(type_, EnumType) and type_.role == "player"


def meaning(type_: ScalarType, code: int) -> str:
    """Return a value as `Piece.means` has it."""
    return f"{type_text(type_)}:{scalar_text(type_, code)}"


def inner(type_: typed.Expression | object) -> ScalarType | TextType:
    """Return the type of the values of a type, options and sets opened."""
    if isinstance(type_, OptionType):
        return type_.inner
    return inner(type_.element) if isinstance(type_, SetType | ArrayType) else type_  # type: ignore[return-value]


def indices_of(variable: typed.Variable) -> tuple[ScalarType, ...]:
    """Return the types of a variable's indices; none where it is no array."""
    return variable.type.indices if isinstance(variable.type, ArrayType) else ()


def short(text: str, type_: ScalarType | TextType) -> str:
    """Return what fits on a piece of a text: numbers and short words whole, of others what tells them apart."""
    if len(text) <= 2 or text.lstrip("-").isdigit():
        return text
    if "_of_" in text and (card := corner(text)):
        return card
    return labels(type_.members).get(text, text[0].upper()) if isinstance(type_, EnumType) else text[0].upper()


@lru_cache(512)
def labels(words: tuple[str, ...]) -> Mapping[str, str]:
    """Return what tells words apart, the shortest that will do for each: a numeral, initials, or how it begins.

    What all of them begin or end with, such as `unit_`, tells nothing.
    """
    split = [[part for part in word.split("_") if part != "of"] or ["of"] for word in words]
    while len({tuple(parts[:1]) for parts in split}) == 1 < min(map(len, split), default=0):
        split = [parts[1:] for parts in split]
    while len({tuple(parts[-1:]) for parts in split}) == 1 < min(map(len, split), default=0):
        split = [parts[:-1] for parts in split]

    def ways(parts: list[str]) -> Iterator[str]:
        whole = "".join(parts)
        letter = SHAPES[whole].letter if whole in SHAPES else ""
        yield NUMERALS.get(whole, whole if len(whole) <= 2 and not whole.isalpha() else (letter or whole)[0].upper())
        yield "".join(part[0].upper() for part in parts)[:4]
        yield from (whole,) if len(whole) <= 3 else (whole[0].upper() + letter for letter in whole[1:])
        yield whole[:3]

    found = [list(ways(parts)) for parts in split]
    for _ in range(max(map(len, found), default=0)):  # where two are the same, the next way is tried
        first = [options[0] for options in found]
        found = [options[1:] if len(options) > 1 and first.count(options[0]) > 1 else options for options in found]
    return {word: options[0] for word, options in zip(words, found, strict=True)}


def owned(names: Sequence[str], word: str) -> tuple[int | None, str]:
    """Return whose a thing is by its name, such as `rook_of_white` or `white_rook`, and what it is."""
    for player, name in enumerate(names):
        for join in ("_of_", "_"):
            for found in (word.removesuffix(join + name), word.removeprefix(name + join)):
                if found != word:
                    return player, found
    return None, word


class Looks:
    """Makes pieces: knows the players' names, letters and colours."""

    def __init__(self, players: Sequence[Player]) -> None:
        names = [player.name for player in players]
        initials = [name[0].upper() for name in names]
        self.lean = 0
        """Of hexagons, see `geometry.LEANING`."""
        self.long: frozenset[ScalarType] = frozenset()
        """Types whose members are things that lie over several cells, see `long_things`."""
        self.movers: Mapping[EnumType, Mapping[int, int]] = {}
        """Whose men of a kind are, where only play shows it."""
        self.plain: Mapping[str, int] = {}
        """Of variables, the member that all cells have at the beginning: where it is only a word, it is not drawn."""
        self.moving: Set[typed.Variable] = frozenset()
        """Sets of cells that are men, not a ground."""
        self.pipes: Set[typed.Variable] = frozenset()
        """Directions of cells that are no walls and no gaps in them, whatever they are called, see `pipes`."""
        self.nested: Set[typed.Variable] = frozenset()
        """What stands on boards that lie in the cells of others, see `nests_of`."""
        self.gaps: Set[typed.Variable] = frozenset()
        """Cells where there is nothing, see `gaps`."""
        self.spans: Mapping[typed.Variable, tuple[tuple[frozenset[int], ...], ...]] = {}
        """Over which cells things lie whose own cell a variable says: by their number and by this cell."""
        self.lettered: Set[str] = frozenset()
        """Variables whose things have a letter, to tell them from others of the same player."""
        self.letters = initials if len(set(initials)) == len(initials) else list("XOABCDEFGHIJKLMN")
        self.names = names
        self.marks: Mapping[str, str] = {}
        """Letters of the variables that say where something is."""

    def mark(self, name: str) -> str:
        """Return the letter of a variable, for things that have no other."""
        return self.marks.get(name, name[0].upper())

    def piece(self, shape: str, text: str, player: int | None = None, colour: str | None = None) -> Piece:
        """Return a piece of a shape, or of a text alone, with its letter for terminals."""
        letter = text or (SHAPES[shape].letter if shape in SHAPES else "")
        if not letter and shape not in ("nothing", "ground", "goal"):
            letter = self.letters[player] if player is not None else shape[:1]
        elif player is not None and letter.strip() and shape not in SIGNS:
            letter = self._whose(letter, player)
        return Piece(shape, text, letter, player, colour)

    def of_player(self, piece: Piece, player: int) -> Piece:
        """Return a piece of nobody as a player's."""
        is_sign = not piece.letter.strip() or piece.shape in SIGNS
        return replace(piece, player=player, letter=piece.letter if is_sign else self._whose(piece.letter, player))

    def _whose(self, letter: str, player: int) -> str:
        """Return a letter that tells whose it is without its colour: of two players, the second has small ones."""
        if len(self.names) == 2 and letter.lower() != letter.upper():
            return letter.lower() if player else letter.upper()
        return letter if letter.startswith(self.letters[player]) else self.letters[player] + letter

    def owned(self, word: str) -> tuple[int | None, str]:
        """Return whose a thing is by its name, and what it is."""
        return owned(self.names, word)

    def of_value(self, type_: ScalarType | TextType, value: int | str) -> tuple[str, str]:
        """Return the shape and the text that a value's own text names."""
        text = value if isinstance(value, str) or isinstance(type_, TextType) else scalar_text(type_, value)
        assert isinstance(text, str)
        if has_arrows(type_):
            return "disc", arrow(text, self.lean)
        shape = shape_of(text) if isinstance(type_, EnumType) else text if text in SHAPES else ""
        return (shape, "") if shape else ("disc", short(text, type_))
