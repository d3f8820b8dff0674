"""Every library game, and games of many kinds that do not say how they are drawn, played to the end in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser import Page
from tests.support.clicked_games import UNDRAWN, play_by_clicks
from tests.support.library import library_names

LONGEST, CLICKS = 160, 1500
GAMES = [*library_names(), *UNDRAWN]


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
async def test_every_game_is_played_by_clicks(name: str, page: Page) -> None:
    await play_by_clicks(page, [name], LONGEST, CLICKS)
