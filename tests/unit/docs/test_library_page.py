"""The page on the library names games and parameters that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ggp
from ggp.language import library_names
from studio.catalogue import picture
from studio.library_page import with_gallery

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "library.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"`([a-z_]+((?: -p [a-z_]+=[a-z0-9]+)+))`", PAGE)


@pytest.mark.parametrize(("example", "parameters"), EXAMPLES, ids=[example for example, _ in EXAMPLES])
def test_variants_exist(example: str, parameters: str) -> None:
    pairs = dict(part.split("=") for part in parameters.split(" -p ")[1:])
    game = ggp.load(example.split()[0], **pairs)
    assert pairs.items() <= game.parameters.items()


def test_compared_games_exist() -> None:
    rows = re.findall(r"^\| [A-Za-z-]+.* \| ([a-z0-9_]+(?:, [a-z0-9_]+)+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 5
    assert {name for row in rows for name in row.split(", ")} <= set(library_names())


def test_the_gallery_shows_the_library() -> None:
    assert with_gallery(PAGE) == PAGE, "run `python -m studio.library_page docs`"
    assert {file.stem for file in (DOCS / "pictures").glob("*.svg")} == set(library_names())
    for name in ("chess", "backgammon", "hex"):
        assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == picture(name)
