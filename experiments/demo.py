"""The demonstration: a game manager, four players in separate processes, a round robin of Tron.

`make demo` runs it. It ends within three minutes, even if kernels have to be compiled first.
"""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from experiments.hosted_tournament import GGP, HostedTournament, ProcessEnded, hosted_tournament, running
from players.agents.registry import read_player
from players.agents.warmup import warm_up

PLAYERS = (("random", "random"), ("duct-mix", "duct:final=mix"), ("rm", "rm"), ("rm-half", "rm:think=0.5"))
"""Name and specification of each player; `rm-half` thinks for only half its clock."""
ROUNDS = 8
GAME = {"width": 9, "height": 7}
CLOCKS_S = (10.0, 0.1)
"""Start clock and play clock, in seconds."""


def main() -> int:
    """Run the demonstration; return the exit status."""
    console = Console(stderr=True)
    folder = Path("results") / time.strftime("demo-%Y%m%d-%H%M%S")
    folder.mkdir(parents=True)
    _warm_up(console)
    try:
        with ExitStack() as stack:
            host = stack.enter_context(
                hosted_tournament(folder / "store.sqlite", "tron", GAME, len(PLAYERS), ROUNDS, CLOCKS_S)
            )
            url = host.url
            watch = url.replace("ws://", "http://").removesuffix("/play") + "/view"
            console.print(f"the game manager listens at {url}; watch the matches at {watch}", highlight=False)
            for name, player in PLAYERS:
                stack.enter_context(running([*GGP, "join", url, player, "--name", name], folder / f"{name}.log"))
            console.print(
                f"{len(PLAYERS)} players join: a round robin of Tron on 9 by 7 cells, {CLOCKS_S[0]:g} s start clock, "
                f"{CLOCKS_S[1]:g} s play clock",
                highlight=False,
            )
            return _finish(host)
    except ProcessEnded as error:
        console.print(f"demo: {error}", style="red", markup=False)
        return 1
    except KeyboardInterrupt:
        console.print("demo: stopped", markup=False)
        return 130


def _warm_up(console: Console) -> None:
    """Compile the players' kernels, which happens once on each machine, with a progress bar."""
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("preparing", total=None)

        def show(done: int, parts: int, part: str) -> None:
            what = f"compiling {part} (once on this machine)" if part else "ready"
            bar.update(task, completed=done, total=parts, description=what)

        warm_up([read_player(player) for _, player in PLAYERS], show)


def _finish(host: HostedTournament) -> int:
    """Wait for the tournament's end and print its table."""
    import msgspec

    from ggp.cli.tournament_display import print_table
    from ggp.competition.standings import Standing

    results = host.results()
    print_table(msgspec.convert(results["table"], list[Standing]))
    print(f"results and journals of all matches: {results['store']}")
    print(f"  ggp replay {results['store']} --match ID --verify     replays and verifies one")
    return host.process.wait()


if __name__ == "__main__":
    sys.exit(main())
