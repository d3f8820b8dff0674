"""General game playing: games in small rule files, strong players, competitions on the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ggp.model.actions import Action
    from ggp.model.game import Game, State
    from ggp.model.makers.loading import load

__all__ = ["Action", "Game", "State", "load"]


def __getattr__(name: str) -> object:
    """Import the parts for playing when they are first used: `import ggp` itself stays light."""
    if name == "load":
        from ggp.model.makers.loading import load

        return load
    if name in __all__:
        from ggp.model import game

        return getattr(game, name)
    raise AttributeError(f"module 'ggp' has no attribute '{name}'")
