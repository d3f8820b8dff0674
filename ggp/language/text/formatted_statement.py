"""How one statement is written: the blanks between its tokens, and the columns at which its further lines begin.

The author's line breaks stay. Where a line begins follows from what is broken: an `else` stands under its `if`, an
operator under the beginning of its left side, an item under the first one of its list. Nothing depends on the blanks
that were there before.
"""

from __future__ import annotations

from lark import Token, Tree
from msgspec import Struct

INDENT = 4
_NO_BLANK_BEFORE = frozenset(["AT_MOST", "COMMA", "COLON", "DOT", "TO", "RPAR", "RSQB", "RBRACE"])
_NO_BLANK_AFTER = frozenset(["DOT", "TO", "LPAR", "LSQB", "LBRACE"])
_MAY_BE_TIGHT = frozenset(["STAR", "SLASH", "CIRCUMFLEX"])
_OPENING = frozenset(["LPAR", "LSQB", "LBRACE"])
_CLOSING = frozenset(["RPAR", "RSQB", "RBRACE"])
_APPLIED = frozenset(["call", "board", "definition", "attribute"])
"""Nodes whose round bracket follows a name directly."""
_LISTS = frozenset(["arguments", "indices", "choices", "binders", "expressions", "items", "seen_values"])
_OPERATIONS = frozenset(["binary", "comparison", "membership", "is_none"])
_TAILS = frozenset(["tail_for", "tail_if", "tail_where"])
"""The parts at the end of statements that are aligned with those of their neighbours."""
_OPTIONS = _TAILS | {
    "among", "at_most", "by_choices", "filter", "for_player", "index_name", "indexed_by", "label", "look_parts",
    "on_grid", "on_side", "styled", "weight", "where",
}  # fmt: skip
"""Parts that a rule may leave out: their lines begin as if their tokens were those of the whole."""


class Written(Struct, frozen=True):
    """One line of a statement: its number in the file as it was, its column from 0, its text from there on."""

    number: int
    column: int
    text: str


