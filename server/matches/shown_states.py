"""One transition of a match as it is shown to those who watch: data in, data out, so that any process can do it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from server.referee.game_interface import Game
from server.referee.rules_steps import GameFault

Shown: TypeAlias = tuple[tuple[Any, ...] | None, Any]
"""The words of a state and how it is drawn; None and None where it cannot be."""


def shown(
    game: Game,
    faults: tuple[type[Exception], ...],
    words: tuple[Any, ...] | None,
    actions: Mapping[str, str],
    outcome: str | None,
) -> Shown:
    """Return the state after a transition, and how it is drawn; nothing where the rules fail.

    Args:
        game: of the match.
        faults: exceptions by which it says that its rules failed.
        words: the state before; None: show the state in which play begins.
        actions: texts of the actions by role, if players acted.
        outcome: the text of what chance drew, if it acted.
    """
    caught: tuple[type[Exception], ...] = (GameFault, *faults)
    try:
        if words is None:
            state = game.initial()
        elif outcome is not None:
            before = game.state(words)
            state = before.apply_outcome(before.parse_outcome(outcome))
        else:
            before = game.state(words)
            wanted = {game.players.index(role): text for role, text in actions.items()}
            state = before.apply(
                {player: next(one for one in before.legal(player) if str(one) == wanted[player]) for player in wanted}
            )
        return state.words, state.scene()  # type: ignore[attr-defined]  # a game of rules
    except caught:
        return None, None
