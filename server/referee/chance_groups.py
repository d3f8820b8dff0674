"""Matches that share a seed: it is told when the last of them is over, and none of them is still to come."""

from __future__ import annotations

from server.matches.members import Members
from server.matches.running_match import LiveMatch


class ChanceGroups:
    """Which matches, and whoever has matches still to make, keep which seed from being told.

    Args:
        members: the players; one that has heard of the seed is done with its match.
    """

    def __init__(self, members: Members) -> None:
        self._members = members
        self._holders: dict[str, set[str]] = {}
        self._ended: dict[str, list[LiveMatch]] = {}
        """Matches that are over, and whose seed is not told."""

    def hold(self, group: str, holder: str) -> None:
        """Keep a group's seed secret until this holder lets go of it: a match, or who has matches still to make."""
        self._holders.setdefault(group, set()).add(holder)

    def unhold(self, group: str, holder: str) -> None:
        """Let go of a group's seed, without telling it; see `let_go`."""
        self._holders.get(group, set()).discard(holder)

    def ended(self, group: str, match: LiveMatch) -> None:
        """Remember that a match is over and its seed is not told."""
        self._ended.setdefault(group, []).append(match)

    async def let_go(self, group: str, holder: str) -> None:
        """Let go of a group's seed, and tell it if nobody else holds it.

        Raises:
            StoreFailed: that could not be stored, and was not told.
        """
        self.unhold(group, holder)
        await self._release(group)

    async def release_all(self) -> None:
        """Tell all seeds that nobody holds, of matches that are over.

        Raises:
            StoreFailed: that could not be stored, and was not told.
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
