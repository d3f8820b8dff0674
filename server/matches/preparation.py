"""Players that prepare for a game, such as by compiling it, before their first match of it and not on its clock."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from ggp.protocol.messages import Prepare
from server.matches.games import GameSource

MAX_PREPARATION_S = 300.0
"""How long matches of a game wait for a player that prepares for it."""

MAX_KNOWN = 256
"""Sources that are recognised by identity."""


class Preparation:
    """The games for which one player prepares on its present connection."""

    def __init__(self, tell: Callable[[Prepare], None]) -> None:
        self._tell = tell
        self._numbers: dict[str, int] = {}
        self._known: dict[int, tuple[GameSource, int]] = {}
        """The numbers of sources by their identity: comparing whole rules would take long, as this is asked often."""
        self._answered: list[asyncio.Event] = []
        self._until_s: list[float] = []

    def ask(self, source: GameSource) -> int:
        """Tell the player a game, unless it has been told already; return the game's number."""
        known = self._known.get(id(source))
        if known is not None:
            return known[1]
        number = self._numbers.setdefault(source.key, len(self._numbers))
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        self._known[id(source)] = source, number
        if number == len(self._answered):
            self._answered.append(asyncio.Event())
            self._until_s.append(time.monotonic() + MAX_PREPARATION_S)
            self._tell(Prepare(number, source.name, source.rules, dict(source.files), dict(source.parameters)))
        return number

    def answer(self, number: int) -> bool:
        """Take the player's answer; return whether it answers a request."""
        if number >= len(self._answered):
            return False
        self._answered[number].set()
        return True

    def is_under_way(self, source: GameSource) -> bool:
        """Return whether a match of a game should wait for the player."""
        number = self.ask(source)
        return not self._answered[number].is_set() and time.monotonic() < self._until_s[number]

    async def ended(self, source: GameSource) -> None:
        """Wait until the player is prepared for a game, has gone, or has taken too long."""
        number = self.ask(source)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._until_s[number] - time.monotonic()):
                await self._answered[number].wait()

    def close(self) -> None:
        """Let nothing wait any more: the player has gone."""
        for event in self._answered:
            event.set()
