"""The gallery of `docs/library.md`: a picture and the title of every library game.

`python -m studio.library_page docs` writes the pictures, and the table into the page.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ggp.language.library import library_names
from ggp.pages import with_part
from studio.catalogue import described, picture

BEGIN = "<!-- gallery made of the library: begin -->"
END = "<!-- gallery made of the library: end -->"
FOLDER = "pictures"
COLUMNS, WIDTH = 4, 180


def gallery() -> str:
    """Return the games in rows of a table, in Markdown: pictures, and below each its name and title."""
    names = library_names()
    lines = ["|" + "   |" * COLUMNS, "|" + ":---:|" * COLUMNS]
    for begin in range(0, len(names), COLUMNS):
        row = names[begin : begin + COLUMNS]
        cells = [
            f'<img src="{FOLDER}/{name}.svg" width="{WIDTH}" alt=""><br>`{name}`<br>{described(name)["title"]}'
            for name in row
        ]
        lines.append("| " + " | ".join(cells + [""] * (COLUMNS - len(row))) + " |")
    return "\n".join(lines)


def with_gallery(page: str) -> str:
    """Return a page with the gallery between its two marks replaced.

    Raises:
        ValueError: it has no such marks.
    """
    return with_part(page, BEGIN, END, f"\n\n{gallery()}\n\n")


def main(folder: Path) -> None:
    """Bring the page and the pictures in a folder up to date."""
    page = folder / "library.md"
    page.write_text(with_gallery(page.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / FOLDER).mkdir(exist_ok=True)
    for name in library_names():
        (folder / FOLDER / f"{name}.svg").write_text(picture(name), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
