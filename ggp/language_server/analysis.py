"""One analysed version of a rules file: its diagnostics, and what each name in it stands for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lark import Token

from ggp.language import syntax
from ggp.language.check.checker import CheckResult, check, no_files
from ggp.language.check.declarations.table_files import ReadText
from ggp.language.check.scope import Damaged, Entry, Meant, Recorded
from ggp.language.text.lines import span_of
from ggp.language.text.source import SourceFile, Span
from ggp.language.typed import Function
from ggp.language.typed.types import EnumType, type_text

_KINDS = {
    "definition": "function",
    "choice": "chosen",
    "draw": "drawn",
    "name": "name",
    "argument": "argument",
    "let": "value",
    "named": "value",
}
_OF_A_STATEMENT = frozenset(["name", "named", "argument"])
_OF_THE_FILE = frozenset(["parameter", "type", "board", "table", "variable", "definition", "history"])


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared name: `kind` in plain words, `text` as in a declaration, its position, and the comment beside it."""

    name: str
    kind: str
    text: str
    span: Span
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """One version of a file. Lines count from 1, columns in characters from 1, as everywhere in `ggp.language`."""

    source: SourceFile
    read_text: ReadText
    result: CheckResult
    lines: tuple[str, ...]
    """The text, line by line."""
    code_ends: Mapping[int, int]
    """The column behind the last token of each line that has any."""
    places: tuple[tuple[int, int], ...]
    """Where each token begins: line and column."""
    declared: dict[Span, Declared] = field(default_factory=dict)
    """Whatever the file declares, by its place: local names, members, phases and kinds of moves included."""

    @property
    def tree(self) -> syntax.File:
        """What could be read of the file."""
        return self.result.tree

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens, line ends included."""
        return self.result.tree.tokens

    def token_at(self, line: int, column: int) -> Token | None:
        """Return the token at a position, or the word that ends there; None between tokens and in comments."""
        at = bisect_right(self.places, (line, column)) - 1
        for token in reversed(self.tokens[max(at - 1, 0) : at + 1]):
            start, end = token.column or 1, token.end_column or 1
            is_word = token[-1:].isalnum() or token[-1:] == "_"
            if token.line == line and start <= column and (column < end or (column == end and is_word)):
                return token
        return None

    def target(self, line: int, column: int) -> Declared | None:
        """Return the declaration of the name at a position, as the checker recorded it.

        In a file with mistakes, a name that the checker did not come to is looked for among those visible there.
        """
        token = self.token_at(line, column)
        if token is None:
            return None
        place = span_of(token)
        within = [span for span in self.result.names.uses if span.line == line and span.column <= column]
        if token.type == "STRING":  # the file of a table may name parameters
            place = next((span for span in within if column <= span.end_column and place.column < span.column), place)
        found = self.declared.get(self.result.names.uses.get(place, place))
        if found is None and self.result.game is None and token.type == "NAME":
            found = next((one for one in self.visible(line) if one.name == token), None)
            found = found or next((one for one in self.declared.values() if one.name == token), None)
        return found

    def visible(self, line: int) -> list[Declared]:
        """Return the names visible on a line: those of the file, those of its block, and those bound in its statement.

        What is bound in a statement that cannot be read yet is found by its tokens.
        """
        block = bisect_right(self.tree.block_lines, line)
        found: dict[str, Declared] = {}
        for entry in self.result.names.declared:
            same_block = bisect_right(self.tree.block_lines, entry.span.line) == block
            near = entry.kind not in _OF_A_STATEMENT or self._statement(entry.span.line) == self._statement(line)
            if self._is_global(entry) or (same_block and near):
                found[entry.name] = self.declared[entry.span]
        for token in _bound(self._tokens_of_statement(line)):
            found.setdefault(str(token), Declared(str(token), "name", str(token), span_of(token)))
        return list(found.values())

    def _tokens_of_statement(self, line: int) -> tuple[Token, ...]:
        lines = self.tree.statement_lines
        at = self._statement(line)
        if at == 0:
            return ()
        first = bisect_left(self.places, (lines[at - 1], 0))
        return self.tokens[first : bisect_left(self.places, (lines[at], 0)) if at < len(lines) else None]

    def _statement(self, line: int) -> int:
        return bisect_right(self.tree.statement_lines, line)

    def _is_global(self, entry: Entry) -> bool:
        if entry.kind in _OF_THE_FILE:
            return True
        return entry.kind == "let" and entry.span.line in self.tree.block_lines

    def declare(self) -> None:
        """Collect what the file declares."""
        names = self.result.names
        for node in self.tree.declarations:
            if isinstance(node, syntax.Phase):
                name = node.name
                self.declared[name.span] = Declared(name.text, "phase", f"phase {name.text}", name.span)
                for word in kinds_of(node):
                    text = f"{word.text} in phase {name.text}"
                    self.declared[word.span] = Declared(word.text, "kind of move", text, word.span)
        for (type_, code), span in names.member_places.items():
            kind = "player" if type_.role == "player" else "member"
            self.declared[span] = Declared(type_.members[code], kind, type_.name or type_text(type_), span)
        for entry in names.declared:
            self.declared[entry.span] = self._declared(entry)

    def _declared(self, entry: Entry) -> Declared:
        line = self.lines[entry.span.line - 1]
        code_end = self.code_ends.get(entry.span.line, 1) - 1
        text = line[:code_end].strip() if entry.kind == "parameter" else _declaration_text(entry)
        comment = line[code_end:].strip().removeprefix("#").strip()
        return Declared(entry.name, _KINDS.get(entry.kind, entry.kind), text, entry.span, comment)


def _bound(tokens: Sequence[Token]) -> list[Token]:
    """Return the names that a statement binds: `x in S`, `each p`, `let x`, `payoff[p]`, the arguments of a `def`."""
    found = []
    head = bool(tokens) and tokens[0].type in ("PAYOFF", "ESTIMATE", "DEF", "LET", "TABLE", "DISPLAY")
    for before, token, after in zip(tokens, tokens[1:], (*tokens[2:], None), strict=False):
        head = head and before != "="
        following = after.type if after is not None else ""
        in_head = head and (before.type in ("LSQB", "LPAR", "COMMA", "FOR") and following != "LSQB")
        if token.type == "NAME" and (following == "IN" or before.type in ("EACH", "LET") or in_head):
            found.append(token)
    return found


def kinds_of(node: syntax.Phase) -> list[syntax.Word]:
    """Return the names of the kinds of moves of a phase."""
    choosers = [statement for statement in node.statements if isinstance(statement, syntax.Chooser)]
    return [kind.name for chooser in choosers for kind in chooser.kinds if kind.name is not None]


def members_text(types: list[EnumType]) -> str:
    """Return the names of enumerations that share a member; an unnamed one is given by its members."""
    return " or ".join(type_.name or type_text(type_) for type_ in types)


def _declaration_text(entry: Entry) -> str:
    """Return a name with its type, as it would be declared."""
    match entry.meaning:
        case Function(_, arguments, _, type_, is_let) if arguments:
            inside = ", ".join(f"{argument.name}: {type_text(argument.type)}" for argument in arguments)
            shown = f"[{inside}]" if is_let else f"({inside})"
            return f"{entry.name}{shown}: {type_text(type_)}"
        case Meant(EnumType(members=members)):
            return f"{entry.name} = {{{', '.join(members)}}}"
        case Meant(type_):
            return f"{entry.name} = {type_text(type_)}" if entry.name != type_text(type_) else entry.name
        case Recorded(values):
            return f"{entry.name}: a history of {len(values)} {'value' if len(values) == 1 else 'values'}"
        case Damaged():
            return entry.name
        case meaning:
            return _typed_text(entry.name, type_text(meaning.type))


def _typed_text(name: str, type_: str) -> str:
    # The text of an array's type begins with its indices.
    return f"{name}{type_}" if type_.startswith("[") else f"{name}: {type_}"


def analyse(source: SourceFile, read_text: ReadText = no_files) -> Analysis:
    """Analyse a file, with or without errors.

    Args:
        source: its text.
        read_text: gives the text of a file that the rules name; raises OSError or ValueError.
    """
    result = check(source, {}, read_text)
    tokens = result.tree.tokens
    made = Analysis(
        source,
        read_text,
        result,
        tuple(source.text.split("\n")),
        {token.line or 1: token.end_column or 1 for token in tokens if token.type != "NEWLINE"},
        tuple((token.line or 1, token.column or 1) for token in tokens),
    )
    made.declare()
    return made
