"""One browser window, over a websocket: what the person does in the game that it plays, and what it may see of it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.language import load_rules, parameters_of
from ggp.language.text.source import SourceFile
from ggp.language.typed.types import type_text
from ggp.rules_compiler.loading import game_from_source
from ggp.rules_compiler.rules_backend import rules_of
from players.agents.registry import PLAYERS, read_player
from players.agents.requirements import SLOW
from players.player_options import NotApplicable
from studio.adviser import Adviser
from studio.bots import Bot
from studio.catalogue import described_text, may_be_played, no_such_game
from studio.room import Room, Rooms
from studio.table import Made, NotPossible, Table, result_text
from studio.workshop import received

MAX_LISTED = 20_000
"""Legal actions that are sent; the others are reached by their text."""
ME, LINK = "me", "link"
HOST = "host"
"""Who plays, as guests are told, the seats of the person who began the game."""
DEFAULT_SEED = 0


class Start(msgspec.Struct, tag="start"):
    """Begin a game.

    Attributes:
        game: name of a library game, or a file that `ggp studio` was given.
        text: the rules, where they are no file; `Session` of the studio itself takes none.
        seats: who plays each role: `me`, `link` for who comes by a link, or a player such as `auto`; roles that are not
            named are played by `against`.
        seat: the person's role; empty: the first.
        against: who plays the roles that `seats` leaves open.
        parameters: of the game.
        seed: of chance and bots; where a seat has a link, nobody can know what chance will draw, and it is not used.
        clock_s: seconds that a bot may think.
        record: transitions to begin with, as `Made.text` writes them.
        table: secret of a table where the person is the host: its links stay good, and who came by them plays on.
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
    table: str = ""


class Join(msgspec.Struct, tag="join"):
    """Come, or come back, to a table by the secret of a link or of the host."""

    table: str


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


Request = Start | Join | Play | Back | Look | Analyse | Curve
SHOWN_AFTER_S = 0.3
"""How long the first board waits until it is known who can play the game."""
_DECODER = msgspec.json.Decoder(Request)


