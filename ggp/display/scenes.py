"""Makes the scenes of a game: what the rules' `display` says of a state, for everybody or for one player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import product
from typing import cast

from msgspec.structs import replace

from ggp.display.card_faces import Faces, faces_of
from ggp.display.drawn import MAX_PIECES, Drawn, Painter, Part, drawn_by_types
from ggp.display.edge_moves import edge_moves
from ggp.display.geometry import Layout, lean_of
from ggp.display.graphs import empty_map, links_of, maps_of, webs_of
from ggp.display.lands import lands_of, notes_of, standing_of, whole_regions
from ggp.display.long_things import long_things, spans_of
from ggp.display.looks import PLACES, Looks, inner, is_player, labels, meaning, shape_of
from ggp.display.own_boards import own_boards
from ggp.display.plays import Plays, cells_in_moves, movers, moving_sets, rings, where_things_are
from ggp.display.point_lines import routes_of
from ggp.display.tracks import MAX_TRACK, MIN_TRACK, jumps_of, marks_of, notes_on, owners_of, runners_of
from ggp.display.values import (
    cards_by_hand,
    entry,
    is_beside,
    is_race,
    kind_of,
    tables_to_show,
    value_of,
)
from ggp.display.walls import SIDES, Side, pipes, sides_of, sides_of_pairs
from ggp.interpreter.interpreter import Interpreter, WorldState
from ggp.language import typed
from ggp.language.check.declarations.displays import fits
from ggp.language.evaluation.boards import stepped_cell
from ggp.language.evaluation.expressions import evaluate
from ggp.language.evaluation.scope import Scope
from ggp.language.pieces import COLOURS
from ggp.language.typed.types import (
    DIRECTION,
    ArrayType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    codes,
    lowest,
    scalar_text,
    size,
    type_text,
)
from ggp.scene.scene import Board, Entry, Piece, Place, Scene, player_colours


class Scenes:
    """Makes the scenes of one game."""

    def __init__(self, interpreter: Interpreter) -> None:
        game = interpreter.game
        self.interpreter, self.game = interpreter, game
        self.players = player_colours(game.players.members, COLOURS)
        self.looks = Looks(self.players)
        self.painter = Painter(self.looks)
        self.lean = self.looks.lean = lean_of(game)
        chosen = set(_chosen_types(game))
        self.chosen = {type_ for type_ in chosen if isinstance(type_, CellType)}
        named = (type_ for type_ in chosen if isinstance(type_, EnumType))
        self.chosen_sides = sorted(named, key=lambda type_: type_.name) if game.display is None else []
        self.boards = tuple(_boards_of(game))
        plays = Plays(game)
        scope = interpreter.scope(interpreter.initial())
        self.webs = webs_of(game, scope) if game.display is None and not self.lean else {}
        self.own = own_boards(plays, self.looks) if game.display is None else {}
        found = maps_of(game, scope) if game.display is None else {}
        self.maps = {map_: empty_map(map_, drawn) for map_, drawn in found.items()}
        self.ways = {map_: [way for way, _ in drawn.ways] for map_, drawn in found.items()}
        self.lands: dict[ScalarType, tuple[tuple[int, Piece], ...]] = {}
        self.standing: dict[ScalarType, tuple[tuple[Side, Piece], ...]] = {}
        self.notes: dict[ScalarType, tuple[str, tuple[str, ...]]] = {}
        self.kinds: dict[typed.Variable, str] = {}
        """How variables are shown beside the boards that their types do not tell enough of."""
        self.tracks = tuple(jumps_of(game, scope)) if game.display is None else ()
        self.marked: dict[ScalarType, tuple[tuple[int, str, str], ...]] = {}
        self.long: tuple[str, ...] = ()
        """Names of the types of things that lie over several cells."""
        self.missing: dict[ScalarType, frozenset[int]] = {}
        """Cells that do not belong to a board that is cut out of a grid."""
        drawn = (*self.boards, *self.points_and_ways())
        self.constants = tuple(tables_to_show(game, drawn, self.lean)) if game.display is None else ()
        """What never changes, beside the boards."""
        self.edge_moves = sorted(edge_moves(plays, self.lean), key=str) if game.display is None else []
        if game.display is None:
            self.looks.pipes = frozenset(pipes(scope))
            self.looks.plain = dict(_plain(scope, (*self.boards, *self.points_and_ways())))
            self.looks.spans = spans_of(game, scope, self.lean)
            self.looks.movers, self.looks.moving = movers(plays), moving_sets(plays)
            placing = (one.name for one in game.variables if isinstance(inner(one.type), CellType) and not one.is_kept)
            self.looks.marks = labels(tuple(dict.fromkeys(placing)))
            self.looks.lettered = frozenset(one.name for one in sorted(_of_each_player(game), key=_plainness)[1:])
            tracks = {one for variable in game.variables if isinstance(one := inner(variable.type), IntType)}
            self.marked = {
                track: tuple(marks_of(game, scope, track)) for track in tracks if MIN_TRACK <= size(track) <= MAX_TRACK
            }
            covering = {index for variable in self.looks.spans for index in _indices_of(variable)}
            self.looks.long = long_things(plays, self.lean) | covering
            self.long = tuple(sorted(map(type_text, self.looks.long)))
            self.looks.gaps = frozenset(self._gaps(plays))
            of, values = len(self.players), scope.variables.items()
            self.kinds = dict.fromkeys(rings(plays), "ring") | dict.fromkeys(where_things_are(plays), "places")
            self.kinds |= dict.fromkeys(cards_by_hand(game), "cards") | dict.fromkeys(runners_of(game), "track")
            self.kinds |= {variable: "race" for variable, value in values if is_race(variable.type, value, of)}
            for board in (*self.boards, *self.points_and_ways()):
                if isinstance(board, CellType):
                    self.missing[board] = self._missing(board, plays, scope)
                missing = self.missing.get(board, frozenset())
                beyond = tuple((cell, Piece("nothing", letter=" ")) for cell in sorted(missing))
                self.lands[board] = (*beyond, *lands_of(game, board, scope, self.lean, self.maps, missing))
                self.notes[board] = notes_of(game, board)
                self.standing[board] = tuple(standing_of(game, board, scope, self.lean))
        self.owners: dict[typed.Variable, tuple[typed.Variable, ...]] = {}
        """Of variables that are drawn as tracks, those that say whose their places are."""
        if game.display is None:
            for variable in game.variables:
                if self.kind_of(variable) == "track":
                    self.owners[variable] = tuple(owners_of(game, inner(variable.type)))
        self.faces: Faces = tuple(
            face for type_ in dict.fromkeys(self._numbered_cards()) for face in faces_of(game, scope, type_)
        )

    def _numbered_cards(self) -> Iterator[IntType]:
        """Yield the ranges of numbers that are shown as cards."""
        display = self.game.display
        if display is None:
            shown = [one.type for one in self.game.variables if self.is_beside(one) and self.kind_of(one) == "cards"]
        else:
            lines = display.lines
            shown = [line.type for line in lines if kind_of(line.kind, line.type, line.label) == "cards"]
        yield from (one for one in map(inner, shown) if isinstance(one, IntType))

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

    def scene(self, state: WorldState, player: int | None = None) -> Scene:
        """Return the scene of a state.

        Args:
            state: to draw.
            player: for whom: as `display for` says, where the rules have it. None: for who may see all.

        Raises:
            RulesFault: an expression of the display fails in this state.
        """
        game = self.game
        scope = self.interpreter.scope(state)
        display = game.views[player] if player is not None and game.views else game.display
        if display is None:
            return Scene(self.players, tuple(self._by_types(scope)), tuple(self._variables(scope)), self.faces)
        boards = tuple(self._board(board, scope) for board in display.boards)
        values = ((line, value_of(line, scope)) for line in display.lines)
        entries = tuple(entry(line.kind, line.label, line.type, value) for line, value in values)
        return Scene(self.players, boards, entries, self.faces)

    def _by_types(self, scope: Scope) -> Iterator[Board]:
        for base, over, part in self.boards_by_types():
            drawn = [
                Drawn(board, cell, piece, layer, 0, side)
                for board in (base, *over)
                for cell, piece, layer, side in drawn_by_types(
                    self.game,
                    scope.variables,
                    board,
                    self.looks,
                    part,
                    lands=self.lands[board],
                    standing=self.standing[board],
                    sided=base,
                    lean=self.lean,
                )
            ]
            shown = typed.DisplayBoard(base, None, ())
            layout, lines = self.laid_out(shown)[0], list(self.web_lines(base))
            for variable in links_of(self.game, base):
                lines += self._lines(scope.variables[variable], layout)
            for variable in self.arms_of(base):
                steps = cast("tuple[frozenset[int], ...]", scope.variables[variable])
                sides = ((cell, layout.side(cell, step)) for cell in codes(base) for step in sorted(steps[cell]))
                lines += [(*layout.centre(cell), side.x, side.y) for cell, side in sides]
            board = replace(self._filled(shown, drawn, scope), lines=tuple(lines))
            yield board if part is None else self.part_of(board, base, part)
        for map_ in self.maps:
            board = self.empty_map(map_)
            places, at = list(board.places), 0
            for type_ in (map_, *self.ways[map_]):
                for cell, piece, layer, _ in drawn_by_types(
                    self.game, scope.variables, type_, self.looks, lands=self.lands[type_]
                ):
                    places[at + cell - lowest(type_)] = _with(places[at + cell - lowest(type_)], piece, layer)
                at += size(type_)
            yield replace(board, places=tuple(places))

    def web_lines(self, board: CellType) -> tuple[tuple[float, float, float, float], ...]:
        """Return the lines of a board of points, where the rules have no `display`."""
        layout = self.laid_out(typed.DisplayBoard(board, None, ()))[0]
        if board in self.webs:
            return tuple(self._lines(self.webs[board], layout))
        routes = dict.fromkeys(frozenset(step) for step in routes_of(self.game, board) if not self.game.display)
        ends = ((layout.centre(one), layout.centre(other)) for one, other in map(sorted, routes))
        return tuple((*one, *other) for one, other in ends)

    def arms_of(self, board: CellType) -> Iterator[typed.Variable]:
        """Yield the variables that say where ways lead from the middle of each cell, and are no walls: of pipes."""
        for variable in self.game.variables:
            if variable.type == ArrayType((board,), SetType(DIRECTION)) and not self._is_of_sides(variable):
                yield variable

    def points_and_ways(self) -> Iterator[ScalarType]:
        """Yield the types that are drawn on maps: those of their points and of their ways."""
        for map_, ways in self.ways.items():
            yield from (map_, *ways)

    def empty_map(self, map_: ScalarType) -> Board:
        """Return the board of a map with nothing on it but the numbers of its points and ways."""
        types = (map_, *self.ways[map_])
        notes = [note for type_ in types for note in self.notes[type_][1] or [""] * size(type_)]
        places = (replace(place, note=note) for place, note in zip(self.maps[map_].places, notes, strict=True))
        names = dict.fromkeys(self.notes[type_][0] for type_ in types if self.notes[type_][0])
        return replace(self.maps[map_], places=tuple(places), note=", ".join(names))

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

    def part_of(self, board: Board, base: CellType, part: Part) -> Board:
        """Return the board of a player or a level."""
        if is_player(part.type):
            return replace(board, player=part.code, by_others=self.own[base][1])
        on = meaning(part.type, part.code)
        text = scalar_text(part.type, part.code)
        places = tuple(replace(place, on=on) if place.name else place for place in board.places)
        return replace(board, places=places, level=f"level {text}" if isinstance(part.type, IntType) else text)

    def is_beside(self, variable: typed.Variable) -> bool:
        """Return whether a variable is shown beside the boards where the rules have no `display`."""
        if any(variable in owners for owners in self.owners.values()):
            return False
        return not self._is_of_sides(variable) and is_beside(variable, (*self.boards, *self.points_and_ways()))

    def _is_of_sides(self, variable: typed.Variable) -> bool:
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

    def _variables(self, scope: Scope) -> Iterator[Entry]:
        for variable in self.game.variables:
            if self.is_beside(variable):
                label, value = variable.name.replace("_", " "), scope.variables[variable]
                made = entry(self.kind(variable), label, variable.type, value, is_sequence=variable.part == "items")
                yield self._track(made, variable, scope) if made.kind == "track" else made
        yield from self.constants

    def _track(self, made: Entry, variable: typed.Variable, scope: Scope) -> Entry:
        """Return a track with what is special at its places, whose they are, and what they are worth."""
        owned: list[tuple[int, str, str]] = []
        track = cast("ScalarType", inner(variable.type))
        for owner in self.owners.get(variable, ()):
            whose = cast("tuple[int | None, ...]", scope.variables[owner])
            places = zip(codes(track), whose, strict=True)
            owned += [
                (place, self.players[player].name, self.players[player].colour)
                for place, player in places
                if player is not None
            ]
        note, notes = self.notes_on(variable)
        return replace(made, jumps=self.jumps(variable), marks=(*owned, *self.marks(variable)), notes=notes, note=note)

    def _board(self, board: typed.DisplayBoard, scope: Scope) -> Board:
        return self._filled(board, self.painter.drawn(board, scope), scope)

    def _filled(self, shown: typed.DisplayBoard, drawn: Iterable[Drawn], scope: Scope) -> Board:
        cells = shown.cells
        layout, style = self.laid_out(shown)
        name, places = self.empty_places(layout)
        drawn = list(drawn)
        others = {one.board for one in drawn} | {one for one in self.chosen if fits(cells, one)}
        if not layout.lean:
            for other in sorted(others - {cells}, key=lambda one: one.name):
                places |= {(other, cell): place for cell, place in layout.between(other)}
        by_rule: dict[tuple[object, str], int] = {}
        at_centre: dict[tuple[float, float], object] = {}
        for place_key, place in places.items():
            at_centre.setdefault((place.x, place.y), place_key)
        for edge in self.chosen_edges(layout):
            self._edge(edge, places, at_centre)
        for one in drawn:
            key = self._place(one, cells, places, at_centre, layout)
            if key in places and by_rule.setdefault((key, one.layer), one.rule) == one.rule:
                places[key] = _with(places[key], one.piece, one.layer)
        lines = tuple(self._lines(evaluate(shown.steps, scope), layout)) if shown.steps is not None else ()
        width, height = layout.size
        found, axes = tuple(places.values()), tuple(layout.axes())
        return Board(cells.name, style, width, height, found, lines, axes, note=name, long=self.long)

    def empty_places(self, layout: Layout) -> tuple[str, dict[object, Place]]:
        """Return the places of a board's cells, and the name of what is noted in their corners."""
        name, notes = self.notes.get(layout.board, ("", ()))
        places = {(layout.board, cell): place for cell, place in layout.cells()}
        if notes:
            places = {key: replace(place, note=note) for (key, place), note in zip(places.items(), notes, strict=True)}
        return name, cast("dict[object, Place]", places)

    def chosen_edges(self, layout: Layout) -> Iterator[Place]:
        """Yield the edges of cells that actions name, such as `north_of_a1`, each once with all its names."""
        found: dict[tuple[float, float], Place] = {}
        for type_ in self.chosen_sides:
            for code, sides in zip(codes(type_), sides_of_pairs(type_, layout.board, self.lean), strict=False):
                for cell, side in sides[: len(sides) == 1]:
                    edge = layout.side(cell, side)
                    known = found.setdefault((edge.x, edge.y), edge)
                    if known.name:
                        found[edge.x, edge.y] = replace(known, also=(*known.also, meaning(type_, code)))
                    else:
                        found[edge.x, edge.y] = replace(known, name=scalar_text(type_, code), type=type_text(type_))
        if self.edge_moves:
            for cell, side in product(codes(layout.board), sorted(SIDES[layout.lean])):
                edge = layout.side(cell, side)
                found.setdefault((edge.x, edge.y), edge)
        for move in self.edge_moves:
            for at, name in move.names(layout):
                found[at] = replace(found[at], also=(*found[at].also, name))
        yield from found.values()

    def laid_out(self, shown: typed.DisplayBoard) -> tuple[Layout, str]:
        """Return how a board is laid out, and its style."""
        is_web = shown.steps is not None or shown.cells in self.webs
        style = shown.style or ("hexagons" if self.lean else "points" if is_web else "squares")
        form = {"hexagons": "hexagon", "points": "point", "frame": "hole", "triangles": "triangle"}.get(style, "square")
        never = {
            rule.what.value
            for rule in shown.rules
            if rule.look.shape == "nothing" and not rule.binders and rule.condition is None
            if isinstance(rule.what, typed.Constant) and isinstance(rule.what.value, frozenset)
        }
        missing = self.missing.get(shown.cells, frozenset[int]()).union(*never)
        return Layout(shown.cells, form, (self.lean or 1) if style == "hexagons" else 0).without(missing), style

    def _place(
        self,
        one: Drawn,
        cells: CellType,
        places: dict[object, Place],
        at_centre: dict[tuple[float, float], object],
        layout: Layout,
    ) -> object:
        """Return the key of the place at which a thing is drawn."""
        if one.side is not None:
            return self._edge(layout.side(one.cell, one.side), places, at_centre)
        if one.board != cells and (one.board, one.cell) not in places:  # on a square of a board of points
            row, column = divmod(one.cell, one.board.width)
            return cells, row // 2 * cells.width + column // 2
        return one.board, one.cell

    def _edge(self, edge: Place, places: dict[object, Place], at_centre: dict[tuple[float, float], object]) -> object:
        """Return the key of the place of an edge; it is made where there is none."""
        at = edge.x, edge.y
        if at not in at_centre:
            places[at], at_centre[at] = edge, at
        return at_centre[at]

    def _lines(self, value: typed.Value, layout: Layout) -> Iterator[tuple[float, float, float, float]]:
        """Yield each line from a cell to where the steps lead, once."""
        for cell in codes(layout.board):
            near: Iterable[int | None]
            if isinstance(value, tuple):
                joined = cast("tuple[frozenset[int], ...]", value)
                near = (other for other in sorted(joined[cell]) if other > cell or cell not in joined[other])
            else:
                directions = sorted(cast("frozenset[int]", value))
                near = (stepped_cell(layout.board, cell, direction, 1) for direction in directions)
            for other in near:
                if other is not None:
                    yield (*layout.centre(cell), *layout.centre(other))


