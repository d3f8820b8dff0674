"""Every library game opened in a browser and played by a clicker that knows no game."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from urllib.parse import urlencode

import pytest

import ggp
from studio.application import BUILT
from studio.table import Table, result_text
from tests.support.browser import browser, needs_browser
from tests.support.clicker import played
from tests.support.library import library_names
from tests.support.studio_server import studio

CLICKS = 60
AHEAD = 4
"""A long game is opened so many transitions before its end in random play, so that clicks can finish it."""
LONG = 30
GROUPS = 4
BUILT_PAGES = Path(__file__).parents[2] / BUILT[0].replace(".", "/") / BUILT[1] / "index.html"
needs_pages = pytest.mark.skipif(not BUILT_PAGES.is_file(), reason="the pages are not built: run `make web`")


def record_near_the_end(name: str) -> list[str]:
    """Return the record of a random play without its last transitions; of a short one nothing."""
    rng = random.Random(f"{name} 4")
    table = Table(ggp.load(name), 4)
    while not table.is_over and len(table.made) < 400:
        if not table.draw():
            for role in table.waiting():
                table.choose(role, str(rng.choice(table.history.state.legal(role))))
    record = [made.text(table.game.players) for made in table.made]
    return record[:-AHEAD] if len(record) > LONG else []


@needs_browser
@needs_pages
@pytest.mark.parametrize("group", range(GROUPS))
def test_every_library_game_is_played_by_clicks(tmp_path: Path, group: int) -> None:
    finished = []

    async def play() -> None:
        async with browser(tmp_path / "profile") as page:
            reduced = [{"name": "prefers-reduced-motion", "value": "reduce"}]
            await page.call("Emulation.setEmulatedMedia", features=reduced)
            for name in library_names()[group::GROUPS]:
                start = [("game", name), ("against", "random"), ("seed", "4"), ("clock", "0.05")]
                record = [("move", line) for line in record_near_the_end(name)]
                await page.open(f"http://{host}/play?{urlencode(start + record)}")
                end = await played(page, 1, CLICKS)
                assert not page.complaints, (name, page.complaints)
                if end is not None:
                    finished.append(name)
                    compare(name, end["over"], end["record"].split("\n"))

    with studio() as host:
        asyncio.run(play())
    assert len(finished) > 0.7 * len(library_names()) / GROUPS, finished


def compare(name: str, result: str, record: list[str]) -> None:
    """Play a record again, and compare the result that the page told."""
    table = Table(ggp.load(name), 0)
    for line in record:
        if line:
            table.replay([line])
        else:  # nobody acts, and nothing is to be told
            assert table.draw()
    assert table.is_over
    assert result == result_text(table.game.players, table.history.state.utilities())
