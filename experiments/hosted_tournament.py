"""A game manager and players in separate processes, for the demonstration and for experiments over the network."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp.errors import GgpError

GGP = (sys.executable, "-m", "ggp")
PATIENCE_S = 20.0


class ProcessEnded(GgpError):
    """A process ended too early."""


@dataclass(frozen=True, slots=True)
class HostedTournament:
    """A manager whose address is known.

    Attributes:
        process: the manager.
        url: where players join.
        store: its file.
    """

    process: subprocess.Popen[str]
    url: str
    store: Path

    def results(self) -> dict[str, Any]:
        """Wait for the end of the tournament and return the output of `ggp serve --json`.

        Raises:
            ProcessEnded: the manager ended without results.
        """
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise ProcessEnded(f"the tournament did not end; see {self.store.parent}")
        results: dict[str, Any] = json.loads(line)
        return results


@contextmanager
def hosted_tournament(
    store: Path,
    game: str,
    parameters: Mapping[str, object],
    players: int,
    rounds: int,
    clocks_s: tuple[float, float],
    seed: str | None = None,
) -> Iterator[HostedTournament]:
    """Host a round robin, with the same chance for matches that differ in seats only; progress is shown on the
    terminal.

    Args:
        store: the manager's file.
        game: as for `ggp serve --tournament`.
        parameters: of the game.
        players: number of players; the tournament begins when they have joined.
        rounds: how often they meet in each order of seats.
        clocks_s: start clock and play clock, in seconds.
        seed: of all chance; drawn where None.

    Raises:
        ProcessEnded: the manager did not start.
    """
    command = [
        *GGP, "serve", "--json", "--port", "0", "--store", str(store), "--tournament", game,
        "--players", str(players), "--rounds", str(rounds), "--common-chance",
        "--start-clock", str(clocks_s[0]), "--play-clock", str(clocks_s[1]),
    ]  # fmt: skip
    for name, value in parameters.items():
        command += ["--param", f"{name}={value}"]
    if seed is not None:
        command += ["--seed", seed]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise ProcessEnded("the game manager did not start")
            yield HostedTournament(process, str(json.loads(line)["url"]), store)
        finally:
            stop(process)


@contextmanager
def running(command: Sequence[str], log: Path) -> Iterator[None]:
    """Run a command until the context ends; its output goes to a file."""
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield
        finally:
            stop(process)


def stop(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """Wait briefly for a process to exit, then terminate it."""
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
