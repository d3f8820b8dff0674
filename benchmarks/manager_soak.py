"""Measures whether the manager's memory grows while it runs matches for a long time.

    python -m benchmarks.manager_soak --minutes 30 --matches 100

A manager runs as a process; 20 players play this many matches at once, with play clocks of a second, of three short
games, one after another. They answer most moves in time, let the clock run out on some, send some illegal moves and
some frames that are not messages, and now and then break their connection and reconnect. Pages, lists, journals and a
feed are read at the same time. `/metrics` is read every ten seconds. At the end the first and the last third after a
warm-up are compared; growth of the store is given per match.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time
import urllib.error
from collections import Counter
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from benchmarks.manager_process import ask, manager_process

PLAYERS = 20
GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("goofspiel", {"n": "5"}),
    ("kuhn_poker", {}),
    ("phantom_tic_tac_toe", {}),
)
PLAY_CLOCK_MS, THINK_S = 1000, 0.9
SAMPLE_S = 10.0
GAUGES = ("resident_bytes", "open_files", "tasks", "store_waiting", "matches_running", "deadline_lateness_p99_seconds")


class Soak:
    """The players and their counts."""

    def __init__(self, url: str, options: argparse.Namespace) -> None:
        self.url = url
        self.base = url.replace("ws:", "http:").removesuffix("/play")
        self.counts: Counter[str] = Counter()
        self._options = options
        self._rng = random.Random(options.seed)
        self._names: dict[int, str] = {}
        self._half_over: set[str] = set()
        """Matches whose end was reported to one of the players."""
        self._answers: set[asyncio.Task[None]] = set()
        """Keeps the tasks alive until they are done."""
        self.wanted = asyncio.Semaphore(options.matches)
        """Slots for matches; a slot is released when its match is over."""

    async def play(self, number: int) -> None:
        """Play for ever, reconnecting after each lost connection."""
        token = None
        while True:
            hello = {"type": "hello", "name": f"soak {number}", **({"token": token} if token else {})}
            with contextlib.suppress(ConnectionClosed):
                async with connect(self.url, compression=None) as socket:
                    await socket.send(json.dumps(hello))
                    welcome = json.loads(await socket.recv())
                    token, self._names[number] = welcome["token"], welcome["name"]
                    await self._play_on(socket)
            self.counts["connections broken"] += 1

    async def _play_on(self, socket: ClientConnection) -> None:
        async for frame in socket:
            message = json.loads(frame)
            match message["type"]:
                case "start":
                    await socket.send(json.dumps({"type": "ready", "match": message["match"]}))
                case "act":
                    asyncio.get_running_loop().call_later(self._rng.uniform(0, THINK_S), self._begin, socket, message)
                case "end" if message["match"] in self._half_over:
                    self._half_over.discard(message["match"])
                    self.counts["matches"] += 1
                    self.counts[f"matches {message['result']}"] += 1
                    self.wanted.release()
                case "end":
                    self._half_over.add(message["match"])

    def _begin(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._answer(socket, message))
        self._answers.add(task)
        task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._answers.discard(task)
        if not task.cancelled() and isinstance(task.exception(), ConnectionClosed):
            self.counts["answers too late for their connection"] += 1

    async def _answer(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        chance = self._rng.random()
        if chance < 0.02:
            return  # let the clock run out
        if chance < 0.0205:
            await socket.close()
            return
        action = "no such action" if chance < 0.03 else self._rng.choice(message["legal"])
        move = {"type": "move", "match": message["match"], "step": message["step"], "action": action}
        await socket.send(json.dumps(move) if chance > 0.031 else '{"type": "move", "match": 7}')

    async def order(self) -> None:
        """Order matches, as many at once as there are slots."""
        while True:
            await self.wanted.acquire()
            pair = self._rng.sample(sorted(self._names), 2)
            game, parameters = self._rng.choice(GAMES)
            body = {
                "game": game,
                "parameters": parameters,
                "players": [self._names[number] for number in pair],
                "start_clock_ms": 2000,
                "play_clock_ms": PLAY_CLOCK_MS,
                "hide_times": False,
            }
            try:
                await asyncio.to_thread(ask, self.base, "/matches", body)
            except urllib.error.HTTPError as error:
                self.counts[f"orders refused: {error.code}"] += 1  # a player had just gone
                self.wanted.release()
                await asyncio.sleep(0.01)

    async def look(self) -> None:
        """Read pages and lists as visitors do."""
        while True:
            with contextlib.suppress(urllib.error.HTTPError):
                listed = json.loads(await asyncio.to_thread(ask, self.base, "/matches?limit=50"))
                for path in ("/health", "/players", "/view", "/openapi.json"):
                    await asyncio.to_thread(ask, self.base, path)
                over = [match["match"] for match in listed if match["journal"]]
                if over:
                    await asyncio.to_thread(ask, self.base, f"/matches/{over[-1]}/journal")
                    await asyncio.to_thread(ask, self.base, f"/matches/{over[-1]}/feed")
            self.counts["looks"] += 1
            await asyncio.sleep(1)

    async def sample(self) -> dict[str, float]:
        """Return the manager's metrics."""
        text = (await asyncio.to_thread(ask, self.base, "/metrics")).decode()
        values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {name: float(values.get(f"ggp_{name}", "nan")) for name in GAUGES}


async def measure(url: str, store: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Let the players play, and sample."""
    soak = Soak(url, options)
    tasks = [asyncio.create_task(soak.play(number)) for number in range(PLAYERS)]
    await asyncio.sleep(1)
    tasks += [asyncio.create_task(task) for task in (soak.order(), soak.order(), soak.look())]
    end = time.monotonic() + 60 * options.minutes
    samples: list[dict[str, float]] = []
    while time.monotonic() < end:
        await asyncio.sleep(min(SAMPLE_S, max(0.1, end - time.monotonic())))
        size = sum(path.stat().st_size for path in store.parent.glob(store.name + "*"))
        samples.append({**await soak.sample(), "matches": soak.counts["matches"], "store_bytes": size})
        print(json.dumps(samples[-1]), file=sys.stderr)
        failed = [task for task in tasks if task.done()]
        for task in failed:
            task.result()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return summary(samples, soak.counts)


def summary(samples: list[dict[str, float]], counts: Counter[str]) -> dict[str, Any]:
    """Compare the first and the last third of the samples after a fifth of warming up."""
    steady = samples[len(samples) // 5 :]
    third = max(1, len(steady) // 3)
    early, late = steady[:third], steady[-third:]

    def means(name: str) -> list[float]:
        return [round(statistics.mean(sample[name] for sample in part), 3) for part in (early, late)]

    played = steady[-1]["matches"] - steady[0]["matches"]
    return {
        "seconds": round(SAMPLE_S * len(samples)),
        **{name: means(name) for name in GAUGES},
        "resident_bytes_per_match": round(
            (means("resident_bytes")[1] - means("resident_bytes")[0]) / max(1, played * 2 / 3), 1
        ),
        "store_bytes_per_match": round((steady[-1]["store_bytes"] - steady[0]["store_bytes"]) / max(1, played)),
        "counts": dict(counts),
    }


def main() -> None:
    """Run the benchmark and print what it measured as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        with manager_process(store) as (url, _):
            result = asyncio.run(measure(url, store, options))
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
