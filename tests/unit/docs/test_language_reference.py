"""Runs the examples of the reference: each is in the format, and true, or wrong in just the way the page shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from ggp.language import SourceFile, check, limits, render_all
from ggp.language.check.expressions.built_ins import BUILT_INS
from ggp.language.pieces import COLOURS
from ggp.language.text.formatter import format_rules
from ggp.language.text.grammar import grammar
from ggp.language.text.keywords import FILE_WORDS, SOFT_WORDS
from ggp.language.typed import Constant

PAGE = Path(__file__).parents[3] / "docs/language.md"
TEXT = PAGE.read_text(encoding="utf-8")
MISSING = {
    "game": 'game example "An example"',
    "phase": "phase fill\n    next end",
    "payoff": "payoff[p] = 0",
}


@dataclass(frozen=True)
class Block:
    line: int
    kind: str
    text: str


def blocks() -> list[Block]:
    found = re.finditer(r"^```([a-z ]*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return [Block(TEXT[: match.start()].count("\n") + 2, match[1], match[2]) for match in found]


BLOCKS = blocks()


def of_kind(kind: str) -> list[Block]:
    return [block for block in BLOCKS if block.kind == kind]


def has(text: str, word: str) -> bool:
    return re.search(rf"^{word}\b", text, re.MULTILINE) is not None


def completed(text: str) -> str:
    return text + "".join(f"\n{statement}\n" for word, statement in MISSING.items() if not has(text, word))


def shown(block: Block) -> str:
    return f"line {block.line}"


@pytest.mark.parametrize("block", [*of_kind("rules"), *of_kind("rules error")], ids=shown)
def test_examples_are_in_the_format(block: Block) -> None:
    formatted, _ = format_rules(SourceFile("example.rules", block.text))
    assert formatted is not None
    # On the page, short examples stand without blank lines around their blocks.
    assert [line for line in formatted.split("\n") if line] == [line for line in block.text.split("\n") if line]


@pytest.mark.parametrize("block", of_kind("rules true"), ids=shown)
def test_what_is_said_to_be_true_is(block: Block) -> None:
    expressions = [line.split("#")[0].strip() for line in block.text.splitlines()]
    lets = "\n".join(f"let value{number} = {text}" for number, text in enumerate(expressions))
    source = SourceFile("example.rules", completed(f"players row, col\n{lets}\n"))
    result = check(source)
    assert result.game is not None, render_all(result.diagnostics, source)
    for text, function in zip(expressions, result.game.functions, strict=True):
        assert isinstance(function.body, Constant), text
        assert function.body.value == 1, text


@pytest.mark.parametrize("number", range(len(of_kind("rules error"))))
def test_errors_are_as_shown(number: int) -> None:
    block = of_kind("rules error")[number]
    expected = BLOCKS[BLOCKS.index(block) + 1]
    assert expected.kind == "text"
    source = SourceFile(
        "example.rules", completed(block.text + ("" if has(block.text, "players") else "\nplayers row, col\n"))
    )
    result = check(source)
    errors = [one for one in result.diagnostics if one.severity == "error"]
    assert render_all(errors, source) == expected.text


def test_all_statements_words_and_functions_are_described() -> None:
    patterns = [terminal.pattern for terminal in grammar().terminals]
    words = {pattern.value for pattern in patterns if pattern.type == "str" and pattern.value.isalpha()}
    assert words | FILE_WORDS <= set(re.findall(r"[a-z]+", TEXT))
    described = re.search(r"### Built-in functions\n(.*?)\n### ", TEXT, re.DOTALL)
    assert described is not None
    assert set(re.findall(r"`([a-z]+)\(", described[1])) == set(BUILT_INS)


def test_limits_are_those_of_the_language() -> None:
    rows = re.findall(r"^\| `(MAX_\w+)`: .* \| ([0-9,]+) \|$", TEXT, re.MULTILINE)
    listed = {name: int(number.replace(",", "")) for name, number in rows}
    assert listed == {name: value for name, value in vars(limits).items() if name.startswith("MAX_")}


def test_words_that_cannot_be_names() -> None:
    listed = re.search(r"cannot be names: (.*?)\.\n *Built-in.*?: (.*?)\.\n *Words only.*?: (.*?)\.\n", TEXT, re.DOTALL)
    assert listed is not None
    hard, builtin, soft = (set(re.findall(r"`(\w+)`", group)) for group in listed.groups())
    patterns = [terminal.pattern for terminal in grammar().terminals]
    words = {pattern.value for pattern in patterns if pattern.type == "str" and pattern.value.isalpha()}
    assert {word.upper() for word in soft} == SOFT_WORDS
    assert hard == words - soft
    assert builtin == {*BUILT_INS, "bool", "move"} - words


def test_colours_are_listed() -> None:
    listed = re.search(r"A colour\n\((.*?)\)", TEXT, re.DOTALL)
    assert listed is not None
    assert tuple(re.findall(r"\w+", listed[1])) == COLOURS
