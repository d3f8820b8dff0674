"""The game library, and rules files on disk: the one place of this package that reads files.

Library games are found by the names that people type, too: other names and sources come from the comments in the rules.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ggp.errors import GgpError
from ggp.language.diagnostics import suggestions
from ggp.language.text.source import SourceFile, why_unreadable

SUFFIX = ".rules"
OPENSPIEL = "openspiel:"
"""Begins the names of games of OpenSpiel, which have no rules: `ggp.load` takes them, too."""
MIN_PREFIX = 4
"""Shorter words have to be whole words of a game's text: `go` is not the beginning of `gold`."""


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
            raise RulesNotFound(name, did_you_mean(name) or "`ggp games` lists the library")
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


def find_games(text: str) -> tuple[str, ...]:
    """Return the library's games that match every word of a text, best first.

    A game is described by its name, its title, the comment at the head of its rules, and its parameters with their
    values and comments. A word fits where it begins a word there, or stands in the name written without blanks:
    `tictactoe`, `Connect-4`, `leduc`.

    Args:
        text: what to look for; capital letters, accents and punctuation do not matter. With no words all games fit.
    """
    words = _words(text)
    whole = "".join(words)
    found = []
    for name in library_names():
        description, squeezed = _description(name), name.replace("_", "")
        if whole and whole == squeezed:
            rank = 0
        elif all(_fits(word, frozenset(_words(name)), squeezed) for word in words):
            rank = 1
        elif all(_fits(word, description, squeezed) for word in words):
            rank = 2
        else:
            continue
        found.append((rank, name))
    return tuple(name for _, name in sorted(found))


def _fits(word: str, words: frozenset[str], squeezed: str) -> bool:
    if word in words:
        return True
    return len(word) >= MIN_PREFIX and (word in squeezed or any(other.startswith(word) for other in words))


@cache
def _description(name: str) -> frozenset[str]:
    """Return the words of a game's head, which ends where its players are declared."""
    source, _ = load_rules(name)
    head, _, _ = source.text.partition("\nplayers ")
    return frozenset(_words(head))


def _words(text: str) -> list[str]:
    """Return the words of a text without accents; what stands on both sides of an apostrophe is one word."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter) and letter not in "'’")
    return re.findall(r"[a-z]+|[0-9]+", plain)


def did_you_mean(name: str) -> str | None:
    """Return a hint for somebody who asked for a game by a name that it does not have: `leduc`, `othello`, `ches`."""
    found = find_games(name)[:3]
    # several words that all fit are hardly misspelled: `connect4` is not connect6
    alike = None if found and len(_words(name)) > 1 else suggestions(name, library_names())
    return alike or ("did you mean " + " or ".join(f"`{one}`" for one in found) + "?" if found else None)
