"""What the referee needs of a game, as protocols; `ggp.game` implements them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NewType, Protocol

Player = NewType("Player", int)
"""A seat of a match: the position of its role in the game's list of players."""


class State(Protocol):
    """An immutable world state, together with what the transition that led to it told the players."""

    @property
    def words(self) -> tuple[Any, ...]:
        """The whole state as plain data; see `Game.state`."""

    @property
    def phase(self) -> str | None:
        """The name of the phase; None when the game is over."""

    def is_terminal(self) -> bool:
        """Return whether the game is over."""

    def is_chance(self) -> bool:
        """Return whether chance acts."""

    def actors(self) -> Sequence[int]:
        """Return the players who act, in ascending order; empty if chance acts or the game is over."""

    def legal(self, player: int) -> Sequence[Any]:
        """Return the legal actions of a player who acts; each prints as its text, and all texts differ."""

    def chance_outcomes(self) -> Sequence[tuple[Any, float]]:
        """Return the outcomes of chance with their probabilities, in a fixed order."""

    def outcome_text(self, outcome: Any) -> str:
        """Return the text of a chance outcome of this state."""

    def parse_outcome(self, text: str) -> Any:
        """Return the chance outcome of this state that a text names."""

    def apply(self, joint: Mapping[int, Any]) -> State:
        """Return the state after the actions of all players who act."""

    def apply_outcome(self, outcome: Any) -> State:
        """Return the state after a chance outcome."""

    def readable_observation(self, player: int) -> Sequence[tuple[str, Any]]:
        """Return what the last transition told a player, as labels and JSON values; empty if nothing."""

    def utilities(self) -> Sequence[float]:
        """Return each player's utility in a terminal state."""


class Game(Protocol):
    """A game with its parameters bound."""

    @property
    def players(self) -> Sequence[str]:
        """The roles."""

    def initial(self) -> State:
        """Return the state in which play begins."""

    def state(self, words: tuple[Any, ...]) -> State:
        """Return the state with these words, without the transition that led to it."""
