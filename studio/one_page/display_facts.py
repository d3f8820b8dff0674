"""What a page has to know to draw the states of a game: all of `ggp.display` that does not depend on the state.

The rest, `web/src/alone/drawing.ts`, puts what the pictures' records say on these boards, or, where the rules have no
`display`, what the variables say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec

from ggp.display.courses import pieces_of
from ggp.display.drawn import (
    Part,
    arrows_of,
    fixed_look,
    heading_of,
    is_of_another,
    is_thing,
    is_walker,
    tints,
)
from ggp.display.graphs import links_of
from ggp.display.looks import TINTS, Looks, inner, is_held, is_table, meaning, short
from ggp.display.nested import Nest, empty_nest, mark_of
from ggp.display.scenes import Scenes
from ggp.display.values import kind_of
from ggp.display.variable_pieces import of_element, of_place, tinting_of
from ggp.display.walls import sides_of
from ggp.encoding.state_layout import Layout as StateLayout
from ggp.language import typed
from ggp.language.check.declarations.displays import fits
from ggp.language.typed.types import (
    ArrayType,
    CellType,
    IntType,
    ScalarType,
    SetType,
    TextType,
    codes,
    lowest,
    scalar_text,
    size,
)
from ggp.rules_compiler.entry_points.pictures import displays_of, field_words, records_of, texts_of
from ggp.scene.scene import Board, Piece, Place
from studio.one_page.game_facts import Types


def display_facts(scenes: Scenes, layout: StateLayout, types: Types) -> dict[str, Any]:
    """Return how the states of a game are drawn.

    Args:
        scenes: of the game.
        layout: of its states.
        types: numbers the types.
    """
    game = scenes.game
    looks = {
        types.number(type_): [_looks(scenes, type_, code) for code in codes(type_)]
        for type_ in _shown_types(game)
        if not isinstance(type_, IntType)
    }
    if game.display is None:
        displays = [_by_types(scenes, types)]
    else:
        displays = [_of_display(scenes, display, types) for display in displays_of(game)]
    return {
        "players": msgspec.to_builtins(scenes.players),
        "faces": msgspec.to_builtins(scenes.faces),
        "displays": displays,
        "texts": [_looks(scenes, TextType(), text) for text in texts_of(game)],
        "looks": looks,
        "tints": list(TINTS),
        "variables": [
            {
                "mark": scenes.looks.mark(variable.name),
                "type": types.number(variable.type),
                "offset": layout.offset[variable],
                "sets": _sets(layout, variable, types),
            }
            for variable in (game.variables if game.display is None else ())
        ],
    }


def _looks(scenes: Scenes, type_: ScalarType | TextType, value: int | str) -> list[str]:
    """Return the shape and text that stand for a value, what is written of it on other pieces, and its text."""
    text = value if isinstance(value, str) else scalar_text(type_, value)  # type: ignore[arg-type]
    return [*scenes.looks.of_value(type_, value), short(text, type_), text]


def _sets(layout: StateLayout, variable: typed.Variable, types: Types) -> int | None:
    stored = layout.kept_as_sets.get(variable)
    return None if stored is None else types.number(stored.type)


def _shown_types(game: typed.Game) -> set[ScalarType]:
    """Return the types of the values that are drawn as shapes or written on pieces."""
    found: set[ScalarType] = set()
    for display in displays_of(game):
        for record in records_of(display):
            shown = (inner(field.type) for field in record.fields if field.name in ("shape", "label"))
            found.update(type_ for type_ in shown if isinstance(type_, ScalarType))
    return found


def _of_display(scenes: Scenes, display: typed.Display, types: Types) -> dict[str, Any]:
    records = iter(enumerate(records_of(display)))
    boards = []
    for board in display.boards:
        rules = [_rule(rule, next(records), types) for rule in board.rules]
        others = [cells for rule in board.rules if (cells := _cells_of(rule)) != board.cells]
        facts = {**_board(scenes, board, others, types), "rules": rules}
        if board.steps is not None:
            number, record = next(records)
            facts["steps"] = {"number": number, "type": types.number(record.fields[0].type)}
        boards.append(facts)
    lines = [
        {
            "number": next(records)[0],
            "kind": kind_of(line.kind, line.type, line.label),
            "label": line.label,
            "type": types.number(line.type),
        }
        for line in display.lines
    ]
    sizes = [record.words for record in records_of(display)]
    return {"sizes": sizes, "boards": boards, "lines": lines}


def _rule(rule: typed.DisplayRule, numbered: tuple[int, Any], types: Types) -> dict[str, Any]:
    number, record = numbered
    shape, text, is_plain = fixed_look(rule)
    return {
        "number": number,
        "cells": types.number(_cells_of(rule)),
        "fields": [[field.name, types.number(field.type), field_words(field.type)] for field in record.fields],
        "shape": shape,
        "text": text,
        "isPlain": is_plain,
        "colour": rule.look.colour,
        "side": rule.side.value if isinstance(rule.side, typed.Constant) else None,
    }


def _cells_of(rule: typed.DisplayRule) -> CellType:
    cells = inner(rule.what.type)
    assert isinstance(cells, CellType)
    return cells


def _board(scenes: Scenes, shown: typed.DisplayBoard, others: list[CellType], types: Types) -> dict[str, Any]:
    """Return a board with nothing on it, and the places on it of the cells of other boards.

    `always` are those whose cells are shown even where nothing is drawn on them: actions name them.
    """
    layout, style = scenes.laid_out(shown)
    always = {one for one in scenes.chosen if fits(shown.cells, one)} - {shown.cells}
    overlaid = [] if layout.lean else sorted({*others, *always}, key=lambda one: one.name)
    width, height = layout.size
    note, places = scenes.empty_places(layout)
    return {
        "cells": types.number(shown.cells),
        "columns": shown.cells.width,
        "rows": shown.cells.height,
        "name": shown.cells.name,
        "style": style,
        "width": width,
        "height": height,
        "lean": layout.lean,
        "axes": msgspec.to_builtins(list(layout.axes())),
        "places": [[cell, _bare(place)] for cell, place in enumerate(places.values())],
        "note": note,
        "long": list(scenes.undrawn.long),
        "others": [
            {
                "cells": types.number(other),
                "columns": other.width,
                "always": other in always,
                "places": [[cell, _bare(place)] for cell, place in layout.between(other)],
            }
            for other in overlaid
        ],
        "edges": [_bare(place) for place in scenes.chosen_edges(layout)],
    }


def _bare(one: Piece | Place) -> dict[str, Any]:
    """Return a place or a piece as pages read it: without letters for terminals."""
    found: dict[str, Any] = msgspec.to_builtins(one)
    found.pop("letter", None)
    return found


# --- without a `display` ----------------------------------------------------------------------------------------------


def _by_types(scenes: Scenes, types: Types) -> dict[str, Any]:
    boards = []
    undrawn = scenes.undrawn
    for nest in undrawn.nests:
        facts, number = _bare_board(empty_nest(nest)), types.number(nest.inner)
        facts["places"] = list(enumerate(facts["places"]))
        sources: list[dict[str, Any]] = []
        for variable in nest.variables:
            assert isinstance(variable.type, ArrayType)
            looks = _value_looks(variable.name, [], variable.type.element, scenes.looks, is_tint=False)
            every = {"at": [*range(len(facts["places"]))], "looks": [looks] * len(facts["places"])}
            sources.append({"variable": scenes.game.variables.index(variable), "cells": number, **every})
        more = {"columns": 1, "rows": 1, "others": [], "edges": [], "grounds": []}
        tints = _nest_tints(scenes, nest, number)
        boards.append({**facts, "cells": number, "sources": [*sources, *tints], **more})
    for course in undrawn.courses:
        facts, number = _bare_board(course.board), types.number(course.ring)
        facts["places"] = list(enumerate(facts["places"]))
        gaps: list[list[int]] = [[]] * course.low
        source: dict[str, Any] = {
            "variable": scenes.game.variables.index(course.variable),
            "cells": number,
            "at": None,
            "looks": [_bare(piece) for piece in pieces_of(course, scenes.looks)],
            "spans": [[*gaps, *([spot] for spot in spots)] for spots in course.spots],
            "is_stack": True,
        }
        more = {"columns": 1, "rows": 1, "others": [], "edges": [], "grounds": []}
        boards.append({**facts, "cells": number, "sources": [source], **more})
    for base, over, part in undrawn.boards_by_types():
        shown = typed.DisplayBoard(base, None, ())
        sources = []
        grounds: list[tuple[int, int, dict[str, Any], int | None]] = []
        for cells in (base, *over):
            sources += _sources(scenes, cells, types, part, base)
            grounds += _grounds(scenes, cells, types, has_sides=cells == base)
        variables = scenes.game.variables
        links, arms = ([*map(variables.index, found)] for found in (links_of(scenes.game, base), scenes.arms_of(base)))
        facts = {
            **_board(scenes, shown, list(over), types),
            "sources": sources,
            "grounds": grounds,
            "links": links,
            "arms": arms,
        }
        facts["lines"] = scenes.web_lines(base)
        boards.append(facts if part is None else {**facts, **_part(scenes, base, part, facts)})
    for map_, ways in undrawn.ways.items():
        facts = _bare_board(scenes.empty_map(map_))
        points, *others = _by_type(facts.pop("places"), (map_, *ways), types)
        drawn = [source for type_ in (map_, *ways) for source in _sources(scenes, type_, types)]
        grounds = [ground for type_ in (map_, *ways) for ground in _grounds(scenes, type_, types)]
        more = {"rows": 1, "others": others, "edges": [], "sources": drawn, "grounds": grounds}
        boards.append({**facts, **points, **more})
    lines = [
        {
            "number": number,
            "kind": undrawn.kind_of(variable),
            "label": label,
            "type": types.number(variable.type),
            **({"is_sequence": True} if variable.part == "items" else {}),
            **({"jumps": jumps} if (jumps := undrawn.jumps(variable)) else {}),
            **({"marks": marks} if (marks := undrawn.marks(variable)) else {}),
            **({"owners": [*map(variables.index, owners)]} if (owners := undrawn.owners.get(variable)) else {}),
            **(dict(zip(("note", "notes"), said, strict=True)) if (said := undrawn.notes_on(variable))[1] else {}),
        }
        for variables in (scenes.game.variables,)
        for number, variable in enumerate(variables)
        if undrawn.is_beside(variable)
        for label in (variable.name.replace("_", " "),)
    ]
    return {"sizes": None, "boards": boards, "lines": lines, "constants": msgspec.to_builtins(undrawn.constants)}


def _by_type(places: list[Any], kinds: Sequence[ScalarType], types: Types) -> Iterator[dict[str, Any]]:
    """Yield the places of a map that are of each type."""
    left = iter(places)
    for type_ in kinds:
        own = [[code, next(left)] for code in codes(type_)]
        yield {"cells": types.number(type_), "columns": len(own), "always": True, "places": own}


def _part(scenes: Scenes, base: CellType, part: Part, facts: dict[str, Any]) -> dict[str, Any]:
    """Return what is different on the board of a player or a level."""
    made = scenes.part_of(Board("", "", 0, 0, ()), base, part)
    if not made.level:
        return {"player": made.player, "by_others": made.by_others}
    on = meaning(part.type, part.code)
    return {"level": made.level, "places": [[cell, {**place, "on": on}] for cell, place in facts["places"]]}


def _grounds(
    scenes: Scenes, board: ScalarType, types: Types, *, has_sides: bool = False
) -> list[tuple[int, int, dict[str, Any], int | None]]:
    """Return what never changes on the cells of a board: its number, the cell, the piece, and the side it stands on."""
    number = types.number(board)
    found: list[tuple[int, int, dict[str, Any], int | None]]
    found = [(number, cell, _bare(piece), None) for cell, piece in scenes.undrawn.lands[board]]
    if has_sides:
        found += [(number, cell, _bare(piece), side) for (cell, side), piece in scenes.undrawn.standing[board]]
    return found


def _bare_board(board: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(board)
    return found


def _sources(
    scenes: Scenes,
    board: ScalarType,
    types: Types,
    part: Part | None = None,
    sided: CellType | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield what each variable draws on a board or a map, see `ggp.display.drawn.drawn_by_types`.

    `at` is the cell of each element of an array over the board; then `looks` has, for each element, the pieces of its
    values in the order of their codes, or nothing where numbers are written; `is_stack`: they lie on one another.
    Otherwise the elements are cells, or sets of them, and `looks` has a piece for each. Both have None for what is not
    drawn on the board of a player or level. Of walls between the cells there are `sides`, as `ggp.display.walls.Sides`
    has them.
    """
    tinting = tinting_of(scenes.game, board, scenes.looks)
    for number, variable in enumerate(scenes.game.variables):
        if variable.is_kept or variable.part == "size" or is_table(variable) or variable in scenes.looks.nested:
            continue
        type_ = variable.type
        indices = type_.indices if isinstance(type_, ArrayType) else ()
        element: object = type_.element if isinstance(type_, ArrayType) else type_
        keys = list(product(*(codes(index) for index in indices)))
        facts: dict[str, Any] = {"variable": number, "cells": types.number(board)}
        if variable.name in tinting:
            facts["tinting"] = tinting
        has_sides = sided is not None and variable not in scenes.looks.pipes
        sides = sides_of(variable.name, type_, sided, scenes.lean) if has_sides else None
        if sides is not None and board != sided:
            continue
        if sides is not None:
            yield {**facts, "at": None, "looks": [], "sides": msgspec.to_builtins(sides)}
        elif board in indices:
            place, is_tint = indices.index(board), tints(scenes.game, variable, board)
            looks = []
            for key in keys:
                rest = [pair for at, pair in enumerate(zip(indices, key, strict=True)) if at != place]
                name = "" if variable.part == "items" else variable.name
                looks.append(_value_looks(name, rest, element, scenes.looks, is_tint))
            at = [None if is_of_another(indices, key, part) else key[place] for key in keys]
            yield {**facts, "at": at, "looks": looks, **({"is_stack": True} if variable.part == "items" else {})}
        elif is_held(variable) or variable in scenes.looks.gaps:
            continue
        elif inner(element) == board and not isinstance(element, ArrayType):
            pieces = [of_place(variable, list(zip(indices, key, strict=True)), scenes.looks) for key in keys]
            shown = [
                None if is_of_another(indices, key, part) else _bare(piece)
                for key, piece in zip(keys, pieces, strict=True)
            ]
            heading = heading_of(scenes.game, variable)
            if heading is not None:
                facts["heading"] = [scenes.game.variables.index(heading), arrows_of(heading, scenes.looks)]
            spans = scenes.looks.spans.get(variable)
            if spans is not None:
                facts["spans"] = [[sorted(cells) for cells in row] for row in spans]
            walks = {"is_walker": True} if is_walker(variable, board) else {}
            things = {"is_thing": True} if is_thing(variable, board) else {}
            yield {**facts, "at": None, "looks": shown, **walks, **things}


