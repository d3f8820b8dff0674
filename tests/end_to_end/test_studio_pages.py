"""The studio's pages in a browser: accessible, within the window, by keys alone, and without requests to elsewhere."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

from tests.support.browser import AXE, SCROLLS, Page, browser, needs_browser
from tests.support.clicked_games import needs_pages
from tests.support.clicker import OPEN, SEEN
from tests.support.studio_server import studio

NASTY = "<img src=x onerror=alert(1)>"
RULES = f"""# {NASTY} in a comment
game nasty "{NASTY}"
players a, b
board cell = grid(2, 2)

state
    mine[player]: set of cell = {{}}

phase p
    each q chooses c in all - mine[q]
    mine[q] := mine[q] + {{c[q]}}  for q in player
    next end if count(mine[a]) == 3 else p

payoff[p] = 0

display grid cell
    mine[p]: "{NASTY}" of p  for p in player
    line "{NASTY}" mine
"""
PAGES = (
    "",
    "play?game=chess&against=random",
    "play?game=goofspiel&against=random",
    "play?game=ra&against=random",
    "play?game=kuhn_poker&against=link",
    "play?game=kuhn_poker&move=chance: 3 1&move=first: pass&move=second: pass",  # over
    "games/ra",
    "write?game=hex",
)


@needs_browser
@needs_pages
def test_the_pages_are_accessible_and_fit_the_window() -> None:
    async def look() -> None:
        async with browser() as page:
            await page.call("Page.setBypassCSP", enabled=True)
            for theme, widths in (("light", (390, 1280, 2560)), ("dark", (390,))):
                await page.call(
                    "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}]
                )
                for width in widths:
                    await page.screen(width, 900)
                    for path in PAGES:
                        await page.open(f"http://{host}/{path}")
                        assert not await page.value(SCROLLS), (width, path)
                        if width == 390:
                            await page.value(AXE.read_text(encoding="utf-8") + ";0")
                            named = "violations.map(each => each.id + each.nodes[0].html)"
                            found = await page.value(f"axe.run().then(result => result.{named})")
                            assert found == [], (theme, path)

    with studio() as host:
        asyncio.run(look())


@needs_browser
@needs_pages
def test_texts_of_rules_stay_texts_and_nothing_is_loaded_from_elsewhere(tmp_path: Path) -> None:
    file = tmp_path / "nasty.rules"
    file.write_text(RULES)

    async def look() -> None:
        async with browser() as page:
            for path in ("", f"play?game={quote(str(file))}&against=random", "games/ra", "write?game=nim"):
                await page.open(f"http://{host}/{path}")
                assert await page.value("document.querySelectorAll('img[src=x]').length") == 0
                loaded = await page.value("performance.getEntriesByType('resource').map(each => each.name)")
                assert loaded
                assert all(name.startswith(f"http://{host}/") for name in loaded)
            assert not page.complaints

    with studio((str(file),)) as host:
        asyncio.run(look())


@needs_browser
@needs_pages
def test_a_game_is_played_by_keys_alone() -> None:
    async def play() -> None:
        async with browser() as page:
            await page.open(f"http://{host}/play?game=tic_tac_toe&against=random&seed=2")
            for _ in range(300):
                seen = await page.value(SEEN)
                if "over" in seen:
                    return
                await enter(page)
                await asyncio.sleep(0.05)
            raise AssertionError("not over")

    async def enter(page: Page) -> None:
        if await page.value(f"(document.querySelector('{OPEN}')?.focus(), document.activeElement.matches('{OPEN}'))"):
            await page.press("Enter", 13)

    with studio() as host:
        asyncio.run(play())


@needs_browser
@needs_pages
def test_a_man_is_dragged_to_where_it_goes() -> None:
    async def play() -> None:
        async with browser() as page:
            reduced = [{"name": "prefers-reduced-motion", "value": "reduce"}]
            await page.call("Emulation.setEmulatedMedia", features=reduced)
            await page.call(
                "Emulation.setDeviceMetricsOverride", width=1280, height=1000, deviceScaleFactor=1, mobile=False
            )
            await page.open(f"http://{host}/play?game=chess&seat.black=me")
            place = "(({x, y, width, height}) => ({x: x + width / 2, y: y + height / 2, height}))"
            box = "document.querySelector('[data-component=e2] .area').getBoundingClientRect()"
            man = await page.value(f"{place}({box})")
            for target in ((man["x"], man["y"] - man["height"] / 3), (man["x"], man["y"] - 2.1 * man["height"])):
                await dragged(page, (man["x"], man["y"]), target)
            await page.until("document.querySelectorAll('.moves .move').length === 1")
            assert "e2 e4 pawn" in await page.value("document.querySelector('.moves').innerText")
            assert not page.complaints

    async def dragged(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
        middle = (begin[0], (begin[1] + end[1]) / 2)
        steps = [("mousePressed", begin), ("mouseMoved", middle), ("mouseMoved", end), ("mouseReleased", end)]
        for kind, (x, y) in steps:
            await page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    with studio() as host:
        asyncio.run(play())
