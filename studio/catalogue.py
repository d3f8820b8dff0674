"""The games that the pages offer: names, titles, prose and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ggp.display.samples import sampled_svg
from ggp.language import check
from ggp.language.library import did_you_mean, library_names, load_rules
from ggp.rules_compiler.loading import RulesInvalid

PICTURED = 14
"""Transitions of a random play after which a game's picture is taken."""
PICTURE_SEED = 5


def may_be_played(name: str, own: Sequence[str] = ()) -> bool:
    """Return whether a name is a library game, one of the given files, or a file that ends in `.rules`."""
    return name in library_names() or name in own or (name.endswith(".rules") and Path(name).is_file())


def no_such_game(name: str) -> str:
    """Return what is said where a name cannot be played."""
    hint = did_you_mean(name[:64])
    return f"there is no game `{name[:64]}` here" + (f"; {hint}" if hint else "")


def described(name: str) -> dict[str, Any]:
    """Return what a rules file says of itself, read from its text alone: nothing is compiled.

    Raises:
        RulesNotFound: there is no such game.
        RulesUnreadable: the file cannot be read.
    """
    return {"name": name, **described_text(load_rules(name)[0].text)}


def described_text(text: str) -> dict[str, Any]:
    """Return what a text of rules says of itself, as `described` does."""
    title = re.search(r'^game\s+\w+\s+"([^"]*)"', text, re.MULTILINE)
    comment = []
    for line in text.split("\n"):
        if not line.startswith("#"):
            break
        comment.append(line.lstrip("# "))
    players = re.search(r"^players\s+([^\n#]+)", text, re.MULTILINE)
    names = [] if players is None else [part.strip() for part in players[1].split(",")]
    tags = [f"{len(names)} players" if len(names) > 1 else "one player" if "[" not in names[0:1] else "players"]
    choosers = (re.findall(r"^[ \t]+(\S[^\n#]*) chooses\b", phase, re.MULTILINE) for phase in text.split("\nphase "))
    if any(len(those) > 1 or those[0].startswith("each ") for those in choosers if those):
        tags.append("simultaneous moves")
    if re.search(r"^\s+chance (draws|deals)", text, re.MULTILINE):
        tags.append("chance")
    if re.search(r"^\s+(on [^#\n]*: *)?sees (?!all)", text, re.MULTILINE):
        tags.append("hidden information")
    return {
        "title": title[1] if title else "",
        "prose": " ".join(comment),
        "players": names,
        "tags": tags,
        "text": text,
    }


def games(own: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return some files and all library games, without their texts."""
    names = [*own, *library_names()]
    return [{key: value for key, value in described(name).items() if key != "text"} for name in names]


def picture(name: str) -> str:
    """Return a position of a game as SVG; the interpreter plays to it, so nothing is compiled.

    Raises:
        GgpError: the game is unknown, its rules have errors or fail.
    """
    return _drawn(name, load_rules(name)[0].text)


def pictures() -> Iterator[tuple[str, str]]:
    """Return the name and the picture of each library game, one after the other."""
    return ((name, picture(name)) for name in library_names())


@lru_cache(256)
def _drawn(name: str, _text: str) -> str:
    """Return the picture of a game, drawn anew where its text has changed."""
    source, read_text = load_rules(name)
    result = check(source, {}, read_text)
    if result.game is None:
        raise RulesInvalid(result.diagnostics, source)
    return sampled_svg(result.game, PICTURE_SEED, PICTURED, values=False)
