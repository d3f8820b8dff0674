"""Clients that never read, flood, stall or crowd: memory is bounded, and they are told why they are disconnected."""

import asyncio
import contextlib
import json
import logging

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Frame, Opcode

from server.network import connection, sockets
from server.store import records
from tests.support.arena import arena, closing_code, comes_true, raw, until


async def gone(here):
    """Wait until nobody is connected."""
    await here.members(0)
    await comes_true(lambda: not here.host.admission._connections)


async def test_a_client_that_never_reads_is_cut_off(here, monkeypatch):
    monkeypatch.setattr(sockets, "STALL_S", 0.2)
    async with raw(here) as socket:
        socket.transport.pause_reading()
        (member,) = await here.members(1)
        for _ in range(300):
            member.connection.send_text("x" * 100_000)
        await gone(here)
        assert here.host.admission._backlogs.total_bytes == 0
        socket.transport.abort()


async def test_a_client_that_reads_too_late_is_told_so(here, monkeypatch):
    monkeypatch.setattr(connection, "MAX_BACKLOG_BYTES", 1_000_000)
    async with raw(here) as socket:
        socket.transport.pause_reading()
        (member,) = await here.members(1)
        sender = member.connection
        for _ in range(300):
            sender.send_text("x" * 100_000)
            await asyncio.sleep(0)
            assert here.host.admission._backlogs.total_bytes <= 1_200_000
        socket.transport.resume_reading()
        assert await closing_code(socket) == 1013
        await gone(here)


async def test_all_that_wait_together_are_bounded_and_the_greediest_go(here, monkeypatch):
    monkeypatch.setattr(connection, "MAX_TOTAL_BACKLOG_BYTES", 1_000_000)
    async with raw(here, "modest") as modest, raw(here, "greedy") as greedy:
        first, second = await here.members(2)
        first.connection.send_text("y" * 100_000)
        for _ in range(20):
            second.connection.send_text("x" * 100_000)  # nothing leaves without a pause
        assert here.host.admission._backlogs.total_bytes < 1_200_000
        assert await closing_code(greedy) == 1013
        assert await modest.recv() == "y" * 100_000
        assert here.host.admission._backlogs.connections == 1


@pytest.mark.parametrize(
    ("frames", "reason"),
    [
        ([Frame(Opcode.PING, b"")] * 300, "too many pings"),
        ([Frame(Opcode.PING, b"x" * 100)] * 20_000, "too many pings"),
        ([Frame(Opcode.PONG, b"")] * 300, "too many pings"),
        ([Frame(Opcode.TEXT, b"{", False)] + [Frame(Opcode.CONT, b"", False)] * 70, "a message of more than 64 frames"),
    ],
)
async def test_frames_that_carry_nothing_are_counted(here, monkeypatch, frames, reason):
    monkeypatch.setattr(sockets, "LINGER_S", 0.2)
    async with raw(here) as socket:
        socket.transport.write(b"".join(frame.serialize(mask=True) for frame in frames))
        assert await closing_code(socket) == 1008
        assert socket.close_reason == reason
        await gone(here)


async def test_a_message_of_some_fragments_is_read(here):
    async with connect(here.url) as socket:
        await socket.send(['{"type":"hello",', '"name":', '"a"}'])
        assert json.loads(await socket.recv())["name"] == "a"
        for _ in range(5):
            await (await socket.ping())


async def test_who_connects_and_says_nothing_is_cut_off(here, monkeypatch):
    monkeypatch.setattr(sockets, "REQUEST_TIMEOUT_S", 0.05)
    monkeypatch.setattr(connection, "HELLO_TIMEOUT_S", 0.2)
    address = here.base.removeprefix("http://").split(":")
    for said in (b"", b"GET /health HTTP/1.1\r\nX-Slow"):
        reader, writer = await asyncio.open_connection(*address)
        writer.write(said)
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()
    async with connect(here.url) as silent:
        refusal = json.loads(await silent.recv())
        assert (refusal["type"], refusal["code"]) == ("refused", "hello")
        assert await closing_code(silent) == 1008


async def test_what_is_no_http_and_no_utf_8_is_counted_and_not_logged(here, caplog):
    caplog.set_level(logging.WARNING)
    address = here.base.removeprefix("http://").split(":")
    for _ in range(3):
        reader, writer = await asyncio.open_connection(*address)
        writer.write(b"\x16\x03\x01 not HTTP\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 400")
        writer.close()
        async with raw(here) as socket:
            socket.transport.write(bytes([0x81, 0x84, 0, 0, 0, 0]) + b'"\xff\xfe"')
            assert await closing_code(socket) == 1007
    async with here.web() as web:
        metrics = (await web.get("/metrics")).text
    assert 'ggp_unreadable_total{what="HTTP"} 3\n' in metrics
    assert 'ggp_unreadable_total{what="UTF-8"} 3\n' in metrics
    assert not caplog.records


