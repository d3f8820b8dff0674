"""Goofspiel written by hand, with the native functions of a compiled game: the speed of code specialised in one game.

Benchmarks report it beside the compiled rules as an upper limit. Sets of cards are bit masks; the playout is fused: it
draws
the k-th set bit instead of listing moves. Prizes are shuffled, bids are shown, the greater sum of points wins.
Chance outcomes and actions are numbered 0 to n - 1 for the cards 1 to n.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, cfunc, njit, types
from numba.core.types import CPointer

from ggp.model.native.calls import call_init
from ggp.model.native.interface import GameShape, NativeFunctions, NativeGame
from ggp.model.native.jit import I64
from ggp.model.native.rng_kernels import below

PHASE, FAULT, HAND, DECK, PRIZE, POINTS = 0, 1, 2, 4, 5, 6  # words of a state; hand and points have one per player
STATE_WORDS = 8
REVEAL, BID, END = 0, 1, 2

Words = CPointer(types.int64)
Generator = CPointer(types.uint64)
Reals = CPointer(types.float64)

EVERY_SECOND = 0x5555555555555555
PAIRS = 0x3333333333333333
NIBBLES = 0x0F0F0F0F0F0F0F0F


@njit(inline="always")
def count_bits(word: int) -> int:
    """Return how many bits of a set of at most 32 members are set."""
    word = word - ((word >> 1) & EVERY_SECOND)
    word = (word & PAIRS) + ((word >> 2) & PAIRS)
    word = (word + (word >> 4)) & NIBBLES
    word = word + (word >> 8)
    return (word + (word >> 16)) & 0x3F


@njit(inline="always")
def nth_bit(word: int, index: int) -> int:
    """Return the set bit with number `index`, counted from the lowest, as a mask."""
    for _ in range(index):
        word &= word - 1
    return word & -word


@njit(inline="always")
def position(mask: int) -> int:
    """Return the position of the only set bit."""
    return count_bits(mask - 1)


def handwritten_goofspiel(n: int = 13) -> NativeGame:
    """Compile goofspiel with `n` cards, 2 to 30."""
    everything = (1 << n) - 1

    def init(state: Any) -> None:
        state[PHASE] = REVEAL
        state[FAULT] = 0
        state[HAND] = state[HAND + 1] = state[DECK] = everything
        state[PRIZE] = state[POINTS] = state[POINTS + 1] = 0

    def actors(state: Any) -> int:
        return -1 if state[PHASE] == END else (0 if state[PHASE] == REVEAL else 3)

    def legal(state: Any, player: int, out: Any) -> int:
        hand = state[HAND + player]
        count = 0
        while hand:
            out[count] = position(hand & -hand)
            hand &= hand - 1
            count += 1
        return count

    def chance(state: Any, out: Any, probability: Any) -> int:
        deck = state[DECK]
        size = count_bits(deck)
        for index in range(size):
            out[index] = position(deck & -deck)
            probability[index] = 1.0 / size
            deck &= deck - 1
        return size

    def sample_chance(state: Any, rng: Any) -> int:
        deck = state[DECK]
        return position(nth_bit(deck, below(carray(rng, 1), 0, count_bits(deck))))

    def step(old: Any, new: Any, joint: Any) -> None:
        for word in range(STATE_WORDS):
            new[word] = old[word]
        if old[PHASE] == REVEAL:
            new[DECK] = old[DECK] & ~(1 << joint[2])
            new[PRIZE] = joint[2] + 1
            new[PHASE] = BID
            return
        new[HAND] = old[HAND] & ~(1 << joint[0])
        new[HAND + 1] = old[HAND + 1] & ~(1 << joint[1])
        new[POINTS] += old[PRIZE] * (joint[0] > joint[1])
        new[POINTS + 1] += old[PRIZE] * (joint[1] > joint[0])
        new[PRIZE] = 0
        new[PHASE] = REVEAL if old[DECK] else END

    def observe(old: Any, _new: Any, joint: Any, _player: int, out: Any) -> int:
        if old[PHASE] == REVEAL:
            out[0] = joint[2]
            return 1
        out[0] = joint[0]
        out[1] = joint[1]
        return 2

    def utility(state: Any, out: Any) -> int:
        difference = state[POINTS] - state[POINTS + 1]
        out[0] = (difference > 0) - (difference < 0)
        out[1] = -out[0]
        return 0

    def playout(state: Any, rng: Any, out: Any, limit: int) -> int:
        generator = carray(rng, 1)
        phase, deck, prize = state[PHASE], state[DECK], state[PRIZE]
        row, column, lead = state[HAND], state[HAND + 1], state[POINTS] - state[POINTS + 1]
        steps = 0
        left = count_bits(row)
        while phase != END:
            if steps == limit:
                return -1
            steps += 1
            if phase == REVEAL:
                card = nth_bit(deck, below(generator, 0, left))
                deck ^= card
                prize = position(card) + 1
                phase = BID
            else:
                row_bid = nth_bit(row, below(generator, 0, left))
                column_bid = nth_bit(column, below(generator, 0, left))
                row ^= row_bid
                column ^= column_bid
                lead += prize * ((row_bid > column_bid) - (row_bid < column_bid))
                left -= 1
                phase = REVEAL if deck else END
        out[0] = (lead > 0) - (lead < 0)
        out[1] = -out[0]
        return steps

    integer, nothing = types.int64, types.void
    compiled = [
        cfunc(nothing(Words))(init),
        cfunc(integer(Words))(actors),
        cfunc(integer(Words, integer, Words))(legal),
        cfunc(integer(Words, Words, Reals))(chance),
        cfunc(integer(Words, Generator))(sample_chance),
        cfunc(nothing(Words, Words, Words))(step),
        cfunc(integer(Words, Words, Words, integer, Words))(observe),
        cfunc(integer(Words, Reals))(utility),
        None,
        cfunc(integer(Words, Generator, Reals, integer))(playout),
    ]
    return NativeGame(
        functions=NativeFunctions(*[0 if function is None else function.address for function in compiled]),
        shape=GameShape(players=2, state_words=STATE_WORDS, max_actions=n, max_outcomes=n, max_observation_words=2),
        utility_low=(-1.0, -1.0),
        utility_high=(1.0, 1.0),
        utility_sum=0.0,
        perfect_information=True,
        faults=(),
        owner=compiled,
    )


def initial_words(native: NativeGame) -> I64:
    """Return `[W]` the words of a game's initial state."""
    words = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, words, 0)
    return words
