"""A game as a player sees it: with the estimate of its rules, or with one that its settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from players.player_options import NotApplicable

if TYPE_CHECKING:
    from ggp.game.game import Game
    from ggp.native.interface import NativeGame


def valued_game(game: Game, settings: object) -> NativeGame:
    """Return a compiled game, with a learned estimate if the settings of a player name a file of one.

    Raises:
        NotApplicable: the file cannot be read, or belongs to another game.
    """
    file = getattr(settings, "estimate", "")
    if not file:
        return game.native()
    from players.learning.files import EstimateUnusable, native_with

    try:
        return native_with(game, file)
    except EstimateUnusable as error:
        raise NotApplicable(str(error)) from error
