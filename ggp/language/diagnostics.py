"""What is wrong with a rules file, as data; `ggp.language.render` makes text of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from ggp.language.limits import MAX_DIAGNOSTICS, MAX_SUGGESTED
from ggp.language.text.source import Span

Severity: TypeAlias = Literal["error", "warning", "hint"]


class Diagnostic(Struct, frozen=True):
    """One error or warning: what is wrong and where, what to do about it, and other places that explain it.

    `message` stands alone: lower case, no full stop, the author's words, names in backticks. Only `hint` says what to
    do. `span` is None where it concerns no place in the file, as with a parameter given from outside.
    """

    severity: Severity
    file: str
    span: Span | None
    message: str
    hint: str | None = None
    notes: tuple[tuple[Span, str], ...] = ()

    @property
    def code(self) -> str:
        """The sort of mistake: the words of the message without names and numbers, such as `unknown-name`."""
        words = re.sub(r"`[^`]*`|[^a-z;:,`]+", " ", self.message.lower())
        return "-".join(re.split(r"[;:,]", words)[0].split()) or "-".join(re.findall(r"[a-z]+", words))

    def facts(self) -> dict[str, Any]:
        """Return the diagnostic as the keys that `--json` gives; without a place the four numbers are None."""
        nowhere = dict.fromkeys(("line", "column", "end_line", "end_column"))
        return {
            "severity": self.severity,
            "code": self.code,
            "file": self.file,
            **(self.span.facts() if self.span else nowhere),
            "message": self.message,
            "hint": self.hint,
            "notes": [{**span.facts(), "message": text} for span, text in self.notes],
        }


class TooManyMistakes(Exception):
    """A file has more mistakes than a reader can use; checking stops."""


class Diagnostics:
    """Collects the diagnostics of one file: each once, in order of place, at most `MAX_DIAGNOSTICS`.

    Recording one more raises `TooManyMistakes`, so that a file full of mistakes takes no longer than others.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: dict[tuple[Span | None, str], Diagnostic] = {}
        self._too_many = False
        self.words_as_names: set[str] = set()
        """Words of the language that the file declares as names: each is one mistake, wherever it is used."""

    def error(
        self, span: Span | None, message: str, hint: str | None = None, notes: Iterable[tuple[Span, str]] = ()
    ) -> None:
        """Record an error."""
        self._add("error", span, message, hint, notes)

    def warning(self, span: Span | None, message: str, hint: str | None = None) -> None:
        """Record a warning: the game can be played, but something is probably a mistake."""
        self._add("warning", span, message, hint, ())

    def _add(
        self, severity: Severity, span: Span | None, message: str, hint: str | None, notes: Iterable[tuple[Span, str]]
    ) -> None:
        if (span, message) in self._found:
            return
        if len(self._found) >= MAX_DIAGNOSTICS:
            self._too_many = True
            raise TooManyMistakes
        self._found[span, message] = Diagnostic(severity, self._file, span, message, hint, tuple(notes))

    @property
    def has_errors(self) -> bool:
        """Whether an error was recorded."""
        return any(diagnostic.severity == "error" for diagnostic in self._found.values())

    def sorted(self) -> tuple[Diagnostic, ...]:
        """Return all diagnostics in order of place; those without a place first."""
        found = sorted(self._found.values(), key=_place)
        if self._too_many:
            severity: Severity = "error" if self.has_errors else "warning"
            what = "mistakes" if self.has_errors else "warnings"
            found.append(
                Diagnostic(severity, self._file, None, f"more than {MAX_DIAGNOSTICS} {what}; the rest is left out")
            )
        return tuple(found)


def _place(diagnostic: Diagnostic) -> tuple[int, int]:
    return (diagnostic.span.line, diagnostic.span.column) if diagnostic.span else (0, 0)


def suggestions(name: str, candidates: Iterable[str]) -> str | None:
    """Return a hint with the candidates nearest to a misspelled name, nearest first, three at most."""
    allowed = max(1, len(name) // 3)
    fitting = (other for other in dict.fromkeys(candidates) if abs(len(other) - len(name)) <= allowed)
    near = sorted((_edits(name.lower(), other.lower()), other) for other in islice(fitting, MAX_SUGGESTED))
    best = [other for edits, other in near if edits <= allowed and edits < len(name)][:3]
    if not best:
        return None
    return "did you mean " + " or ".join(f"`{other}`" for other in best) + "?"


def _edits(first: str, second: str) -> int:
    """Return the number of insertions, deletions, replacements and swaps of neighbours between two short words."""
    if len(first) > 64 or len(second) > 64:
        return 64
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, start=1):
        current = [i]
        for j, other in enumerate(second, start=1):
            edits = min(current[j - 1] + 1, row[j] + 1, row[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                edits = min(edits, before[j - 2] + 1)
            current.append(edits)
        before, row = row, current
    return row[-1]
