"""The pages in a real headless Chromium, of a real manager with real matches."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ggp.competition.formats import RoundRobin
from server.competitions.settings import CompetitionSettings, GameChoice
from server.matches.library_games import LibraryGames
from tests.support.arena import arena, move, raw, until
from tests.support.browser import browser, needs_browser

NASTY = "<img src=x onerror=alert(1)>"
TEXT = "(document.getElementById('main')?.innerText ?? '')"
SCROLLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@needs_browser
def test_the_pages_in_a_browser(tmp_path: Path) -> None:
    async def play() -> None:
        async with arena(tmp_path, LibraryGames()) as here, browser(tmp_path / "profile") as page:
            url = here.url.replace("ws:", "http:").removesuffix("/play")
            for name in (NASTY, "b", "c"):
                here.join(name=name)
            competition = await here.competitions.make(
                CompetitionSettings(
                    name="Spring & <b>Cup",
                    games=(GameChoice("tic_tac_toe"),),
                    format=RoundRobin(2),
                    entry="everybody",
                    min_players=3,
                    start_clock_ms=400,
                    play_clock_ms=300,
                )
            )
            await here.competitions.task_of(competition)

            await page.screen(390, 800)
            await page.open(f"{url}/")
            assert await page.value("location.pathname") == "/view"
            assert "Spring & <b>Cup" in await page.value(TEXT)
            await page.value("document.querySelector('main a').click()")
            await page.until("document.querySelectorAll('table').length === 3")
            text = await page.value(TEXT)
            assert NASTY in text
            assert "round robin" in text
            assert await page.value("document.querySelectorAll('main img, main b').length") == 0
            assert await page.value("document.querySelectorAll('tbody')[0].rows.length") == 3
            assert not await page.value(SCROLLS), "the page is wider than a telephone"

            await page.open(f"{url}/view/competitions/{competition.id}/players/b")
            assert await page.value("document.querySelector('h1').innerText") == "b"
            assert await page.value("document.querySelectorAll('polyline.curve').length") == 1
            assert not await page.value(SCROLLS)

            with here.manager.store.reading() as connection:
                (match,) = connection.execute("select id from matches limit 1").fetchone()
            await page.open(f"{url}/view/matches/{match}")
            steps = int(await page.value("document.querySelector('input').max"))
            assert steps >= 5
            pieces = "document.querySelectorAll('.piece').length"
            assert await page.value("document.querySelectorAll('.square').length") == 9
            assert await page.value(pieces) == steps
            await page.value("document.querySelector('input').focus()")
            await page.press("ArrowLeft", 37)
            assert await page.value(pieces) == steps - 1
            await page.press("Home", 36)
            assert await page.value(pieces) == 0
            await page.value("document.querySelector('button[aria-label=forward]').click()")
            assert await page.value(pieces) == 1
            assert "1 of" in await page.value("document.querySelector('[role=status]').innerText")
            assert not await page.value(SCROLLS)
            assert not page.complaints

            await page.call("Page.navigate", url=f"{url}/view/matches/none")
            await page.until(f"{TEXT}.includes('no such match')")

    asyncio.run(asyncio.wait_for(play(), 90))


@needs_browser
def test_a_match_is_seen_live(tmp_path: Path) -> None:
    async def play() -> None:
        async with arena(tmp_path, LibraryGames()) as here, browser(tmp_path / "profile") as page:
            await here.players("a")
            async with raw(here, "b") as socket:
                id_, _ = await here.library_match(await here.members(2), "tic_tac_toe")
                url = here.url.replace("ws:", "http:").removesuffix("/play")
                await page.call("Page.navigate", url=f"{url}/view/matches/{id_}")
                await page.until("document.querySelectorAll('.piece').length === 1")
                await move(socket, await until(socket, "act"), -1)
                await page.until("document.querySelectorAll('.piece').length === 3")
                assert await page.value("document.getElementById('main').dataset.ready ?? 'no'") == "no"
                here.manager.matches[id_].stop("enough")
                await page.until(f"{TEXT}.includes('aborted: enough')")
                assert not page.complaints

    asyncio.run(asyncio.wait_for(play(), 90))
