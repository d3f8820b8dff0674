"""What can be said of a game without playing it: who acts how, and who is told what."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.language import typed
from ggp.language.source import Span


@dataclass(frozen=True, slots=True)
class SeesListing:
    """One `sees` of a phase, as text.

    Attributes:
        phase: the phase's name.
        audience: the players it tells where that is constant, else the expression as written.
        values: the expressions told, as written.
        condition: as written; None where it always tells.
        kind: the kind of action it is about (`on KIND`), or None.
    """

    phase: str
    audience: str
    values: tuple[str, ...]
    condition: str | None
    kind: str | None


def source_of(game: typed.Game, span: Span) -> str:
    """Return the source text of a place in the rules, on one line."""
    lines = game.source_text.splitlines()[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(line.strip() for line in lines)


def sees_listings(game: typed.Game, phase: typed.Phase) -> tuple[SeesListing, ...]:
    """Return what the players are told in a phase."""
    return tuple(
        SeesListing(
            phase.name,
            _audience_text(game, sees.audience),
            sees.labels,
            None if _always(sees.condition) else source_of(game, _span(sees.condition)),
            sees.kind,
        )
        for sees in phase.sees
        if not _never(sees.condition)
    )


def has_chance(game: typed.Game) -> bool:
    """Return whether chance acts in some phase."""
    return any(phase.chance is not None for phase in game.phases)


def has_simultaneous_actions(game: typed.Game) -> bool:
    """Return whether several players may act at once in some phase."""
    return any(
        len(phase.choosers) > 1 or any(_may_be_several(chooser) for chooser in phase.choosers) for phase in game.phases
    )


def is_of_perfect_information(game: typed.Game) -> bool:
    """Return whether every transition tells every player all that was chosen or drawn, apart from simultaneity.

    Decided on the `sees` statements: a game that tells everything in a roundabout way is not recognised.
    """
    everybody = range(len(game.players.members))
    return all(_tells_all(phase, player) for phase in game.phases for player in everybody)


def _tells_all(phase: typed.Phase, player: int) -> bool:
    """Return whether a player always learns every choice and draw of a phase."""
    if phase.chance is not None:
        told = _told(phase, player, None)
        return all(component.symbol in told for component in phase.chance.components)
    return all(
        _knows_own(chooser, player)
        or (told := _told(phase, player, kind.name)) is EVERYTHING
        or (all(component.symbol in told for component in kind.components) and _kind_is_told(chooser, phase, player))
        for chooser in phase.choosers
        for kind in chooser.kinds
    )


EVERYTHING: frozenset[typed.Symbol] = frozenset({typed.Symbol("move", typed.MOVE, "bound", Span(1, 1, 1, 1))})
