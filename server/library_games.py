"""Games of the rules library, and rules files that the host offers, for the manager."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.language import SourceFile, library_names, load_rules
from ggp.language.library import RulesNotFound
from ggp.model.faults import GameError
from ggp.model.loading import game_from_source
from server.game_interface import Game
from server.games import GameSource
from server.journal import Created


class LibraryGames:
    """Finds games by name, and makes them.

    Args:
        offered: paths of rules files that may be played besides the library. Names come from the network too, so any
            other path is refused.
    """

    faults: tuple[type[Exception], ...] = (GameError,)

    def __init__(self, offered: Sequence[str] = ()) -> None:
        self._offered = frozenset(offered)

    def find(self, game: str, parameters: Mapping[str, str]) -> GameSource:
        """Return the source of a game, with every parameter bound.

        Raises:
            RulesNotFound: there is no such game here.
            RulesInvalid: its rules are wrong, or a parameter does not fit.
        """
        if game not in library_names() and game not in self._offered:
            raise RulesNotFound(game, "see `ggp games` for the library")
        source, read_text = load_rules(game)
        files: dict[str, str] = {}

        def read_and_keep(name: str) -> str:
            files[name] = read_text(name)
            return files[name]

        made = game_from_source(source, parameters, read_and_keep)
        return GameSource(made.name, source.text, files, made.parameters)

    def load_created(self, created: Created) -> Game:
        """Make the game of the match whose journal begins like this.

        Raises:
            RulesInvalid: its rules are wrong.
        """
        return self.load(GameSource(created.game, created.rules, created.files, created.parameters))

    def load(self, source: GameSource) -> Game:
        """Make the game of a source.

        Raises:
            RulesInvalid: its rules are wrong.
        """

        def read_text(name: str) -> str:
            if name not in source.files:
                raise FileNotFoundError(f"the file `{name}` is not part of the match")
            return source.files[name]

        return game_from_source(SourceFile(f"{source.name}.rules", source.rules), source.parameters, read_text)
