"""Errors at run time: faults of the rules found in play, exceeded limits, illegal calls.

GameError
    RulesFault        the rules did something they may not; the place in the rules is attached
    LimitExceeded     the game is too large to be played here
    IllegalAction     a caller gave an action or outcome that is not legal in this state
    UnknownPlayer     a caller named a player that the game does not have
"""

from __future__ import annotations

from msgspec import Struct

from ggp.language.evaluation.faults import FaultKind, GameError, LimitExceeded, RulesFault
from ggp.language.text.source import Span

__all__ = ["FaultKind", "FaultSite", "GameError", "IllegalAction", "LimitExceeded", "RulesFault", "UnknownPlayer"]


class FaultSite(Struct, frozen=True):
    """A place in the rules that can fail, and in what way; sites are numbered from 1 in the generated code."""

    kind: FaultKind
    reason: str
    """In the author's words, without the value."""
    span: Span


class IllegalAction(GameError):
    """An action, joint action or chance outcome that is not possible in the state it was given for."""


class UnknownPlayer(GameError):
    """A player's name or number that the game does not have."""
