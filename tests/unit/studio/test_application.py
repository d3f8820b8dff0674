"""The web application of the studio: its API, whom it serves, and a game over the websocket."""

from __future__ import annotations

import base64
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

import ggp
from ggp.language.library import library_names
from players.agents.registry import PLAYERS
from players.agents.requirements import visibility
from server.web.pages import HEADERS
from studio import analysis
from studio.catalogue import described, described_text
from tests.support.studio_server import studio


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with studio() as address:
        yield address


@pytest.fixture(scope="module")
def client(host: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://{host}") as made:
        yield made


def test_games_and_pictures(client: httpx.Client) -> None:
    games = {game["name"]: game for game in client.get("/api/games").json()}
    assert games["goofspiel"]["tags"] == ["2 players", "simultaneous moves", "chance"]
    assert "chance" in described_text("players a, b\nphase deal\n    chance deals c in 1..6\n")["tags"]
    assert "Nim" not in games
    assert "text" not in games["chess"]
    assert client.get("/api/game", params={"name": "nim"}).json()["text"].startswith("#")
    picture = client.get("/api/picture", params={"name": "nim"})
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")


@pytest.mark.sweep
@pytest.mark.parametrize("name", library_names())
def test_tags_say_of_games_what_their_rules_are(name: str) -> None:
    tags, game = described(name)["tags"], ggp.load(name)
    assert ("simultaneous moves" in tags) == game.simultaneous
    assert ("hidden information" in tags) == (not game.perfect_information)


def test_tags_know_choices_and_what_is_told_wherever_they_may_stand() -> None:
    rules = "players a, b\nphase one\n    a chooses x in 1..2\n{}\n    b chooses y in 1..2\n    {}sees {}: x\n"
    assert described_text(rules.format("", "", "all"))["tags"] == ["2 players", "simultaneous moves"]
    assert described_text(rules.format("phase two", "", "all"))["tags"] == ["2 players"]
    assert described_text(rules.format("phase two", "on go: ", "b"))["tags"] == ["2 players", "hidden information"]


@pytest.mark.usefixtures("built_pages")
def test_a_game_is_downloaded_as_one_page(client: httpx.Client) -> None:
    page = client.get("/api/page", params={"name": "nim", "p.heaps": "3"}, timeout=60)
    assert page.headers["content-disposition"] == 'attachment; filename="nim.html"'
    assert "<script>" in page.text
    packed = page.text.split('id="packed">')[1].partition("<")[0]
    assert json.loads(gzip.decompress(base64.b64decode(packed)))["facts"]["parameters"]["heaps"] == "3"
    assert client.get("/api/page", params={"name": "nim", "p.heaps": "nine"}, timeout=60).status_code == 422
    assert client.get("/api/page", params={"name": "/etc/passwd"}).status_code == 404


def test_only_games_of_the_library_rules_and_named_files_are_read(client: httpx.Client, tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text('game own "Own"\nplayers a\n\nphase p\n    a chooses x in 1..2\n    next end\n\npayoff[p] = 0\n')
    for name in (str(file), "../rules/nim", "/etc/passwd"):
        assert client.get("/api/game", params={"name": name}).status_code == 404
    with studio((str(file),)) as host:
        answer = httpx.get(f"http://{host}/api/game", params={"name": str(file)})
    assert answer.json()["title"] == "Own"
    other = file.rename(tmp_path / "other.rules")
    assert client.get("/api/game", params={"name": str(other)}).json()["title"] == "Own"


def test_other_hosts_and_origins_are_refused(client: httpx.Client, host: str) -> None:
    assert client.get("/api/games", headers={"host": "games.example"}).status_code == 421
    assert client.get("/api/games", headers={"origin": "https://games.example"}).status_code == 403
    assert client.get("/api/games", headers={"origin": f"http://{host}"}).status_code == 200
    with pytest.raises(InvalidStatus), connect(f"ws://{host}/api/play", origin="http://evil"):  # type: ignore[arg-type]
        pass


def test_pages_have_a_strict_policy(client: httpx.Client) -> None:
    page = client.get("/play")
    assert page.headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert client.get("/static/nothing.js").status_code == 404


def send(socket: ClientConnection, **message: Any) -> None:
    socket.send(json.dumps(message))


def views(socket: ClientConnection) -> dict[str, Any]:
    """Return the next position in which a person is to act."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=60))
        assert message["type"] != "problem", message
        if message["type"] == "view" and (message["turn"] is not None or message["over"]):
            return message


def test_a_game_against_a_bot_over_the_websocket(host: str) -> None:
    with connect(f"ws://{host}/api/play") as socket:
        send(socket, type="start", game="tic_tac_toe", against="random", seed=3)
        view = views(socket)
        assert view["legal"][0] == {"text": "a1", "parts": [["at", "cell", "a1"]]}
        while not view["over"]:
            send(socket, type="play", role=0, action=view["legal"][0]["text"])
            view = views(socket)
        length = view["length"]
        send(socket, type="look", at=1)
        assert json.loads(socket.recv())["at"] == 1
        send(socket, type="back", to=0)
        assert views(socket)["length"] == 0 < length


def test_the_board_is_shown_before_a_game_is_compiled_for_the_first_time(host: str, tmp_path: Path) -> None:
    file = tmp_path / "own.rules"
    steps = random.SystemRandom().randrange(10**9)  # no cache has it
    file.write_text(
        f'game own "Own"\nplayers a\n\nstate\n    left: 0..{steps} = {steps}\n\n'
        "phase q\n    a chooses x in 1..2\n    left := 0\n    next end\n\npayoff[p] = left\n"
    )
    with connect(f"ws://{host}/api/play") as socket:
        for expected in ([True, None], [None]):
            send(socket, type="start", game=str(file))
            found = []
            while not found or found[-1]:
                message = json.loads(socket.recv(timeout=60))
                assert message["type"] != "problem", message
                if message["type"] == "view":
                    found.append(message.get("compiling"))
                    assert message["scene"]["entries"]
            assert found == expected


def test_a_game_begins_before_it_is_known_who_else_can_play_it(host: str) -> None:
    with connect(f"ws://{host}/api/play") as socket:
        small = {"map": "streets", "moves": "2"}
        send(socket, type="start", game="visibility_pursuit", parameters=small, against="random")
        found: list[dict[str, Any]] = []
        while not found or found[-1]["type"] != "choices":  # sight takes long to work out
            found.append(json.loads(socket.recv(timeout=60)))
        assert any(message["type"] == "view" and message["turn"] is not None for message in found)
        begun = [message for message in found if message["type"] == "begun"][-1]
        late = {name for name, kind in PLAYERS.items() if visibility in kind.requirements}
        assert set(found[-1]["choices"]) - set(begun["choices"]) == late != set()


def test_a_long_record_comes_in_parts(host: str) -> None:
    with connect(f"ws://{host}/api/play") as socket:
        record = ["cross: a1", "nought: b1"]
        text = json.dumps({"type": "start", "game": "tic_tac_toe", "against": "random", "record": record})
        socket.send("+" + text[:40])
        socket.send("+" + text[40:90])
        socket.send(text[90:])
        assert views(socket)["length"] == 2


def advice(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=60))
        assert message["type"] != "problem", message
        if message["type"] == kind:
            return message


def test_analysis_tells_exact_values_and_the_mistake(host: str) -> None:
    with connect(f"ws://{host}/api/play") as socket:
        record = ["cross: a1", "nought: b1", "cross: a2"]  # beside the corner is the mistake
        send(socket, type="start", game="tic_tac_toe", seats={"cross": "me", "nought": "me"}, record=record)
        views(socket)
        send(socket, type="analyse", at=1)
        found = advice(socket, "advice")
        assert found["iterations"] is None  # solved
        worth = dict(zip(found["actions"], found["utilities"], strict=True))
        assert {action for action, value in worth.items() if value == 0} == {"b2"}  # the middle alone draws
        send(socket, type="curve")
        curve = [advice(socket, "worth") for _ in range(4)]
        assert [one["values"][0] for one in curve] == [0, 0, 1, 1]
        assert [one["best"] for one in curve] == [None, "b2", None, None]
        assert advice(socket, "drawn")


def test_what_is_hidden_is_not_analysed_before_the_end(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "SEARCH_S", 1.0)
    with connect(f"ws://{host}/api/play") as socket:
        send(socket, type="start", game="kuhn_poker", against="random", seed=1)
        at = views(socket)["at"]
        send(socket, type="curve")
        assert json.loads(socket.recv(timeout=60))["type"] == "problem"
        send(socket, type="analyse", at=at)
        found = advice(socket, "advice")
        assert found["values"] is None
        assert sum(found["shares"]) == pytest.approx(1)


def test_after_the_end_a_hidden_game_is_seen_and_analysed_through_anybodys_eyes(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "SEARCH_S", 1.0)
    with connect(f"ws://{host}/api/play") as socket:
        record = ["chance: 3 1", "first: pass", "second: bet", "first: pass"]  # with the best card it gave in
        send(socket, type="start", game="kuhn_poker", against="random", record=record)
        assert views(socket)["eyes"] is None
        send(socket, type="look", at=2, role=1)
        seen = json.loads(socket.recv())
        assert (seen["eyes"], seen["told"]) == (1, ["you saw 1", "you saw move: pass"])
        assert seen["finished"]
        assert seen["over"] is None
        send(socket, type="analyse", at=3, role=0)
        found = advice(socket, "advice")
        worth = dict(zip(found["actions"], found["utilities"], strict=True))
        assert worth["bet"] > 1.5  # it cannot lose
        assert worth["pass"] == -1
        send(socket, type="curve")
        mistake = advice(socket, "mistake")
        assert (mistake["at"], mistake["best"]) == (3, "bet")
        assert mistake["loss"] > 2.5
        assert advice(socket, "drawn")


@pytest.mark.parametrize("game", ["tic_tac_toe", "goofspiel", "kuhn_poker", "pig", "matching_pennies", "oshi_zumo"])
def test_moves_that_are_answered_at_once_lose_nothing(host: str, game: str) -> None:
    """A move arrives while the session still sends the position, draws, or asks the bot."""
    with connect(f"ws://{host}/api/play") as socket:
        for seed in range(3):
            rng = random.Random(seed)
            send(socket, type="start", game=game, against="random", seed=seed)
            view = views(socket)
            while not view["over"]:
                before = view["length"]
                send(socket, type="play", role=0, action=rng.choice(view["legal"])["text"])
                while view["length"] == before:
                    view = views(socket)


@pytest.mark.parametrize(
    "message",
    [
        "no json",
        '{"type": "play", "role": 0, "action": "a1"}',
        '{"type": "start", "game": "../chess"}',
        '{"type": "start", "game": "chess", "against": "nobody"}',
        '{"type": "start", "game": "chess", "parameters": {"size": "3"}}',
        '{"type": "back", "to": 3}',
    ],
)
def test_bad_requests_are_answered(host: str, message: str) -> None:
    with connect(f"ws://{host}/api/play") as socket:
        socket.send(message)
        assert json.loads(socket.recv())["type"] == "problem"
