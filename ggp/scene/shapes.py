"""The drawings of the shapes, and the colours: read from `shapes.json`, which the pages are built with, too.

A shape is drawn in a box from -50 to 50; each of its paths is of a kind: `body` (filled and outlined), `line`,
`outline` (thick, in the colour itself), `stroke` (thicker), `soft` and `shine` (faint), `dot` (filled as lines are
drawn), `text`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class Path(msgspec.Struct, frozen=True):
    """One path of a shape."""

    kind: str
    d: str


class Art(msgspec.Struct, frozen=True):
    """All shapes by name, and of each colour its fill, its edge, and what is written on it."""

    palette: dict[str, tuple[str, str, str]]
    shapes: dict[str, tuple[Path, ...]]


@cache
def art() -> Art:
    """Return the drawings."""
    return msgspec.json.decode((resources.files("ggp.scene") / "shapes.json").read_bytes(), type=Art)
