"""Formatting changes blanks only: on the library and the documents' examples, as they are and with mangled blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from ggp.language.text.formatter import format_rules
from ggp.language.text.parser import parse
from ggp.language.text.source import SourceFile, Span

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("rules/*.rules"), *ROOT.glob("docs/examples/*.rules"), *ROOT.glob("tests/property/*.rules")])


def facts(node: object) -> Iterator[object]:
    """Give what a syntax tree says, without places; without recursion, and so that different trees differ."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Span):
            continue
        if isinstance(part, tuple):
            yield len(part)
            waiting += part
        elif isinstance(part, msgspec.Struct):
            yield type(part).__name__
            waiting += [getattr(part, name) for name in part.__struct_fields__]
        else:
            yield part


def comments(text: str) -> list[str]:
    text = re.sub(r'"[^"\n]*"', '""', text)  # a text may have a `#` in it
    return [line.split("#", 1)[1].rstrip() for line in text.split("\n") if "#" in line]


def assert_only_blanks_differ(text: str) -> str:
    result, diagnostics = format_rules(SourceFile("t.rules", text))
    assert result is not None, diagnostics
    before, _ = parse(SourceFile("t.rules", text))
    after, errors = parse(SourceFile("t.rules", result))
    assert not errors
    assert list(facts(after)) == list(facts(before))
    assert comments(result) == comments(text)
    assert "".join(result.split()) == "".join(text.split())
    again, _ = format_rules(SourceFile("t.rules", result))
    assert again == result
    return result


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_rules_files_are_in_the_format(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert assert_only_blanks_differ(text) == text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@examples(2)
@given(seed=st.integers(0, 2**32))
def test_mangled_blanks(path: Path, seed: int) -> None:
    """Indent lines further within what keeps their meaning, and stretch blanks between tokens."""
    random = Random(seed)
    factor = random.randint(1, 3)
    mangled = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        body = line.lstrip(" ")
        words = body.split(" ")
        quoted = '"' in body or "#" in body
        stretched = body if quoted else "".join(word + " " * random.randint(1, 3) for word in words)
        if body:
            mangled.append(" " * ((len(line) - len(body)) * factor) + stretched + random.choice(["", " ", "\t", "\r"]))
        else:
            mangled += [""] * random.randint(1, 3)
    assert_only_blanks_differ("\n".join(mangled))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@examples(2)
@given(seed=st.integers(0, 2**32))
def test_damaged_files(path: Path, seed: int) -> None:
    """Drop, double and swap words: what can still be read is formatted without a change of meaning."""
    random = Random(seed)
    words = re.split(r"(\s+|\b)", path.read_text(encoding="utf-8"))
    for _ in range(random.randint(1, 4)):
        first, second = random.randrange(len(words)), random.randrange(len(words))
        words[first] = random.choice(["", words[first] * 2, words[second]])
    text = "".join(words)
    result, diagnostics = format_rules(SourceFile("t.rules", text))
    if result is None:
        assert diagnostics
    else:
        assert_only_blanks_differ(text)
