"""The client against minimal managers: what it sends, when it reconnects, and when it gives up."""

import asyncio
import contextlib
import json
import threading
import time

import pytest
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from players.network.client import Client, JoinFailed, MatchPlayer

WELCOME = {"type": "welcome", "name": "a", "token": "t"}
START = {
    "type": "start", "match": "m", "number": 0, "game": "g", "rules": "", "files": {}, "parameters": {},
    "roles": ["r"], "role": "r", "start_clock_ms": 1000, "play_clock_ms": 1000, "allowance_ms": 0,
    "remaining_ms": 1000, "seed_hash": "",
}  # fmt: skip
ACT = {"type": "act", "match": "m", "number": 1, "step": 0, "legal": ["x", "y"], "remaining_ms": 1000}
END = {"type": "end", "match": "m", "number": 2, "result": "finished", "reason": None, "utilities": {}, "errors": []}


class Player(MatchPlayer):
    made = 0
    chosen = 0
    ended = 0

    def __init__(self):
        type(self).made += 1

    def choose(self, turn):
        type(self).chosen += 1
        return turn.legal[-1]

    def end(self, end):
        type(self).ended += 1


@pytest.fixture
def player():
    class Fresh(Player):
        pass

    return Fresh


def play(*sessions, player=Player, **options):
    """Run a client against a manager that follows one session a connection; return its farewell, and what came."""
    received = []

    async def handle(socket):
        session = sessions[min(len(received), len(sessions) - 1)]
        told = []
        received.append(told)
        with contextlib.suppress(ConnectionClosed):
            await session(socket, told)

    async def run():
        async with serve(handle, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            client = Client(f"ws://127.0.0.1:{port}/play", player, "a", **options)
            return await asyncio.wait_for(client.run(), 20)

    return asyncio.run(run()), received


def session(*answers, close=(1000, "done")):
    """Answer each message with some; then close."""

    async def follow(socket, told):
        for sent in answers:
            told.append(json.loads(await socket.recv()))
            for message in sent:
                await socket.send(json.dumps(message))
        await asyncio.sleep(0.05)
        await socket.close(*close)

    return follow


def test_a_match_and_a_farewell(player):
    farewell, ((hello, ready, move),) = play(session([WELCOME, START], [ACT], [END]), player=player)
    assert (farewell, hello) == (
        "done",
        {"type": "hello", "name": "a", "protocol": 1, "token": None, "prepares": False},
    )
    assert ready == {"type": "ready", "match": "m"}
    assert move == {"type": "move", "match": "m", "step": 0, "action": "y"}
    assert (player.made, player.chosen, player.ended) == (1, 1, 1)


def test_games_are_prepared_in_turn_in_a_thread_and_a_failure_is_told(player, caplog):
    prepare = {"type": "prepare", "rules": "", "files": {}, "parameters": {}}
    threads = []

    def prepare_for(message):
        threads.append(threading.current_thread())
        if message.game == "odd":
            raise ValueError("too odd")

    told = [{**prepare, "number": number, "game": game} for number, game in enumerate(("odd", "even"))]
    _, ((hello, first, second, ready),) = play(
        session([WELCOME, *told], [], [START], []), player=player, prepare=prepare_for
    )
    assert hello["prepares"]
    assert [first, second] == [{"type": "prepared", "number": number} for number in (0, 1)]
    assert ready["type"] == "ready"
    assert threading.main_thread() not in threads
    assert "cannot prepare for odd: too odd" in caplog.text


def test_what_is_told_again_is_known_and_answers_that_got_lost_are_sent_again(player):
    known = {**WELCOME, "matches": ["m"]}
    lost = session([WELCOME, START], [ACT], [], close=(1001, "back soon"))
    _, (_, (hello, *rest)) = play(lost, session([known, START, ACT], [END]), player=player)
    assert hello["token"] == "t"
    assert rest == [{"type": "move", "match": "m", "step": 0, "action": "y"}]
    assert (player.made, player.chosen, player.ended) == (1, 1, 1)


def test_a_match_that_is_over_does_not_begin_again(player):
    known = {**WELCOME, "matches": ["m"]}
    over = session([WELCOME, START], [ACT], [END], close=(1001, "back soon"))
    _, (_, second) = play(over, session([known, START, END]), player=player)
    assert len(second) == 1
    assert (player.made, player.chosen, player.ended) == (1, 1, 1)


@pytest.mark.parametrize("sessions", [1, 2], ids=["before the farewell", "before the connection broke"])
def test_an_end_that_came_is_told_to_a_player_that_is_still_busy(sessions):
    class Slow(Player):
        def start(self, start, deadline):
            time.sleep(0.3)

    async def end_at_once(socket, told):
        told.append(json.loads(await socket.recv()))
        for message in (WELCOME, START, END):
            await socket.send(json.dumps(message))
        await socket.close(*((1000, "done") if sessions == 1 else (1001, "back soon")))

    play(end_at_once, session([WELCOME]), player=Slow)
    assert Slow.ended == 1


def test_a_player_that_fails_leaves_its_match_for_good(caplog):
    class Failing(Player):
        def choose(self, turn):
            raise ZeroDivisionError

    known = {**WELCOME, "matches": ["m"]}
    _, (first, second) = play(
        session([WELCOME, START], [ACT], close=(1001, "")), session([known, START, ACT]), player=Failing
    )
    assert first[1]["type"] == "ready"
    assert all(message["type"] == "resign" for message in (*first[2:], *second[1:]))
    assert Failing.made == 1
    assert "the player fails in match m and resigns it" in caplog.text


def test_who_is_replaced_or_shut_out_does_not_come_back():
    with pytest.raises(JoinFailed, match="has closed the connection: the player has joined again elsewhere"):
        play(session([WELCOME], close=(1008, "the player has joined again elsewhere")))


def test_busy_is_waited_for_by_a_player_that_was_in(caplog):
    busy = session([{"type": "refused", "code": "busy", "message": "too many"}], close=(1008, "too many"))
    farewell, received = play(session([WELCOME], close=(1001, "")), busy, session([WELCOME]))
    assert (farewell, len(received)) == ("done", 3)
    assert caplog.messages[1:] == ["the connection broke (too many); trying again", "connected again"]
    with pytest.raises(JoinFailed, match="too many"):
        play(busy, patience_s=0.1)
    with pytest.raises(JoinFailed, match="no such token"):
        play(
            session([WELCOME], close=(1001, "")),
            session([{"type": "refused", "code": "token", "message": "no such token"}], close=(1008, "")),
        )


@pytest.mark.parametrize("token", [None, "of another day"])
def test_a_manager_that_cannot_be_reached_is_told_once(token, caplog):
    with pytest.raises(JoinFailed, match=r"cannot join .*: there is no server there"):
        asyncio.run(Client("ws://localhost:1/play", Player, "a", token=token, patience_s=1.5).run())
    assert caplog.text.count("cannot connect") == caplog.text.count("trying again") == 1


def test_a_manager_that_says_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr("players.network.client.WELCOME_TIMEOUT_S", 0.05)

    async def silent(socket, told):
        await socket.wait_closed()

    with pytest.raises(JoinFailed, match="no answer"):
        play(silent, patience_s=0.1)
    with pytest.raises(JoinFailed, match="has not come back"):
        play(session([WELCOME], close=(1001, "")), silent, patience_s=0.2)


@pytest.mark.parametrize("answer", [{"type": "quit"}, {"type": "error", "code": "late", "message": "?"}])
def test_what_is_no_manager_is_told(answer):
    with pytest.raises(JoinFailed):
        play(session([answer]))


@pytest.mark.parametrize("url", ["ws://localhost:99999/play", "ws://[::1/play", "ws://x..y/play", "ws://localhost:p/"])
def test_what_is_no_address_is_told(url):
    with pytest.raises(JoinFailed, match="is not an address such as"):
        asyncio.run(Client(url, Player, "a").run())
