"""Whether a game fits into memory with all its states: the limits that commands take, and what they say beforehand."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

    from ggp.analysis.worlds.exploration import Limits
    from ggp.analysis.worlds.size_estimate import SizeEstimate
    from ggp.model.native.interface import GameShape, NativeGame

GIBIBYTE = 2**30
WORDLESS = 1e15
"""Numbers from which on only the power of ten is told."""
MAX_GIBIBYTES = 1_000_000
MAX_STATES = 2**31 - 1
"""Numbers of states have 32 bits."""
SHARE_OF_FREE_MEMORY = 0.9
TOLD_FROM_SECONDS = 2.0
"""What takes less is not announced."""

MaxStatesOption = Annotated[
    int | None,
    typer.Option(
        "--max-states",
        min=1,
        max=MAX_STATES,
        help="Give up beyond this number of world states.",
        show_default="none",
    ),
]
MaxMemoryOption = Annotated[
    float | None,
    typer.Option(
        "--max-memory",
        min=0.01,
        max=MAX_GIBIBYTES,
        help="Give up when more GiB are needed.",
        show_default="nine tenths of what is free",
    ),
]
AnywayOption = Annotated[
    bool, typer.Option("--anyway", help="Begin although it will not fit by the estimate; the limits still hold.")
]


def limits_from(max_states: int | None, max_memory: float | None) -> Limits:
    """Return the limits that the options set."""
    from ggp.analysis.worlds.exploration import Limits
    from ggp.cli.free_memory import free_memory_bytes

    memory = max_memory * GIBIBYTE if max_memory is not None else SHARE_OF_FREE_MEMORY * free_memory_bytes()
    return Limits(max_states or MAX_STATES, int(memory))


def estimated(native: NativeGame, limits: Limits, anyway: bool, bar: Progress) -> SizeEstimate:
    """Return an estimate of a game's size; print warnings about it to the standard error.

    Args:
        native: the game.
        limits: that will hold.
        anyway: whether to go on where it will not fit.
        bar: where it is shown that this takes its time.

    Raises:
        NotSolvable: exact methods do not cover the game.
        GameTooLarge: it will not fit even if there are as few states as the estimate allows.
        FaultInRules: the sample runs into an error of the rules.
    """
    from ggp.analysis.worlds import exploration
    from ggp.analysis.worlds.size_estimate import estimate_size
    from ggp.model.native.jit import has_compiled

    if not has_compiled(Path(exploration.__file__).parents[1]):
        print("ggp: the solver is compiled now, once on this machine; it takes a minute at most", file=sys.stderr)
    task = bar.add_task("estimating the number of world states", total=None)
    estimate = estimate_size(native)
    bar.update(task, visible=False)
    for line in told_of(estimate, native.shape, limits, anyway):
        print(f"ggp: {line}", file=sys.stderr)
    return estimate


def told_of(estimate: SizeEstimate, shape: GameShape, limits: Limits, anyway: bool) -> Iterator[str]:
    """Yield the warnings about a game's size, before it is explored.

    Args:
        estimate: of the size.
        shape: of the game.
        limits: that will hold.
        anyway: whether to go on where it will not fit.

    Raises:
        GameTooLarge: it will not fit even if there are as few states as the estimate allows.
    """
    from ggp.analysis.worlds.exploration import GameTooLarge

    low, high = estimate.states_low, estimate.states_high
    least = estimate.memory_bytes(shape, low)
    if least > limits.memory_bytes or low > limits.states:
        needed = f"at least about {count_text(low)} world states and {gibibytes_text(least)} of memory"
        if not anyway:
            raise GameTooLarge(
                f"the game needs {needed}, by an estimate, and the limits are {count_text(limits.states)} states and"
                f" {gibibytes_text(limits.memory_bytes)}: choose smaller parameters (`-p`), raise --max-memory or"
                " --max-states, or begin --anyway"
            )
        yield f"{needed} are needed, by an estimate, which is more than the limits; it will probably be given up"
    elif not estimate.exact and estimate.seconds >= TOLD_FROM_SECONDS:
        yield (
            f"about {count_text(estimate.states)} world states or more, by an estimate:"
            f" {gibibytes_text(estimate.memory_bytes(shape))} of memory, {estimate.seconds:,.0f} s to find them and"
            " about as long to value them"
        )
        if high > limits.states or estimate.memory_bytes(shape, high) > limits.memory_bytes:
            yield (
                f"it may not fit: the limits are {count_text(limits.states)} states and"
                f" {gibibytes_text(limits.memory_bytes)}; it is given up when they are reached"
            )


def count_text(number: float) -> str:
    """Return a number with two or three digits that mean something."""
    if number >= WORDLESS:
        return f"10^{math.floor(math.log10(number))}"
    for size, name in ((1e12, "million million"), (1e9, "thousand million"), (1e6, "million")):
        if number >= size:
            return f"{number / size:,.3g} {name}"
    return f"{float(f'{number:.3g}'):,.0f}"


def gibibytes_text(number: float) -> str:
    """Return an amount of memory in GiB."""
    return f"{number / GIBIBYTE:,.2g} GiB" if number < 100 * GIBIBYTE else f"{number / GIBIBYTE:,.0f} GiB"
