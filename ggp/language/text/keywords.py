"""The words of the language, and what diagnostics call the grammar's terminals."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from ggp.language.pieces import LINE_KINDS
from ggp.language.text.grammar import grammar

FILE_WORDS = frozenset([
    "game", "param", "players", "type", "board", "history", "table", "state", "phase", "def", "let", "payoff",
    "estimate", "display",
])  # fmt: skip
"""First words of the statements of a file."""
PHASE_WORDS = frozenset(["chance", "each", "let", "sees", "on", "next"])
"""First words of the statements of a phase; the others begin with a player or a variable."""
_LINE_KINDS = tuple(kind.upper() for kind in LINE_KINDS)
SOFT_WORDS = frozenset([
    "BOARD", "BY", "CHOOSES", "DEALS", "DISTANCE", "DRAWS", "FROM", "GRID", "HISTORY", "LABEL", "LINES", *_LINE_KINDS,
    "NOTHING", "OF", "OLD", "REACH", "SEQUENCE", "TABLE", "THE", "THROUGH", "WEIGHT", "WHERE",
])  # fmt: skip
"""Terminals that are words of the language only where the grammar has a place for them, and names elsewhere."""
FOLLOWED_BY = {
    "REACH": "FROM", "DISTANCE": "FROM", "LINES": "BY", "GRID": "NAME", "NOTHING": "$END", "THE": "NAME",
    "OLD": "NAME COUNT", "SEQUENCE": "OF",
    **dict.fromkeys(_LINE_KINDS, "STRING"),
}  # fmt: skip
"""Soft words that could stand for a value at the same place: they are words only before one of these terminals."""

_KINDS = {
    "NAME": "a name",
    "INTEGER": "a number",
    "REAL": "a number",
    "STRING": "a text in quotes",
    "$END": "the end of the line",
}
COMPARATORS = frozenset(["EQUAL", "UNEQUAL", "LESS_EQUAL", "GREATER_EQUAL", "LESSTHAN", "MORETHAN", "IN", "IS"])
_CONTINUES_A_VALUE = COMPARATORS | {
    "TO", "PLUS", "MINUS", "STAR", "SLASH", "CIRCUMFLEX", "AMPERSAND", "DIV", "MOD", "AND", "OR", "NOT", "DOT", "LSQB",
    "LPAR",
}  # fmt: skip
_BEGINS_A_VALUE = frozenset(["NAME", "INTEGER", "LPAR"])


def word(terminal: str) -> str:
    """Return what an author calls a terminal: "`next`", "`:=`", "a name"."""
    return _KINDS.get(terminal) or f"`{_patterns().get(terminal, terminal.lower())}`"


@cache
def _patterns() -> dict[str, str]:
    """Return the text of each terminal that is always written in one way."""
    return {one.name: one.pattern.value for one in grammar().terminals if one.pattern.type == "str"}


def wanted(terminals: Collection[str]) -> str:
    """Return the words for what is missing where any of these terminals could stand."""
    if set(terminals) >= _BEGINS_A_VALUE:
        others = [] if "$END" not in terminals else ["the end of the line"]
        return " or ".join(["a value", *others])
    rest = sorted(set(terminals) - _CONTINUES_A_VALUE) or sorted(terminals)
    names = list(dict.fromkeys(word(terminal) for terminal in rest))
    # The end of the line comes last: anything else that could have stood there is more likely to have been meant.
    names.sort(key=lambda name: name == _KINDS["$END"])
    if len(names) > 5:
        return "something else"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
