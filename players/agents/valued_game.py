"""A game as a player sees it: with the estimate of its rules, or what its settings name files of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from players.player_options import NotApplicable

if TYPE_CHECKING:
    from ggp.game.game import Game
    from ggp.native.interface import NativeGame


def valued_game(game: Game, settings: object) -> NativeGame:
    """Return a compiled game, with a learned estimate and a policy for playouts if a player's settings name files.

    Raises:
        NotApplicable: a file cannot be read, or belongs to another game.
    """
    file, policy = getattr(settings, "estimate", ""), getattr(settings, "policy", "")
    native = game.native()
    if file:
        from players.learning.files import EstimateUnusable, native_with

        try:
            native = native_with(game, file)
        except EstimateUnusable as error:
            raise NotApplicable(str(error)) from error
    if policy:
        from players.learning.policy_files import PolicyUnusable, guided_by

        try:
            native = guided_by(native, game, policy)
        except PolicyUnusable as error:
            raise NotApplicable(str(error)) from error
    return native
