"""Managers killed between any two steps, or with a full disk: announced events are stored, and matches continue."""

from __future__ import annotations

import asyncio
import random
import re
import signal
import sys
import threading
from pathlib import Path

import httpx
import pytest

from ggp.protocol.codec import encode
from ggp.protocol.messages import End, MatchMessage, Start
from players.client import Client, JoinFailed, MatchPlayer
from server.referee.journal import Sent
from server.store import records
from server.store.store import read_store
from tests.support.processes import (
    PATIENCE_S,
    ManagerProcess,
    assert_verified,
    free_port,
    goofspiel,
    running_command,
    stored_matches,
    wait_until,
)

KILLED = """
import os, signal, sys, time
from server.store import store

at, moment = int(sys.argv.pop(1)), sys.argv.pop(1)
commit, settle, count = store.Store._commit, store._settle, 0

def die(after_s=0.05):
    time.sleep(after_s)  # what was told too early has time to leave
    os.kill(os.getpid(), signal.SIGKILL)

def counted_commit(self, batch):
    global count
    count += 1
    if (count, moment) == (at, "before"):
        die()
    commit(self, batch)

def counted_settle(*arguments):
    if (count, moment) == (at, "after"):
        die()
    settle(*arguments)
    if (count, moment) == (at, "told"):
        die(0.002)

store.Store._commit, store._settle = counted_commit, counted_settle
from ggp.cli.main import main
main()
"""
"""`ggp serve` that dies at a commit: before it, after it when nobody has heard of it yet, or while it is being told."""

FULL = """
import resource, signal, sys
size = int(sys.argv.pop(1))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
from ggp.cli.main import main
main()
"""
"""`ggp serve` on a disk that takes files of so many bytes."""


def serve(store: Path, port: int, *options: str) -> list[str]:
    return ["serve", "--json", "--port", str(port), "--store", str(store), *options]


class Recorder(MatchPlayer):
    """Plays at random and keeps all that it is told."""

    def __init__(self, told: list[MatchMessage], seed: int) -> None:
        self.told = told
        self.rng = random.Random(seed)

    def start(self, start, deadline) -> None:
        self.told.append(start)

    def observe(self, observe) -> None:
        self.told.append(observe)

    def choose(self, turn) -> str:
        return self.rng.choice(turn.legal)

    def end(self, end) -> None:
        self.told.append(end)


class Players:
    """Two players in threads, who come back whatever happens."""

    def __init__(self, url: str) -> None:
        self.told: list[list[MatchMessage]] = [[], []]
        self.farewells: list[str] = []
        self._over = threading.Event()
        self._running: dict[int, tuple[asyncio.AbstractEventLoop, asyncio.Task[str]]] = {}
        self._threads = [threading.Thread(target=self._play, args=(url, n), daemon=True) for n in range(2)]
        for thread in self._threads:
            thread.start()

    def _play(self, url: str, number: int) -> None:
        token = None

        def keep(welcome) -> None:
            nonlocal token
            token = welcome.token

        while not self._over.is_set():
            make = lambda: Recorder(self.told[number], number)  # noqa: E731
            client = Client(url, make, f"player {number}", token=token, patience_s=PATIENCE_S, joined=keep)
            try:
                self.farewells.append(asyncio.run(self._run(number, client)))
            except JoinFailed:
                continue  # killed before it had its token
            except asyncio.CancelledError:
                pass
            return

    async def _run(self, number: int, client: Client) -> str:
        task = asyncio.create_task(client.run())
        self._running[number] = asyncio.get_running_loop(), task
        return await task

    def leave(self) -> None:
        """Stop playing."""
        self._over.set()
        for loop, task in self._running.values():
            loop.call_soon_threadsafe(task.cancel)
        for thread in self._threads:
            thread.join(PATIENCE_S)

    def end(self) -> list[str]:
        """Wait for the farewells."""
        for thread in self._threads:
            thread.join(PATIENCE_S)
        return self.farewells

    def assert_told_what_is_stored(self, store: Path) -> None:
        """Each message was told once, and is in the store as it was told; each result as well."""
        with read_store(store) as connection:
            rows = {row.id: row for row in records.matches(connection)}
            sent = {
                encode(event.message)
                for id_ in rows
                for event in records.journal_of(connection, id_)
                if isinstance(event, Sent)
            }
        for messages in self.told:
            assert len({(message.match, message.number) for message in messages}) == len(messages)
            for message in messages:
                # What is left of the start clock is told again to who comes back.
                assert isinstance(message, Start) or encode(message) in sent
                if isinstance(message, End):
                    row = rows[message.match]
                    assert row.state == message.result == "finished"
                    assert dict(zip(row.roles, row.outcome.utilities, strict=True)) == message.utilities


