"""Variables on which nothing depends but which actions are legal, such as what a player knows to be taken.

What is legal follows from a player's information state, which tells all its actions and observations. So where these
are at hand, such a variable says nothing new: histories that differ in it alone go on alike. That each player has an
element of its own, which follows from what the player knows, is seen in the rules: it is read and changed where its
player acts, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.language import typed
from ggp.language.typed.walk import nodes_of
from ggp.rules_compiler.size import can_fail


def legality_variables(game: typed.Game) -> frozenset[typed.Variable]:
    """Return the variables that only the domains and conditions of choices read, and updates of such variables.

    Of each, whoever acts reads and changes its own element alone, `known[turn]` where `turn chooses`, and changes it as
    it chose, whatever the state; in games of one phase, as in another one the same choice might change something else.
    """
    if len(game.phases) != 1 or len(game.phases[0].choosers) != 1:
        return frozenset()
    (phase,) = game.phases
    (chooser,) = phase.choosers
    acting = _read(chooser.actors, chooser.actor)
    read = _read(game.payoff, phase.sees, phase.transfers, phase.kept)
    read |= acting | {variable for variable in game.variables if variable.is_kept}
    read |= {node.variable for node in _state_reads(chooser.kinds, phase.updates) if not _is_of(node, chooser)}
    for update in phase.updates:
        may_fail = any(can_fail(node) for node in nodes_of(update))
        if may_fail or not update.exclusive or not _is_of(update, chooser):
            read.add(update.target)
    before = -1
    while len(read) > before:
        before = len(read)
        for update in phase.updates:
            if update.target in read:
                read |= _read(update)
            elif (_read(update) - acting) & read:
                read.add(update.target)
    return frozenset(set(game.variables) - read)


def _is_of(element: typed.StateRead | typed.Update, chooser: typed.Chooser) -> bool:
    """Return whether the first index is surely the player who acts."""
    match element.indices[:1], chooser.actor:
        case (typed.StateRead(variable, ()),), typed.StateRead(other, ()):
            return variable is other
        case (typed.Constant(value),), typed.Constant(other_value):
            return value == other_value
    return False


def _state_reads(*roots: object) -> Iterator[typed.StateRead]:
    return (node for node in nodes_of(*roots) if isinstance(node, typed.StateRead))


def _read(*roots: object) -> set[typed.Variable]:
    return {node.variable for node in _state_reads(*roots)}
