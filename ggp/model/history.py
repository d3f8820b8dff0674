"""Histories: everything that led to a world state, and what each player knows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ggp.model.actions import JointGiven, PlayerName
    from ggp.model.game import Game, State

OwnAction: TypeAlias = int
Observation: TypeAlias = "tuple[int, ...]"


@dataclass(frozen=True)
class InformationState:
    """What one player knows: its own actions and its observations that were not empty, in order.

    Equal to another of the same game and player with the same actions and observations; so are their keys. `str` writes
    it as the player reads it.
    """

    game: Game
    player: int
    known: tuple[OwnAction | Observation, ...]
    """An action by its number; an observation by its words, at least one."""

    @cached_property
    def key(self) -> tuple[int, int]:
        """The key by which native code knows this information state, see `ggp.model.native.information_states`."""
        # numpy takes a tenth of a second to import
        from ggp.model.native.information_states import key_of

        return key_of(self.known)

    def lines(self) -> tuple[str, ...]:
        """Return a text for each action and observation."""
        found = []
        for one in self.known:
            if isinstance(one, int):
                found.append(f"chose {self.game.action_text(one)}")
            else:
                told = self.game.readable_observation(one)
                found.append("saw " + ", ".join(observed_parts(told)))
        return tuple(found)

    def __hash__(self) -> int:
        return hash((self.player, self.known))

    def __str__(self) -> str:
        return "; ".join(self.lines()) or "nothing yet"

    def __repr__(self) -> str:
        return f"<information state of {self.game.players[self.player]}: {self}>"


@dataclass(frozen=True)
class History:
    """A play up to some point; never changes.

    history = ggp.load("kuhn_poker").history()
    history = history.apply_outcome(history.state.chance_outcomes()[0][0])
    print(history.information_state("first"))
    """

    state: State
    """The world state that it has come to."""
    known: tuple[tuple[OwnAction | Observation, ...], ...]
    """For each player what it knows, see `InformationState`."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    def apply(self, joint: JointGiven) -> History:
        """Return the history that goes on with a joint action: see `State.apply` for its forms and for errors."""
        return self._after(self.state.apply(joint))

    def apply_outcome(self, outcome: int) -> History:
        """Return the history that goes on with a chance outcome: see `State.apply_outcome` for errors."""
        return self._after(self.state.apply_outcome(outcome))

    def information_state(self, player: PlayerName) -> InformationState:
        """Return what a player knows here.

        Raises:
            UnknownPlayer: there is no such player.
        """
        number = self.game.player(player)
        return InformationState(self.game, number, self.known[number])

    def _after(self, new: State) -> History:
        known: list[tuple[OwnAction | Observation, ...]] = []
        for player, before in enumerate(self.known):
            action, words = new.action_taken(player), new.observation(player)
            lived: list[OwnAction | Observation] = [] if action is None else [int(action)]
            known.append((*before, *lived, *([words] if words else [])))
        return History(new, tuple(known))


def observed_parts(observation: Sequence[tuple[str, object]]) -> list[str]:
    """Return what an observation says, each value behind its label; a text of the rules speaks for itself."""
    return [
        value if isinstance(value, str) and label == f'"{value}"' else f"{label}: {observed_text(value)}"
        for label, value in observation
    ]


def observed_text(value: object) -> str:
    """Return an observed value for people: arrays by index, sets in braces, none as `none`."""
    match value:
        case dict():
            return ", ".join(f"{name} {observed_text(item)}" for name, item in value.items())
        case list():
            return "{" + ", ".join(observed_text(item) for item in value) + "}"
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
