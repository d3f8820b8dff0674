"""One game in one browser window, over a websocket: what the person does, what it may see, and bots at the other seats.

The event loop only passes messages on. Whatever reads or changes the table runs in one thread, in the order of the
messages; loading games and bots run in others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.language import load_rules, parameters_of
from ggp.language.text.source import SourceFile
from ggp.language.typed.types import type_text
from ggp.rules_compiler.loading import game_from_source
from players.agents.registry import PLAYERS, read_player
from players.player_options import NotApplicable
from studio.adviser import Adviser
from studio.bots import Bot
from studio.catalogue import described_text, may_be_played
from studio.table import Made, NotPossible, Table, result_text
from studio.workshop import received

MAX_LISTED = 20_000
"""Legal actions that are sent; the others are reached by their text."""
ME = "me"
DEFAULT_SEED = 0
T = TypeVar("T")


class Start(msgspec.Struct, tag="start"):
    """Begin a game.

    Attributes:
        game: name of a library game, or a file that `ggp studio` was given.
        text: the rules, where they are no file; `Session` of the studio itself takes none.
        seats: who plays each role: `me`, or a player such as `auto`; roles that are not named are played by `against`.
        seat: the person's role; empty: the first.
        against: who plays the roles that `seats` leaves open.
        parameters: of the game.
        seed: of chance and bots.
        clock_s: seconds that a bot may think.
        record: transitions to begin with, as `Made.text` writes them.
    """

    game: str
    text: str = ""
    seats: dict[str, str] = {}
    seat: str = ""
    against: str = "auto"
    parameters: dict[str, str] = {}
    seed: int = DEFAULT_SEED
    clock_s: float = 1.0
    record: list[str] = []


class Play(msgspec.Struct, tag="play"):
    """Choose an action for a role that the person plays."""

    role: int
    action: str


class Back(msgspec.Struct, tag="back"):
    """Take back what followed a position."""

    to: int


class Look(msgspec.Struct, tag="look"):
    """Show an earlier position, without changing the game."""

    at: int
    role: int | None = None


class Analyse(msgspec.Struct, tag="analyse"):
    """Say what a search thinks of a position, in several messages; without `at`, stop."""

    at: int | None = None
    role: int | None = None


class Curve(msgspec.Struct, tag="curve"):
    """Say what each position so far is worth, a message each."""


Request = Start | Play | Back | Look | Analyse | Curve
_DECODER = msgspec.json.Decoder(Request)


def _players_of(game: Game) -> list[str]:
    """Return the names of the players that can play a game."""
    found = []
    for name, kind in PLAYERS.items():
        with suppress(NotApplicable):
            kind.check(game)
            found.append(name)
    return found


def _parameters_of(source: SourceFile) -> list[dict[str, str]]:
    """Return what can be set of a game: name, default, type and explanation of each parameter."""
    return [
        {"name": one.name, "default": one.default, "type": type_text(one.type), "text": one.comment}
        for one in parameters_of(source)
    ]


class Session:
    """Drives a table for one connection."""

    def __init__(self, socket: WebSocket, own_games: Sequence[str] = ()) -> None:
        self.socket = socket
        self.own_games = own_games
        self.table: Table | None = None
        self.people: tuple[int, ...] = ()
        self.bots: dict[int, Bot] = {}
        self.start: Start | None = None
        self._playing: asyncio.Task[None] | None = None
        self._adviser: Adviser | None = None
        self._spent_s: list[float] = []
        """How long each role has thought."""
        self._since = 0.0
        """When the position was reached, by a monotonic clock."""
        self._moved = asyncio.Event()
        """The person has chosen since the last position was sent."""
        self._table_thread = ThreadPoolExecutor(1, "table")

    async def run(self) -> None:
        """Answer messages until the window is closed."""
        await self.socket.accept()
        try:
            while True:
                await self._answer(await received(self.socket))
        except WebSocketDisconnect:
            pass
        finally:
            await self._stop()
            self._table_thread.shutdown(wait=False)

    async def _answer(self, text: str) -> None:
        try:
            request = _DECODER.decode(text)
            match request:
                case Start():
                    await self._stop()
                    await self._begin(request)
                case Play(role, action):
                    self._person(role)
                    await self._choose(self._at_table(), role, action)
                    self._moved.set()
                case Back(to):
                    await self._stop()
                    await self._in_order(self._at_table().back, to)
                case Look(at, role):
                    await self._show(at, role)
                    return
                case Analyse(None):
                    await self._advised().stop()
                    return
                case Analyse(int(at), role):
                    await self._advised().advise(at, role if role in self.people else self._eyes([], None))
                    return
                case Curve():
                    await self._advised().draw_curve()
                    return
        except (GgpError, msgspec.DecodeError) as error:
            await self._send({"type": "problem", "text": str(error)})
        if self._playing is None and self.table is not None:
            self._playing = asyncio.create_task(self._go_on(self.table))

    async def _in_order(self, call: Callable[..., T], *args: object) -> T:
        """Make a call in the table's thread, after all that were asked for before."""
        return await asyncio.get_running_loop().run_in_executor(self._table_thread, call, *args)

    def _at_table(self) -> Table:
        if self.table is None:
            raise NotPossible("no game has begun")
        return self.table

    def _advised(self) -> Adviser:
        if self._adviser is None:
            raise NotPossible("no game has begun")
        return self._adviser

    def _person(self, role: int) -> None:
        if role not in self.people:
            raise NotPossible("another player has this seat")

    def _rules(self, request: Start) -> tuple[SourceFile, Callable[[str], str]]:
        """Return the rules that are to be played, and how the files that they name are read."""
        if request.text or not may_be_played(request.game, self.own_games):
            raise NotPossible(f"there is no game `{request.game}` here")
        return load_rules(request.game)

    async def _begin(self, request: Start) -> None:
        source, read_text = self._rules(request)
        game = await asyncio.to_thread(game_from_source, source, request.parameters, read_text)
        table = Table(game, request.seed)
        await self._in_order(table.replay, request.record)
        self._seat(table, request)
        await self._send(self._begun(source, _players_of(game)))

    def _seat(self, table: Table, request: Start) -> None:
        """Give the seats of a table to the person and to bots."""
        game = table.game
        seat = game.player(request.seat) if request.seat else 0
        given = {game.player(name): text for name, text in request.seats.items()}
        taken = {role: given.get(role, ME if role == seat else request.against) for role in range(len(game.players))}
        self.bots = {role: Bot(read_player(text), role, request.clock_s) for role, text in taken.items() if text != ME}
        self.table, self.start = table, request
        self._adviser = Adviser(table, self._send)
        self._spent_s, self._since = [0.0] * len(game.players), time.monotonic()
        self.people = tuple(role for role in taken if role not in self.bots)

    def _begun(self, source: SourceFile, players: Sequence[str]) -> Mapping[str, Any]:
        """Return what the page is told of the game at the table."""
        table, start = self._at_table(), self.start
        assert start is not None, "there is a table"
        game = table.game
        who = {role: str(bot.spec) for role, bot in self.bots.items()}
        facts = {key: value for key, value in described_text(source.text).items() if key != "players"}
        bound = {"parameters": game.parameters, "simultaneous": game.simultaneous}
        return {
            "type": "begun",
            "game": {"name": start.game, **facts, "rules": game.name, **bound},
            "seats": [{"name": name, "who": who.get(role, "you")} for role, name in enumerate(game.players)],
            "open": game.perfect_information,
            "choices": [ME, *players],
            "options": _parameters_of(source),
        }

    async def _go_on(self, table: Table) -> None:
        """Show each position and do what is next: chance's transition, the bots' choices, or waiting for the person."""
        while True:
            self._moved.clear()
            try:
                await self._show()
                if self._moved.is_set() or await self._in_order(table.draw) or await self._ask_bots(table):
                    continue
            except GgpError as error:
                await self._send({"type": "problem", "text": str(error)})
            await self._moved.wait()

    async def _choose(self, table: Table, role: int, action: str) -> None:
        made = len(table.made)
        await self._in_order(table.choose, role, action)
        now = time.monotonic()
        self._spent_s[role] += now - self._since
        if len(table.made) > made:
            self._since = now

    async def _ask_bots(self, table: Table) -> bool:
        """Let the bots choose that are to act; return whether a transition was made."""
        thinking = [role for role in table.waiting() if role in self.bots]
        before = len(table.made)
        actions = await asyncio.gather(*(asyncio.to_thread(self.bots[role].choose, table) for role in thinking))
        for role, action in zip(thinking, actions, strict=True):
            await self._choose(table, role, action)
        return len(table.made) > before

    async def _stop(self) -> None:
        if self._adviser is not None:
            await self._adviser.stop()
        if self._playing is not None:
            self._playing.cancel()
            with suppress(asyncio.CancelledError):
                await self._playing
            self._playing = None

    async def _show(self, at: int | None = None, role: int | None = None) -> None:
        await self._send(await self._in_order(self._view, self._at_table(), at, role))

    def _view(self, table: Table, at: int | None, role: int | None) -> Mapping[str, Any]:
        """Return a position, None: the last one, as the person may see it."""
        at = len(table.made) if at is None else at
        if not 0 <= at < len(table.positions):
            raise NotPossible(f"there is no position {at}")
        now = at == len(table.made)
        state = table.positions[at].state
        waiting = [one for one in table.waiting() if one in self.people] if now else []
        eyes = self._eyes(waiting, role)
        legal = []
        if waiting:
            actions = state.legal(waiting[0])
            phase = state.words[0]
            for action in actions[:MAX_LISTED]:
                parts = table.game.codec.action_parts(action, phase)
                legal.append({"text": str(action), "parts": [list(part) for part in parts]})
        scene, certain = table.scene(eyes, at)
        over = None
        if state.is_terminal():
            utilities = state.utilities()
            over = {"text": result_text(table.game.players, utilities), "utilities": list(utilities)}
        return {
            "type": "view",
            "at": at,
            "length": len(table.made),
            "scene": scene,
            "certain": certain,
            "eyes": eyes,
            "turn": waiting[0] if waiting else None,
            "acting": list(state.actors()),
            "chosen": sorted(table.chosen) if now else [],
            "spent_s": [round(spent, 1) for spent in self._spent_s],
            "phase": state.phase,
            "legal": legal,
            "told": [] if eyes is None else table.told(eyes, at),
            "history": [self._shown(table, made, eyes) for made in table.made],
            "over": over,
        }

    def _eyes(self, waiting: list[int], role: int | None) -> int | None:
        """Return through whose eyes the person looks: of several own seats, the one that is to act."""
        if not self.people:
            return None
        if role in self.people:
            return role
        return waiting[0] if waiting else self.people[0]

    def _shown(self, table: Table, made: Made, eyes: int | None) -> dict[str, Any] | None:
        """Return a transition as the person may know it; None: it may not, or there is nothing to tell."""
        if made.outcome == "":
            return None
        is_open = eyes is None or table.is_over or table.game.perfect_information
        if is_open:
            return {"by": sorted(made.actions), "text": made.text(table.game.players), "actions": dict(made.actions)}
        if eyes is None or eyes not in made.actions:
            return None
        own = Made({eyes: made.actions[eyes]})
        return {"by": [eyes], "text": own.text(table.game.players), "actions": dict(own.actions)}

    async def _send(self, message: Mapping[str, Any]) -> None:
        await self.socket.send_text(msgspec.json.encode(message).decode())
