"""Checks of `next`: what comes after a phase, after each kind of move where the rules say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from ggp.language import syntax
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import truth
from ggp.language.diagnostics import suggestions
from ggp.language.text.source import Span
from ggp.language.typed import Chooser, Constant, Kept, Transfer

_ENDS = {"done", "over", "game_over", "gameover", "finish", "finished", "stop", "exit", "quit", "terminal", "ended"}
_ENDS |= {"win", "won", "draw"}
"""What others call the end of the game."""


@dataclass(slots=True)
class NextPhases:
    """What the `next` statements of one phase say.

    `kept` receives what their conditions read of the state before the updates (`old x`).
    """

    by_kind: dict[str | None, tuple[Transfer, ...]] = field(default_factory=dict)
    """The transfers of each `next`, by the kind of move in whose `on` it stands; None: in none."""
    kept: list[Kept] = field(default_factory=list)

    def add(self, checking: Checking, node: syntax.Next, names: Mapping[str, Span]) -> None:
        """Add a `next` of the phase, or of the `on KIND` being checked; `names`: all phases, with their places."""
        kind = checking.kind
        if kind in self.by_kind:
            what = "this phase" if kind is None else f"`on {kind}`"
            checking.fail(node.span, f"{what} has two `next`", "join them: `next A if c else B`")
        # noted at once, so that a `next` with a mistake in it is not reported as missing
        self.by_kind[kind] = ()
        checking.kept = self.kept
        try:
            self.by_kind[kind] = _transfers(checking, node, names)
        finally:
            checking.kept = None

    def in_order(self, checking: Checking, node: syntax.Phase, choosers: Sequence[Chooser]) -> tuple[Transfer, ...]:
        """Return all transfers, those of all kinds last; report that some way of play has none."""
        if None not in self.by_kind:
            missing = [[kind.name for kind in made.kinds if kind.name not in self.by_kind] for made in choosers]
            if not self.by_kind or not missing:
                checking.fail(
                    node.span,
                    f"phase `{node.name.text}` does not say what comes next",
                    "add `next PHASE` or `next end`",
                )
            least = min(missing, key=len)
            if least:
                checking.fail(
                    node.span,
                    f"phase `{node.name.text}` does not say what comes next after `{least[0]}`",
                    f"add `next PHASE` behind `on {least[0]}:`, or at the end of the phase for all other moves",
                )
        kinds = sorted(self.by_kind, key=lambda kind: kind is None)
        return tuple(transfer for kind in kinds for transfer in self.by_kind[kind])


def _transfers(checking: Checking, node: syntax.Next, names: Mapping[str, Span]) -> tuple[Transfer, ...]:
    def one(part: syntax.Transfer) -> Transfer:
        target = part.target.phase
        if target is not None and target.text not in names:
            if target.text in checking.names.damaged:
                raise Invalid
            is_end = target.text.lower() in _ENDS
            hint = "the game ends by `next end`" if is_end else suggestions(target.text, [*names, "end"])
            checking.fail(target.span, f"unknown phase `{target.text}`", hint)
        if target is not None:
            checking.names.uses[target.span] = names[target.text]
        condition = truth(checking, part.condition) if part.condition is not None else None
        return Transfer(target.text if target else None, condition, part.span, checking.kind)

    made = cast("list[Transfer]", checking.each(one, node.transfers))
    kept: list[Transfer] = []
    for transfer in made:
        if not isinstance(transfer.condition, Constant):
            kept.append(transfer)
        elif transfer.condition.value:
            kept.append(Transfer(transfer.target, None, transfer.span, transfer.kind))
        if kept and kept[-1].condition is None:
            break
    return tuple(kept)
