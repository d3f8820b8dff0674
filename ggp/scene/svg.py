"""A scene as SVG: its boards side by side, and the values beside them below."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from msgspec.structs import replace

from ggp.scene.scene import Board, Entry, Item, Piece, Place, Player, Scene
from ggp.scene.shapes import art

UNIT = 60
"""Points of a square's side."""
MARGIN = 30
TEXT_LINE = 26
PIECE_SCALE = 0.92
MAX_STACK = 5
STYLE = """
.g{fill:#ece3d2}.t1 .g,.g.t1{fill:#b9946f}.t2 .g,.g.t2{fill:#d6c3a3}.plain{fill:#e9dfca}.e{stroke:#a58a68;stroke-width:1.5}
.axis{fill:#6a7180;font:600 13px system-ui,sans-serif;text-anchor:middle}.v{fill:#1d2330;font:15px system-ui,sans-serif}
.l{stroke:#6b5a43;stroke-width:2.5;stroke-linecap:round}.n{font:700 30px system-ui,sans-serif;text-anchor:middle}
.wall{fill:#4a4f5c}.water{fill:#8fc3dd}.burnt{fill:#5b4038}.goal{fill:none;stroke:#2f6df6;stroke-dasharray:6 5;stroke-width:3}
.frame{fill:#2f5fc4}.hole{fill:#f6f7f9}.name{font-weight:600}
@media(prefers-color-scheme:dark){.g,.plain{fill:#8f8674}.t1 .g,.g.t1{fill:#5f5344}.t2 .g,.g.t2{fill:#776b58}.axis{fill:#9aa4b8}
.v{fill:#e8ebf2}.l{stroke:#b7a98f}.hole{fill:#191f2a}.wall{fill:#20242d}}
"""


def svg_of(scene: Scene, *, values: bool = True) -> str:
    """Return a picture of a scene as an SVG document.

    Args:
        scene: what to draw.
        values: whether the values beside the boards are drawn, too.
    """
    parts: list[str] = []
    x = 0.0
    bottom = 0.0
    for board in scene.boards:
        width, height = board.width * UNIT + 2 * MARGIN, board.height * UNIT + 2 * MARGIN
        parts.append(f'<g transform="translate({x + MARGIN:g} {MARGIN})">{"".join(_board(board, scene.players))}</g>')
        x += width
        bottom = max(bottom, height)
    if values or not scene.boards:
        for entry in scene.entries:
            rows = list(_entry(entry, scene.players))
            for row, (drawn, right) in enumerate(rows):
                parts.append(f'<g transform="translate({MARGIN} {bottom + TEXT_LINE * (row + 0.8):g})">{drawn}</g>')
                x = max(x, right + 2 * MARGIN)
            bottom += TEXT_LINE * (len(rows) + 0.3)
    width, height = max(x, 2 * UNIT), max(bottom, UNIT)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}"><style>{STYLE}</style>{"".join(parts)}</svg>\n'
    )


def _board(board: Board, players: tuple[Player, ...]) -> Iterator[str]:
    if board.style == "frame":
        yield f'<rect class="frame" x="-6" y="-6" width="{board.width * UNIT + 12:g}" height="{board.height * UNIT + 12:g}" rx="14"/>'
    if board.lines or board.style == "triangles":
        yield f'<rect class="plain" x="-6" y="-6" width="{board.width * UNIT + 12:g}" height="{board.height * UNIT + 12:g}" rx="10"/>'
    for place in board.places:
        yield from _ground(place, board, players)
    for x1, y1, x2, y2 in board.lines:
        yield f'<path class="l" d="M{x1 * UNIT:g} {y1 * UNIT:g}L{x2 * UNIT:g} {y2 * UNIT:g}"/>'
    for place in board.places:
        yield from _on(place, players)
    for axis in board.axes:
        yield f'<text class="axis" x="{axis.x * UNIT:g}" y="{axis.y * UNIT + 5:g}">{escape(axis.text)}</text>'