def _nest_tints(scenes: Scenes, nest: Nest, cells: int) -> Iterator[dict[str, Any]]:
    """Yield what says whose small boards are, once for each of their cells, and what else they are."""
    high, wide = size(nest.outer), size(nest.inner)
    variables = scenes.game.variables
    if nest.owner is not None:
        assert isinstance(nest.owner.type, ArrayType)
        looks = _value_looks(nest.owner.name, [], nest.owner.type.element, scenes.looks, is_tint=True)
        for within in range(wide):
            at = [around * wide + within for around in range(high)]
            yield {"variable": variables.index(nest.owner), "cells": cells, "at": at, "looks": [looks] * high}
    boards = [[around * wide + within for within in range(wide)] for around in range(high)]
    spans: list[list[int]] = [*([[]] * lowest(nest.outer)), *boards]
    for number, variable in enumerate(nest.marks):
        look = _bare(mark_of(variable, number))
        yield {"variable": variables.index(variable), "cells": cells, "at": None, "looks": [look], "spans": [spans]}


def _value_looks(
    name: str, indices: list[tuple[ScalarType, int]], type_: object, looks: Looks, is_tint: bool
) -> list[dict[str, Any] | None] | None:
    kind = inner(type_)
    if isinstance(type_, SetType | ArrayType) or not isinstance(kind, ScalarType):
        return []
    if isinstance(kind, IntType):
        return None
    found = [of_element(name, indices, type_, code, looks, is_tint) for code in codes(kind)]
    return [None if piece is None else _bare(piece) for piece in found]
