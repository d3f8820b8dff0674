"""What a manager's pages offer besides watching: seats, a workshop, and publishing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.routing import BaseRoute

from server.network.answers import Access
from server.network.host import Host
from studio.publishing import Publisher, Who
from studio.visitors import Visitors


class ManagerPages:
    """The addresses for people, of one manager.

    Args:
        visitors: people who may use processes at the same time.
        who: who may publish.
        admin_token: see `Access`.
        folder: keeps what belongs to published games.
    """

    def __init__(self, visitors: int, who: Who, admin_token: str | None, folder: Path) -> None:
        self._visitors, self._who, self._access, self._folder = visitors, who, Access(admin_token), folder
        self._publisher: Publisher | None = None

    def routes(self, host: Host) -> Sequence[BaseRoute]:
        """Return the addresses for a manager."""
        self._publisher = Publisher(host, self._who, self._access, self._folder)
        return [*Visitors(host.manager, self._visitors).routes(), *self._publisher.routes()]

    async def begin(self, address: str) -> None:
        """Let the bots of published games join, at an address of the manager."""
        if self._publisher is not None:
            await self._publisher.begin(address)

    async def close(self) -> None:
        """End the bots."""
        if self._publisher is not None:
            await self._publisher.close()