async def test_answers_that_nobody_reads_are_dropped(here, monkeypatch):
    monkeypatch.setattr(sockets, "STALL_S", 0.2)
    address = here.base.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(*address, limit=1)
    with contextlib.suppress(ConnectionError):
        while sockets.Guard.of_peers:
            writer.write(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1000)
            await asyncio.sleep(0.01)
    writer.transport.abort()


async def test_a_crowd_is_told_to_come_back_later(here, monkeypatch):
    monkeypatch.setattr("server.network.admission.MAX_CONNECTIONS", 20)
    async with contextlib.AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(connect(here.url)) for _ in range(50)]
        for number, socket in enumerate(crowd):
            with contextlib.suppress(ConnectionClosed):
                await socket.send(json.dumps({"type": "hello", "name": f"{number}"}))
        answers = [json.loads(await socket.recv()) for socket in crowd]
        assert [answer["type"] for answer in answers] == ["welcome"] * 20 + ["refused"] * 30
        assert {answer["code"] for answer in answers[20:]} == {"busy"}
        assert [await closing_code(socket) for socket in crowd[20:]] == [1008] * 30
        for socket in crowd[:20]:
            await socket.close()
        await gone(here)
        async with raw(here, "late"):
            await here.members(1)


async def test_more_sockets_than_allowed_are_closed_at_once(here):
    limit = sockets.Guard.max_sockets
    try:
        sockets.Guard.max_sockets = 2
        async with raw(here, "a"), raw(here, "b"):
            with pytest.raises((OSError, InvalidHandshake)):
                await connect(here.url)
    finally:
        sockets.Guard.max_sockets = limit
    await gone(here)
    async with raw(here, "c"):
        await here.members(1)


async def test_a_connection_that_was_replaced_is_not_heeded(here):
    async with raw(here) as old:
        (member,) = await here.members(1)
        old.transport.pause_reading()
        for _ in range(100):
            member.connection.send_text("x" * 100_000)
        async with raw(here, token=old.welcome["token"]) as new:
            assert here.host.admission._backlogs.total_bytes < 1_000_000
            id_, _ = await here.match((member,), "counting")
            await until(new, "start")
            await old.send(json.dumps({"type": "ready", "match": id_}))
            old.transport.resume_reading()
            assert await closing_code(old) == 1008
            await new.send(json.dumps({"type": "ready", "match": id_}))
            await until(new, "act")
        assert here.stored(id_)[2] == []


async def test_new_players_are_taken_a_few_at_a_time_and_known_ones_always(tmp_path, monkeypatch):
    monkeypatch.setattr("server.matches.members.MAX_NEW_PLAYERS", 2)
    monkeypatch.setattr("server.matches.members.NEW_PLAYERS_PER_S", 0)
    async with arena(tmp_path) as here:
        async with raw(here, "a") as first, raw(here, "b"):
            token = first.welcome["token"]
        async with connect(here.url) as socket:
            await socket.send('{"type":"hello","name":"c"}')
            assert json.loads(await socket.recv())["code"] == "busy"
            assert await closing_code(socket) == 1008
        async with raw(here, "a", token=token):
            await here.members(1)


async def test_nobody_gets_the_name_of_one_who_is_away(tmp_path):
    """Results go by names: two players of one name would share a line of the table."""
    async with arena(tmp_path) as here, raw(here, "rm") as first:
        token = first.welcome["token"]
    async with arena(tmp_path) as here, raw(here, "rm") as second, raw(here, "rm", token=token) as first:
        assert (first.welcome["name"], second.welcome["name"]) == ("rm", "rm-2")
        assert [member.name for member in await here.members(2)] == ["rm", "rm-2"]
        assert here.manager.members.named("rm-2").id != here.manager.members.named("rm").id
        assert here.manager.members.named("rm-3") is None


async def test_a_nuisance_does_not_fill_the_store(here, monkeypatch):
    monkeypatch.setattr("server.network.admission.MAX_STRAY_ERRORS", 30)
    token = None
    for _ in range(2):
        async with raw(here, token=token) as socket:
            token = socket.welcome["token"]
            for _ in range(100):
                await socket.send("garbage")
            assert await closing_code(socket) == 1008
        await gone(here)
    await here.manager.store.written(lambda connection: None)  # what waits before it, too
    with here.manager.store.reading() as store:
        assert len(records.errors(store)) == 30


async def test_many_of_one_name_are_not_counted_for_ever(here, monkeypatch):
    monkeypatch.setattr("server.matches.members.MAX_NUMBERED", 2)
    async with raw(here), raw(here), raw(here) as third:
        names = [member.name for member in await here.members(3)]
        assert names[:2] == ["raw", "raw-2"]
        assert len(third.welcome["name"]) == len("raw-12345678")


async def test_a_refusal_that_quotes_much_is_told_and_closes(here):
    async with connect(here.url) as socket:
        await socket.send(json.dumps({"type": "hello", "name": "a", "\N{GRINNING FACE}" * 60: 1}))
        assert "unknown field" in json.loads(await socket.recv())["message"]
        assert await closing_code(socket) == 1008
        assert socket.close_reason.startswith("expected `hello`: Object contains unknown field")
