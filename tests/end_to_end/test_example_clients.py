"""The clients of `docs/examples` on a real manager.

Without node 20 or later, java 17 or later, or rustc, the tests of that client are skipped.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import time
from pathlib import Path
from socket import SHUT_RDWR
from threading import Thread

import httpx
import pytest
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

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


NODE, JAVA, RUSTC = node_command(), shutil.which("java"), shutil.which("rustc")
LANGUAGES = [
    "python",
    pytest.param("javascript", marks=pytest.mark.skipif(NODE is None, reason="no node of version 20 or later")),
    pytest.param("java", marks=pytest.mark.skipif(JAVA is None, reason="no java")),
    pytest.param("rust", marks=pytest.mark.skipif(RUSTC is None, reason="no rustc")),
]


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


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return how the client of each language that is here is called."""
    found = {"python": [sys.executable, str(EXAMPLES / "first_player.py")]}
    if NODE is not None:
        found["javascript"] = [*NODE, str(EXAMPLES / "client.mjs")]
    if JAVA is not None:
        found["java"] = [JAVA, str(EXAMPLES / "Client.java")]
    if RUSTC is not None:
        program = str(tmp_path_factory.mktemp("rust") / "client")
        command = [RUSTC, "-D", "warnings", "-o", program, str(EXAMPLES / "client.rs")]
        subprocess.run(command, check=True, capture_output=True)
        found["rust"] = [program]
    return found


@pytest.fixture(scope="module")
def said(clients: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Play a small tournament of all clients and `random` on a later manager; return what each client says."""
    store = tmp_path_factory.mktemp("clients") / "store.sqlite"
    outputs = {}
    with contextlib.ExitStack() as stack:
        host = later_manager(stack, store, *goofspiel(len(clients) + 1))
        stack.enter_context(process("join", host.url, "random", "--name", "r"))
        running = {
            language: stack.enter_context(running_command(*command, host.url, f"the {language} one"))
            for language, command in clients.items()
        }
        host.results()
        for language, client in running.items():
            outputs[language], errors = client.communicate(timeout=PATIENCE_S)
            assert (client.returncode, errors) == (0, ""), language
    results = [("finished", (0, 0))] * len(clients) * (len(clients) + 1)
    assert [(row.state, row.errors) for row in stored_matches(store)] == results
    assert_verified(store)
    return outputs


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_client_plays_a_tournament_and_checks_its_seeds(
    language: str, clients: dict[str, list[str]], said: dict[str, str]
) -> None:
    output, matches = said[language], 2 * len(clients)
    name = "" if language == "python" else f"the {language} one: "
    assert output.endswith(f"{name}the tournament is over\n")
    told = {"python": ("a match of goofspiel as", "finished: {'row':"), "rust": (": finished",)}
    for text in told.get(language, ("the seed is the one announced",)):
        assert output.count(text) == matches, text


@pytest.mark.long
def test_clients_take_part_in_a_competition_and_come_back(clients: dict[str, list[str]], tmp_path: Path) -> None:
    """Of a host who accepts each player, which is the default."""
    with contextlib.ExitStack() as stack:
        host = later_manager(stack, tmp_path / "default.sqlite")
        base = host.url.replace("ws:", "http:").removesuffix("/play")
        web = stack.enter_context(httpx.Client(base_url=base, headers={"content-type": "application/json"}))

        def join_all(here: contextlib.ExitStack) -> set[str]:
            """Let all clients join, with the tokens that they may have; return the names of those who are there."""
            for language, command in clients.items():
                words = [host.url, f"the {language} one", "Spring", str(tmp_path / f"token of {language}")]
                here.enter_context(running_command(*command, *words))
            wait_until(lambda: len(web.get("/players").json()) == len(clients))
            return {one["name"] for one in web.get("/players").json()}

        made = web.post("/competitions", json={"name": "Spring", "games": [{"game": "tic_tac_toe"}]})
        assert made.status_code == 201, made.text
        with contextlib.ExitStack() as here:
            names = join_all(here)
            wait_until(lambda: len(web.get("/competitions/Spring/entrants").json()) == len(clients))
            for name in names:
                web.post(f"/competitions/Spring/entrants/{name}/approve").raise_for_status()
            web.post("/competitions/Spring/start").raise_for_status()
            wait_until(lambda: web.get("/competitions/Spring").json()["state"] == "finished")
        wait_until(lambda: not web.get("/players").json())
        with contextlib.ExitStack() as here:
            assert join_all(here) == names
    rows = stored_matches(tmp_path / "default.sqlite")
    assert [(row.state, row.errors) for row in rows] == [("finished", (0, 0))] * len(clients) * (len(clients) - 1)


PATIENT = {
    "javascript": ("client.mjs", "60_000"),
    "java": ("Client.java", "60_000"),
    "rust": ("client.rs", "from_secs(60)"),
}
"""The file of each client that has a patience of its own, and where it says how much."""


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_patience_begins_when_the_connection_is_lost(
    language: str, clients: dict[str, list[str]], tmp_path: Path
) -> None:
    """A connection that lasted longer than the patience does not use it up; one that fails at once ends nothing."""
    name, patience = PATIENT[language]
    text = (EXAMPLES / name).read_text()
    assert patience in text
    shorter = tmp_path / name
    shorter.write_text(text.replace(patience, "from_secs(2)" if language == "rust" else "2_000"))
    command = [*clients[language][:-1], str(shorter)]
    if language == "rust":
        command = [str(tmp_path / "client")]
        subprocess.run(["rustc", "-o", command[0], str(shorter)], check=True, capture_output=True)
    asked: list[str] = []
    welcomed: list[str] = []

    def second_fails(socket: ServerConnection, request: Request) -> None:
        asked.append(request.path)
        if len(asked) == 2:
            socket.socket.shutdown(SHUT_RDWR)

    def manager(socket: ServerConnection) -> None:
        socket.recv()
        welcomed.append(language)
        socket.send('{"type":"welcome","name":"a","token":"t","matches":[],"protocol":1,"server":"ggp"}')
        if len(welcomed) == 1:
            time.sleep(3)
            socket.socket.shutdown(SHUT_RDWR)  # as a manager that is killed
        else:
            socket.close(1000, "good-bye")

    with serve(manager, "localhost", 0, process_request=second_fails) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        port = server.socket.getsockname()[1]
        with running_command(*command, f"ws://localhost:{port}/play", "a") as client:
            output, errors = client.communicate(timeout=PATIENCE_S)
        server.shutdown()
    assert (client.returncode, len(asked), len(welcomed)) == (0, 3, 2), (output, errors)


@pytest.mark.long
@pytest.mark.parametrize("language", [LANGUAGES[0], *LANGUAGES[2:]])  # JavaScript is not told
def test_a_client_says_why_it_is_refused_for_good(language: str, clients: dict[str, list[str]]) -> None:
    def refuse(connection: ServerConnection, _: Request) -> Response:
        return connection.respond(421, "this is not `localhost`")

    with serve(lambda _: None, "localhost", 0, process_request=refuse) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"ws://localhost:{server.socket.getsockname()[1]}/play"
        with running_command(*clients[language], url, "a") as client:
            _, errors = client.communicate(timeout=PATIENCE_S)
        server.shutdown()
    assert "this is not `localhost`" in errors
    assert client.returncode == 1
