"""The games that a manager announces: what a player that joins it now will have to play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ggp.cli.manager_client import ManagerClient, ManagerRefuses, part
from ggp.errors import GgpError

if TYPE_CHECKING:
    from ggp.model.game import Game

STATES = ("registering", "running", "paused")
"""Of competitions that may still bring matches."""
TIMEOUT_S = 5.0
"""For each request: the player joins anyway, so a manager that does not answer must not delay it."""
MAX_COMPETITIONS = 16
"""With more of them, what will be played is unknown."""


def announced_games(manager: ManagerClient, competition: str | None) -> list[Game]:
    """Return the games of the competitions that a player enters by joining; empty if the manager does not tell.

    Args:
        manager: may be a stranger's: of its answers nothing is trusted but the texts of rules, which the player would
            compile anyway once a match begins.
        competition: the competition that the player asks to enter, by name or number, if any.
    """
    try:
        listed = [one for state in STATES for one in manager.get(f"/competitions?state={state}&limit=1000")]
        entered = [one["competition"] for one in listed if one["entry"] == "everybody"]
        entered += [] if competition is None else [competition]
        if len(entered) > MAX_COMPETITIONS:
            return []
        chosen = [manager.get(f"/competitions/{part(one)}")["settings"]["games"] for one in entered]
        return [game for games in chosen for one in games for game in _loaded(one)]
    except (ManagerRefuses, LookupError, TypeError, AttributeError):
        return []


def _loaded(choice: dict[str, Any]) -> Iterator[Game]:
    """Yield the game that a competition names, unless its rules have errors or the library here does not have it."""
    from ggp.language.library import library_names
    from ggp.model.makers.loading import load
    from players.network_player import game_of

    name, rules, parameters = choice["game"], choice["rules"], choice["parameters"]
    try:
        if rules is not None:
            yield game_of(name, rules, tuple(parameters.items()), tuple(choice["files"].items()))
        elif name in library_names():  # anything else could be a path on this machine
            yield load(name, **parameters)
    except GgpError:
        return
