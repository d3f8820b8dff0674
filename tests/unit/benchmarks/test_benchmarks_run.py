"""The benchmarks run, and the page has what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main, run
from benchmarks.report import search_section, table
from benchmarks.search_speed import PLAYERS, Speed


def test_a_quick_run_measures_and_writes(tmp_path: Path) -> None:
    main(["--quick", "searches", "--json", str(tmp_path / "figures.json"), "--markdown", str(tmp_path / "page.md")])
    figures = json.loads((tmp_path / "figures.json").read_text())
    rows = figures["searches"]
    assert list(rows) == ["goofspiel(5), fixed prizes", "Oshi-Zumo(10,3,1)"]
    for speeds in rows.values():
        assert list(speeds) == list(PLAYERS)
        assert all(speed["iterations_per_s"] > 1000 and speed["bytes_per_node"] >= 16 for speed in speeds.values())
    assert figures["machine"]["processor"] in (tmp_path / "page.md").read_text()


def test_ratios_are_to_the_java_program() -> None:
    speeds = {"Tron 5×6": {player: Speed(666_000.0, 40.0) for player in PLAYERS}}
    assert "| Tron 5×6 | 666 (2.0×) | 666 (3.3×) | 666 (2.4×) | 666 (4.5×) |" in search_section(speeds)


def test_nothing_is_measured_without_a_part() -> None:
    figures, page = run((), quick=True)
    assert list(figures) == ["machine"]
    assert "##" not in page


def test_an_unknown_part_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serches"])
    assert "there is no part `serches`" in capsys.readouterr().err


def test_tables_are_markdown() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | ---: |\n| 1 | 2 |"
