"""The manager's source of games: finds rules by name and parameters, and loads games from rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct, field

from server.referee.game_interface import Game


class GameSource(Struct, frozen=True):
    """The text of a game with all its parameters bound: enough to play it, and to replay a journal."""

    name: str
    rules: str
    files: Mapping[str, str] = field(default_factory=dict)
    """Files that the rules read, by name."""
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A text that is the same for the same game."""
        return repr((self.name, self.rules, sorted(self.files.items()), sorted(self.parameters.items())))


def teams_of(game: Game) -> tuple[int, ...]:
    """Return the number of each player's team; empty if each plays alone, as far as the game says."""
    return tuple(getattr(game, "teams", ()))


class Games(Protocol):
    """Finds and loads games. Both may take seconds, so they are called outside the event loop."""

    faults: tuple[type[Exception], ...]
    """What these games raise if their rules fail in play."""

    def find(self, game: str, parameters: Mapping[str, str]) -> GameSource:
        """Return the source of a game of the library, with every parameter bound.

        Raises:
            GgpError: there is no such game, it has no such parameters, or its rules have errors.
        """

    def is_own(self, source: GameSource) -> bool:
        """Return whether the rules are the host's; those of strangers are loaded in processes of their own."""

    def load_bound(self, source: GameSource) -> tuple[Game, GameSource]:
        """Load the game of a source; return it, and its source by its own name, with every parameter bound.

        Raises:
            GgpError: its rules have errors, or have no such parameters.
        """

    def is_quick(self, game: Game) -> bool:
        """Return whether it is certain that no transition of a game takes longer than some milliseconds."""
