"""Players by what they can do, asked of the registry."""

from __future__ import annotations

from players.agents.registry import PLAYERS
from players.search.simultaneous.tree_search import Family


def tree_players() -> list[str]:
    """Return the players that search the tree which simultaneous moves share."""
    return [name for name, kind in PLAYERS.items() if kind.module and isinstance(kind.family, Family)]
