"""The clients of `docs/examples` on a real manager.

Without node 20 or later, java 17 or later, or rustc, the test of that client is skipped.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.support.processes import (
    PATIENCE_S,
    ManagerProcess,
    assert_verified,
    goofspiel,
    process,
    running_command,
    stored_matches,
    wait_until,
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


def later_manager(stack: contextlib.ExitStack, store: Path, *options: str) -> ManagerProcess:
    serve = ("serve", "--json", "--port", "0", "--store", str(store), *options)
    return ManagerProcess(stack.enter_context(running_command(sys.executable, "-c", LATER, *serve)))


def play(folder: Path, command: list[str]) -> str:
    """Play a small tournament of a client against `random` on a later manager; return what the client says."""
    store = folder / "store.sqlite"
    with contextlib.ExitStack() as stack:
        host = later_manager(stack, store, *goofspiel(2))
        stack.enter_context(process("join", host.url, "random", "--name", "r"))
        client = stack.enter_context(running_command(*command, host.url, "tester"))
        host.results()
        output, errors = client.communicate(timeout=PATIENCE_S)
    assert (client.returncode, errors) == (0, "")
    assert [(row.state, row.errors) for row in stored_matches(store)] == [("finished", (0, 0))] * 2
    assert_verified(store)
    return output


def take_part(folder: Path, command: list[str]) -> None:
    """Take part in a competition of a host who accepts each player, which is the default, and come back."""
    with contextlib.ExitStack() as stack:
        host = later_manager(stack, folder / "default.sqlite")
        base = host.url.replace("ws:", "http:").removesuffix("/play")
        web = stack.enter_context(httpx.Client(base_url=base, headers={"content-type": "application/json"}))
        made = web.post("/competitions", json={"name": "Spring", "games": [{"game": "tic_tac_toe"}]})
        assert made.status_code == 201, made.text
        stack.enter_context(process("join", host.url, "random", "--name", "r", "--competition", "Spring"))
        here = [*command, host.url, "tester", "Spring", str(folder / "token")]
        with running_command(*here):
            wait_until(lambda: len(web.get("/competitions/Spring/entrants").json()) == 2)
            names = {one["name"] for one in web.get("/players").json()}
            for name in names:
                web.post(f"/competitions/Spring/entrants/{name}/approve").raise_for_status()
            web.post("/competitions/Spring/start").raise_for_status()
            wait_until(lambda: web.get("/competitions/Spring").json()["state"] == "finished")
        wait_until(lambda: len(web.get("/players").json()) == 1)
        with running_command(*here):
            wait_until(lambda: len(web.get("/players").json()) == 2)
            assert {one["name"] for one in web.get("/players").json()} == names
    rows = stored_matches(folder / "default.sqlite")
    assert [(row.state, row.errors) for row in rows] == [("finished", (0, 0))] * 2


def test_the_first_player(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "first_player.py")]
    output = play(tmp_path, command)
    assert output.count("a match of goofspiel as") == 2
    assert output.count("finished: {'row':") == 2
    assert output.endswith("the tournament is over\n")
    take_part(tmp_path, command)


JAVA = shutil.which("java")
RUSTC = shutil.which("rustc")


@pytest.mark.skipif(NODE is None, reason="no node of version 20 or later")
def test_the_client_in_javascript(tmp_path: Path) -> None:
    assert NODE is not None
    command = [*NODE, str(EXAMPLES / "client.mjs")]
    output = play(tmp_path, command)
    assert output.count("the seed is the one announced") == 2
    assert output.endswith("tester: the tournament is over\n")
    take_part(tmp_path, command)


@pytest.mark.skipif(JAVA is None, reason="no java")
def test_the_client_in_java(tmp_path: Path) -> None:
    assert JAVA is not None
    command = [JAVA, str(EXAMPLES / "Client.java")]
    output = play(tmp_path, command)
    assert output.count("the seed is the one announced") == 2
    assert output.endswith("tester: the tournament is over\n")
    take_part(tmp_path, command)


@pytest.mark.skipif(RUSTC is None, reason="no rustc")
def test_the_client_in_rust(tmp_path: Path) -> None:
    assert RUSTC is not None
    program = tmp_path / "client"
    subprocess.run([RUSTC, "-D", "warnings", "-o", program, EXAMPLES / "client.rs"], check=True, capture_output=True)
    output = play(tmp_path, [str(program)])
    assert output.count(": finished") == 2
    assert output.endswith("tester: the tournament is over\n")
    take_part(tmp_path, [str(program)])
