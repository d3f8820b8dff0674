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


def option_table() -> str:
    """Return the table of all options, in Markdown; players whose option is the same to the letter share a row."""
    players: dict[OptionText, list[str]] = {}
    for kind in PLAYERS.values():
        for option in option_texts(kind.settings):
            players.setdefault(option, []).append(kind.name)
    with_options = [kind.name for kind in PLAYERS.values() if option_texts(kind.settings)]
    lines = ["| option | of | values | default | meaning |", "|---|---|---|---|---|"]
    for option in sorted(players, key=lambda option: -len(players[option])):
        names = players[option]
        of = "all searches" if names == with_options else ", ".join(f"`{name}`" for name in names)
        lines.append(f"| `{option.key}` | {of} | {option.values} | {option.default} | {option.explanation} |")
    return "\n".join(lines)


def with_tables(page: str) -> str:
    """Return a page with the tables between its two marks replaced.

    Raises:
        ValueError: it has no such marks.
    """
    return with_part(page, BEGIN, END, f"\n\n{player_table()}\n\n{option_table()}\n\n")


def main(folder: Path) -> None:
    """Bring the page in a folder up to date."""
    page = folder / "players.md"
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
