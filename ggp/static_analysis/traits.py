"""Traits of a game that follow from its rules alone: who acts when, and who observes what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed.walk import walk_through

COMMENT = re.compile(r'("[^"]*")|#.*')
"""A text in quotes, which may hold a `#` (group 1), or a comment."""


class SeesListing(Struct, frozen=True):
    """One `sees` of a phase, as text.

    Attributes:
        audience: the names of the players told, where the rules fix them, else the expression as written; behind
            `each p`, of players who are each told a value of their own.
        values: what is told, as written.
        condition: when, as written; None: always.
        kind: the kind of action it is about (`on KIND`), or None.
    """

    audience: str
    values: tuple[str, ...]
    condition: str | None
    kind: str | None


def sees_listings(game: typed.Game, phase: typed.Phase) -> tuple[SeesListing, ...]:
    """Return what the players are told in a phase, without what no player is ever told."""
    return tuple(
        SeesListing(
            _audience_text(game, sees),
            tuple(_told_text(game, label, value) for label, value in zip(sees.labels, sees.values, strict=True)),
            None if sees.condition is None or _always(sees) else source_of(game, sees.condition.span),
            sees.kind,
        )
        for sees in phase.sees
        if not (isinstance(sees.condition, typed.Constant) and sees.condition.value == 0)
    )


def _told_text(game: typed.Game, label: str, value: typed.Expression) -> str:
    """Return what is told as it is written; of the moves of several who act at once also whose it is."""
    if label != "move" or not isinstance(value, typed.MoveRead) or value.player is None:
        return label
    if isinstance(value.player, typed.Constant) and isinstance(value.player.value, int):
        return f"move of {game.players.members[value.player.value]}"
    return f"move of {source_of(game, value.player.span)}"


def _audience_text(game: typed.Game, sees: typed.Sees) -> str:
    audience, names = sees.audience, game.players.members
    if not isinstance(audience, typed.Constant):
        text = source_of(game, audience.span)
        return text if sees.binder is None else f"each {sees.binder.name} in {text}"
    assert isinstance(audience.value, frozenset)
    if sees.binder is None and len(audience.value) == len(names):
        return "all"
    text = ", ".join(names[player] for player in sorted(audience.value))
    if sees.binder is None:
        return text
    return f"each {sees.binder.name}" if len(audience.value) == len(names) else f"each {sees.binder.name} in {{{text}}}"


def source_of(game: typed.Game, span: Span) -> str:
    """Return the source text of a place in the rules on one line, without comments."""
    lines = game.source_text.split("\n")[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(COMMENT.sub(r"\1", line).strip() for line in lines)


def has_chance(game: typed.Game) -> bool:
    """Return whether chance draws anything in some phase; a phase in which nobody acts draws nothing."""
    return any(phase.chance is not None and phase.chance.components for phase in game.phases)


def untold_draws(game: typed.Game) -> tuple[typed.Phase, ...]:
    """Return the chance phases without any `sees` of a game that says in other phases who sees what.

    Not only of one that hides something now: where a deal is told to all by mistake, nothing may be left to hide.
    """
    if len(game.players.members) == 1 or not any(_says_who_sees(phase) for phase in game.phases):
        return ()
    found = {
        phase.chance.span: phase
        for phase in reversed(game.phases)
        if phase.chance is not None
        and any(not _is_fixed(part.domain) for part in phase.chance.components)
        and not _says_who_sees(phase)
    }  # a phase in parts once
    return tuple(reversed(found.values()))


def told_before_updates(game: typed.Game) -> tuple[str, ...]:
    """Return the variables that some `sees` tells as they were before its own phase updates them."""
    told: dict[str, None] = {}
    for phase in game.phases:
        updated = {update.target for update in phase.updates}
        for value in (value for sees in phase.sees for value in sees.values):
            reads = (part.variable for part in walk_through(value) if isinstance(part, typed.StateRead))
            read = {variable for variable in reads if not variable.is_kept}
            told |= dict.fromkeys(sorted(variable.name for variable in read & updated))
    return tuple(told)


def _says_who_sees(phase: typed.Phase) -> bool:
    """Return whether a phase has a `sees`; the default observation has the span of the phase itself."""
    if not phase.sees:
        return not phase.is_automatic
    return any(sees.span != phase.span for sees in phase.sees)


def has_simultaneous_actions(game: typed.Game) -> bool:
    """Return whether several players may act at once in some phase."""
    return (
        any(
            len(phase.choosers) > 1 or any(chooser.actors is not None for chooser in phase.choosers)
            for phase in game.phases
        )
        and len(game.players.members) > 1
    )


def is_of_perfect_information(game: typed.Game) -> bool:
    """Return whether every transition tells every player all that was chosen and drawn.

    Decided on the `sees` statements alone: a game that tells everything in a roundabout way is not recognised.
    Simultaneous choices do not count as hidden.
    """
    return all(map(all, revealed_actions(game)))


def revealed_actions(game: typed.Game) -> tuple[tuple[bool, ...], ...]:
    """Return, by phase and player, whether the player is always told all that the others, or chance, chose there."""
    everybody = range(len(game.players.members))
    return tuple(tuple(_learns_all(phase, player, game) for player in everybody) for phase in game.phases)


def static_traits(game: typed.Game) -> tuple[str, ...]:
    """Return the traits that the rules' text shows, such as `simultaneous`, `chance`, `perfect information`."""
    return (
        "simultaneous" if has_simultaneous_actions(game) else "sequential",
        *(["chance"] if has_chance(game) else []),
        "perfect information" if is_of_perfect_information(game) else "hidden information",
    )


