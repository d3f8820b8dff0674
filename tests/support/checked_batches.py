"""What the check of a batch's actions must say, by its masks."""

from __future__ import annotations

import random

import numpy as np

from ggp.game.batch import Batch
from ggp.native.interface import DEAD_END


def compare_checks(batch: Batch, rng: random.Random, trials: int) -> None:
    """Compare the check of random legal actions, and of some in which one is another number, with the masks."""
    players = range(len(batch.game.players))
    masks = [batch.legal_mask(player).copy() for player in players]
    drawn = batch.random_actions()
    for trial in range(trials):
        rows = drawn.reshape(len(batch.acting), -1).copy()
        if trial:
            row = rows[rng.randrange(len(rows))]
            row[rng.randrange(len(row))] = rng.choice([DEAD_END, rng.randrange(batch.game.num_actions)])
        legal = [
            rows[game, player % rows.shape[1]] != DEAD_END and masks[player][game, rows[game, player % rows.shape[1]]]
            for game, acting in enumerate(batch.acting.tolist())
            for player in players
            if acting > 0 and acting >> player & 1
        ]
        assert batch._play.check(np.ascontiguousarray(rows).reshape(-1), len(rows)) == all(legal)
