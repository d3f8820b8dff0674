"""What a learner is shown in other people's environments: a tensor and a mask of legal actions.

In games of perfect information that is the state from the player's seat (`State.tensor`), else what the player knows
(`History.information_tensor`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces

from ggp.adapters.action_places import ActionPlaces
from ggp.game.game import Game, check_is_game
from ggp.game.history import History
from ggp.game.tensors import F32

Shown: TypeAlias = "dict[str, np.ndarray[Any, np.dtype[Any]]]"

ROWS = 16
"""Rows of information states in games whose longest play is not known."""


@dataclass(frozen=True)
class ShownObservations:
    """What the players of a game are shown.

    Attributes:
        game: the game.
        rows: of information states.
        actions: which places of a mask are whose.
    """

    game: Game
    rows: int
    actions: ActionPlaces

    @classmethod
    def of(cls, game: Game, rows: int | None) -> ShownObservations:
        """Return them for some rows; None: `Game.max_length`, or ROWS where that is not known."""
        check_is_game(game)
        if rows is not None and rows < 1:
            raise ValueError(f"{rows} rows say nothing of what a player knows")
        shown = 0 if game.perfect_information else rows or game.max_length or ROWS
        return cls(game, shown, ActionPlaces(game))

    @property
    def shape(self) -> tuple[int, ...]:
        """The form of the tensor."""
        if self.rows:
            return self.rows, self.game.information_features.width
        return (sum(feature.width for feature in self.game.state_features),)

    @property
    def space(self) -> spaces.Dict:
        """The space of tensor and mask."""
        return spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, self.shape, np.float32),
                "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8),
            }
        )

    def tensor(self, history: History, player: int) -> F32:
        """Return what a player is shown of a history."""
        return history.information_tensor(player, self.rows) if self.rows else history.state.tensor(player)

    def shown(self, history: History, player: int) -> Shown:
        """Return tensor and mask; nothing is legal for a player who does not act."""
        return {
            "observation": self.tensor(history, player),
            "action_mask": self.actions.mask(history.state.mask(player)),
        }


def after_chance(history: History, rng: Any) -> History:
    """Return a history behind what chance draws next."""
    while history.state.is_chance():
        history = history.apply_outcome(history.state.sample_outcome(rng))
    return history