def _ground(place: Place, board: Board, players: tuple[Player, ...]) -> Iterator[str]:
    shape = "" if place.ground is None else place.ground.shape
    x, y = place.x * UNIT, place.y * UNIT
    if place.form in ("flat", "upright", "corner"):
        if place.ground is not None and shape != "nothing":
            wide, high = {"flat": (UNIT + 6, 8), "upright": (8, UNIT + 6), "corner": (8, 8)}[place.form]
            colour = place.ground.colour
            fill = f' style="fill:{art().palette[colour][0]}"' if colour in art().palette else ""
            yield f'<rect class="wall"{fill} x="{x - wide / 2:g}" y="{y - high / 2:g}" width="{wide}" height="{high}" rx="4"/>'
        return
    if shape == "nothing":
        return
    tint = f"t{place.tint}" if board.style in ("checkered", "hexagons") and place.tint else ""
    if shape == "goal" and place.ground is not None and place.ground.player is not None:
        colour = players[place.ground.player].colour
    own = shape if shape in ("wall", "water", "burnt", "goal") else ""
    colour = None if place.ground is None else place.ground.colour
    fill = f' style="fill:{art().palette[colour][0]}"' if colour in art().palette else ""
    if shape == "ground" and not fill:
        fill = ' style="fill:#c8b6e0"'
    kind = f"g {tint} {own}".replace("  ", " ").strip()
    if place.form == "hexagon":
        points = " ".join(
            f"{x + dx * UNIT * 0.98:g},{y + dy * UNIT * 0.98:g}"
            for dx, dy in ((0, -0.577), (0.5, -0.289), (0.5, 0.289), (0, 0.577), (-0.5, 0.289), (-0.5, -0.289))
        )
        yield f'<polygon class="{kind}"{fill} points="{points}"/>'
    elif place.form == "hole":
        yield f'<circle class="hole" cx="{x:g}" cy="{y:g}" r="{UNIT * 0.41:g}"/>'
    elif place.form == "triangle" and not fill:
        up = 1 if place.y > board.height / 2 else -1
        base, top = y + up * UNIT * 2.6, y - up * UNIT * 1.9
        half = UNIT * 0.46
        yield f'<path class="g t{place.tint}" d="M{x - half:g} {base:g}L{x:g} {top:g}L{x + half:g} {base:g}z"/>'
    elif place.form == "triangle":
        yield f'<rect class="g"{fill} x="{x - UNIT / 2:g}" y="{y - UNIT * 2.7:g}" width="{UNIT}" height="{UNIT * 5.4:g}"/>'
    elif place.form == "square" or own or fill:
        edge = "" if tint or board.style == "checkered" else " e"
        half = UNIT / 2
        yield f'<rect class="{kind}{edge}"{fill} x="{x - half:g}" y="{y - half:g}" width="{UNIT}" height="{UNIT}"/>'


def _on(place: Place, players: tuple[Player, ...]) -> Iterator[str]:
    if place.mark is not None:
        yield _piece(place.mark, players, place.x * UNIT, place.y * UNIT, 0.5 * UNIT / 100)
    many = len(place.pieces)
    scale = PIECE_SCALE * UNIT / 100 * (1 if many < 2 else 0.6)
    if place.form in ("flat", "upright", "corner"):
        scale *= 0.45
    if place.form == "triangle" and place.pieces:
        yield from _stack(place, players)
        return
    for number, piece in enumerate(place.pieces):
        shift = 0 if many < 2 else (number - (many - 1) / 2) * UNIT * 0.3
        yield _piece(piece, players, place.x * UNIT + shift, place.y * UNIT, scale)


def _stack(place: Place, players: tuple[Player, ...]) -> Iterator[str]:
    """Yield the men on a point of backgammon, from its base; the last one shown says how many there are if some are not."""
    piece = place.pieces[-1]
    up = 1 if place.y > 5.4 else -1
    shown = min(piece.count, MAX_STACK)
    for number in range(shown):
        text = str(piece.count) if number == shown - 1 and piece.count > MAX_STACK else ""
        y = place.y + up * (2.6 - 0.5 - number)
        man = replace(piece, count=1, text=text)
        yield _piece(man, players, place.x * UNIT, y * UNIT, 1.25 * UNIT / 100)


def _piece(piece: Piece, players: tuple[Player, ...], x: float, y: float, scale: float) -> str:
    if piece.shape == "nothing":
        return ""
    name = piece.colour or (players[piece.player].colour if piece.player is not None else "neutral")
    fill, edge, ink = art().palette.get(name, art().palette["neutral"])
    drawn = []
    shape = piece.shape or ("tile" if not piece.text.strip("0123456789-") else "disc")
    for path in art().shapes.get(shape, art().shapes["disc"]):
        match path.kind:
            case "body":
                drawn.append(
                    f'<path d="{path.d}" fill="{fill}" stroke="{edge}" stroke-width="3" stroke-linejoin="round"/>'
                )
            case "dot":
                drawn.append(f'<path d="{path.d}" fill="{ink}"/>')
            case "outline" | "stroke":
                wide = 11 if path.kind == "outline" else 13
                drawn.append(
                    f'<path d="{path.d}" fill="none" stroke="{fill}" stroke-width="{wide}" stroke-linecap="round"/>'
                )
            case "text":
                drawn.append(f'<text class="n" y="10" fill="{edge}">{escape(path.d)}</text>')
            case "shine":
                drawn.append(f'<path d="{path.d}" fill="#fff" opacity="0.35"/>')
            case kind:
                wide, opacity = (3, 1) if kind == "line" else (2.5, 0.45)
                drawn.append(
                    f'<path d="{path.d}" fill="none" stroke="{ink}" stroke-width="{wide}" opacity="{opacity}"/>'
                )
    text = piece.text if piece.count == 1 else piece.text or str(piece.count)
    if text.strip():
        drawn.append(f'<text class="n" y="11" fill="{ink}">{escape(text)}</text>')
    return f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{"".join(drawn)}</g>'


def _entry(entry: Entry, players: tuple[Player, ...]) -> Iterator[tuple[str, float]]:
    """Yield the rows of a value beside the boards, each with its width."""
    for number, row in enumerate(entry.rows):
        label = f"{entry.label}: " if number == 0 and entry.label else ""
        name = f"{row.name} " if row.name else ""
        text = f'<text class="v"><tspan>{escape(label)}</tspan><tspan class="name">{escape(name)}</tspan>'
        text += f"<tspan>{escape(_items_text(row.items))}</tspan></text>"
        yield text, 8.0 * len(label + name + _items_text(row.items))


def _items_text(items: tuple[Item, ...]) -> str:
    return "  ".join(f"{item.name} {item.text or '–'}".strip() for item in items)
