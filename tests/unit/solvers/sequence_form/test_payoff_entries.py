"""Payoff entries against dense sums over the same ends of play."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.solvers.sequence_form.payoff_entries import payoff_entries


@pytest.mark.parametrize("players", [1, 2, 3])
def test_entries_sum_up_the_ends(players: int) -> None:
    rng = np.random.default_rng(players)
    own = 4
    sequences, ends = players * own, 60
    # the sequences of player p are those whose number leaves p when divided by the number of players
    chosen = np.stack([players * rng.integers(0, own, ends) + player for player in range(players)], axis=1)
    utility = rng.integers(-1, 2, (ends, players)).astype(np.float64)
    entry, value, others = payoff_entries(
        chosen.astype(np.int32).ravel().copy(), utility.ravel().copy(), players, sequences
    )
    assert entry[0] == 0
    assert entry[-1] == len(value)
    for player in range(players):
        for sequence in range(player, sequences, players):
            dense: dict[tuple[int, ...], float] = {}
            for end in np.flatnonzero(chosen[:, player] == sequence):
                key = tuple(int(chosen[end, other]) for other in range(players) if other != player)
                dense[key] = dense.get(key, 0.0) + float(utility[end, player])
            found = [
                (tuple(others[(players - 1) * at : (players - 1) * (at + 1)].tolist()), float(value[at]))
                for at in range(entry[sequence], entry[sequence + 1])
            ]
            assert len({key for key, _ in found}) == len(found), "each pair of sequences is there once"
            assert dict(found) == {key: total for key, total in dense.items() if total != 0.0}
