"""The players known to the manager: their names, tokens, connections and matches."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from ggp.errors import GgpError
from ggp.protocol.messages import Enter, Hello, MatchReply, Problem, ServerMessage
from server.matches.house_player import HOUSE_NAME, HousePlayer
from server.matches.player_names import normalised, skeleton
from server.matches.preparation import Preparation
from server.matches.running_match import LiveMatch
from server.matches.token_bucket import TokenBucket
from server.referee.game_interface import Player
from server.store.records import PlayerRow, add_player
from server.store.store import Store
from server.store.wall_clock import wall_clock

MAX_NEW_PLAYERS = 1000
"""New players that may join at once: each costs memory and a row of the store, for ever."""
NEW_PLAYERS_PER_S = 0.1
"""How many more may join each second."""
MAX_NUMBERED = 100
"""This many players of one name are numbered; further ones get a random suffix."""
HOUSE_PREFIX = "house "
MAX_UNHEARD = 20
"""Ended matches kept in memory for a player that was away when they ended."""


class UnknownToken(GgpError):
    """The token is unknown."""

    def __str__(self) -> str:
        return "this token is unknown here; leave it out to join as a new player"


class TooManyNew(GgpError):
    """More new players join than the manager accepts at a time."""

    def __str__(self) -> str:
        return "too many new players; come back later, or with a token from an earlier visit"


class Connection(Protocol):
    """A player's connection; sending only queues a message."""

    def send(self, message: ServerMessage) -> None:
        """Send a message."""

    def send_text(self, frame: str) -> None:
        """Send an encoded message."""

    def replace(self, farewell: Problem) -> None:
        """End the connection because the player has a new one."""


@dataclass(eq=False, slots=True)
class Member:
    """A player that has joined at some time.

    `matches`: those in play, each with the player's seat; `unheard`: those that ended while it was away. `stray_errors`
    counts its errors outside of matches.
    """

    id: int
    name: str
    connection: Connection | None = None
    preparation: Preparation | None = None
    """Of a connected player that prepares for games before its first match."""
    matches: dict[str, tuple[LiveMatch, Player]] = field(default_factory=dict)
    unheard: dict[str, tuple[LiveMatch, Player]] = field(default_factory=dict)
    stray_errors: int = 0
    names_competitions: bool = False
    """Whether it has asked to enter a competition; then it enters no other ones."""
    wish: Enter | None = None
    """The last competition that it asked to enter and that did not exist: it enters when it is created."""
    house: Callable[[str], None] | None = None
    """Receives the messages to the host's own player, which has no connection."""

    @property
    def outlet(self) -> Callable[[str], None] | None:
        """Receives its messages; None while it is away."""
        return self.connection.send_text if self.connection is not None else self.house

    def tell(self, message: ServerMessage) -> None:
        """Send a message, if it is connected."""
        if self.connection is not None:
            self.connection.send(message)

    def match_in_play(self, match: str | None) -> tuple[LiveMatch, Player] | None:
        """Return a match of the player that has not ended, and its seat."""
        entry = self.matches.get(match or "")
        return entry if entry is not None and entry[0].referee.ended is None else None

    def receive(self, message: MatchReply) -> bool | None:
        """Take a message to a match; return whether it answers a request, None if there is no such match in play."""
        entry = self.match_in_play(message.match)
        return None if entry is None else entry[0].receive(entry[1], message)

    def leave(self, match: LiveMatch) -> None:
        """Forget a match that is over or suspended, unless the player has yet to be told of its end."""
        entry = self.matches.pop(match.id, None)
        if entry is not None and match.is_settled and entry[1] in match.unheard:
            self.unheard[match.id] = entry
            while len(self.unheard) > MAX_UNHEARD:
                del self.unheard[next(iter(self.unheard))]


