import asyncio
import contextlib
import json

import httpx
import pytest
from websockets.asyncio.client import connect

from players.client import JoinFailed
from server.matches.manager import MatchRefused
from server.network.api import Api
from server.referee.journal import Ended
from server.referee.replay import first_difference
from tests.support.arena import arena, closing_code, comes_true, duel, play_on, raw, until
from tests.support.tiny_games import TinyGames


async def test_a_match_over_websockets_is_stored_as_it_was_told(here):
    members = await here.players("a", "a")
    assert [member.name for member in members] == ["a", "a-2"]
    id_, task = await here.match(members)
    ended = await task
    assert ended.result == "finished"
    row, journal, errors = here.stored(id_)
    assert (row.state, row.outcome.utilities, row.released, errors) == ("finished", ended.utilities, True, [])
    assert first_difference(journal, TinyGames().load_created) is None


@pytest.mark.parametrize(
    ("frames", "kind"),
    [
        (["{match}garbage"], "late"),
        (['{"type":"move","match":"{match}","step":{step},"action":"jump"}'], "illegal"),
        (['{"type":"move","match":"{match}","step":{step},"action":7}'], "malformed"),
        ([], "late"),
    ],
)
async def test_a_misbehaving_player_loses_only_its_choice(here, frames, kind):
    async with duel(here) as (socket, id_, task):

        async def misbehave():
            while True:
                act = await until(socket, "act")
                for frame in frames:
                    await socket.send(frame.replace("{match}", id_).replace("{step}", str(act["step"])))

        bad = asyncio.create_task(misbehave())
        ended = await task
        bad.cancel()
    assert ended.result == "finished"
    row, _, errors = here.stored(id_)
    assert row.errors[0] == 0
    assert {error["kind"] for error in errors} == {kind}
    assert len([error for error in errors if error["kind"] == kind]) == 2


async def test_a_giant_frame_closes_the_connection_and_the_match_ends(here):
    async with duel(here) as (socket, id_, task):
        await until(socket, "act")
        await socket.send(" " * 20_000)
        assert await closing_code(socket) == 1009
    assert (await task).result == "finished"
    assert {error["player"] for error in here.stored(id_)[2]} == {"raw"}


async def test_a_flood_is_cut_off_and_hurts_nobody_else(here):
    async with duel(here) as (socket, id_, task):
        with contextlib.suppress(Exception):
            for _ in range(5000):
                await socket.send('{"type":"move","match":"' + id_ + '","step":77,"action":"x"}')
        assert await closing_code(socket) == 1008
    assert (await task).result == "finished"
    row, _, errors = here.stored(id_)
    assert row.errors[0] == 0
    assert 0 < len([error for error in errors if error["kind"] == "unexpected"]) <= 20


async def test_a_player_cannot_move_for_another_match(here):
    members = await here.players("a", "b")
    async with raw(here, "spy") as socket:
        id_, task = await here.match(members)
        await socket.send('{"type":"move","match":"' + id_ + '","step":0,"action":"pass"}')
        problem = await until(socket, "error")
        assert problem["code"] == "unknown_match"
    await task
    assert here.stored(id_)[2] == []


async def test_a_player_that_comes_back_is_told_everything_again(here):
    async with duel(here, play_clock_ms=2000) as (socket, id_, task):
        token = socket.welcome["token"]
        first = [await until(socket, "start"), await until(socket, "observe")]
    await here.members(1)
    async with raw(here, "raw", token=token) as socket:
        again = [await until(socket, "start"), await until(socket, "observe")]
        assert again[0] == {**first[0], "remaining_ms": 0}
        assert again[1] == first[1]
        act = await until(socket, "act")
        assert 0 < act["remaining_ms"] <= 2000
        await play_on(socket, act)
    assert (await task).result == "finished"
    assert here.stored(id_)[2] == []


async def test_a_token_nobody_has_and_a_wrong_version_are_refused(here):
    with pytest.raises(JoinFailed, match="this token is unknown here"):
        await here.join(token="x" * 20)
    async with connect(here.url) as socket:
        await socket.send('{"type":"hello","name":"old","protocol":99}')
        assert json.loads(await socket.recv())["code"] == "protocol"
    async with connect(here.url) as socket:
        await socket.send('{"type":"hello","name":"right\\u202eleft"}')
        assert "invisible characters" in json.loads(await socket.recv())["message"]
        assert await closing_code(socket) == 1008
    async with connect(here.url) as socket:
        await socket.send("hello?")
        assert "expected `hello`" in json.loads(await socket.recv())["message"]


async def test_a_failing_game_ends_its_match_and_no_other(here):
    a, b = await here.players("a", "b")
    broken_id, broken = await here.match((a,), "broken")
    _, faulty = await here.match((a,), "faulty")
    _, fine = await here.match((a, b))
    assert (await fine).result == "finished"
    assert (await faulty).reason == "the rules failed: `count` takes 0..3, not 4"
    assert (await broken).reason == "the manager failed in this match"
    assert here.stored(broken_id)[0].state == "aborted"


