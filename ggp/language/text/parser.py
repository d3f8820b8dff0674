"""Parses text into a syntax tree statement by statement; an error costs one statement, and parsing goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from lark import Token, Tree
from lark.exceptions import UnexpectedInput
from lark.parsers.lalr_interactive_parser import InteractiveParser
from msgspec.structs import replace

from ggp.language import syntax
from ggp.language.diagnostics import Diagnostic, Diagnostics, TooManyMistakes
from ggp.language.limits import MAX_DEPTH, MAX_TEXT
from ggp.language.text.grammar import grammar
from ggp.language.text.keywords import FOLLOWED_BY, SOFT_WORDS
from ggp.language.text.lines import Statement, span_of, statements
from ggp.language.text.source import SourceFile
from ggp.language.text.statement_builder import TreeBuilder
from ggp.language.text.syntax_errors import report_unexpected

_DECLARES_ONE = frozenset(["param", "type", "board", "table", "def", "let", "phase", "history"])
_BEFORE_A_NAME = frozenset(["CHOOSES", "DRAWS", "BY"])
_DECLARES_ALL = frozenset(["players", "param", "type"])


def parse(source: SourceFile) -> tuple[syntax.File, tuple[Diagnostic, ...]]:
    """Return the syntax tree of what could be read, and what is wrong with the rest."""
    found = Diagnostics(source.name)
    try:
        return parse_file(source, found), found.sorted()
    except TooManyMistakes:
        return syntax.File((), frozenset()), found.sorted()


def parse_file(source: SourceFile, found: Diagnostics) -> syntax.File:
    """Return the syntax tree of what could be read, reporting the rest to `found`.

    Raises:
        TooManyMistakes: `found` takes no more.
    """
    if len(source.text) > MAX_TEXT:
        found.error(None, f"the file has {len(source.text)} characters; the limit is {MAX_TEXT}")
        return syntax.File((), frozenset())
    tokens, reader = tuple(grammar().lex(source.text)), _Reader(found)
    top = statements(tokens, source.text, found)
    declarations = [reader.read(statement) for statement in top]
    present = tuple(cast("syntax.Declaration", node) for node in declarations if node is not None)
    lines = tuple(sorted(_all_lines(top)))
    return syntax.File(present, frozenset(reader.damaged), tokens, _lines_of(top), lines)


def _lines_of(found: Iterable[Statement]) -> tuple[int, ...]:
    return tuple(statement.tokens[0].line or 1 for statement in found)


def _all_lines(found: Iterable[Statement]) -> Iterator[int]:
    for statement in found:
        yield from _lines_of([statement])
        yield from _all_lines(statement.children)


def statement_tree(statement: Statement, found: Diagnostics) -> Tree[Token] | None:
    """Return the parse tree of a statement without its block, None (and a report to `found`) if it cannot be read."""
    parser = grammar().parse_interactive("", start=statement.kind)
    tokens = statement.tokens
    for position, token in enumerate(tokens):
        following = tokens[position + 1].type if position + 1 < len(tokens) else "$END"
        try:
            parser.feed_token(_contextual(token, following, parser))
        except UnexpectedInput:
            report_unexpected(found, statement, position, parser.accepts())  # type: ignore[no-untyped-call]
            return None
    try:
        return cast("Tree[Token]", parser.feed_token(Token.new_borrow_pos("$END", "", tokens[-1])))
    except UnexpectedInput:
        report_unexpected(found, statement, len(tokens), parser.accepts())  # type: ignore[no-untyped-call]
        return None


class _Reader:
    """Parses statements one by one, and remembers the names that unreadable ones would have declared."""

    def __init__(self, found: Diagnostics) -> None:
        self.found = found
        self.damaged: set[str] = set()
        self._builder = TreeBuilder(found)

    def read(self, statement: Statement) -> syntax.Node | None:
        """Return the node of a statement and its block, None if it could not be read."""
        node = None if statement.damaged else self._parse(statement)
        inside = [child for child in map(self.read, statement.children) if child is not None]
        if node is None:
            self._remember_names(statement)
            node = _header(statement)
            return None if node is None else self._with_block(node, inside, statement)
        return self._with_block(node, inside, statement)

    def _with_block(self, node: syntax.Node, inside: list[Any], statement: Statement) -> syntax.Node:
        match node:
            case syntax.State():
                return replace(node, variables=tuple(inside))
            case syntax.Phase():
                return replace(node, statements=tuple(inside))
            case syntax.Display():
                return replace(node, rules=tuple(inside))
            case syntax.Chooser() if not node.kinds:
                self._need_block(
                    statement, "what is chosen", "write `chooses x in S`, or kinds of moves in lines below"
                )
                return replace(node, kinds=tuple(inside))
            case syntax.On() if not node.statements:
                self._need_block(
                    statement, "what happens then", "write `on KIND: x := value`, or several in lines below"
                )
                return replace(node, statements=tuple(inside))
        return node

    def _need_block(self, statement: Statement, what: str, hint: str) -> None:
        if not statement.children:
            self.found.error(span_of(statement.tokens[-1]).after(), f"expected {what}", hint)

    def _parse(self, statement: Statement) -> syntax.Node | None:
        builder, tree = self._builder, statement_tree(statement, self.found)
        if tree is None:
            return None
        node = self._build(tree)
        for builder.balanced, builder.signed in ((True, False), (True, True)):
            if _depth(node) > MAX_DEPTH:
                node = self._build(tree)
        builder.balanced = builder.signed = False
        if _depth(node) > MAX_DEPTH:
            self.found.error(
                node.span, f"this is nested more than {MAX_DEPTH} deep", "name the parts with `let` or `def`"
            )
            return None
        return node

    def _build(self, tree: Tree[Token]) -> syntax.Node:
        """Turn Lark's tree into ours, from the leaves up and without recursion."""
        built: dict[int, Any] = {}
        for subtree in tree.iter_subtrees():
            children = [built[id(child)] if isinstance(child, Tree) else child for child in subtree.children]
            built[id(subtree)] = self._builder.build(subtree.data, children)
        return cast("syntax.Node", built[id(tree)])

    def _remember_names(self, statement: Statement) -> None:
        first, names = statement.tokens[0], [token for token in statement.tokens if token.type == "NAME"]
        is_unknown = statement.kind == "file_statement" and first.type == "NAME"
        if first in _DECLARES_ALL or is_unknown:
            self.damaged.update(names)
        elif names and (first in _DECLARES_ONE or statement.kind in ("state_statement", "kind_statement")):
            self.damaged.update(names[:1] if statement.kind != "state_statement" else statement.tokens[:2])
        if first == "players":
            self.damaged.add("player")
        words = [token.type for token in statement.tokens]
        if "CHOOSES" in words:
            behind = statement.tokens[words.index("CHOOSES") :]
            self.damaged.update(["move", *(token for token in behind if token.type == "NAME")])
        for name, following in zip(statement.tokens, statement.tokens[1:], strict=False):
            if following.type == "IN":
                self.damaged.add(name)
            elif name.type in _BEFORE_A_NAME and following.type == "NAME":
                self.damaged.add(following)


