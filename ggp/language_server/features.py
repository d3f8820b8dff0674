"""Hovers, completions and the outline of a rules file, and what each of its tokens is, for the colours of editors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lark import Token

from ggp.language import syntax
from ggp.language.check.expressions.built_ins import BUILT_INS
from ggp.language.check.expressions.sequences import SEQUENCE_FIELDS
from ggp.language.text.keywords import FILE_WORDS, PHASE_WORDS
from ggp.language.text.lines import span_of
from ggp.language.text.source import Span
from ggp.language_server.analysis import Analysis, Declared, kinds_of, members_text
from ggp.language_server.explanations import (
    ATTRIBUTE_HELP,
    BUILT_IN_HELP,
    DISPLAY_HELP,
    EXPRESSION_WORDS,
    WORD_HELP,
)

CompletionKind: TypeAlias = Literal[
    "word", "type", "function", "variable", "constant", "member", "phase", "kind", "field"
]
SymbolKind: TypeAlias = Literal["game", "parameter", "type", "table", "variable", "function", "phase", "value", "other"]
_COMPLETION_KINDS: dict[str, CompletionKind] = {
    "parameter": "constant",
    "table": "constant",
    "type": "type",
    "board": "type",
    "function": "function",
}


@dataclass(frozen=True, slots=True)
class Hover:
    """The explanation of the word at `span`; `text` is Markdown."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion; `detail` is shown after it, `help` beside it."""

    label: str
    kind: CompletionKind
    detail: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A line of the outline; `whole` covers the block, `span` its name."""

    name: str
    kind: SymbolKind
    detail: str
    whole: Span
    span: Span
    inside: tuple[Symbol, ...] = ()


# --- hover ------------------------------------------------------------------------------------------------------------


def hover(analysis: Analysis, line: int, column: int) -> Hover | None:
    """Return the hover for the word at a position, None if there is nothing to explain."""
    token = analysis.token_at(line, column)
    if token is None or not (token[:1].isalpha() or token[:1] == "_"):
        return None
    text = str(token)
    meaning = analysis.target(line, column)
    if meaning is not None:
        return Hover(span_of(token), _hover_text(meaning))
    if text in ATTRIBUTE_HELP and _is_attribute(analysis, token):
        return Hover(span_of(token), ATTRIBUTE_HELP[text])
    if _is_label(analysis, token):
        return Hover(span_of(token), f"`{text}`: the label under which players see the value after it.")
    known = (
        WORD_HELP.get(text)
        or (BUILT_INS[text].help if text in BUILT_INS else None)
        or BUILT_IN_HELP.get(text)
        or DISPLAY_HELP.get(text)
    )
    return Hover(span_of(token), known) if known is not None else None


def _is_label(analysis: Analysis, token: Token) -> bool:
    """Return whether a name is a label of `sees`: not a declared name, and followed by `=`."""
    place = next(place for place, other in enumerate(analysis.tokens) if other is token)
    return any(following == "=" for following in analysis.tokens[place + 1 : place + 2])


def _hover_text(meaning: Declared) -> str:
    place = f"{meaning.kind}, declared in line {meaning.span.line}"
    comment = f"\n\n{meaning.comment}" if meaning.comment else ""
    return f"```ggp-rules\n{meaning.text}\n```\n{place}{comment}"


def _is_attribute(analysis: Analysis, token: Token) -> bool:
    return any(other.type == "DOT" and other.end_pos == token.start_pos for other in analysis.tokens)


# --- completion -------------------------------------------------------------------------------------------------------


def completions(analysis: Analysis, line: int, column: int) -> list[Completion]:
    """Return the completions at a position; the editor keeps those that begin with what is typed already."""
    if line > len(analysis.lines):
        return []
    before = _tokens_before(analysis, line, column)
    if before is None:
        return []
    if not before:
        indented = analysis.lines[line - 1][:1] in (" ", "\t") and column > 1
        return _statement_starts(analysis, line) if indented else [_word(word) for word in sorted(FILE_WORDS)]
    first, last = before[0], before[-1]
    if last.type == "DOT":
        return _fields(analysis)
    if (first.type == "NEXT" and last.type in ("NEXT", "ELSE")) or (first.type == last.type == "ELSE"):
        return _phases(analysis)
    if len(before) == 1 and first.type == "ON":
        return [
            Completion(word.text, "kind", "kind of move") for node in _phase_nodes(analysis) for word in kinds_of(node)
        ]
    if _wants_type(before):
        return _types(analysis, line, in_set=last.type == "OF")
    return _values(analysis, line)


def _tokens_before(analysis: Analysis, line: int, column: int) -> list[Token] | None:
    """Return the tokens of the line before the word that is being typed; None inside a comment or string."""
    written = analysis.lines[line - 1][: column - 1]
    tokens = [token for token in analysis.tokens if token.line == line and token.type != "NEWLINE"]
    before = [token for token in tokens if (token.end_column or 1) <= column]
    for token in tokens:
        if token.type in ("STRING", "UNCLOSED_STRING") and (token.column or 1) < column < (token.end_column or 1):
            return None
    end = (before[-1].end_column or 1) - 1 if before else 0
    if "#" in written[end:] or (before and before[-1].type == "UNCLOSED_STRING"):
        return None
    if before and before[-1].end_column == column and (before[-1][-1:].isalnum() or before[-1].endswith("_")):
        before.pop()
    return before


def _wants_type(before: list[Token]) -> bool:
    """Return whether a type comes next: in `param n: `, `x: ` of `state`, `def f(a: `, `set of `."""
    first, last = before[0], before[-1]
    if last.type == "OF":
        return True
    if last == "=":
        return first.type == "TYPE"
    if last.type != "COLON":
        return False
    if first.type in ("PARAM", "TABLE", "DEF"):
        return True
    is_variable = first.type == "NAME" and all(
        token.type in ("NAME", "LSQB", "RSQB", "COMMA", "COLON") for token in before
    )
    return is_variable or (first.type == "LET" and not any(token == "=" for token in before))


def _word(word: str) -> Completion:
    return Completion(word, "word", help=WORD_HELP[word])


def _fields(analysis: Analysis) -> list[Completion]:
    """Return what may stand after a point: parts of products and sequences, coordinates, numbers of members."""
    of_sequences = any(token.type == "SEQUENCE" for token in analysis.tokens)
    parts = {
        part.name.text: f"a part of `{node.name.text}`"
        for node in analysis.tree.declarations
        if isinstance(node, syntax.TypeDeclaration) and isinstance(node.type, syntax.ProductType)
        for part in (node.type.first, node.type.second)
        if isinstance(part, syntax.NamedType)
    }
    known = {name: text for name, text in ATTRIBUTE_HELP.items() if of_sequences or name not in SEQUENCE_FIELDS}
    return [Completion(name, "field", help=text) for name, text in {**parts, **known}.items()]


def _phase_nodes(analysis: Analysis) -> list[syntax.Phase]:
    return [node for node in analysis.tree.declarations if isinstance(node, syntax.Phase)]


def _phases(analysis: Analysis) -> list[Completion]:
    return [_word("end"), *(Completion(node.name.text, "phase", "phase") for node in _phase_nodes(analysis))]


def _statement_starts(analysis: Analysis, line: int) -> list[Completion]:
    words = [_word(word) for word in sorted({*PHASE_WORDS, "line", "if", "else", "for", "and", "or"})]
    return words + _values(analysis, line, with_words=False)


def _types(analysis: Analysis, line: int, in_set: bool) -> list[Completion]:
    types = [one for one in analysis.visible(line) if one.kind in ("type", "board")]
    fixed = [Completion("bool", "type", "yes or no")]
    if not in_set:
        fixed.append(Completion("set of", "word", help=WORD_HELP["set"]))
    return fixed + [Completion(one.name, "type", one.text, one.comment) for one in types]


def _values(analysis: Analysis, line: int, with_words: bool = True) -> list[Completion]:
    visible = analysis.visible(line)
    found = [
        Completion(one.name, _COMPLETION_KINDS.get(one.kind, "variable"), one.text, one.comment) for one in visible
    ]
    members = analysis.result.names.members
    found += [
        Completion(name, "member", members_text([type_ for type_, _ in owners]))
        for name, owners in members.items()
        if not name[0].isdigit()  # such as `2_of_red`: nobody can write it
    ]
    found += [Completion(name, "function", " or ".join(one.forms), one.help) for name, one in BUILT_INS.items()]
    if with_words:
        found += [_word(word) for word in EXPRESSION_WORDS if word not in BUILT_INS]
    return found


# --- outline ----------------------------------------------------------------------------------------------------------


def symbols(analysis: Analysis) -> list[Symbol]:
    """Return the outline of the file."""
    found = []
    lines = analysis.lines
    starts = [node.span.line for node in analysis.tree.declarations]
    for node, end in zip(analysis.tree.declarations, [*starts[1:], len(lines) + 1], strict=False):
        last = end - 1
        while last > node.span.end_line and not lines[last - 1].strip():
            last -= 1
        last = max(last, node.span.end_line)
        whole = Span(node.span.line, node.span.column, last, len(lines[last - 1]) + 1)
        found += _symbols_of(node, whole)
    return found


def _symbols_of(node: syntax.Declaration, whole: Span) -> list[Symbol]:
    kinds: dict[type, SymbolKind] = {
        syntax.GameHeader: "game",
        syntax.Parameter: "parameter",
        syntax.TypeDeclaration: "type",
        syntax.Board: "type",
        syntax.Table: "table",
        syntax.Definition: "function",
        syntax.Let: "value",
        syntax.History: "value",
        syntax.Phase: "phase",
    }
    match node:
        case syntax.State():
            inside = tuple(Symbol(part.name.text, "variable", "", part.span, part.name.span) for part in node.variables)
            return [Symbol("state", "other", "", whole, node.span, inside)]
        case syntax.Players():
            inside = tuple(Symbol(one.name.text, "value", "", one.span, one.name.span) for one in node.declared)
            return [Symbol("players", "other", "", node.span, node.span, inside)]
        case syntax.Payoff():
            return [Symbol(node.kind, "function", "", node.span, node.span)]
        case syntax.PayoffSum():
            return [Symbol("payoff sum", "other", "", node.span, node.span)]
        case syntax.Display():
            return [Symbol("display", "other", "", whole, node.span)]
        case syntax.GameHeader():
            return [Symbol(node.name.text, "game", node.title.value, node.span, node.name.span)]
        case syntax.Phase():
            return [Symbol(node.name.text, "phase", "phase", whole, node.name.span)]
    return [Symbol(node.name.text, kinds[type(node)], "", node.span, node.name.span)]


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
