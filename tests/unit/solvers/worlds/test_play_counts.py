"""Plays counted by their length."""

from __future__ import annotations

import pytest

import ggp
from ggp.game.game import Game
from ggp.solvers.worlds import play_counts
from ggp.solvers.worlds.play_counts import PlayCount, count_plays
from tests.support.library import game_of, one_phase


def last(game: Game, depth: int) -> PlayCount:
    *_, counted = count_plays(game, depth)
    return counted


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        # deals; a bet or none after each; then what may follow: after two passes, or an answer to a bet, it is over
        ("kuhn_poker", (6, 12, 24, 12, 0)),
        # joint actions are counted
        ("rock_paper_scissors", (9, 0)),
        ("tic_tac_toe", (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)),
    ],
)
def test_counts(name: str, nodes: tuple[int, ...]) -> None:
    counted = last(ggp.load(name), len(nodes))
    assert counted == PlayCount(nodes, 0, 1.0)


def test_a_walk_left_after_every_state_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_counts, "SLICE", 1)
    shares = []
    for counted in count_plays(ggp.load("goofspiel", n=3), 5):
        shares.append(counted.share)
    # three prizes, nine joint bids, two prizes left, four joint bids, one prize
    assert counted.nodes == (3, 27, 54, 216, 216)
    assert len(shares) > 100
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_faults_end_plays_and_are_counted() -> None:
    text = one_phase("ann chooses x in 1..2\nn := n + x\nnext end if n == 3 else go", "n: 0..3 = 0")
    counted = last(game_of(text), 4)
    # of four plays of two transitions two are over, one failed, and one goes on; so does one choice in it
    assert counted.nodes == (2, 4, 2, 0)
    assert counted.faults == 2