@pytest.mark.sweep
@pytest.mark.parametrize(("seed", "lives"), [(3, 2), (1, 4), (2, 4)])
def test_a_manager_killed_at_any_commit_loses_nothing_that_it_announced(tmp_path: Path, seed: int, lives: int) -> None:
    rng = random.Random(seed)
    store, port = tmp_path / "store.sqlite", free_port()
    options = goofspiel(2, rounds=4, play_clock_s=5.0)
    players = Players(f"ws://127.0.0.1:{port}/play")
    moments = ["before", "after", "told"]
    for life in range(lives):
        # The first lives are short: the joining, the tournament's row and the first match are among their commits.
        at, moment = rng.randint(1, 4 + 6 * life), moments[(life + seed) % 3]
        with running_command(sys.executable, "-c", KILLED, str(at), moment, *serve(store, port, *options)) as host:
            assert host.wait(PATIENCE_S) == -signal.SIGKILL, f"life {life}: {at} {moment}"
    with running_command(sys.executable, "-c", KILLED, "0", "never", *serve(store, port, *options)) as host:
        results = ManagerProcess(host).results()
        assert players.end() == ["the tournament is over"] * 2
    assert [row["matches"] for row in results["table"]] == [8, 8]
    rows = stored_matches(store)
    assert [(row.state, row.released, row.errors) for row in rows] == [("finished", True, (0, 0))] * 8
    assert len({(row.meeting, row.leg) for row in rows}) == 8
    players.assert_told_what_is_stored(store)
    for messages in players.told:
        assert sum(isinstance(message, End) for message in messages) == 8
    assert_verified(store)


def test_a_full_disk_stops_a_tournament_which_goes_on_when_there_is_room(tmp_path: Path) -> None:
    store, port = tmp_path / "store.sqlite", free_port()
    options = goofspiel(2, rounds=4, play_clock_s=5.0)
    with running_command(sys.executable, "-c", FULL, "400_000", *serve(store, port, *options)) as host:
        players = Players(f"ws://127.0.0.1:{port}/play")
        output, errors = host.communicate(timeout=PATIENCE_S)
    assert (host.returncode, len(output.splitlines())) == (2, 1)
    assert re.search(rf"^ggp: error: the tournament is suspended: the store {store} cannot be written: ", errors, re.M)
    stopped = stored_matches(store)
    assert 0 < len([row for row in stopped if row.state == "finished"]) < 8
    players.assert_told_what_is_stored(store)
    with running_command(sys.executable, "-c", FULL, str(2**40), *serve(store, port)) as host:
        results = ManagerProcess(host).results()
        assert players.end() == ["the tournament is over"] * 2
    assert [row["matches"] for row in results["table"]] == [8, 8]
    again = {row.id: row for row in stored_matches(store)}
    assert all(again[row.id].outcome == row.outcome for row in stopped if row.state == "finished")
    assert {row.id for row in stopped} <= set(again)
    assert len(again) == 8
    players.assert_told_what_is_stored(store)
    assert_verified(store)


@pytest.mark.long
def test_a_full_disk_without_a_tournament_is_told_to_all(tmp_path: Path) -> None:
    store, port = tmp_path / "store.sqlite", free_port()
    base = f"http://127.0.0.1:{port}"
    with (
        running_command(sys.executable, "-c", FULL, "250_000", *serve(store, port)) as host,
        httpx.Client(base_url=base) as web,
    ):
        url = ManagerProcess(host).url
        players = Players(url)
        wait_until(lambda: len(web.get("/players").json()) == 2)
        order = {"game": "goofspiel", "players": [player["name"] for player in web.get("/players").json()]}
        wait_until(lambda: web.post("/matches", json=order).status_code == 503)
        health = web.get("/health")
        assert (health.status_code, health.json()["status"]) == (503, "failed")
        assert "cannot be written" in health.json()["failure"]
        wait_until(lambda: web.get("/health").json()["matches_running"] == 0)
        players.assert_told_what_is_stored(store)
        host.send_signal(signal.SIGINT)
        assert host.wait(PATIENCE_S) == 0
    with read_store(store) as connection:
        running = records.matches(connection, state="running")
    assert running
    with running_command(sys.executable, "-c", FULL, str(2**40), *serve(store, port)) as host:
        ManagerProcess(host)
        wait_until(lambda: all(row.state == "finished" for row in stored_matches(store)))
        players.leave()
        host.send_signal(signal.SIGINT)
        assert host.wait(PATIENCE_S) == 0
    players.assert_told_what_is_stored(store)
    assert_verified(store)
