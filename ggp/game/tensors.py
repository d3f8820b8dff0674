"""Single states and observations as numbers for learning, and tensors from a player's seat.

The entries are those of `ggp.encoding.features`; batches write the same by kernels (`ggp.game.batch_views`). T is
the number of entries of a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from ggp.encoding.features import seen_from
from ggp.faults import LimitExceeded

if TYPE_CHECKING:
    from ggp.encoding.features import Feature
    from ggp.game.game import Game
    from ggp.game.state import State

Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
F32: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
I64: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

Kind = TypeVar("Kind", bound=np.generic)

WORD_BITS = 64
MAX_BYTES = 1 << 34
"""What one array of a batch may take."""


def new_array(games: int, width: int, kind: type[Kind]) -> np.ndarray[Any, np.dtype[Kind]]:
    """Return an array of zeros for a batch, `width` for each game, flat.

    Raises:
        LimitExceeded: it takes too much memory.
    """
    needed = games * width * np.dtype(kind).itemsize
    if needed > MAX_BYTES:
        raise LimitExceeded("bytes for an array of a batch", needed, MAX_BYTES)
    return np.zeros(games * width, kind)


def integers(given: I64, what: str) -> I64:
    """Return integers of any kind as int64; numpy would cut 3.9 to 3.

    Raises:
        ValueError: they are no integers.
    """
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu":
        raise ValueError(f"{what} of type {numbers.dtype}; they are integers")
    return numbers.astype(np.int64, copy=False)


def state_tensor(state: State, player: int | None) -> F32:
    """Return a state as numbers, `[T]` float32: `State.tensor`."""
    features = state.game.state_features
    out = np.zeros(features[-1].at + features[-1].width, np.float32)
    write_features(features, state.words, out)
    return out if player is None else out[seat_order(state.game, player)]


def legal_mask(state: State, player: int) -> Bools:
    """Return which actions are legal for a player, `[N]` bool: `State.mask`."""
    mask = np.zeros(state.game.num_actions, np.bool_)
    mask[list(state.legal(player))] = True
    return mask


def write_features(features: Sequence[Feature], words: Sequence[int], out: F32) -> None:
    """Write the features of some words over zeros.

    Args:
        features: the words they read count from the first one of `words`.
        words: of a state, or of a value of an observation.
        out: `[T]` changed at the entries of the features.
    """
    for feature in features:
        word, size, at = feature.word, feature.size, feature.at
        if feature.kind == "bits":
            count = -(-size // WORD_BITS)
            raw = np.array(words[word : word + count], "<i8").view(np.uint8)
            out[at : at + size] = np.unpackbits(raw, bitorder="little")[:size]
            continue
        value = words[word] - feature.low
        if feature.apart:
            # an array kept as sets: the value with the set that holds this place, the first one without
            bits = [words[word + number * feature.apart] >> feature.low & 1 for number in range(feature.sets)]
            value = size - feature.sets + bits.index(1) if 1 in bits else 0
        if feature.kind == "scaled":
            out[at] = value / (size - 1)
        elif feature.kind == "binary":
            out[at : at + size] = [value >> digit & 1 for digit in range(size)]
        elif 0 <= value < size:
            out[at + value] = 1.0


@lru_cache(64)
def seat_order(game: Game, player: int) -> I64:
    """Return where each entry of a state's tensor comes from in the tensor as a player has it, `[T]` int64, read-only.

    See `ggp.encoding.features.seen_from`.
    """
    players, order = len(game.players), list[int]()
    begins = {feature.name: feature.at for feature in game.state_features}
    for feature in seen_from(game.state_features, player, players):
        entries = list(range(begins[feature.name], begins[feature.name] + feature.width))
        if feature.of_players:
            seats = entries[-players:]
            entries[-players:] = seats[feature.turned :] + seats[: feature.turned]
        order += entries
    found = np.array(order, np.int64)
    found.flags.writeable = False
    return found
