"""Which choices can be legal in any state at all, by the rules alone: these, and perhaps more."""

from __future__ import annotations

from collections.abc import Iterator

from ggp.language import typed
from ggp.language.typed.types import codes
from ggp.static_analysis.possible_values import NO, PossibleValues, TooLaborious

MAX_STEPS = 1_000_000
"""Of all actions of a game, see `PossibleValues`; what one needs not is left to those after it."""

Choices = set[tuple[int, ...]]
"""Values of the components of an action."""


def possible_choices(game: typed.Game) -> list[list[list[Choices | None]]]:
    """Return what may be legal, `[phase][chooser][kind]`; None: all, or it would take too long to find out."""
    left, waiting = MAX_STEPS, sum(len(chooser.kinds) for phase in game.phases for chooser in phase.choosers)
    found: list[list[list[Choices | None]]] = []
    for phase in game.phases:
        found.append([[] for _ in phase.choosers])
        for chooser, kinds in zip(phase.choosers, found[-1], strict=True):
            for kind in chooser.kinds:
                choices, unused = _of_kind(game, chooser, kind, left // waiting)
                left, waiting = left - left // waiting + unused, waiting - 1
                kinds.append(choices)
    return found


def _of_kind(
    game: typed.Game, chooser: typed.Chooser, kind: typed.ActionKind, limit: int
) -> tuple[Choices | None, int]:
    """Return what may be legal of one kind, and how much of the limit is left."""
    found: Choices = set()
    for player in codes(game.players):
        values = PossibleValues(limit)
        try:
            if _acts(chooser, player, values):
                found.update(_choices(kind, values, ()))
        except TooLaborious:
            return None, 0
        limit = values.steps
    return found, limit


def _acts(chooser: typed.Chooser, player: int, values: PossibleValues) -> bool:
    """Take a player to be the one who acts; return whether that may be."""
    if chooser.binder is not None:
        values.symbols[chooser.binder] = frozenset([player])
        assert chooser.actors is not None
        return player in values.members(chooser.actors).possible
    assert chooser.actor is not None
    match chooser.actor:
        case typed.StateRead(variable, ()):
            values.variables[variable] = frozenset([player])
    actors = values.alternatives(chooser.actor)
    return actors is None or player in actors


def _choices(kind: typed.ActionKind, values: PossibleValues, chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the choices that begin with some values."""
    if len(chosen) == len(kind.components):
        if kind.where is None or values.of(kind.where) != NO:
            yield chosen
        return
    component = kind.components[len(chosen)]
    for value in sorted(values.domain(component.domain).possible):
        if not component.follows or value > chosen[-1]:
            values.count_steps()
            values.symbols[component.local] = frozenset([value])
            yield from _choices(kind, values, (*chosen, value))
