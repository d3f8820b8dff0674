"""Finds library games by the names that people type; other names and sources come from the comments in the rules."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from ggp.language.library import library_names, load_rules

MIN_PREFIX = 4
"""Shorter words have to be whole words of a game's text: `go` is not the beginning of `gold`."""


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
    return re.findall(r"[a-z0-9]+", plain.replace("_", " "))
