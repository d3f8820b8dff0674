"""People who sit down in browsers, on a real manager: against each other, under its clocks, and against programs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from starlette.routing import BaseRoute

from ggp.competition.formats import RoundRobin
from server.competitions.competition import Competition
from server.competitions.settings import CompetitionSettings, GameChoice
from server.matches.library_games import LibraryGames
from server.network.host import Host
from studio.visitors import Visitors
from tests.support.arena import Arena, arena
from tests.support.browser import Page, accessible_on_a_telephone, browser, needs_browser
from tests.support.clicked_games import needs_pages
from tests.support.clicker import played

TEXT = "(document.getElementById('main')?.innerText ?? '')"


def visitors(host: Host) -> Sequence[BaseRoute]:
    return Visitors(host.manager, 4).routes()


async def begun(here: Arena, game: str) -> Competition:
    """Return a competition of two, who begin once both are there."""
    return await here.competitions.make(
        CompetitionSettings(
            name=f"A table of {game}",
            games=(GameChoice(game),),
            format=RoundRobin(1),
            entry="everybody",
            min_players=2,
            max_players=2,
            start_clock_ms=20_000,
            play_clock_ms=60_000,
        )
    )


async def sat_down(page: Page, url: str, competition: Competition, name: str) -> None:
    await page.open(f"{url}/sit?competition={competition.settings.name.replace(' ', '+')}")
    await page.value("document.querySelector('input[name=name]').focus()")
    await page.call("Input.insertText", text=name)
    await page.value("document.querySelector('main button').click()")


async def kept_clicking(page: Page, seed: int) -> None:
    """Play match after match, until cancelled."""
    while True:
        await played(page, seed, 1000)
        await asyncio.sleep(0.1)


@needs_browser
@needs_pages
def test_two_browsers_play_against_each_other(tmp_path: Path) -> None:
    async def play() -> None:
        async with arena(tmp_path, LibraryGames(), visitors) as here, browser() as ada:
            bea = await ada.other()
            url = here.base
            competition = await begun(here, "tic_tac_toe")
            await sat_down(ada, url, competition, "ada")
            await sat_down(bea, url, competition, "bea")
            await ada.until("document.querySelector('.board') !== null")
            await accessible_on_a_telephone(ada)
            clicking = [asyncio.create_task(kept_clicking(page, seed)) for seed, page in enumerate((ada, bea))]
            await here.competitions.task_of(competition)
            for task in clicking:
                task.cancel()
            await asyncio.gather(*clicking, return_exceptions=True)
            for page in (ada, bea):
                await page.until("document.querySelector('[data-over]') !== null")
            results = [await page.value("document.querySelector('[data-over]').dataset.over") for page in (ada, bea)]
            assert results == ["A draw"] * 2 or sorted(results)[0] == "You won"
            assert not ada.complaints
            assert not bea.complaints
            with here.manager.store.reading() as connection:
                rows = connection.execute("select state from matches").fetchall()
                (errors,) = connection.execute("select count(*) from errors").fetchone()
            assert rows == [("finished",)] * 2
            assert errors == 0, "an action was drawn for somebody"

    asyncio.run(asyncio.wait_for(play(), 120))


@needs_browser
@needs_pages
def test_a_person_sees_of_hidden_information_what_the_seat_is_told(tmp_path: Path) -> None:
    async def play() -> None:
        async with arena(tmp_path, LibraryGames(), visitors) as here, browser() as page:
            url = here.base
            competition = await begun(here, "kuhn_poker")
            here.join(name="program")
            await sat_down(page, url, competition, "ada")
            await page.until("document.querySelector('[data-turn]') !== null")
            cards = "document.querySelectorAll('.place-of .playing-card .face').length"
            await page.until(f"{cards} > 0")
            assert await page.value(cards) == 1, "one's own card, and no other"
            end = await played(page, 1, 20)
            assert end is not None
            assert not page.complaints

    asyncio.run(asyncio.wait_for(play(), 120))


@pytest.mark.long
@needs_browser
@needs_pages
def test_a_visitor_finds_a_game_in_the_gallery_and_plays_it_with_somebody(tmp_path: Path) -> None:
    async def play() -> None:
        async with arena(tmp_path, LibraryGames(), visitors) as here, browser() as ada:
            await ada.open(f"{here.base}/view")
            await ada.value("[...document.querySelectorAll('header a')].find(one => one.innerText === 'Games').click()")
            await ada.until("document.querySelectorAll('.gallery img').length > 40")
            await ada.value("document.querySelector('input[type=search]').focus()")
            await ada.call("Input.insertText", text="noughts and crosses")
            await ada.until("document.querySelectorAll('.gallery img').length < 9")
            await ada.until("[...document.querySelectorAll('.gallery img')].every(one => one.naturalWidth > 0)")
            await ada.value("document.querySelector(\"a[href='/games/tic_tac_toe']\").click()")
            await ada.until(f"{TEXT}.includes('game tic_tac_toe')")
            await ada.value("[...document.querySelectorAll('main a')].find(one => one.innerText === 'Play').click()")
            await ada.until("document.querySelector('[data-turn]') !== null")
            await ada.value("document.querySelector(\"[name='seat.nought']\").value = 'link'")
            await ada.value("document.querySelector('form.setup').requestSubmit()")
            await ada.until("document.querySelector('[data-link]') !== null")
            bea = await ada.other()
            await bea.open(await ada.value("document.querySelector('[data-link]').href"))
            one, other = await asyncio.gather(played(ada, 1, 20), played(bea, 2, 20))
            assert one is not None
            assert one == other
            assert ada.complaints == bea.complaints == []

    asyncio.run(asyncio.wait_for(play(), 120))
