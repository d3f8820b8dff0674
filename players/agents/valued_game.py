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
    if not file and not policy:
        return native
    from players.learning.files import native_with
    from players.learning.policy_files import guided_by
    from players.search.foundation.archives import ArchiveUnusable

    try:
        native = native_with(game, file)
        return guided_by(native, game, policy) if policy else native
    except ArchiveUnusable as error:
        raise NotApplicable(str(error)) from error
