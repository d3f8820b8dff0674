"""The library's games as typed trees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import rules
from ggp.language import load_library_game, typed


def library_games() -> list[str]:
    """Return the names of all games in `rules/`."""
    return sorted(path.stem for path in Path(rules.__path__[0]).glob("*.rules"))


def load_typed(name: str, parameters: Mapping[str, str] | None = None) -> typed.Game:
    """Return a library game with its parameters bound."""
    return load_library_game(name, dict(parameters or {}))
