"""The pages in a real headless Chromium, of a real manager with real matches."""

from __future__ import annotations

import json

from ggp.competition.formats import Ladder, RoundRobin
from server.competitions.settings import CompetitionSettings, GameChoice
from tests.support.arena import Arena, move, raw, until
from tests.support.browser import SCROLLS, Page, accessible, accessible_on_a_telephone

NASTY = "<img src=x onerror=alert(1)>"
LONG = "a_rather_long_name_for_a_player_of_games (v1)"
TEXT = "(document.getElementById('main')?.innerText ?? '')"
WAITING = "[...document.querySelectorAll('.entrant')].filter(one => one.innerText.includes('approve')).length"


async def test_the_pages_in_a_browser(here: Arena, page: Page) -> None:
    url = here.base
    for name in (NASTY, "b", LONG):
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
    await page.value("document.querySelector('main .plain-list a').click()")
    await page.until("document.querySelectorAll('table.cross').length === 1")
    text = await page.value(TEXT)
    assert NASTY in text
    assert "round robin" in text
    times = await page.value(
        "[...document.querySelectorAll('table.cross td[title^=\"the longest\"]')].map(one => one.innerText)"
    )
    assert [text[-3:] for text in times] == [" ms"] * 3
    assert await page.value("document.querySelectorAll('main img, main b b').length") == 0
    assert await page.value("document.querySelectorAll('tbody')[0].rows.length") == 3
    assert not await page.value(SCROLLS), "the page is wider than a telephone"

    await page.open(f"{url}/view/competitions/{competition.id}/players/b")
    assert await page.value("document.querySelector('h1').innerText") == "b"
    assert await page.value("document.querySelectorAll('polyline.rating').length") == 1
    assert not await page.value(SCROLLS)

    with here.manager.store.reading() as connection:
        (match,) = connection.execute("select id from matches limit 1").fetchone()
    await page.open(f"{url}/view/matches/{match}")
    await page.until("document.getElementById('main').dataset.ready === 'yes'")
    steps = int(await page.value("document.querySelector('input').max"))
    assert steps >= 5
    pieces = "document.querySelectorAll('.board .piece').length"
    assert await page.value("document.querySelectorAll('.ground').length") == 9
    assert " won" in await page.value("document.querySelector('h1').innerText")
    assert await page.value(pieces) == steps
    await page.press("ArrowLeft", 37)
    assert await page.value(pieces) == steps - 1
    await page.press("Home", 36)
    assert await page.value(pieces) == 0
    await page.value("document.querySelector('button[aria-label=forward]').click()")
    assert await page.value(pieces) == 1
    assert await page.value("location.hash") == "#1"
    await page.value("document.querySelectorAll('a.move')[2].click()")
    await page.until(f"{pieces} === 3")
    assert "3 of" in await page.value("document.querySelector('[role=status]').innerText")
    assert not await page.value(SCROLLS)

    await page.open(f"{url}/embed/matches/{match}#2")
    await page.until(f"{pieces} === 2")
    assert await page.value("document.querySelector('header, .side')") is None
    async with here.web() as web:
        policy = (await web.get(f"/embed/matches/{match}")).headers["content-security-policy"]
        assert "frame-ancestors *" in policy
        assert "frame-ancestors 'none'" in (await web.get("/view")).headers["content-security-policy"]
        missing = await web.get("/nowhere", headers={"accept": "text/html"})
        assert (missing.status_code, "no such page" in missing.text) == (404, True)
        assert (await web.get(missing.text.partition('stylesheet" href="')[2].partition('"')[0])).is_success

    seen = [f"/competitions/{competition.id}", f"/matches/{match}", "/players/b"]
    paths = [
        "/view",
        *(f"/view{path}" for path in seen),
        f"/embed/matches/{match}",
        f"/sit?competition={competition.id}",
    ]
    for theme in ("light", "dark"):
        await page.media("prefers-color-scheme", theme)
        for path in paths:
            await page.open(f"{url}{path}")
            await accessible(page)

    await page.open(f"{url}/view/matches/{match}")
    await page.push("Work them out")
    await page.until("document.querySelector('.curve polyline') !== null", 90)

    assert not page.complaints
    await page.call("Page.navigate", url=f"{url}/view/matches/none")
    await page.until(f"{TEXT}.includes('no such match')")
    page.complaints.clear()


