"""Matches to watch, over the API."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path

import pytest

from server.matches.library_games import LibraryGames
from server.matches.loaded_game import LoadedGame
from server.web import pages
from tests.support.arena import arena, move, play_on, raw, until


async def events(web, match, query=""):
    found = []
    async with web.stream("GET", f"/matches/{match}/feed?{query}", timeout=15) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        name = None
        async for line in answer.aiter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                found.append((name, json.loads(line.removeprefix("data: "))))
    return found


@contextlib.asynccontextmanager
async def watched(tmp_path, game):
    """A match of `a`, who does the first thing, and `b`, who does what the test says on its socket."""
    async with arena(tmp_path, LibraryGames()) as here, here.web() as web:
        await here.players("a")
        async with raw(here, "b") as socket:
            id_, task = await here.library_match(await here.members(2), game)
            yield here, web, socket, id_, task


async def test_a_match_that_hides_nothing_is_seen_live_with_its_board(tmp_path) -> None:
    async with watched(tmp_path, "tic_tac_toe") as (_, web, socket, id_, _):
        watching = asyncio.create_task(events(web, id_))
        act = await until(socket, "act")
        await asyncio.sleep(0.8)
        assert not watching.done()
        late = asyncio.create_task(events(web, id_))
        await asyncio.sleep(0.3)
        await play_on(socket, act, -1)
        found = await watching
        left_ms = [next(data for name, data in seen if name == "left") for seen in (found, await late)]
        assert left_ms[1] < left_ms[0] - 500  # of one move
        steps = [data for name, data in found if name == "step"]
        assert found[-1] == ("end", None)
        assert steps[0]["actions"] == {}
        boards = [step["scene"]["boards"][0]["places"] for step in steps]
        assert len(boards[0]) == 9
        marks = [sum("pieces" in place for place in places) for places in boards]
        assert marks == list(range(len(steps)))
        assert (await web.get("/matches/none/feed")).status_code == 404


async def test_spectators_of_one_match_share_what_is_drawn(tmp_path, monkeypatch) -> None:
    drawn = []
    show = LoadedGame.show
    monkeypatch.setattr(LoadedGame, "show", lambda *arguments: drawn.append(1) or show(*arguments))

    async with arena(tmp_path, LibraryGames()) as here, here.web() as web:
        id_, task = await here.library_match(await here.players("a", "b"), "tic_tac_toe")
        await task
        found = await asyncio.gather(*(events(web, id_) for _ in range(8)))
        assert all(one == found[0] for one in found)
        steps = sum(name == "step" for name, _ in found[0])
        assert steps == len(drawn)


async def test_of_a_match_that_hides_something_nothing_is_seen_before_its_end(tmp_path) -> None:
    async with watched(tmp_path, "kuhn_poker") as (here, web, socket, id_, task):
        watching = asyncio.create_task(events(web, id_))
        await socket.send(json.dumps({"type": "ready", "match": id_}))
        await asyncio.sleep(0.8)
        async with web.stream("GET", f"/matches/{id_}/feed") as answer:
            async for chunk in answer.aiter_text():
                assert chunk.startswith("event: note")
                break
        here.manager.matches[id_].stop("enough")
        await task
        found = await watching
        assert next(name for name, _ in found) == "note"
        assert [name for name, _ in found][-1] == "end"
        steps = [data for name, data in found if name == "step"]
        assert all("5eed" not in json.dumps(step) for step in steps)
        assert steps[1]["outcome"] is not None


async def test_a_player_can_let_others_see_a_match_as_it_does(tmp_path) -> None:
    async with watched(tmp_path, "kuhn_poker") as (_, web, socket, id_, task):
        for shown in ("", "wrong", "Bearer wrong"):
            refused = await web.post(f"/matches/{id_}/view", headers={"authorization": shown})
            assert refused.status_code == 403
        token = {"authorization": f"Bearer {socket.welcome['token']}"}
        assert (await web.post("/matches/none/view", headers=token)).status_code == 404
        given = (await web.post(f"/matches/{id_}/view", headers=token)).json()
        assert given["role"] == "second"
        assert (await web.get(f"/matches/{id_}/feed?view=guess")).status_code == 403
        watching = asyncio.create_task(events(web, id_, given["feed"].partition("?")[2]))
        heard = []
        while not heard or heard[-1]["type"] != "end":
            heard.append(json.loads(await socket.recv()))
            if heard[-1]["type"] == "start":
                await socket.send(json.dumps({"type": "ready", "match": id_}))
            if heard[-1]["type"] == "act":
                await asyncio.sleep(0.6)
                assert not watching.done()
                await move(socket, heard[-1])
        await task
        found = await watching
        assert found[-1] == ("end", None)
        assert {name for name, _ in found[:-1]} == {"told"}
        assert [data for _, data in found[:-1]] == [one for one in heard if one["type"] != "start"]


def test_pages_built_anew_are_served_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of the parts of a script change with what is in them: parts of two builds do not fit together."""
    built = tmp_path / "built"
    built.mkdir()
    (built / "main.js").write_text("old")
    (built / "part-1.js").write_text("old")
    monkeypatch.setattr(pages.resources, "files", lambda _: tmp_path)
    pages._files.cache_clear()
    try:
        assert pages._file("main.js")[0] == b"old"
        (built / "part-1.js").unlink()
        assert pages._file("part-1.js")[0] == b"old"
    finally:
        pages._files.cache_clear()


async def test_pages_have_a_strict_policy_and_send_browsers_there(tmp_path) -> None:
    async with arena(tmp_path) as here, here.web() as web:
        page = await web.get("/view/matches/x")
        policy = page.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert policy.startswith("default-src 'none'")
        assert "<script>" not in page.text
        assert " style=" not in page.text
        assert (await web.get("/", headers={"accept": "text/html"})).headers["location"] == "view"
        assert 'src="../../static/main.js"' in page.text
        assert 'src="../../static/main.js"' in (await web.get("/view/players/a%2Fb")).text
        assert (await web.get("/")).json()["server"] == "ggp"
        script = await web.get("/static/main.js")
        assert script.headers["content-type"].startswith("text/javascript")
        again = await web.get("/static/main.js", headers={"if-none-match": script.headers["etag"]})
        assert again.status_code == 304
        assert (await web.get("/static/..%2fpages.py")).status_code == 404