class Members:
    """All members; tokens are kept as hashes, so that a leaked store does not reveal any token.

    A name belongs to the first player who joined with it, as long as the store is used: results are recorded by name.
    """

    def __init__(self, store: Store, rows: Iterable[PlayerRow]) -> None:
        self._store = store
        self._by_token: dict[str, Member] = {}
        self._token_hashes: dict[int, str] = {}
        self._by_name: dict[str, Member] = {}
        self._by_skeleton: dict[str, Member] = {}
        self._connected: dict[int, Member] = {}
        self._names_taken: set[str] = set()
        self._new_players = TokenBucket(MAX_NEW_PLAYERS, NEW_PLAYERS_PER_S)
        self.by_id: dict[int, Member] = {}
        for row in rows:
            member = Member(row.id, row.name)
            self._add(member, row.token_hash)
            if row.token_hash.startswith(HOUSE_PREFIX):
                member.house = HousePlayer(member.receive).hear

    @property
    def connected(self) -> list[Member]:
        """All connected members, in the order in which they first joined."""
        return sorted(self._connected.values(), key=lambda member: member.id)

    async def house(self, number: int = 0) -> Member:
        """Return the host's own player of this number, created when it is first needed.

        Raises:
            StoreFailed: a new one cannot be stored.
        """
        found = self._by_token.get(_house_hash(number))
        if found is None:
            name = self._free_name(HOUSE_NAME)
            id_ = await self._store.written(add_player, name, _house_hash(number), wall_clock())
            found = Member(id_, name)
            self._add(found, _house_hash(number))
        if found.house is None:
            found.house = HousePlayer(found.receive).hear
        return found

    def named(self, name: str) -> Member | None:
        """Return the member of this name if it is connected or in a match."""
        member = self._by_name.get(name)
        return member if member is not None and (member.connection is not None or member.matches) else None

    async def admit(self, hello: Hello) -> tuple[Member, str]:
        """Return the member that says hello, a new one unless it sends a token, and its token.

        Raises:
            UnknownToken: the token is unknown.
            TooManyNew: it is new, and too many others are.
            StoreFailed: a new member cannot be stored.
        """
        if hello.token is not None:
            member = self._by_token.get(token_hash_of(hello.token))
            if member is None:
                raise UnknownToken
            return member, hello.token
        if not self._new_players.take():
            raise TooManyNew
        return await self._add_new(self._free_name(normalised(hello.name)))

    def has_name(self, name: str) -> bool:
        """Return whether a name, or one that looks like it, is a player's."""
        return skeleton(name) in self._by_skeleton or skeleton(name) in self._names_taken

    async def reserve(self, name: str) -> str:
        """Return the token of a new player that has a free name, for the host to pass on.

        Raises:
            StoreFailed: the player cannot be stored.
        """
        assert not self.has_name(name)
        return (await self._add_new(normalised(name)))[1]

    async def _add_new(self, name: str) -> tuple[Member, str]:
        self._names_taken.add(skeleton(name))  # reserved while it is being stored
        try:
            token = secrets.token_urlsafe(24)
            id_ = await self._store.written(add_player, name, token_hash_of(token), wall_clock())
        finally:
            self._names_taken.discard(skeleton(name))
        member = Member(id_, name)
        self._add(member, token_hash_of(token))
        return member, token

    def with_token(self, token: str) -> Member | None:
        """Return the member that has a token."""
        return self._by_token.get(token_hash_of(token))

    def view_key(self, match: str, player: int) -> str:
        """Return the key that lets others watch a match as one of its players sees it; only that player is given it."""
        return hmac.digest(self._token_hashes[player].encode(), f"view:{match}".encode(), "sha256").hex()[:32]

    def attach(self, member: Member, connection: Connection, *, prepares: bool = False) -> None:
        """Attach a connection to a member, and announce its matches on it; an older connection is closed.

        Args:
            member: who has connected.
            connection: where.
            prepares: whether it prepares for games, as its `hello` said.
        """
        if member.connection is not None:
            self.detach(member, member.connection, Problem("replaced", "the player has joined again elsewhere"))
        member.connection = connection
        member.preparation = Preparation(connection.send) if prepares else None
        self._connected[member.id] = member
        for match, seat in (*member.unheard.values(), *member.matches.values()):
            match.connect(seat, connection.send_text)
        member.unheard.clear()

    def detach(self, member: Member, connection: Connection, farewell: Problem | None = None) -> None:
        """Detach a connection from a member, if it is still attached."""
        if member.connection is not connection:
            return
        member.connection = None
        if member.preparation is not None:
            member.preparation.close()
            member.preparation = None
        del self._connected[member.id]
        for match, seat in member.matches.values():
            match.disconnect(seat, connection.send_text)
        if farewell is not None:
            connection.replace(farewell)

    def _add(self, member: Member, token_hash: str) -> None:
        self.by_id[member.id] = member
        self._by_token[token_hash] = member
        self._token_hashes[member.id] = token_hash
        self._by_name[member.name] = member
        self._by_skeleton.setdefault(skeleton(member.name), member)

    def _free_name(self, wish: str) -> str:
        name, number = wish, 1
        while self.has_name(name):
            number += 1
            suffix = f"-{number}" if number <= MAX_NUMBERED else f"-{secrets.token_hex(4)}"
            name = wish[: 64 - len(suffix)] + suffix
        return name


def _house_hash(number: int) -> str:
    """Return a stand-in for the token hash of a house player; it differs from every hash."""
    return f"{HOUSE_PREFIX}{number}"


def token_hash_of(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
