"""Games played in a browser by a clicker that knows no game: a few a day; `tests/smoke` plays all of them."""

from __future__ import annotations

import datetime
import random

from tests.support.browser import Page
from tests.support.clicked_games import UNDRAWN, play_by_clicks
from tests.support.library import library_names

FROM_LIBRARY, OWN = 3, 1
LONGEST, CLICKS = 24, 250


async def test_some_games_are_played_by_clicks(page: Page) -> None:
    """Others each day; whichever fails is named, and fails in `tests/smoke` on any day."""
    day = random.Random(datetime.datetime.now(datetime.UTC).date().toordinal())
    await play_by_clicks(page, [*day.sample(library_names(), FROM_LIBRARY), *day.sample(UNDRAWN, OWN)], LONGEST, CLICKS)
