"""The editors' colours against the language: a word added to one and not to the other fails here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lark import Token

from ggp.language.diagnostics import Diagnostics
from ggp.language.text.grammar import grammar
from ggp.language.text.lines import Statement, statements
from ggp.language.text.parser import statement_tree

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs/editors/vscode"
TEXTMATE = json.loads((FOLDER / "syntaxes/ggp-rules.tmLanguage.json").read_text(encoding="utf-8"))
PATTERNS = [TEXTMATE["repository"][pattern["include"].removeprefix("#")] for pattern in TEXTMATE["patterns"]]
FILES = sorted([*ROOT.glob("rules/*.rules"), *ROOT.glob("docs/examples/*.rules")])
SAMPLE = """game g "all and none"
# if this were code
phase p
    chance draws c in {max(deck)} weight 2
    turn chooses
        raise by k in 1..3 where any x in S: x > 0.5e-3 mod line
    sees nothing
    next end if hand == {} else p
display grid cell
    line "no" no
"""


def scopes(line: str) -> Iterator[tuple[int, int, str]]:
    """Give the stretches of a line that an editor would colour: the leftmost match, the first rule in the list."""
    position = 0
    while position < len(line):
        found = [
            (match.start(), order, match, pattern)
            for order, pattern in enumerate(PATTERNS)
            if (
                match := re.compile(pattern.get("match") or f'{pattern["begin"]}[^"]*(?:{pattern["end"]})').search(
                    line, position
                )
            )
        ]
        if not found:
            return
        _, _, match, pattern = min(found, key=lambda one: one[:2])
        if "captures" in pattern:
            for group, capture in pattern["captures"].items():
                yield (*match.span(int(group)), capture["name"])
        else:
            yield (*match.span(), pattern["name"])
        position = max(match.end(), position + 1)


def scope_at(line: str, column: int) -> str:
    return next((name for begin, end, name in scopes(line) if begin <= column < end), "")


def words_of_the_language() -> set[str]:
    return {
        terminal.pattern.value
        for terminal in grammar().terminals
        if terminal.pattern.type == "str" and terminal.pattern.value.isalpha()
    }


def test_every_word_of_the_language_has_a_colour_and_no_other() -> None:
    listed = set()
    for pattern in PATTERNS:
        for group in re.findall(r"\(([a-z|]+)[)(]|\\b(through)\\b", pattern.get("match", "")):
            listed |= {word for part in group for word in part.split("|") if word}
    builtin = set(re.findall(r"[a-z]+", TEXTMATE["repository"]["builtin"]["match"].split("(")[1]))
    assert listed - builtin == words_of_the_language() - builtin
    assert builtin & words_of_the_language() == {"count", "sum", "min", "max"}


def parsed_tokens(text: str) -> Iterator[Token]:
    found = Diagnostics("t")
    waiting: list[Statement] = statements(grammar().lex(text), text, found)
    while waiting:
        statement = waiting.pop()
        waiting += statement.children
        tree = statement_tree(statement, found)
        assert tree is not None
        yield from tree.scan_values(lambda value: isinstance(value, Token))


@pytest.mark.sweep
@pytest.mark.parametrize("path", [None, *FILES], ids=lambda path: path.stem if path else "sample")
def test_words_are_coloured_where_they_are_words(path: Path | None) -> None:
    text = path.read_text(encoding="utf-8") if path else SAMPLE
    lines = text.split("\n")
    seen = 0
    for token in parsed_tokens(text):
        scope = scope_at(lines[token.line - 1], token.column - 1)
        if token.type == "STRING":
            assert scope.startswith("string"), token
        elif token.isalpha() and token.type != "NAME":
            seen += 1
            assert scope.startswith(("keyword", "constant.language", "support.function")), (token, token.line)
        elif token.type in ("INTEGER", "REAL"):
            assert scope.startswith("constant.numeric"), (token, token.line)
        elif token.type == "NAME" and token.lower() not in words_of_the_language():
            assert not scope.startswith(("keyword", "constant")), (token, token.line)
    assert seen


def test_comments_and_texts() -> None:
    assert scope_at('x := 1  # if "a"', 10).startswith("comment")
    assert scope_at('x := 1  # if "a"', 14).startswith("comment")
    assert scope_at('game g "# no comment"', 9).startswith("string")


def test_the_manifest_names_files_that_exist() -> None:
    manifest = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["contributes"]
    named = [manifest["languages"][0]["configuration"], manifest["grammars"][0]["path"]]
    assert all((FOLDER / name).is_file() for name in named)
    assert manifest["grammars"][0]["scopeName"] == TEXTMATE["scopeName"]
    json.loads((FOLDER / named[0]).read_text(encoding="utf-8"))
