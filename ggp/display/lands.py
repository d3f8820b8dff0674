"""The grounds, numbers and walls that rules give the cells of a board for ever."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from typing import cast

from ggp.display.looks import NOTHING, TINTS, colours_of, is_player, labels, owned, shape_of
from ggp.display.walls import SIDES, Side, sides_of, walls
from ggp.faults import GameError
from ggp.language import typed
from ggp.language.evaluation.boards import stepped_cell
from ggp.language.evaluation.expressions import evaluate
from ggp.language.evaluation.scope import Scope
from ggp.language.pieces import COLOURS, SHAPES
from ggp.language.typed.types import (
    BoolType,
    CellType,
    EnumType,
    IntType,
    ScalarType,
    SetType,
    codes,
    size,
)
from ggp.language.typed.walk import walk_through
from ggp.scene.scene import OF_NAMES, Piece

LANDS = {
    "forest": "green", "forests": "green", "wood": "green", "woods": "green", "tree": "green", "jungle": "green",
    "hill": "orange", "hills": "orange", "mountain": "brown", "mountains": "brown", "desert": "yellow",
    "sand": "yellow", "swamp": "cyan", "marsh": "cyan", "road": "gray", "city": "red", "town": "red", "village": "red",
    "meadow": "yellow", "meadows": "yellow", "pasture": "yellow",
    "farmland": "yellow", "jungles": "green", "ice": "white", "snow": "white", "beach": "yellow", "moor": "cyan",
}  # fmt: skip
"""Colours of the grounds that such members often name."""
BARE = (*NOTHING, "plain", "plains", "land", "open", "grass", "field", "floor", "normal", "flat")
"""Members of a table that say that there is nothing special about a cell."""
MAX_LANDS = 10
"""Members of an enumeration that are told apart as grounds."""
WORK_LIMIT = 200_000
"""Expressions that the evaluation of a definition for all its arguments may meet."""
MAX_NOTE = 99
"""The largest number that is written in the corner of a cell."""


def lands_of(
    game: typed.Game,
    board: ScalarType,
    scope: Scope,
    lean: int,
    points: Collection[ScalarType] = (),
    missing: Set[int] = frozenset(),
) -> Iterator[tuple[int, Piece]]:
    """Yield the grounds that the rules give cells for ever: in tables of walls and of lands, in regions with names.

    Regions are sets of cells that no state changes: a lake by a `let`, the camp of each player by a `def camp(p)`, the
    cells of which a `def is_camp(c)` is true. Tables of `points`, such as the ends of ways, tell of no land. All
    but the cells that are `missing` is the board itself.
    """
    for table in game.tables:
        kind = table.type.element
        (index, *more) = table.type.indices
        if kind == board and isinstance(index, EnumType) and not more and len(index.members) <= MAX_LANDS:
            for code, cell in zip(codes(index), table.values, strict=True):
                assert isinstance(cell, int)
                yield cell, _named_land(table.name, index, code)
        is_part = "." in table.name  # `square.file`: where a cell lies
        if table.type.indices != (board,) or not isinstance(kind, EnumType | BoolType) or kind in points or is_part:
            continue
        own = shape_of(table.name) if isinstance(kind, BoolType) else ""
        if isinstance(kind, BoolType) and (own not in SHAPES or SHAPES[own].layer != "ground"):
            continue
        if isinstance(kind, EnumType) and (kind.role != "enumeration" or len(kind.members) > MAX_LANDS):
            continue
        for cell, value in zip(codes(board), table.values, strict=True):
            if isinstance(kind, EnumType):
                assert isinstance(value, int)
                piece = _land(kind.members[value], value, labels(kind.members)[kind.members[value]].lower())
                if piece is not None:
                    yield cell, piece
            elif value:
                yield cell, Piece(own, "", SHAPES[own].letter)
    number = 0
    for function in game.functions:
        if sides_of(function.name, function.type, board, lean) is not None:
            continue
        regions = _regions(function, board, scope)
        if not 0 < 2 * sum(map(len, regions.values())) <= size(board) - len(missing):
            continue  # all of it, or most: the rest is what is special
        owner, name = owned(game.players.members, function.name.removeprefix("is_"))
        own, letter = shape_of(name), name[:1]
        number += 1
        for of, cells in regions.items():
            player = owner if of is None else of
            for cell in sorted(cells):
                if player is not None:
                    yield cell, Piece("ground", name, letter, player)
                elif own in SHAPES and SHAPES[own].layer == "ground":
                    yield cell, Piece(own, "", SHAPES[own].letter)
                else:
                    yield cell, Piece("ground", name, letter, colour=TINTS[-number % len(TINTS)])


def whole_regions(game: typed.Game, board: CellType, scope: Scope, lean: int) -> Iterator[frozenset[int]]:
    """Yield the cells of which a set, a test or a table says for ever that they are something, if all are joined."""
    named = (_regions(function, board, scope).get(None) for function in game.functions)
    tables = (one for one in game.tables if one.type.indices == (board,) and isinstance(one.type.element, BoolType))
    listed = ({cell for cell, value in zip(codes(board), one.values, strict=True) if value} for one in tables)
    for cells in filter(None, (*named, *listed)):
        reached, front = set[int](), {min(cells)}
        while front:
            reached |= front
            near = {stepped_cell(board, cell, side, 1) for cell in front for side in SIDES[lean]}
            front = {cell for cell in cells - reached if cell in near}
        if reached == cells:
            yield frozenset(cells)


def notes_of(game: typed.Game, board: ScalarType) -> tuple[str, tuple[str, ...]]:
    """Return what a table of numbers says of the cells of a board, if there is one, and its name.

    Numbers of rows or of columns are for the rules only.
    """
    found = [
        table
        for table in game.tables
        if table.type.indices == (board,)
        and isinstance(table.type.element, IntType)
        and "." not in table.name
        and 1 < len(set(table.values)) < len(table.values)
        and all(isinstance(value, int) and 0 <= value <= MAX_NOTE for value in table.values)
        and not (isinstance(board, CellType) and _numbers_lines(table.values, board.width))
    ]
    if len(found) != 1:
        return "", ()
    return found[0].name, tuple(str(value or "") for value in found[0].values)


def _numbers_lines(values: tuple[typed.Value, ...], width: int) -> bool:
    """Return whether the cells of each row, or of each column, have a number of its own; `width` is that of a row."""
    rows = [values[at : at + width] for at in range(0, len(values), width)]
    ways = ({*map(frozenset, rows)}, {*map(frozenset, zip(*rows, strict=True))})
    return any(
        len(lines) == count > 2 and all(len(line) == 1 for line in lines)
        for lines, count in zip(ways, (len(rows), width), strict=True)
    )


def standing_of(game: typed.Game, board: ScalarType, scope: Scope, lean: int) -> Iterator[tuple[Side, Piece]]:
    """Yield the walls that the rules put between cells for ever: in tables, and in sets with names."""
    for table in game.tables:
        yield from walls(table.name, table.type, table.values, board, lean)
    for function in game.functions:
        is_named = function.is_let and not function.arguments
        if is_named and sides_of(function.name, function.type, board, lean) is not None:
            for value in constants(function, scope, [()]).values():
                yield from walls(function.name, function.type, value, board, lean)


def _regions(function: typed.Function, board: ScalarType, scope: Scope) -> Mapping[int | None, Set[int]]:
    """Return the cells that a function names for ever, by player where it takes one; empty if it names none."""
    takes = [argument.type for argument in function.arguments]
    is_set, is_test = function.type == SetType(board), isinstance(function.type, BoolType) and takes == [board]
    is_for_players = is_set and len(takes) == 1 and is_player(takes[0])
    is_cell = function.type == board and isinstance(board, CellType)
    if not is_test and not is_for_players and not ((is_set or is_cell) and function.is_let and not takes):
        return {}
    if is_test:
        return {None: {cell for (cell,), value in constants(function, scope, zip(codes(board))).items() if value}}
    players = zip(codes(cast("EnumType", takes[0]))) if takes else [()]
    cells = constants(function, scope, players)
    held = ((player, each if isinstance(each, frozenset) else {each}) for player, each in cells.items())
    return {next(iter(player), None): cast("Set[int]", each) for player, each in held}


def constants(
    function: typed.Function, scope: Scope, arguments: Iterable[tuple[int, ...]]
) -> Mapping[tuple[int, ...], typed.Value]:
    """Return the values of a function in all states; empty if they change, fail, or take too long."""
    if function.phase is not None or not _is_constant(function.body):
        return {}
    found: dict[tuple[int, ...], typed.Value] = {}
    within = Scope(scope.variables, work_limit=WORK_LIMIT, counts_nodes=True)
    try:
        for given in arguments:
            within.symbols.update(zip(function.arguments, given, strict=True))
            found[given] = evaluate(function.body, within)
    except GameError:  # rules that fail show nothing more
        return {}
    return found


def _is_constant(expression: typed.Expression) -> bool:
    return not any(isinstance(part, typed.StateRead | typed.MoveRead) for part in walk_through(expression))


def _named_land(name: str, index: EnumType, code: int) -> Piece:
    """Return the ground of the one cell that a table gives a player, or a member: its home, the door that it opens."""
    if is_player(index):
        return Piece("ground", name, name[0], code)
    member = index.members[code]
    colour = colours_of(index.members).get(member, TINTS[1 + code % (len(TINTS) - 1)])
    return Piece("ground", f"{name} {member}", name[0], colour=colour)


def are_lands(words: Collection[str]) -> bool:
    """Return whether most of some words are called as the ground of cells often is."""
    named = [word for word in words if word in LANDS or word in BARE or _is_ground(word)]
    return len(words) <= MAX_LANDS and 2 * sum(word not in NOTHING for word in named) > sum(
        word not in NOTHING for word in words
    )


def laid_land(word: str, number: int) -> Piece | None:
    """Return the ground of a cell on which a land may lie or not; None: it is none."""
    if word in BARE:
        return Piece("ground", word, word[0], colour=TINTS[1 + number % (len(TINTS) - 1)])
    return _land(word, number, word[0]) if word in LANDS or _is_ground(word) else None


def _is_ground(word: str) -> bool:
    shape = shape_of(word)
    return shape in SHAPES and SHAPES[shape].layer == "ground"


def _land(word: str, number: int, letter: str) -> Piece | None:
    """Return the ground that a member of an enumeration names, with a letter for terminals; None: nothing special."""
    if word in BARE:
        return None
    if _is_ground(word):
        return Piece(shape_of(word), "", SHAPES[shape_of(word)].letter)
    colour = word if word in COLOURS else LANDS.get(word) or OF_NAMES.get(word) or TINTS[number % len(TINTS)]
    return Piece("ground", word, letter, colour=colour)