def _with(place: Place, piece: Piece, layer: str) -> Place:
    if layer == "ground":
        return replace(place, ground=piece)
    if layer == "mark":
        return replace(place, mark=piece)
    return replace(place, pieces=(*place.pieces, piece)[:MAX_PIECES])


def _indices_of(variable: typed.Variable) -> tuple[ScalarType, ...]:
    return variable.type.indices if isinstance(variable.type, ArrayType) else ()


def _of_each_player(game: typed.Game) -> Iterator[typed.Variable]:
    """Yield the variables that say where each player has things of one kind that no shape tells from others."""
    for variable in game.variables:
        indices = _indices_of(variable)
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


def _boards_of(game: typed.Game) -> Iterator[CellType]:
    """Yield the boards that variables tell of, once each."""
    seen = set()
    for variable in game.variables:
        element = variable.type.element if isinstance(variable.type, ArrayType) else variable.type
        indices = variable.type.indices if isinstance(variable.type, ArrayType) else ()
        kept: object = element.inner if isinstance(element, OptionType) else element
        kept = kept.element if isinstance(kept, SetType) else kept
        for type_ in (*indices, kept):
            if isinstance(type_, CellType) and type_ not in seen and not variable.is_kept:
                seen.add(type_)
                yield type_


def _chosen_types(game: typed.Game) -> Iterator[ScalarType]:
    """Yield the types of the components of actions."""
    for phase in game.phases:
        for chooser in phase.choosers:
            for kind in chooser.kinds:
                for component in kind.components:
                    yield component.type
