"""A manager and players in this process, on a free port, for tests of the manager."""

import asyncio
import contextlib
import json

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from ggp.protocol.messages import MatchSettings
from players.client import Client, MatchPlayer
from server.competitions import registry
from server.matches.games import GameSource
from server.matches.manager import MatchOrder
from server.network.host import hosting
from server.network.web_server import open_port
from server.store import records
from server.store.store import Store
from tests.support.tiny_games import TinyGames


class First(MatchPlayer):
    ended = None

    def choose(self, turn):
        return turn.legal[0]

    def end(self, end):
        type(self).ended = end


class Arena:
    """A manager on a free port, with players of this process."""

    def __init__(self, host, url):
        self.host = host
        self.manager = host.manager
        self.competitions = host.competitions
        self.url = url
        self.tasks = []

    def join(self, player=First, name="first", **options):
        client = Client(self.url, player, name, **options)
        task = asyncio.create_task(client.run())
        self.tasks.append(task)
        return task

    async def members(self, count):
        await comes_true(lambda: len(self.manager.members.connected) == count)
        return tuple(self.manager.members.connected)

    async def players(self, *names):
        """Let players join that do the first thing; return all who are connected then, in the order of joining."""
        before = len(self.manager.members.connected)
        for count, name in enumerate(names, before + 1):
            self.join(name=name)
            await self.members(count)
        return tuple(self.manager.members.connected)

    @property
    def base(self):
        """The address of pages and API."""
        return self.url.replace("ws:", "http:").removesuffix("/play")

    def web(self):
        """Return a client of the manager's API."""
        return httpx.AsyncClient(base_url=self.base, headers={"content-type": "application/json"})

    async def match(self, members, game="dark", play_clock_ms=150, group=None, rules="by hand", **parameters):
        order = MatchOrder(
            GameSource(game, rules, {}, parameters),
            members,
            MatchSettings(start_clock_ms=250, play_clock_ms=play_clock_ms, allowance_ms=50, hide_times=False),
            "5eed",
            group or f"group {id(members)}",
        )
        return await self.manager.start_match(order)

    async def library_match(self, members, game, **parameters):
        """Start a match of a library game, with a minute for each decision. The arena needs the library's games."""
        source = await self.manager.games.find(game, parameters)
        settings = MatchSettings(start_clock_ms=400, play_clock_ms=60_000, allowance_ms=50, hide_times=False)
        order = MatchOrder(source, members, settings, "5eed", f"group {game}")
        return await self.manager.start_match(order)

    def stored(self, match):
        with self.manager.store.reading() as connection:
            (row,) = records.matches(connection, id_=match)
            return row, records.journal_of(connection, match), records.errors(connection, match=match)


@contextlib.asynccontextmanager
async def arena(tmp_path, games=None, more=None):
    registry.ENTRY_PAUSE_S = 0.0
    store = Store(tmp_path / "store.db")
    listener = open_port("127.0.0.1", 0)
    url = f"ws://127.0.0.1:{listener.getsockname()[1]}/play"
    try:
        async with hosting(store, games or TinyGames(), listener, more=more) as host:
            here = Arena(host, url)
            try:
                yield here
            finally:
                for task in here.tasks:
                    task.cancel()
                await asyncio.gather(*here.tasks, return_exceptions=True)
    finally:
        store.close()


async def comes_true(condition):
    """Wait until a condition holds."""
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def raw(here, name="raw", **hello):
    """A player that does what the test says."""
    async with connect(here.url, compression=None) as socket:
        await socket.send(json.dumps({"type": "hello", "name": name, **hello}))
        socket.welcome = json.loads(await socket.recv())
        assert socket.welcome["type"] == "welcome"
        yield socket


@contextlib.asynccontextmanager
async def duel(here, game="dark", is_ready=True, **options):
    """A match of a player that does the first thing, red, and one that is ready and does what the test says, blue."""
    await here.players("good")
    async with raw(here) as socket:
        id_, task = await here.match(await here.members(2), game, **options)
        if is_ready:
            await socket.send(json.dumps({"type": "ready", "match": id_}))
        yield socket, id_, task


async def closing_code(socket):
    with contextlib.suppress(ConnectionClosed):
        while True:
            await socket.recv()
    return socket.close_code


async def until(socket, type_):
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == type_:
            return message


async def move(socket, act, choice=0):
    """Answer a request for an action by one of the legal ones."""
    action = act["legal"][choice]
    await socket.send(json.dumps({"type": "move", "match": act["match"], "step": act["step"], "action": action}))


async def play_on(socket, act, choice=0):
    """Answer a request for an action and all that follow, until the match ends."""
    while act["type"] != "end":
        if act["type"] == "act":
            await move(socket, act, choice)
        act = json.loads(await socket.recv())
