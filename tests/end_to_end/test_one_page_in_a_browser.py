"""Pages that need nothing, opened from a file in a browser and played by the clicker to the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.support.browser import ELSEWHERE, Page, accessible, browser, needs_browser
from tests.support.clicked_games import compare, needs_pages
from tests.support.clicker import played
from tests.support.command_line import told

pytestmark = [needs_browser, needs_pages]
NASTY = "</script><script>hacked=1</script><img src=x onerror=hacked=1>"
RULES = f"""# {NASTY} in a comment
game nasty "{NASTY}"
players a, b
type way = {{go, stop}}

state
    turn: player = a

phase act
    turn chooses what in way
    next end

payoff[p] = if p == turn then 1 else -1
"""
CLICKS = 200


def in_browser(look: Callable[[Page], Awaitable[None]]) -> None:
    """Look at pages in a browser; they may not have errors, nor load anything."""

    async def run() -> None:
        async with browser() as page:
            reduced = [{"name": "prefers-reduced-motion", "value": "reduce"}]
            await page.call("Emulation.setEmulatedMedia", features=reduced)
            await look(page)
            assert not page.complaints
            assert await page.value(ELSEWHERE) == []

    asyncio.run(run())


def exported(game: str, folder: Path) -> str:
    """Write the page of a game; return its address."""
    file = folder / "page.html"
    facts = told("export", game, "--html", str(file))
    assert facts["file"] == str(file)
    assert facts["bytes"] == file.stat().st_size < 1_000_000
    return file.as_uri()


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("tic_tac_toe", "clock=0.1"),  # against the search
        ("tic_tac_toe", "against=me"),  # two people
        ("kuhn_poker", "clock=0.1&seat=second"),
        ("liars_dice", "against=me"),  # the screen is covered between turns
        ("goofspiel", "against=random&seed=3"),
    ],
)
def test_a_game_is_played_to_the_end(name: str, fragment: str, tmp_path: Path) -> None:
    address = exported(name, tmp_path)

    async def look(page: Page) -> None:
        await page.open(f"{address}#{fragment}")
        end = await played(page, 1, CLICKS)
        assert end is not None
        compare(name, end["over"], end["record"].split("\n"))

    in_browser(look)


def test_narrow_pages_fit_and_axe_finds_nothing(tmp_path: Path) -> None:
    address = exported("connect_four", tmp_path)

    async def look(page: Page) -> None:
        await page.open(address)
        await page.until("document.querySelector('[data-component]') !== null")
        await page.screen(390, 800)
        await accessible(page)

    in_browser(look)


def test_texts_of_rules_stay_texts(tmp_path: Path) -> None:
    file = tmp_path / "nasty.rules"
    file.write_text(RULES)
    address = exported(str(file), tmp_path)

    async def look(page: Page) -> None:
        await page.open(address)
        assert await page.value("typeof hacked") == "undefined"
        assert await page.value("document.querySelector('details b').textContent") == NASTY
        assert await page.value("document.querySelector('details pre').textContent") == RULES

    in_browser(look)


def test_hints_and_the_curve_come_from_the_search(tmp_path: Path) -> None:
    address = exported("tic_tac_toe", tmp_path)
    press = "[...document.querySelectorAll('button')].find(one => one.textContent === {0!r}).click()"

    async def look(page: Page) -> None:
        moves = ("cross: a1", "nought: b2", "cross: b1", "nought: a3")
        await page.open(f"{address}#clock=0.1&" + "&".join(f"move={move}" for move in moves))
        await page.value(press.format("Hint"))
        await page.until("document.querySelector('table.bars th[scope=row]')?.textContent === 'c1'")
        await page.value(press.format("Curve"))
        await page.until("document.querySelector('svg.curve polyline') !== null")

    in_browser(look)