def _players_of(game: Game, *, at_once: bool = False) -> list[str]:
    """Return the names of the players that can play a game; `at_once`: of those of which it is soon known."""
    found = []
    for name, kind in PLAYERS.items():
        if at_once and set(kind.requirements) & set(SLOW):
            continue
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
    """Lets one connection play in a room."""

    def __init__(self, socket: WebSocket, rooms: Rooms, own_games: Sequence[str] = ()) -> None:
        """Begin without a game.

        Args:
            socket: not accepted yet.
            rooms: where seats have links.
            own_games: files that may be played.
        """
        self.socket, self.own_games, self._rooms = socket, own_games, rooms
        self.people: tuple[int, ...] = ()
        self._room: Room | None = None
        self._secret = ""
        """With which the window came; empty: it began the game, and no seat has a link."""
        self._adviser: Adviser | None = None
        self._finding: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Answer messages until the window is closed."""
        await self.socket.accept()
        try:
            while True:
                await self._answer(await received(self.socket))
        except WebSocketDisconnect:
            pass
        finally:
            self._stop_finding()
            await self._leave()

    def _stop_finding(self) -> None:
        if self._finding is not None:
            self._finding.cancel()

    async def _answer(self, text: str) -> None:
        try:
            request = _DECODER.decode(text)
            match request:
                case Start():
                    await self._begin(request)
                case Join(secret):
                    await self._join(secret)
                case Play(role, action):
                    self._person(role)
                    await self._at_table().play(role, action)
                case Back(to):
                    room = self._at_table()
                    if self._secret != room.secret:
                        raise NotPossible("only who began this game can take back")
                    await room.back(to)
                case Look(at, role):
                    await self.show(at, role)
                case Analyse(None):
                    await self._advised().stop()
                case Analyse(int(at), role):
                    await self._advised().advise(at, self._eyes(self._at_table().table, [], role))
                case Curve():
                    await self._advised().draw_curve()
        except (GgpError, msgspec.DecodeError) as error:
            await self.tell({"type": "problem", "text": str(error)})

    def _at_table(self) -> Room:
        if self._room is None:
            raise NotPossible("no game has begun")
        return self._room

    def _advised(self) -> Adviser:
        if self._adviser is None:
            raise NotPossible("no game has begun")
        return self._adviser

    def _person(self, role: int) -> None:
        self._at_table()
        if role not in self.people:
            raise NotPossible("another player has this seat")

    def _rules(self, request: Start) -> tuple[SourceFile, Callable[[str], str]]:
        """Return the rules that are to be played, and how the files that they name are read."""
        if request.text or not may_be_played(request.game, self.own_games):
            raise NotPossible(no_such_game(request.game))
        return load_rules(request.game)

    async def _begin(self, request: Start) -> None:
        source, read_text = self._rules(request)
        game = await asyncio.to_thread(game_from_source, source, request.parameters, read_text)
        earlier = self._rooms.hosted(request.table)
        is_first = earlier is None and not request.record
        if is_first and not rules_of(game).is_in_cache:
            await self._show_before_compiling(game, request, source)
            is_first = False
        table = await asyncio.to_thread(Table, game, request.seed)
        finding = asyncio.ensure_future(asyncio.to_thread(_players_of, game, at_once=True))
        if is_first and not (await asyncio.wait({finding}, timeout=SHOWN_AFTER_S))[0]:
            await self._show_before_compiling(game, request, source)
        room = self._seated(table, request, source, await finding, earlier)
        if room.links:
            table.seed = secrets.randbits(63)
        await asyncio.to_thread(table.replay, request.record)
        await self._enter(room, room.secret)
        await self._rooms.replace(earlier, room)
        self._stop_finding()
        self._finding = asyncio.create_task(self._tell_of_players(room))

    async def _tell_of_players(self, room: Room) -> None:
        """Tell the window of players of which it takes a while to know whether they can play the game."""
        choices = [ME, LINK, *await asyncio.to_thread(_players_of, room.table.game)]
        if choices != room.facts["choices"]:
            room.facts = {**room.facts, "choices": choices}
            if self._room is room:
                await self.tell({"type": "choices", "choices": choices})

    async def _show_before_compiling(self, game: Game, request: Start, source: SourceFile) -> None:
        """Show the board at once, while a game is compiled or examined: plain Python knows where play begins."""
        table = await asyncio.to_thread(Table, game.in_python(), request.seed)
        room = self._seated(table, request, source, ())
        if not room.links:
            self.people = room.people("")
            await self.tell(self._begun(room))
            view = await asyncio.to_thread(self._view, room, 0, None)
            await self.tell({**view, "turn": None, "legal": [], "compiling": True})

    async def _join(self, secret: str) -> None:
        room = self._rooms.find(secret)
        if room is None:
            raise NotPossible("this game is not open any more: begin another, or ask for another link")
        await self._enter(room, secret)

    def _seated(
        self, table: Table, start: Start, source: SourceFile, players: Sequence[str], earlier: Room | None = None
    ) -> Room:
        """Return a room in which the seats of a table are given to people and to bots."""
        game = table.game
        seat = game.player(start.seat) if start.seat else 0
        given = {game.player(name): text for name, text in start.seats.items()}
        taken = {role: given.get(role, ME if role == seat else start.against) for role in range(len(game.players))}
        linked = [role for role, text in taken.items() if text == LINK]
        if linked and ME not in taken.values() and not game.perfect_information:
            raise NotPossible("something is hidden in this game: keep a seat, or you would see what all are told")
        played = {role: text for role, text in taken.items() if text not in (ME, LINK)}
        bots = {role: Bot(read_player(text), role, start.clock_s) for role, text in played.items()}
        facts = {key: value for key, value in described_text(source.text).items() if key != "players"}
        bound = {"parameters": game.parameters, "simultaneous": game.simultaneous}
        told = {
            "type": "begun",
            "game": {"name": start.game, **facts, "rules": game.name, **bound},
            "open": game.perfect_information,
            "choices": [ME, LINK, *players],
            "options": _parameters_of(source),
        }
        return Room(table, bots, told, linked, earlier, self._rooms.name)

    async def _enter(self, room: Room, secret: str, problem: str = "") -> None:
        """Come into a room from where the window was; a problem is told before the game is shown."""
        await self._leave()
        self._room, self._secret, self.people = room, secret, room.people(secret)
        self._adviser = Adviser(room.table, self.tell)
        await self.tell(self._begun(room))
        if problem:
            await self.tell({"type": "problem", "text": problem})
        await room.admit(self)

    async def move(self, room: Room) -> None:
        """Go on in a room that takes the place of this one, if the window's secret is good there."""
        if self._secret in (room.secret, *room.links.values()):
            await self._enter(room, self._secret)
        else:
            await self._leave()
            await self.tell({"type": "problem", "text": "who began this game has ended it"})

    async def _leave(self) -> None:
        await self.stop_advice()
        room, self._room, self._adviser = self._room, None, None
        if room is not None:
            await room.dismiss(self)

    async def stop_advice(self) -> None:
        """End an analysis that is under way."""
        if self._adviser is not None:
            await self._adviser.stop()

    def _begun(self, room: Room) -> Mapping[str, Any]:
        """Return what the page is told of the game; only the host is told the secrets."""
        is_host = self._secret == room.secret
        seats = []
        for role, name in enumerate(room.table.game.players):
            bot = room.bots.get(role)
            other = LINK if role in room.links else HOST
            who = "you" if role in self.people else other if bot is None else str(bot.spec)
            link = {"link": room.links[role]} if is_host and role in room.links else {}
            seats.append({"name": name, "who": who, **link})
        return {**room.facts, "seats": seats, **({"table": room.secret} if is_host else {"guest": True})}

    async def show(self, at: int | None = None, role: int | None = None) -> None:
        """Send a position, the last one if `at` is None, as the person may see it."""
        room = self._at_table()
        await self.tell(await room.in_order(self._view, room, at, role))

    def _view(self, room: Room, at: int | None, role: int | None) -> Mapping[str, Any]:
        """Return a position, None: the last one, as the person may see it."""
        table = room.table
        at = len(table.made) if at is None else at
        if not 0 <= at < len(table.positions):
            raise NotPossible(f"there is no position {at}")
        now = at == len(table.made)
        state = table.positions[at].state
        waiting = [one for one in table.waiting() if one in self.people] if now else []
        eyes = self._eyes(table, waiting, role)
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
            over = {
                "text": result_text(table.game.players, utilities, shared=table.has_shared_result),
                "utilities": list(utilities),
            }
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
            "spent_s": [round(spent, 1) for spent in room.spent_s],
            "phase": state.phase,
            "legal": legal,
            "told": [] if eyes is None else table.told(eyes, at),
            "history": [self._shown(table, made, eyes) for made in table.made],
            "over": over,
            "finished": table.is_over,
        }

    def _eyes(self, table: Table, waiting: list[int], role: int | None) -> int | None:
        """Return through whose eyes the person looks: of several own seats, the one that is to act.

        Once a game in which something is hidden is over, those of whom it asks for; None: everybody's.
        """
        if table.is_over and not table.game.perfect_information:
            return role if role in range(len(table.game.players)) else None
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

    async def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message to the page."""
        await self.socket.send_text(msgspec.json.encode(message).decode())
