"""Rule files as text, and places in them."""

from __future__ import annotations

from msgspec import Struct

MARK = "\ufeff"
"""What Windows writes at the beginning of a file; it is no part of the rules."""


class Span(Struct, frozen=True):
    """A stretch of a rules file. Lines and columns count from 1, columns in characters; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def facts(self) -> dict[str, int]:
        """Return the stretch as the keys that `--json` gives."""
        ends = {"end_line": self.end_line, "end_column": self.end_column}
        return {"line": self.line, "column": self.column, **ends}

    def to(self, end: Span) -> Span:
        """Return the stretch from the beginning of this one to the end of `end`."""
        return Span(self.line, self.column, end.end_line, end.end_column)

    def after(self) -> Span:
        """Return the place just behind this stretch, one character wide."""
        return Span(self.end_line, self.end_column, self.end_line, self.end_column + 1)


class SourceFile(Struct, frozen=True):
    """The text of a rules file, and the name that diagnostics give it."""

    name: str
    text: str


def why_unreadable(error: Exception) -> str:
    """Return why a file cannot be read: the system's words, without its number and the whole path."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:]
