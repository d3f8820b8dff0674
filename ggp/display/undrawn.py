"""What is worked out of a game whose rules do not say how it is drawn: boards, maps, tracks, and what is beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import cast

from ggp.display.card_faces import numbered_things
from ggp.display.courses import Course, courses_of
from ggp.display.drawn import Part, drawn_by_types
from ggp.display.edge_moves import EdgeMove, edge_moves
from ggp.display.graphs import empty_map, maps_of, webs_of
from ggp.display.lands import lands_of, notes_of, standing_of, whole_regions
from ggp.display.long_things import long_things, spans_of
from ggp.display.looks import PLACES, Looks, indices_of, inner, is_player, labels, shape_of
from ggp.display.nested import nests_of
from ggp.display.numbered import boxes_of, grids_of, rows_of
from ggp.display.own_boards import own_boards
from ggp.display.plays import Plays, cells_in_moves, movers, moving_sets, rings, where_things_are
from ggp.display.tracks import MAX_TRACK, MIN_TRACK, dice_of, jumps_of, marks_of, notes_on, owners_of, runners_of
from ggp.display.values import (
    cards_by_hand,
    counted_by_number,
    is_beside,
    is_race,
    kind_of,
    parts_of_cards,
    tables_to_show,
)
from ggp.display.walls import Side, pipes, sides_of
from ggp.language import typed
from ggp.language.check.declarations.displays import fits
from ggp.language.evaluation.scope import Scope
from ggp.language.typed.types import (
    ArrayType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    codes,
    size,
    type_text,
)
from ggp.scene.scene import Board, Entry, Piece


class Undrawn:
    """What the types of variables, the rules and random plays tell of how a game is drawn; empty where they say it.

    Attributes:
        boards: that variables tell of.
    """

    def __init__(self, game: typed.Game, scope: Scope, looks: Looks) -> None:
        self.game, self.looks, self.lean = game, looks, looks.lean
        self.nests = tuple(nests_of(game))[: game.display is None]
        looks.nested = frozenset(
            one for nest in self.nests for one in (*nest.variables, nest.owner, *nest.marks) if one is not None
        )
        self.boards = tuple(_boards_of(game, looks.nested))
        self.webs: dict[CellType, tuple[frozenset[int], ...]] = {}
        """Lines between the points of boards."""
        self.own: dict[CellType, tuple[ScalarType, bool]] = {}
        """Boards of which each player or level has one, see `own_boards`."""
        self.maps: dict[ScalarType, Board] = {}
        self.ways: dict[ScalarType, list[ScalarType]] = {}
        """Of maps, the types of ways that things stand on, too."""
        self.lands: dict[ScalarType, tuple[tuple[int, Piece], ...]] = {}
        self.standing: dict[ScalarType, tuple[tuple[Side, Piece], ...]] = {}
        self.notes: dict[ScalarType, tuple[str, tuple[str, ...]]] = {}
        self.missing: dict[ScalarType, frozenset[int]] = {}
        """Cells that do not belong to a board that is cut out of a grid."""
        self.courses: tuple[Course, ...] = ()
        """Rings on which players run from starts of their own."""
        self.tracks: tuple[tuple[ScalarType, tuple[tuple[int, int], ...]], ...] = ()
        self.marked: dict[ScalarType, tuple[tuple[int, str, str], ...]] = {}
        self.owners: dict[typed.Variable, tuple[typed.Variable, ...]] = {}
        """Of variables that are drawn as tracks, those that say whose their places are."""
        self.kinds: dict[typed.Variable, str] = {}
        """How variables are shown beside the boards that their types do not tell enough of."""
        self.long: tuple[str, ...] = ()
        """Names of the types of things that lie over several cells."""
        self.constants: tuple[Entry, ...] = ()
        """What never changes, beside the boards."""
        self.edge_moves: list[EdgeMove] = []
        if game.display is None:
            plays = Plays(game)
            self._find_kinds(plays, scope)
            self._find_grounds(plays, scope)
            self._find_things(plays, scope)
            for board in (*self.boards, *self.points_and_ways()):
                self._find_lands(board, plays, scope)
            for variable in game.variables:
                if self.kind_of(variable) == "track":
                    self.owners[variable] = tuple(owners_of(game, inner(variable.type)))

    def _find_grounds(self, plays: Plays, scope: Scope) -> None:
        """Find what things stand on: webs, boards of each player, maps and tracks."""
        game = self.game
        self.webs = webs_of(game, scope) if not self.lean else {}
        self.own = own_boards(plays, self.looks)
        for box, side, board in boxes_of(game, scope):
            self.maps[box], self.ways[box] = board, [side]
        for square, board in grids_of(game):
            self.maps[square], self.ways[square] = board, []
        nested = {type_ for nest in self.nests for type_ in (nest.outer, nest.inner)}
        known = nested.union(self.points_and_ways())
        for map_, drawn in maps_of(game, scope).items():
            if map_ not in known:
                self.maps[map_], self.ways[map_] = empty_map(map_, drawn), [way for way, _ in drawn.ways]
        others = self._beside("cards", "counted", "dice", "pits", "ring", "race", "places")
        for type_, board in rows_of(game, nested.union(self.points_and_ways(), others), {*self._beside("track")}):
            self.maps[type_], self.ways[type_] = board, []
        self.tracks = tuple(jumps_of(game, scope))
        self.courses = tuple(one for one in courses_of(game, scope) if not self.jumps(one.variable))
        tracks = {one for variable in game.variables if isinstance(one := inner(variable.type), IntType)}
        self.marked = {
            track: tuple(marks_of(game, scope, track)) for track in tracks if MIN_TRACK <= size(track) <= MAX_TRACK
        }
        shown = (*self.boards, *self.points_and_ways())
        on_tracks = tuple(self._beside("track", "race"))
        self.constants = (
            *tables_to_show(game, (*shown, *on_tracks), self.lean),
            *numbered_things(game, scope, {*shown}),
        )
        self.edge_moves = sorted(edge_moves(plays, self.lean), key=str)

    def _beside(self, *kinds: str) -> Iterator[ScalarType]:
        """Yield the types that variables shown in one of these ways are about."""
        for variable in self.game.variables:
            if self.kind_of(variable) in kinds:
                yield from (cast("ScalarType", inner(variable.type)), *indices_of(variable))

    def _find_things(self, plays: Plays, scope: Scope) -> None:
        """Find what things look like."""
        game, looks = self.game, self.looks
        looks.pipes = frozenset(pipes(scope))
        looks.plain = dict(_plain(scope, (*self.boards, *self.points_and_ways())))
        looks.spans = spans_of(game, scope, self.lean)
        looks.movers, looks.moving = movers(plays), moving_sets(plays)
        placing = (one.name for one in game.variables if isinstance(inner(one.type), CellType) and not one.is_kept)
        looks.marks = labels(tuple(dict.fromkeys(placing)))
        looks.lettered = frozenset(one.name for one in sorted(_of_each_player(game), key=_plainness)[1:])
        covering = {index for variable in looks.spans for index in indices_of(variable)}
        looks.long = long_things(plays, self.lean) | covering
        self.long = tuple(sorted(map(type_text, looks.long)))
        looks.gaps = frozenset(self._gaps(plays))

    def _find_kinds(self, plays: Plays, scope: Scope) -> None:
        """Find how variables are shown beside the boards."""
        game, players = self.game, len(self.game.players.members)
        self.kinds = dict.fromkeys(rings(plays), "ring") | dict.fromkeys(where_things_are(plays), "places")
        self.kinds |= dict.fromkeys(cards_by_hand(game), "cards") | dict.fromkeys(runners_of(game), "track")
        self.kinds |= dict.fromkeys(parts_of_cards(game), "cards")
        self.kinds |= dict.fromkeys(dice_of(game), "dice") | dict.fromkeys(counted_by_number(game), "counted")
        self.kinds |= {
            variable: "race" for variable, value in scope.variables.items() if is_race(variable.type, value, players)
        }

    def _find_lands(self, board: ScalarType, plays: Plays, scope: Scope) -> None:
        """Find what belongs to a board or map, and what always is on it."""
        if isinstance(board, CellType):
            self.missing[board] = self._missing(board, plays, scope)
        missing = self.missing.get(board, frozenset())
        beyond = tuple((cell, Piece("nothing", letter=" ")) for cell in sorted(missing))
        self.lands[board] = (*beyond, *lands_of(self.game, board, scope, self.lean, self.maps, missing))
        self.notes[board] = notes_of(self.game, board)
        self.standing[board] = tuple(standing_of(self.game, board, scope, self.lean))

    def _missing(self, board: CellType, plays: Plays, scope: Scope) -> frozenset[int]:
        """Return the cells beyond the least large region that the rules name, if play keeps to that."""
        regions = [cells for cells in whole_regions(self.game, board, scope, self.lean) if 3 * len(cells) > size(board)]
        if board in self.webs:
            regions = [frozenset().union(*self.webs[board])]
        used = cells_in_moves(plays, board) if regions else frozenset()
        for values in (scope.variables, *(play[-1].after for play in plays.played if play)) if regions else ():
            drawn = drawn_by_types(self.game, values, board, self.looks, lean=self.lean)
            used |= {cell for cell, _, _, side in drawn if side is None}
        kept = [cells for cells in regions if used <= cells and not (plays.is_cut and 2 * len(used) < len(cells))]
        return frozenset(codes(board)) - min(kept, key=len, default=frozenset(codes(board)))

    def _gaps(self, plays: Plays) -> Iterator[typed.Variable]:
        """Yield the cells that always change places with what they come to, as the gap of a sliding puzzle does."""
        for variable in self.game.variables:
            board = variable.type
            if not isinstance(board, CellType) or variable.is_kept:
                continue
            steps = [step for step in plays.steps if step.before[variable] != step.after[variable]]
            self.looks.gaps = {variable}  # to see what else is there

            def held(values: Mapping[typed.Variable, typed.Value], board: CellType = board) -> Set[int]:
                drawn = drawn_by_types(self.game, values, board, self.looks, lean=self.lean)
                return {cell for cell, _, layer, _ in drawn if layer == "piece"}

            pairs = (
                (step.before[variable], step.after[variable], held(step.before), held(step.after)) for step in steps
            )
            if steps and all(old - new == {to} and new - old == {from_} for from_, to, old, new in pairs):
                yield variable

    def points_and_ways(self) -> Iterator[ScalarType]:
        """Yield the types that are drawn on maps: those of their points and of their ways."""
        for map_, ways in self.ways.items():
            yield from (map_, *ways)

    def boards_by_types(self) -> Iterator[tuple[CellType, tuple[CellType, ...], Part | None]]:
        """Yield the boards that are drawn where the rules have no `display`.

        Yields:
            The board, those that are drawn over it, and the player or level it is of; None: there is one for all.
        """
        bases = [one for one in self.boards if not any(fits(other, one) for other in self.boards if other != one)]
        for base in bases or self.boards[:1]:
            over = tuple(board for board in self.boards if board != base and fits(base, board))
            if base not in self.own:
                yield base, over, None
                continue
            index, _ = self.own[base]
            for code in codes(index):
                yield base, over, Part(index, code)

    def is_beside(self, variable: typed.Variable) -> bool:
        """Return whether a variable is shown beside the boards where the rules have no `display`."""
        if variable in self.looks.nested or any(variable in owners for owners in self.owners.values()):
            return False
        if any(variable == course.variable for course in self.courses):
            return False
        return not self.is_of_sides(variable) and is_beside(variable, (*self.boards, *self.points_and_ways()))

    def is_of_sides(self, variable: typed.Variable) -> bool:
        """Return whether a variable tells of the sides of cells, as walls do."""
        return variable not in self.looks.pipes and any(
            sides_of(variable.name, variable.type, board, self.lean) is not None for board in self.boards
        )

    def jumps(self, variable: typed.Variable) -> tuple[tuple[int, int], ...]:
        """Return from where on a track the rules lead to where, as by snakes and ladders."""
        return next((jumps for track, jumps in self.tracks if track == inner(variable.type)), ())

    def marks(self, variable: typed.Variable) -> tuple[tuple[int, str, str], ...]:
        """Return the places of a track that are special, see `ggp.display.tracks.marks_of`."""
        return self.marked.get(inner(variable.type), ())  # type: ignore[arg-type]

    def kind_of(self, variable: typed.Variable) -> str:
        """Return how a variable is shown in the end."""
        label = variable.name.replace("_", " ")
        return kind_of(self.kind(variable), variable.type, label, is_sequence=variable.part == "items")

    def notes_on(self, variable: typed.Variable) -> tuple[str, tuple[str, ...]]:
        """Return what a table says of the places of a track, see `ggp.display.tracks.notes_on`."""
        return notes_on(self.game, inner(variable.type)) if self.kind_of(variable) == "track" else ("", ())

    def kind(self, variable: typed.Variable) -> str:
        """Return how a variable is shown beside the boards; `line`: as its type suggests."""
        return self.kinds.get(variable, "line")


def _of_each_player(game: typed.Game) -> Iterator[typed.Variable]:
    """Yield the variables that say where each player has things of one kind that no shape tells from others."""
    for variable in game.variables:
        indices = indices_of(variable)
        is_placing = isinstance(inner(variable.type), CellType) and not variable.is_kept and not variable.part
        if is_placing and indices and all(map(is_player, indices)) and not shape_of(variable.name):
            yield variable


def _plainness(variable: typed.Variable) -> tuple[bool, bool]:
    """Return what sorts variables: those first whose name says nothing, then those of sets of cells."""
    return variable.name not in PLACES, not isinstance(cast("ArrayType", variable.type).element, SetType)


def _plain(scope: Scope, boards: Sequence[ScalarType]) -> Iterator[tuple[str, int]]:
    """Yield the members that all cells have at the beginning, `turned[cell]: {upright, left, right} = upright`."""
    for variable, value in scope.variables.items():
        type_ = variable.type
        if isinstance(type_, ArrayType) and isinstance(type_.element, EnumType) and type_.indices[0] in boards:
            assert isinstance(value, tuple)
            if len({*value}) == 1 < len(value):
                yield variable.name, cast("int", value[0])


def _boards_of(game: typed.Game, nested: Set[typed.Variable]) -> Iterator[CellType]:
    """Yield the boards that variables tell of, once each."""
    seen = set()
    for variable in game.variables:
        if variable in nested:
            continue
        element = variable.type.element if isinstance(variable.type, ArrayType) else variable.type
        kept: object = element.inner if isinstance(element, OptionType) else element
        kept = kept.element if isinstance(kept, SetType) else kept
        for type_ in (*indices_of(variable), kept):
            if isinstance(type_, CellType) and type_ not in seen and not variable.is_kept:
                seen.add(type_)
                yield type_
