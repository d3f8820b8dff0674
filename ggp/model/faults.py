"""Faults: errors of the rules that show only in play, and where in the rules they lie."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ggp.language.source import Span

FaultKind: TypeAlias = Literal["out_of_range", "is_none", "division_by_zero", "empty", "weights", "conflict"]
"""`out_of_range`, `is_none`: a `Guard` or an `Unwrap` of the typed tree. `empty`: a minimum or maximum of nothing, a
chance draw from nothing, or nobody to act. `weights`: a negative chance weight, or weights that add up to nothing.
`conflict`: two assignments to one element, or one player acting twice, in one transition."""


class RulesFault(Exception):
    """An error of the rules, met while playing.

    Attributes:
        kind: what went wrong.
        span: where in the rules file.
        reason: in the author's words, without the value.
        value: the value that did not fit, as text; None where there is none to tell.
    """

    def __init__(self, kind: FaultKind, span: Span, reason: str, value: str | None = None) -> None:
        super().__init__(kind, span, reason, value)
        self.kind: FaultKind = kind
        self.span = span
        self.reason = reason
        self.value = value

    def __str__(self) -> str:
        got = "" if self.value is None else f", got {self.value}"
        return f"{self.span.line}:{self.span.column}: {self.reason}{got}"
