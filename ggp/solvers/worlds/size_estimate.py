"""Estimates the number of world states of a game, and the cost of exploring them, from a sample of about a second.

The game is explored in generations, but of a large generation only a random sample is expanded. The
size of the next one is estimated from how often the successors of the sample coincide (Chao's estimator of unseen
species, with the expanded states as samples), less those that are known from earlier generations.

The estimate tends to be too low: successors that rarely coincide in a sample look as if they never did, and the errors
accumulate over generations. Dimensions: N states of a sample, W words of a state.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ggp.codegen.kernels import F64, I64, U64
from ggp.native.calls import call_init
from ggp.native.interface import GameShape, NativeGame
from ggp.solvers.worlds.exploration import SLICE, GameTooLarge, Limits, check_kind, enlarge, raise_problem
from ggp.solvers.worlds.exploration_kernels import DONE, NEEDS_ROOM, PAUSED, Exploration, explore_slice, new_buffers
from ggp.solvers.worlds.state_graph import EXPANDED, PROBABILITIES, STATES, TRANSITIONS, fill_slots, new_graph

SAMPLE = 16_000
"""Maximum number of states expanded per generation."""
SAMPLE_BYTES = 64 * 2**20
"""Of their successors: so many are enough to tell by those that coincide that a generation does not fit into memory."""
LEAST_SAMPLE = 500
MAX_GENERATIONS = 1000
ENOUGH_STATES = 2e10
"""The estimate ends beyond this, far above what memory can hold: in long games more generations would take minutes."""
MAX_EXPANDED = 2_000_000
"""States expanded in all, in some ten seconds. What came of them is counted, and the estimate is then far too low."""
OVERESTIMATE = 1.25
UNDERESTIMATE = 5.0
"""Factors by which the estimate may be too high and too low; measured on library games: at most 1.1, and 4.1."""
SAMPLE_MEMORY = 2**30
ODD = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)


@dataclass(frozen=True, slots=True)
class SizeEstimate:
    """An estimate of what exploring a game would find.

    Attributes:
        states: distinct world states.
        exact: whether all of them were found.
        transitions: joint actions and chance outcomes of these states.
        probabilities: of these, the chance outcomes.
        seconds: to explore them at the speed of the sample.
        ended_early: whether the count ended at its limit on work, with more states to come.
    """

    states: float
    exact: bool
    transitions: float
    probabilities: float
    seconds: float
    ended_early: bool = False

    @property
    def states_low(self) -> float:
        """A number of states that the game very probably has."""
        return self.states if self.exact else self.states / OVERESTIMATE

    @property
    def states_high(self) -> float:
        """A number of states that the game probably does not exceed, unless it is very large."""
        return self.states if self.exact else self.states * UNDERESTIMATE

    def may_fit(self, shape: GameShape, limits: Limits | None) -> bool:
        """Return whether the game fits into limits if there are as few states as the estimate allows."""
        if limits is None:
            return True
        low = self.states_low
        return low <= limits.states and self.memory_bytes(shape, low) <= limits.memory_bytes

    def memory_bytes(self, shape: GameShape, states: float | None = None) -> float:
        """Return the peak memory of exploring and valuing.

        Args:
            shape: of the game.
            states: `self.states` by default; transitions are assumed to grow with them.
        """
        factor = 1.0 if states is None else states / self.states
        # the arrays of `StateGraph`; twice, because they are copied when they grow and when they are trimmed
        graph = self.states * (8 * shape.state_words + 36 + 12) + 4 * self.transitions + 8 * self.probabilities
        # components, uniform strategies of both players, and values
        values = self.states * (40 + 16 + 20) + 8 * 2 * min(self.transitions, self.states * shape.max_actions)
        return factor * (graph + max(graph, values))


def estimate_size(native: NativeGame, limits: Limits | None = None) -> SizeEstimate:
    """Return an estimate of the size of a game.

    Args:
        native: of a kind that `explore_game` accepts.
        limits: the estimate ends early where the game is surely larger than these.

    Raises:
        NotSolvable: as in `explore_game`.
        FaultInRules: a fault or a dead end was reached.
    """
    check_kind(native)
    generation, size = _initial(native), 1.0
    expand(native, generation)  # compile or load the kernels before timing
    rng, began = np.random.default_rng(0), time.perf_counter()
    states = transitions = probabilities = 0.0
    expanded, exact, ended_early, sample = 0, True, False, SAMPLE
    known, weights = np.zeros(0, np.uint64), np.zeros(0)
    for _ in range(MAX_GENERATIONS):
        states += size
        if len(generation) > sample:
            generation = generation[rng.choice(len(generation), sample, replace=False)]
        successors, hits, made, drawn, done = expand(native, generation)
        generation = generation[:done]
        rate = done / size
        exact = exact and rate == 1.0
        known, weights = _merged(known, weights, hash_rows(generation), 1 / rate)
        expanded += done
        transitions += made / rate
        probabilities += drawn / rate
        hashes = hash_rows(successors)
        place = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        old = known[place] == hashes
        # each of these represents states of its generation outside the sample, too
        hidden = float((weights[place[old]] - 1).sum())
        generation, hits = successors[~old], hits[~old]
        if len(generation) == 0:
            break
        size = max(float(len(generation)), number_of_successors(hits, rate) - hidden)
        least = SizeEstimate(states + size, False, transitions, probabilities, 0.0)
        if least.states > ENOUGH_STATES or expanded > MAX_EXPANDED or not least.may_fit(native.shape, limits):
            states, ended_early = least.states, True
            break
        most = SAMPLE_BYTES * done // (8 * native.shape.state_words * max(1, made))
        sample = min(SAMPLE, max(LEAST_SAMPLE, most))
    else:
        ended_early = True
    pace = (time.perf_counter() - began) / expanded
    return SizeEstimate(states, exact and not ended_early, transitions, probabilities, pace * states, ended_early)


def _initial(native: NativeGame) -> I64:
    """Return `[1, W]` the initial state."""
    initial = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, initial, 0)
    return initial.reshape(1, -1)


def number_of_successors(hits: I64, rate: float) -> float:
    """Return an estimate of how many distinct states follow a generation, from an expanded sample of it.

    Args:
        hits: `[D]` how many transitions from the sample lead to each of the states found.
        rate: the share of the generation that the sample is.

    Returns:
        At least D, and at most the number if no two transitions led to the same state.

    Source: Chao 1984, "Nonparametric estimation of the number of classes in a population", in the bias-corrected form
    f1 (f1 - 1) / (2 (f2 + 1)), with the share of the generation that was not expanded as a factor.
    """
    once, twice = int((hits == 1).sum()), int((hits == 2).sum())
    unseen = (1 - rate) * once * max(once - 1, 0) / (2 * (twice + 1))
    return float(min(len(hits) + unseen, max(hits.sum() / rate, len(hits))))


def expand(native: NativeGame, states: I64) -> tuple[I64, I64, int, int, int]:
    """Expand some states, as many as memory allows.

    Args:
        native: the game.
        states: `[N, W]`, distinct.

    Returns:
        `[D, W]` the successors that are not among these, `[D]` the number of transitions to each, the number of all
        transitions, the number of these that are chance outcomes, and the number of states expanded.

    Raises:
        FaultInRules: a state has a fault, or a player who cannot move.
        GameTooLarge: memory does not suffice for a single one.
    """
    shape, count = native.shape, len(states)
    graph = new_graph(shape, 4 * count, 8 * count, 2 * count)
    graph.words[: states.size] = states.ravel()
    graph.counters[STATES] = count
    fill_slots(graph, shape.state_words)
    buffers = new_buffers(shape)
    while (left := count - int(graph.counters[EXPANDED])) > 0:
        status = explore_slice(Exploration(native.functions, shape, graph, buffers), np.inf, min(left, SLICE))
        if status == NEEDS_ROOM:
            try:
                graph = enlarge(graph, shape, Limits(memory_bytes=SAMPLE_MEMORY))
            except GameTooLarge:
                if graph.counters[EXPANDED] == 0:
                    raise
                break
        elif status not in (DONE, PAUSED):
            raise_problem(status, graph, native)
    found, transitions = int(graph.counters[STATES]), int(graph.counters[TRANSITIONS])
    hits = np.bincount(graph.target[:transitions], minlength=found)[count:]
    words = graph.words[: found * shape.state_words].reshape(found, shape.state_words)
    drawn, done = int(graph.counters[PROBABILITIES]), int(graph.counters[EXPANDED])
    return words[count:].copy(), hits, transitions, drawn, done


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
