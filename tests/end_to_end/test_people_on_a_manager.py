"""People who sit down in browsers, on a real manager: against each other, under its clocks, and against programs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ggp.competition.formats import RoundRobin
from server.competitions.competition import Competition
from server.competitions.settings import CompetitionSettings, GameChoice
from server.matches.library_games import LibraryGames
from studio.visitors import Visitors
from tests.support.arena import Arena, arena
from tests.support.browser import Page, accessible_on_a_telephone
from tests.support.clicker import played

TEXT = "(document.getElementById('main')?.innerText ?? '')"
BOARD = "document.querySelector('.board [data-component]') !== null && document.querySelector('[data-over]') === null"
REFUSED = f"{TEXT}.includes('too many people')"
SEEN = ".observe(document.body, {subtree: true, childList: true, characterData: true})"


async def begun(here: Arena, game: str, rounds: int = 1) -> Competition:
    """Return a competition of two, who begin once both are there."""
    return await here.competitions.make(
        CompetitionSettings(
            name=f"A table of {game}",
            games=(GameChoice(game),),
            format=RoundRobin(rounds),
            entry="everybody",
            min_players=2,
            max_players=2,
            start_clock_ms=20_000,
            play_clock_ms=60_000,
        )
    )


async def sat_down(page: Page, url: str, competition: Competition, name: str) -> None:
    await page.open(f"{url}/sit?competition={competition.settings.name.replace(' ', '+')}")
    await page.fill("input[name=name]", name)
    await page.value("document.querySelector('main button').click()")


async def kept_clicking(page: Page, seed: int, ready: str = "true") -> None:
    """Play match after match, until cancelled; nothing is clicked before the page is ready."""
    while True:
        await page.until(ready, 60)
        await played(page, seed, 1000)
        await asyncio.sleep(0.1)


async def test_two_browsers_play_against_each_other(here: Arena, page: Page) -> None:
    ada, bea = page, await page.other()
    url = here.base
    competition = await begun(here, "tic_tac_toe")
    await sat_down(ada, url, competition, "ada")
    await sat_down(bea, url, competition, "bea")
    await ada.until("document.querySelector('.board') !== null")
    await accessible_on_a_telephone(ada)
    clicking = [asyncio.create_task(kept_clicking(one, seed)) for seed, one in enumerate((ada, bea))]
    await here.competitions.task_of(competition)
    for task in clicking:
        task.cancel()
    await asyncio.gather(*clicking, return_exceptions=True)
    for one in (ada, bea):
        await one.until("document.querySelector('[data-over]') !== null")
    results = [await one.value("document.querySelector('[data-over]').dataset.over") for one in (ada, bea)]
    assert results == ["A draw"] * 2 or sorted(results)[0] == "You won"
    await ada.open(f"{url}/sit?competition=A+table+of+tic_tac_toe")
    assert "is over" in await ada.value(TEXT)
    await accessible_on_a_telephone(ada)
    with here.manager.store.reading() as connection:
        rows = connection.execute("select state from matches").fetchall()
        (errors,) = connection.execute("select count(*) from errors").fetchone()
    assert rows == [("finished",)] * 2
    assert errors == 0, "an action was drawn for somebody"


@pytest.mark.long
async def test_matches_that_end_before_their_process_has_begun_leave_it_to_others(tmp_path: Path, page: Page) -> None:
    async with arena(tmp_path, LibraryGames(), lambda host: Visitors(host.manager, 3).routes()) as here:
        competition = await begun(here, "tic_tac_toe", 4)
        here.join(name="program")
        await sat_down(page, here.base, competition, "ada")
        await page.value(
            "globalThis.confirm = () => true; globalThis.refused = false; void setInterval(() => {"
            f" globalThis.refused ||= {TEXT}.includes('too many');"
            " [...document.querySelectorAll('button')].find(one => one.textContent === 'Resign')?.click();"
            "}, 20)"
        )
        await here.competitions.task_of(competition)
        assert await page.value("globalThis.refused") is False


@pytest.mark.long
async def test_a_match_that_is_over_leaves_its_process_to_others(tmp_path: Path, page: Page) -> None:
    # of four matches the next one may begin before the process of the last has drawn its end
    async with arena(tmp_path, LibraryGames(), lambda host: Visitors(host.manager, 3).routes()) as here:
        competition = await begun(here, "tic_tac_toe", 2)
        here.join(name="program")
        await sat_down(page, here.base, competition, "ada")
        await page.value(
            f"void new MutationObserver(() => {{ globalThis.refused ||= {TEXT}.includes('too many') }}){SEEN}"
        )
        clicking = asyncio.create_task(kept_clicking(page, 1, BOARD))
        await here.competitions.task_of(competition)
        clicking.cancel()
        await asyncio.gather(clicking, return_exceptions=True)
        assert await page.value("globalThis.refused") is False
        with here.manager.store.reading() as connection:
            assert connection.execute("select state from matches").fetchall() == [("finished",)] * 4


async def test_a_person_sees_of_hidden_information_what_the_seat_is_told(here: Arena, page: Page) -> None:
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


@pytest.mark.long
async def test_a_visitor_finds_a_game_in_the_gallery_and_plays_it_with_somebody(here: Arena, page: Page) -> None:
    ada = page
    await ada.open(f"{here.base}/view")
    await ada.push("Games", "header a")
    await ada.until("document.querySelectorAll('.gallery img').length > 40")
    await ada.fill("input[type=search]", "noughts and crosses")
    await ada.until("document.querySelectorAll('.gallery img').length < 9")
    await ada.until("[...document.querySelectorAll('.gallery img')].every(one => one.naturalWidth > 0)")
    await ada.value("document.querySelector(\"a[href='/games/tic_tac_toe']\").click()")
    await ada.until(f"{TEXT}.includes('game tic_tac_toe')")
    await ada.push("Play", "main a")
    await ada.until("document.querySelector('[data-turn]') !== null")
    await ada.value("document.querySelector(\"[name='seat.nought']\").value = 'link'")
    await ada.value("document.querySelector('form.setup').requestSubmit()")
    await ada.until("document.querySelector('[data-link]') !== null")
    bea = await ada.other()
    await bea.open(await ada.value("document.querySelector('[data-link]').href"))
    one, other = await asyncio.gather(played(ada, 1, 20), played(bea, 2, 20))
    assert one is not None
    assert one == other
