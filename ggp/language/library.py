"""The game library, and rules files on disk: the one place of this package that reads files."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ggp.errors import GgpError
from ggp.language.diagnostics import suggestions
from ggp.language.text.source import SourceFile, why_unreadable

SUFFIX = ".rules"
OPENSPIEL = "openspiel:"
"""Begins the names of games of OpenSpiel, which have no rules: `ggp.load` takes them, too."""


class RulesNotFound(GgpError):
    """No rules file at that path, and no library game of that name."""

    def __init__(self, name: str, hint: str | None) -> None:
        super().__init__(name, hint)
        self.name = name
        self.hint = hint

    def __str__(self) -> str:
        return f"there is no rules file and no library game `{self.name}`" + (f"; {self.hint}" if self.hint else "")


class RulesUnreadable(GgpError):
    """A rules file that cannot be read, or is not text."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name = name
        self.reason = reason

    def __str__(self) -> str:
        return f"cannot read `{self.name}`: {self.reason}"


def library_names() -> tuple[str, ...]:
    """Return the names of the library's games, sorted."""
    return tuple(
        sorted(path.name.removesuffix(SUFFIX) for path in files("rules").iterdir() if path.name.endswith(SUFFIX))
    )


def load_rules(name: str) -> tuple[SourceFile, Callable[[str], str]]:
    """Return a rules file and the way to read the files that it names.

    Args:
        name: a path to a file, or the name of a library game.

    Returns:
        The file's text, and a function from the name of a file in the same folder to its text.

    Raises:
        RulesNotFound: there is neither.
        RulesUnreadable: the file cannot be read or is not UTF-8.
    """
    path: Traversable
    folder: Traversable
    if name in library_names():
        folder = files("rules")
        path = folder.joinpath(name + SUFFIX)
    else:
        path = Path(name)
        folder = Path(name).parent
        if not path.is_file():
            if name.startswith(OPENSPIEL):
                raise RulesNotFound(name, "what is asked for needs rules, and games of OpenSpiel have none")
            raise RulesNotFound(name, suggestions(name, library_names()) or "`ggp games` lists the library")
    try:
        text = path.read_text(encoding="utf-8-sig")  # Windows writes a mark at the beginning
    except (OSError, UnicodeDecodeError) as error:
        raise RulesUnreadable(name, why_unreadable(error)) from error
    name = os.fsencode(path.name).decode(errors="replace")  # may be no UTF-8, or read as ASCII
    return SourceFile(name, text), lambda other: read_beside(folder, other)


def read_beside(folder: Traversable, name: str) -> str:
    """Return the text of a file in a folder; rules cannot name files elsewhere.

    Raises:
        OSError, ValueError: it cannot be read, is not text, or is not in that folder.
    """
    if "/" in name or "\\" in name or name.startswith("."):
        raise ValueError("a file beside the rules has a plain name")
    return folder.joinpath(name).read_text(encoding="utf-8-sig")
