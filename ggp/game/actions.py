"""Players and actions as people name them: what they may give, what it means, what they read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ggp.faults import IllegalAction, UnknownPlayer

if TYPE_CHECKING:
    from ggp.game.backend import Codec

MAX_KEPT = 50_000
"""Actions, and joint actions of one player or of chance, that are kept once made."""

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


class Actions(dict[int, Action]):
    """The actions of a game by their numbers, made when they are first asked for."""

    def __init__(self, codec: Codec) -> None:
        super().__init__()
        self._codec = codec
        self.table: list[Action | None] = [None] * min(codec.action_count, MAX_KEPT)
        """Those that are kept, by number; native code looks there."""

    def __missing__(self, number: int) -> Action:
        action = Action(number, self._codec.action_text(number))
        if number < len(self.table):
            self[number] = self.table[number] = action
        return action


class ActionPart(NamedTuple):
    """A component of an action: its name and its type in the rules, and its value, as texts.

    The type of a number of steps in a direction of the same action ends in the direction's name: `1..7 along d`; that
    of a direction in which what a variable places goes, in the variable's: `direction from me`.
    """

    name: str
    type: str
    text: str


ActionGiven: TypeAlias = "int | str"
"""An action by number (an `Action` is one) or by text."""

# keys are Any: those of a mapping are invariant, and a checker would refuse names alone, or mixed with numbers
JointGiven: TypeAlias = "ActionGiven | Mapping[Any, ActionGiven] | Sequence[ActionGiven | None]"
"""A joint action: by player; or in order, of all players (None for those who do not act) or of those who act; or, where
one player acts, its action."""


def player_number(player: PlayerName, names: Sequence[str], game: str) -> int:
    """Return a player's number.

    Args:
        player: by number or by name.
        names: of the game's players, in order.
        game: the game's name, for the message.

    Raises:
        UnknownPlayer: the game has no such player.
        TypeError: it is neither a name nor an integer.
    """
    if isinstance(player, str):
        if player in names:
            return names.index(player)
    elif 0 <= index(player) < len(names):
        return int(player)
    raise UnknownPlayer(f"{game} has no player `{player}`; its players are {', '.join(names)}")


def integer(given: object, name: str) -> int:
    """Return what was given for an argument as an integer.

    Raises:
        TypeError: it is none, such as 2.0 or None.
    """
    try:
        return index(given)  # type: ignore[arg-type]
    except TypeError as error:
        raise TypeError(f"`{name}` is an integer, and this is {given!r}") from error


def actions_by_player(
    joint: JointGiven, actors: Sequence[int], names: Sequence[str], game: str
) -> dict[int, ActionGiven]:
    """Return the action given for each player, by the player's number.

    Args:
        joint: in any form of `JointGiven`.
        actors: the players who act, in order.
        names: of the game's players, in order.
        game: the game's name, for the message.

    Raises:
        IllegalAction: it cannot be told whose actions these are, or there are two for one player.
        UnknownPlayer: the game has no such player.
    """
    if isinstance(joint, Mapping):
        given = {player_number(player, names, game): action for player, action in joint.items()}
        if len(given) < len(joint):
            raise IllegalAction("a player is given two actions, one by name and one by number")
        return given
    if isinstance(joint, (int, Integral, str)):  # numpy's integers are no int
        if len(actors) != 1:
            raise IllegalAction("a single action says too little where several players act")
        return {actors[0]: joint}
    if not hasattr(joint, "__len__"):
        raise IllegalAction(f"`{joint}` is no action: it is a number or a text, or there is one for each player")
    if len(joint) == len(names):
        return {player: action for player, action in enumerate(joint) if action is not None}
    if len(joint) == len(actors):
        return {player: action for player, action in zip(actors, joint, strict=True) if action is not None}
    raise IllegalAction(f"{len(joint)} actions given; {len(actors)} players act")
