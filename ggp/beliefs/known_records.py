"""What a player knows, as records: its own actions and its observations in order, without where transitions end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ggp.beliefs.observation_record import ACTED, DECIDING, FIELDS, IDLE, NOT_KNOWN, RESTING, ObservationRecords
from ggp.native.information_states import keys_of


class KnownRecords:
    """The actions and observations of one player.

    Behind them, not counted, stand a record that the player rests and one that it decides.

    Args:
        known: an action as its number, an observation as its words, at least one.
    """

    def __init__(self, known: Sequence[int | tuple[int, ...]]) -> None:
        keys = keys_of(known).view(np.int64)
        rows: list[tuple[int, ...]] = []
        numbers: list[int] = []
        for place, one in enumerate(known):
            at, may_be_told = len(numbers), False
            if isinstance(one, int):
                follows = known[place + 1] if place + 1 < len(known) else one
                may_be_told = not isinstance(follows, int)
                told = () if isinstance(follows, int) else follows
                numbers += [one, len(told), *told]
                rows.append((ACTED, at, 1, 0, at + 1, 1, int(may_be_told)))
                continue
            numbers += [len(one), *one]
            later = 0
            if place > 0 and isinstance(known[place - 1], int):
                later = len(numbers)
                numbers += keys[place + 1].tolist()
            rows.append((IDLE, at, 0, 0, at, 1, later))
        self._count = len(rows)
        rows += [(RESTING, 0, 0, 0, 0, 0, 0), (DECIDING, 0, 0, NOT_KNOWN, 0, 0, 0)]
        self._arrays = ObservationRecords(
            np.array(rows, np.int64).reshape(-1, FIELDS), np.array([*numbers, 0], np.int64)
        )

    def __len__(self) -> int:
        return self._count

    def in_arrays(self) -> ObservationRecords:
        """Return all records, and the two behind them."""
        return self._arrays
