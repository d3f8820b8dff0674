"""Matches whose players were away, or that an earlier manager left unfinished."""

import asyncio
import contextlib
import json
import sqlite3
import time

import pytest
from websockets.asyncio.client import connect

from server.referee.journal import Ended, Sent
from server.referee.replay import first_difference
from tests.support.arena import arena, duel, raw, until
from tests.support.tiny_games import TinyGames


async def test_a_player_that_was_away_at_the_end_is_told_of_it(here):
    async with duel(here) as (socket, id_, task):
        token = socket.welcome["token"]
        await until(socket, "start")
    assert (await task).result == "finished"
    async with raw(here, token=token) as socket, asyncio.timeout(5):
        assert socket.welcome["matches"] == [id_]
        assert (await until(socket, "start"))["number"] == 0
        await until(socket, "end")
        await until(socket, "reveal")
    async with raw(here, token=token) as socket:
        assert socket.welcome["matches"] == []


async def test_a_player_that_comes_back_hears_the_end_before_the_seed_may_be_told(here):
    here.manager.chance.hold("shared", "a match to come")
    async with duel(here, group="shared") as (socket, id_, task):
        token = socket.welcome["token"]
    await task
    async with raw(here, token=token) as socket, asyncio.timeout(5):
        assert (await until(socket, "end"))["match"] == id_
        assert not here.stored(id_)[0].released
        await here.manager.chance.let_go("shared", "a match to come")
        assert (await until(socket, "reveal"))["seed"] == "5eed"


async def test_a_seed_that_the_last_manager_had_not_told_is_told(tmp_path):
    async with arena(tmp_path) as here:
        here.manager.chance.hold("shared", "a match to come")
        async with duel(here, group="shared") as (socket, id_, task):
            token = socket.welcome["token"]
            await task
    async with arena(tmp_path) as here:
        assert not here.stored(id_)[0].released
        await here.manager.chance.release_all()
        assert here.stored(id_)[0].released
        assert first_difference(here.stored(id_)[1], TinyGames().load_created) is None
        async with raw(here, token=token) as socket, asyncio.timeout(5):
            assert (await until(socket, "reveal"))["seed"] == "5eed"


class OtherRules(TinyGames):
    """The same names, and other rules."""

    def load(self, source):
        if source.name == "counting":
            raise ZeroDivisionError("our own mistake")
        return super().load(source)


async def test_a_match_that_cannot_go_on_keeps_no_other_from_it(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("server.matches.running_match.RETURN_GRACE_S", 0.05)
    async with arena(tmp_path) as here, raw(here, "a") as first, raw(here, "b") as second:
        members = await here.members(2)
        broken, _ = await here.match(members[:1], "counting")
        changed, _ = await here.match(members)
        whole, _ = await here.match(members)
        for socket in (first, second):
            for _ in range(2):
                await until(socket, "start")
    # A letter of what was told in the one is changed.
    with contextlib.closing(sqlite3.connect(tmp_path / "store.db")) as connection:
        connection.execute(
            "update events set line = replace(line, 'by hand', 'By hand') where match = ? and number = 2",
            (changed,),
        )
        connection.commit()
    async with arena(tmp_path, OtherRules()) as here:
        assert list(here.manager.matches) == [whole]
        assert isinstance(await here.manager.task_of(whole), Ended)
        assert here.stored(broken)[0].outcome.reason == "it could not continue: our own mistake"
        assert "gives other messages" in here.stored(changed)[0].outcome.reason
        assert here.stored(changed)[0].state == "aborted"
    assert "cannot continue" in caplog.text


async def test_matches_wait_for_their_players_from_when_all_are_there(tmp_path, monkeypatch):
    """However long it takes to bring the matches back: nobody can come before that is done."""
    monkeypatch.setattr("server.matches.running_match.RETURN_GRACE_S", 0.5)
    async with arena(tmp_path) as here, raw(here, "a") as socket:
        members = await here.members(1)
        for rounds in range(3):
            id_, _ = await here.match(members, "counting", rounds=str(rounds))
            await socket.send(json.dumps({"type": "ready", "match": id_}))
            await until(socket, "act")

    class Slow(TinyGames):
        def load(self, source):
            time.sleep(0.6)
            return super().load(source)

    async with arena(tmp_path, Slow()) as here:
        for match in here.manager.matches.values():
            assert match.referee.ended is None
        async with raw(here, "a", token=socket.welcome["token"]) as again, asyncio.timeout(5):
            assert sorted(again.welcome["matches"]) == sorted(here.manager.matches)
            for _ in range(3):
                await until(again, "act")
        errors = [error for id_ in list(here.manager.matches) for error in here.stored(id_)[2]]
        assert errors == []


@pytest.mark.parametrize("fails_again", [False, True])
async def test_a_match_in_which_the_manager_fails_is_ended_whatever_is_left_of_it(here, monkeypatch, fails_again):
    async with raw(here, "a") as socket:
        members = await here.members(1)
        id_, task = await here.match(members, "broken", rounds="1")
        if fails_again:
            monkeypatch.setattr(here.manager, "_revive", None)
        ended = await task
        assert (ended.result, here.stored(id_)[0].state) == ("aborted", "aborted")
        told = await until(socket, "error" if fails_again else "end")
        assert "the manager failed in this match" in told["message" if fails_again else "reason"]
        _, other = await here.match(members, "counting")
        assert (await other).result == "finished"
        assert id_ not in here.manager.matches
        assert fails_again or any(isinstance(event, Sent) for event in here.stored(id_)[1])


@pytest.mark.parametrize("fails", [False, True])
async def test_nobody_is_told_that_a_match_is_over_that_stands_still(here, fails, caplog):
    """`welcome` names the matches that go on; a manager that stops, or cannot store, has none to name."""

    def full(connection):
        raise sqlite3.OperationalError("database or disk is full")

    async with raw(here) as socket:
        _, task = await here.match(await here.members(1), "counting")
        await until(socket, "start")
        if fails:
            here.manager.store.submit(full)
            assert await task is None
            assert (await until(socket, "error"))["code"] == "match_suspended"
        else:
            closing = asyncio.create_task(here.host.close("the manager stops"))
            assert (await until(socket, "error"))["code"] == "server_stopping"
            await closing
        async with connect(here.url) as again:
            await again.send(json.dumps({"type": "hello", "name": "raw", "token": socket.welcome["token"]}))
            refusal = json.loads(await again.recv())
        assert (refusal["type"], refusal["code"]) == ("refused", "busy")
    assert ("disk is full" in caplog.text) == fails