async def test_a_host_creates_a_competition_and_admits_players(here: Arena, page: Page) -> None:
    url = here.base
    await page.open(f"{url}/view")
    await page.push("For the host")
    await page.fill("input[type=password]", "any")
    await page.push("Use it")
    await page.until("document.querySelector('input[name=name]') !== null")
    await accessible_on_a_telephone(page)
    for name, text in (("name", "By hand"), ("games", "tic_tac_toe")):
        await page.fill(f"input[name={name}]", text)
    await page.push("Create")
    await page.until(f"{TEXT}.includes('By hand') && location.pathname.startsWith('/view/competitions/')")
    (competition,) = here.competitions.all
    for name in ("ada", "bea", "cut"):
        here.join(name=name, entering=("By hand", None))
    await page.until("document.querySelectorAll('.entrant').length === 3")
    await accessible_on_a_telephone(page)
    for _ in range(2):
        waiting = await page.value(WAITING)
        await page.push("approve")
        await page.until(f"document.querySelectorAll('.entrant').length && {WAITING} === {waiting - 1}")
    await page.push("refuse")
    await page.until(f"{WAITING} === 0")
    await page.push("start")
    await here.competitions.task_of(competition)
    await page.until("document.querySelectorAll('table.cross tbody tr').length === 2")


async def test_whom_a_host_kicks_has_no_place_in_the_table(here: Arena, page: Page) -> None:
    settings = CompetitionSettings(
        name="Ladder", games=(GameChoice("tic_tac_toe"),), format=Ladder(), entry="everybody", min_players=2
    )
    competition = await here.competitions.make(settings)
    for name in ("ada", "bea"):
        here.join(name=name)
    await page.open(f"{here.base}/view")
    await page.value("sessionStorage.setItem(\"ggp host's token\", 'any')")
    await page.open(f"{here.base}/view/competitions/{competition.id}")
    await page.until("document.querySelectorAll('table.cross tbody tr').length === 2")
    await page.until("document.querySelectorAll('.entrant').length === 2")
    gone = await page.value("document.querySelector('.entrant b').innerText")
    await page.push("kick")
    rows = "[...document.querySelectorAll('table.cross tbody th')].map(one => one.innerText)"
    await page.until(f"{rows}.includes('– {gone} kicked')")
    (stays,) = {"ada", "bea"} - {gone}
    assert f"1. {stays}" in " ".join(await page.value(rows))
    assert f"{stays} leads" in await page.value(TEXT)


async def test_a_match_is_seen_live(here: Arena, page: Page) -> None:
    await here.players("a")
    async with raw(here, "b") as socket:
        id_, _ = await here.library_match(await here.members(2), "tic_tac_toe")
        url = here.base
        await page.call("Page.navigate", url=f"{url}/view/matches/{id_}")
        await page.until("document.querySelectorAll('.board .piece').length === 1")
        await page.until(f"{TEXT}.startsWith('a – b') && {TEXT}.includes('b to move')")
        await move(socket, await until(socket, "act"), -1)
        await page.until("document.querySelectorAll('.board .piece').length === 3")
        assert await page.value("document.getElementById('main').dataset.ready ?? 'no'") == "no"
        await socket.send(json.dumps({"type": "resign", "match": id_}))
        await page.until(f"{TEXT}.startsWith('a (cross) won: nought resigned')")


SECRET = """\
game secret "Take one or two, beside a coin that the other sees"

players row, col

state
    took: 1..2 = 1

phase toss
    chance draws side in 1..2
    sees col: side
    next take

phase take
    row chooses k in 1..2
    took := k
    next end

payoff[p] = if (p == row) == (took == 2) then 1 else -1
"""


async def test_where_a_hidden_match_was_lost_is_told_by_what_its_player_knew(here: Arena, page: Page) -> None:
    await here.players("ada", "ben")  # who always take the first
    settings = CompetitionSettings(
        name="Coins",
        games=(GameChoice("secret", rules=SECRET),),
        format=RoundRobin(1),
        entry="everybody",
        min_players=2,
        start_clock_ms=400,
        play_clock_ms=300,
    )
    await here.competitions.task_of(await here.competitions.make(settings))
    with here.manager.store.reading() as connection:
        (match,) = connection.execute("select id from matches limit 1").fetchone()
    await page.open(f"{here.base}/view/matches/{match}")
    await page.push("Work them out")
    await page.until(f"{TEXT}.includes('was worth 2.00 more, by what its player knew')", 60)
    await page.until("![...document.querySelectorAll('button')].some(one => one.textContent === 'Searching …')")
