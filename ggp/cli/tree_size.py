"""Whether a game fits into memory with all its information states: warnings of an estimate, and the unfolding."""

from __future__ import annotations

import math
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from ggp.cli.game_size import MAX_STATES, count_text, gibibytes_text, tell_compiling

if TYPE_CHECKING:
    from rich.progress import Progress

    from ggp.native.interface import NativeGame
    from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
    from ggp.solvers.worlds.exploration import Limits

ESTIMATE_S = 0.3

BYTES_PER_HISTORY = 120
"""Measured memory of a history in a game of two players while it is unfolded."""

HISTORIES_PER_STATE = 20
"""Histories that may lead to one state; a game is refused beforehand only if it would not fit even then."""

WALKED_FROM = 4
"""Best responses walk through a game with this many times the histories that fit into memory."""

MAX_WALKED = 3e11
"""Histories that are walked through in a day, if none are alike."""

WALKED_A_SECOND = 3_000_000
HISTORIES_A_SECOND = 500_000
TOLD_FROM_SECONDS = 2.0


def estimated_histories(
    native: NativeGame, limits: Limits, anyway: bool, bar: Progress, walkable: bool = False
) -> float:
    """Return about how many histories a game has; print warnings about its size to standard error.

    Args:
        native: the game.
        limits: of world states, counted separately for different information, and of memory.
        anyway: whether to begin even if the estimate says that it will not fit.
        bar: shows the progress.
        walkable: whether the game can also be walked through; infinity is returned where it must be.

    Raises:
        GameTooLarge: it will not fit.
    """
    from ggp.solvers.sequence_form.history_estimate import estimate_histories
    from ggp.solvers.worlds.exploration import GameTooLarge

    tell_compiling()
    task = bar.add_task("estimating the number of histories", total=None)
    estimate = estimate_histories(native, ESTIMATE_S)
    bar.update(task, visible=False)
    possible = min(limits.states, limits.memory_bytes / BYTES_PER_HISTORY)
    walkable = walkable and limits.states >= MAX_STATES and (anyway or estimate.low < MAX_WALKED)
    if walkable and estimate.mean > possible * WALKED_FROM:
        print(
            f"ggp: an estimated {count_text(estimate.mean)} histories do not fit into"
            f" {gibibytes_text(limits.memory_bytes)}: each measurement walks through them, in"
            f" {2 * estimate.mean / WALKED_A_SECOND:,.0f} s at most, far less if many are alike or never reached",
            file=sys.stderr,
        )
        return math.inf
    if estimate.low > possible * HISTORIES_PER_STATE and not anyway:
        raise GameTooLarge(
            f"the game has an estimated {count_text(estimate.mean)} histories, and about"
            f" {count_text(possible)} fit into {gibibytes_text(limits.memory_bytes)}: choose smaller parameters (`-p`),"
            " raise --max-memory or --max-states, or use --anyway"
        )
    seconds = estimate.mean / HISTORIES_A_SECOND
    if seconds >= TOLD_FROM_SECONDS:
        print(
            f"ggp: an estimated {count_text(estimate.mean)} histories: about {seconds:,.0f} s to unfold them,"
            " less if several lead to the same state",
            file=sys.stderr,
        )
    return estimate.mean


def unfolded(
    native: NativeGame, limits: Limits, anyway: bool, bar: Progress, estimate: float | None = None
) -> SequenceFormTree:
    """Return a game in sequence form; arguments as of `estimated_histories`, or what it returned.

    Raises:
        GameTooLarge: it will not fit, or did not.
        FaultInRules: play can run into an error of the rules.
        NotSolvable: see `information_tree`.
    """
    from ggp.solvers.sequence_form.bundled_unfolding import NotInTurns, bundled_tree, has_bundles
    from ggp.solvers.sequence_form.unfolding import TreeLimits, information_tree

    within = TreeLimits(min(limits.states, MAX_STATES), limits.memory_bytes)
    task = bar.add_task("unfolding information states", total=None)
    if has_bundles(native):
        # of these nobody knows beforehand how many there are
        tell_compiling()
        with suppress(NotInTurns):
            tree = bundled_tree(native, within, lambda all_, done: bar.update(task, completed=done, total=all_))
            bar.update(task, completed=tree.states, total=tree.states)
            return tree
    histories = round(estimated_histories(native, limits, anyway, bar) if estimate is None else estimate)
    tree = information_tree(
        native, within, lambda found, expanded: bar.update(task, completed=expanded, total=max(found, histories))
    )
    bar.update(task, completed=tree.states, total=tree.states)
    return tree
