"""Every rules file of the project loads, but those written to be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import ggp

ROOT = Path(__file__).parents[2]
WRONG = ROOT / "tests" / "golden" / "diagnostics"
FILES = sorted(
    path
    for folder in ("rules", "docs", "experiments", "benchmarks", "tests")
    for path in (ROOT / folder).rglob("*.rules")
    if WRONG not in path.parents
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_it_loads(path: Path) -> None:
    game = ggp.load(str(path))
    assert game.initial().phase is not None


def test_there_are_some() -> None:
    assert {"rules", "docs", "experiments", "benchmarks", "tests"} == {
        path.relative_to(ROOT).parts[0] for path in FILES
    }
