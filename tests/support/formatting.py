"""Formatting changes blanks only: the check of one text, and texts with other blanks that mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import msgspec

from ggp.language import syntax
from ggp.language.text.formatter import format_rules
from ggp.language.text.parser import parse
from ggp.language.text.source import SourceFile, Span


def facts(node: object) -> Iterator[object]:
    """Give what a syntax tree says, without places; without recursion, and so that different trees differ."""
    waiting = [(node.declarations, node.damaged) if isinstance(node, syntax.File) else node]
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


def mangled(text: str, random: Random) -> str:
    """Indent lines further within what keeps their meaning, and stretch blanks between tokens."""
    factor = random.randint(1, 3)
    lines = []
    for line in text.split("\n"):
        body = line.lstrip(" ")
        words = body.split(" ")
        quoted = '"' in body or "#" in body
        stretched = body if quoted else "".join(word + " " * random.randint(1, 3) for word in words)
        if body:
            lines.append(" " * ((len(line) - len(body)) * factor) + stretched + random.choice(["", " ", "\t", "\r"]))
        else:
            lines += [""] * random.randint(1, 3)
    return "\n".join(lines)
