"""Estimates how many world states a game has, and what exploring them takes, from a sample of a few seconds.

The game is explored in generations, as exploring does, but where a generation is large only a sample of it is expanded.
How many states the next one has is estimated from how often the successors of the sample coincide (Chao's estimator of
unseen species, with the expanded states as samples), less those that are known from earlier generations.

The estimate is a bound from below in tendency: what coincides rarely in a sample hides among what never did, and that
adds up over generations. So samples grow fourfold until two estimates in a row agree or the time is over, and how much
the last step changed says how far the truth may lie above. Dimensions: N states of a sample, W words of a state.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ggp.analysis.worlds.exploration import SLICE, Limits, check_kind, enlarge, raise_problem
from ggp.analysis.worlds.exploration_kernels import DONE, NEEDS_ROOM, PAUSED, explore_slice, new_buffers
from ggp.analysis.worlds.state_graph import (
    EXPANDED,
    PROBABILITIES,
    STATES,
    TRANSITIONS,
    fill_slots,
    new_graph,
)
from ggp.model.native.calls import call_init
from ggp.model.native.interface import GameShape, NativeGame
from ggp.model.native.jit import F64, I64, U64

FIRST_SAMPLE = 1000
GROWTH = 4
SAMPLES_AT_LEAST = 3
AGREEMENT = 1.1
"""Two estimates agree if the greater is at most so many times the smaller."""
MAX_GENERATIONS = 1000
SAMPLING_ERROR = 1.25
"""How far above the truth an estimate may lie by chance; measured on games of the library: at most 1.1."""
SAMPLE_MEMORY = 2**30
ODD = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)

Progress = Callable[[float], None]
"""Told the number of states that the last sample gave."""


@dataclass(frozen=True, slots=True)
class SizeEstimate:
    """What exploring a game would find, roughly.

    Attributes:
        states: distinct world states; exact where `states_low` and `states_high` are the same.
        states_low: an estimate that is very unlikely to be too great.
        states_high: an estimate that is unlikely to be too small.
        transitions: joint actions and chance outcomes of these states.
        probabilities: of these, the chance outcomes.
        seconds: to explore them at the speed of the sample.
    """

    states: float
    states_low: float
    states_high: float
    transitions: float
    probabilities: float
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether all states were met."""
        return self.states_low == self.states_high

    def memory_bytes(self, shape: GameShape, states: float | None = None) -> float:
        """Return the most memory that exploring and valuing take at once, for a number of states.

        Args:
            shape: of the game.
            states: `self.states` by default; transitions are taken to grow with them.
        """
        factor = 1.0 if states is None else states / self.states
        # the arrays of `StateGraph`; twice, for they are copied when they grow and when they are trimmed
        graph = self.states * (8 * shape.state_words + 36 + 12) + 4 * self.transitions + 8 * self.probabilities
        # components, uniform strategies of both players, and values
        values = self.states * (40 + 16 + 20) + 8 * 2 * min(self.transitions, self.states * shape.max_actions)
        return factor * (graph + max(graph, values))


@dataclass(slots=True)
class _Sum:
    """What the generations of one sample add up to."""

    states: float = 0.0
    transitions: float = 0.0
    probabilities: float = 0.0
    expanded: int = 0
    complete: bool = True


def estimate_size(native: NativeGame, seconds: float, progress: Progress | None = None) -> SizeEstimate:
    """Return an estimate of the size of a game.

    Args:
        native: of a kind that `explore_game` takes.
        seconds: no sample is begun that would take longer in all, but for the first two, and a third if these were
            within the time.
        progress: called after each sample.

    Raises:
        NotSolvable: as in `explore_game`.
        FaultInRules: a fault or a dead end was reached.
    """
    check_kind(native)
    expand(native, _initial(native))  # so that kernels are compiled or loaded before time is taken
    began = time.perf_counter()
    size, before = FIRST_SAMPLE, 0.0
    rng = np.random.default_rng(0)
    for count in itertools.count(1):
        sample_began = time.perf_counter()
        found = _sample(native, size, rng)
        now = time.perf_counter()
        if progress is not None:
            progress(found.states)
        pace = (now - sample_began) / max(found.expanded, 1)
        if found.complete:
            states = found.states
            return SizeEstimate(states, states, states, found.transitions, found.probabilities, pace * states)
        change = max(found.states, before) / min(found.states, before) if before else float("inf")
        spent = now - began
        too_long = spent + GROWTH * (now - sample_began) > seconds
        # the change of the first step says little, so another one is made unless that is slow
        if change <= AGREEMENT or (before and too_long and (count >= SAMPLES_AT_LEAST or spent > seconds)):
            return SizeEstimate(
                states=found.states,
                states_low=found.states / SAMPLING_ERROR,
                states_high=found.states * max(change * change, SAMPLING_ERROR),
                transitions=found.transitions,
                probabilities=found.probabilities,
                seconds=pace * found.states,
            )
        size, before = GROWTH * size, found.states
    raise AssertionError("the loop has no end")


