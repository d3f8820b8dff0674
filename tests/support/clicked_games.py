"""Games opened in a browser and played to the end by the clicker; results are compared with the journal of moves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

import ggp
from studio.table import Table, result_text
from tests.support.browser import Page
from tests.support.clicker import played
from tests.support.studio_server import studio

UNDRAWN = tuple(sorted(str(file) for file in (Path(__file__).parent / "undrawn_games").glob("*.rules")))
"""Rules files of many kinds, none of which says how it is drawn."""
SEED = 4
MOST = 1_000
"""Transitions that an address holds."""


def record_near_the_end(name: str, longest: int) -> list[str]:
    """Return the record of a random play without its last transitions; of one that is not too long nothing."""
    for seed in range(SEED, SEED + 20):
        rng = random.Random(f"{Path(name).stem} {seed}")  # the same wherever the file lies
        table = Table(ggp.load(name), seed)
        while not table.is_over and len(table.made) < MOST:
            if not table.draw():
                for role in table.waiting():
                    table.choose(role, str(rng.choice(table.history.state.legal(role))))
        if table.is_over:
            break
    record = [made.text(table.game.players) for made in table.made]
    return record[: -longest // 4] if len(record) > longest else []


async def play_by_clicks(page: Page, names: Sequence[str], longest: int, clicks: int) -> None:
    """Play games against `random`; of those that are longer than so many transitions, only the end.

    Raises:
        AssertionError: a game does not end within so many clicks, or not as its journal does.
    """
    await page.media("prefers-reduced-motion", "reduce")
    with studio(tuple(name for name in names if name in UNDRAWN)) as host:
        for name in names:
            start = [("game", name), ("against", "random"), ("seed", str(SEED)), ("clock", "0.05")]
            record = [("move", line) for line in record_near_the_end(name, longest)]
            await page.open(f"http://{host}/play?{urlencode(start + record)}")
            await played_to_the_end(page, name, clicks)


async def played_to_the_end(page: Page, name: str, clicks: int) -> None:
    """Play a game that is open, and compare its result with that of its journal in native play."""
    end = await played(page, 1, clicks)
    assert not page.complaints, (name, page.complaints)
    assert end is not None, f"{name} is not over after {clicks} clicks"
    compare(name, end["over"], end["record"].split("\n"))


def compare(name: str, result: str, record: list[str]) -> None:
    """Play a record again, and compare the result that the page told."""
    table = Table(ggp.load(name), 0)
    table.replay(record)
    assert table.is_over, name
    utilities = table.history.state.utilities()
    assert result == result_text(table.game.players, utilities, shared=table.has_shared_result), name
