"""The definition and references of the name at a position, and the places that renaming it changes."""

from __future__ import annotations

import re

from ggp.errors import GgpError
from ggp.language.check.checker import check
from ggp.language.text.grammar import grammar
from ggp.language.text.keywords import SOFT_WORDS
from ggp.language.text.source import SourceFile, Span
from ggp.language_server.analysis import Analysis, Declared


class CannotRename(GgpError):
    """The new name is invalid or taken, or there is no declared name at the position."""


def definition(analysis: Analysis, line: int, column: int) -> Span | None:
    """Return where the name at a position is declared; None where there is no declared name."""
    found = analysis.target(line, column)
    return found.span if found is not None else None


def references(analysis: Analysis, line: int, column: int, with_declaration: bool = True) -> list[Span]:
    """Return all references to the name at a position, in order."""
    target = analysis.target(line, column)
    if target is None:
        return []
    places = {place for place, declared in analysis.result.names.uses.items() if declared == target.span}
    if with_declaration:
        places.add(target.span)
    return sorted(places, key=lambda place: (place.line, place.column))


def renamed(analysis: Analysis, line: int, column: int, name: str) -> list[Span]:
    """Return the places that renaming the name at a position changes.

    The rules are checked with the new name: they have to mean what they meant.

    Raises:
        CannotRename: there is no declared name, or the new name cannot be used.
    """
    target = renamable(analysis, line, column)
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise CannotRename(f"`{name}` is not a name: letters, digits and `_`, not beginning with a digit")
    if name in _words():
        raise CannotRename(f"`{name}` is a word of the language")
    names = analysis.result.names
    taken = names.reserved | {entry.name for entry in names.declared} | set(names.declared_members)
    if name != target.name and name in taken:
        raise CannotRename(f"`{name}` is already declared in this file")
    places = references(analysis, line, column)
    after = check(SourceFile(analysis.source.name, _replaced(analysis, places, name)), {}, analysis.read_text)
    if after.game is None:
        raise CannotRename(f"with `{name}` the rules have an error: {after.diagnostics[0].message}")
    if len(after.names.uses) != len(names.uses) or len(after.diagnostics) != len(analysis.result.diagnostics):
        raise CannotRename(f"with `{name}` the rules would mean something else")
    return places


def renamable(analysis: Analysis, line: int, column: int) -> Declared:
    """Return the declaration of the name at a position if it can be renamed.

    Raises:
        CannotRename: with the reason.
    """
    target = analysis.target(line, column)
    if target is None:
        raise CannotRename("there is no name here that this file declares")
    if analysis.result.game is None:
        raise CannotRename("names can be renamed once the rules have no errors")
    for place in references(analysis, line, column):
        text = analysis.lines[place.line - 1][place.column - 1 : place.end_column - 1]
        if place.line != place.end_line or text != target.name:
            raise CannotRename(f"`{target.name}` is not a name that this file gives")
    return target


def _replaced(analysis: Analysis, places: list[Span], name: str) -> str:
    lines = list(analysis.lines)
    for place in reversed(places):
        text = lines[place.line - 1]
        lines[place.line - 1] = text[: place.column - 1] + name + text[place.end_column - 1 :]
    return "\n".join(lines)


def _words() -> set[str]:
    """Return the words of the language that are never names."""
    patterns = (terminal.pattern for terminal in grammar().terminals if terminal.name not in SOFT_WORDS)
    return {pattern.value for pattern in patterns if pattern.type == "str" and pattern.value.isalpha()}