def _initial(native: NativeGame) -> I64:
    """Return `[1, W]` the initial state."""
    initial = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, initial, 0)
    return initial.reshape(1, -1)


def _sample(native: NativeGame, most: int, rng: np.random.Generator) -> _Sum:
    """Go through all generations, expanding at most `most` states of each."""
    generation, size = _initial(native), 1.0
    total = _Sum()
    known, weights = np.zeros(0, np.uint64), np.zeros(0)
    for _ in range(MAX_GENERATIONS):
        total.states += size
        if len(generation) > most:
            generation = generation[rng.choice(len(generation), most, replace=False)]
        rate = len(generation) / size
        total.complete = total.complete and rate == 1.0
        known, weights = _merged(known, weights, hash_rows(generation), 1 / rate)
        successors, hits, transitions, probabilities = expand(native, generation)
        total.expanded += len(generation)
        total.transitions += transitions / rate
        total.probabilities += probabilities / rate
        hashes = hash_rows(successors)
        place = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        old = known[place] == hashes
        # each of these stands for as many as were not in the sample of its generation
        hidden = float((weights[place[old]] - 1).sum())
        generation, hits = successors[~old], hits[~old]
        if len(generation) == 0:
            return total
        seen = number_of_successors(hits, rate)
        size = max(float(len(generation)), seen - hidden)
    total.complete = False
    return total


def number_of_successors(hits: I64, rate: float) -> float:
    """Return an estimate of how many distinct states follow a generation, from an expanded sample of it.

    Args:
        hits: `[D]` how many transitions from the sample lead to each of the states found.
        rate: the share of the generation that the sample is.

    Returns:
        At least D, and at most what it is if no two transitions meet.

    Source: Chao 1984, "Nonparametric estimation of the number of classes in a population", in the bias-corrected form
    f1 (f1 - 1) / (2 (f2 + 1)), with the share of the generation that was not expanded as a factor.
    """
    once, twice = int((hits == 1).sum()), int((hits == 2).sum())
    unseen = (1 - rate) * once * max(once - 1, 0) / (2 * (twice + 1))
    return float(min(len(hits) + unseen, max(hits.sum() / rate, len(hits))))


def expand(native: NativeGame, states: I64) -> tuple[I64, I64, int, int]:
    """Expand some states.

    Args:
        native: the game.
        states: `[N, W]`, distinct.

    Returns:
        `[D, W]` the states that follow and are not among these, `[D]` how many transitions lead to each, the number of
        transitions, and how many of these are chance outcomes.

    Raises:
        FaultInRules: a state has a fault, or a player who cannot move.
    """
    shape, count = native.shape, len(states)
    graph = new_graph(shape, 4 * count, 8 * count, 2 * count)
    graph.words[: states.size] = states.ravel()
    graph.counters[STATES] = count
    fill_slots(graph, shape.state_words)
    buffers = new_buffers(shape)
    while (left := count - int(graph.counters[EXPANDED])) > 0:
        status = explore_slice(native.functions, shape, graph, buffers, np.inf, min(left, SLICE))
        if status == NEEDS_ROOM:
            graph = enlarge(graph, shape, Limits(memory_bytes=SAMPLE_MEMORY))
        elif status not in (DONE, PAUSED):
            raise_problem(status, graph, native)
    found, transitions = int(graph.counters[STATES]), int(graph.counters[TRANSITIONS])
    hits = np.bincount(graph.target[:transitions], minlength=found)[count:]
    words = graph.words[: found * shape.state_words].reshape(found, shape.state_words)
    return words[count:].copy(), hits, transitions, int(graph.counters[PROBABILITIES])


def hash_rows(states: I64) -> U64:
    """Return a 64-bit hash of each row; two states of a sample share one with negligible probability."""
    value = np.full(len(states), ODD)
    for column in states.T:
        value = (value ^ column.astype(np.uint64)) * ODD
        value ^= value >> SHIFT
    return value


def _merged(known: U64, weights: F64, hashes: U64, weight: float) -> tuple[U64, F64]:
    """Return ascending hashes and their weights, with those of another generation among them."""
    together = np.concatenate([known, hashes])
    # a stable sort of two sorted runs is a merge
    order = np.argsort(together, kind="stable")
    return together[order], np.concatenate([weights, np.full(len(hashes), weight)])[order]
