"""A game in play: its table, the bots at it, and the windows that show it: one, or several where seats have links.

The event loop only passes messages on. Whatever reads or changes the table runs in one thread, in the order of the
messages; bots think in others.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from starlette.websockets import WebSocketDisconnect

from ggp.errors import GgpError
from studio.bots import Bot
from studio.table import Table

MAX_OPEN = 64
"""Rooms with links that are kept; the oldest are closed."""
T = TypeVar("T")


class Window(Protocol):
    """What a room knows of a session.

    Attributes:
        people: the roles that are played in the window.
    """

    people: tuple[int, ...]

    async def show(self) -> None:
        """Send the last position."""

    async def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message."""

    async def stop_advice(self) -> None:
        """End an analysis that is under way."""

    async def move(self, room: Room) -> None:
        """Go on in a room that takes the place of this one."""


class Room:
    """A table, who plays at it, and who looks on.

    Attributes:
        table: where the game is played.
        bots: who plays the roles of no person.
        facts: what every window is told when it comes.
        links: by role, the secret that a window shows which takes the seat.
        secret: of the host, who began the game; empty where no seat has a link.
        windows: that are open.
        spent_s: seconds that each role has thought.
    """

    def __init__(
        self,
        table: Table,
        bots: Mapping[int, Bot],
        facts: Mapping[str, Any],
        linked: Iterable[int] = (),
        earlier: Room | None = None,
        name: str = "",
    ) -> None:
        """Make a room that nobody has come to.

        Args:
            table: where the game is played.
            bots: by role.
            facts: for every window.
            linked: the roles whose seats have links.
            earlier: whose place this room takes: its links stay good.
            name: with which its secrets begin.
        """
        self.table, self.bots, self.facts = table, bots, facts
        known = {} if earlier is None else earlier.links
        own = name + secrets.token_urlsafe(16) if earlier is None else earlier.secret
        self.links: dict[int, str] = {role: known.get(role) or name + secrets.token_urlsafe(16) for role in linked}
        self.secret: str = own if self.links else ""
        self.windows: list[Window] = []
        self.spent_s = [0.0] * len(table.game.players)
        self._since = time.monotonic()
        """When the position was reached, by a monotonic clock."""
        self._moved = asyncio.Event()
        """A person has chosen since the last position was sent."""
        self._playing: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "table")

    def people(self, secret: str) -> tuple[int, ...]:
        """Return the roles that are played in a window which shows a secret."""
        linked = tuple(role for role, link in self.links.items() if link == secret)
        roles = range(len(self.table.game.players))
        return linked or tuple(role for role in roles if role not in self.bots and role not in self.links)

    async def in_order(self, call: Callable[..., T], *args: object) -> T:
        """Make a call in the table's thread, after all that were asked for before."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, call, *args)

    async def admit(self, window: Window) -> None:
        """Let a window in, and show it the game."""
        self.windows.append(window)
        await self._tell_who_is_absent()
        if self._playing is None:
            self._playing = asyncio.create_task(self._go_on())
        else:
            await window.show()

    async def dismiss(self, window: Window) -> None:
        """Let a window go. Nothing is played for nobody; what has links waits for the next to come."""
        if window in self.windows:
            self.windows.remove(window)
        await self._tell_who_is_absent()
        if not self.windows:
            await self._halt()
            if not self.links:
                self.close()

    def close(self) -> None:
        """End the table's thread: the room is not used any more."""
        self._thread.shutdown(wait=False)

    async def play(self, role: int, action: str) -> None:
        """Choose an action for a person.

        Raises:
            NotPossible: the role is not to act.
            IllegalAction: the action is not legal.
        """
        async with self._changing:
            await self._choose(role, action)
            self._moved.set()

    async def back(self, to: int) -> None:
        """Take back what followed a position.

        Raises:
            NotPossible: there is no such position.
        """
        async with self._changing:
            await self._halt()
            await self._each(lambda window: window.stop_advice())
            try:
                await self.in_order(self.table.back, to)
            finally:
                self._playing = asyncio.create_task(self._go_on())

    async def _halt(self) -> None:
        playing, self._playing = self._playing, None
        if playing is not None:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing

    async def _go_on(self) -> None:
        """Show each position and do what is next: chance's transition, the bots' choices, or waiting for people."""
        while True:
            self._moved.clear()
            await self._each(lambda window: window.show())
            try:
                if self._moved.is_set() or await self.in_order(self.table.draw) or await self._ask_bots():
                    continue
            except GgpError as error:
                problem = {"type": "problem", "text": str(error)}
                await self._each(lambda window, problem=problem: window.tell(problem))  # type: ignore[misc]
            await self._moved.wait()

    async def _choose(self, role: int, action: str) -> None:
        made = len(self.table.made)
        await self.in_order(self.table.choose, role, action)
        now = time.monotonic()
        self.spent_s[role] += now - self._since
        if len(self.table.made) > made:
            self._since = now

    async def _ask_bots(self) -> bool:
        """Let the bots choose that are to act; return whether a transition was made."""
        thinking = [role for role in self.table.waiting() if role in self.bots]
        before = len(self.table.made)
        actions = await asyncio.gather(*(asyncio.to_thread(self.bots[role].choose, self.table) for role in thinking))
        for role, action in zip(thinking, actions, strict=True):
            await self._choose(role, action)
        return len(self.table.made) > before

    async def _tell_who_is_absent(self) -> None:
        """Tell which people have no window open."""
        if not self.links:
            return
        here = {role for window in self.windows for role in window.people}
        absent = [role for role in range(len(self.table.game.players)) if role not in self.bots and role not in here]
        await self._each(lambda window: window.tell({"type": "absent", "roles": absent}))

    async def _each(self, call: Callable[[Window], Awaitable[None]]) -> None:
        """Call all windows. What goes wrong in one is told there, and does not keep the others from playing."""
        for window in tuple(self.windows):
            with suppress(WebSocketDisconnect):  # its session notices, and leaves
                try:
                    await call(window)
                except GgpError as error:
                    await window.tell({"type": "problem", "text": str(error)})


class Rooms:
    """The rooms that can be come to with a secret.

    Args:
        name: with which all secrets begin, so that they tell in which process a room is.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self._open: list[Room] = []

    def find(self, secret: str) -> Room | None:
        """Return the room that a secret opens, the host's or a link's."""
        given = secret.encode()
        for room in self._open:
            if any(secrets.compare_digest(one.encode(), given) for one in (room.secret, *room.links.values())):
                return room
        return None

    def hosted(self, secret: str) -> Room | None:
        """Return the room whose host's secret this is."""
        room = self.find(secret)
        return room if room is not None and room.secret == secret else None

    async def replace(self, earlier: Room | None, room: Room) -> None:
        """Keep a room if it has links; let the windows of the one before it move there, and close that."""
        if room.links:
            self._open.append(room)
        old = [] if earlier is None else [earlier]
        for one in [*old, *self._open[:-MAX_OPEN]]:
            if one in self._open:
                self._open.remove(one)
            for window in tuple(one.windows):
                with suppress(WebSocketDisconnect):
                    await window.move(room)
            one.close()
