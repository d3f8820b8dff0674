"""Seats for somebody with a link: several windows at one table, each told what its seat is told alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from ggp.language import load_rules
from ggp.rules_compiler.loading import game_from_source
from studio.table import Table
from tests.support.studio_server import studio

Message = dict[str, Any]


@pytest.fixture(scope="module")
def studios() -> Iterator[str]:
    with studio() as address:
        yield address


@pytest.fixture
def host(studios: str) -> str:
    return f"{studios}/api/play"


@pytest.fixture(params=["play", "draft"])
def either(studios: str, request: pytest.FixtureRequest) -> str:
    """The address of games of files, then that of games which run in processes of their own."""
    return f"{studios}/api/{request.param}"


class Window:
    """A client, and all that it was sent."""

    def __init__(self, address: str, **first: Any) -> None:
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(connect(f"ws://{address}"))
        self.sent: list[Message] = []
        self.send(**first)
        self.begun = self.next("begun")

    def close(self) -> None:
        self._open.close()

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self, kind: str) -> Message:
        """Return the next message of a kind; a problem is none that is waited for by accident."""
        while True:
            message: Message = json.loads(self.socket.recv(timeout=60))
            self.sent.append(message)
            assert kind == "problem" or message["type"] != "problem", message
            if message["type"] == kind:
                return message

    def latest(self) -> Message | None:
        """Return the last view that has arrived, None if there is none."""
        seen = len(self.sent)
        with suppress(TimeoutError):
            while True:
                self.sent.append(json.loads(self.socket.recv(timeout=0.01)))
                assert self.sent[-1]["type"] != "problem", self.sent[-1]
        views = [message for message in self.sent[seen:] if message["type"] == "view"]
        return views[-1] if views else None

    def view(self, length: int) -> Message:
        """Return the first view of a game that has come this far."""
        while (view := self.next("view"))["length"] != length:
            pass
        return view

    def links(self) -> dict[str, str]:
        return {seat["name"]: seat["link"] for seat in self.begun["seats"] if "link" in seat}


def opened(address: str, game: str, **more: Any) -> list[Window]:
    """Return windows of all roles of a game: of the host, who plays the first, and of those who come by links."""
    first = Window(address, type="start", game=game, against="link", **more)
    return [first, *(Window(address, type="join", table=link) for link in first.links().values())]


def play_out(windows: list[Window], seed: int) -> list[Message]:
    """Play at random, each role in its window; return the last view of each."""
    rng = random.Random(seed)
    last: list[Message | None] = [None] * len(windows)
    played = [-1] * len(windows)
    while not all(view is not None and view["over"] for view in last):
        for role, window in enumerate(windows):
            view = last[role] = window.latest() or last[role]
            if view is not None and view["turn"] is not None and view["length"] > played[role]:
                played[role] = view["length"]
                window.send(type="play", role=role, action=rng.choice(view["legal"])["text"])
    return [view for view in last if view is not None]


GAMES = ["kuhn_poker", "kuhn_poker_three", "liars_dice", "phantom_tic_tac_toe", "goofspiel", "rock_paper_scissors"]


@pytest.mark.parametrize("name", GAMES)
def test_each_window_is_told_its_own(host: str, name: str) -> None:
    windows = opened(host, name)
    last = play_out(windows, 5)
    assert len({view["over"]["text"] for view in last}) == 1
    game = game_from_source(*_loaded(name))
    table = Table(game, 0)
    table.replay([made["text"] if made else "" for made in last[0]["history"]])
    assert table.is_over
    for role, window in enumerate(windows):
        views = [message for message in window.sent if message["type"] == "view"]
        assert len(views) > 2
        for view in views:
            assert view["eyes"] == (None if view["finished"] and not game.perfect_information else role)
            assert view["turn"] in (role, None)
            if not view["over"] and not game.perfect_information:
                assert view["told"] == table.told(role, view["at"])
                assert all(made is None or made["by"] == [role] for made in view["history"])
        window.close()


def _loaded(name: str) -> tuple[Any, dict[str, str], Any]:
    source, read_text = load_rules(name)
    return source, {}, read_text


@pytest.mark.sweep
@pytest.mark.parametrize("role", [1, 0])
def test_what_another_holds_changes_nothing_that_is_sent(host: str, role: int) -> None:
    """Two deals that differ in the other's card alone: no message differs before the end."""
    deals = [["2 1", "3 1"], ["1 2", "1 3"]][1 - role]
    found = []
    for deal in deals:
        both = opened(host, "kuhn_poker", record=[f"chance: {deal}"])
        for turn, action in enumerate(["pass", "bet"]):
            both[turn].view(1 + turn)
            both[turn].send(type="play", role=turn, action=action)
        seen, other = both[role], 1 - role
        seen.view(3)
        seen.send(type="look", at=1, role=other)  # through the other's eyes: not for this window
        assert seen.next("view")["eyes"] == role
        seen.send(type="curve")
        assert "hidden" in seen.next("problem")["text"]
        seen.send(type="play", role=other, action="pass")
        assert seen.next("problem")["text"] == "another player has this seat"
        seen.send(type="analyse", at=1 + other, role=other)
        with pytest.raises(TimeoutError):  # the other's decision, which would be advised in a quarter of a second
            seen.socket.recv(timeout=1.0)
        seen.send(type="analyse", at=1 + role, role=other)
        assert seen.next("advice")["values"] is None
        found.append([{**one, "spent_s": 0} for one in seen.sent if one["type"] not in ("begun", "advice", "absent")])
        for window in both:
            window.close()
    # how often who waits is shown a position again, and who is told absent, depends on when the other came
    one, other_deal = (
        [text for at, text in enumerate(texts) if text not in texts[:at]] for texts in map(_texts, found)
    )
    assert one == other_deal


