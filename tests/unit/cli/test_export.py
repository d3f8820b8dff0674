"""`ggp export` writes a page, or says in a line why it cannot; what is browsed is tested in `tests/end_to_end`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ggp.cli.arguments import BadArgument
from ggp.faults import LimitExceeded
from ggp.rules_compiler.loading import RulesInvalid
from studio.one_page import writing
from tests.support.command_line import run, told
from tests.support.library import one_phase

WIDE = one_phase(
    "ann chooses c in cell\nseen := seen + {c}",
    "seen: set of cell = {}",
    "board cell = grid(100, 100)",
    payoff="0\ndisplay grid cell\n    seen: dot label c + d for c in 1..2000, d in 1..2000",
)
"""A display with as many things as there are pairs of cells."""


@pytest.mark.usefixtures("built_pages")
def test_a_page_is_one_small_file_that_names_no_other(tmp_path: Path) -> None:
    file = tmp_path / "tic_tac_toe.html"
    facts = told("export", "tic_tac_toe", "--html", str(file))
    assert facts["file"] == str(file)
    assert facts["bytes"] == file.stat().st_size < 100_000
    assert facts["seconds"] > 0
    page = file.read_text("utf-8")
    assert not re.search(r"(src|href)=\"?(https?:)?//", page.partition("<script")[0])
    assert "default-src 'none'" in page


@pytest.mark.usefixtures("built_pages")
def test_pages_are_the_same_each_time(tmp_path: Path) -> None:
    pages = [tmp_path / "one.html", tmp_path / "other.html"]
    for page in pages:
        run("export", "kuhn_poker", "--html", str(page))
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_what_cannot_be_exported_is_refused_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = tmp_path / "wide.rules"
    wide.write_text(WIDE)
    with pytest.raises(LimitExceeded, match="words of a picture"):
        run("export", str(wide), "--html", str(tmp_path / "wide.html"))
    wide.write_text(WIDE.replace("next end", "next nowhere"))
    with pytest.raises(RulesInvalid, match="nowhere"):
        run("export", str(wide), "--html", str(tmp_path / "wide.html"))
    monkeypatch.setattr(writing, "BUILT", ("server.web", "missing"))
    with pytest.raises(writing.PagesNotBuilt, match="make web"):
        run("export", "nim", "--html", str(tmp_path / "nim.html"))


@pytest.mark.usefixtures("built_pages")
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="No such file"):
        run("export", "nim", "--html", str(tmp_path / "missing" / "nim.html"))
