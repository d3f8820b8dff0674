"""Every library game, and games of many kinds that do not say how they are drawn, played to the end in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser import needs_browser
from tests.support.clicked_games import UNDRAWN, needs_pages, play_by_clicks
from tests.support.library import library_names

LONGEST, CLICKS = 160, 1500
GAMES = [*library_names(), *UNDRAWN]


@needs_browser
@needs_pages
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_every_game_is_played_by_clicks(name: str) -> None:
    play_by_clicks([name], LONGEST, CLICKS)
