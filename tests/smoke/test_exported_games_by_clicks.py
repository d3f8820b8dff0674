"""Pages that need nothing, of games of all kinds, played by clicks."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.support.browser import Page
from tests.support.clicked_games import SEED, UNDRAWN, played_to_the_end, record_near_the_end
from tests.support.command_line import told
from tests.support.library import library_names
from tests.support.sweeps import SAMPLED_GAMES

LONGEST, CLICKS = 80, 800
NAMES = [name for name in (*library_names(), *UNDRAWN) if Path(name).stem in SAMPLED_GAMES]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).stem)
async def test_exported_games_are_played_by_clicks(name: str, page: Page, tmp_path: Path) -> None:
    """Its result is that of its journal in native play; of long games only the end is played."""
    file = tmp_path / "page.html"
    told("export", name, "--html", str(file))
    moves = [("move", line) for line in record_near_the_end(name, LONGEST)]
    fragment = urlencode([("against", "random"), ("seed", str(SEED)), *moves], quote_via=quote)
    await page.media("prefers-reduced-motion", "reduce")
    await page.open(f"{file.as_uri()}#{fragment}")
    await played_to_the_end(page, name, CLICKS)
