"""Groups the tokens of a rules file into statements and blocks by lines and indentation.

A line indented deeper than the statement before it continues that statement, unless that statement opens a block:
`state`, `phase`, `display`, a line that ends in `chooses`, an `on KIND:` with nothing behind it. Inside brackets line
ends and indentation mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from lark import Token

from ggp.language.diagnostics import Diagnostics, suggestions
from ggp.language.limits import MAX_DEPTH
from ggp.language.text.keywords import FILE_WORDS, PHASE_WORDS, SOFT_WORDS
from ggp.language.text.source import Span

_CLOSED_BY = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE"}
_CLOSING = {"RPAR": ")", "RSQB": "]", "RBRACE": "}"}
_BLOCK_OF = {"STATE": "state_statement", "PHASE": "phase_statement", "DISPLAY": "display_statement"}
_STATEMENT_STARTS = frozenset(word.upper() for word in FILE_WORDS | PHASE_WORDS)
"""Terminals that begin statements; those that are names elsewhere do so at the left margin alone."""
_CHARACTER_HINTS = {
    "!": "write `not`, or `!=` for `is not equal`",
    "|": "write `or`, or `+` for the union of two sets",
    ";": "put each statement on a line of its own",
    "'": 'put texts in double quotes: `"`',
    "?": "write `if condition then a else b`; of a type, `T or none`",
    "%": "write `mod` for the remainder of a division",
    "@": None,
}


@dataclass(slots=True)
class Statement:
    """The tokens of one statement, and the block it opens.

    `kind` is the start rule of the grammar that it must follow. `damaged`: something in it was reported already, so
    that it is not parsed.
    """

    kind: str
    tokens: list[Token]
    children: list[Statement] = field(default_factory=list)
    damaged: bool = False

    @property
    def column(self) -> int:
        """The column of its first character."""
        return column_of(self.tokens[0])

    @property
    def block(self) -> str | None:
        """The kind of the statements in the block that this one opens, None if it opens none."""
        first, last = self.tokens[0], self.tokens[-1]
        if self.kind == "file_statement":
            return _BLOCK_OF.get(first.type)
        if self.kind == "phase_statement":
            if last.type == "CHOOSES":
                return "kind_statement"
            if first.type == "ON" and last.type == "COLON":
                return "on_statement"
        return None


def column_of(token: Token) -> int:
    """Return the column of a token's first character."""
    assert token.column is not None
    return token.column


def span_of(token: Token) -> Span:
    """Return the place of a token."""
    assert token.line is not None
    assert token.end_line is not None
    assert token.end_column is not None
    return Span(token.line, column_of(token), token.end_line, token.end_column)


def statements(tokens: Iterable[Token], text: str, found: Diagnostics) -> list[Statement]:
    """Return the statements of a file with their blocks.

    Args:
        tokens: all tokens of the file, line ends included.
        text: the file's text, looked at for tabs.
        found: receives what is wrong with brackets, indentation and characters.
    """
    tabs = _check_tabs(text, found)
    top: list[Statement] = []
    blocks: list[tuple[str, int, list[Statement]]] = []
    current: Statement | None = None
    for line, damaged in _lines(tokens, found):
        column = column_of(line[0])
        damaged |= line[0].line in tabs
        if not blocks:
            blocks.append(("file_statement", column, top))
        if current is not None and column > current.column:
            kind = current.block
            if kind is None:
                current.tokens += line
                current.damaged |= damaged
                continue
            blocks.append((kind, column, current.children))
        else:
            _, indent, _ = left = blocks[-1]
            while len(blocks) > 1 and column < blocks[-1][1]:
                left = blocks.pop()
            if column > blocks[-1][1]:
                indent = left[1]
                blocks.append(left)
                found.error(
                    span_of(line[0]),
                    f"this line is indented by {column - 1}, the statements above it by {indent - 1}",
                    "indent all statements of a block alike",
                )
        kind, _, siblings = blocks[-1]
        _correct_first_word(line, kind, found)
        current = Statement(kind, line, damaged=damaged)
        siblings.append(current)
    return top


