"""A scene as SVG: its boards side by side, and the values beside them below."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from html import escape

from msgspec.structs import replace

from ggp.scene.playing_cards import corner
from ggp.scene.scene import Board, Entry, Item, Piece, Place, Player, Row, Scene, is_word
from ggp.scene.shapes import art

UNIT = 60
"""Points of a square's side."""
MARGIN, LINE, TALL_LINE = 30, 26.0, 54.0
LETTER, BOLD = 8.2, 9.2
"""Widths of a letter, about, in plain and bold text."""
MAX_TEXT = 60
LINE_WIDTH, WIDTH_ALONE = 400, 240
"""Width of the values beside each other, at least; without a board."""
BEND = 0.22
"""How far lines of a further kind are bent aside of those of the first, in parts of their length."""
TALL = ("cards", "backs", "pile", "dice", "pits")
LAP = 14
"""Squares of a track in a row, at most."""
MAX_STACK = 5
"""Men shown on a point of backgammon; a number stands for further ones."""
MEN = ("pawn", "rook", "knight", "bishop", "queen", "king")
EDGES = {"flat": 0, "upright": 90, "rising": -30, "falling": 30, "corner": 0}
"""How what lies flat is turned to lie on an edge, in degrees."""
HEXAGON = ((0, -0.577), (0.5, -0.289), (0.5, 0.289), (0, 0.577), (-0.5, 0.289), (-0.5, -0.289))
STYLE = """
.g,.plain,.t0{fill:#efe6d5}.t1{fill:#b98e66}.t2{fill:#dcc9a8}.e{stroke:#8b7355;stroke-opacity:.5;stroke-width:1.5}
.wall{fill:#4b515e}.water{fill:#93c6df}.burnt{fill:#55413a}.ground{fill:#cabbe3}.bar{fill:#3d4350}
.frame{fill:#2f5fc4}.hole{fill:#f5f6f9}.goal{fill:none;stroke:#2a63e0;stroke-width:4}
.l{stroke:#6b5a43;stroke-width:2.5;stroke-linecap:round}.n{font:700 34px system-ui,sans-serif;text-anchor:middle}
.s{font-size:21px}
.axis{fill:#566072;font:600 13px system-ui,sans-serif;text-anchor:middle}
.face{fill:#fffdf8;stroke:#9aa0ab}.hidden{fill:#35519b;stroke:#22366c}.ik,.rd,.lt{font-weight:700;font-family:system-ui,sans-serif;
text-anchor:middle;fill:#22262f}.rd{fill:#b3261e}.lt{fill:#fff}
.v{fill:#1b2130;font:15px system-ui,sans-serif}.b{font-weight:700}.h{fill:#566072;font-size:12px;font-weight:600}
@media(prefers-color-scheme:dark){.g,.plain,.t0{fill:#a1977f}.t1{fill:#5f5243}.t2{fill:#7f735c}.hole{fill:#191f2b}
.axis{fill:#a3adc0}.v{fill:#e9ecf3}.h{fill:#a3adc0}.wall{fill:#1d2129}.bar{fill:#e6d9bd}.l{stroke:#2e2820}}
"""


def svg_of(scene: Scene, *, values: bool = True) -> str:
    """Return a picture of a scene as an SVG document.

    Args:
        scene: what to draw.
        values: whether the values beside the boards are drawn where there are boards.
    """
    parts: list[str] = []
    right, bottom = 0.0, 0.0
    for board in scene.boards:
        parts.append(_moved("".join(_board(board, scene.players)), right + MARGIN, MARGIN))
        right += board.width * UNIT + 2 * MARGIN
        bottom = max(bottom, board.height * UNIT + (3 if board.level or board.player is not None else 2) * MARGIN)
    x, tallest = float(MARGIN), 0.0
    for entry in scene.entries if values or not scene.boards else ():
        drawn, wide, high = _entry(_faced(entry, dict(scene.faces)), scene.players)
        if x > MARGIN and x + wide > max(right - MARGIN, LINE_WIDTH if scene.boards else WIDTH_ALONE):
            x, bottom, tallest = MARGIN, bottom + tallest, 0.0
        parts.append(_moved(drawn, x, bottom + MARGIN / 2))
        x, tallest = x + wide + MARGIN, max(tallest, high + MARGIN / 2)
        right = max(right, x)
    bottom += tallest
    width, height = max(right, 2.0 * UNIT), max(bottom, 1.0 * UNIT)
    inside = _tag("style", STYLE) + "".join(parts)
    box = f"0 0 {width:g} {height:g}"
    return _tag("svg", inside, xmlns="http://www.w3.org/2000/svg", viewBox=box, width=width, height=height) + "\n"


