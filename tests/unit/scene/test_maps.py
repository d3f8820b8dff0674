"""Types whose members a table joins are drawn as maps."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from ggp.scene.svg import svg_of
from ggp.scene.terminal import drawing_of
from tests.support.library import game_of
from tests.support.plain_scenes import first_scene, plain

RULES = plain(
    """type town = {harbour, market, mill, abbey, far_away}
type ware = {wool, wine}
table road[town]: set of town = {harbour: {market}, market: {harbour, mill}, mill: {abbey}, else {}}""",
    "stands[player]: town = {anna: harbour, boris: abbey}",
    "goods[town]: ware or none = {mill: wine, else none}",
    choice="to in road[stands[turn]] + {far_away}",
    update="stands[turn] := to",
)


def test_points_lines_and_what_stands_there() -> None:
    scene = first_scene(RULES)
    (board,) = scene.boards
    assert board.style == "graph"
    assert len(board.lines) == 3  # a way that leads in one direction is a line, too
    held = {
        place.name: [(piece.player, piece.text) for piece in place.pieces] for place in board.places if place.pieces
    }
    assert held == {"harbour": [(0, "")], "abbey": [(1, "")], "mill": [(None, "Wi")]}
    assert [entry.label for entry in scene.entries] == ["turn"]
    at = [(place.x, place.y) for place in board.places]
    assert all(math.dist(one, other) > 1 for one, other in combinations(at, 2))
    assert all(0 < x < board.width and 0 < y < board.height for x, y in at)
    assert "market" in svg_of(scene)
    assert str(drawing_of(scene)).splitlines()[0] == "harbour: A – market"


def test_points_of_two_rings_do_not_lie_on_each_other() -> None:
    """The distances alone lay the rings on each other: both are as far from everything."""
    names = [f"{ring}{place}" for ring in "oi" for place in range(8)]
    near = ", ".join(
        f"{ring}{place}: {{{ring}{(place + 1) % 8}{', ' + 'i' + str(place) if ring == 'o' and place % 2 else ''}}}"
        for ring in "oi"
        for place in range(8)
    )
    types = f"type point = {{{', '.join(names)}}}\ntable line[point]: set of point = {{{near}}}"
    (board,) = first_scene(plain(types, "men[player]: set of point = {}", choice="p in point")).boards
    at = [(place.x, place.y) for place in board.places]
    assert min(math.dist(one, other) for one, other in combinations(at, 2)) > 1.19


WAYS = """type colour = {red, blue}
type town = {rome, paris, bonn}
type way = {TYPE}
TABLES
table needs[way]: colour = blue
table length[w: way]: 1..3 = if w == first then 3 else 2"""


@pytest.mark.parametrize(
    ("type_", "tables"),
    [
        ("{paris_rome, rome_bonn, bonn_rome}", "table home[player]: town = rome"),
        ("{a, b, c}", "table ends[way]: set of town = {a: {rome, paris}, else {rome, bonn}}"),
        ("{a, b, c}", "table start[way]: town = rome\ntable goal[way]: town = {a: paris, else bonn}"),
        ("1..3", "table ends[way, 1..2]: town = [[paris, rome], [rome, bonn], [bonn, rome]]"),
    ],
)
def test_ways_join_the_points_that_tables_or_their_names_say(type_: str, tables: str) -> None:
    first = "1" if type_ == "1..3" else type_[1:].split(",")[0]
    types = WAYS.replace("{TYPE}", type_).replace("TABLES", tables).replace("first", first)
    rules = plain(types, "claimed[way]: player or none = none", choice="w in way", update="claimed[w] := turn")
    scene = game_of(rules).initial().apply({0: first}).scene()
    (board,) = scene.boards
    assert [entry.label for entry in scene.entries] == ["turn"]
    assert not board.lines
    at = {place.name: place for place in board.places[:3]}
    one, *twins = board.places[3:]
    assert (one.form, one.note, one.pieces[0].player) == ("way", "3", 0)
    assert one.ground is not None
    assert (one.x, one.y) == pytest.approx(
        ((at["rome"].x + at["paris"].x) / 2, (at["rome"].y + at["paris"].y) / 2), abs=1e-3
    )
    assert math.dist(*((way.x, way.y) for way in twins)) == pytest.approx(0.3, abs=1e-2)
    assert one.ground.colour == "blue"
    assert svg_of(scene).count("rotate(") == 7
    assert f"{first}: A b 3" in str(drawing_of(scene))


@pytest.mark.parametrize(
    ("near", "is_map"),
    [
        ("table near[p: point]: set of point = {q in point: abs(p - q) == 1}", True),
        ("def near(p: point) = {q in point: abs(p - q) == 1}", True),
        ("def beats(p: point) = {q in point: q < p}", False),
        ("def others(p: point) = {q in point: q != p}", False),
    ],
)
def test_numbers_that_a_table_or_a_function_joins_are_a_map(near: str, is_map: bool) -> None:
    men = "men[player]: set of point = {anna: {1}, boris: {5}}"
    scene = first_scene(plain(f"type point = 1..5\n{near}", men, choice="p in point"))
    assert [len(board.lines) for board in scene.boards] == ([4] if is_map else [])
    assert not is_map or scene.boards[0].places[4].pieces[0].player == 1


@pytest.mark.parametrize(
    ("relation", "lines"),
    [
        ("def joined(a: point, b: point) = {a, b} <= inner and (a.x == b.x) != (a.y == b.y)", 4),  # two apart
        ("def ways(c: point) = if (c.x + c.y) mod 2 == 0 then all else {north, east, south, west}", 40 + 16),
        ("table ways[c: point]: set of point = {d in point: abs(c.x - d.x) + abs(c.y - d.y) == 1}", 0),  # squares
        ("def ways(c: point) = {d in point: abs(c.x - d.x) == 1 and abs(c.y - d.y) == 1}", 0),  # squares of a colour
        ("def joined(a: point, b: point) = abs(a.x - b.x) * abs(a.y - b.y) == 2", 0),  # as a knight
        ("def joined(a: point, b: point) = a != b and a.x == b.x", 0),  # as a rook
    ],
)
def test_boards_of_points_have_the_lines_that_the_rules_name(relation: str, lines: int) -> None:
    types = f"board point = grid(5, 5)\nlet inner = {{b2, d2, b4, d4}}\n{relation}"
    men = "man[c: point]: player or none = if c in inner then anna else none"
    (board,) = first_scene(plain(types, men, choice="c in inner", update="man[c] := none")).boards
    assert (len(board.lines), board.style) == (lines, "points" if lines else "squares")


@pytest.mark.parametrize(
    ("names", "at"),
    [
        ("d7, e7, e5", [(0, 0), (1, 0), (1, 2)]),
        ("top_left, top, bottom", [(0, 0), (1, 0), (1, 2)]),
        ("outer_nw, ne, s", [(0, 0), (3, 1), (2, 3)]),
        ("north_west, centre, north", [(0, 0), (1, 1), (1, 0)]),
        ("a1, b1, c1", []),  # `b1` lies on the line from `a1` to `c1`
        ("north, top, south", []),
        ("north, south, market", []),
    ],
)
def test_points_lie_where_their_names_say(names: str, at: list[tuple[float, float]]) -> None:
    first, second, third = names.split(", ")
    table = f"{{{first}: {{{second}, {third}}}, {second}: {{{first}}}, {third}: {{{first}}}}}"
    types = f"type spot = {{{names}}}\ntable near[spot]: set of spot = {table}"
    (board,) = first_scene(plain(types, f"at: spot = {first}", choice="to in near[at]", update="at := to")).boards
    found = [((one.x - 0.8) / 1.4, (one.y - 0.8) / 1.4) for one in board.places]
    is_placed = all(abs(round(part) - part) < 0.01 for one in found for part in one)
    assert [tuple(map(round, one)) for one in found if is_placed] == at


NINE = """table near[point]: set of point = [
  {2, 10}, {1, 3, 5}, {2, 15}, {5, 11}, {2, 4, 6, 8}, {5, 14}, {8, 12}, {5, 7, 9}, {8, 13}, {1, 11, 22},
  {4, 10, 12, 19}, {7, 11, 16}, {9, 14, 18}, {6, 13, 15, 21}, {3, 14, 24}, {12, 17}, {16, 18, 20}, {13, 17}, {11, 20},
  {17, 19, 21, 23}, {14, 20}, {10, 23}, {20, 22, 24}, {15, 23}]
