"""The examples of the page on adapters run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs/adapters.md"


def test_examples_are_true() -> None:
    for module in ("pyspiel", "pettingzoo", "gymnasium"):
        pytest.importorskip(module)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 12
    assert failed == 0
