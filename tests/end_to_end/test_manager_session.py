"""Tournaments over loopback sockets between processes, with failures."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sqlite3
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from ggp.cli.main import app
from server.store import records
from server.store.store import read_store
from tests.support.processes import (
    PATIENCE_S,
    assert_verified,
    goofspiel,
    manager,
    process,
    run_ggp,
    stored_matches,
    wait_until,
)

COMPILING = "ggp join: compiling kernels of rm (only once on this machine)\n"


def test_a_tournament_of_processes(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with (
        manager(store, *goofspiel(3)) as host,
        process("join", host.url, "random", "--name", "a") as first,
        process("join", host.url, "random", "--name", "b", "--seed", "1") as second,
        process("join", host.url, "rm", "--name", "rm") as third,
    ):
        results = host.results()
        for player, name in ((first, "a"), (second, "b"), (third, "rm")):
            output, errors = player.communicate(timeout=PATIENCE_S)
            # where the kernels of `rm` are new, it first says that it compiles them
            errors = errors.removeprefix(COMPILING if name == "rm" else "")
            assert (player.returncode, output, errors) == (0, "", f"{name}: the tournament is over\n")
    assert results["store"] == str(store)
    table = {row["name"]: row for row in results["table"]}
    assert set(table) == {"a", "b", "rm"}
    assert all(row["matches"] == 4 for row in table.values())
    rows = stored_matches(store)
    assert [row.state for row in rows] == ["finished"] * 6
    # Each pair in both orders of seats.
    assert len({row.names for row in rows}) == 6
    assert_verified(store)
    shown = CliRunner().invoke(app, ["replay", str(store), "--match", rows[0].id, "--verify"])
    assert shown.exit_code == 0
    assert "verified: every event follows" in shown.stdout
    listed = CliRunner().invoke(app, ["replay", str(store), "--verify"])
    assert (listed.exit_code, listed.stderr) == (0, "")
    for row, line in zip(rows, listed.stdout.splitlines(), strict=True):
        assert line.startswith(f"{row.id}  goofspiel  {row.names[0]} ")
        assert line.endswith("  verified")
    with sqlite3.connect(store) as connection:
        connection.execute("delete from events where match = ? and number = 5", (rows[3].id,))
    connection.close()
    listed = CliRunner().invoke(app, ["replay", str(store), "--verify", "--json"])
    assert [match["ok"] for match in json.loads(listed.stdout)] == [row is not rows[3] for row in rows]
    assert listed.exit_code == 1


class Misbehaving:
    """A player that does something else wrong in each match, over raw frames."""

    MANNERS = ("garbage", "giant frame", "illegal move", "silence", "disconnect", "double move", "none", "none")

    def __init__(self, url: str) -> None:
        self.url = url
        self.token: str | None = None
        self.manner: dict[str, str] = {}
        self.closed: list[int] = []

    async def play(self) -> None:
        """Play until the manager says good-bye."""
        while not self.closed or self.closed[-1] != 1000:
            try:
                async with connect(self.url, compression=None) as websocket:
                    await websocket.send(json.dumps({"type": "hello", "name": "bad", "token": self.token}))
                    async for frame in websocket:
                        await self.answer(websocket, json.loads(frame))
            except ConnectionClosed as closed:
                self.closed.append(closed.rcvd.code if closed.rcvd else 1006)
            else:
                self.closed.append(websocket.close_code or 0)

    async def answer(self, websocket, message) -> None:
        match message["type"]:
            case "welcome":
                self.token = message["token"]
            case "start":
                self.manner.setdefault(message["match"], self.MANNERS[len(self.manner)])
                await websocket.send(json.dumps({"type": "ready", "match": message["match"]}))
            case "act":
                await self.act(websocket, message, self.manner[message["match"]])

    async def act(self, websocket, message, manner: str) -> None:
        move = {"type": "move", "match": message["match"], "step": message["step"], "action": message["legal"][0]}
        if message["step"] == 0:
            match manner:
                case "garbage":
                    await websocket.send('{"match": no JSON')
                    await websocket.send(b"\xff\x00")
                    await websocket.send(json.dumps({**move, "action": 7}))
                    return
                case "giant frame":
                    self.manner[message["match"]] = "silence"
                    await websocket.send(json.dumps({**move, "action": "x" * 20_000}))
                    return
                case "illegal move":
                    await websocket.send(json.dumps({**move, "action": "resign"}))
                    return
                case "silence":
                    return
                case "disconnect":
                    self.manner[message["match"]] = "none"  # comes back in time
                    websocket.transport.abort()
                    return
                case "double move":
                    await websocket.send(json.dumps({**move, "action": message["legal"][1]}))
        await websocket.send(json.dumps(move))


def test_a_misbehaving_player_harms_only_itself(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with (
        manager(store, *goofspiel(3, rounds=2)) as host,
        process("join", host.url, "random", "--name", "a"),
        process("join", host.url, "random", "--name", "b", "--seed", "1"),
    ):
        bad = Misbehaving(host.url)
        asyncio.run(asyncio.wait_for(bad.play(), PATIENCE_S))
        host.results()
    rows = stored_matches(store)
    assert [row.state for row in rows] == ["finished"] * 12
    # The giant frame and the cut closed connections, and nothing else did before the farewell.
    assert sorted(bad.closed) == [1000, 1006, 1009]
    kinds: dict[str, set[str]] = {}
    with read_store(store) as connection:
        for row in rows:
            kinds[row.id] = set()
            for error in records.errors(connection, match=row.id):
                assert error["player"] == "bad"
                kinds[row.id].add(error["kind"])
    told = {match: kinds[match] for match in bad.manner}
    assert list(told.values())[:6] == [{"malformed"}, {"late"}, {"illegal"}, {"late"}, set(), {"unexpected"}]
    assert not any(found for match, found in kinds.items() if bad.manner.get(match, "none") == "none")
    assert_verified(store)


def test_a_player_tells_its_matches_as_json(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with (
        manager(store, *goofspiel(3)) as host,
        process("join", host.url, "random", "--name", "a", "--json") as first,
        process("join", host.url, "random", "--name", "b"),
        process("join", host.url, "random", "--name", "c"),
    ):
        host.results()
        output, _ = first.communicate(timeout=PATIENCE_S)
    told, rows = json.loads(output), stored_matches(store)
    assert (told["player"], told["farewell"]) == ("random", "the tournament is over")
    played = {row.id: row for row in rows if "a" in row.names}
    assert {one["match"] for one in told["matches"]} == set(played)
    for one in told["matches"]:
        row = played[one["match"]]
        assert (one["game"], one["result"], one["errors"]) == ("goofspiel", row.state, [])
        assert row.names[row.roles.index(one["role"])] == "a"
        assert list(one["utilities"].values()) == list(row.outcome.utilities)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_manager_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    async def stopped() -> tuple[int | None, str | None]:
        async with connect(host.url) as websocket:
            await websocket.send('{"type":"hello","name":"a"}')
            await websocket.recv()
            host.running.send_signal(number)
            async with asyncio.timeout(PATIENCE_S):
                await websocket.wait_closed()
            return websocket.close_code, websocket.close_reason

    with manager(tmp_path / "store.sqlite") as host:
        assert asyncio.run(stopped()) == (1001, "the manager stops")
        output, errors = host.running.communicate(timeout=PATIENCE_S)
    assert (host.running.returncode, output, errors) == (0, "", "")


def test_an_interrupted_tournament_says_how_to_go_on(tmp_path: Path) -> None:
    with manager(tmp_path / "store.sqlite", *goofspiel(2)) as host:
        host.running.send_signal(signal.SIGINT)
        _, errors = host.running.communicate(timeout=PATIENCE_S)
    assert host.running.returncode == 130
    assert "continues the tournament" in errors
    assert "Traceback" not in errors


@pytest.mark.long
def test_an_interrupted_player_stops_at_once_though_it_thinks(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with (
        manager(store, *goofspiel(2, play_clock_s=3600.0)) as host,
        process("join", host.url, "rm", "--name", "a") as thinking,
        process("join", host.url, "random", "--name", "b"),
    ):
        wait_until(lambda: any(row.state == "running" for row in stored_matches(store)) and _has_asked(store))
        time.sleep(0.3)
        began = time.monotonic()
        thinking.send_signal(signal.SIGINT)
        _, errors = thinking.communicate(timeout=PATIENCE_S)
        assert time.monotonic() - began < 20
    assert (thinking.returncode, errors) == (130, "ggp: stopped\n")


@pytest.mark.long
def test_a_player_started_again_with_its_token_file_is_the_same_player(tmp_path: Path) -> None:
    store, token = tmp_path / "store.sqlite", tmp_path / "token"
    with manager(store) as host:
        kept = []
        for _ in range(2):
            with process("join", host.url, "random", "--name", "p", "--token-file", str(token)) as player:
                wait_until(lambda: _connected(host.url) == ["p"] and token.exists())
                kept.append(token.read_text())
                player.kill()
            wait_until(lambda: _connected(host.url) == [])
    assert kept[0] == kept[1]
    assert token.stat().st_mode & 0o077 == 0
    unreadable = run_ggp("join", host.url, "random", "--token-file", str(tmp_path))
    assert (unreadable.returncode, unreadable.stderr.count("\n")) == (2, 1)
    assert "cannot read the token" in unreadable.stderr


def _connected(url: str) -> list[str]:
    base = url.replace("ws:", "http:").removesuffix("/play")
    return [player["name"] for player in httpx.get(f"{base}/players").json()]


def _has_asked(store: Path) -> bool:
    with read_store(store) as connection:
        (count,) = connection.execute('select count(*) from events where line like \'%"type":"act"%\'').fetchone()
    return bool(count)


def test_a_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = run_ggp("serve", "--port", str(port), "--store", str(tmp_path / "store.sqlite"))
    assert ended.returncode == 2
    assert ended.stderr == f"ggp: error: port {port} is in use; choose another one, or 0 for a free one\n"
    assert not (tmp_path / "store.sqlite").exists()


def test_a_store_has_one_manager(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with manager(store):
        second = run_ggp("serve", "--port", "0", "--store", str(store))
    assert (second.returncode, second.stderr) == (2, f"ggp: error: another manager uses the store {store}\n")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["ws://127.0.0.1:1/play", "random", "--patience", "0"],
            "cannot join ws://127.0.0.1:1/play: there is no server there",
        ),
        (
            ["localhost:99999", "random"],
            "`ws://localhost:99999/play` is not an address such as ws://localhost:8000/play",
        ),
        (["ftp://127.0.0.1/play", "random"], "is not an address of a manager"),
        (["ws://127.0.0.1:1/play", "rnadom"], "rnadom"),
    ],
)
def test_joining_in_vain_is_one_line_and_status_two(arguments: list[str], line: str) -> None:
    ended = run_ggp("join", *arguments)
    assert ended.returncode == 2
    assert line in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_rules_with_errors_end_it_before_it_listens(tmp_path: Path) -> None:
    rules = tmp_path / "broken.rules"
    rules.write_text("game broken\nplayers red, blue\nphase\n")
    ended = run_ggp(
        "serve", "--json", "--port", "0", "--store", str(tmp_path / "store.sqlite"), "--tournament", str(rules)
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("broken.rules:1:12: error: ")
    assert "Traceback" not in ended.stderr


def test_a_tournament_with_too_few_players_ends_it_before_it_listens(tmp_path: Path) -> None:
    ended = run_ggp(
        "serve", "--port", "0", "--store", str(tmp_path / "s"), "--tournament", "goofspiel", "--players", "1"
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "needs 2 players" in ended.stderr
