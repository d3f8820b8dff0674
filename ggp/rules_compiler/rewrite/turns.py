"""Phases that are written once for each player, in the code of playouts.

If a variable tells whose turn it is, code for a single player can be folded: rows of tables, directions and elements of
small arrays are known. But the jump to that code is mispredicted whenever the next player is unpredictable. So a phase
after which the same player may act again is written once, unless much of it depends on who acts.
"""

from __future__ import annotations

from ggp.language import typed
from ggp.language.typed.walk import nodes_of

MAX_PLAYERS_APART = 2
"""Phases of games with up to this many players are written once for each player."""
NODES_A_READ = 17
"""Much depends on who acts if the turn is read at least once in this many nodes, measured on library games."""


def turn_variable(game: typed.Game, phase: typed.Phase) -> typed.Variable | None:
    """Return the variable that tells which player acts in a phase, if it pays to write the phase for each."""
    if len(phase.choosers) != 1 or len(game.players.members) > MAX_PLAYERS_APART:
        return None
    actor = phase.choosers[0].actor
    if not isinstance(actor, typed.StateRead) or actor.indices or actor.variable.type != game.players:
        return None
    turn = actor.variable
    changes = [update for update in phase.updates if update.target is turn]
    if any(update.condition is None and update.kind is None for update in changes):
        return turn
    nodes = list(nodes_of(phase.choosers[0].kinds, phase.updates, phase.transfers))
    reads = sum(1 for node in nodes if isinstance(node, typed.StateRead) and node.variable is turn)
    return turn if reads * NODES_A_READ >= len(nodes) else None
