"""Whether a game fits into memory with all its states: options for limits, and the warnings of an estimate."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.progress import Progress

    from ggp.native.interface import GameShape, NativeGame
    from ggp.solvers.worlds.exploration import Limits
    from ggp.solvers.worlds.size_estimate import SizeEstimate

GIBIBYTE = 2**30
WORDLESS = 1e15
"""From this number on only the power of ten is printed."""
MAX_GIBIBYTES = 1_000_000
MAX_STATES = 2**31 - 1
"""State numbers have 32 bits."""
SHARE_OF_FREE_MEMORY = 0.9
TOLD_FROM_SECONDS = 2.0
"""Shorter times are not announced."""

max_states_option = click.option(
    "--max-states",
    type=click.IntRange(min=1, max=MAX_STATES),
    help="Give up beyond this number of world states.",
    show_default="none",
)
max_memory_option = click.option(
    "--max-memory",
    type=click.FloatRange(min=0.01, max=MAX_GIBIBYTES),
    help="Give up beyond this memory, in GiB.",
    show_default="nine tenths of the free memory",
)
anyway_option = click.option(
    "--anyway", is_flag=True, help="Begin even if the estimate says that it will not fit; the limits still apply."
)


def limits_from(max_states: int | None, max_memory: float | None) -> Limits:
    """Return the limits that the options set."""
    from ggp.cli.free_memory import free_memory_bytes
    from ggp.solvers.worlds.exploration import Limits

    memory = max_memory * GIBIBYTE if max_memory is not None else SHARE_OF_FREE_MEMORY * free_memory_bytes()
    return Limits(max_states or MAX_STATES, int(memory))


def estimated(native: NativeGame, limits: Limits, anyway: bool, bar: Progress) -> SizeEstimate:
    """Return an estimate of a game's size; print warnings about it to standard error.

    Args:
        native: the game.
        limits: that will apply.
        anyway: whether to continue if it will not fit.
        bar: shows the progress.

    Raises:
        NotSolvable: exact methods do not cover the game.
        GameTooLarge: it will not fit even if there are as few states as the estimate allows.
        FaultInRules: the sample runs into an error of the rules.
    """
    from ggp.solvers.worlds.size_estimate import estimate_size

    tell_compiling()
    task = bar.add_task("estimating the number of world states", total=None)
    estimate = estimate_size(native, None if anyway else limits)
    bar.update(task, visible=False)
    for line in told_of(estimate, native.shape, limits, anyway):
        print(f"ggp: {line}", file=sys.stderr)
    return estimate


def tell_compiling() -> None:
    """Print on standard error that the solver is compiled now, unless it was compiled on this machine before."""
    from ggp.solvers.worlds.exploration_kernels import explore_slice

    if not explore_slice.is_kept():
        print("ggp: compiling the solver, once on this machine; this takes some seconds", file=sys.stderr)


def told_of(estimate: SizeEstimate, shape: GameShape, limits: Limits, anyway: bool) -> Iterator[str]:
    """Yield the warnings about a game's size, before it is explored.

    Raises:
        GameTooLarge: it will not fit even if there are as few states as the estimate allows.
    """
    from ggp.solvers.worlds.exploration import GameTooLarge

    low, high = estimate.states_low, estimate.states_high
    least = estimate.memory_bytes(shape, low)
    if not estimate.may_fit(shape, limits):
        needed = f"at least about {count_text(low)} world states and {gibibytes_text(least)} of memory"
        if estimate.ended_early:
            needed += " (only what was counted until the estimate ended; the whole game needs more)"
        if not anyway:
            raise GameTooLarge(
                f"the game is estimated to need {needed}, and the limits are {count_text(limits.states)} states and"
                f" {gibibytes_text(limits.memory_bytes)}: choose smaller parameters (`-p`), raise --max-memory or"
                " --max-states, or use --anyway; to play it well, nothing has to be solved: `ggp play`, `ggp match`"
            )
        yield f"{needed} are estimated to be needed, which is more than the limits; it will probably be given up"
    elif not estimate.exact and estimate.seconds >= TOLD_FROM_SECONDS:
        told, more = ("more than", "") if estimate.ended_early else ("an estimated", " or more")
        yield (
            f"{told} {count_text(estimate.states)} world states{more}:"
            f" {gibibytes_text(estimate.memory_bytes(shape))} of memory, {estimate.seconds:,.0f} s to find them and"
            " about as long to value them"
        )
        if high > limits.states or estimate.memory_bytes(shape, high) > limits.memory_bytes:
            yield (
                f"the game may not fit: the limits are {count_text(limits.states)} states and"
                f" {gibibytes_text(limits.memory_bytes)}; it is given up when they are reached"
            )


def count_text(number: float) -> str:
    """Return a number rounded to three significant digits."""
    if number >= WORDLESS:
        return f"10^{math.floor(math.log10(number))}"
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{number / size:,.3g} {name}"
    return f"{float(f'{number:.3g}'):,.0f}"


def gibibytes_text(number: float) -> str:
    """Return an amount of memory in GiB."""
    return f"{number / GIBIBYTE:,.2g} GiB" if number < 100 * GIBIBYTE else f"{number / GIBIBYTE:,.0f} GiB"
