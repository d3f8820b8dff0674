"""The library's games as typed trees."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.language import check, library_names, load_rules, render_all, typed


def library_games() -> list[str]:
    """Return the names of all games in `rules/`."""
    return list(library_names())


def load_typed(name: str, parameters: Mapping[str, str | int] | None = None) -> typed.Game:
    """Return a library game with its parameters bound."""
    source, read_text = load_rules(name)
    result = check(source, dict(parameters or {}), read_text)
    assert result.game is not None, render_all(result.diagnostics, source)
    return result.game
