"""Rules files in one format: indentation, blanks, aligned tails and comments, blank lines between blocks.

The author's decisions stay: the order of everything, line breaks, comments, blank lines (one at a time). How one
statement is written is left to `ggp.language.text.formatted_statement`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from ggp.language.diagnostics import Diagnostic, Diagnostics
from ggp.language.text.formatted_statement import INDENT, StatementWriter, Written, line_of
from ggp.language.text.grammar import grammar
from ggp.language.text.lines import Statement, statements
from ggp.language.text.parser import parse, statement_tree
from ggp.language.text.source import SourceFile

TAIL_COLUMN = 59
"""Column, from 0, of the `for`, `if` or `where` that ends a statement, unless its neighbours need more room."""
COMMENT_COLUMN = 47
"""Column, from 0, of a comment behind a statement, unless its neighbours need more room."""
MAX_ALIGNED = 80
"""A line longer than this does not push its neighbours' tails and comments to the right."""


class _Placed(Struct, frozen=True):
    """A statement, the number of the statement of the file that it belongs to, and where it stood.

    `columns` are those, from 0, of the statements around it, outermost first, and its own.
    """

    statement: Statement
    block: int
    columns: tuple[int, ...]

    @property
    def depth(self) -> int:
        return len(self.columns) - 1

    @property
    def first_line(self) -> int:
        return line_of(self.statement.tokens[0])

    @property
    def last_line(self) -> int:
        return line_of(self.statement.tokens[-1])


class _Original(Struct, frozen=True):
    """The file as it was: its statements in order, and its comments by line, each with its column from 0."""

    top: list[Statement]
    placed: list[_Placed]
    comments: dict[int, tuple[int, str]]
    line_count: int


class _Row(Struct, frozen=True):
    """One line of the file to be: `text` without indentation, empty where a comment stands alone.

    `block` is the number of the statement of the file that the line belongs to, comments above it included.
    """

    column: int
    text: str
    comment: str
    block: int
    blank_before: bool

    @property
    def width(self) -> int:
        return self.column + len(self.text)


def format_rules(source: SourceFile) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Return the text of a rules file in the format of the language.

    Formatting a formatted file changes nothing, and the syntax tree stays the same but for its places.

    Args:
        source: the file. Its line ends are single newlines, as they are in the result.

    Returns:
        The formatted text, None if the file has errors of syntax; and the diagnostics of syntax.
    """
    _, diagnostics = parse(source)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        return None, diagnostics
    found = Diagnostics(source.name)
    original = _original(source.text, found)
    written = _written(original, found)
    assert not found.has_errors, "the file was parsed without errors before"
    rows = _aligned(_parted(_rows(original, written), original.top))
    return "".join(_row_text(*row) for row in rows), diagnostics


def _original(text: str, found: Diagnostics) -> _Original:
    top = statements(grammar().lex(text), text, found)
    placed: list[_Placed] = []
    waiting = [_Placed(one, block, (one.column - 1,)) for block, one in enumerate(top)]
    waiting.reverse()
    while waiting:
        one = waiting.pop()
        placed.append(one)
        children = reversed(one.statement.children)
        waiting += [_Placed(child, one.block, (*one.columns, child.column - 1)) for child in children]
    lines = text.split("\n")
    return _Original(top, placed, dict(_comments(lines, placed)), len(lines))


def _comments(lines: list[str], placed: list[_Placed]) -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield the comments, line by line: nothing else can follow the last token of a line."""
    ends = {line_of(token): (token.end_column or 1) - 1 for one in placed for token in one.statement.tokens}
    for number, line in enumerate(lines, start=1):
        comment = line[ends.get(number, 0) :].strip()
        if comment:
            yield number, (line.index(comment, ends.get(number, 0)), comment)


def _written(original: _Original, found: Diagnostics) -> dict[int, Written]:
    """Return the lines of all statements by number, with the tails of neighbouring statements aligned."""
    writers: dict[int, StatementWriter] = {}
    for one in original.placed:
        tree = statement_tree(one.statement, found)
        assert tree is not None, "the file was parsed without errors before"
        writers[id(one.statement)] = StatementWriter(tree, one.depth * INDENT)
    written: dict[int, Written] = {}
    full = original.comments.keys() | {line_of(token) for one in original.placed for token in one.statement.tokens}
    for siblings in (original.top, *(one.statement.children for one in original.placed)):
        for group in _neighbours(siblings, full):
            members = [writers[id(statement)] for statement in group]
            widths = [member.head_width() for member in members]
            column = max([TAIL_COLUMN, *(width + 2 for width in widths if width <= MAX_ALIGNED)])
            written.update((line.number, line) for member in members for line in member.lines(column))
    return written


