"""What players require of a game, such as two players or perfect information."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ggp.game.game import Game

Requirement: TypeAlias = Callable[["Game"], "str | None"]
"""Returns why a game does not fit, as the end of `NAME plays ...`, or None. Its docstring names the requirement."""


def perfect_information(game: Game) -> str | None:
    """Perfect information but for simultaneous moves."""
    return None if game.perfect_information else f"games of perfect information only, and {game.name} hides some"


def two_players(game: Game) -> str | None:
    """Two players."""
    return None if len(game.players) == 2 else f"games of two players, and {game.name} has {len(game.players)}"


def constant_sum(game: Game) -> str | None:
    """Constant sum."""
    if game.constant_sum:
        return None
    return (
        f"games of constant sum, and none is proven or stated for {game.name}: where it is certain, state it in the"
        " rules, as in `payoff sum = 0`"
    )


def turns(game: Game) -> str | None:
    """Players who take turns."""
    return f"games in which players take turns, and in {game.name} several act at once" if game.simultaneous else None


def something_unseen(game: Game) -> str | None:
    """Hidden information, or simultaneous moves."""
    if game.simultaneous or not game.perfect_information:
        return None
    return f"games in which something is unseen, and in {game.name} everybody sees everything"


def hidden_draws(game: Game) -> str | None:
    """Hidden information, and chance."""
    if not game.perfect_information and game.native().shape.max_outcomes > 1:
        return None
    return f"games in which chance acts and something is hidden, and {game.name} is not one"


def nothing_drawn(game: Game) -> str | None:
    """Nothing drawn by chance."""
    if game.native().shape.max_outcomes <= 1:
        return None
    return f"games in which nothing is drawn, and in {game.name} chance acts"


def visibility(game: Game) -> str | None:
    """Visibility games: two players whose units move at the same time on a graph, seen only from certain cells."""
    if len(game.players) == 2 and game.simultaneous and not game.perfect_information:
        from players.search.visibility.visibility_search import graphs_of

        if graphs_of(game.native()) is not None:
            return None
    return f"visibility games only, with units that hide from each other on a graph, and {game.name} is not one"


SLOW = (visibility,)
"""Requirements that take seconds to find out about, in some games."""
OPEN = (perfect_information,)
OPEN_TURNS = (perfect_information, turns)
OPEN_DUEL = (perfect_information, turns, two_players, constant_sum)
OPEN_CONSTANT_SUM = (perfect_information, two_players, constant_sum)