def _learns_all(phase: typed.Phase, player: int, game: typed.Game) -> bool:
    """Return whether a player always learns every choice and draw of a phase."""
    players = len(game.players.members)
    if phase.chance is not None:
        told = set(_told(phase, player, None))
        return all((part.symbol, None) in told or _is_fixed(part.domain) for part in phase.chance.components)
    for chooser in phase.choosers:
        if _actor(chooser) == player:
            continue
        for kind in chooser.kinds:
            told = set(_told(phase, player, kind.name))
            if (None, None) in told or all((None, other) in told for other in range(players)):
                continue
            kind_is_told = len(chooser.kinds) == 1 or any(
                sees.kind == kind.name and _reaches(sees, player) for sees in phase.sees
            )
            if not kind_is_told or not all(_is_told(part, told, player, players) for part in kind.components):
                return False
    return True


def _is_told(
    part: typed.Component, told: set[tuple[typed.Symbol | None, int | None]], player: int, players: int
) -> bool:
    """Return whether a component is among what was told: as a whole, or element by element for the other players."""
    others = set(range(players)) - {player}
    return (part.symbol, None) in told or all((part.symbol, other) in told for other in others)


def _told(phase: typed.Phase, player: int, kind: str | None) -> Iterator[tuple[typed.Symbol | None, int | None]]:
    """Yield what a player is always told of a kind of action: (symbol, whose or None: all); symbol None: the action."""
    for sees in phase.sees:
        if sees.kind not in (None, kind) or not _reaches(sees, player):
            continue
        values = [
            part
            for value in sees.values
            for part in (value.elements if isinstance(value, typed.SetLiteral) else (value,))
        ]
        for value in values:
            match value:
                case typed.Local(symbol=symbol):
                    yield symbol, None
                case typed.Index(array=typed.Local(symbol=symbol), indices=(typed.Constant(value=int(whose)),)):
                    yield symbol, whose
                case typed.MoveRead(player=None):
                    yield None, None
                case typed.MoveRead(player=typed.Constant(value=int(whose))):
                    yield None, whose
                case _:
                    pass


def _reaches(sees: typed.Sees, player: int) -> bool:
    """Return whether a `sees` always reaches a player."""
    if not isinstance(sees.audience, typed.Constant) or not _always(sees):
        return False
    assert isinstance(sees.audience.value, frozenset)
    return player in sees.audience.value


def _always(sees: typed.Sees) -> bool:
    return sees.condition is None or (isinstance(sees.condition, typed.Constant) and sees.condition.value == 1)


def _is_fixed(domain: object) -> bool:
    """Return whether a domain is known to hold one value."""
    return isinstance(domain, typed.Constant) and isinstance(domain.value, frozenset) and len(domain.value) == 1


def _actor(chooser: typed.Chooser) -> int | None:
    """Return the player who acts, where the rules fix it."""
    match chooser:
        case typed.Chooser(actor=typed.Constant(value=int(player))):
            return player
        case typed.Chooser(actors=typed.Constant(value=frozenset(members))) if len(members) == 1:
            return next(iter(members))
    return None
