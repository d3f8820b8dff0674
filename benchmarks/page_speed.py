"""The pages in a headless Chromium: first boards, from a click to the board, from a key to diagnostics, and sizes."""

from __future__ import annotations

import asyncio
import gzip
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.tables import table
from server.web import pages
from tests.support.browser import CHROMIUM, Page, browser
from tests.support.studio_server import studio

GAMES = ("tic_tac_toe", "chess", "goofspiel", "go", "backgammon")
WATCH = """
new MutationObserver((_, observer) => {
  if (document.querySelector("#main[data-ready] .stage")) { window.shownAt = performance.now(); observer.disconnect(); }
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
CLICK = """new Promise((done) => {
  const moves = () => document.querySelectorAll(".moves .move").length;
  const before = moves(), began = performance.now();
  const taken = new Set();
  const next = () => {
    const open = [...document.querySelectorAll("[data-turn] [data-component], [data-action]")];
    const one = open.find((each) => !taken.has(each.dataset.place)) ?? open[0];
    if (one?.dataset.place) taken.add(one.dataset.place);
    return one;
  };
  const act = () => next()?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  new MutationObserver((_, observer) => {
    if (moves() > before) { observer.disconnect(); done(performance.now() - began); } else queueMicrotask(act);
  }).observe(document.getElementById("main"), { subtree: true, childList: true, attributes: true });
  act();
})"""
"""Clicks whatever comes first until an action is made, no place twice, which would let it go."""


CONTENT = "document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content')"
CHECKED = """window.checked = new Promise((done) => {
  const editor = document.querySelector(".editor");
  let began = 0;
  new MutationObserver((_, observer) => {
    if (editor.dataset.errors === undefined) began ||= performance.now();
    else if (began) { observer.disconnect(); done(performance.now() - began); }
  }).observe(editor, { attributes: true });
}); 0"""
"""From a change of the text to the diagnostics for it."""


@dataclass(frozen=True, slots=True)
class PageSpeed:
    """Of one game.

    Attributes:
        first_ms: from the request of the page to the first board, with the game compiled.
        click_ms: from the first click of an action to the board after it.
        key_ms: from a key in the editor to the diagnostics.
    """

    first_ms: float
    click_ms: float
    key_ms: float


@dataclass(frozen=True, slots=True)
class PageFigures:
    """Speeds by game, and the scripts' sizes in bytes, compressed: of playing and watching."""

    games: dict[str, PageSpeed]
    script_bytes: int


def measure(quick: bool) -> PageFigures | None:
    """Measure; None without a Chromium or without built pages."""
    size = script_bytes()
    if CHROMIUM is None or not size:
        return None
    return PageFigures(asyncio.run(_measured(GAMES[:1] if quick else GAMES, 1 if quick else 5)), size)


def script_bytes() -> int:
    """Return the compressed size of the scripts of playing and watching.

    The editor loads when it is opened, and exported pages have scripts of their own.
    """
    package, folder = pages.BUILT
    built = Path(__file__).parents[1] / package.replace(".", "/") / folder
    return sum(
        len(gzip.compress(file.read_bytes(), 9))
        for file in built.glob("*.js")
        if not file.name.startswith(("write-", "alone"))
    )


async def _measured(names: tuple[str, ...], times: int) -> dict[str, PageSpeed]:
    found = {}
    with studio() as host:
        async with browser() as page:
            await page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
            reduced = [{"name": "prefers-reduced-motion", "value": "reduce"}]
            await page.call("Emulation.setEmulatedMedia", features=reduced)
            for name in names:
                firsts, clicks = [], []
                for number in range(times + 1):
                    first, click = await _one(page, f"http://{host}/play?game={name}&against=random&seed={number}")
                    if number:  # the first one compiles the game
                        firsts.append(first)
                        clicks.append(click)
                keys = await _keys(page, f"http://{host}/write?game={name}", times)
                found[name] = PageSpeed(statistics.median(firsts), statistics.median(clicks), statistics.median(keys))
    return found


async def _one(page: Page, address: str) -> tuple[float, float]:
    await page.open(address)
    await page.until("window.shownAt > 0 && document.querySelector('[data-component], [data-action]') !== null")
    first = float(await page.value("window.shownAt"))
    return first, float(await page.value(CLICK))


async def _keys(page: Page, address: str, times: int) -> list[float]:
    """Return how long the diagnostics took after each of some keys at the end of the rules."""
    await page.open(address)
    await page.until("document.querySelector('.editor')?.dataset.errors === '0'")
    await page.value(f"{CONTENT}.focus()")
    await page.call("Input.dispatchKeyEvent", type="keyDown", commands=["moveToEndOfDocument"], key="End", code="End")
    found = []
    for _ in range(times):
        await page.value(CHECKED)
        await page.call("Input.insertText", text="x")
        found.append(float(await page.value("window.checked")))
    return found


def section(figures: PageFigures) -> str:
    """Return the table of the pages."""
    rows = [
        [name, f"{one.first_ms:.0f}", f"{one.click_ms:.0f}", f"{one.key_ms:.0f}"] for name, one in figures.games.items()
    ]
    return (
        "## Pages\n\nIn a headless Chromium on the same machine: from the request of the page to the first board (the"
        " game compiled), from the first click of an action to the board after it, and from a key in the editor to the"
        f" diagnostics. Scripts for playing and watching: {figures.script_bytes / 1000:.0f} kB compressed.\n\n"
        + table(["game", "first board, ms", "click to board, ms", "key to diagnostics, ms"], rows)
    )


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    figures = measure(quick)
    if figures is None:
        return None, "Pages: no chromium, or the pages are not built (`make web`)."
    return figures, section(figures)
