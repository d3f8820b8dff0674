"""Rules files made as small as they can be while something still holds of them, such as that a comparison fails.

Text is taken away in pieces that are likely to leave a rules file: lines with what is indented below them, clauses at
the end of lines, items of lists, operands, and what stands in brackets. The checker refuses whatever else comes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

CLAUSE = re.compile(r" (?:where|weight|if|for|else) ")
OPERATORS = re.compile(
    r" (?:[-+*/&]|==|!=|<=?|>=?|and|or|div|mod|in|not in|then|else|if|for|is none|is some) |, |: | through | by "
)
ATOMS = ("0", "1", "no", "yes", "{}", "all", "none")
BRACKETS = {"(": ")", "{": "}", "[": "]"}


def reduced(text: str, still_fails: Callable[[str], bool], go_on: Callable[[], bool]) -> str:
    """Return the smallest text found of which `still_fails` holds, as it does of `text`.

    `go_on` is asked before each try; once it says no, that is the smallest so far.
    """
    before, tried = "", {text}
    while before != text:
        before, at = text, 0
        while (found := _next(text, at, tried, still_fails, go_on)) is not None:
            text, at = found  # what came before that place was tried just now
    return text


def _next(
    text: str, first: int, tried: set[str], still_fails: Callable[[str], bool], go_on: Callable[[], bool]
) -> tuple[str, int] | None:
    """Return the next candidate of which `still_fails` holds, and its number; the first `first` are left out."""
    for number, one in enumerate(_candidates(text)):
        if number >= first and len(one) < len(text) and one not in tried:
            if not go_on():
                return None
            tried.add(one)
            if still_fails(one):
                return one, number
    return None


def _candidates(text: str) -> Iterator[str]:
    """Yield texts with something left out, large parts first."""
    lines = text.split("\n")
    for size in (16, 8, 4, 2):
        for start in range(0, len(lines) - size, size):
            yield "\n".join(lines[:start] + lines[start + size :])
    for start, line in enumerate(lines):
        below = start + 1
        while below < len(lines) and _indentation(lines[below]) > _indentation(line):
            below += 1
        yield "\n".join(lines[:start] + lines[below:])
        yield "\n".join(lines[:start] + lines[start + 1 :])
    longest_first = sorted(enumerate(lines), key=lambda line: -len(line[1]))
    for smaller_ones in (_without_body, _smaller):  # what takes away most comes first, wherever it stands
        for number, line in longest_first:
            for smaller in smaller_ones(line):
                yield "\n".join([*lines[:number], smaller, *lines[number + 1 :]])


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _without_body(line: str) -> Iterator[str]:
    """Yield a line without its clauses, and with the shortest values after `=`, `:=` and a colon."""
    for match in CLAUSE.finditer(line):
        yield line[: match.start()]
    for separator in ("= ", ": "):
        head, found, _ = line.partition(separator)
        if found:
            yield from (head + found + atom for atom in ATOMS)


def _smaller(line: str) -> Iterator[str]:
    """Yield a line with something left out, outermost parts first."""
    groups = sorted(_groups(line), key=lambda group: group[0] - group[1])
    for start, end in groups:
        for part in (*ATOMS, *_parts(line[start + 1 : end - 1])):
            yield line[:start] + part + line[end:]
            yield line[: start + 1] + part + line[end - 1 :]
    head, separator, body = line.partition("= ")
    if separator:
        for part in _parts(body):
            yield head + separator + part
    cuts = [0, *(place for match in OPERATORS.finditer(line) for place in match.span()), len(line)]
    for start in range(len(cuts)):
        for end in range(start + 1, min(start + 4, len(cuts))):
            yield line[: cuts[start]] + line[cuts[end] :]
    for match in re.finditer(r"\b\d\d+\b", line):
        yield line[: match.start()] + "9" + line[match.end() :]


def _groups(line: str) -> Iterator[tuple[int, int]]:
    """Yield from where to where each pair of brackets reaches, a function's name included."""
    waiting: list[int] = []
    for place, character in enumerate(line):
        if character in BRACKETS:
            waiting.append(place)
        elif waiting and character == BRACKETS[line[waiting[-1]]]:
            start = waiting.pop()
            yield start, place + 1
            name = re.search(r"[A-Za-z_]\w*$", line[:start])
            if name:
                yield name.start(), place + 1


def _parts(text: str) -> Iterator[str]:
    """Yield the operands of a text that stand outside of brackets, and what stands in its brackets."""
    depth, start = 0, 0
    masked = []
    for character in text:
        depth -= character in BRACKETS.values()
        masked.append("." if depth else character)
        depth += character in BRACKETS
    for match in OPERATORS.finditer("".join(masked)):
        yield text[start : match.start()].removeprefix("if ")
        start = match.end()
    if start:
        yield text[start:]
    for begin, end in _groups(text):
        yield text[begin:end]
