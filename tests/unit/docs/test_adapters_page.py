"""The examples of the page on adapters run."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs/adapters.md"


def test_examples_are_true() -> None:
    for module in ("pyspiel", "pettingzoo", "gymnasium"):
        pytest.importorskip(module)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 12
    assert failed == 0


@pytest.mark.parametrize("name", ["gymnasium", "openspiel", "pettingzoo"])
def test_what_an_adapter_offers_stands_on_the_page(name: str) -> None:
    pytest.importorskip("pyspiel" if name == "openspiel" else name)
    module = importlib.import_module(f"ggp.adapters.{name}")
    functions = {word for word in module.__all__ if callable(getattr(module, word)) and word.islower()}
    assert functions
    assert functions <= {*re.findall(r"\w+", PAGE.read_text(encoding="utf-8"))}
