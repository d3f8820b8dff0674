"""Phases that are written once for each player, in the code of playouts.

If a variable tells whose turn it is, code for a single player can be folded: rows of tables, directions and elements of
small arrays are known. But the jump to that code is mispredicted whenever the next player is unpredictable. So a phase
after which the same player may act again is written once, unless much of it depends on who acts.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.language import typed
from ggp.language.typed.walk import parts

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
    nodes = list(_nodes(phase))
    reads = sum(1 for node in nodes if isinstance(node, typed.StateRead) and node.variable is turn)
    return turn if reads * NODES_A_READ >= len(nodes) else None


def _nodes(phase: typed.Phase) -> Iterator[typed.Expression]:
    """Yield the nodes that a transition evaluates, those of definitions once."""
    waiting = list(_expressions(phase))
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        yield node
        waiting += parts(node)
        if isinstance(node, typed.Call) and id(node.function) not in seen:
            seen.add(id(node.function))
            waiting.append(node.function.body)


def _expressions(phase: typed.Phase) -> Iterator[typed.Expression]:
    for kind in (kind for chooser in phase.choosers for kind in chooser.kinds):
        for component in kind.components:
            if not isinstance(component.domain, typed.types.ScalarType):
                yield component.domain
        if kind.where is not None:
            yield kind.where
    for update in phase.updates:
        yield from update.indices
        yield update.value
        for binder in update.binders:
            yield from parts(binder)
    conditions = [update.condition for update in phase.updates] + [next_.condition for next_ in phase.transfers]
    yield from (condition for condition in conditions if condition is not None)
