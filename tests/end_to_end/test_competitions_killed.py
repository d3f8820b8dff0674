"""Competitions of each format in a manager that is killed: real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.manager_kills import FORMATS, soak


@pytest.mark.long
def test_play_goes_on_in_each_format_after_the_manager_was_killed(tmp_path: Path) -> None:
    result = soak(tmp_path / "store.sqlite", kills=1, more=3, seed=1)
    assert result["matches"] >= 2 * 3 * len(FORMATS)
