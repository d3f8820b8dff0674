"""Pages that need nothing, opened from a file in a browser and played by the clicker to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser import Page, accessible
from tests.support.clicked_games import played_to_the_end
from tests.support.command_line import told

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
async def test_a_game_is_played_to_the_end(page: Page, name: str, fragment: str, tmp_path: Path) -> None:
    address = exported(name, tmp_path)
    await page.media("prefers-reduced-motion", "reduce")
    await page.open(f"{address}#{fragment}")
    await played_to_the_end(page, name, CLICKS)


async def test_narrow_pages_fit_and_axe_finds_nothing(page: Page, tmp_path: Path) -> None:
    address = exported("connect_four", tmp_path)
    await page.open(address)
    await page.until("document.querySelector('[data-component]') !== null")
    await page.screen(390, 800)
    await accessible(page)


async def test_texts_of_rules_stay_texts(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "nasty.rules"
    file.write_text(RULES)
    address = exported(str(file), tmp_path)
    await page.open(address)
    assert await page.value("typeof hacked") == "undefined"
    assert await page.value("document.querySelector('details b').textContent") == NASTY
    assert await page.value("document.querySelector('details pre').textContent") == RULES


async def test_hints_and_the_curve_come_from_the_search(page: Page, tmp_path: Path) -> None:
    address = exported("tic_tac_toe", tmp_path)
    moves = ("cross: a1", "nought: b2", "cross: b1", "nought: a3")
    await page.open(f"{address}#clock=0.1&" + "&".join(f"move={move}" for move in moves))
    await page.push("Hint")
    await page.until("document.querySelector('table.bars th[scope=row]')?.textContent === 'c1'")
    await page.push("Curve")
    await page.until("document.querySelector('svg.curve polyline') !== null")
