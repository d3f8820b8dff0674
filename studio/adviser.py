"""Sends what a search says of positions, one request at a time: the next one ends the one before."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from ggp.errors import GgpError
from studio.analysis import Advice, Analysis
from studio.table import NotPossible, Table

SERIOUS = 0.05
"""Losses that count as mistakes, as a share of the range of a player's utilities: searches err, too."""
CURVE_S, LONGEST_S = 8.0, 0.5
"""Seconds for the mistakes in a game in which something is hidden, and for one decision at most."""
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Adviser:
    """Analyses the positions of one table for one window."""

    def __init__(self, table: Table, send: Send) -> None:
        self._table, self._send = table, send
        self._analysis = Analysis(table.game)
        self._task: asyncio.Task[None] | None = None

    async def advise(self, at: int, role: int | None) -> None:
        """Send advice on a position, better and better, as `advice` messages.

        Raises:
            NotPossible: there is no such position.
        """
        if not 0 <= at < len(self._table.positions):
            raise NotPossible(f"there is no position {at}")
        await self._start(self._send_advice(at, role))

    async def draw_curve(self) -> None:
        """Send the worth of each position so far, as `worth` and `mistake` messages, and `drawn` at the end.

        Raises:
            NotPossible: something is hidden, and the game is not over.
        """
        if not (self._table.is_over or self._table.game.perfect_information):
            raise NotPossible("the curve would show what is hidden: wait for the end of the game")
        await self._start(self._send_curve())

    async def stop(self) -> None:
        """End what is under way."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _start(self, work: Any) -> None:
        await self.stop()
        self._task = asyncio.create_task(self._guarded(work))

    async def _guarded(self, work: Awaitable[None]) -> None:
        try:
            await work
        except GgpError as error:
            await self._send({"type": "advice", "at": None, "problem": str(error)})

    async def _send_advice(self, at: int, role: int | None) -> None:
        steps = self._analysis.advise(self._table, at, role)
        while (advice := await asyncio.to_thread(next, steps, None)) is not None:
            await self._send({"type": "advice", "at": at, **asdict(advice)})

    async def _send_curve(self) -> None:
        table = self._table
        for at in range(len(table.positions)):
            found = await asyncio.to_thread(self._analysis.values_at, table, at)
            if found is None:
                continue
            values, advice = found
            mistake = {"loss": None, "best": None}
            if advice is not None and table.game.perfect_information:
                mistake = self._mistake(at, advice)
            await self._send({"type": "worth", "at": at, "values": values, **mistake})
        if not table.game.perfect_information:
            await self._send_mistakes_as_told()
        await self._send({"type": "drawn"})

    async def _send_mistakes_as_told(self) -> None:
        """Send the mistakes of each player by what it knew itself."""
        made = self._table.made
        seconds = CURVE_S / max(1, sum(len(one.actions) for one in made))
        for role in range(len(self._table.game.players)):
            wanted = [at for at, one in enumerate(made) if list(one.actions) == [role]]
            steps = self._analysis.as_told(self._table, role, wanted, min(seconds, LONGEST_S)) if wanted else iter(())
            while (found := await asyncio.to_thread(next, steps, None)) is not None:
                mistake = self._mistake(*found)
                if mistake["best"] is not None:
                    await self._send({"type": "mistake", "at": found[0], **mistake})

    def _mistake(self, at: int, advice: Advice) -> dict[str, Any]:
        """Return how much worse than the best an action was, and the best one; Nones where it is not serious."""
        none = {"loss": None, "best": None}
        if at == len(self._table.made):
            return none
        ((role, played),) = self._table.made[at].actions.items()
        low, high = self._table.game.utility_bounds[role]
        worth = dict(zip(advice.actions, advice.utilities, strict=True))
        chosen = max(zip(advice.shares, advice.actions, strict=True))[1]
        top, own = worth[chosen], worth.get(played)
        is_serious = top is not None and own is not None and top - own > SERIOUS * (high - low)
        return {"loss": top - own, "best": chosen} if is_serious else none  # type: ignore[operator]
