"""Tables and pages in Markdown, as the experiments write them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; the first column is aligned left, the others right."""
    lines = ["| " + " | ".join(headings) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def write_page(text: str, path: Path | None) -> None:
    """Write a page to a file, or print it."""
    if path is None:
        print(text)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
