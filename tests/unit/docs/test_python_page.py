"""The page on the Python interface: its examples run, and it lists everything public."""

from __future__ import annotations

import doctest
import re
import runpy
from pathlib import Path

import pytest

import ggp
from ggp.game.batch import Batch
from ggp.game.game import Game
from ggp.game.state import State

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/python.md"
INTERNAL = {
    # what `State` and `Batch` use of `Game`
    *("backend", "codec", "play", "steps", "action", "words_of", "joint_of", "joint_row", "lone_row", "game"),
    *("state_again", "word_ranges", "fail_by_words"),
}


def test_examples_are_true() -> None:
    # the closing fence stands behind an empty line, so that it is not taken for output
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 20
    assert failed == 0


@pytest.mark.parametrize("kind", [Game, State, Batch])
def test_everything_public_is_named(kind: type) -> None:
    text = PAGE.read_text(encoding="utf-8")
    names = [name for name in dir(kind) if not name.startswith("_") and name not in INTERNAL]
    assert [name for name in names if f"`{name}" not in text and f", {name}" not in text] == []


def test_the_example_of_batches_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "docs/examples/first_moves.py"))
    lines = capsys.readouterr().out.splitlines()
    points = [float(line.split()[-1]) for line in lines]
    assert len(lines) == 7
    # who begins is better off, in the middle most; 300 steps of 4096 games are some 8000 games a move: 0.011 each
    assert all(point > -0.06 for point in points)
    assert points[3] == max(points) > 0.25


def test_every_public_name_of_the_package_is_there_and_named() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in ggp.__all__:
        assert getattr(ggp, name) is not None
        assert f"`ggp.{name}" in text or f"`{name}" in text, name
    assert set(re.findall(r"`ggp\.([A-Z]\w+)", text)) <= set(ggp.__all__)
