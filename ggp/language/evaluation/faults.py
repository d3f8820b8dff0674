"""Faults of the rules, and limits on what they may take."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ggp.errors import GgpError
from ggp.language.text.source import Span

FaultKind: TypeAlias = Literal[
    "out_of_range", "is_none", "division_by_zero", "empty", "weights", "conflict", "dead_end",
    "other_sum",
]  # fmt: skip
"""`out_of_range`, `is_none`: a `Guard` or an `Unwrap` of the typed tree. `empty`: a minimum or maximum of nothing, a
chance draw from nothing, or nobody to act. `weights`: a negative chance weight, or weights that add up to nothing.
`conflict`: two assignments to one element, or one player acting twice, in one transition. `dead_end`: a player is to
move and has no legal action. `other_sum`: the payoffs do not add up to what the rules state."""


class GameError(GgpError):
    """The root of this module's errors."""


class RulesFault(GameError):
    """The rules did something in play that they may not do; the fault is the author's, not the caller's."""

    def __init__(
        self, kind: FaultKind, span: Span, reason: str, value: str | None = None, source_name: str = ""
    ) -> None:
        super().__init__(kind, span, reason, value, source_name)
        self.kind: FaultKind = kind
        self.span = span
        self.reason = reason
        self.value = value
        """The value that did not fit, as text; None where there is none to tell."""
        self.source_name = source_name
        self.in_next = False
        """Whether it showed in `next`, which reads the state after the updates; told by the reference interpreter."""

    @property
    def explanation(self) -> str:
        """What is wrong, without the place."""
        if self.kind == "is_none":
            return f"none where a value is needed: {self.reason}"
        if self.kind == "out_of_range" and self.value is None:
            return f"{self.reason}, got another value"
        return self.reason if self.value is None else f"{self.reason}, got {self.value}"

    def __str__(self) -> str:
        return f"{self.source_name or 'rules'}:{self.span.line}:{self.span.column}: {self.explanation}"


class LimitExceeded(GameError):
    """The game needs more state, actions, outcomes or code than the limits of this implementation."""

    def __init__(self, what: str, needed: int, limit: int) -> None:
        super().__init__(what, needed, limit)
        self.what = what
        self.needed = needed
        self.limit = limit

    def __str__(self) -> str:
        return f"the game needs {self.needed:,} {self.what}; the limit is {self.limit:,}"
