"""Requests of pages of other sites, and requests under a foreign name."""

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from players.client import Client, JoinFailed
from server.network.api import Api
from tests.support.arena import First
from tests.unit.server.test_competitions import settings

EVIL = "http://evil.example"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 415),
        ({"content-type": "text/plain"}, 415),
        ({"authorization": "Basic abc"}, 415),
        ({"origin": EVIL}, 403),
        ({"origin": EVIL, "content-type": "application/json"}, 403),
        ({"origin": "null", "content-type": "application/json"}, 403),
        ({"origin": "http://127.0.0.1:1", "content-type": "application/json"}, 403),
        ({"host": "evil.example", "content-type": "application/json"}, 421),
        ({"host": "evil.example:8000", "origin": "http://evil.example:8000", "content-type": "application/json"}, 421),
        ({"host": "127.0.0.1.evil.example", "content-type": "application/json"}, 421),
        ({"host": "", "content-type": "application/json"}, 421),
    ],
)
async def test_a_page_of_another_site_changes_nothing(here, headers, status):
    competition = await here.competitions.make(settings(min_players=3))
    async with httpx.AsyncClient(base_url=here.base) as web:
        for path in (f"/competitions/{competition.id}/cancel", "/backup", "/archive", "/matches", "/competitions"):
            assert (await web.post(path, headers=headers)).status_code == status, path
        assert (await web.delete("/matches/x", headers=headers)).status_code == status
        assert (await web.patch(f"/competitions/{competition.id}", headers=headers)).status_code == status
    assert competition.state == "registering"


async def test_requests_of_the_managers_own_pages_and_of_commands_are_answered(here):
    competition = await here.competitions.make(settings(min_players=3))
    async with here.web() as web:
        own = {"origin": str(web.base_url).rstrip("/")}
        assert (await web.get("/competitions", headers=own)).status_code == 200
        assert (await web.get("/competitions", headers={"host": "[::1]:8000"})).status_code == 200
        cancelled = await web.post(
            f"/competitions/{competition.id}/cancel", headers={**own, "content-type": "application/json; charset=utf-8"}
        )
        assert cancelled.json()["state"] == "cancelled", cancelled.text


@pytest.mark.parametrize(("name", "origin", "status"), [("127.0.0.1", EVIL, 403), ("evil.example", None, 421)])
async def test_websockets_of_other_sites_are_refused_in_the_handshake(here, caplog, name, origin, status):
    url, port = here.url.replace("127.0.0.1", name), int(here.url[15:-5])
    with pytest.raises(InvalidStatus) as refused:
        await connect(url, origin=origin, host="127.0.0.1", port=port)
    assert refused.value.response.status_code == status
    assert not caplog.records  # strangers would fill the log


async def test_a_client_that_uses_a_foreign_name_is_told_at_once(here, monkeypatch):
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("127.0.0.1", int(here.url[15:-5])))])
    url = here.url.replace("127.0.0.1", "games.example")
    with pytest.raises(JoinFailed, match="--allow-host"):
        await Client(url, First, "a").run()


async def test_names_that_the_host_allows_are_its_own(here):
    application = Api(here.manager, here.competitions, here.host.admission, None, ["Games.example"]).application()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url="http://games.example") as web:
        assert (await web.get("/health")).status_code == 200
        assert (await web.get("/health", headers={"origin": "https://games.example"})).status_code == 200
        assert (await web.get("/health", headers={"origin": "https://games.example.evil.example"})).status_code == 403
        behind_a_proxy = {"host": "127.0.0.1:8000", "origin": "https://games.example"}
        assert (await web.get("/health", headers=behind_a_proxy)).status_code == 200
        assert (await web.get("/health", headers={"host": "evil.example"})).status_code == 421