def _tag(name: str, inside: str = "", **attributes: str | float | None) -> str:
    """Return an element; underscores in names of attributes stand for hyphens, and None leaves one out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{value if isinstance(value, str) else f"{value:g}"}"'
        for key, value in attributes.items()
        if value not in (None, "")
    )
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def _moved(inside: str, x: float, y: float, scale: float = 1) -> str:
    by = "" if scale == 1 else f" scale({scale:g})"
    return _tag("g", inside, transform=f"translate({x:g} {y:g}){by}")


def _board(board: Board, players: tuple[Player, ...]) -> Iterator[str]:
    if board.style in ("frame", "triangles", "graph") or (board.lines and board.style != "squares"):
        kind = "frame" if board.style == "frame" else "plain"
        wide, high = board.width * UNIT + 12, board.height * UNIT + 12
        yield _rectangle(kind, board.width / 2, board.height / 2, wide, high, rx=12)
    lines = (
        _tag("path", class_="l", d=f"M{x1 * UNIT:g} {y1 * UNIT:g}L{x2 * UNIT:g} {y2 * UNIT:g}")
        for x1, y1, x2, y2 in board.lines
    )
    for number, (_, links) in enumerate(board.other_lines, 1):
        for x1, y1, x2, y2 in links:
            x, y = (x1 + x2) / 2 + BEND * number * (y2 - y1), (y1 + y2) / 2 - BEND * number * (x2 - x1)
            bent = f"M{x1 * UNIT:g} {y1 * UNIT:g}Q{x * UNIT:g} {y * UNIT:g} {x2 * UNIT:g} {y2 * UNIT:g}"
            yield _tag("path", class_="l", stroke_dasharray=f"{9 / number:g} 7", d=bent)
    if board.style == "graph":  # below its points
        yield from lines
    for place in sorted(board.places, key=lambda place: place.form != "way"):  # points lie on ways
        yield from _ground(place, board, players)
    yield from lines
    long = board.long_things()
    for place in board.places:
        pieces = tuple(piece for piece in place.pieces if not any(key in long for key in piece.means))
        yield from _on(replace(place, pieces=pieces) if long else place, board, players)
    for key, places in long.items():
        yield _long(next(piece for piece in places[0].pieces if key in piece.means), places, players)
    for axis in board.axes:
        yield _tag("text", escape(axis.text), class_="axis", x=axis.x * UNIT, y=axis.y * UNIT + 5)
    name = board.level if board.player is None else players[board.player].name
    if name:
        name, below = name.replace("_", " "), board.height * UNIT + 1.6 * MARGIN
        yield _tag("text", escape(name), class_="axis", x=board.width / 2 * UNIT, y=below)


def _rectangle(
    kind: str, x: float, y: float, wide: float, high: float, rx: float = 0, style: str | None = None, turn: float = 0
) -> str:
    """Return a rectangle around a centre that is given in units; its sides are in points."""
    left, top = x * UNIT - wide / 2, y * UNIT - high / 2
    transform = f"rotate({turn:g} {x * UNIT:g} {y * UNIT:g})" if turn else None
    return _tag(
        "rect", class_=kind, x=left, y=top, width=wide, height=high, rx=rx or None, style=style, transform=transform
    )


def _colour(piece: Piece, players: tuple[Player, ...]) -> str | None:
    return piece.colour or (players[piece.player].colour if piece.player is not None else None)


def _ground(place: Place, board: Board, players: tuple[Player, ...]) -> Iterator[str]:
    shape = "" if place.ground is None else place.ground.shape
    colour = None if place.ground is None else _colour(place.ground, players)
    pale = ";fill-opacity:.62" if shape == "ground" else ""
    fill = None if colour is None else f"fill:{art().palette[colour][0]}{pale}"
    if place.form == "way":
        owner = next((piece for piece in place.pieces if piece.player is not None), None)
        held = None if owner is None else f"fill:{art().palette[_colour(owner, players) or 'neutral'][0]}"
        long, turn = 2 * math.hypot(*place.along) * UNIT, math.degrees(math.atan2(place.along[1], place.along[0]))
        ground = None if shape != "ground" else fill or ""
        for high, look, kind in ((13.0, "", "t2 e"), (8.0, ground, "ground"), (13.0, held, "t2 e")):
            if look is not None:
                yield _rectangle(kind, place.x, place.y, long, high, rx=high / 2, style=look, turn=round(turn, 1))
        return
    if place.form in EDGES:
        if shape not in ("", "nothing"):
            wide = 8.0 if place.form == "corner" else 0.58 * UNIT + 4 if board.style == "hexagons" else UNIT + 6.0
            yield _rectangle("bar", place.x, place.y, wide, 8.0, rx=4, style=fill, turn=EDGES[place.form])
        return
    if shape == "nothing":
        return
    if board.style == "graph":
        for look in ["g e"] if shape != "ground" else ["g e", "ground"]:  # no line shines through
            style = fill if look == "ground" else None
            yield _tag("circle", class_=look, style=style, cx=place.x * UNIT, cy=place.y * UNIT, r=UNIT * 0.47)
        return
    tinted = board.style in ("checkered", "hexagons", "triangles")
    kind = shape if shape not in ("", "goal") else f"t{place.tint}" if tinted else "g"
    style = None if shape == "goal" else fill
    goal = None if colour is None else f"stroke:{art().palette[colour][0]}"
    if place.form == "hexagon":
        yield _tag("polygon", class_=kind, style=style, points=_hexagon(place, 0.98))
        if shape == "goal":
            yield _tag("polygon", points=_hexagon(place, 0.86), class_="goal", style=goal)
    elif place.form == "hole":
        yield _tag("circle", class_="hole", cx=place.x * UNIT, cy=place.y * UNIT, r=UNIT * 0.41)
    elif place.form == "triangle" and not shape:
        x, y, up = place.x * UNIT, place.y * UNIT, 1 if place.y > board.height / 2 else -1
        top, base, half = y - up * UNIT * 1.9, y + up * UNIT * 2.6, UNIT * 0.46
        yield _tag(
            "path", class_=f"t{2 - place.tint}", d=f"M{x - half:g} {base:g}L{x:g} {top:g}L{x + half:g} {base:g}z"
        )
    elif place.form == "triangle":
        yield _rectangle(kind, place.x, place.y, UNIT, UNIT * 5.4, style=style)
    elif place.form == "point" and shape == "ground":
        yield _tag("circle", class_=kind, style=style, cx=place.x * UNIT, cy=place.y * UNIT, r=UNIT * 0.44)
    elif place.form == "square" or shape:
        yield _rectangle(kind if tinted else f"{kind} e", place.x, place.y, UNIT, UNIT, style=style)
        if shape == "goal":
            yield _rectangle("goal", place.x, place.y, UNIT * 0.9, UNIT * 0.9, style=goal)


def _hexagon(place: Place, scale: float) -> str:
    return " ".join(f"{(place.x + x * scale) * UNIT:g},{(place.y + y * scale) * UNIT:g}" for x, y in HEXAGON)


def _on(place: Place, board: Board, players: tuple[Player, ...]) -> Iterator[str]:
    """Yield the note, the mark and the pieces of a place."""
    x, y = place.x * UNIT, place.y * UNIT
    if place.note:
        high = 0.4 if place.pieces else -0.08  # of an empty hexagon in the middle: things stand on its sides
        left, up = {"hexagon": (0, high), "way": (0, 0.16), "point": (0, -0.4)}.get(place.form, (0.36, 0.3))
        yield _tag("text", place.note, class_="axis", style="font-size:10px", x=x - left * UNIT, y=y - up * UNIT)
    if place.mark is not None:
        aside = UNIT * 0.35 if place.mark.shape == "unknown" and place.pieces else 0
        yield _moved(_piece(place.mark, players), x + aside, y - aside, (0.5 if aside else 0.8) * UNIT / 100)
    if place.form == "triangle" and place.pieces:
        man, up = place.pieces[-1], 1 if place.y > board.height / 2 else -1
        for number in range(min(man.count, MAX_STACK)):
            text = str(man.count) if number == MAX_STACK - 1 and man.count > MAX_STACK else ""
            drawn = _piece(replace(man, count=1, text=text), players)
            yield _moved(drawn, x, y + up * (2.1 - number) * UNIT, 1.25 * UNIT / 100)
        return
    words = [piece for piece in place.pieces if is_word(piece)]
    small = [piece for piece in place.pieces if not piece.shape and piece.text.lstrip("-").isdigit()]
    things = words or [piece for piece in place.pieces if piece not in small]
    small = [piece for piece in place.pieces if piece not in words] if words else small
    if things:  # a number beside what stands there, and what stands beside a word, is drawn in a corner
        for piece in small:
            yield _moved(_piece(piece, players), x + 0.31 * UNIT, y - 0.31 * UNIT, 0.4 * UNIT / 100)
    many = len(things or small)
    for number, piece in enumerate(things or small):
        scale = (
            0.42
            if place.form in EDGES or place.form == "way"
            else 0.6
            if many > 1
            else 1.12
            if piece.shape in MEN
            else 0.94
        )
        shift = (number - (many - 1) / 2) * UNIT * min(0.3, 0.5 / max(1, many - 1))
        yield _moved(_piece(piece, players), x + shift, y, scale * UNIT / 100)


def _long(piece: Piece, places: list[Place], players: tuple[Player, ...]) -> str:
    """Return a thing that lies over several places."""
    first, *_, last = sorted(places, key=lambda place: (place.x, place.y))
    fill, edge, ink = art().palette[_colour(piece, players) or "neutral"]
    x, y, east, south = (first.x + last.x) / 2, (first.y + last.y) / 2, last.x - first.x, last.y - first.y
    long, turn = math.hypot(east, south) + 0.8, math.degrees(math.atan2(south, east))
    style = f"fill:{fill};stroke:{edge}"
    body = _rectangle("", x, y, long * UNIT, 0.8 * UNIT, rx=UNIT * 0.3, style=style, turn=round(turn, 1))
    return body + _tag("text", escape(piece.text), class_="axis", x=x * UNIT, y=y * UNIT + 5, style=f"fill:{ink}")


def _piece(piece: Piece, players: tuple[Player, ...]) -> str:
    """Return a piece in a box from -50 to 50."""
    if piece.shape == "nothing":
        return ""
    fill, edge, ink = art().palette[_colour(piece, players) or "neutral"]
    shape = piece.shape or ("disc" if piece.text.strip("0123456789-") else "tile")
    drawn = ""
    for path in art().shapes[shape]:
        match path.kind:
            case "body":
                drawn += _tag("path", d=path.d, fill=fill, stroke=edge, stroke_width=3, stroke_linejoin="round")
            case "dot":
                drawn += _tag("path", d=path.d, fill=ink)
            case "outline" | "stroke":
                drawn += _tag("path", d=path.d, fill="none", stroke=fill, stroke_width=12, stroke_linecap="round")
            case "text":
                drawn += _tag("text", escape(path.d), class_="n", y=12, fill=edge)
            case "shine":
                drawn += _tag("path", d=path.d, fill="#fff", opacity=0.35)
            case kind:
                faint = 1 if kind == "line" else 0.45
                drawn += _tag("path", d=path.d, fill="none", stroke=ink, stroke_width=3, opacity=faint)
    if piece.colour and piece.player is not None and players[piece.player].colour != piece.colour:
        fill_of, edge_of, _ = art().palette[players[piece.player].colour]  # whose it is
        drawn += _tag("circle", r=43, fill="none", stroke=edge_of, stroke_width=13)
        drawn += _tag("circle", r=43, fill="none", stroke=fill_of, stroke_width=9)
    text = (piece.text if piece.count == 1 else piece.text or str(piece.count)).strip()
    if not text:
        return drawn
    long, size = len(text) > 2, f"font-size:{112 / len(text):.3g}px" if len(text) > 5 else None
    return drawn + _tag("text", escape(text), class_="n s" if long else "n", y=8 if long else 12, fill=ink, style=size)


def _entry(entry: Entry, players: tuple[Player, ...]) -> tuple[str, float, float]:
    """Return a labelled value, its width and its height: its rows one below the other, single values side by side."""
    parts = [_tag("text", escape(entry.label), class_="v h", y=12)]
    high = TALL_LINE if entry.kind in TALL else LINE
    if entry.kind == "track" and entry.high:
        board = _track(entry)
        parts.append(_moved("".join(_board(board, players)), 0, 24, 0.5))
        below = 24 + board.height * UNIT / 2
        x = 0.0
        for name, colour in {name: colour for _, name, colour in entry.marks}.items():
            parts.append(_tag("rect", x=x, y=below + 8, width=12, height=12, rx=3, fill=art().palette[colour][0]))
            parts.append(_tag("text", escape(name.replace("_", " ")), class_="v h", x=x + 18, y=below + 18))
            x += 32 + LETTER * len(name)
        return "".join(parts), max(x, board.width * UNIT / 2), below + (26 if x else 6)
    in_one_row = all(len(row.items) == 1 for row in entry.rows) and entry.kind not in TALL
    heads = [_head(row, players) for row in entry.rows]
    indent = 0.0 if in_one_row else max((wide for _, wide in heads), default=0.0)
    x, y, right = 0.0, 18 + high / 2, LETTER * len(entry.label)
    for (head, head_width), row in zip(heads, entry.rows, strict=True):
        parts.append(_moved(head, x, y))
        x += head_width if in_one_row else indent
        for item in row.items:
            drawn, wide = _item(entry.kind, item, players)
            parts.append(_moved(drawn, x, y))
            x += wide
        right = max(right, x)
        x, y = (x + 10, y) if in_one_row else (0.0, y + high)
    return "".join(parts), right, 18 + high * (1 if in_one_row else max(1, len(entry.rows)))


def _track(entry: Entry) -> Board:
    """Return a track as squares in rows that run to and fro, with what is on it."""
    count = entry.high - entry.low + 1
    high = math.ceil(count / (math.ceil(math.sqrt(count)) if entry.jumps else LAP))
    wide = math.ceil(count / high)
    held: dict[int, list[Piece]] = {}
    for row in entry.rows:
        for item in row.items:
            player, name = row.player if row.player is not None else item.player, item.name
            text = name if name[:1].isdigit() else name[:1].upper() if player is None or row.player is not None else ""
            if item.number is not None:
                colour = name if player is None and name in art().palette else None
                held.setdefault(item.number, []).append(Piece("disc", text, "", player, colour))
    named = {place: Piece("ground", name, colour=colour) for place, name, colour in reversed(entry.marks)}
    places = []
    for number in range(entry.low, entry.high + 1):
        y, along = divmod(number - entry.low, wide)
        x = (wide - 1 - along if y % 2 else along) + 0.5
        pieces = tuple(held.get(number, ()))
        places.append(
            Place(str(number), "", x, y + 0.5, "square", 0, named.get(number), pieces=pieces, note=str(number))
        )
    centre = {place.name: (place.x, place.y) for place in places}
    lines = tuple((*centre[str(one)], *centre[str(other)]) for one, other in entry.jumps)
    return Board(entry.label, "squares", wide, high, tuple(places), lines)


def _head(row: Row, players: tuple[Player, ...]) -> tuple[str, float]:
    """Return the name of a row, with its player's sign, around the middle of its left side, and its width."""
    if not row.name:
        return "", 0.0
    sign, begin = ("", 0.0) if row.player is None else (_sign(row.player, players), 22.0)
    name = row.name.replace("_", " ")
    return sign + _tag("text", escape(name), class_="v b", x=begin, y=5), begin + BOLD * len(name) + 14


