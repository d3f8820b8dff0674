"""How many matches the manager runs at once, and how exact its clocks are.

    python -m benchmarks.manager_load --matches 1000 --seconds 20

A manager runs as a process on one core, the players as another on the other core. Another match begins when one is
over. Half of all moves are sent in time, the others never, so that both messages and deadlines are under load. The
players measure the error of a deadline: from the request to the message that the move was replaced, minus play clock
and allowance. So it includes the round trip and the players' own delays; the manager's own figure is reported as well.
Loopback only.
`--slow N` adds N matches of a game whose transitions take a tenth of a second and more, one
after another and answered at once; only the deadlines of the other matches are measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from itertools import cycle, pairwise
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.manager_process import ask, manager_process

CONTROL = """
import sys, time
late, end = [], time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    due = time.monotonic() + 0.01
    time.sleep(0.01)
    late.append(1000 * (time.monotonic() - due))
late.sort()
print(round(late[len(late) * 99 // 100], 2))
"""
"""Sleeps on the manager's core and prints the 99th percentile of its delays in milliseconds: the error that the machine
and its other load add to any clock. On a quiet machine it is below 1."""

SLOW_GAME, SLOW_PLAYERS = "sealed_auction", 5
CONNECTIONS = 100
"""Each plays many matches against the next one."""


class Load:
    """The players' measurements."""

    def __init__(self, overtime_s: float, seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self.errors_ms: list[float] = []
        self.think_s: tuple[float, float] = (0.0, 0.0)
        self._overtime_s = overtime_s
        self._rng = random.Random(seed)
        self.lateness_p99_ms = 0.0
        """The manager's own figure: the time from a deadline to its enforcement."""
        self.cpu_share = 0.0
        self.control_p99_ms = 0.0
        self.health_ms: list[float] = []
        """Response times of `/health`."""
        self.resident_bytes: list[float] = []
        """The manager's memory each time."""
        self.over = False
        self._sending: set[asyncio.Future[None]] = set()
        """Keeps the tasks alive until they are done."""
        self._asked: dict[tuple[int, str], float] = {}
        self._slow: set[str] = set()
        self._half_over: set[str] = set()
        """Matches whose end was told to one of the players."""
        self.order_slow: Callable[[], None] = lambda: None
        self.order_next: Callable[[], None] = lambda: None

    async def play(self, socket: ClientConnection, number: int) -> None:
        """Answer every second request at some time within the play clock, and leave the others."""
        loop = asyncio.get_running_loop()
        async for frame in socket:
            now = time.monotonic()
            message = json.loads(frame)
            kind = message["type"]
            self.counts[kind] += 1
            if kind == "start":
                if message["game"] == SLOW_GAME:
                    self._slow.add(message["match"])
                await socket.send(json.dumps({"type": "ready", "match": message["match"]}))
            elif message.get("match") in self._slow:
                if kind == "act":
                    move = {"type": "move", "match": message["match"], "step": message["step"]}
                    self._send(socket, json.dumps({**move, "action": message["legal"][0]}))
                elif kind == "observe":
                    self.counts["slow"] += 1
                elif kind == "end":
                    self._slow.discard(message["match"])
                    if not self.over:
                        loop.run_in_executor(None, self.order_slow)
            elif kind == "act":
                if self._rng.random() < 0.5:
                    move = {"type": "move", "match": message["match"], "step": message["step"]}
                    answer = json.dumps({**move, "action": message["legal"][0]})
                    loop.call_later(self._rng.uniform(*self.think_s), self._send, socket, answer)
                else:
                    self._asked[number, message["match"]] = now
            elif kind == "end" and message["match"] in self._half_over:
                self._half_over.discard(message["match"])
                if not self.over:
                    loop.run_in_executor(None, self.order_next)
            elif kind == "end":
                self._half_over.add(message["match"])
            elif kind == "observe" and message["replaced"] == "late":
                asked = self._asked.pop((number, message["match"]), None)
                if asked is not None:
                    self.errors_ms.append(1000 * (now - asked - self._overtime_s))

    async def ask_health(self, base: str) -> None:
        """Ask for the manager's health and memory ten times a second."""
        while True:
            began = time.monotonic()
            await asyncio.to_thread(ask, base, "/health")
            self.health_ms.append(1000 * (time.monotonic() - began))
            metrics = (await asyncio.to_thread(ask, base, "/metrics")).decode().splitlines()
            self.resident_bytes += [float(one.split()[1]) for one in metrics if one.startswith("ggp_resident_bytes ")]
            await asyncio.sleep(0.1)

    def _send(self, socket: ClientConnection, answer: str) -> None:
        if not self.over:
            task = asyncio.ensure_future(socket.send(answer))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)


def cpu_seconds(process: int) -> float:
    """Return the processor time that a process has used; 0 if the system does not report it."""
    path = Path(f"/proc/{process}/stat")
    if not path.exists():
        return 0.0
    fields = path.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(url: str, manager: int, options: argparse.Namespace) -> Load:
    """Join with all players, order the matches, and play for a while."""
    load = Load(options.play_clock + options.allowance / 1000, options.seed)
    load.think_s = (0.0, options.play_clock * 0.9)
    sockets = [await connect(url, compression=None) for _ in range(CONNECTIONS)]
    names = []
    for number, socket in enumerate(sockets):
        await socket.send(json.dumps({"type": "hello", "name": f"load {number}"}))
        names.append(json.loads(await socket.recv())["name"])
    players = [asyncio.create_task(load.play(socket, number)) for number, socket in enumerate(sockets)]
    base = url.replace("ws:", "http:").removesuffix("/play")
    pairs = cycle(pairwise([*names, names[0]]))
    load.order_next = lambda: order(base, list(next(pairs)), options, "goofspiel", n="20")
    for _ in range(options.matches):
        await asyncio.to_thread(load.order_next)
    load.order_slow = lambda: order(base, names[:SLOW_PLAYERS], options, SLOW_GAME)
    for _ in range(options.slow):
        await asyncio.to_thread(load.order_slow)
    print(f"{options.matches} matches began", file=sys.stderr)
    load.counts.clear()
    load.errors_ms.clear()
    control = await asyncio.create_subprocess_exec(
        *pinned(0), sys.executable, "-c", CONTROL, str(options.seconds - 0.5), stdout=subprocess.PIPE
    )
    began, cpu_began = time.monotonic(), cpu_seconds(manager)
    asking = asyncio.create_task(load.ask_health(base))
    await asyncio.sleep(options.seconds)
    asking.cancel()
    seconds = time.monotonic() - began
    load.control_p99_ms = float((await control.communicate())[0])
    load.cpu_share = (cpu_seconds(manager) - cpu_began) / seconds
    load.counts["measured"] = sum(load.counts[kind] for kind in ("act", "observe", "error"))
    health = json.loads(ask(base, "/health"))
    load.counts["running"] = health["matches_running"]
    load.lateness_p99_ms = health["deadline_lateness_p99_ms"]
    load.counts["messages_per_s"] = round(load.counts["measured"] / seconds)
    load.over = True
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)
    for socket in sockets:
        await socket.close()
    return load


def order(base: str, pair: list[str], options: argparse.Namespace, game: str, **parameters: str) -> None:
    """Order a match."""
    body = {
        "game": game,
        "parameters": parameters,
        "players": pair,
        "start_clock_ms": 60_000,
        "play_clock_ms": round(1000 * options.play_clock),
        "allowance_ms": options.allowance,
        "strikes": 0,
        "hide_times": False,
    }
    ask(base, "/matches", body)


def pinned(core: int) -> list[str]:
    """Return the command prefix that pins a process to one core, if the system has one."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return ["taskset", "-c", str(cores[core % len(cores)])] if cores else []


def main() -> None:
    """Run the benchmark and print what it measured as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--slow", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--play-clock", type=float, default=5.0)
    parser.add_argument("--allowance", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        with manager_process(store, prefix=pinned(0)) as (url, pid):
            load = asyncio.run(measure(url, pid, options))
        with sqlite3.connect(store) as connection:
            events = connection.execute("select count(*) from events").fetchone()[0]
    errors, health, third = sorted(load.errors_ms), sorted(load.health_ms), max(1, len(load.resident_bytes) // 3)
    print(
        json.dumps(
            {
                "matches_running": load.counts["running"],
                "messages_per_s": load.counts["messages_per_s"],
                "events_stored": events,
                "slow_observations": load.counts["slow"],
                "manager_cpu_share": round(load.cpu_share, 2),
                "machine_lateness_p99_ms": load.control_p99_ms,
                "deadlines": len(errors),
                "manager_lateness_p99_ms": load.lateness_p99_ms,
                "clock_error_median_ms": round(statistics.median(errors), 2),
                "clock_error_p99_ms": round(errors[len(errors) * 99 // 100], 2),
                "clock_error_max_ms": round(errors[-1], 2),
                "clock_error_min_ms": round(errors[0], 2),
                "health_median_ms": round(statistics.median(health), 2),
                "health_p99_ms": round(health[len(health) * 99 // 100], 2),
                "resident_bytes": [
                    round(statistics.mean(load.resident_bytes[part:][:third])) for part in (0, third, -third)
                ],
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
