"""The manager and players as real processes on real sockets: a tournament, a misbehaving player, kills, bad input."""

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from ggp.protocol.codec import encode
from ggp.protocol.messages import End, Observe, Start
from players.client import Client, MatchPlayer
from server.journal import Ended, Sent, decode_event
from server.library_games import LibraryGames
from server.replay import first_difference

GGP = [sys.executable, "-m", "ggp"]


def serve(tmp_path, *options, port=0):
    """Start a manager; return its process and its websocket's address."""
    process = subprocess.Popen(
        [*GGP, "serve", "--json", "--port", str(port), "--store", str(tmp_path / "store"), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return process, json.loads(line)["url"]


def journals(tmp_path):
    """Return the events of each match in a store."""
    with contextlib.closing(sqlite3.connect(tmp_path / "store")) as connection:
        rows = connection.execute("select match, line from events order by match, number").fetchall()
    found = {}
    for match, line in rows:
        found.setdefault(match, []).append(decode_event(line))
    return found


def verify(tmp_path, match):
    command = [*GGP, "replay", str(tmp_path / "store"), "--match", match, "--verify", "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture
def processes():
    started = []
    yield started
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_a_tournament_of_processes_with_one_that_sends_garbage(tmp_path, processes):
    options = ("--players", "3", "--rounds", "1", "--start-clock", "3", "--play-clock", "0.1", "--allowance", "50")
    manager, url = serve(tmp_path, "--tournament", "goofspiel", "-p", "n=3", *options)
    processes.append(manager)
    for name in ("one", "two"):
        processes.append(subprocess.Popen([*GGP, "join", url, "random", "--name", name], stderr=subprocess.PIPE))

    class Garbage(MatchPlayer):
        def choose(self, turn):
            return "\N{PILE OF POO}" * 100

    garbage = threading.Thread(target=lambda: asyncio.run(Client(url, Garbage, "garbage").run()), daemon=True)
    garbage.start()
    output, errors = manager.communicate(timeout=60)
    assert manager.returncode == 0, errors
    result = json.loads(output.splitlines()[-1])
    rows = {row["name"]: row for row in result["table"]}
    assert {name: row["matches"] for name, row in rows.items()} == {"one": 4, "two": 4, "garbage": 4}
    # Three decisions in each match, each illegal.
    assert {name: row["errors"] for name, row in rows.items()} == {"one": 0, "two": 0, "garbage": 12}
    assert [process.wait(10) for process in processes] == [0, 0, 0]
    garbage.join(10)
    assert not garbage.is_alive()
    found = journals(tmp_path)
    assert len(found) == 6
    assert verify(tmp_path, min(found)) == {"ok": True, "first_difference": None}


class Recorder(MatchPlayer):
    """Plays at random, slowly enough to be killed in between, and keeps what it was told."""

    told: list

    def __init__(self, told, seed):
        self.told = told
        self.rng = random.Random(seed)

    def start(self, start: Start, deadline: float) -> None:
        self.told.append(start)

    def observe(self, observe: Observe) -> None:
        self.told.append(observe)

    def choose(self, turn) -> str:
        time.sleep(0.02)
        return self.rng.choice(turn.legal)

    def end(self, end: End) -> None:
        self.told.append(end)


def test_a_killed_manager_loses_nothing_that_it_announced(tmp_path, processes):
    rng = random.Random(7)
    options = ("--players", "2", "--rounds", "7", "--start-clock", "5", "--play-clock", "5")
    manager, url = serve(tmp_path, "--tournament", "goofspiel", "-p", "n=7", *options)
    processes.append(manager)
    port = int(url.split(":")[2].split("/")[0])
    told = {name: [] for name in ("left", "right")}

    def play(name):
        client = Client(url, lambda: Recorder(told[name], name), name, patience_s=30)
        assert asyncio.run(client.run()) == "the tournament is over"

    players = [threading.Thread(target=play, args=(name,), daemon=True) for name in told]
    for player in players:
        player.start()
    for _ in range(3):
        time.sleep(rng.uniform(0.2, 0.4))
        manager.send_signal(signal.SIGKILL)
        manager.wait()
        manager, _ = serve(tmp_path, port=port)
        processes.append(manager)
        before = len(told["left"])
        while len(told["left"]) == before:
            time.sleep(0.01)
    output, errors = manager.communicate(timeout=60)
    assert manager.returncode == 0, errors
    for player in players:
        player.join(10)
        assert not player.is_alive()
    (left, right) = sorted(json.loads(output.splitlines()[-1])["table"], key=lambda row: row["name"])
    assert (left["matches"], right["matches"], left["aborted"]) == (14, 14, 0)
    assert left["errors"] == right["errors"] == 0
    found = journals(tmp_path)
    assert len(found) == 14
    for events in found.values():
        assert len([event for event in events if isinstance(event, Ended)]) == 1
        assert first_difference(events, LibraryGames().load_created, LibraryGames.faults) is None
    stored = {encode(e.message) for events in found.values() for e in events if isinstance(e, Sent)}
    for messages in told.values():
        assert len(messages) > 14 * 14
        assert len([message for message in messages if isinstance(message, End)]) == 14
        # Each was told once, in order, and is in the store as it was told.
        assert all(encode(m) in stored for m in messages if not isinstance(m, Start))
        assert len({(m.match, m.number) for m in messages}) == len(messages)


def test_a_port_in_use_is_one_line_and_status_two(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [*GGP, "serve", "--port", str(port), "--store", str(tmp_path / "store")]
        result = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert result.returncode == 2
    assert result.stderr == f"ggp: error: port {port} is in use; choose another one, or 0 for a free one\n"


def test_a_store_has_one_manager_which_a_signal_stops_cleanly(tmp_path, processes):
    manager, _ = serve(tmp_path)
    processes.append(manager)
    command = [*GGP, "serve", "--port", "0", "--store", str(tmp_path / "store")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=20)
    line = f"ggp: error: another manager uses the store {tmp_path / 'store'}\n"
    assert (result.returncode, result.stderr) == (2, line)
    manager.send_signal(signal.SIGINT)
    _, errors = manager.communicate(timeout=10)
    assert (manager.returncode, errors) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["ws://127.0.0.1:1/play", "random"], "cannot join ws://127.0.0.1:1/play: nobody listens there"),
        (["ftp://127.0.0.1/play", "random"], "is no address of a manager"),
        (["ws://127.0.0.1:1/play", "rnadom"], "rnadom"),
    ],
)
def test_joining_in_vain_is_one_line_and_status_two(arguments, line):
    result = subprocess.run([*GGP, "join", *arguments], capture_output=True, text=True, timeout=30)
    assert result.returncode == 2
    assert line in result.stderr
    assert result.stderr.count("\n") == 1
