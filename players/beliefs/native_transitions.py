"""Finds the transition that produced a player's observation, by native code: a state can have a million transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, allocated, inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_observe, call_step
from ggp.native.interface import CHANCE, NativeFunctions, NativeGame

NONE_FITS = -1


@inline_kernel
def seen_as(words: I64, count: int, sights: I64, sight_count: int) -> bool:
    """Return whether the first `count` words are one of the sights, each of which stands behind its length."""
    at = 0
    for _ in range(sight_count):
        length = sights[at]
        same = length == count
        for index in range(min(length, count)):
            same = same and sights[at + 1 + index] == words[index]
        if same:
            return True
        at += 1 + length
    return False


class FindingWork(NamedTuple):
    """Scratch memory for finding a transition. C outcomes, A actions at most."""

    states: Annotated[I64, "2 * W"]  # the state, and room for the one after
    legal: Annotated[I64, "P * max(A, C)"]
    counts: Annotated[I64, "P"]
    places: Annotated[I64, "P"]
    joint: Annotated[I64, "P + 1"]  # the transition, as `step` reads it
    probability: Annotated[F64, "C"]
    observed: Annotated[I64, "O"]


@kernel
def find_fitting(
    functions: NativeFunctions, work: FindingWork, role: int, own: I64, sights: I64, sight_count: int
) -> int:
    """Write the first transition from a state in which a player does and sees what it did and saw.

    Args:
        functions: of the game.
        work: its state is read, the rest overwritten.
        role: the player.
        own: the numbers of the actions that it may have taken; empty where it did not act.
        sights: what it may have seen, each behind its length.
        sight_count: how many these are.

    Returns:
        The number of the joint action, row-major over the positions of the players' actions, or the outcome; NONE_FITS.
    """
    states, legal, counts, places = work.states, work.legal, work.counts, work.places
    joint, observed = work.joint, work.observed
    players, width, row = counts.size, states.size // 2, legal.size // counts.size
    joint[:] = 0
    actors = call_actors(functions.actors, states, 0)
    if actors < 0 or (actors >> role & 1 == 1) != (own.size > 0):
        return NONE_FITS
    if actors == CHANCE:
        outcomes = call_chance(functions.chance, states, 0, legal, 0, work.probability, 0)
        for place in range(outcomes):
            joint[players] = legal[place]
            call_step(functions.step, states, 0, states, width, joint, 0)
            count = call_observe(functions.observe, states, 0, states, width, joint, 0, role, observed, 0)
            if seen_as(observed, count, sights, sight_count):
                return int(legal[place])
        return NONE_FITS
    for player in range(players):
        counts[player], places[player] = 1, 0
        legal[player * row] = 0
        if actors >> player & 1:
            counts[player] = call_legal(functions.legal, states, 0, player, legal, player * row)
            if counts[player] < 1:
                return NONE_FITS
    for place in range(counts[role]):
        fits = own.size == 0
        for number in own:
            fits = fits or number == legal[role * row + place]
        if not fits:
            continue
        places[:] = 0
        places[role] = place
        while True:
            key = 0
            for player in range(players):
                joint[player] = legal[player * row + places[player]]
                key = key * counts[player] + places[player]
            call_step(functions.step, states, 0, states, width, joint, 0)
            count = call_observe(functions.observe, states, 0, states, width, joint, 0, role, observed, 0)
            if seen_as(observed, count, sights, sight_count):
                return int(key)
            player = players - 1
            while player >= 0:
                if player != role:
                    places[player] += 1
                    if places[player] < counts[player]:
                        break
                    places[player] = 0
                player -= 1
            if player < 0:
                break
    return NONE_FITS


class TransitionFinder:
    """Finds transitions of one game for one player.

    Args:
        native: the game.
        role: the player.
    """

    def __init__(self, native: NativeGame, role: int) -> None:
        self._native = native
        self._role = role
        self._work = allocated(FindingWork, **native.shape.lengths)

    def find(
        self, state: Sequence[int], own: Sequence[int], sights: Sequence[Sequence[int]]
    ) -> tuple[int, tuple[int, ...]] | None:
        """Return the number and the joint action of the first transition that fits, or None.

        Args:
            state: the words of the state before.
            own: the numbers of the actions that the player may have taken; empty where it did not act.
            sights: the words that it may have seen.
        """
        self._work.states[: len(state)] = state
        flat = np.array([*(number for words in sights for number in (len(words), *words)), 0], np.int64)
        taken = np.array(own, np.int64)
        key = find_fitting(self._native.functions, self._work, self._role, taken, flat, len(sights))
        return None if key == NONE_FITS else (int(key), tuple(self._work.joint.tolist()))
