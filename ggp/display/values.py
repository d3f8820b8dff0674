"""Labelled values beside the boards, as rows of items that a person can click."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise, product

from msgspec.structs import replace

from ggp.display.looks import arrow, has_arrows, indices_of, inner, is_held, is_player, is_table, meaning
from ggp.display.tracks import MAX_TRACK, MIN_TRACK
from ggp.language import typed
from ggp.language.evaluation.expressions import evaluate
from ggp.language.evaluation.scope import Scope
from ggp.language.pieces import SHAPES
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SequenceType,
    SetType,
    Type,
    codes,
    scalar_text,
    size,
)
from ggp.language.typed.value_texts import value_text
from ggp.language.typed.walk import walk
from ggp.scene.scene import Entry, Item, Row

MAX_ITEMS = 400
"""A value with more elements is shown by its text alone."""
CARD_NAMES = (
    "card", "cards", "hand", "hands", "deck", "discard", "discards", "discarded", "trick", "stock", "talon", "upcard",
    "rack", "racks", "meld", "melds",
)  # fmt: skip
"""What variables that hold cards are often called."""
COUNT_NAMES = {"in", "left", "count", "size", "number", "remaining", "stock", "deck", "talon"}
"""Words in the names of numbers that say how many there are: `in_hand`, `deck_size`."""
HOLDERS = {"hand", "hands", "deck", "stock", "talon", "rack", "racks", "discards"}
"""What holds several cards: a number from 0 says how many."""
PIT_NAMES = {
    "pit", "pits", "house", "houses", "hole", "holes", "bowl", "bowls", "cup", "cups", "seed", "seeds", "bean", "beans",
    "heap", "heaps", "pile", "piles", "stones", "marbles",
}  # fmt: skip
"""What variables, or their indices, that count seeds in pits are often called."""
TRACK_NAMES = {
    "at", "distance", "field", "horse", "lap", "pawn", "pawns", "place", "places", "position", "positions", "progress",
    "run", "runner", "space", "square", "step", "steps", "token", "tokens", "track", "walked",
}  # fmt: skip
"""What numbers that say how far players are on a track are often called."""
DICE_NAMES = {"die", "dice", "roll", "rolled", "throw", "thrown", "pips"}
"""What numbers of dice are often called."""
MAX_THINGS, MAX_SHOWN = 12, 60
"""Members of an enumeration of which tables are shown, and values of such a table."""
MAX_RUNNERS = 12
"""Things of nobody that run on a track, at most."""


def value_of(line: typed.DisplayLine, scope: Scope) -> typed.Value:
    """Return the value that a line of a display shows in a state."""
    values = tuple(evaluate(element, scope) for element in line.values)
    if isinstance(line.type, SequenceType):
        return tuple(item for item in values if item is not None)
    return values[0] if line.values[0].type == line.type else values


def entry(kind: str, label: str, type_: Type, value: typed.Value, *, is_sequence: bool = False) -> Entry:
    """Return a labelled value; its kind says how items are drawn, `line` as their type suggests."""
    kind = kind_of(kind, type_, label, is_sequence=is_sequence)
    is_counted = kind == "counted"
    kind = "cards" if is_counted else kind
    if is_sequence:
        assert isinstance(type_, ArrayType)
        assert isinstance(value, tuple)
        rows = _sequence_rows(type_, value)
        texts = (" ".join((row.name, *(item.text for item in row.items))) for row in rows)
        return Entry(kind, label, "; ".join(texts), tuple(rows))
    if kind == "places":
        rows = _place_rows(type_, value)
        texts = (
            f"{place.text}: {' '.join(item.text for item in held) or '–'}"
            for place, *held in (row.items for row in rows)
        )
        return Entry(kind, label, "; ".join(texts), tuple(rows))
    text = value_text(type_, value)
    if isinstance(type_, ArrayType):
        assert isinstance(value, tuple)
        rows = _array_rows(type_, value)
    elif isinstance(type_, SequenceType):
        assert isinstance(value, tuple)
        rows = [Row(tuple(_item(type_.element, item, "", ()) for item in value), in_order=True)]
    else:
        rows = [_row(type_, value, "", None)]
    element = type_.element if isinstance(type_, ArrayType) else type_
    is_named = isinstance(type_, ArrayType) and inner(element) == type_.indices[-1]  # by a number of the same range
    if (kind not in ("cards", "dice") or is_named) and not isinstance(element, SetType | SequenceType):
        rows = [replace(row, items=tuple(_measured(item) for item in row.items)) for row in rows]
    if is_counted:  # as many cards as there are, since a number beside a number would say nothing
        cards = [
            [Item(one.name, means=one.means[:-1]) for one in row.items for _ in range(one.number or 0)] for row in rows
        ]
        rows = [replace(row, items=tuple(held)) for row, held in zip(rows, cards, strict=True)]
    elif kind == "cards" and isinstance(type_, ArrayType) and _counts_members(type_):
        rows = [
            replace(row, items=tuple(_counted(item, type_.indices[-1]) for item in row.items if item.number))
            for row in rows
        ]
    if sum(len(row.items) for row in rows) > MAX_ITEMS:
        rows = [Row((Item(text),))]
    if kind == "ring":
        kind, rows = "pits", _ring(rows)
    bare = element.inner if isinstance(element, OptionType) else element
    low, high = (bare.low, bare.high) if kind == "track" and isinstance(bare, IntType) else (0, 0)
    return Entry(kind, label, text, tuple(rows), low, high)


def _ring(rows: list[Row]) -> list[Row]:
    """Lay what is sown in two rows, of which the second leads back: below from the left, above from the right."""
    if len(rows) > 1:  # of two players
        return [replace(rows[1], items=rows[1].items[::-1]), rows[0]]
    items = rows[0].items
    half = len(items) // 2
    return [Row(items[half:][::-1]), Row(items[:half])]


def _counts_members(type_: ArrayType) -> bool:
    """Return whether an array says how many there are of each member of an enumeration."""
    last = type_.indices[-1]
    return isinstance(type_.element, IntType) and not isinstance(last, IntType | BoolType) and not is_player(last)


def _counted(item: Item, type_: ScalarType) -> Item:
    """Return a card for a number of equal ones; `type_` is what is counted."""
    return Item(item.name, "", _shape(type_, item.name), None, item.number, item.means[:-1])


def _shape(type_: Type, word: str) -> str:
    """Return the shape that a value names; of an enumeration of words, one that happens to name a shape is a word."""
    members = type_.members if isinstance(type_, EnumType) else ()
    is_word = 2 * len(SHAPES.keys() & set(members)) < len(members)
    return word if word in SHAPES and not is_word else ""


def _measured(item: Item) -> Item:
    """Return a number that counts or measures something: it stands for what it is the number of, not for itself."""
    is_element = item.means[-1:] and " " in item.means[-1]
    return item if item.number is None or is_element else replace(item, means=item.means[:-1])


def kind_of(kind: str, type_: Type, label: str, *, is_sequence: bool = False) -> str:
    """Return how a labelled value is drawn: of the kind that it is said to be, or, a `line`, as its type suggests."""
    if kind != "line":
        return kind
    if is_sequence:
        found = kind_of(kind, type_, label)
        return found if found in ("cards", "dice") else "line"
    element = type_.element if isinstance(type_, ArrayType | SequenceType) else type_
    bare = element.inner if isinstance(element, OptionType) else element
    words, of_players = set(label.lower().split()), _of_players(type_)
    if isinstance(bare, IntType) and bare.low in (0, 1) and bare.high == 6 and DICE_NAMES & words:
        return "dice"
    is_count = isinstance(element, IntType) and not element.low and (of_players or element is type_)
    is_set = isinstance(type_, SequenceType) or isinstance(bare, SetType)
    if _is_card(bare.element if isinstance(bare, SetType) else bare, words, is_set=is_set) and not (
        is_count and words & HOLDERS
    ):
        return "cards"
    if isinstance(type_, ArrayType) and isinstance(bare, IntType) and bare.low == 0:
        named = {index.name for index in type_.indices if isinstance(index, EnumType)}
        if not of_players and (words | named) & PIT_NAMES:
            return "pits"
    is_way = isinstance(bare, IntType) and bool(words & TRACK_NAMES) and MIN_TRACK <= bare.high - bare.low <= MAX_TRACK
    if is_way and isinstance(type_, ArrayType):
        first, *more = type_.indices
        if any(map(is_player, type_.indices)) or (
            not more and isinstance(first, EnumType) and size(first) <= MAX_RUNNERS
        ):
            return "track"
    if of_players and isinstance(bare, IntType):
        return "score"
    return "table" if isinstance(type_, ArrayType) and not of_players else "line"


def _of_players(type_: Type) -> bool:
    """Return whether a value is an array with nothing but players as indices."""
    return isinstance(type_, ArrayType) and all(is_player(index) for index in type_.indices)


def tables_to_show(game: typed.Game, drawn: Collection[ScalarType], lean: int = 0) -> Iterator[Entry]:
    """Yield what tables of a few things say that players look up: prices, costs, what is worth how much, where it goes.

    Things are the members of an enumeration that variables or moves name, and the numbers of which variables have one
    value each, such as `dice[casino]`; what is `drawn` on a board or a map says so there. Numbers in the order of the
    members, and other members of the same enumeration, are for the rules only.
    """
    roots = (*(one.type for one in game.variables), *(part.type for part in components(game)))
    known = {inner(one) for type_ in roots for one in (type_, *(type_.indices if isinstance(type_, ArrayType) else ()))}
    numbered = {one for variable in game.variables for one in indices_of(variable) if isinstance(one, IntType)}
    things = {one for one in numbered if size(one) <= MAX_THINGS} | {one for one in known if _is_thing(one)}
    for table in game.tables:
        element, indices = table.type.element, table.type.indices
        kept = element.inner if isinstance(element, OptionType) else element
        of_things = all(index in things and index not in drawn for index in indices)
        of_values = isinstance(kept, IntType) or (_is_thing(kept) and kept not in (*indices, *drawn))
        if of_things and len(indices) == 1 and isinstance(element, SetType) and has_arrows(element.element):
            yield _ways_entry(table, lean)
            continue
        if of_things and isinstance(element, SetType) and _is_thing(element.element):
            of_values = element.element not in (*indices, *drawn)
        if not of_things or not of_values or len(table.values) > MAX_SHOWN or len({*table.values}) == 1:
            continue
        numbers = [value for value in table.values if isinstance(value, int)]
        is_order = all(b - a == 1 for a, b in pairwise(numbers)) and len(numbers) == len(table.values)
        if not is_order and "." not in table.name:  # not of a type itself
            made = entry("table", table.name.replace("_", " "), table.type, table.values)
            yield made if not numbered & {*indices} else replace(made, rows=tuple(map(_unclicked, made.rows)))


def _unclicked(row: Row) -> Row:
    """Return a row that is only looked at: what it says of numbers is clicked where these are."""
    return replace(row, items=tuple(replace(item, means=()) for item in row.items), means=())


def _ways_entry(table: typed.Table, lean: int) -> Entry:
    """Return what a table says of the directions in which each of a few things goes, as arrows."""
    (index,), element = table.type.indices, table.type.element
    assert isinstance(element, SetType)
    shown = {code: arrow(scalar_text(element.element, code), lean) for code in codes(element.element)}
    items = []
    for code, ways in zip(codes(index), table.values, strict=True):
        assert isinstance(ways, frozenset)
        text = " ".join(shown[way] for way in sorted(ways)) or "–"
        items.append(Item(text, scalar_text(index, code), means=(meaning(index, code),)))
    text = ", ".join(f"{item.name}: {item.text}" for item in items)
    return Entry("table", table.name.replace("_", " "), text, (Row(tuple(items)),))


def _is_thing(type_: object) -> bool:
    return isinstance(type_, EnumType) and type_.role == "enumeration" and len(type_.members) <= MAX_THINGS


def components(game: typed.Game) -> Iterator[typed.Component]:
    """Yield the components of all actions."""
    for phase in game.phases:
        for chooser in phase.choosers:
            for kind in chooser.kinds:
                yield from kind.components


def is_race(type_: Type, value: typed.Value, number: int) -> bool:
    """Return whether an array says how many men each player has on the numbered points of a race, as in backgammon.

    Numbers above and below 0 are the men of two players.

    Args:
        type_: of the array.
        value: at the beginning, when everybody has men, and no two players on the same point: hands are dealt later.
        number: of players.
    """
    if not isinstance(type_, ArrayType) or not isinstance(type_.element, IntType):
        return False
    *players, points = type_.indices
    if not isinstance(points, IntType) or size(points) < MIN_TRACK:
        return False
    assert isinstance(value, tuple)
    if not players:
        counts = [number for number in value if isinstance(number, int)]
        return number == 2 and min(counts) < 0 < max(counts)
    if len(players) > 1 or not is_player(players[0]) or type_.element.low:
        return False
    rows = [value[place : place + size(points)] for place in range(0, len(value), size(points))]
    return all(map(any, rows)) and all(sum(map(bool, point)) < 2 for point in zip(*rows, strict=True))


def _is_card(type_: object, words: set[str], *, is_set: bool = False) -> bool:
    """Return whether values of a type are cards: by the names of the type, its members or the variable.

    A number is not where its name says that it counts them, `deck_size`; a set of numbers is one of cards, `deck`.
    """
    if isinstance(type_, EnumType) and type_.role == "enumeration":
        is_called = type_.name in CARD_NAMES or any(word in CARD_NAMES for word in words)
        return is_called or all("_of_" in member for member in type_.members)
    return (
        isinstance(type_, IntType) and any(word in CARD_NAMES for word in words) and (is_set or not words & COUNT_NAMES)
    )


def cards_by_hand(game: typed.Game) -> Iterator[typed.Variable]:
    """Yield what holds numbers that are cards in a hand, or are called so: rows, and what was played or taken."""
    in_hands = {
        inner(variable.type)
        for variable in game.variables
        if (set(variable.name.split("_")) & HOLDERS and isinstance(_element(variable.type), SetType))
        or _is_card(inner(variable.type), {*variable.name.split("_")})
    }
    placed = {
        update.target
        for phase in game.phases
        for update in phase.updates
        for value in walk(update.value)
        if isinstance(value, typed.Local) and value.type == update.target.type  # `top := c`
    }
    for variable in game.variables:
        held = isinstance(_element(variable.type), SetType | OptionType | SequenceType) or variable.part == "items"
        held = held or variable in placed
        if held and isinstance(inner(variable.type), IntType) and inner(variable.type) in in_hands:
            yield variable


def parts_of_cards(game: typed.Game) -> Iterator[typed.Variable]:
    """Yield what keeps one part of pairs that are cards in a hand, by the other: `route[player, colour]: value`."""
    parts: set[tuple[str, ...]] = set()
    for variable in game.variables:
        kept = inner(variable.type)
        if {*variable.name.split("_")} & HOLDERS and isinstance(kept, EnumType):
            pairs = [member.split("_of_") for member in kept.members]
            if all(len(pair) == 2 for pair in pairs):
                parts |= {tuple(dict.fromkeys(column)) for column in zip(*pairs, strict=True)}
    for variable in game.variables if parts else ():
        kept, indices = inner(variable.type), indices_of(variable)[: -1 if variable.part else None]
        others = {one.members for one in indices if isinstance(one, EnumType)} & parts
        if others and isinstance(kept, EnumType) and kept.members in parts - others and variable.part != "size":
            yield variable


def counted_by_number(game: typed.Game) -> Iterator[typed.Variable]:
    """Yield what says how many cards of each number somebody holds: `hand[player, 1..6]: 0..9`, one more or less."""
    for update in (update for phase in game.phases for update in phase.updates):
        type_ = update.target.type
        if not isinstance(type_, ArrayType) or not isinstance(type_.element, IntType) or type_.element.low:
            continue
        is_held = {*update.target.name.split("_")} & HOLDERS and isinstance(type_.indices[-1], IntType)
        sums = (
            one for one in walk(update.value) if isinstance(one, typed.Binary) and one.operator in ("add", "subtract")
        )
        if is_held and any(
            isinstance(one.left, typed.StateRead) and one.left.variable == update.target for one in sums
        ):
            yield update.target


def _element(type_: Type) -> object:
    return type_.element if isinstance(type_, ArrayType) else type_


def _array_rows(type_: ArrayType, value: tuple[typed.Value, ...]) -> list[Row]:
    """Return a row for each of a player or of all indices but the last, or one row where there is one index."""
    *outer, last = type_.indices
    if isinstance(type_.element, SetType) or is_player(last):
        outer, last_codes = list(type_.indices), None
    else:
        last_codes = codes(last)
    keys = list(product(*(codes(index) for index in outer)))
    # a row for each of many things that are no players is a record: its values are not chosen there
    is_record = last_codes is not None and any(not is_player(index) for index in outer)
    width = len(value) // len(keys) if keys else len(value)
    rows = []
    for place, key in enumerate(keys):
        part = value[place * width : (place + 1) * width]
        name = " ".join(scalar_text(index, code) for index, code in zip(outer, key, strict=True))
        player = next((code for index, code in zip(outer, key, strict=True) if is_player(index)), None)
        means = tuple(meaning(index, code) for index, code in zip(outer, key, strict=True))
        if last_codes is None:
            rows.append(_row(type_.element, part[0], name, player, means))
            continue
        items = tuple(
            _item(type_.element, each, scalar_text(last, code), (*means, meaning(last, code)))
            for code, each in zip(last_codes, part, strict=True)
        )
        if is_record:  # an element of a table may be meant as a whole, by an action that names both
            both = [(" ".join((*means, meaning(last, code))),) if len(outer) == 1 else () for code in last_codes]
            items = tuple(replace(item, means=each) for item, each in zip(items, both, strict=True))
        rows.append(Row(items, name, player))
    return rows


def _place_rows(type_: Type, value: typed.Value) -> list[Row]:
    """Return a row for each place where things may be: the place, and the things that are there."""
    assert isinstance(type_, ArrayType)
    assert isinstance(type_.element, ScalarType)
    assert isinstance(value, tuple)
    (things,) = type_.indices
    return [
        Row(
            (
                _item(type_.element, place, "", ()),
                *(_item(things, thing, "", ()) for thing, at in zip(codes(things), value, strict=True) if at == place),
            )
        )
        for place in codes(type_.element)
    ]


def _sequence_rows(type_: ArrayType, value: tuple[typed.Value, ...]) -> list[Row]:
    """Return a row for each sequence of an array, or for one: its items from the bottom; the top stands for all."""
    *outer, places = type_.indices
    width = size(places)
    rows = []
    for number, key in enumerate(product(*(codes(index) for index in outer))):
        held = [each for each in value[number * width : (number + 1) * width] if each is not None]
        name = " ".join(scalar_text(index, code) for index, code in zip(outer, key, strict=True))
        player = next((code for index, code in zip(outer, key, strict=True) if is_player(index)), None)
        means = tuple(meaning(index, code) for index, code in zip(outer, key, strict=True))
        items = [_item(type_.element, each, "", ()) for each in held[:-1]]
        items.append(_item(type_.element, held[-1], "", means) if held else Item("empty", means=means))
        rows.append(Row(tuple(items), name, player, in_order=True))
    return rows


def _row(type_: Type, value: typed.Value, name: str, player: int | None, means: tuple[str, ...] = ()) -> Row:
    if isinstance(type_, SetType):
        assert isinstance(value, frozenset)
        every = len(value) == size(type_.element) > 60
        items = (Item("all"),) if every else tuple(_item(type_.element, code, "", ()) for code in sorted(value))
        return Row(items, name, player, means)
    return Row((_item(type_, value, "", means),), name, player)


def _item(type_: Type, value: typed.Value, name: str, means: tuple[str, ...]) -> Item:
    bare = type_.inner if isinstance(type_, OptionType) else type_
    text = "" if value is None else value_text(bare, value)
    if not isinstance(bare, ScalarType) or not isinstance(value, int):
        return Item(text, name, means=means)
    player = value if is_player(bare) else None
    number = value if isinstance(bare, IntType) else None
    own = (meaning(bare, value),) if not isinstance(bare, BoolType) else ()
    return Item(text, name, _shape(bare, text), player, number, (*means, *own))


def is_beside(variable: typed.Variable, boards: tuple[ScalarType, ...]) -> bool:
    """Return whether a variable is shown beside the boards: it is not drawn on one of them."""
    type_ = variable.type
    element: object = type_.element if isinstance(type_, ArrayType) else type_
    if isinstance(type_, ArrayType) and any(index in boards for index in type_.indices):
        return is_table(variable)
    kept = element.inner if isinstance(element, OptionType) else element
    kept = kept.element if isinstance(kept, SetType) else kept
    return not variable.is_kept and variable.part != "size" and (kept not in boards or is_held(variable))
