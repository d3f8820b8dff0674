"""Actions as people give them and read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

PlayerName: TypeAlias = "int | str"
"""A player by number, from 0, or by name."""


class Action(int):
    """An action: its number, printed as its text."""

    text: str

    def __new__(cls, number: int, text: str) -> Action:
        """Make the action of a number and a text."""
        action = super().__new__(cls, number)
        action.text = text
        return action

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]
        return int(self), self.text


ActionGiven: TypeAlias = "int | str"
"""An action by number (an `Action` is one) or by text."""

JointGiven: TypeAlias = (
    "ActionGiven | Mapping[str, ActionGiven] | Mapping[int, ActionGiven] | Sequence[ActionGiven | None]"
)
"""A joint action: by player; or in order, of all players (None for those who do not act) or of those who act; or, where
one player acts, its action."""
