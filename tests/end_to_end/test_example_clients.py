"""The clients of `docs/examples` on a real manager.

Without node 20 or later, java 17 or later, or rustc, the test of that client is skipped.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.processes import (
    PATIENCE_S,
    ManagerProcess,
    assert_verified,
    goofspiel,
    process,
    running_command,
    stored_matches,
)

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"


def node_command() -> list[str] | None:
    """Return how to call a node that has WebSocket; None without one."""
    node = shutil.which("node")
    if node is None:
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    major = int(version.removeprefix("v").partition(".")[0])
    if major < 20:
        return None
    return [node] if major >= 22 else [node, "--experimental-websocket", "--no-warnings"]


NODE = node_command()


LATER = """
import json
from server.network.connection import Connection
send = Connection.send_text
def send_more(self, frame):
    message = json.loads(frame)
    if message["type"] != "welcome":
        send(self, json.dumps({"type": "weather", "match": message.get("match"), "wind": [3]}))
    for key, word in (("state", "promoted"), ("replaced", "windy")):
        if message.get(key) is not None:
            message[key] = word
    send(self, json.dumps(message | {"later": {"wind": 3}}))
Connection.send_text = send_more
from ggp.cli.main import main
main()
"""
"""`ggp serve` of a later version, with messages, fields and words that no client knows."""


def play(store: Path, command: list[str]) -> str:
    """Play a small tournament of a client against `random` on a later manager; return what the client says."""
    serve = ("serve", "--json", "--port", "0", "--store", str(store), *goofspiel(2))
    with contextlib.ExitStack() as stack:
        host = ManagerProcess(stack.enter_context(running_command(sys.executable, "-c", LATER, *serve)))
        stack.enter_context(process("join", host.url, "random", "--name", "r"))
        filled = [host.url if part == "URL" else part for part in command]
        client = subprocess.Popen(filled, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        try:
            host.results()
            output, errors = client.communicate(timeout=PATIENCE_S)
        finally:
            client.kill()
            client.wait()
    assert (client.returncode, errors) == (0, "")
    assert [(row.state, row.errors) for row in stored_matches(store)] == [("finished", (0, 0))] * 2
    assert_verified(store)
    return output


def test_the_first_player(tmp_path: Path) -> None:
    output = play(tmp_path / "store.sqlite", [sys.executable, str(EXAMPLES / "first_player.py"), "URL"])
    assert output.count("a match of goofspiel as") == 2
    assert output.count("finished: {'row':") == 2
    assert output.endswith("the tournament is over\n")


JAVA = shutil.which("java")
RUSTC = shutil.which("rustc")


@pytest.mark.skipif(NODE is None, reason="no node of version 20 or later")
def test_the_client_in_javascript(tmp_path: Path) -> None:
    assert NODE is not None
    output = play(tmp_path / "store.sqlite", [*NODE, str(EXAMPLES / "client.mjs"), "URL", "js"])
    assert output.count("the seed is the one announced") == 2
    assert output.endswith("js: the tournament is over\n")


@pytest.mark.skipif(JAVA is None, reason="no java")
def test_the_client_in_java(tmp_path: Path) -> None:
    assert JAVA is not None
    output = play(tmp_path / "store.sqlite", [JAVA, str(EXAMPLES / "Client.java"), "URL", "jdk"])
    assert output.count("the seed is the one announced") == 2
    assert output.endswith("jdk: the tournament is over\n")


@pytest.mark.skipif(RUSTC is None, reason="no rustc")
def test_the_client_in_rust(tmp_path: Path) -> None:
    assert RUSTC is not None
    program = tmp_path / "client"
    subprocess.run([RUSTC, "-D", "warnings", "-o", program, EXAMPLES / "client.rs"], check=True, capture_output=True)
    output = play(tmp_path / "store.sqlite", [str(program), "URL", "rust"])
    assert output.count(": finished") == 2
    assert output.endswith("rust: the tournament is over\n")
