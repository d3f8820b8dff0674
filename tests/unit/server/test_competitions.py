"""Competitions in a manager of this process, with players over real websockets."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import msgspec
import pytest

from ggp.competition.formats import GroupsKnockout, Ladder, RoundRobin, Swiss
from server.competitions.settings import CompetitionSettings, GameChoice, SettingsWrong
from server.store import competition_records, records
from tests.support.arena import comes_true, raw, until

FAST: dict[str, Any] = {"start_clock_ms": 250, "play_clock_ms": 150, "allowance_ms": 50}


def settings(**changes: Any) -> CompetitionSettings:
    given = {"name": "Spring", "games": (GameChoice("dark"),), "entry": "everybody", "min_players": 2, **FAST}
    return CompetitionSettings(**{**given, **changes})


async def finished(here, competition):
    await asyncio.wait_for(asyncio.shield(here.competitions.task_of(competition)), 10)
    return await competition.table()


def match_rows(here, competition, **which):
    with here.manager.store.reading() as connection:
        return records.matches(connection, competition=competition.id, **which)


async def enter(socket, competition, **more):
    await socket.send(json.dumps({"type": "enter", "competition": competition, **more}))
    return await until(socket, "entry")


async def test_a_round_robin_plays_everybody_in_both_seats(here):
    for name in ("a", "b", "c"):
        here.join(name=name)
    competition = await here.competitions.make(settings(format=RoundRobin(2), min_players=3, max_players=3))
    table = await finished(here, competition)
    assert competition.state == "finished"
    assert [row.matches for row in table] == [8, 8, 8]
    assert all(row.errors == row.aborted == 0 for row in table)
    assert sum(row.mean_utility for row in table) == pytest.approx(0)
    assert all(meetings.meetings == 4 for row in table for meetings in row.against.values())
    seats = [row.names for row in match_rows(here, competition)]
    assert sorted(seats) == sorted(2 * [(x, y) for x in "abc" for y in "abc" if x != y])
    async with here.web() as web:
        shown = (await web.get(f"/competitions/{competition.id}")).json()
        assert (shown["state"], shown["entrants"], shown["progress"]) == ("finished", {"entered": 3}, None)
        csv = (await web.get("/competitions/Spring/standings?format=csv")).text.splitlines()
        assert len(csv) == 4
        assert csv[0].startswith("name,rank,points")
        first = await web.get("/matches", params={"competition": competition.id, "limit": "5"})
        assert len(first.json()) == 5
        assert first.links["next"]["url"].startswith("?"), "of the same path, whatever a proxy makes of it"
        second = await web.get(first.url.join(first.links["next"]["url"]))
        third = await web.get(second.url.join(second.links["next"]["url"]))
        ids = [match["match"] for page in (third, second, first) for match in page.json()]
        assert ids == [row.id for row in match_rows(here, competition)]
        assert "next" not in third.links
        journal = (await web.get(f"/matches/{ids[0]}/journal")).text.splitlines()
        assert json.loads(journal[0])["event"] == "created"


async def test_partners_neither_draw_with_each_other_nor_share_their_points(here):
    for name in "abcd":
        here.join(name=name)
    form = RoundRobin()
    competition = await here.competitions.make(
        settings(format=form, games=(GameChoice("pairs"),), min_players=4, max_players=4)
    )
    table = await finished(here, competition)
    assert [(row.matches, row.points) for row in table] == [(4, 2.0)] * 4
    for row in table:
        assert [(one.meetings, one.wins, one.draws) for one in row.against.values()] == [(4, 2, 0)] * 2
    history = competition._pairings._history  # what the next round would be paired by: counted while they play
    assert {*history.points.values()} == {2.0}
    assert len(history.pairs) == 8


async def test_seeds_of_matches_come_from_a_secret_of_256_bits(here):
    await here.players("a", "b")
    competition = await here.competitions.make(settings())
    await finished(here, competition)
    with here.manager.store.reading() as connection:
        (row,) = competition_records.competitions(connection)
        seeds = {records.journal_of(connection, match.id)[0].seed for match in match_rows(here, competition)}
    assert len(row.secret) == 64
    assert len(seeds) == 2
    assert all(len(seed) == 32 and row.secret not in seed for seed in seeds)


async def test_only_those_with_an_invitation_enter_and_each_counts_once(here):
    competition = await here.competitions.make(settings(entry="invitation", min_players=None))
    token = await competition.field.invite("for a")
    async with raw(here, "a") as a, raw(here, "b") as b, raw(here, "c") as c:
        assert (await enter(c, "Spring"))["message"] == "an invitation from the host is needed"
        assert (await enter(c, "Spring", invitation="guess"))["message"] == "no such invitation"
        assert (await enter(a, competition.id, invitation=token))["state"] == "entered"
        assert (await enter(b, competition.id, invitation=token))["message"] == "the invitation has been used"
    assert [row.name for row in competition.field.rows.values()] == ["a"]


async def test_the_host_approves_refuses_and_the_player_may_decline(here):
    await here.competitions.make(settings(entry="approval", min_players=None))
    async with raw(here, "a") as a, raw(here, "b") as b, here.web() as web:
        assert (await enter(a, "Spring"))["state"] == "asking"
        assert (await enter(b, "spring"))["state"] == "asking"
        path = "/competitions/Spring/entrants"
        assert (await web.post(f"{path}/a/approve")).json()["state"] == "entered"
        assert (await until(a, "entry"))["state"] == "entered"
        assert (await web.post(f"{path}/b/refuse", json={"reason": "too slow"})).status_code == 200
        told = await until(b, "entry")
        assert (told["state"], told["message"]) == ("refused", "too slow")
        assert (await enter(b, "Spring"))["state"] == "refused"
        await a.send(json.dumps({"type": "withdraw", "competition": "Spring"}))
        assert (await until(a, "entry"))["state"] == "withdrawn"
        assert (await enter(a, "Spring"))["state"] == "entered"  # approved before
        assert (await web.post("/competitions/Spring/start")).json()[
            "error"
        ] == "the game needs 2 players, and 1 joined"
        assert (await web.post(f"{path}/nobody/kick")).status_code == 422


async def test_a_name_on_the_allow_list_belongs_to_who_has_its_token(here):
    tokens: dict[str, str] = {}
    chosen = settings(entry="allow_list", allowed=("Ada",), min_players=None)
    await here.competitions.make(chosen, tokens)
    async with raw(here, "ada") as a, raw(here, "аda") as b:  # the second begins with a Cyrillic letter
        assert (a.welcome["name"], b.welcome["name"]) == ("ada-2", "аda-3")
        for socket in (a, b):
            assert (await enter(socket, "Spring"))["state"] == "refused"
    async with raw(here, "whatever", token=tokens["Ada"]) as socket, raw(here, "Bo"), here.web() as web:
        assert socket.welcome["name"] == "Ada"
        assert (await enter(socket, "Spring"))["state"] == "entered"
        # a second competition for the same player needs no new token; a name that somebody took by itself is refused
        again: dict[str, str] = {}
        await here.competitions.make(msgspec.structs.replace(chosen, name="Autumn"), again)
        assert again == {}
        taken = await web.patch("/competitions/Spring", json={"allowed": ["Ada", "Cy", "Bo"]})
        assert (taken.status_code, "joined by itself" in taken.json()["error"]) == (422, True)
        added = await web.patch("/competitions/Spring", json={"allowed": ["Ada", "Cy"]})
        assert list(added.json()["tokens"]) == ["Cy"]
        assert "invisible" in (await web.patch("/competitions/Spring", json={"allowed": ["\u3164"]})).json()["error"]
        assert "invisible" in (await web.patch("/competitions/Spring", json={"name": "\u3164"})).json()["error"]


async def test_who_leaves_in_the_middle_forfeits_and_is_not_paired_again(here):
    here.join(name="a")
    here.join(name="b")
    async with raw(here, "quitter") as socket:
        competition = await here.competitions.make(settings(format=RoundRobin(2), min_players=3, play_clock_ms=60_000))
        await until(socket, "act")
        await socket.send(json.dumps({"type": "withdraw", "competition": "Spring"}))
        end = await until(socket, "end")
        assert (end["result"], len(end["forfeited"])) == ("forfeited", 1)
        table = {row.name: row for row in await finished(here, competition)}
    assert table["quitter"].state == "withdrawn"
    assert (table["quitter"].forfeits, table["quitter"].points) == (1, 0)
    # the one match that was being played counts, the others of it are not played
    assert table["a"].matches + table["b"].matches == 2 * 4 + 1
    assert competition.warnings[0].startswith("quitter forfeits match ")


async def test_the_matches_of_who_is_disqualified_count_for_nobody(here):
    for name in ("a", "b", "cheat"):
        here.join(name=name)
    competition = await here.competitions.make(settings(format=RoundRobin(3), min_players=3))
    await comes_true(lambda: competition.progress.finished >= 4)
    async with here.web() as web:
        await web.post("/competitions/Spring/entrants/cheat/disqualify", json={"reason": "two programs in one"})
    table = await finished(here, competition)
    assert [(row.state, row.points) for row in table if row.name == "cheat"] == [("disqualified", 0.0)]
    assert all(row.against.keys() <= {"a", "b"} for row in table)
    assert {row.name: row.matches for row in table if row.name != "cheat"} == {"a": 6, "b": 6}


async def test_in_a_swiss_nobody_loses_points_by_the_disqualification_of_another(here):
    for name in ("a", "b", "c"):
        here.join(name=name)
    async with raw(here, "cheat") as socket, here.web() as web:
        competition = await here.competitions.make(
            settings(format=Swiss(rounds=1), min_players=4, play_clock_ms=60_000, start_clock_ms=60_000)
        )
        start = await until(socket, "start")
        await web.post("/competitions/Spring/entrants/cheat/disqualify")
        table = {row.name: row for row in await finished(here, competition)}
    (row,) = match_rows(here, competition, id_=start["match"])
    (victim,) = set(row.names) - {"cheat"}
    # both matches of their meeting: one was stopped, the other had not begun
    assert (table[victim].points, table[victim].matches, table[victim].rank) == (2.0, 2, 1)
    assert (table["cheat"].points, table["cheat"].state, table["cheat"].rank) == (0.0, "disqualified", 4)


async def test_a_format_changed_before_the_first_round_is_the_one_that_is_played_and_a_bye_counts_a_whole_meeting(here):
    for name in ("a", "b", "c"):
        here.join(name=name)
    competition = await here.competitions.make(settings(format=RoundRobin(cycles=1), min_players=4))
    await competition.change({"format": {"kind": "swiss", "rounds": 1}, "min_players": 3})
    table = await finished(here, competition)
    assert sorted((row.matches, row.byes) for row in table) == [(0, 1), (2, 0), (2, 0)]
    assert [row.points for row in table if row.byes] == [2.0]


async def test_who_cannot_play_does_not_qualify_and_is_told_why(here):
    here.join(name="good")
    competition = await here.competitions.make(settings(qualifying=True, min_players=2))
    async with raw(here, "mute") as socket:
        while True:
            entry = await until(socket, "entry")
            if entry["state"] == "failed":
                break
        assert "late, illegal or malformed" in entry["message"]
        assert {row.name: row.state for row in competition.field.rows.values()} == {"good": "entered", "mute": "failed"}
        assert {row.purpose for row in match_rows(here, competition)} == {"qualifying"}
        here.join(name="better")
        table = await finished(here, competition)
    assert {row.name for row in table} == {"good", "better"}
    assert all(row.matches == 2 for row in table)


@pytest.mark.parametrize("form", [Swiss(rounds=2), GroupsKnockout(groups=0, replays=1), GroupsKnockout(2, 1)])
async def test_other_formats_come_to_an_end(here, form):
    for name in "abcd":
        here.join(name=name)
    competition = await here.competitions.make(settings(format=form, min_players=4, matches_at_once=2))
    table = await finished(here, competition)
    assert competition.state == "finished"
    assert table[0].rank == 1
    async with here.web() as web:
        meetings = (await web.get("/competitions/Spring/meetings")).json()
        assert all(len(one["players"]) == 2 for one in meetings)
        assert len(meetings) >= (3 if isinstance(form, GroupsKnockout) else 4)


async def test_a_ladder_goes_on_until_it_is_cancelled_and_spreads_its_meetings(here):
    for name in "abcd":
        here.join(name=name)
    competition = await here.competitions.make(settings(format=Ladder()))
    await comes_true(lambda: competition.progress.finished >= 20)
    here.join(name="late")
    while not any(row.name == "late" for row in await competition.table()):
        await asyncio.sleep(0.02)
    await competition.pause()
    await comes_true(lambda: not here.manager.matches)
    met = [times for pair, times in competition._pairings._history.met.items()]
    assert max(met) - min(met) <= 8
    with pytest.raises(SettingsWrong, match="cannot be changed any more"):
        await competition.change({"format": {"kind": "swiss"}})
    await competition.change({"play_clock_ms": 200})
    await competition.resume()
    await competition.cancel("enough")
    await here.competitions.task_of(competition)
    async with here.web() as web:
        shown = (await web.get(f"/competitions/{competition.id}")).json()
        assert (shown["state"], shown["reason"], shown["settings"]["play_clock_ms"]) == ("cancelled", "enough", 200)


async def test_several_competitions_run_side_by_side_with_games_of_the_host(here):
    for name in "ab":
        here.join(name=name)
    async with here.web() as web:
        for number in range(3):
            body = {"name": f"cup {number}", "games": [{"game": "mine", "rules": "dark"}], "entry": "everybody"}
            made = await web.post("/competitions", json={**body, "min_players": 2, **FAST})
            assert made.status_code == 201, made.text
        for competition in here.competitions.all:
            await finished(here, competition)
        assert [one["state"] for one in (await web.get("/competitions")).json()] == ["finished"] * 3
        named = (await web.get("/matches?competition=cup 0")).json()
        assert named
        assert named == (await web.get(f"/matches?competition={named[0]['competition']}")).json()
        assert (await web.get("/matches?competition=cup")).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"name": "x"}, 400, "missing required field `games`"),
        ('{"name": "x", "name": "y", "games": [{"game": "dark"}]}', 400, "`name` is given twice"),
        ('{"name": "\\ud800", "games": [{"game": "dark"}]}', 400, "half of a surrogate pair"),
        ({"name": "x", "games": [{"game": "chess"}]}, 422, "no game `chess`"),
        ({"name": "x", "games": [{"game": "dark"}, {"game": "counting"}]}, 422, "same number of players"),
        ({"name": "x", "games": [{"game": "dark"}], "starts_at": "soon"}, 422, "starts_at is `soon`"),
        ({"name": "x", "games": [{"game": "dark"}], "starts_at": "2017-03-01T12:00Z"}, 422, "which has passed"),
        ({"name": "..", "games": [{"game": "dark"}]}, 422, "cannot be part of an address"),
        (
            {"name": "x", "games": [{"game": "dark"}], "format": {"kind": "ladder"}}
            | {"starts_at": "2097-03-01T12:00Z", "ends_at": "2097-03-01T11:00Z"},
            422,
            "before starts_at",
        ),
        ({"name": "x", "games": [{"game": "dark"}], "starts_at": "2027-03-01T12:00"}, 422, "without an offset"),
        ({"name": "x", "games": [{"game": "dark"}], "ends_at": "2027-03-01T12:00Z"}, 422, "ends_at is for a ladder"),
        ({"name": "x", "games": [{"game": "counting"}], "format": {"kind": "groups_knockout"}}, 422, "two players"),
        ({"name": "x", "games": [{"game": "dark"}], "entry": "everybody"}, 422, "give `min_players`"),
        ({"name": "x", "games": [{"game": "dark"}], "increment_ms": 5}, 422, "adds to total_ms"),
        ({"name": "x", "games": [{"game": "dark"}], "colour": 1}, 400, "unknown field `colour`"),
    ],
)
async def test_wrong_settings_are_refused_with_a_sentence(here, body, status, said):
    async with here.web() as web:
        answer = await web.post("/competitions", content=body if isinstance(body, str) else json.dumps(body))
        assert (answer.status_code, said in answer.json()["error"]) == (status, True), answer.text


async def test_only_the_host_makes_and_changes_competitions(here):
    from server.network.api import Api

    await here.competitions.make(settings(entry="approval", min_players=None, allowed=("secret name",)))
    application = Api(here.manager, here.competitions, here.host.admission, "secret").application()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url="http://localhost") as web:
        for path in ("/competitions", "/competitions/Spring/start", "/competitions/Spring/entrants/a/kick"):
            assert (await web.post(path, json={})).status_code == 403
        assert (await web.patch("/competitions/Spring", json={})).status_code == 403
        assert (await web.get("/competitions/Spring/invitations")).status_code == 403
        assert "secret name" not in (await web.get("/competitions/Spring")).text
        assert (await web.get("/nowhere")).json() == {"error": "no such page"}
        page = await web.get("/nowhere", headers={"accept": "text/html"})
        assert (page.status_code, 'href="./view"' in page.text) == (404, True)
        assert 'href="../../view"' in (await web.get("/no/where/", headers={"accept": "text/html"})).text
        assert (await web.put("/players", json=1)).json() == {"error": "not with this method"}
        described = (await web.get("/openapi.json")).json()
        assert described["paths"]["/competitions"]["post"]["summary"] == (
            "Create a competition, open for players; `tokens` of the names on its allow-list are shown only once."
        )
        metrics = (await web.get("/metrics")).text
        assert (await web.get("/competitions?state=odd")).status_code == 400
        assert (await web.get("/competitions?limit=99999999")).status_code == 200
        assert "from 0 to 1000" in (await web.get("/competitions?limit=-1")).json()["error"]
        assert 'ggp_competitions{state="registering"} 1\n' in metrics


async def test_a_player_that_comes_before_its_competition_enters_when_it_is_created(here):
    async with raw(here, "early") as socket:
        for name in ("Autumn", "Spring"):
            await socket.send(json.dumps({"type": "enter", "competition": name}))
            assert "when it is created" in (await until(socket, "error"))["message"]
        autumn = await here.competitions.make(settings(name="Autumn", entry="approval"))
        spring = await here.competitions.make(settings(entry="approval"))
        entry = await until(socket, "entry")
        assert (entry["name"], entry["state"]) == ("Spring", "asking")
        assert len(spring.field.rows) == 1
        assert not autumn.field.rows


async def test_who_comes_too_late_is_told_so(here):
    competition = await here.competitions.make(settings(entry="approval"))
    await competition.cancel("enough")
    await comes_true(lambda: competition not in here.competitions.all)
    async with raw(here, "a") as socket:
        await socket.send(json.dumps({"type": "enter", "competition": "Spring"}))
        message = (await until(socket, "error"))["message"]
        assert message.startswith("the competition `Spring` is over; you enter when one of this name is created")


async def test_a_player_that_names_a_competition_enters_no_other(here, monkeypatch):
    monkeypatch.setattr("server.competitions.registry.ENTRY_PAUSE_S", 0.1)
    await here.competitions.make(settings(name="Open", min_players=5))
    named = await here.competitions.make(settings(name="Mine", entry="approval", min_players=None))
    async with raw(here, "a") as a, raw(here, "b") as b:
        assert (await enter(a, "mine"))["state"] == "asking"
        assert (await until(b, "entry"))["name"] == "Open"
        await here.competitions.make(settings(name="Open too", min_players=5))
        assert (await until(b, "entry"))["name"] == "Open too"
        await a.send(json.dumps({"type": "enter", "competition": "M1ne"}))
        assert (await until(a, "error"))["code"] == "unknown_competition"
    entered = {one.settings.name: [row.name for row in one.field.rows.values()] for one in here.competitions.all}
    assert entered == {"Open": ["b"], "Mine": ["a"], "Open too": ["b"]}
    assert named.field.rows


@pytest.mark.parametrize("by_date", [False, True])
async def test_a_ladder_is_finished_by_the_host_or_a_date(here, by_date):
    await here.players("a", "b")
    competition = await here.competitions.make(settings(format=Ladder()))
    await comes_true(lambda: competition.progress.finished >= 3)
    async with here.web() as web:
        if by_date:
            await web.patch("/competitions/Spring", json={"ends_at": "2020-01-01T00:00:00+00:00"})
        else:
            await web.post("/competitions/Spring/pause")
            assert (await web.post("/competitions/Spring/finish")).json()["state"] == "running"
    await finished(here, competition)
    assert competition.state == "finished"
    assert {row.state for row in match_rows(here, competition)} == {"finished"}


async def test_only_a_ladder_is_finished_by_the_host(here):
    await here.players("a", "b")
    competition = await here.competitions.make(settings(format=RoundRobin(50)))
    await comes_true(lambda: competition.state == "running")
    async with here.web() as web:
        assert "only a ladder" in (await web.post("/competitions/Spring/finish")).json()["error"]
