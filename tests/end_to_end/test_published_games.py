"""From an empty page to a published game that people play: checked, private, open, with bots of its own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from server.matches.library_games import LibraryGames
from server.matches.memory_limits import RULES_MEMORY
from server.store.competition_records import unlisted
from studio.publishing import ManagerPages, checked
from tests.support.arena import arena
from tests.support.browser import Page, accessible_on_a_telephone
from tests.support.clicker import played
from tests.support.last_one import FAULTY, RULES

CONTENT = "document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content')"
TEXT = "(document.getElementById('main')?.innerText ?? '')"


async def written(page: Page, rules: str) -> None:
    """Replace what is in the editor, as somebody does who pastes a text."""
    await page.until(f"{CONTENT} != null")
    await page.value(f"{CONTENT}.focus()")
    await page.call("Input.dispatchKeyEvent", type="keyDown", commands=["selectAll"], key="a", code="KeyA")
    await page.call("Input.insertText", text=rules)


@pytest.mark.long
def test_rules_that_fail_are_told_where() -> None:
    found, right, unreadable = (asyncio.run(checked(text))["findings"] for text in (FAULTY, RULES, "game nothing"))
    assert [one["line"] for one in found if one["severity"] == "error"] == [9]
    assert not [one for one in right if one["severity"] == "error"]
    assert unreadable[0]["severity"] == "error"


CHECK = (
    "import resource; from studio import worker; worker.published = lambda _: resource.getrlimit(resource.RLIMIT_AS); "
)


def test_the_check_before_publishing_has_the_memory_of_the_referee() -> None:
    command = [sys.executable, "-c", CHECK + "worker.main()", "examine"]
    said = subprocess.run(command, input='{"rules": ""}\n', capture_output=True, text=True, check=True).stdout
    assert json.loads(said) == [RULES_MEMORY] * 2


@pytest.mark.long
async def test_from_an_empty_page_to_a_published_game_that_is_played(tmp_path: Path, page: Page) -> None:
    pages = ManagerPages(4, "everybody", None, tmp_path / "published")
    async with arena(tmp_path, LibraryGames(), pages.routes) as here:
        url = here.base
        await pages.begin(url.removeprefix("http://"))
        try:
            await page.open(f"{url}/write")
            await written(page, RULES)
            await page.until(f"{TEXT}.includes('No errors') && document.querySelector('h1').innerText === 'Last one'")
            await page.push("Publish")
            await page.until(f"{TEXT}.includes('Checked, and private')", 90)
            await accessible_on_a_telephone(page)
            (private,) = here.competitions.all
            with here.manager.store.reading() as connection:
                assert unlisted(connection) == {private.id}
            async with here.web() as web:
                refused = await web.post(f"/published/{private.id}/open", json={"key": "guessed"})
                assert refused.status_code == 403
            await page.open(f"{url}/write")  # its author comes back from a seat, and still has the key
            await page.until(f"{TEXT}.includes('Checked, and private.')")
            await page.push("Open it to everybody")
            await page.until(f"{TEXT}.includes('Open to everybody:')", 30)
            assert private.state == "cancelled"
            await page.push("last_one")
            await page.until(f"{TEXT}.includes('Rules of last one')")
            await page.until(f"{TEXT}.includes('auto of last one')", 60)
            assert "auto of last one-2" not in await page.value(TEXT)
            await page.push("Sit down yourself")
            await page.until("document.querySelector('input[name=name]') !== null")
            await page.fill("input[name=name]", "ada")
            await page.value("document.querySelector('main button').click()")
            await page.until("document.querySelector('[data-turn]') !== null", 90)
            assert pages._publisher is not None
            assert pages._publisher._free_label("last_one") == "last_one 2"
            assert pages._publisher._free_label("first_one") == "first_one"
            end = await played(page, 1, 40)
            assert end is not None
        finally:
            await pages.close()
