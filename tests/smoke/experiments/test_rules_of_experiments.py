"""The rules files that experiments bring along load, and their payoffs are known to have a constant sum."""

from pathlib import Path

import pytest

import experiments
import ggp

FILES = sorted(Path(next(iter(experiments.__path__))).glob("*.rules"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_loads_and_has_a_known_sum(path: Path) -> None:
    # what solves or measures them refuses games of two players without one
    assert ggp.load(str(path)).utility_sum is not None


def test_there_are_some() -> None:
    assert FILES
