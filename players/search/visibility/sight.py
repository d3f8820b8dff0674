"""Finds which cells a unit sees from where, by asking what players would observe.

For a pair of cells, the units of the observer step onto the first, those of the other player onto the second. The
second cell is seen from the first if no other second cell gives the same observation; all cells that are not seen must
give the same one.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import I64, I64_2D, U64, kernel
from ggp.native.calls import call_legal, call_observe, call_step
from ggp.native.hashing import START, hash_of
from ggp.native.interface import FAULT_WORD, NativeGame
from players.search.foundation.kernel_arguments import Model, new_model
from players.search.visibility.units import Units

CHECKED_PAIRS = 200


class NoSight(Exception):
    """Observations do not depend on the cells of units alone."""


def sight_of(native: NativeGame, units: Units) -> tuple[I64, I64]:
    """Return `[N, N]` for each player: 1 where its unit on the first cell sees a unit on the second, else 0.

    Raises:
        NoSight: what is seen does not depend on two cells alone.
    """
    model = new_model(native)
    steps = [_steps_onto(native, units, player) for player in range(2)]
    rng = np.random.default_rng(CHECKED_PAIRS)
    pairs = rng.integers(units.codes.size, size=(CHECKED_PAIRS, 2))
    found: list[I64] = []
    for player in range(2):
        mirrored = found[0].T if found else None
        if mirrored is not None and _agree(model, units, steps, player, mirrored, pairs):
            found.append(np.ascontiguousarray(mirrored))
        else:
            found.append(_seen(model, units, steps, player))
    return found[0], found[1]


def _steps_onto(native: NativeGame, units: Units, player: int) -> I64:
    """Return `[N, 2]` for each cell a neighbour, and the action by which all units of a player step from there."""
    functions, words = native.functions, list(units.words[player])
    joint, legal = np.zeros(3, np.int64), np.zeros(native.shape.max_actions, np.int64)
    state, new = units.sample.copy(), np.zeros_like(units.sample)
    other = call_legal(functions.legal, state, 0, 1 - player, legal, 0)
    joint[1 - player] = legal[0] if other > 0 else 0
    found = np.full((units.codes.size, 2), -1, np.int64)
    number = {code: cell for cell, code in enumerate(units.codes.tolist())}
    for cell in range(units.codes.size):
        state[words] = units.codes[cell]
        for action in legal[: call_legal(functions.legal, state, 0, player, legal, 0)].tolist():
            joint[player] = action
            call_step(functions.step, state, 0, new, 0, joint, 0)
            places = {int(place) for place in new[words]}
            if len(places) == 1 and not new[FAULT_WORD]:
                found[number[places.pop()]] = cell, action
    if (found < 0).any():
        raise NoSight
    return found


def _hashes(model: Model, units: Units, steps: list[I64], player: int, first: I64, second: I64, whole: bool) -> U64:
    """Return hashes of the player's observations when its units come to one cell and the other's to another."""
    shape = model.shape
    words = np.array([[*own, *[-1] * (8 - len(own))] for own in units.words], np.int64)
    out = np.zeros(first.size, np.uint64)
    states = np.concatenate([units.sample, units.sample])
    observation = np.zeros(shape.max_observation_words, np.int64)
    joint = np.zeros(shape.players + 1, np.int64)
    hash_observations(
        *(model, units.codes, words, steps[player], steps[1 - player], player, first, second, int(whole)),
        *(states, joint, observation, out),
    )
    return out


def _seen(model: Model, units: Units, steps: list[I64], player: int) -> I64:
    """Return what a player's units see; transitions are made only if observations need them."""
    cells = units.codes.size
    every: I64 = np.arange(cells, dtype=np.int64)
    rng = np.random.default_rng(1)
    first, second = rng.integers(cells, size=CHECKED_PAIRS), rng.integers(cells, size=CHECKED_PAIRS)
    quick, slow = (_hashes(model, units, steps, player, first, second, whole) for whole in (False, True))
    whole = bool((quick != slow).any())
    seen: I64 = np.zeros((cells, cells), np.int64)
    for cell in range(cells):
        hashes = _hashes(model, units, steps, player, np.full(cells, cell, np.int64), every, whole)
        _, places, counts = np.unique(hashes, return_inverse=True, return_counts=True)
        alike = counts[places] > 1
        if len({*hashes[alike].tolist()}) > 1:
            raise NoSight
        seen[cell] = ~alike
    if not 0 < seen.sum() < cells * cells:
        raise NoSight
    return seen


def _agree(model: Model, units: Units, steps: list[I64], player: int, seen: I64, pairs: I64) -> bool:
    """Return whether a player sees what is expected, tested from some cells."""
    cells = units.codes.size
    every: I64 = np.arange(cells, dtype=np.int64)
    for cell in pairs[:8, 0].tolist():
        hashes = _hashes(model, units, steps, player, np.full(cells, cell, np.int64), every, True)
        _, places, counts = np.unique(hashes, return_inverse=True, return_counts=True)
        if ((counts[places] == 1) != (seen[cell] == 1)).any():
            return False
    return True


@kernel
def hash_observations(
    model: Model,
    codes: I64,
    words: I64_2D,
    steps: I64_2D,
    other_steps: I64_2D,
    player: int,
    first: I64,
    second: I64,
    whole: int,
    states: I64,
    joint: I64,
    observation: I64,
    out: U64,
) -> None:
    """Write a hash of what a player observes when its units come to cells of `first`, the other's to those of `second`.

    Args:
        model: the game.
        codes: `[N]` see `Units`.
        words: `[2, 8]` the words of the players' units, then -1.
        steps: `[N, 2]` for each cell, a neighbour and the action that leads from it to the cell, for the player.
        other_steps: the same for the other player.
        player: who observes.
        first: `[Q]` cells.
        second: `[Q]` cells.
        whole: 1: transitions are made; 0: the new state is the old one with the units moved.
        states: `[2 * W]` two copies of a state in which both players move; changed.
        joint: `[3]`, overwritten.
        observation: `[O]`, overwritten.
        out: `[Q]`, overwritten.
    """
    new = model.shape.state_words
    for query in range(first.size):
        for place in range(words.shape[1]):
            if words[player, place] >= 0:
                states[words[player, place]] = codes[steps[first[query], 0]]
                states[new + words[player, place]] = codes[first[query]]
            if words[1 - player, place] >= 0:
                states[words[1 - player, place]] = codes[other_steps[second[query], 0]]
                states[new + words[1 - player, place]] = codes[second[query]]
        joint[player] = steps[first[query], 1]
        joint[1 - player] = other_steps[second[query], 1]
        if whole:
            call_step(model.functions.step, states, 0, states, new, joint, 0)
        count = call_observe(model.functions.observe, states, 0, states, new, joint, 0, player, observation, 0)
        out[query] = hash_of(observation, 0, max(count, 0), START + np.uint64(count + 1))
