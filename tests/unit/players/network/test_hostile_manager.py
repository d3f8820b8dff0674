"""The client against hostile managers: nothing reaches the terminal unescaped, and nothing grows without bound."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from ggp.errors import GgpError
from players.network import client as client_module
from players.network.client import CannotPlay, Client, JoinFailed, MatchPlayer
from tests.support.processes import free_port

NASTY = "\x1b[2J\x1b]0;owned\x07\nggp: error: forged\u202e"
WELCOME = {"type": "welcome", "name": "a", "token": "t"}
START = {
    "type": "start", "match": "m", "number": 0, "game": "g", "rules": "", "files": {}, "parameters": {},
    "roles": ["r"], "role": "r", "start_clock_ms": 100, "play_clock_ms": 100, "allowance_ms": 0, "remaining_ms": 100,
    "seed_hash": "",
}  # fmt: skip


class First(MatchPlayer):
    def choose(self, turn: Any) -> str:
        return str(turn.legal[0])


class Unable(First):
    def start(self, start: Any, deadline: float) -> None:
        raise GgpError(f"the rules {NASTY} are not for this player")


class Sent(list[dict[str, Any]]):
    """What the client sent to a manager."""

    def of(self, type_: str) -> list[dict[str, Any]]:
        return [message for message in self if message["type"] == type_]


@contextlib.asynccontextmanager
async def manager(trick: Callable[[ServerConnection], Awaitable[None]]) -> AsyncIterator[tuple[str, Sent]]:
    sent = Sent()

    async def handle(socket: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            sent.append(json.loads(await socket.recv()))
            await socket.send(json.dumps(WELCOME))
            trickster = asyncio.ensure_future(trick(socket))
            try:
                async for frame in socket:
                    sent.append(json.loads(frame))
            finally:
                trickster.cancel()
                await asyncio.gather(trickster, return_exceptions=True)

    async with serve(handle, "127.0.0.1", 0, max_size=None, compression=None) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/play", sent


async def test_text_of_the_manager_is_shown_in_one_safe_line(caplog: pytest.LogCaptureFixture) -> None:
    async def trick(socket: ServerConnection) -> None:
        await socket.send(json.dumps({"type": "error", "code": "late", "message": NASTY, "match": NASTY}))
        entry = {"type": "entry", "competition": "c", "name": NASTY, "state": "refused", "message": NASTY}
        await socket.send(json.dumps(entry))
        await socket.close(1008, NASTY[:50])

    async with manager(trick) as (url, _):
        with pytest.raises(JoinFailed) as failed:
            await Client(url, First, "a").run()
    for text in (str(failed.value), *(record.getMessage() for record in caplog.records)):
        assert text.isprintable(), text
        assert "\\x1b[2J" in text
    assert len(caplog.records) == 2


async def test_three_thousand_matches_at_once_are_not_played(caplog: pytest.LogCaptureFixture) -> None:
    async def trick(socket: ServerConnection) -> None:
        for number in range(3000):
            await socket.send(json.dumps({**START, "match": f"m{number}"}))
        while len(sent.of("resign")) < 3000 - client_module.MAX_MATCHES:
            await asyncio.sleep(0.05)
        await socket.close(1000, "done")

    async with manager(trick) as (url, sent):
        assert await Client(url, First, "a").run() == "done"
    assert len(sent.of("ready")) == client_module.MAX_MATCHES
    assert len(sent.of("resign")) == 3000 - client_module.MAX_MATCHES
    assert len(caplog.records) <= client_module.MAX_COMPLAINTS + 1


async def test_short_sessions_do_not_make_it_come_back_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "FIRST_PAUSE_S", 0.02)
    tries: list[float] = []

    async def trick(socket: ServerConnection) -> None:
        tries.append(time.monotonic())
        await socket.send(" " * (9 * 1024 * 1024))

    async with manager(trick) as (url, _):
        with pytest.raises(JoinFailed, match="has not come back"):
            await Client(url, First, "a", patience_s=1.0).run()
    assert 2 <= len(tries) <= 8


async def test_patience_covers_the_first_connection() -> None:
    async def handle(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(json.dumps(WELCOME))
        await socket.close(1000, "welcome and goodbye")

    port = free_port()
    task = asyncio.create_task(Client(f"ws://127.0.0.1:{port}/play", First, "a", patience_s=10).run())
    await asyncio.sleep(0.3)
    async with serve(handle, "127.0.0.1", port):
        assert await task == "welcome and goodbye"


@pytest.mark.parametrize("plays_on", [False, True])
async def test_a_player_that_cannot_play_says_so_and_leaves_or_plays_at_random(
    plays_on: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def trick(socket: ServerConnection) -> None:
        entry = {"type": "entry", "competition": "spring", "name": "Spring", "state": "entered"}
        await socket.send(json.dumps(entry))
        await socket.send(json.dumps(START))
        act = {"type": "act", "match": "m", "number": 1, "step": 0, "legal": ["x"], "remaining_ms": 100}
        await socket.send(json.dumps(act))
        await asyncio.sleep(0.3)
        await socket.close(1000, "done")

    async with manager(trick) as (url, sent):
        running = Client(url, Unable, "a", plays_on_as_random=plays_on).run()
        if plays_on:
            assert await running == "done"
        else:
            with pytest.raises(CannotPlay, match=r"cannot play g: the rules .*are not for this player") as failed:
                await running
            assert str(failed.value).isprintable()
    assert bool(sent.of("move")) == bool(sent.of("ready")) == plays_on
    assert bool(sent.of("resign")) == bool(sent.of("withdraw")) == (not plays_on)
    assert all(record.exc_info is None for record in caplog.records)


def test_lines_of_a_log_are_safe_too() -> None:
    from ggp.cli.commands.join import _SafeFormatter

    record = logging.LogRecord("x", logging.ERROR, "", 0, "%s", (NASTY,), None)
    lines = _SafeFormatter("ggp join: %(message)s").format(record).split("\n")
    assert all(line.isprintable() for line in lines)


async def test_patience_begins_anew_whenever_it_has_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a manager that crashes several times."""
    monkeypatch.setattr(client_module, "FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr(client_module, "LONGEST_PAUSE_S", 0.05)
    tries: list[float] = []

    async def trick(socket: ServerConnection) -> None:
        tries.append(time.monotonic())
        if len(tries) == 12:
            await socket.close(1000, "done")
        socket.transport.abort()

    async with manager(trick) as (url, _):
        assert await Client(url, First, "a", patience_s=0.2).run() == "done"
    assert tries[-1] - tries[0] > 0.2
