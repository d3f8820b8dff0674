"""A manager in a separate process, for the duration of a benchmark."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any


def ask(base: str, path: str, body: Mapping[str, Any] | None = None, timeout_s: float = 30.0) -> bytes:
    """Return a manager's answer to a request over HTTP, a POST if it has a body."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(base + path, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=timeout_s) as answer:
        found: bytes = answer.read()
        return found


@contextlib.contextmanager
def manager_process(store: Path, *options: str, prefix: Sequence[str] = (), port: int = 0) -> Iterator[tuple[str, int]]:
    """Run `ggp serve`.

    Args:
        store: the manager's file.
        options: further options of `ggp serve`.
        prefix: a command that runs the command.
        port: 0 for any free port.

    Yields:
        The address for players, and the number of the process.
    """
    serve = ["serve", "--json", "--port", str(port), "--store", str(store)]
    command = [*prefix, sys.executable, "-m", "ggp", *serve, *options]
    # A token or a name of the host who runs this is not meant for it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GGP_A")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as manager:
        assert manager.stdout is not None
        try:
            yield json.loads(manager.stdout.readline())["url"], manager.pid
        finally:
            manager.terminate()
            manager.wait(30)
