"""Limits for each address: one address cannot use up the limits of all."""

from __future__ import annotations

import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from server.network import addresses
from server.network.addresses import Budget, network_of
from server.network.sockets import Guard
from tests.support.arena import raw


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("127.0.0.1", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        (None, None),
        ("a socket", None),
    ],
)
def test_what_counts_as_one_address(host: str | None, network: str | None) -> None:
    assert network_of(host) == network


def test_a_budget_is_spent_and_comes_back() -> None:
    now = [0.0]
    budget = Budget(2, 0.1, lambda: now[0])
    assert [budget.take("a"), budget.take("a"), budget.take("a"), budget.take("b")] == [True, True, False, True]
    now[0] = 10.0
    assert [budget.take("a"), budget.take("a")] == [True, False]
    assert all(budget.take(None) for _ in range(100))


def test_addresses_are_forgotten_before_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "MAX_REMEMBERED", 10)
    budget = Budget(1, 0.0)
    for number in range(1000):
        budget.take(str(number))
    assert len(budget._buckets) == 10


FORWARDED = {"X-Forwarded-For": "203.0.113.7"}


async def test_one_address_has_so_many_connections_and_new_players(here, monkeypatch):
    monkeypatch.setattr("server.network.admission.MAX_PLAYERS_EACH", 2)
    here.host.admission._new_players = Budget(3, 0.0)

    async def answer(socket, name):
        await socket.send(json.dumps({"type": "hello", "name": name}))
        return json.loads(await socket.recv())

    async with (
        connect(here.url, additional_headers=FORWARDED) as a,
        connect(here.url, additional_headers=FORWARDED) as b,
    ):
        assert [(await answer(one, name))["type"] for one, name in ((a, "a"), (b, "b"))] == ["welcome"] * 2
        async with connect(here.url, additional_headers=FORWARDED) as c:
            assert "of your address are open" in json.loads(await c.recv())["message"]
        async with raw(here, "neighbour"):
            pass
    async with connect(here.url, additional_headers=FORWARDED) as c:
        assert (await answer(c, "c"))["type"] == "welcome"
    async with connect(here.url, additional_headers=FORWARDED) as c:
        assert "too many new players" in (await answer(c, "d"))["message"]
    assert not Guard.by_network
    async with here.web() as web:
        assert 'ggp_limited_total{limit="new players of an address"} 1\n' in (await web.get("/metrics")).text


async def test_sockets_of_one_address_are_counted(here, monkeypatch):
    monkeypatch.setattr("server.network.sockets.MAX_SOCKETS_EACH", 3)
    monkeypatch.setattr("server.network.sockets.network_of", lambda host: host)
    async with raw(here, "a"), raw(here, "b"), raw(here, "c"):
        with pytest.raises((OSError, EOFError, WebSocketException)):
            async with raw(here, "d"):
                pass
        assert Guard.by_network["127.0.0.1"] <= 4
    async with raw(here, "e"):
        assert Guard.by_network["127.0.0.1"] >= 1
    Guard.by_network.clear()
