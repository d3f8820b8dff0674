"""The demonstration: a game manager, four players in separate processes, a round robin of Tron.

`make demo` runs it. It ends within three minutes, even if kernels have to be compiled first.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

GGP = (sys.executable, "-m", "ggp")
PLAYERS = (("random", "random"), ("duct-mix", "duct:final=mix"), ("rm", "rm"), ("rm-half", "rm:think=0.5"))
"""Name and specification of each player; `rm-half` thinks for only half its clock."""
TOURNAMENT = (
    *("--tournament", "tron", "--param", "width=9", "--param", "height=7", "--players", str(len(PLAYERS))),
    *("--rounds", "8", "--common-chance", "--start-clock", "10", "--play-clock", "0.1"),
)


def main() -> int:
    """Run the demonstration; return the exit status."""
    folder = Path("results") / time.strftime("demo-%Y%m%d-%H%M%S")
    folder.mkdir(parents=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    print(f"watch the matches at http://localhost:{port}/view", flush=True)
    players = []
    for name, player in PLAYERS:
        log = (folder / f"{name}.log").open("w")
        join = [*GGP, "join", f"localhost:{port}", player, "--name", name]
        players.append(subprocess.Popen(join, stdout=log, stderr=subprocess.STDOUT))
    try:
        return subprocess.call([*GGP, "serve", "--port", port, "--store", str(folder / "store.sqlite"), *TOURNAMENT])
    except KeyboardInterrupt:
        return 130
    finally:
        for process in players:
            process.terminate()


if __name__ == "__main__":
    sys.exit(main())
