"""How many sequences of moves there are from the start, against published counts ("perft").

Los Alamos chess: the tests of Fairy-Stockfish (`tests/perft.sh`). Reversi: the table repeated in many programs. Connect
four: a column can be full from the seventh move on, so that counts are powers of 7 before and one column's worth short
of it then. Breakthrough: OpenSpiel, counted once.
"""

from __future__ import annotations

import pytest

import ggp
from ggp.solvers.worlds.play_counts import count_plays


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("los_alamos", [10, 100, 1212, 14332, 191846]),
        ("reversi", [4, 12, 56, 244, 1396, 8200, 55092]),
        ("connect_four", [7, 49, 343, 2401, 16807, 117649, 823536]),
        ("breakthrough", [22, 484, 11132, 256036]),
    ],
)
def test_move_counts(name: str, published: list[int]) -> None:
    *_, counted = count_plays(ggp.load(name), len(published))
    assert list(counted.nodes) == published
