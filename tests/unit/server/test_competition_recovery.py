"""Competitions that a later manager continues, and competitions that fail beside others."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3

import pytest

from ggp.competition.formats import GroupsKnockout, Ladder, RoundRobin, Swiss
from server.competitions.competition import Competition
from tests.support.arena import First, arena, comes_true
from tests.unit.server.test_competitions import finished, match_rows, settings

LONG = (RoundRobin(cycles=200), Swiss(rounds=200), GroupsKnockout(0), GroupsKnockout(2, 1), Ladder())


@contextlib.asynccontextmanager
async def joined(here, tokens, names="abcd"):
    """Let players join, with the tokens that earlier ones left."""
    for name in names:
        keep = lambda welcome, name=name: tokens.update({name: welcome.token})  # noqa: E731
        here.join(First, name, token=tokens.get(name), joined=keep)
    yield await here.members(len(names))


async def played_matches(here, competition, more):
    """Wait until this many more matches of a competition are over."""
    wanted = competition.progress.finished + more
    async with asyncio.timeout(8):
        while competition.progress.finished < wanted:
            assert competition.failure is None, competition.failure
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("form", LONG, ids=lambda form: str(form.__struct_config__.tag))
async def test_play_goes_on_with_the_next_manager(tmp_path, form):
    tokens: dict[str, str] = {}
    async with arena(tmp_path) as here, joined(here, tokens):
        competition = await here.competitions.make(settings(format=form, min_players=4, repeats=8))
        await played_matches(here, competition, 5)
    for _ in range(2):
        async with arena(tmp_path) as here, joined(here, tokens):
            (competition,) = here.competitions.all
            await comes_true(lambda: here.competitions.all[0].progress.finished >= 5)
            await played_matches(here, competition, 6)
            assert here.manager.store.failure is None
            places = [(row.meeting, row.leg) for row in match_rows(here, competition)]
            assert len(set(places)) == len(places)


async def test_what_is_to_come_is_played_once_without_players(tmp_path, monkeypatch):
    monkeypatch.setattr("server.matches.running_match.RETURN_GRACE_S", 0.05)
    monkeypatch.setattr("server.competitions.competition.RETURN_GRACE_S", 0.05)
    async with arena(tmp_path) as here:
        for name in "abc":
            here.join(name=name)
        competition = await here.competitions.make(
            settings(
                format=RoundRobin(2), min_players=3, strikes=1, start_clock_ms=20, play_clock_ms=20, allowance_ms=20
            )
        )
        await comes_true(lambda: competition.progress.finished >= 3)
        done = len(match_rows(here, competition))
    async with arena(tmp_path) as here:
        (competition,) = here.competitions.all
        table = await finished(here, competition)
        rows = match_rows(here, competition)
    assert competition.progress.rounds == 2
    # nobody came back: what was to come is forfeited, and each match is played once
    assert len(rows) == 12 >= done
    assert len({(row.meeting, row.leg) for row in rows}) == 12
    assert sum(row.matches + row.aborted for row in table) == 24
    assert {row.state for row in rows} <= {"finished", "forfeited", "aborted"}


async def test_a_competition_that_fails_stops_no_other(here, monkeypatch, caplog):
    for name in "ab":
        here.join(name=name)
    advance = Competition._advance

    def refused(connection):
        connection.execute("insert into seats default values")

    async def failing(competition):
        if competition.settings.name == "Broken":
            await competition._manager.store.written(refused)
        await advance(competition)

    monkeypatch.setattr(Competition, "_advance", failing)
    broken = await here.competitions.make(settings(name="Broken", format=Ladder()))
    whole = await here.competitions.make(settings(format=Ladder()))
    await played_matches(here, whole, 3)
    assert "constraint failed" in broken.failure
    assert here.manager.store.failure is None
    async with here.web() as web:
        health = await web.get("/health")
        assert (health.status_code, health.json()["status"]) == (200, "degraded")
        assert list(health.json()["suspended"]) == ["Broken"]
        assert (await web.post("/competitions/Broken/cancel", json={})).json()["state"] == "cancelled"
        assert (await web.get("/health")).json()["status"] == "ok"
    assert "competition Broken is suspended" in caplog.text


async def test_a_competition_that_cannot_continue_keeps_no_other_from_it(tmp_path, caplog):
    tokens: dict[str, str] = {}
    async with arena(tmp_path) as here, joined(here, tokens, "ab"):
        for name in ("Broken", "Whole"):
            await here.competitions.make(settings(name=name, format=Ladder()))
        await played_matches(here, here.competitions.find("Broken"), 1)
    with contextlib.closing(sqlite3.connect(tmp_path / "store.db")) as connection:
        connection.execute("update competitions set sources = replace(sources, 'dark', 'gone') where name = 'Broken'")
        connection.commit()
    async with arena(tmp_path) as here, joined(here, tokens, "ab"):
        await played_matches(here, here.competitions.find("Whole"), 3)
        async with here.web() as web:
            assert list((await web.get("/health")).json()["suspended"]) == ["Broken"]
    assert "competition Broken cannot continue" in caplog.text
