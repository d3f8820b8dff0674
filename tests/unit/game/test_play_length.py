"""The longest play of games, against what the rules of each say."""

from __future__ import annotations

import pytest

import ggp
from ggp.game.play_length import longest_play
from ggp.game.state import State
from tests.support.library import game_of, one_phase


@pytest.mark.parametrize(
    ("name", "parameters", "length"),
    [
        ("tic_tac_toe", {}, 9),
        ("rock_paper_scissors", {}, 1),
        # the deal of both cards, and pass, bet, call
        ("kuhn_poker", {}, 4),
        # a reveal and a bid for each card
        ("goofspiel", {"n": 4}, 8),
        # every stone taken alone
        ("nim", {}, 16),
        # both may throw a one for ever
        ("pig", {}, None),
        # from here on there are too many states to look at all; in these each transition fills a cell or deals a card
        ("connect_four", {}, 42),
        ("reversi", {}, 60),
        ("hex", {}, 121),
        ("goofspiel", {}, 26),
        # each player can try each cell
        ("dark_hex", {}, 18),
        # the stones still in hand, and 400 moves without taking one
        ("nine_mens_morris", {}, 418),
        # states recur until the position has been met too often
        ("go", {}, None),
    ],
)
def test_longest_plays(name: str, parameters: dict[str, int], length: int | None) -> None:
    assert ggp.load(name, **parameters).max_length == length


def test_the_longest_way_counts_where_ways_join() -> None:
    steps = "ann chooses by in 1..2 where at + by <= 3 or by == 1\nat := at + by\nnext end if at >= 3 else go"
    assert game_of(one_phase(steps, "at: 0..4 = 0")).max_length == 3


def test_there_is_no_longest_play_where_the_beginning_recurs() -> None:
    steps = "ann chooses by in 1..3 where at + by <= 4\nat := (at + by) mod 4\nnext end if at == 3 else go"
    assert game_of(one_phase(steps, "at: 0..4 = 0")).max_length is None


def test_that_there_are_too_many_transitions_shows_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made, successor = [0], State.successor

    def counted(state: State, joint: tuple[int, ...]) -> State:
        made[0] += 1
        return successor(state, joint)

    monkeypatch.setattr(State, "successor", counted)
    game = ggp.load("hex")
    assert longest_play(game) is None
    assert made[0] < game.backend.transitions_looked_at / 50
