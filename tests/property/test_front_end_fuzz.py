"""The front end takes any text: never a traceback, whatever stands in the file, and time that grows with its length."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.language import SourceFile, check, load_rules, parse, render_all
from ggp.language.text.grammar import grammar
from tests.support.examples import examples
from tests.support.library import library_games

LIBRARY = {name: load_rules(name)[0].text for name in library_games()}
FORMS = Path(__file__).parent.glob("*_forms.rules")
LIBRARY |= {path.stem: path.read_text(encoding="utf-8") for path in FORMS}
SMALL = sorted(name for name, text in LIBRARY.items() if len(text) < 4_000)
WORDS = sorted(
    {terminal.pattern.value for terminal in grammar().terminals if terminal.pattern.type == "str"}
    | {"x", "player", "1", "0", "2.5", '"t"', "#c\n", "\n", "\n    ", "\n        ", ", at most 2", "2 of "}
)
CONTROL = st.text(st.sampled_from("\x00\t\r\n\f\v\ufeff\u2028\u202e\U0001f600äx1(){}[]:=,.\"#' "), max_size=80)
fuzz = examples(60)


def survives(text: str) -> None:
    source = SourceFile("fuzz.rules", text)
    result = check(source)
    assert result.game is not None or any(found.severity == "error" for found in result.diagnostics)
    lines = text.split("\n")
    for found in result.diagnostics:
        if found.span is not None:
            assert 1 <= found.span.line <= len(lines)
            assert 1 <= found.span.column <= len(lines[found.span.line - 1]) + 1
    render_all(result.diagnostics, source)


@pytest.mark.long
@fuzz
@given(st.text(max_size=300) | CONTROL)
def test_any_text(text: str) -> None:
    survives(text)


@fuzz
@given(st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join))
def test_any_tokens(text: str) -> None:
    survives(text)


@fuzz
@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.sampled_from(["state", "phase go", "display"]))
def test_any_tokens_in_a_block(tokens: str, block: str) -> None:
    survives(f'game g "g"\nplayers a, b\n{block}\n    {tokens}\npayoff[p] = 0\n')


@pytest.mark.long
@fuzz
@given(st.sampled_from(SMALL), st.data())
def test_library_files_with_lines_moved(name: str, data: st.DataObject) -> None:
    lines = LIBRARY[name].split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        first, second = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        match data.draw(st.sampled_from(["delete", "duplicate", "swap"])):
            case "delete":
                lines[first : first + 1] = [""] if len(lines) == 1 else []
                lines = lines or [""]
            case "duplicate":
                lines.insert(second, lines[first])
            case _:
                second = min(second, len(lines) - 1)
                first = min(first, len(lines) - 1)
                lines[first], lines[second] = lines[second], lines[first]
    survives("\n".join(lines))


@pytest.mark.long
@fuzz
@given(st.sampled_from(SMALL), st.data())
def test_library_files_with_tokens_changed(name: str, data: st.DataObject) -> None:
    text = LIBRARY[name]
    tokens = [token for token in grammar().lex(text) if token.type != "NEWLINE"]
    changed = data.draw(st.sampled_from(tokens))
    other = data.draw(st.sampled_from([str(token) for token in tokens]) | st.sampled_from(WORDS) | st.just(""))
    survives(text[: changed.start_pos] + other + text[changed.end_pos :])


@pytest.mark.parametrize("name", ["goofspiel", "tron"])
def test_windows_line_ends_change_nothing(name: str) -> None:
    source, read_text = load_rules(name)
    text = source.text.replace("\n", "\r\n")
    result = check(SourceFile(source.name, text), {}, read_text)
    assert result.game is not None
    assert not result.diagnostics


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("piece", "count"),
    [
        ("let v = 1 + 2\n", 1_000),
        ("(", 10_000),
        ("x ", 10_000),
        ("1 + ", 3_000),
        ("\n", 50_000),
        ("# " + "long " * 20 + "\n", 1_000),
        ('"', 20_000),
        ("    s: 0..9 = 0\n", 1_000),
        ("\x00", 20_000),
        ("9", 100_000),
        ("{x: ", 2_500),
        ("if yes then ", 2_500),
    ],
)
def test_time_grows_with_the_length(piece: str, count: int) -> None:
    def seconds(times: int) -> float:
        source = SourceFile("long.rules", piece * times)
        began = time.process_time()
        parse(source)
        return time.process_time() - began

    gc.collect()
    gc.disable()  # it goes over what all other tests have left, and would be most of the time
    try:
        # Four times the text may take four times the time; sixteen times is a loop in a loop. No time at all is noise.
        limit = 9 * min(seconds(count) for _ in range(3)) + 0.1
        assert any(seconds(4 * count) < limit for _ in range(3))
    finally:
        gc.enable()
