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
FOREIGN = {
    "elif": "write `else if`",
    "otherwise": "write `else`",
    "elseif": "write `else if`",
    "xor": "write `!=` between two truth values",
    "implies": "write `not a or b`",
    "true": "write `yes`",
    "false": "write `no`",
    "forall": "write `all x in S: ...`",
    "exists": "write `any x in S: ...`",
    **dict.fromkeys(("argmax", "argmin"), "the first x with the most is `the x in S: all y in S: f(y) <= f(x)`"),
    "goto": "write `next PHASE`, or `next a if condition else b`",
    **dict.fromkeys(("switch", "match"), "write `if a then b else if c then d else e`, or declare a `table`"),
}
"""Words of other languages, and what is written here instead."""
FOREIGN_FIRST = {
    name: hint
    for names, hint in (
        ("const constant define", "write `let NAME = VALUE`, or `param NAME: TYPE = VALUE` to set it before play"),
        ("var variable int", "variables are declared below `state`, as `name: type = value`"),
        ("function func fun fn", "write `def NAME(x: TYPE) = VALUE`"),
        ("enum", "write `type NAME = {a, b, c}`"),
        ("while repeat loop", "a phase that comes again is the loop: `next PHASE if condition else ANOTHER`"),
        ("return", "a definition is one value: `def NAME(x: TYPE) = VALUE`"),
        ("hide reveal tell show", "`sees row: c` tells row the value of c; whoever is not named is not told"),
        ("print echo", "what people see of a state stands below `display`"),
        ("shuffle roll", "chance draws in a phase of its own: `chance draws c in S`"),
        ("winner win wins", "who wins is told by numbers: `payoff[p] = if CONDITION then 1 else -1`"),
        ("next_player nextplayer end_turn pass_turn switch_turn", "keep whose turn it is: `turn := after(turn)`"),
    )
    for name in names.split()
}
"""What statements of other languages begin with, and what is written here instead."""


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
