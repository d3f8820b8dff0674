"""Games of the rules library, and rules files that the host offers, for the manager."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ggp.errors import GgpError
from ggp.faults import GameError
from ggp.game.game import Game as ModelGame
from ggp.language import SourceFile, library_names, load_rules, sent_files
from ggp.language.check.declarations.table_files import ReadText
from ggp.language.library import RulesNotFound
from ggp.rules_compiler.loading import game_from_source
from ggp.rules_compiler.rules_backend import rules_of
from server.matches.games import GameSource
from server.referee.game_interface import Game
from server.referee.journal import Created

MAX_FOUND = 64
"""Cached sources of library games: checking rules takes longer than starting a match."""

MAX_QUICK_WORK = 200_000
"""Combinations of values; each takes a few nanoseconds, or some tens of them for an operation on large sets."""
MAX_QUICK_LIST = 5_000
"""Legal actions of all players, and outcomes of chance; each takes a third of a microsecond to list."""


class LibraryGames:
    """Finds games by name and loads them; several threads may call it at once.

    Args:
        offered: paths of rules files that may be played besides the library. Names also come from the network, so any
            other path is refused.
    """

    faults: tuple[type[Exception], ...] = (GameError,)

    def __init__(self, offered: Sequence[str] = ()) -> None:
        self._offered = frozenset(offered)
        self._found = lru_cache(MAX_FOUND)(self._read)

    def find(self, game: str, parameters: Mapping[str, str]) -> GameSource:
        """Return the source of a game, with every parameter bound.

        Raises:
            RulesNotFound: there is no such game.
            RulesInvalid: its rules have errors, or a parameter does not fit.
        """
        if game not in library_names() and game not in self._offered:
            raise RulesNotFound(game, "see `ggp games` for the library")
        if game in self._offered:
            return self._read(game, *parameters.items())  # its author may be changing it
        return self._found(game, *sorted(parameters.items()))

    @staticmethod
    def _read(game: str, *parameters: tuple[str, str]) -> GameSource:
        source, read_text = load_rules(game)
        return _bound(source, dict(parameters), read_text)[1]

    def is_own(self, source: GameSource) -> bool:
        """Return whether the text of the rules is that of the game in the library, or of a file that is offered."""
        named = [source.name] if source.name in library_names() else []
        for name in (*named, *self._offered):
            try:
                own, read_text = load_rules(name)
                if own.text == source.rules and all(read_text(file) == text for file, text in source.files.items()):
                    return True
            except (GgpError, OSError, ValueError):
                continue  # its author may be changing it, or there is no such file beside it
        return False

    def load_created(self, created: Created) -> Game:
        """Load the game of the match whose journal begins with this event.

        Raises:
            RulesInvalid: its rules are wrong.
        """
        return self.load(GameSource(created.game, created.rules, created.files, created.parameters))

    def load(self, source: GameSource) -> Game:
        """Load the game of a source; see `load_bound`."""
        return self.load_bound(source)[0]

    def load_bound(self, source: GameSource) -> tuple[Game, GameSource]:
        """Load and compile the game of a source; its native functions release the GIL.

        Returns:
            The game, and its source: its own name, every parameter bound, only the files that it reads.

        Raises:
            RulesInvalid: its rules are wrong, or a parameter does not fit.
        """
        rules = SourceFile(f"{source.name}.rules", source.rules)
        made, bound = _bound(rules, source.parameters, sent_files(source.files))
        game = made.releasing_gil()
        game.initial()  # compiled here, and not on the first player's clock
        return game, bound

    def is_quick(self, game: Game) -> bool:
        """Return whether the bounds of a game exclude transitions of more than a few milliseconds."""
        assert isinstance(game, ModelGame)
        shape = game.shape
        listed = shape.max_actions * shape.players + shape.max_outcomes
        return rules_of(game).rules.work <= MAX_QUICK_WORK and listed <= MAX_QUICK_LIST


def _bound(rules: SourceFile, parameters: Mapping[str, str], read_text: ReadText) -> tuple[ModelGame, GameSource]:
    """Return a game, and its source with every parameter bound and the files that it reads."""
    files: dict[str, str] = {}

    def read_and_keep(name: str) -> str:
        files[name] = read_text(name)
        return files[name]

    game = game_from_source(rules, parameters, read_and_keep)
    return game, GameSource(game.name, rules.text, files, game.parameters)
