"""Matches that share a seed: it is published when all of them are over and no more are to come."""

from __future__ import annotations

from server.matches.members import Members
from server.matches.running_match import LiveMatch


class ChanceGroups:
    """Holds each seed back while a match with it is in play, or a competition has matches with it to come.

    Args:
        members: the players; a match is over for them when they have been told its seed.
    """

    def __init__(self, members: Members) -> None:
        self._members = members
        self._holders: dict[str, set[str]] = {}
        self._ended: dict[str, list[LiveMatch]] = {}
        """Matches that are over, and whose seed is not published."""

    def hold(self, group: str, holder: str) -> None:
        """Keep a group's seed secret until this holder lets go: a match, or a competition with matches to come."""
        self._holders.setdefault(group, set()).add(holder)

    def unhold(self, group: str, holder: str) -> None:
        """Release a hold without publishing the seed; see `let_go`."""
        self._holders.get(group, set()).discard(holder)

    def ended(self, group: str, match: LiveMatch) -> None:
        """Remember that a match is over and its seed is not published."""
        self._ended.setdefault(group, []).append(match)

    async def let_go(self, group: str, holder: str) -> None:
        """Release a hold, and publish the seed if it was the last one.

        Raises:
            StoreFailed: that could not be stored, and was not published.
        """
        self.unhold(group, holder)
        await self._release(group)

    async def release_all(self) -> None:
        """Publish all seeds without a hold.

        Raises:
            StoreFailed: that could not be stored, and was not published.
        """
        for group in list(self._ended):
            await self._release(group)

    async def _release(self, group: str) -> None:
        if self._holders.get(group):
            return
        self._holders.pop(group, None)
        for match in self._ended.pop(group, []):
            await match.release()
            for id_ in match.players:
                self._members.by_id[id_].leave(match)