def _header(statement: Statement) -> syntax.Node | None:
    """Return the node of an unreadable line that opens a block, so that what stands in the block is not lost."""
    first, names = statement.tokens[0], [token for token in statement.tokens if token.type == "NAME"]
    span = span_of(first)
    match statement.block:
        case "state_statement":
            return syntax.State(span, ())
        case "phase_statement" if names:
            return syntax.Phase(span, syntax.Word(span_of(names[0]), str(names[0])), ())
        case "on_statement" if names:
            return syntax.On(span, syntax.Word(span_of(names[0]), str(names[0])), ())
    return None


def _contextual(token: Token, following: str, parser: InteractiveParser) -> Token:
    """Return a soft word as a name where the grammar has no place for the word."""
    if token.type not in SOFT_WORDS:
        return token
    acceptable = parser.choices()  # type: ignore[no-untyped-call]
    # before `in` stands a name, as in `no from in S`, whatever else could stand there
    is_word = token.type in acceptable and (
        "NAME" not in acceptable or (following in FOLLOWED_BY.get(token.type, following).split() and following != "IN")
    )
    return token if is_word else token.update(type="NAME")


def _depth(node: syntax.Node) -> int:
    """Return how deeply the nodes of a statement are nested; without recursion, since it may be very deep."""
    deepest = 0
    waiting: list[tuple[object, int]] = [(node, 1)]
    while waiting:
        current, depth = waiting.pop()
        if isinstance(current, tuple):
            waiting += [(part, depth) for part in current]
        elif isinstance(current, syntax.Node):
            deepest = max(deepest, depth)
            waiting += [(getattr(current, name), depth + 1) for name in current.__struct_fields__ if name != "span"]
    return deepest
