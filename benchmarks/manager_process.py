"""A manager in a separate process, for the duration of a benchmark."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path


@contextlib.contextmanager
def manager_process(store: Path, *options: str, prefix: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
    """Run `ggp serve` on a free port.

    Args:
        store: the manager's file.
        options: further options of `ggp serve`.
        prefix: a command that runs the command.

    Yields:
        The address for players, and the number of the process.
    """
    command = [*prefix, sys.executable, "-m", "ggp", "serve", "--json", "--port", "0", "--store", str(store), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as manager:
        assert manager.stdout is not None
        try:
            yield json.loads(manager.stdout.readline())["url"], manager.pid
        finally:
            manager.terminate()
            manager.wait(30)
