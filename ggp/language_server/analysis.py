"""One analysed version of a rules file: its tokens, syntax tree, diagnostics and declared names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lark import Token

from ggp.language import syntax
from ggp.language.check.checker import CheckResult, check, no_files
from ggp.language.check.scope import Damaged, Entry, Meant, Recorded
from ggp.language.limits import MAX_TEXT
from ggp.language.text.grammar import grammar
from ggp.language.text.parser import parse
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
}
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
    tokens: tuple[Token, ...]
    tree: syntax.File
    result: CheckResult
    entries: tuple[Entry, ...]
    """Every name declared, local ones included, in order of place."""
    blocks: tuple[int, ...]
    """The lines at which the statements of the file begin."""
    statements: tuple[int, ...]
    """The lines at which all statements begin, those in blocks included."""
    lines: tuple[str, ...]
    """The text, line by line."""
    code_ends: Mapping[int, int]
    """The column behind the last token of each line that has any."""

    def token_at(self, line: int, column: int) -> Token | None:
        """Return the token at a position, or the one that ends there; None between tokens and in comments."""
        for token in self.tokens:
            assert token.line is not None
            assert token.column is not None
            assert token.end_column is not None
            if token.line == line and token.column <= column <= token.end_column:
                touching = column == token.end_column and not (token[-1:].isalnum() or token[-1:] == "_")
                if not touching:
                    return token
        return None

    def visible(self, line: int) -> list[Declared]:
        """Return the names visible on a line: those of the file and those of its block."""
        block = bisect_right(self.blocks, line)
        found: dict[str, Declared] = {}
        for entry in self.entries:
            same_block = bisect_right(self.blocks, entry.span.line) == block
            near = entry.kind not in ("name", "argument") or self._statement(entry.span.line) == self._statement(line)
            if self._is_global(entry) or (same_block and near):
                found[entry.name] = self.declared(entry)
        return list(found.values())

    def meaning(self, name: str, line: int, column: int) -> Declared | None:
        """Return the declaration that a name at a position refers to; None if the file declares no such name."""
        candidates = [entry for entry in self.entries if entry.name == name]
        block, statement = bisect_right(self.blocks, line), self._statement(line)

        def rank(entry: Entry) -> tuple[int, bool, int]:
            place = entry.span
            before = (place.line, place.column) <= (line, column)
            distance = abs(place.line - line) * 1000 + abs(place.column - column)
            if self._is_global(entry):
                return 2, not before, 0
            return int(self._statement(place.line) != statement), not before, distance

        local = [
            entry
            for entry in candidates
            if self._is_global(entry) or bisect_right(self.blocks, entry.span.line) == block
        ]
        best = min(local, key=rank, default=None)
        if best is not None:
            return self.declared(best)
        return self._member(name) or self._phase_or_kind(name)

    def declared(self, entry: Entry) -> Declared:
        """Return what editors show for a declared name."""
        line = self.lines[entry.span.line - 1]
        code_end = self.code_ends.get(entry.span.line, 1) - 1
        text = line[:code_end].strip() if entry.kind == "parameter" else _declaration_text(entry)
        comment = line[code_end:].strip().removeprefix("#").strip()
        return Declared(entry.name, _KINDS.get(entry.kind, entry.kind), text, entry.span, comment)

    def _statement(self, line: int) -> int:
        return bisect_right(self.statements, line)

    def _is_global(self, entry: Entry) -> bool:
        if entry.kind in _OF_THE_FILE:
            return True
        return entry.kind == "let" and entry.span.line in self.blocks

    def _member(self, name: str) -> Declared | None:
        names = self.result.names
        types = [type_ for type_, _ in names.members.get(name, ())]
        span = names.declared_members.get(name)
        if not types or span is None:
            return None
        return Declared(name, "player" if types[0].role == "player" else "member", members_text(types), span)

    def _phase_or_kind(self, name: str) -> Declared | None:
        for node in self.tree.declarations:
            if not isinstance(node, syntax.Phase):
                continue
            if node.name.text == name:
                return Declared(name, "phase", f"phase {name}", node.name.span)
            for word in kinds_of(node):
                if word.text == name:
                    return Declared(name, "kind of move", f"{name} in phase {node.name.text}", word.span)
        return None


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


def analyse(source: SourceFile, read_text: Callable[[str], str] = no_files) -> Analysis:
    """Analyse a file, with or without errors.

    Args:
        source: its text.
        read_text: gives the text of a file that the rules name; raises OSError or ValueError.
    """
    result = check(source, {}, read_text)
    tree, _ = parse(source)
    tokens = tuple(grammar().lex(source.text)) if len(source.text) <= MAX_TEXT else ()
    latest = {(entry.span, entry.name): entry for entry in result.names.declared}
    entries = sorted(latest.values(), key=lambda entry: (entry.span.line, entry.span.column))
    blocks = tuple(sorted({node.span.line for node in tree.declarations}))
    return Analysis(
        source, tokens, tree, result, tuple(entries), blocks, tuple(sorted(_statement_lines(tree))),
        tuple(source.text.split("\n")),
        {token.line or 1: token.end_column or 1 for token in tokens if token.type != "NEWLINE"},
    )  # fmt: skip


def _statement_lines(tree: syntax.File) -> set[int]:
    lines = set()
    for node in tree.declarations:
        lines.add(node.span.line)
        if isinstance(node, syntax.State):
            lines |= {variable.span.line for variable in node.variables}
        elif isinstance(node, syntax.Display):
            lines |= {rule.span.line for rule in node.rules}
        elif isinstance(node, syntax.Phase):
            lines |= {statement.span.line for statement in node.statements}
            for statement in node.statements:
                if isinstance(statement, syntax.On):
                    lines |= {inner.span.line for inner in statement.statements}
    return lines
