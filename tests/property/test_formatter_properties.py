"""Formatting changes blanks only: on the library and the documents' examples, as they are and with mangled blanks."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.language.text.formatter import format_rules
from ggp.language.text.source import SourceFile
from tests.support.examples import examples
from tests.support.formatting import assert_only_blanks_differ, mangled

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("rules/*.rules"), *ROOT.glob("docs/examples/*.rules"), *ROOT.glob("tests/property/*.rules")])


@pytest.mark.sweep
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_rules_files_are_in_the_format(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert assert_only_blanks_differ(text) == text


@pytest.mark.sweep
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@examples(2)
@given(seed=st.integers(0, 2**32))
def test_mangled_blanks(path: Path, seed: int) -> None:
    assert_only_blanks_differ(mangled(path.read_text(encoding="utf-8"), Random(seed)))


@pytest.mark.sweep
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
