"""The demonstration: a game manager, four players in processes of their own, a round robin of goofspiel(13).

`make demo` runs it. It ends by itself within three minutes, also where kernels have to be compiled first.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from ggp.errors import GgpError
from players.registry import read_player
from players.warmup import warm_up

PLAYERS = (("random", "random"), ("duct-mix", "duct:final=mix"), ("rm", "rm"), ("rm-half", "rm:think=0.5"))
"""Name and specification of each player; `rm-half` thinks for half its clock only."""
ROUNDS = 8
START_CLOCK_S = 10.0
PLAY_CLOCK_S = 0.1
GGP = (sys.executable, "-m", "ggp")
PATIENCE_S = 20.0


class DemoFailed(GgpError):
    """A process of the demonstration ended before its time."""


def main() -> int:
    """Run the demonstration; return the exit status."""
    console = Console(stderr=True)
    folder = Path("results") / time.strftime("demo-%Y%m%d-%H%M%S")
    folder.mkdir(parents=True)
    _warm_up(console)
    try:
        with ExitStack() as stack:
            manager = stack.enter_context(_manager(folder))
            url = _address(manager)
            console.print(f"the game manager listens at {url}", highlight=False)
            for name, player in PLAYERS:
                stack.enter_context(_process([*GGP, "join", url, player, "--name", name], folder / f"{name}.log"))
            console.print(
                f"{len(PLAYERS)} players join: a round robin of goofspiel(13), {START_CLOCK_S:g} s start clock, "
                f"{PLAY_CLOCK_S:g} s play clock",
                highlight=False,
            )
            return _finish(manager, folder)
    except DemoFailed as error:
        console.print(f"demo: {error}", style="red", markup=False)
        return 1
    except KeyboardInterrupt:
        console.print("demo: stopped", markup=False)
        return 130


def _warm_up(console: Console) -> None:
    """Compile the players' kernels, which happens once a machine, where it can be seen."""
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("getting ready", total=None)

        def show(done: int, parts: int, part: str) -> None:
            what = f"compiling {part} (once on this machine)" if part else "ready"
            bar.update(task, completed=done, total=parts, description=what)

        warm_up([read_player(player) for _, player in PLAYERS], show)


@contextmanager
def _manager(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start the manager; its progress goes to the terminal, what it prints at the end is read."""
    command = [
        *GGP, "serve", "--json", "--port", "0", "--store", str(folder / "store.sqlite"), "--tournament", "goofspiel",
        "--param", "n=13", "--param", "winner=point_difference", "--players", str(len(PLAYERS)),
        "--rounds", str(ROUNDS), "--common-chance",
        "--start-clock", str(START_CLOCK_S), "--play-clock", str(PLAY_CLOCK_S),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        _stop(process)


@contextmanager
def _process(command: Sequence[str], log: Path) -> Iterator[None]:
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=2)
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(manager: subprocess.Popen[str]) -> str:
    assert manager.stdout is not None
    line = manager.stdout.readline()
    if not line:
        raise DemoFailed("the game manager did not start")
    return str(json.loads(line)["url"])


def _finish(manager: subprocess.Popen[str], folder: Path) -> int:
    """Wait for the tournament's end and print its table."""
    import msgspec

    from ggp.cli.tournament_display import print_table
    from server.cross_table import TableRow

    assert manager.stdout is not None
    line = manager.stdout.readline()
    if not line:
        raise DemoFailed(f"the tournament did not end; see {folder}")
    results = json.loads(line)
    print_table(msgspec.convert(results["table"], list[TableRow]))
    print(f"results and journals of all matches: {results['store']}")
    print(f"  ggp replay {results['store']} --match ID --verify     plays one again and checks it")
    return manager.wait()


if __name__ == "__main__":
    sys.exit(main())
