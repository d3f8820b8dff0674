"""The rules files that experiments bring along: found from any working directory, recorded without it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]


def rules_file(name: str) -> str:
    """Return the path of a rules file beside the experiments."""
    return str(ROOT / "experiments" / f"{name}.rules")


def recorded_name(game: str) -> str:
    """Return what records call a game: a path inside the project relative to it, so that they can be moved."""
    path = Path(game)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else game


def game_here(game: str) -> str:
    """Return a game as `ggp.load` takes it: a rules file beside the experiments, by its name, or a library game."""
    return rules_file(game.removesuffix(".rules")) if game.endswith(".rules") else game
