"""Kills a manager again and again while it runs a competition of each format, and waits until play goes on in each.

    python -m benchmarks.manager_kills --kills 20

Four players play tic-tac-toe at random in all competitions. The manager is killed at a random moment (SIGKILL) and
started again on the same store and port; then each competition must end more matches within a minute, `/health` must
find nothing wrong, and at the end every match that is over must follow from its rules and its seed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.manager_process import ask, manager_process
from players.client import Client, RandomPlayer
from server.matches.library_games import LibraryGames
from server.referee.replay import first_difference
from server.store import records
from server.store.store import read_store

PLAYERS = 4
FORMATS: dict[str, dict[str, Any]] = {
    "round robin": {"kind": "round_robin", "cycles": 10_000},
    "Swiss": {"kind": "swiss", "rounds": 1000},
    "knock-out": {"kind": "groups_knockout", "groups": 0},
    "groups": {"kind": "groups_knockout", "groups": 2, "advance": 1},
    "ladder": {"kind": "ladder"},
}
PATIENCE_S = 60.0


class StandsStill(Exception):
    """A competition ends no more matches after a restart."""


class Host:
    """Requests to the manager on a port of this machine."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the answer to a request, a POST if it has a body."""
        return json.loads(ask(self._base, path, body, PATIENCE_S))

    def wait_for_matches(self, more: int) -> dict[str, float]:
        """Wait until this many more matches of each format are over; return the seconds it took.

        Raises:
            StandsStill: that takes too long, or a competition is suspended.
        """
        began = time.monotonic()
        before: dict[str, int] = {}
        took: dict[str, float] = {}
        while len(took) < len(FORMATS):
            health = self.ask("/health")
            if health["status"] != "ok" or time.monotonic() > began + PATIENCE_S:
                raise StandsStill(f"after {sorted(took)}: {health}")
            open_ = self.ask("/competitions?state=running")
            running = {one["name"].partition(" #")[0]: one["competition"] for one in open_}
            for name, form in FORMATS.items():
                if name not in running:
                    self._begin(name, form)
                elif name not in took:
                    over = self.ask(f"/competitions/{running[name]}")["progress"]["matches_over"]
                    if over >= before.setdefault(name, over) + more:
                        took[name] = round(time.monotonic() - began, 2)
            time.sleep(0.05)
        return took

    def _begin(self, name: str, form: dict[str, Any]) -> None:
        if any(one["name"].startswith(f"{name} #") for one in self.ask("/competitions?state=registering")):
            return
        settings = {"format": form, "entry": "everybody", "min_players": PLAYERS, "repeats": 1000, "latecomers": True}
        settings["games"] = [{"game": "tic_tac_toe"}]
        self.ask("/competitions", {"name": f"{name} #{random.randrange(1 << 30)}", **settings})


@contextlib.contextmanager
def playing(url: str) -> Iterator[None]:
    """Play at random with all players within the context, in a thread."""
    loop = asyncio.new_event_loop()
    clients = [Client(url, RandomPlayer, f"player {number}", patience_s=1e6) for number in range(PLAYERS)]

    async def play() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*(client.run() for client in clients))

    task = loop.create_task(play())
    thread = threading.Thread(target=loop.run_until_complete, args=(task,))
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.close()


def soak(store: Path, kills: int, more: int, seed: int) -> dict[str, Any]:
    """Kill and restart a manager; return how many matches it played, and the longest pause of each format.

    Args:
        store: of the manager, new.
        kills: how often it is killed.
        more: matches of each format that must end in each life.
        seed: of the moments at which it is killed.

    Raises:
        StandsStill: play does not go on.
    """
    rng = random.Random(seed)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    host = Host(port)
    pauses: dict[str, float] = dict.fromkeys(FORMATS, 0.0)
    with playing(f"ws://127.0.0.1:{port}/play"):
        for life in range(kills + 1):
            with manager_process(store, port=port) as (_, pid):
                took = host.wait_for_matches(more)
                if life:
                    pauses = {name: max(pauses[name], took[name]) for name in FORMATS}
                print(f"life {life}: {took}", file=sys.stderr)
                time.sleep(rng.uniform(0, 1))
                os.kill(pid, signal.SIGKILL)
    return {"kills": kills, "matches": verified(store), "longest_pause_s": pauses}


def verified(store: Path) -> int:
    """Replay all matches that are over, and return how many there are."""
    games = LibraryGames()
    with read_store(store) as connection:
        over = [row for row in records.matches(connection) if row.released]
        for row in over:
            assert first_difference(records.journal_of(connection, row.id), games.load_created, games.faults) is None
    return len(over)


def main() -> None:
    """Run it and print what was measured as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--matches", type=int, default=5, help="of each format that must end in each life")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(soak(Path(folder) / "store", options.kills, options.matches, options.seed), indent=2))


if __name__ == "__main__":
    main()
