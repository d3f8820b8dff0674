"""Variables on which nothing depends but which actions are legal, such as what a player knows to be taken.

What is legal follows from a player's information state, which tells all its actions and observations. So where these
are at hand, such a variable says nothing new: histories that differ in it alone go on alike.
"""

from __future__ import annotations

from ggp.language import typed
from ggp.language.typed.walk import nodes_of
from ggp.rules_compiler.size import can_fail


def legality_variables(game: typed.Game) -> frozenset[typed.Variable]:
    """Return the variables that only the domains and conditions of choices read, and updates of such variables."""
    updates = [update for phase in game.phases for update in phase.updates]
    read = _read(game.payoff) | {variable for variable in game.variables if variable.is_kept}
    for phase in game.phases:
        read |= _read(phase.chance, phase.sees, phase.transfers, tuple(value for _, value in phase.kept))
        for chooser in phase.choosers:
            read |= _read(chooser.actors, chooser.actor)
    for update in updates:
        if any(can_fail(node) for node in nodes_of(update)) or not update.exclusive:
            read.add(update.target)
    before = -1
    while len(read) > before:
        before = len(read)
        for update in updates:
            if update.target in read:
                read |= _read(update)
    return frozenset(set(game.variables) - read)


def _read(*roots: object) -> set[typed.Variable]:
    return {node.variable for node in nodes_of(*roots) if isinstance(node, typed.StateRead)}
