"""`ggp competition` against a manager of this process."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ggp.cli.main import app
from ggp.errors import GgpError
from ggp.terminal import safe_text
from server.matches.library_games import LibraryGames
from tests.support.arena import Arena, arena, comes_true, raw

RULES = Path(__file__).parents[3] / "docs" / "examples" / "undercut.rules"


async def ggp(here: Arena, *words: str) -> str:
    """Run a command beside the event loop; return what it prints."""
    url = here.base
    place = words[:2] if words[0] == "competition" else words[:1]
    arguments = [*place, "--manager", url, *words[len(place) :]]
    outcome = await asyncio.to_thread(CliRunner().invoke, app, arguments)
    if outcome.exception is not None and isinstance(outcome.exception, GgpError):
        raise outcome.exception
    assert outcome.exit_code == 0, outcome.output
    return outcome.stdout


async def test_a_host_makes_and_runs_a_competition_with_commands(tmp_path: Path) -> None:
    async with arena(tmp_path, LibraryGames()) as here:
        made = await ggp(
            here, "competition", "make", "Spring", "--game", str(RULES), "--set", "format=round_robin",
            "--set", "entry=invitation", "--set", "start_clock_ms=400", "--set", "play_clock_ms=300",
        )  # fmt: skip
        assert made.startswith("created: Spring, number ")
        tokens = (await ggp(here, "competition", "invite", "Spring", "--count", "2")).split()
        for name, token in zip("ab", tokens, strict=True):
            here.join(name=name, entering=("Spring", token))
        await comes_true(lambda: len(here.competitions.all[0].field.active) >= 2)
        assert "a     entered" in await ggp(here, "competition", "entrants", "Spring")
        assert await ggp(here, "competition", "start", "Spring") == "the competition is running\n"
        assert await ggp(here, "competition", "pause", "Spring") == "the competition is paused\n"
        with pytest.raises(GgpError, match="the competition is paused, so it cannot be started"):
            await ggp(here, "competition", "start", "Spring")
        assert await ggp(here, "competition", "change", "Spring", "strikes=3") == "changed\n"
        with pytest.raises(GgpError, match="`games` cannot be changed"):
            await ggp(here, "competition", "change", "Spring", "games=[]")
        with pytest.raises(GgpError, match=r"`int`.*`\$.strikes`"):
            await ggp(here, "competition", "change", "Spring", "strikes=few")
        with pytest.raises(GgpError, match=r"and `50` is not one of them\n    = hint: its default"):
            await ggp(here, "competition", "make", "Fall", "--game", "goofspiel", "-p", "n=50")
        several = ("competition", "make", "Both", "--game", "goofspiel", "--game", "tic_tac_toe", "--game", "tron")
        with pytest.raises(GgpError, match="has no parameter `m`"):
            await ggp(here, *several, "-p", "m=4")
        await ggp(here, *several, "-p", "n=4", "-p", "width=7")
        given = [choice.parameters for choice in here.competitions.all[1].settings.games]
        assert given == [{"n": "4"}, {}, {"width": "7"}]
        with pytest.raises(GgpError, match="no player `nobody` has entered"):
            await ggp(here, "competition", "kick", "Spring", "nobody")
        competition = here.competitions.all[0]
        await ggp(here, "competition", "resume", "Spring")
        await here.competitions.task_of(competition)
        rows = json.loads(await ggp(here, "competition", "standings", "Spring", "--json"))
        assert [row["matches"] for row in rows] == [2, 2]
        assert "Spring" in await ggp(here, "competition", "list")
        shown = json.loads(await ggp(here, "competition", "show", "Spring", "--json"))
        assert (shown["state"], shown["settings"]["strikes"], shown["games"]) == ("finished", 3, ["undercut"])
        store = str(here.manager.store.path)
        csv = await ggp(here, "competition", "standings", "Spring", "--store", store, "--csv")
        assert len(csv.splitlines()) == 3
        with pytest.raises(GgpError, match="no competition `Autumn`; it has `Spring`"):
            await ggp(here, "competition", "standings", "Autumn", "--store", store)


async def test_a_ladder_is_finished(tmp_path: Path) -> None:
    async with arena(tmp_path) as here, raw(here, "a") as one, raw(here, "b") as two:
        await ggp(here, "competition", "make", "Climb", "--game", "dark", "--set", "format=ladder")
        for socket in (one, two):
            await socket.send('{"type": "enter", "competition": "Climb"}')
        await comes_true(lambda: len(here.competitions.all[0].field.rows) == 2)
        for name in "ab":
            await ggp(here, "competition", "approve", "Climb", name)
        await ggp(here, "competition", "start", "Climb")
        assert "when those in play are over" in await ggp(here, "competition", "finish", "Climb")


async def test_a_host_takes_players_out(tmp_path: Path) -> None:
    async with arena(tmp_path) as here, raw(here, "a/b") as socket:
        await ggp(here, "competition", "make", "Open", "--game", "dark", "--set", "entry=approval")
        await socket.send('{"type": "enter", "competition": "open"}')
        await comes_true(lambda: here.competitions.all[0].field.rows)
        assert await ggp(here, "competition", "approve", "Open", "a/b") == "a/b: entered\n"
        assert await ggp(here, "competition", "kick", "Open", "a/b", "--reason", "x") == "a/b: kicked\n"
        assert json.loads(await ggp(here, "competition", "entrants", "Open", "--json"))[0]["reason"] == "x"


def test_no_manager_is_one_line() -> None:
    outcome = CliRunner().invoke(app, ["competition", "list", "--manager", "localhost:1"])
    assert "cannot reach http://localhost:1" in str(outcome.exception)


def test_text_of_strangers_cannot_move_the_cursor() -> None:
    assert safe_text("a\x1b[2Jb\nc\u202ed") == "a\\x1b[2Jb\\x0ac\\u202ed"
    assert safe_text("naïve 名前 ♟") == "naïve 名前 ♟"
    assert safe_text("x" * 600) == "x" * 500 + "…"


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("strike=3", "a competition has no setting `strike`; did you mean `strikes`?"),
        ("format=swis", "there is no format `swis`; did you mean `swiss`?"),
        ("format=foo", "there is no format `foo`; there are round_robin, swiss, groups_knockout, ladder"),
        ("strikes", "`strikes` is not of the form NAME=VALUE, such as `strikes=3`"),
    ],
)
def test_a_setting_that_does_not_exist_is_told_before_anything_is_sent(setting: str, told: str) -> None:
    command = ["competition", "make", "x", "--game", "tron", "--set", setting, "--manager", "localhost:1"]
    assert str(CliRunner().invoke(app, command).exception) == told