def _texts(messages: list[Message]) -> list[str]:
    return [json.dumps(one, sort_keys=True) for one in messages]


def test_who_has_not_come_is_waited_for_and_comes_back(either: str) -> None:
    first = Window(either, type="start", game="tic_tac_toe", seats={"nought": "link"})
    assert [seat["who"] for seat in first.begun["seats"]] == ["you", "link"]
    assert first.next("absent")["roles"] == [1]
    first.send(type="play", role=0, action="b2")
    assert first.view(1)["turn"] is None
    link = first.links()["nought"]
    guest = Window(either, type="join", table=link)
    assert [seat["who"] for seat in guest.begun["seats"]] == ["host", "you"]
    assert "table" not in guest.begun
    assert "link" not in json.dumps(guest.begun["seats"])
    assert first.next("absent")["roles"] == []
    assert guest.view(1)["turn"] == 1
    guest.close()
    assert first.next("absent")["roles"] == [1]
    first.close()  # nobody is there
    guest = Window(either, type="join", table=link)
    assert guest.next("absent")["roles"] == [0]
    assert guest.view(1)["turn"] == 1
    guest.send(type="play", role=1, action="a1")
    again = Window(either, type="join", table=first.begun["table"])
    assert again.begun == first.begun
    assert again.view(2)["turn"] == 0
    for window in (guest, again):
        window.close()


def test_taking_back_and_beginning_anew_are_the_hosts(either: str) -> None:
    first, guest = opened(either, "tic_tac_toe")
    link = first.links()["nought"]
    first.send(type="play", role=0, action="b2")
    guest.view(1)
    guest.send(type="back", to=0)
    assert "only who began" in guest.next("problem")["text"]
    first.send(type="back", to=0)
    assert guest.view(0)["acting"] == [0]
    other = Window(either, type="start", game="nim", against="link", table=link)  # a game of the guest's own
    assert other.begun["table"] not in (link, first.begun["table"])
    first.view(0)
    first.send(type="play", role=0, action="a1")
    guest.view(1)
    first.send(type="start", game="tic_tac_toe", against="link", seed=1, table=first.begun["table"])
    assert guest.next("begun") == guest.begun
    assert guest.view(0)["acting"] == [0]
    assert first.next("begun") == first.begun
    first.send(type="start", game="tic_tac_toe", against="random", table=first.begun["table"])
    assert "ended" in guest.next("problem")["text"]
    guest.send(type="join", table=link)
    assert "not open" in guest.next("problem")["text"]
    for window in (first, guest, other):
        window.close()


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"type": "join", "table": ""}, "not open"),
        ({"type": "join", "table": "ä"}, "not open"),
        ({"type": "start", "game": "kuhn_poker", "seat": "first", "seats": {"first": "link"}}, "keep a seat"),
    ],
)
def test_what_no_link_can_do(either: str, message: Message, text: str) -> None:
    with connect(f"ws://{either}") as socket:
        socket.send(json.dumps(message))
        assert text in json.loads(socket.recv(timeout=60))["text"]


def test_a_game_that_is_in_no_file_has_links_and_each_window_is_told_its_own(studios: str) -> None:
    text = load_rules("kuhn_poker")[0].text.replace("game kuhn_poker", "game my_own")
    first, guest = opened(f"{studios}/api/draft", "", text=text)
    assert guest.begun["game"]["text"] == text
    assert guest.begun["guest"]
    one, other = play_out([first, guest], 3)
    assert one["over"] == other["over"]
    for role, window in enumerate((first, guest)):
        views = [message for message in window.sent if message["type"] == "view" and not message["over"]]
        assert len(views) > 1
        assert all(view["eyes"] == role for view in views)
        assert all(made is None or made["by"] == [role] for view in views for made in view["history"])
        window.close()


def test_what_chance_draws_does_not_follow_from_the_seed(host: str) -> None:
    drawn = set()
    for _ in range(12):  # six deals: all the same once in 6 ** 11
        windows = opened(host, "kuhn_poker", seed=1)
        drawn.add(play_out(windows, 0)[0]["history"][0]["text"])
        for window in windows:
            window.close()
    assert len(drawn) > 1
