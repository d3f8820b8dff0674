"""Diagnostics as text for a terminal: the line, a caret under the fault, the hint."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from ggp.language.diagnostics import Diagnostic
from ggp.language.text.source import SourceFile, Span

_TAB = 8
MAX_SHOWN = 240
"""Characters of a line that are shown: of a longer one, those around the fault."""
_BEFORE = 60


def render(diagnostic: Diagnostic, source: SourceFile) -> str:
    """Return one diagnostic as lines of text, without a final newline.

    Args:
        diagnostic: what to show.
        source: the file it is about.
    """
    lines = source.text.split("\n")
    place = f":{diagnostic.span.line}:{diagnostic.span.column}" if diagnostic.span else ""
    shown = [f"{diagnostic.file}{place}: {diagnostic.severity}: {diagnostic.message}"]
    spans = [span for span in (diagnostic.span, *(span for span, _ in diagnostic.notes)) if span]
    width = max((len(str(span.line)) for span in spans), default=1) + 4
    if diagnostic.span:
        shown += _excerpt(lines, diagnostic.span, width)
    if diagnostic.hint:
        shown.append(f"{' ' * width} = hint: {diagnostic.hint}")
    for span, text in diagnostic.notes:
        shown.append(f"{' ' * width} = note: {text}")
        shown += _excerpt(lines, span, width)
    return "\n".join(shown)


def render_all(diagnostics: Iterable[Diagnostic], source: SourceFile) -> str:
    """Return several diagnostics as text, a blank line between them, ending in a newline if there are any."""
    texts = [render(diagnostic, source) for diagnostic in diagnostics]
    return "\n\n".join(texts) + "\n" if texts else ""


def _excerpt(lines: list[str], span: Span, width: int) -> list[str]:
    line = lines[span.line - 1].rstrip("\r") if span.line <= len(lines) else ""
    end = span.end_column if span.end_line == span.line else len(line) + 1
    begin = max(0, min(span.column - 1 - _BEFORE, len(line) - MAX_SHOWN))
    whole, line = line, line[begin : begin + MAX_SHOWN]
    left, right = "..." if begin else "", "..." if begin + MAX_SHOWN < len(whole) else ""
    before = left + _expanded(line[: span.column - 1 - begin])
    marked = left + _expanded(line[: max(end - 1 - begin, 0)])
    carets = max(1, _columns(marked) - _columns(before))
    text = left + _expanded(line) + right
    return [f"{span.line:>{width}} | {text}".rstrip(), f"{' ' * width} | {' ' * _columns(before)}{'^' * carets}"]


def _expanded(text: str) -> str:
    """Return text with tabs as blanks and other control characters made visible."""
    shown = ""
    for character in text:
        if character == "\t":
            shown += " " * (_TAB - _columns(shown) % _TAB)
        else:
            shown += character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
    return shown


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: wide letters two, combining marks none."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )
