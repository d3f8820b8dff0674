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


class NoSight(Exception):
    """Observations do not depend on the cells of units alone."""


def sight_of(native: NativeGame, units: Units) -> tuple[I64, I64]:
    """Return `[N, N]` for each player: 1 where its unit on the first cell sees a unit on the second, else 0.

    Raises:
        NoSight: what is seen does not depend on two cells alone.
    """
    steps = [_steps_onto(native, units, player) for player in range(2)]
    first, second = (_seen(native, units, steps, player) for player in range(2))
    return first, second


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


def _seen(native: NativeGame, units: Units, steps: list[I64], player: int) -> I64:
    """Return what a player's units see."""
    model, shape, cells = new_model(native), native.shape, units.codes.size
    words = np.array([[*own, *[-1] * (8 - len(own))] for own in units.words], np.int64)
    states, joint = np.concatenate([units.sample, units.sample]), np.zeros(shape.players + 1, np.int64)
    observation, hashes = np.zeros(shape.max_observation_words, np.int64), np.zeros(cells, np.uint64)
    seen: I64 = np.zeros((cells, cells), np.int64)
    for cell in range(cells):
        hash_observations(
            *(model, units.codes, words, steps[player], steps[1 - player], player, cell),
            *(states, joint, observation, hashes),
        )
        _, places, counts = np.unique(hashes, return_inverse=True, return_counts=True)
        alike = counts[places] > 1
        if len({*hashes[alike].tolist()}) > 1:
            raise NoSight
        seen[cell] = ~alike
    if not 0 < seen.sum() < cells * cells:
        raise NoSight
    return seen


@kernel
def hash_observations(
    model: Model,
    codes: I64,
    words: I64_2D,
    steps: I64_2D,
    other_steps: I64_2D,
    player: int,
    cell: int,
    states: I64,
    joint: I64,
    observation: I64,
    out: U64,
) -> None:
    """Write hashes of what a player observes when its units come to a cell, and the other's to each cell.

    Args:
        model: the game.
        codes: `[N]` see `Units`.
        words: `[2, 8]` the words of the players' units, then -1.
        steps: `[N, 2]` for each cell, a neighbour and the action that leads from it to the cell, for the player.
        other_steps: the same for the other player.
        player: who observes.
        cell: where the player's units come to.
        states: `[2 * W]` two copies of a state in which both players move; changed.
        joint: `[3]`, overwritten.
        observation: `[O]`, overwritten.
        out: `[N]`, overwritten.
    """
    new = model.shape.state_words
    joint[player] = steps[cell, 1]
    for other in range(codes.size):
        for place in range(words.shape[1]):
            if words[player, place] >= 0:
                states[words[player, place]] = codes[steps[cell, 0]]
            if words[1 - player, place] >= 0:
                states[words[1 - player, place]] = codes[other_steps[other, 0]]
        joint[1 - player] = other_steps[other, 1]
        call_step(model.functions.step, states, 0, states, new, joint, 0)
        count = call_observe(model.functions.observe, states, 0, states, new, joint, 0, player, observation, 0)
        out[other] = hash_of(observation, 0, max(count, 0), START + np.uint64(count + 1))
