"""Players by what they can do, taken from the registry, so that tests meet those that are added."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from players.agents.registry import PLAYERS
from players.agents.requirements import turns

TREE_PLAYERS = [name for name, kind in PLAYERS.items() if kind.module.startswith("players.search.simultaneous.")]
"""Players that search simultaneous moves by sampling, in the tree of `players.search.simultaneous`."""

SIMULTANEOUS_PLAYERS = [name for name, kind in PLAYERS.items() if kind.module and turns not in kind.requirements]
"""Players that search from known states in which several may act at once."""


def family_module(name: str) -> ModuleType:
    """Return the module of a tree search: `select`, `update`, `FAMILY`."""
    return import_module(PLAYERS[name].module)
