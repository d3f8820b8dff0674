"""The matches of a competition that are in play."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ggp.competition.results import MatchOutcome
from server.competitions.legs import Leg
from server.competitions.progress import Progress
from server.matches.members import Member


@dataclass(frozen=True, slots=True)
class Playing:
    """A match in play: its leg, or the entrant that it qualifies, and when it began."""

    leg: Leg | None
    qualifying: int | None
    names: tuple[str, ...]
    players: tuple[int, ...]
    match: str
    began_s: float


class MatchesInPlay:
    """The matches of one competition that are in play.

    Args:
        progress: of the competition; kept up to date.
        wake: called when a match is over.

    Attributes:
        busy: how many ranked matches each player is playing.
    """

    def __init__(self, progress: Progress, wake: Callable[[], None]) -> None:
        self.busy: Counter[int] = Counter()
        self._progress = progress
        self._wake = wake
        self._by_task: dict[asyncio.Task[MatchOutcome | None], Playing] = {}

    @property
    def all(self) -> list[Playing]:
        """All of them, in the order in which they began."""
        return list(self._by_task.values())

    @property
    def ranked(self) -> list[Playing]:
        """All except qualifying matches."""
        return [one for one in self._by_task.values() if one.leg is not None]

    def add(
        self,
        task: asyncio.Task[MatchOutcome | None],
        match: str,
        members: Sequence[Member],
        leg: Leg | None,
        qualifying: int | None,
    ) -> None:
        """Add a match that has begun.

        Args:
            task: returns its end.
            match: its name.
            members: its players, without the host's own.
            leg: its place in the competition; None for a qualifying match.
            qualifying: the entrant that a qualifying match is for.
        """
        names = tuple(member.name for member in members)
        players = tuple(member.id for member in members)
        began_s = asyncio.get_running_loop().time()
        self._by_task[task] = Playing(leg, qualifying, names, players, match, began_s)
        if leg is not None:
            self.busy.update(players)
        self._show()
        task.add_done_callback(self._woken)

    def take_over(self) -> list[tuple[asyncio.Task[MatchOutcome | None], Playing]]:
        """Remove and return the matches that are over."""
        over = [(task, playing) for task, playing in self._by_task.items() if task.done()]
        for task, playing in over:
            del self._by_task[task]
            if playing.leg is not None:
                self.busy.subtract(playing.players)
        if over:
            self._show()
        return over

    def forget(self) -> None:
        """Stop calling `wake`."""
        for task in self._by_task:
            task.remove_done_callback(self._woken)

    def _woken(self, _: object) -> None:
        self._wake()

    def _show(self) -> None:
        self._progress.playing = [" - ".join(one.names) for one in self.ranked]
        self._progress.at_once = max(self._progress.at_once, float(len(self._by_task)))