def _sign(player: int, players: tuple[Player, ...]) -> str:
    return _moved(_piece(Piece("disc", player=player), players), 8, 0, 0.24)


def _card(text: str) -> str:
    """Return what is written on a card: `7♣`, or its text."""
    rank, _, suit = text.partition("_of_")
    if rank.isdecimal() and suit.isdecimal():  # a domino
        return f"{rank} | {suit}"
    return corner(text) or text.replace("_", " ")


def _faced(entry: Entry, faces: Mapping[str, tuple[str, ...]]) -> Entry:
    """Return an entry in which numbered cards have the first line of what stands on them."""
    if entry.kind != "cards" or not faces:
        return entry
    rows = []
    for row in entry.rows:
        lines = (faces.get(item.means[-1]) if item.means else None for item in row.items)
        items = (
            item if line is None else replace(item, text=line[0]) for item, line in zip(row.items, lines, strict=True)
        )
        rows.append(replace(row, items=tuple(items)))
    return replace(entry, rows=tuple(rows))


def _item(kind: str, item: Item, players: tuple[Player, ...]) -> tuple[str, float]:
    """Return a value beside the boards, drawn around the middle of its left side, and its width."""
    if kind in ("cards", "backs", "pile") and (item.text or kind != "cards"):
        count = 1 if kind == "cards" else min(item.number or 0, 8)
        text = item.text if kind != "backs" else ""
        is_open = kind == "cards" and text != "?"
        text = "" if text == "?" else _card(text)
        ink = "lt" if not is_open else "rd" if text.endswith(("♥", "♦")) else "ik"
        shown = "".join(
            _tag("rect", class_="face" if is_open else "hidden", x=9.0 * number, y=-22, width=32, height=44, rx=5)
            for number in range(count)
        )
        size = max(5, min(18, 52 // max(1, len(text))))
        shown += _tag("text", escape(text), class_=ink, x=9 * count + 7, y=size / 3, font_size=size)
        if kind != "cards" or item.copies == 1:
            return shown, 9.0 * count + 29
        times = f"×{item.number}"
        return shown + _tag("text", times, class_="v", x=36, y=5), 42 + LETTER * len(times)
    if kind in ("dice", "pits") and item.text:
        shape = _tag("rect", class_="face", y=-17, width=34, height=34, rx=7)
        if kind == "pits":
            shape = _tag("circle", class_="t1", cx=18, r=19)
        return shape + _tag("text", escape(item.text), class_="ik", x=17.5, y=6, font_size=18), 44
    text = f"{item.name} {item.text or '–'}".strip().replace("_", " ")
    text = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
    if item.player is not None:
        return _sign(item.player, players) + _tag("text", escape(text), class_="v", x=22, y=5), 22 + LETTER * len(
            text
        ) + 14
    return _tag("text", escape(text), class_="v", y=5), LETTER * len(text) + 14
