"""Two browser windows at one table of the studio: a seat is given by the form, taken by its link, and come back to.

Once with a game of the library, once with one that is in no file: its link holds all of it.
"""

from __future__ import annotations

import asyncio
import base64
import json
import zlib

import pytest

from ggp.language import load_rules
from tests.support.browser import Page
from tests.support.clicker import played

GIVE = """(() => {
  document.querySelector("[name='seat.second']").value = "link";
  document.querySelector("form.setup").requestSubmit();
})()"""
TOLD = "document.querySelector('.told').textContent"
SAVED = """(() => {
  URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return "#"; };
  HTMLAnchorElement.prototype.click = () => {};
})()"""
LOADED = """((text) => {
  const [input, files] = [document.querySelector("[aria-label=Moves] input"), new DataTransfer()];
  files.items.add(new File([text], "game.json"));
  input.files = files.files;
  input.dispatchEvent(new Event("change"));
})"""
PRESENT = "document.querySelector('[aria-label=\"Links to seats\"] [role=status]')?.textContent"


async def restarted(first: Page, second: Page) -> None:
    """The host begins anew: the other window plays on by the link that it has."""
    await first.push("Restart")
    for page in (first, second):
        await page.until("!document.querySelector('[data-over]') && document.querySelector('.told') !== null")
    one, other = await asyncio.gather(played(first, 3, 10), played(second, 4, 10))
    assert one is not None
    assert one == other


def whole_game(name: str) -> str:
    """Return the fragment that holds a copy of a game, as *Copy link* makes it."""
    text = load_rules(name)[0].text.replace(f"game {name}", "game my_own")
    packing = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return base64.urlsafe_b64encode(packing.compress(text.encode()) + packing.flush()).decode().rstrip("=")


@pytest.mark.sweep
@pytest.mark.parametrize("game", ["&game=kuhn_poker&p.cards=13", f"&p.cards=13#g={whole_game('kuhn_poker')}"])
async def test_two_windows_play_by_a_link(host: str, page: Page, game: str) -> None:
    first = page
    await first.open(f"http://{host}/play?against=random{game}")
    await first.value(GIVE)
    await first.until("document.querySelector('[data-link]') !== null")
    await first.until("location.search.includes('table=')")
    link = await first.value("document.querySelector('[data-link]').href")
    assert await first.value(PRESENT) == "waited for"
    address = await first.value("location.href")
    second = await first.other()
    await second.open(link)
    await first.until(f"{PRESENT} === 'here'")
    await second.call("Page.navigate", url="about:blank")
    await first.until(f"{PRESENT} === 'waited for'")
    await second.value("history.back()")
    await first.until(f"{PRESENT} === 'here'")
    await first.open(address)
    for one in (first, second):
        await one.until("document.querySelector('.told')?.textContent.includes('you saw') === true")
    assert await second.value(TOLD) != await first.value(TOLD)
    buttons = "[...document.querySelectorAll('button')].map(each => each.textContent)"
    assert {"Take back", "Restart"} <= set(await first.value(buttons))
    assert {"Take back", "Restart"}.isdisjoint(await second.value(buttons))
    one, other = await asyncio.gather(played(first, 1, 10), played(second, 2, 10))
    assert one is not None
    assert one == other
    await restarted(first, second)


async def test_a_saved_game_brings_its_rules_and_leaves_those_of_others(host: str, page: Page) -> None:
    addresses = f"move=cross%3A%20b2#g={whole_game('tic_tac_toe')}", "game=nim&move=first%3A%201%201"
    texts = []
    for address in addresses:
        await page.open(f"http://{host}/play?against=me&{address}")
        await page.value(SAVED)
        await page.push("Save")
        await page.until("window.saved !== undefined")
        texts.append(await page.value("window.saved"))
    for text, name in zip(texts, ("My own", "Nim"), strict=True):
        await page.value(f"{LOADED}({json.dumps(text)})")
        await page.until(f"document.querySelector('h1')?.textContent === '{name}'")
        await page.until("document.querySelector('[data-turn]') !== null")
        assert await page.value("document.querySelector('[role=alert]')") is None
        assert len(await page.value("[...document.querySelectorAll('.move')].map(one => one.textContent)")) == 1
