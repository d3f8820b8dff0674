"""Makes the scenes of a game: what the rules' `display` says of a state, for everybody or for one player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import cast

from msgspec.structs import replace

from ggp.display.card_faces import Faces, faces_of
from ggp.display.courses import filled_course
from ggp.display.drawn import MAX_PIECES, Drawn, Painter, Part, drawn_by_types
from ggp.display.geometry import Layout, lean_of
from ggp.display.graphs import links_of
from ggp.display.looks import Looks, inner, is_player, meaning
from ggp.display.nested import filled_nest
from ggp.display.point_lines import routes_of
from ggp.display.undrawn import Undrawn
from ggp.display.values import (
    components,
    entry,
    kind_of,
    value_of,
)
from ggp.display.walls import SIDES, sides_of_pairs
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
        chosen = {component.type for component in components(game)}
        self.chosen = {type_ for type_ in chosen if isinstance(type_, CellType)}
        named = (type_ for type_ in chosen if isinstance(type_, EnumType))
        self.chosen_sides = sorted(named, key=lambda type_: type_.name) if game.display is None else []
        scope = interpreter.scope(interpreter.initial())
        self.undrawn = Undrawn(game, scope, self.looks)
        self.faces: Faces = tuple(
            face for type_ in dict.fromkeys(self._numbered_cards()) for face in faces_of(game, scope, type_)
        )

    def _numbered_cards(self) -> Iterator[IntType]:
        """Yield the ranges of numbers that are shown as cards."""
        display = self.game.display
        if display is None:
            shown = [
                one.type
                for one in self.game.variables
                if self.undrawn.is_beside(one) and self.undrawn.kind_of(one) == "cards"
            ]
        else:
            lines = display.lines
            shown = [line.type for line in lines if kind_of(line.kind, line.type, line.label) == "cards"]
        yield from (one for one in map(inner, shown) if isinstance(one, IntType))

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
        for nest in self.undrawn.nests:
            yield filled_nest(nest, scope.variables, self.looks)
        for course in self.undrawn.courses:
            yield filled_course(course, scope.variables[course.variable], self.looks)
        for base, over, part in self.undrawn.boards_by_types():
            drawn = [
                Drawn(board, cell, piece, layer, 0, side)
                for board in (base, *over)
                for cell, piece, layer, side in drawn_by_types(
                    self.game,
                    scope.variables,
                    board,
                    self.looks,
                    part,
                    lands=self.undrawn.lands[board],
                    standing=self.undrawn.standing[board],
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
        for map_ in self.undrawn.maps:
            board = self.empty_map(map_)
            places, at = list(board.places), 0
            for type_ in (map_, *self.undrawn.ways[map_]):
                for cell, piece, layer, _ in drawn_by_types(
                    self.game, scope.variables, type_, self.looks, lands=self.undrawn.lands[type_]
                ):
                    places[at + cell - lowest(type_)] = _with(places[at + cell - lowest(type_)], piece, layer)
                at += size(type_)
            yield replace(board, places=tuple(places))

    def web_lines(self, board: CellType) -> tuple[tuple[float, float, float, float], ...]:
        """Return the lines of a board of points, where the rules have no `display`."""
        layout = self.laid_out(typed.DisplayBoard(board, None, ()))[0]
        if board in self.undrawn.webs:
            return tuple(self._lines(self.undrawn.webs[board], layout))
        routes = dict.fromkeys(frozenset(step) for step in routes_of(self.game, board) if not self.game.display)
        ends = ((layout.centre(one), layout.centre(other)) for one, other in map(sorted, routes))
        return tuple((*one, *other) for one, other in ends)

    def arms_of(self, board: CellType) -> Iterator[typed.Variable]:
        """Yield the variables that say where ways lead from the middle of each cell, and are no walls: of pipes."""
        for variable in self.game.variables:
            if variable.type == ArrayType((board,), SetType(DIRECTION)) and not self.undrawn.is_of_sides(variable):
                yield variable

    def empty_map(self, map_: ScalarType) -> Board:
        """Return the board of a map with nothing on it but the numbers of its points and ways."""
        types = (map_, *self.undrawn.ways[map_])
        notes = [note for type_ in types for note in self.undrawn.notes[type_][1] or [""] * size(type_)]
        pairs = zip(self.undrawn.maps[map_].places, notes, strict=True)
        places = (replace(place, note=note or place.note) for place, note in pairs)
        names = dict.fromkeys(self.undrawn.notes[type_][0] for type_ in types if self.undrawn.notes[type_][0])
        return replace(self.undrawn.maps[map_], places=tuple(places), note=", ".join(names))

    def part_of(self, board: Board, base: CellType, part: Part) -> Board:
        """Return the board of a player or a level."""
        if is_player(part.type):
            return replace(board, player=part.code, by_others=self.undrawn.own[base][1])
        on = meaning(part.type, part.code)
        text = scalar_text(part.type, part.code)
        places = tuple(replace(place, on=on) if place.name else place for place in board.places)
        return replace(board, places=places, level=f"level {text}" if isinstance(part.type, IntType) else text)

    def _variables(self, scope: Scope) -> Iterator[Entry]:
        for variable in self.game.variables:
            if self.undrawn.is_beside(variable):
                label, value = variable.name.replace("_", " "), scope.variables[variable]
                made = entry(
                    self.undrawn.kind(variable), label, variable.type, value, is_sequence=variable.part == "items"
                )
                yield self._track(made, variable, scope) if made.kind == "track" else made
        yield from self.undrawn.constants

    def _track(self, made: Entry, variable: typed.Variable, scope: Scope) -> Entry:
        """Return a track with what is special at its places, whose they are, and what they are worth."""
        owned: list[tuple[int, str, str]] = []
        track = cast("ScalarType", inner(variable.type))
        for owner in self.undrawn.owners.get(variable, ()):
            whose = cast("tuple[int | None, ...]", scope.variables[owner])
            places = zip(codes(track), whose, strict=True)
            owned += [
                (place, self.players[player].name, self.players[player].colour)
                for place, player in places
                if player is not None
            ]
        note, notes = self.undrawn.notes_on(variable)
        return replace(
            made,
            jumps=self.undrawn.jumps(variable),
            marks=(*owned, *self.undrawn.marks(variable)),
            notes=notes,
            note=note,
        )

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
        return Board(cells.name, style, width, height, found, lines, axes, note=name, long=self.undrawn.long)

    def empty_places(self, layout: Layout) -> tuple[str, dict[object, Place]]:
        """Return the places of a board's cells, and the name of what is noted in their corners."""
        name, notes = self.undrawn.notes.get(layout.board, ("", ()))
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
        if self.undrawn.edge_moves:
            for cell, side in product(codes(layout.board), sorted(SIDES[layout.lean])):
                edge = layout.side(cell, side)
                found.setdefault((edge.x, edge.y), edge)
        for move in self.undrawn.edge_moves:
            for at, name in move.names(layout):
                found[at] = replace(found[at], also=(*found[at].also, name))
        yield from found.values()

    def laid_out(self, shown: typed.DisplayBoard) -> tuple[Layout, str]:
        """Return how a board is laid out, and its style."""
        is_web = shown.steps is not None or shown.cells in self.undrawn.webs
        style = shown.style or ("hexagons" if self.lean else "points" if is_web else "squares")
        form = {"hexagons": "hexagon", "points": "point", "frame": "hole", "triangles": "triangle"}.get(style, "square")
        never = {
            rule.what.value
            for rule in shown.rules
            if rule.look.shape == "nothing" and not rule.binders and rule.condition is None
            if isinstance(rule.what, typed.Constant) and isinstance(rule.what.value, frozenset)
        }
        missing = self.undrawn.missing.get(shown.cells, frozenset[int]()).union(*never)
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