def _neighbours(siblings: list[Statement], full: set[int]) -> Iterator[list[Statement]]:
    """Yield the statements of one block in groups between which there are blank lines; `full` are all other lines."""
    group: list[Statement] = []
    for statement in siblings:
        if group and not full.issuperset(range(line_of(group[-1].tokens[-1]), line_of(statement.tokens[0]))):
            yield group
            group = []
        group.append(statement)
    if group:
        yield group


def _rows(original: _Original, written: dict[int, Written]) -> list[_Row]:
    """Return the lines of the formatted file; blank lines as the author set them, but none where a block begins."""
    rows: list[_Row] = []
    blank = opens = False
    following = 0
    inside = _columns_inside(original, written)
    for number in range(1, original.line_count + 1):
        while following < len(original.placed) and original.placed[following].first_line <= number:
            following += 1
        line, (comment_column, comment) = written.get(number), original.comments.get(number, (0, ""))
        if line is None and not comment:
            blank = bool(rows) and not opens
            continue
        if line is not None:
            owner = original.placed[following - 1]
            rows.append(_Row(line.column, line.text, comment, owner.block, blank))
            opens = bool(owner.statement.children) and owner.last_line == number
        else:
            if number in inside:
                column, block = inside[number], original.placed[following - 1].block
            else:
                column, block = _place_between(original, following, comment_column)
            rows.append(_Row(column, "", comment, block, blank))
            opens = False
        blank = False
    return rows


def _columns_inside(original: _Original, written: dict[int, Written]) -> dict[int, int]:
    """Return the columns of comments on lines of their own within a statement: that of its next line."""
    columns: dict[int, int] = {}
    for one in original.placed:
        column = 0
        for number in range(one.last_line, one.first_line, -1):
            if number in written:
                column = written[number].column
            elif number in original.comments:
                columns[number] = column
    return columns


def _place_between(original: _Original, following: int, comment_column: int) -> tuple[int, int]:
    """Return the column, from 0, of a comment between two statements, and the block it belongs to.

    Args:
        original: the file.
        following: position of the statement behind the comment.
        comment_column: where the comment stood, from 0.
    """
    before = original.placed[following - 1] if following else None
    after = original.placed[following] if following < len(original.placed) else None
    after_depth, after_block = (after.depth, after.block) if after else (0, len(original.top))
    if before is None or after_depth >= before.depth:
        return after_depth * INDENT, after_block
    # A block ends here: the comment is part of the innermost one that it is indented for.
    fitting = [depth for depth in range(after_depth, before.depth + 1) if before.columns[depth] <= comment_column]
    depth = max(fitting, default=after_depth)
    return depth * INDENT, after_block if depth == 0 else before.block


def _parted(rows: list[_Row], top: list[Statement]) -> list[_Row]:
    """Return the rows with a blank line before and behind each block of the file and behind its header."""

    def stands_apart(block: int) -> bool:
        return block < len(top) and (bool(top[block].children) or top[block].tokens[0].type == "GAME")

    parted = rows[:1]
    for before, row in pairwise(rows):
        ends = row.block != before.block and (stands_apart(before.block) or stands_apart(row.block))
        parted.append(replace(row, blank_before=row.blank_before or ends))
    return parted


def _aligned(rows: list[_Row]) -> Iterator[tuple[_Row, int]]:
    """Yield the rows with the columns of their comments, those of rows between two blank lines aligned."""
    begin = 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or rows[end].blank_before:
            group = rows[begin:end]
            widths = [row.width for row in group if row.text and row.comment and row.width <= MAX_ALIGNED]
            column = max([COMMENT_COLUMN, *(width + 2 for width in widths)])
            yield from ((row, column) for row in group)
            begin = end


def _row_text(row: _Row, comment_column: int) -> str:
    text = " " * row.column + row.text
    if row.comment and row.text:
        text = text.ljust(max(comment_column, row.width + 2))
    return ("\n" if row.blank_before else "") + text + row.comment + "\n"