class StatementWriter:
    """Writes one statement."""

    def __init__(self, tree: Tree[Token], indent: int) -> None:
        """Prepare to write a statement.

        Args:
            tree: its parse tree, every token kept.
            indent: the column, from 0, at which it begins.
        """
        self._indent = indent
        self._tokens: list[Token] = []
        self._parents: list[Tree[Token]] = []
        self._first: dict[int, int] = {}
        self._parent_of: dict[int, Tree[Token]] = {}
        self._number(tree)
        self._tails = [position for position, parent in enumerate(self._parents) if parent.data in _TAILS]

    def _number(self, tree: Tree[Token]) -> None:
        """Yield the tokens numbers, in order; note each token's node, and each node's parent and first token."""
        waiting: list[Tree[Token] | tuple[Token, Tree[Token]]] = [tree]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Tree):
                self._first[id(part)] = len(self._tokens)
                for child in reversed(part.children):
                    if isinstance(child, Tree):
                        self._parent_of[id(child)] = part
                        waiting.append(child)
                    elif child is not None:
                        waiting.append((child, part))
            else:
                self._tokens.append(part[0].update(value=", at most") if part[0].type == "AT_MOST" else part[0])
                self._parents.append(part[1])

    def head_width(self) -> int:
        """Return the column behind what stands before the aligned tail on its line; 0 where there is no such thing."""
        if not self._tails or self._begins_line(self._tails[0]):
            return 0
        columns = self._columns(tail_column=0)
        before = self._tails[0] - 1
        return columns[before] + len(self._tokens[before])

    def lines(self, tail_column: int) -> list[Written]:
        """Return the statement's lines.

        Args:
            tail_column: the column, from 0, at which the aligned tail begins, unless the head reaches further.
        """
        columns = self._columns(tail_column)
        written: list[Written] = []
        begin, text = 0, ""
        for position, token in enumerate(self._tokens):
            if position and self._begins_line(position):
                written.append(Written(line_of(self._tokens[begin]), columns[begin], text))
                begin, text = position, ""
            text += " " * (columns[position] - columns[begin] - len(text)) + token
        written.append(Written(line_of(self._tokens[begin]), columns[begin], text))
        return written

    def _columns(self, tail_column: int) -> list[int]:
        columns = [self._indent]
        # The column at which the line of each token begins.
        starts = [self._indent]
        for position in range(1, len(self._tokens)):
            behind = columns[-1] + len(self._tokens[position - 1])
            is_tail = position in self._tails
            if self._begins_line(position):
                column = tail_column if is_tail else self._continuation(position, columns, starts)
                # Deeper than the statement, or the line would begin a new one.
                minimum = self._indent if self._tokens[position].type in _CLOSING else self._indent + INDENT
                columns.append(max(column, minimum))
                starts.append(columns[-1])
                continue
            column = behind + self._blanks_before(position)
            if is_tail and position == self._tails[0]:
                column = max(tail_column, column + 1)
            columns.append(column)
            starts.append(starts[-1])
        return columns

    def _begins_line(self, position: int) -> bool:
        return line_of(self._tokens[position]) != line_of(self._tokens[position - 1])

    def _blanks_before(self, position: int) -> int:
        before, token = self._tokens[position - 1], self._tokens[position]
        parent = self._parents[position]
        if before.type in _NO_BLANK_AFTER or token.type in _NO_BLANK_BEFORE:
            return 0
        if token.type == "LPAR" and parent.data in _APPLIED:
            return 0
        if token.type == "LSQB" and parent.data != "list":
            return 0
        if before.type == "MINUS" and self._parents[position - 1].data == "unary":
            return 0
        return 0 if self._is_tight(position - 1) or self._is_tight(position) else 1

    def _is_tight(self, position: int) -> bool:
        """Return whether the author wrote this operator without blanks, to show what belongs together: `a + 2*b`."""
        token = self._tokens[position]
        if token.type not in _MAY_BE_TIGHT or position + 1 == len(self._tokens):
            return False
        before, after = self._tokens[position - 1], self._tokens[position + 1]
        return before.end_pos == token.start_pos and token.end_pos == after.start_pos

    def _continuation(self, position: int, columns: list[int], starts: list[int]) -> int:
        """Return the column of a token that begins a further line of the statement."""
        token, before = self._tokens[position], self._tokens[position - 1]
        node = self._parents[position]
        while self._first[id(node)] == position:
            node = self._parent_of[id(node)]
        if token.type in _CLOSING:
            return starts[self._opening(node, position)]
        if before.type in _OPENING:
            return starts[position - 1] + INDENT
        while node.data in _OPTIONS:
            node = self._parent_of[id(node)]
        first = self._first[id(node)]
        if node.data == "conditional":
            head = columns[self._chain_head(node)]
            return head if token.type in ("THEN", "ELSE") else head + INDENT
        if node.data in _OPERATIONS or node.data in _LISTS:
            return columns[first]
        if node.data in ("enumeration", "players", "comprehension") and position > first + 1:
            return columns[first + 1]
        if node.data == "naming" and before.type == "COLON" and self._begins_line(first):
            return columns[first]
        if node.data in ("quantified", "naming", "search"):
            return starts[first] + INDENT
        if first == 0 or node.data == "transfer_if":
            return self._indent + INDENT
        return columns[first] + INDENT

    def _opening(self, node: Tree[Token], position: int) -> int:
        """Return the position of the bracket that the token at `position`, a child of `node`, closes."""
        return next(
            earlier
            for earlier in range(position - 1, -1, -1)
            if self._parents[earlier] is node and self._tokens[earlier].type in _OPENING
        )

    def _chain_head(self, node: Tree[Token]) -> int:
        """Return the position of the first `if` of `if ... else if ... else ...`."""
        first = self._first[id(node)]
        while first and self._tokens[first - 1].type == "ELSE" and not self._begins_line(first):
            parent = self._parents[first - 1]
            if parent.data != "conditional":
                break
            first = self._first[id(parent)]
        return first


def line_of(token: Token) -> int:
    """Return the line of a token."""
    assert token.line is not None
    return token.line
