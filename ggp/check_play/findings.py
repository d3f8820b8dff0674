"""Findings of `ggp check` in play: what is wrong or doubtful, where in the rules, and the plays that show it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ggp.language.text.source import Span

FindingKind: TypeAlias = Literal[
    "out_of_range", "is_none", "division_by_zero", "empty", "weights", "conflict", "dead_end", "other_sum",
    "too_much_work", "utility_bounds", "estimate_bounds", "never_reached", "no_end", "comes_back",
    "leak", "end_unseen", "told_to_all", "telling_view",
]  # fmt: skip


class Alike(Struct, frozen=True):
    """Two plays that a player cannot tell apart, and what differs between them although it must not.

    Attributes:
        player: its name.
        plays: the transitions of each, one text each.
        known: what the player did and saw, in both, a text each.
        choices: its legal actions after each; empty where the game is over.
        shown: where the two are drawn differently for it, the lines that differ.
    """

    player: str
    plays: tuple[tuple[str, ...], tuple[str, ...]]
    known: tuple[str, ...]
    choices: tuple[tuple[str, ...], tuple[str, ...]]
    shown: tuple[tuple[str, ...], tuple[str, ...]] | None = None


class Finding(Struct, frozen=True):
    """Something wrong that showed in play.

    Attributes:
        kind: the kind of fault (`ggp.faults`), or of doubt.
        is_error: whether it must be mended; else it is a warning.
        span: where in the rules.
        message: what is wrong, in the author's words.
        hint: what to do about it; empty where there is no more to say.
        play: the transitions that led there, one text each, the one that failed included; empty where no single play
            shows it.
        alike: of two plays that show it together.
    """

    kind: FindingKind
    is_error: bool
    span: Span
    message: str
    hint: str
    play: tuple[str, ...] = ()
    alike: Alike | None = None
