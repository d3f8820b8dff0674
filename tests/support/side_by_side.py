"""Games of ours and OpenSpiel's of the same rules, and its numbers of actions as our texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyspiel

from ggp.game.game import Game
from ggp.rules_compiler.loading import load
from tests.support.native_side_by_side import OpenSpiel, Text, compare_native


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
    """

    name: str
    parameters: Mapping[str, str | int]
    theirs: str
    action: Text
    outcome: Text = field(default=lambda _, number: str(number + 1), kw_only=True)
    passing: int | None = field(default=None, kw_only=True)
    unit: float = field(default=1.0, kw_only=True)

    def __str__(self) -> str:
        return " ".join([self.name, *map(str, self.parameters.values())])

    def ours(self) -> Game:
        return load(self.name, **self.parameters)

    def begun(self, game: pyspiel.Game) -> OpenSpiel:
        """Return a game of theirs at its beginning, which speaks our texts."""
        return OpenSpiel(game, self.action, self.outcome, together=True, passing=self.passing, unit=self.unit)


def numbered(*texts: str) -> Text:
    """Actions that theirs numbers in the order of these texts."""
    return lambda _, number: texts[number]


def betting(state: pyspiel.State, number: int) -> str:
    """A bet of limit poker in theirs, where a check is a call."""
    return ("fold", "call" if 0 in state.legal_actions() else "check", "raise 1")[number]


def less(offset: int) -> Text:
    """Actions that are numbers, in theirs less by an offset."""
    return lambda _, number: str(number + offset)


def from_first_row(width: int) -> Text:
    """Cells that theirs numbers row by row, from the row that is the first in ours."""
    return lambda _, number: f"{chr(ord('a') + number % width)}{number // width + 1}"


def from_last_row(size: int) -> Text:
    """Cells of a square board that theirs numbers row by row, from the row that is the last in ours."""
    return lambda _, number: f"{chr(ord('a') + number % size)}{size - number // size}"


def liars_action(state: pyspiel.State, number: int) -> str:
    text = state.action_to_string(number)
    return "liar" if text == "Liar" else f"bid {text.replace('-', ' ')}"


def compare(pair: Pair, *, games: int, knows: bool = False) -> None:
    """Compare random games; where theirs has ended and ours has not, what is left of ours has to be forced.

    Args:
        pair: the two games.
        games: how many games.
        knows: whether information states are compared.
    """
    theirs = pyspiel.load_game(pair.theirs)
    knowledge = (lambda model, player: model.state.information_state_string(player)) if knows else None
    begin: Callable[[], OpenSpiel] = lambda: pair.begun(theirs)  # noqa: E731
    compare_native(pair.ours(), begin, games=games, seed=games, knowledge=knowledge, ends_early=True)
