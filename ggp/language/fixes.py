"""Edits that would mend what a diagnostic reports, for `ggp check --json` and for editors."""

from __future__ import annotations

import re

from msgspec import Struct

from ggp.language.diagnostics import Diagnostic, suggestions
from ggp.language.text.source import SourceFile, Span

_ONE_WORD = frozenset(
    ["true", "false", "True", "False", "elif", "elseif", "otherwise", "xor", "=", ":=", "!", "|", "%"]
)
"""What is replaced whole by what its hint says to write."""


class Fix(Struct, frozen=True):
    """One way to mend a mistake: replace what stands at `span` by `text`."""

    title: str
    span: Span
    text: str

    def facts(self) -> dict[str, object]:
        """Return the fix as `--json` gives it."""
        return {"title": self.title, **self.span.facts(), "text": self.text}


def fixes(diagnostic: Diagnostic, source: SourceFile) -> list[Fix]:
    """Return the edits of which each would mend what a diagnostic reports, the likeliest first; often there are none.

    Args:
        diagnostic: what is wrong; what its hint says to write is what an edit writes.
        source: the file that it is about.
    """
    span, hint = diagnostic.span, diagnostic.hint or ""
    if span is None or span.line != span.end_line:
        return []
    lines = source.text.split("\n")
    line = lines[span.line - 1] if span.line <= len(lines) else ""
    there, named = line[span.column - 1 : span.end_column - 1], re.findall(r"`([^`]+)`", hint)
    if hint.startswith("did you mean"):
        return [_replacement(span, there, name) for name in named if suggestions(there, [name]) is not None]
    if hint.startswith("write `") and there in _ONE_WORD and " " not in named[0].replace("else if", ""):
        return [_replacement(span, there, named[0])]
    if hint.startswith("add a `") and diagnostic.message.endswith("is never closed"):
        return [_closed(lines, span, named[0])]
    if hint.startswith("to continue the statement above"):
        return [Fix("indent this line deeper", Span(span.line, 1, span.line, 1), "    ")]
    if diagnostic.message.endswith("closes a bracket that was never opened"):
        return [Fix(f"remove `{there}`", span, "")]
    if opened := re.match(r"expected `([])}])`, found `[])}]`$", diagnostic.message):
        return [_replacement(span, there, opened[1])]
    return []


def _replacement(span: Span, before: str, after: str) -> Fix:
    return Fix(f"replace `{before}` by `{after}`", span, after)


def _closed(lines: list[str], opened: Span, closing: str) -> Fix:
    """Return what closes a bracket or text at the end of its line, before a comment, spaces or a `:`."""
    line = lines[opened.line - 1]
    if closing == '"':
        end = len(line.rstrip())
    else:
        code = re.split(r'#(?=[^"]*(?:"[^"]*"[^"]*)*$)', line, maxsplit=1)[0].rstrip()
        end = len(code.removesuffix(":").rstrip())
    place = Span(opened.line, end + 1, opened.line, end + 1)
    return Fix(f"add a `{closing}`", place, closing)