async def test_matches_are_made_over_the_api(here):
    await here.players("a", "b")
    async with here.web() as web:
        made = await web.post("/matches", json={"game": "dark", "players": ["a", "b"], "play_clock_ms": 100})
        assert made.status_code == 201
        await here.manager.task_of(made.json()["match"])
        shown = (await web.get(f"/matches/{made.json()['match']}")).json()
        assert (shown["state"], shown["players"]) == ("finished", {"red": "a", "blue": "b"})
        for body, status, text in (
            ({"game": "dark", "players": ["a", "x"]}, 422, "not connected: x"),
            ({"game": "dark", "players": ["a", "a"]}, 422, "a player cannot play against itself"),
            ({"game": "dark", "players": ["a"]}, 422, "dark needs 2 players, not 1"),
            ({"game": "chess", "players": ["a"]}, 422, "no game `chess`"),
            ({"game": "dark"}, 400, "Object missing required field `players`"),
            ({"game": "dark", "players": ["a", "b"], "play_clock_ms": 0}, 400, "Expected `int` >= 1"),
        ):
            answer = await web.post("/matches", json=body)
            assert (answer.status_code, answer.json()["error"][: len(text)]) == (status, text)


async def test_a_stopped_manager_goes_on_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr("server.matches.running_match.RETURN_GRACE_S", 0.05)
    async with arena(tmp_path) as here, raw(here, "a") as socket:
        (member,) = await here.members(1)
        id_, task = await here.match((member,), "counting")
        await socket.send(json.dumps({"type": "ready", "match": id_}))
        await until(socket, "act")
    async with arena(tmp_path) as here:
        assert list(here.manager.matches) == [id_]
        here.manager.matches[id_].stop("enough")
        task = here.manager.task_of(id_)
        assert isinstance(await task, Ended)
        assert first_difference(here.stored(id_)[1], TinyGames().load_created) is None


async def test_matches_of_one_seed_keep_it_until_the_last_is_over(here):
    await here.players("a")
    async with raw(here), here.web() as web:
        made = []
        for player in ("a", "raw"):
            body = {"game": "counting", "players": [player], "seed": "5eed", "start_clock_ms": 400, "play_clock_ms": 50}
            made.append((await web.post("/matches", json=body)).json()["match"])
        assert (await here.manager.task_of(made[0])).result == "finished"
        assert not here.stored(made[0])[0].released
        assert (await web.get(f"/matches/{made[0]}/journal")).status_code == 409
        assert (await web.delete(f"/matches/{made[1]}")).status_code == 202
        await comes_true(lambda: not here.manager.matches)
        assert all(here.stored(match)[0].released for match in made)


async def test_a_match_is_stopped_over_the_api(here):
    async with duel(here, play_clock_ms=600_000) as (socket, id_, task), here.web() as web:
        await until(socket, "act")
        assert (await web.delete(f"/matches/{id_}")).json() == {"match": id_}
        assert (await task).reason == "it was stopped by the host"
        assert (await until(socket, "end"))["result"] == "aborted"
        await comes_true(lambda: id_ not in here.manager.matches)
        assert (await web.delete(f"/matches/{id_}")).status_code == 404
        assert first_difference(here.stored(id_)[1], TinyGames().load_created) is None


@pytest.mark.parametrize(("shown", "status"), [(None, 403), ("guess", 403), ("secret", 404)])
async def test_who_shows_no_token_stops_nothing(here, shown, status):
    application = Api(here.manager, here.competitions, here.host.admission, "secret").application()
    headers = {"content-type": "application/json"}
    if shown is not None:
        headers["authorization"] = f"Bearer {shown}"
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as web:
        answer = await web.delete("/matches/none")
        assert answer.status_code == status
        said = {None: "only with the host's token", "guess": "this is not the host's token", "secret": "no such match"}
        assert said[shown] in answer.json()["error"]


async def test_of_many_errors_the_last_are_shown(here, monkeypatch):
    monkeypatch.setattr("server.network.match_api.MAX_LISTED", 1)
    async with duel(here) as (_, id_, task), here.web() as web:
        await task
        shown = (await web.get(f"/matches/{id_}")).json()
        assert shown["errors"] == {"red": 0, "blue": 2}
        assert [(error["kind"], error["step"]) for error in shown["error_list"]] == [("late", 1)]


async def test_a_match_that_is_made_as_the_manager_stops_begins_with_the_next_one(tmp_path, monkeypatch):
    monkeypatch.setattr("server.matches.running_match.RETURN_GRACE_S", 0.05)
    async with arena(tmp_path) as here:
        members = await here.players("a")
        written, begun = here.manager.store.written, asyncio.Event()

        def begin_to_write(*arguments):
            begun.set()
            return written(*arguments)

        monkeypatch.setattr(here.manager.store, "written", begin_to_write)
        making = asyncio.create_task(here.match(members, "counting"))
        await begun.wait()
        await here.host.close("the manager stops")
        with pytest.raises(MatchRefused, match="begins when it is started again"):
            await making
        assert not here.manager.matches
    async with arena(tmp_path) as here:
        (task,) = here.manager._tasks.values()
        assert (await task).result == "finished"
