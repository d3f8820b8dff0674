"""Players that prepare for games: they are told in advance, and matches wait for them, but not for ever."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from server.competitions.settings import CompetitionSettings, GameChoice
from server.matches import preparation
from tests.support.arena import comes_true, raw, until

GAMES = (GameChoice("dark"), GameChoice("dark", {"rounds": "1"}))


def settings(**changes: Any) -> CompetitionSettings:
    given: dict[str, Any] = {"games": GAMES[:1], "min_players": 2, "start_clock_ms": 250, "play_clock_ms": 150}
    return CompetitionSettings(name="Spring", entry="everybody", allowance_ms=50, **{**given, **changes})


async def say(socket: Any, type_: str, **fields: Any) -> None:
    await socket.send(json.dumps({"type": type_, **fields}))


async def nothing_but(socket: Any, *types: str) -> None:
    """Check that for a while only messages of some types come."""
    try:
        async with asyncio.timeout(0.4):
            while True:
                assert json.loads(await socket.recv())["type"] in types
    except TimeoutError:
        return


async def test_a_round_robin_waits_until_a_player_is_prepared_for_all_its_games(here):
    await here.players("good")
    competition = await here.competitions.make(settings(games=GAMES))
    async with raw(here, prepares=True) as socket:
        told = [await until(socket, "prepare") for _ in GAMES]
        assert [(one["number"], one["parameters"]) for one in told] == [(0, {}), (1, {"rounds": "1"})]
        await say(socket, "prepared", number=1)
        await nothing_but(socket, "entry")
        assert competition.state == "running"
        assert not here.manager.matches
        await say(socket, "prepared", number=0)
        start = await until(socket, "start")
        assert {key: start[key] for key in ("game", "rules", "files", "parameters")} == {
            key: told[0][key] for key in ("game", "rules", "files", "parameters")
        }


async def test_a_single_match_waits_for_its_players_alone(here):
    await here.players("good", "other")
    async with raw(here, prepares=True) as socket:
        good, other, slow = await here.members(3)
        making = asyncio.create_task(here.match((good, slow)))
        prepare = await until(socket, "prepare")
        await here.match((good, other))
        await nothing_but(socket)
        await say(socket, "prepared", number=prepare["number"])
        await making
        await until(socket, "start")
        await here.match((good, slow))  # the player knows this game
        await until(socket, "start")


@pytest.mark.parametrize("leaves", [True, False])
async def test_nothing_waits_for_a_player_that_has_gone_or_takes_too_long(here, leaves, monkeypatch):
    monkeypatch.setattr(preparation, "MAX_PREPARATION_S", 60 if leaves else 0.2)
    (good,) = await here.players("good")
    async with raw(here, prepares=True) as socket:
        _, slow = await here.members(2)
        making = asyncio.create_task(here.match((good, slow)))
        await until(socket, "prepare")
        if leaves:
            await socket.close()
        await asyncio.wait_for(making, 3)


async def test_a_competition_begins_its_matches_when_a_player_has_taken_too_long(here, monkeypatch):
    monkeypatch.setattr(preparation, "MAX_PREPARATION_S", 0.3)
    await here.players("good")
    await here.competitions.make(settings())
    async with raw(here, prepares=True) as socket:
        await until(socket, "prepare")
        await until(socket, "start")


async def test_the_others_play_meanwhile(here):
    await here.players("good", "other")
    competition = await here.competitions.make(settings(min_players=3))
    async with raw(here, prepares=True) as socket:
        await until(socket, "prepare")
        await comes_true(lambda: competition.progress.finished == 2)
        assert competition.progress.preparing == ["raw"]
        await nothing_but(socket, "entry")


async def test_a_qualifying_match_waits_too_and_holds_up_nobody_else(here):
    competition = await here.competitions.make(settings(qualifying=True, min_players=9))
    async with raw(here, prepares=True) as socket:
        prepare = await until(socket, "prepare")
        await here.players("good")
        await comes_true(lambda: competition.field.of_state("entered"))
        await nothing_but(socket, "entry")
        assert len(competition.field.of_state("qualifying")) == 1
        await say(socket, "prepared", number=prepare["number"])
        await until(socket, "start")


async def test_a_player_that_comes_back_is_told_again_and_others_are_told_nothing(here):
    await here.competitions.make(settings(min_players=9))
    async with raw(here, "a", prepares=True) as socket:
        await until(socket, "prepare")
        token = socket.welcome["token"]
    async with raw(here, "a", prepares=True, token=token) as socket:
        assert (await until(socket, "prepare"))["number"] == 0
    async with raw(here, "a", token=token) as socket:
        await nothing_but(socket, "entry")
        await say(socket, "prepared", number=0)  # was not asked for: a wrong frame, but nothing to tell
        await say(socket, "enter", competition="Spring")
        assert (await until(socket, "entry"))["state"] == "entered"
