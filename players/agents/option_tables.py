"""The tables of `docs/players.md`, made of the registry and the settings.

`python -m players.agents.option_tables docs` writes them into the page.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from ggp.pages import with_part
from players.agents.registry import PLAYERS
from players.player_options import OptionText, option_texts

BEGIN = "<!-- tables made of the registry: begin -->"
END = "<!-- tables made of the registry: end -->"


def player_table() -> str:
    """Return the table of all players, in Markdown: what each does, what it plays, and where it is defined."""
    lines = ["| player | what it does | games | source |", "|---|---|---|---|"]
    for kind in PLAYERS.values():
        games = (
            ", ".join((inspect.getdoc(requirement) or "").rstrip(".").lower() for requirement in kind.requirements)
            or "all"
        )
        lines.append(f"| `{kind.name}` | {kind.summary} | {games} | {kind.source or '-'} |")
    return "\n".join(lines)


def option_sections() -> str:
    """Return a table of options for each player, in Markdown; players with the same options share one."""
    players: dict[tuple[OptionText, ...], list[str]] = {}
    for kind in PLAYERS.values():
        players.setdefault(tuple(option_texts(kind.settings)), []).append(kind.name)
    parts = []
    for options, names in players.items():
        if options:
            lines = ["| option | values | default | meaning |", "|---|---|---|---|"]
            lines += [f"| `{one.key}` | {one.values} | {one.default or '-'} | {one.explanation} |" for one in options]
            parts += ["### Options of " + ", ".join(f"`{name}`" for name in names), "\n".join(lines)]
    return "\n\n".join(parts)


def with_tables(page: str) -> str:
    """Return a page with the tables between its two marks replaced.

    Raises:
        ValueError: it has no such marks.
    """
    return with_part(page, BEGIN, END, f"\n\n{player_table()}\n\n{option_sections()}\n\n")


def main(folder: Path) -> None:
    """Bring the page in a folder up to date."""
    page = folder / "players.md"
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