table mill[1..16]: set of point = [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}, {13, 14, 15}, {16, 17, 18},
  {19, 20, 21}, {22, 23, 24}, {1, 10, 22}, {4, 11, 19}, {7, 12, 16}, {2, 5, 8}, {17, 20, 23}, {9, 13, 18}, {6, 14, 21},
  {3, 15, 24}]"""
NOUGHTS = """table row[1..8, 1..3]: point = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7],
  [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]]"""


def mills(count: int, tables: str) -> str:
    """Return the rules of a game with numbered points, of which tables list rows."""
    types = f"type point = 1..{count}\n{tables}"
    return plain(types, "stone[point]: player or none = none", choice="p in point", update="stone[p] := anna")


def lattice(count: int, tables: str) -> str:
    """Return the numbers of points where they lie, those of a row on a line; all lines of the board lead straight."""
    (board,) = first_scene(mills(count, tables)).boards
    rows = sorted({place.y for place in board.places})
    columns = sorted({place.x for place in board.places})
    at = {(place.x, place.y): place.name for place in board.places}
    assert len(at) == count
    assert all(x1 == x2 or y1 == y2 or abs(x1 - x2) == pytest.approx(abs(y1 - y2)) for x1, y1, x2, y2 in board.lines)
    return "\n".join(" ".join(at.get((x, y), ".") for x in columns).rstrip(" .") for y in rows)


def test_mills_with_numbered_points_are_squares_in_each_other() -> None:
    assert lattice(24, NINE) == (
        "1 . . 2 . . 3\n. 4 . 5 . 6\n. . 7 8 9\n10 11 12 . 13 14 15\n. . 16 17 18\n. 19 . 20 . 21\n22 . . 23 . . 24"
    )


def test_points_in_rows_that_a_table_lists_are_a_board() -> None:
    assert lattice(9, NOUGHTS) == "1 2 3\n4 5 6\n7 8 9"


def test_points_in_rows_are_a_picture_in_terminals() -> None:
    state = game_of(mills(9, NOUGHTS)).initial().apply({"anna": "5"})
    assert str(state.drawing()).splitlines()[:6] == [
        "map:",
        "1─────2─────3",
        "│  ╲  │  ╱  │",
        "4────5:A────6",
        "│  ╱  │  ╲  │",
        "7─────8─────9",
    ]


def test_jumps_that_three_tables_list_join_points() -> None:
    tables = (
        "type jump = 1..6\ntable over[jump]: point = [2, 4, 5, 3, 5, 5]\ntable from[jump]: point = [1, 2, 4, 1, 2, 3]\n"
        "table into[jump]: point = [4, 7, 6, 6, 9, 8]"
    )
    (board,) = first_scene(mills(9, tables)).boards
    assert (board.style, len(board.lines)) == ("graph", 11)


def test_a_way_over_the_cells_that_a_table_lists_is_drawn() -> None:
    around = "[a1, a2, a3, b3, c3, c2, c1, b1]"
    for table, lines in ((around, 8), ("[a1, c3, a2, c2, a3, c1, b2, b1]", 0)):
        rules = mills(8, f"board cell = grid(3, 3)\ntable way[1..8]: cell = {table}")
        rules = rules.replace("stone[point]", "stone[cell]").replace("p in point", "p in cell")
        (board,) = first_scene(rules).boards
        assert len(board.lines) == lines


def test_further_tables_join_points_by_lines_of_other_kinds() -> None:
    ferry = "table ferry[town]: set of town = {harbour: {abbey}, abbey: {harbour}, else {}}"
    scene = first_scene(RULES.replace("\nstate", f"\n{ferry}\nstate", 1))
    (board,) = scene.boards
    ((name, lines),) = board.other_lines
    at = {place.name: (place.x, place.y) for place in board.places}
    assert (name, {lines[0][:2], lines[0][2:]}) == ("ferry", {at["harbour"], at["abbey"]})
    assert len(board.lines) == 3
    assert "stroke-dasharray" in svg_of(scene)
    assert str(drawing_of(scene)).splitlines()[0] == "harbour: A – market ferry – abbey"


def test_numbers_of_several_things_at_each_point_are_a_table() -> None:
    scene = first_scene(RULES.replace("\n    turn:", "\n    price[town, ware]: 1..9 = 3\n    turn:", 1))
    assert {entry.label: entry.kind for entry in scene.entries} == {"price": "table", "turn": "line"}
    texts = {piece.text for place in scene.boards[0].places for piece in place.pieces}
    assert texts == {"", "Wi"}


def walk(ways: str) -> str:
    """Return the rules of a game of walking, in which a test of two towns says which are joined."""
    return plain(
        f"type town = {{harbour, market, mill, abbey}}\ndef way(a: town, b: town) = {ways}\n"
        "def joined(a: town, b: town) = way(a, b) or way(b, a)",
        "stands[player]: town = harbour",
        choice="to in {to in town: joined(stands[anna], to)}",
        update="stands[anna] := to",
    )


def test_a_test_of_two_points_says_which_are_joined() -> None:
    ways = "a == harbour and b in {market, mill} or a == market and b in {mill, abbey}"
    (board,) = first_scene(walk(ways)).boards
    assert (board.style, len(board.lines)) == ("graph", 4)


def test_an_order_is_no_map() -> None:
    ways = "a == harbour and b == market or a == market and b == mill or a == mill and b == abbey"
    assert not first_scene(walk(ways)).boards


def test_the_cells_of_pairs_are_no_way_over_the_board() -> None:
    rules = plain(
        "board hex = grid(3, 3)\ntype road = hex of direction",
        *("built: set of road = {}", "men: set of hex = {a1}"),
        choice="r in road where r.hex + r.direction is some",
    )
    assert [board.lines for board in first_scene(rules).boards] == [()]
