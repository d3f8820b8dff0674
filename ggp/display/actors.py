"""Whether what a player is shown names who acts."""

from __future__ import annotations

from ggp.language import typed


def shows_actor(game: typed.Game, phase_name: str, role: int) -> bool:
    """Return whether `display for p` has a line with the variable that says who acts in a phase."""
    (phase,) = (phase for phase in game.phases if phase.name == phase_name)
    match phase.choosers:
        case (typed.Chooser(actor=typed.StateRead(variable=turn, indices=())),) if game.views:
            return any(
                isinstance(value, typed.StateRead) and value.variable is turn
                for line in game.views[role].lines
                for value in line.values
            )
    return False
