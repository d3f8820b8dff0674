"""Games of ours and OpenSpiel's of the same rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyspiel

from experiments.openspiel_texts import TextOf
from ggp.game.game import Game
from ggp.rules_compiler.loading import load
from tests.support.native_side_by_side import OpenSpiel, compare_native


@dataclass(frozen=True)
class Pair:
    """A game of ours and OpenSpiel's of the same rules.

    Attributes:
        name: of ours.
        parameters: of ours.
        theirs: OpenSpiel's, with its parameters.
        action: our text of an action of theirs.
        outcome: our text of a value that theirs draws; ours draws several at once.
        passing, unit: see `OpenSpiel`.
        ends_early: whether theirs may have ended where what is left of ours is forced.
    """

    name: str
    parameters: Mapping[str, str | int]
    theirs: str
    action: TextOf
    outcome: TextOf = field(default=lambda _, number: str(number + 1), kw_only=True)
    passing: int | None = field(default=None, kw_only=True)
    unit: float = field(default=1.0, kw_only=True)
    ends_early: bool = field(default=False, kw_only=True)

    def __str__(self) -> str:
        return " ".join([self.name, *map(str, self.parameters.values())])

    def ours(self) -> Game:
        return load(self.name, **self.parameters)

    def begun(self, game: pyspiel.Game) -> OpenSpiel:
        """Return a game of theirs at its beginning, which speaks our texts."""
        return OpenSpiel(game, self.action, self.outcome, together=True, passing=self.passing, unit=self.unit)


def compare(pair: Pair, *, games: int, knows: bool = False) -> None:
    """Compare random games.

    Args:
        pair: the two games.
        games: how many games.
        knows: whether information states are compared.
    """
    theirs = pyspiel.load_game(pair.theirs)
    knowledge = (lambda model, player: model.state.information_state_string(player)) if knows else None
    begin: Callable[[], OpenSpiel] = lambda: pair.begun(theirs)  # noqa: E731
    compare_native(pair.ours(), begin, games=games, seed=games, knowledge=knowledge, ends_early=pair.ends_early)
