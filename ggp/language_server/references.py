"""The definition and references of the name at a position, and the places that renaming it changes."""

from __future__ import annotations

import re

from ggp.errors import GgpError
from ggp.language.text.grammar import grammar
from ggp.language.text.keywords import SOFT_WORDS
from ggp.language.text.lines import span_of
from ggp.language.text.source import Span
from ggp.language_server.analysis import Analysis, Declared


class CannotRename(GgpError):
    """The new name is invalid or taken, or there is no declared name at the position."""


def definition(analysis: Analysis, line: int, column: int) -> Span | None:
    """Return where the name at a position is declared; None where there is no declared name."""
    found = _at(analysis, line, column)
    return found.span if found is not None else None


def references(analysis: Analysis, line: int, column: int, with_declaration: bool = True) -> list[Span]:
    """Return all references to the name at a position, in order."""
    target = _at(analysis, line, column)
    if target is None:
        return []
    places = []
    for position, token in enumerate(analysis.tokens):
        if token != target.name or not (token.type == "NAME" or token.type in SOFT_WORDS):
            continue
        place = span_of(token)
        if position and analysis.tokens[position - 1].type == "DOT" and target.kind != "type":
            continue
        if place == target.span and not with_declaration:
            continue
        meant = analysis.meaning(target.name, place.line, place.column)
        if meant is not None and meant.span == target.span:
            places.append(place)
    return places


def renamed(analysis: Analysis, line: int, column: int, name: str) -> list[Span]:
    """Return the places that renaming the name at a position changes.

    Raises:
        CannotRename: there is no declared name, or the new name cannot be used.
    """
    target = _at(analysis, line, column)
    if target is None:
        raise CannotRename("there is no name here that this file declares")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise CannotRename(f"`{name}` is not a name: letters, digits and `_`, not beginning with a digit")
    if name in _words():
        raise CannotRename(f"`{name}` is a word of the language")
    taken = analysis.result.names.reserved | {entry.name for entry in analysis.entries}
    if name != target.name and name in taken | set(analysis.result.names.declared_members):
        raise CannotRename(f"`{name}` is already declared in this file")
    return references(analysis, line, column)


def _at(analysis: Analysis, line: int, column: int) -> Declared | None:
    token = analysis.token_at(line, column)
    if token is None or not (token.type == "NAME" or token.type in SOFT_WORDS):
        return None
    return analysis.meaning(str(token), span_of(token).line, span_of(token).column)


def _words() -> set[str]:
    """Return the words of the language that are never names."""
    patterns = (terminal.pattern for terminal in grammar().terminals if terminal.name not in SOFT_WORDS)
    return {pattern.value for pattern in patterns if pattern.type == "str" and pattern.value.isalpha()}
