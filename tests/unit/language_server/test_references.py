"""Definitions, references and renaming: a game renamed all over is the same game."""

from __future__ import annotations

import pytest

from ggp.language.text.source import SourceFile, Span
from ggp.language_server.analysis import Analysis, analyse
from ggp.language_server.references import CannotRename, definition, references, renamed
from tests.support.library import typed_game
from tests.unit.language_server.test_language_features import RULES, place


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(SourceFile("bids.rules", RULES))


def texts(spans: list[Span]) -> list[str]:
    lines = RULES.split("\n")
    return [lines[span.line - 1][span.column - 1 : span.end_column - 1] for span in spans]


@pytest.mark.parametrize(
    ("mark", "offset", "line", "count"),
    [
        ("max(hand[row])", 4, 9, 7),  # a variable
        ("worth[k] > 0", 6, 24, 3),  # a choice of one kind of move, known on it too
        ("other(turn)", 6, 11, 4),
        ("next act if", 5, 22, 2),  # a phase
        ("on fold", 3, 25, 2),  # a kind of move
        ("max(c[row], c[col])", 6, 4, 4),  # a player
        ("count(hand[p])", 11, 14, 2),  # an argument, not the players of other statements
        ("set of card", 7, 5, 4),  # a type
    ],
)
def test_definition_and_references(analysis: Analysis, mark: str, offset: int, line: int, count: int) -> None:
    here = place(mark, offset)
    found = definition(analysis, *here)
    assert found is not None
    assert found.line == line
    all_places = references(analysis, *here)
    assert len(all_places) == count
    assert len(set(texts(all_places))) == 1
    assert found in all_places
    assert references(analysis, *here, with_declaration=False) == [span for span in all_places if span != found]


def test_every_name_can_be_renamed(analysis: Analysis) -> None:
    names = {(span.line, span.column): text for span, text in _declared(analysis)}
    assert len(names) > 15
    for (line, column), name in names.items():
        lines = RULES.split("\n")
        for span in reversed(renamed(analysis, line, column, "new_name")):
            text = lines[span.line - 1]
            assert text[span.column - 1 : span.end_column - 1] == name
            lines[span.line - 1] = text[: span.column - 1] + "new_name" + text[span.end_column - 1 :]
        typed_game("\n".join(lines))


def _declared(analysis: Analysis) -> list[tuple[Span, str]]:
    built_in = {"player", "direction"}
    return [(one.span, one.name) for one in analysis.declared.values() if one.name not in built_in | {"bids"}]


@pytest.mark.parametrize(
    ("mark", "name", "message"),
    [
        ("let best", "hand", "`hand` is already declared in this file"),
        ("let best", "row", "`row` is already declared in this file"),
        ("let best", "2nd", "`2nd` is not a name: letters, digits and `_`, not beginning with a digit"),
        ("let best", "next", "`next` is a word of the language"),
        ("let best", "count", "`count` is a word of the language"),
        ("let best", "hash", "`hash` is already declared in this file"),
    ],
)
def test_names_that_cannot_be_had(analysis: Analysis, mark: str, name: str, message: str) -> None:
    with pytest.raises(CannotRename, match="^" + message.replace("`", ".")):
        renamed(analysis, *place(mark, 4), name)


def test_nothing_stands_here(analysis: Analysis) -> None:
    assert definition(analysis, *place("# cards each", 3)) is None
    assert references(analysis, 100, 1) == []
    with pytest.raises(CannotRename, match="no name"):
        renamed(analysis, *place("let best", 1), "other_name")
