"""What a search has learned, as a strategy that can be measured, saved and played."""

from __future__ import annotations

from ggp.arithmetic.rng import seed_word
from ggp.errors import GgpError
from ggp.game.actions import integer
from ggp.game.game import Game, check_is_game
from ggp.solvers.sequence_form.best_responses import uniform
from ggp.solvers.strategies import Strategy, tree_of
from players.agents.registry import read_player
from players.evaluation.information_measuring import (
    FROM_THE_ROOT,
    check_measurable,
    searched_from_root,
    strategies_of_search,
)


def search_strategy(game: Game, player: str, iterations: int, *, seed: int = 0) -> Strategy:
    """Let a player search from the beginning of the game, and return the strategies of all roles in its tree.

    They are uniform where the search has not been.

    Args:
        game: whose information states fit into memory.
        player: such as `oos:gamma=0.4` or `ismcts`; it keeps strategies by information state.
        iterations: of the search.
        seed: of its draws.

    Raises:
        BadPlayer: there is no such player.
        GgpError: there are no iterations.
        NotApplicable: it does not play this game, or keeps no strategies by information state.
        GameTooLarge: the game has too many histories for memory.
    """
    check_is_game(game)
    if integer(iterations, "iterations") < 1:
        raise GgpError(f"{iterations} iterations search nothing: give at least 1")
    spec = read_player(player)
    spec.check(game)
    check_measurable(spec, FROM_THE_ROOT)
    tree = tree_of(game)
    word = seed_word(seed)
    ((_, _, search),) = searched_from_root(game.native(), spec, [float(iterations)], False, word)
    return Strategy(game, tree, uniform(tree) if search is None else strategies_of_search(tree, search))