def _lines(tokens: Iterable[Token], found: Diagnostics) -> Iterator[tuple[list[Token], bool]]:
    """Yield the tokens of each line, lines inside brackets joined, and whether a mistake was found in it."""
    tokens = list(tokens)
    line: list[Token] = []
    brackets: list[Token] = []
    damaged = False
    at_line_start = True
    place = owed = 0
    while place < len(tokens) or brackets:
        token = tokens[place] if place < len(tokens) else None
        place += 1
        if token is not None and token.type == "NEWLINE":
            at_line_start = True
            if not brackets and line:
                yield line, damaged
                line, damaged = [], False
            continue
        if token is None or (brackets and (token.type == "ASSIGN" or (at_line_start and _begins_statement(token)))):
            if not damaged:
                _report_unclosed(brackets[-1], found)
            owed = len(brackets)
            brackets.clear()
            damaged = True
            # The statement reaches as far as lines are indented deeper; what follows is read again as statements.
            kept = _indented(line)
            if kept < len(line):
                place = next(index for index, other in enumerate(tokens) if other is line[kept])
                yield line[:kept], damaged
                line, damaged, at_line_start = [], False, True
                continue
            if token is None:
                break
            if at_line_start:
                yield line, damaged
                line, damaged = [], False
        at_line_start = False
        if token.type in ("UNKNOWN", "UNCLOSED_STRING"):
            # Only the first one of a statement: what follows a stray character is likely to be part of it.
            if not damaged:
                _report_stray(token, line, found)
            damaged = True
            if not line and not brackets:
                line.append(token)
            continue
        line.append(token)
        if token.type in _CLOSED_BY:
            brackets.append(token)
            if len(brackets) == MAX_DEPTH + 1 and not damaged:
                found.error(
                    span_of(token), f"brackets are nested more than {MAX_DEPTH} deep", "name the parts with `let`"
                )
                damaged = True
        elif token.type in _CLOSING and owed and not brackets:
            owed -= 1  # closes a bracket that was reported as never closed
            damaged = True
        elif token.type in _CLOSING and not damaged:
            damaged = _report_mismatch(token, brackets, found)
        elif token.type in _CLOSING and brackets:
            brackets.pop()
    if line:
        yield line, damaged


def _indented(line: list[Token]) -> int:
    """Return how many tokens of a statement stand before the first of its lines that is indented no deeper than it."""
    for place, (before, token) in enumerate(pairwise(line), start=1):
        if token.line != before.line and column_of(token) <= column_of(line[0]) and token.type not in _CLOSING:
            return place
    return len(line)


def _begins_statement(token: Token) -> bool:
    return token.type in _STATEMENT_STARTS and (token.type not in SOFT_WORDS or token.column == 1)


def _report_mismatch(token: Token, brackets: list[Token], found: Diagnostics) -> bool:
    """Close the innermost bracket; report, and return True, if `token` does not fit it."""
    if not brackets:
        found.error(span_of(token), f"`{token}` closes a bracket that was never opened")
        return True
    opened = brackets.pop()
    if _CLOSED_BY[opened.type] == token.type:
        return False
    wanted = _CLOSING[_CLOSED_BY[opened.type]]
    found.error(
        span_of(token),
        f"expected `{wanted}`, found `{token}`",
        notes=[(span_of(opened), f"`{opened}` was opened here")],
    )
    return True


def _report_unclosed(bracket: Token, found: Diagnostics) -> None:
    wanted = _CLOSING[_CLOSED_BY[bracket.type]]
    found.error(span_of(bracket), f"`{bracket}` is never closed", f"add a `{wanted}`")


def _report_stray(token: Token, before: list[Token], found: Diagnostics) -> None:
    if token.type == "UNCLOSED_STRING":
        found.error(span_of(token), "this text is never closed", 'add a `"` at its end')
        return
    shown = f"`{token}`" if token.isprintable() else f"U+{ord(token):04X}"
    hint = _CHARACTER_HINTS.get(str(token))
    chooses = [place for place, other in enumerate(before) if other.type == "CHOOSES"]
    if token == "|" and chooses:
        hint = "kinds of moves stand below `chooses`, one on each line"
        if any(other.type == "IN" for other in before[chooses[-1] :]):
            hint = f"{_CHARACTER_HINTS['|']}; {hint}"
    found.error(span_of(token), f"unexpected character {shown}", hint)


def _correct_first_word(line: list[Token], kind: str, found: Diagnostics) -> None:
    """Report a misspelled first word of a statement of the file, and read it as the word that was meant."""
    first = line[0]
    if kind != "file_statement" or first.type != "NAME":
        return
    hint = suggestions(first, FILE_WORDS)
    if hint is None:
        return
    found.error(span_of(first), f"no statement begins with `{first}`", hint)
    meant = hint.split("`")[1]
    line[0] = first.update(type=meant.upper(), value=meant)


def _check_tabs(text: str, found: Diagnostics) -> set[int]:
    """Return the numbers of the lines whose indentation has tabs; report the first."""
    lines: set[int] = set()
    for number, line in enumerate(text.split("\n"), start=1):
        indent = line[: len(line) - len(line.lstrip())]
        if "\t" in indent:
            if not lines:
                column = indent.index("\t") + 1
                found.error(
                    Span(number, column, number, column + 1),
                    "a tab in the indentation",
                    "indent with spaces only, such as four",
                )
            lines.add(number)
    return lines
