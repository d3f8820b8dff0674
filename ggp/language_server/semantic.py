"""What each token of a rules file is, for the colours of editors: names by what they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from ggp.language.check.expressions.built_ins import BUILT_INS
from ggp.language.text.lines import span_of
from ggp.language.text.source import Span
from ggp.language_server.analysis import Analysis

TokenKind: TypeAlias = Literal[
    "keyword", "type", "function", "variable", "parameter", "enumMember", "event", "property", "number", "string"
]
_KIND_OF: dict[str, TokenKind] = {
    "type": "type",
    "board": "type",
    "function": "function",
    "variable": "variable",
    "table": "variable",
    "history": "variable",
    "member": "enumMember",
    "player": "enumMember",
    "phase": "event",
    "kind of move": "event",
}
_BY_TERMINAL: dict[str, TokenKind] = {"INTEGER": "number", "REAL": "number", "STRING": "string"}


def tokens(analysis: Analysis) -> Iterator[tuple[Span, TokenKind]]:
    """Yield the place and kind of each token that has a colour, in order; operators and brackets have none."""
    uses = analysis.result.names.uses
    before = ""
    for token in analysis.tokens:
        place = span_of(token)
        found = analysis.declared.get(uses.get(place, place))
        if found is not None:
            yield place, _KIND_OF.get(found.kind, "parameter")
        elif token.type in _BY_TERMINAL:
            yield place, _BY_TERMINAL[token.type]
        elif token.type == "NAME" and token in BUILT_INS:
            yield place, "function"
        elif token.type == "NAME" and before == "DOT":
            yield place, "property"
        elif token.type != "NAME" and token.isalpha():
            yield place, "keyword"
        before = token.type
