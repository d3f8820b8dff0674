"""Quiescence by what actions are expected to gain: from the cells that they name, and what stands there."""

from __future__ import annotations

import pytest

import ggp
from ggp.game.game import Game
from players.search.star.gains import MEAN, OFTEN, look_at_cells, new_gains, sort_of
from players.search.star.star_search import StarSearch
from tests.support.library import one_phase
from tests.support.searches import after, search_at, star_search


@pytest.fixture(scope="module")
def chess() -> Game:
    return ggp.load("chess")


def test_a_man_that_stands_to_be_taken_is_seen_one_move_ahead(chess: Game) -> None:
    state = after(chess, "e2 e4 pawn", "e7 e5 pawn", "d1 g4 queen", "d7 d5 pawn")  # the bishop attacks the queen
    found = star_search(chess, "star1:depth=1", state).found[-1]
    assert chess.action_text(found.action).startswith(("g4 ", "f1 b5"))  # check
    assert found.low == pytest.approx(0.5, abs=0.1)


def test_captures_are_told_from_other_actions_by_what_stands_on_their_cells(chess: Game) -> None:
    state = after(chess, "e2 e4 pawn", "d7 d5 pawn")
    search = star_search(chess, "star1:depth=3", state)
    look_at_cells(search.gains, search.stack.states, 0)
    takes, goes = (
        search.gains.sorts[sort_of(search.gains, 0, state.parse_action(0, text))]
        for text in ("e4 d5 pawn", "e4 e5 pawn")
    )
    assert takes[OFTEN] > 0
    assert goes[OFTEN] > 0
    assert takes[MEAN] > 0.03 > goes[MEAN] + 0.02


@pytest.mark.parametrize("name", ["reversi", "kalah", "breakthrough"])
def test_there_is_nothing_to_learn_where_no_two_cells_are_named_or_nothing_is_estimated(name: str) -> None:
    assert new_gains(ggp.load(name).native(), wanted=True).planes.size == 0


def test_no_memory_is_taken_where_nothing_is_to_be_learned(chess: Game) -> None:
    gains = new_gains(chess.native(), wanted=False)
    assert not any(part.size for part in (gains.actions, gains.planes, gains.inside, gains.sorts))


def test_sets_and_parts_of_actions_are_known(chess: Game) -> None:
    native = chess.native()
    assert [size for _, size in native.sets] == [64] * 13
    assert native.action_parts == ((0, (64, 64, 6)),)


RESTLESS = one_phase(
    "turn chooses from in men[turn], to in cell where no p in player: to in men[p]\n"
    "men[turn] := men[turn] - {from} + {to}\nmoves := moves + 1\nturn := other(turn)\n"
    "next end if moves == 60 else go",
    "turn: player = ann\nmen[p: player]: set of cell = {c in cell: c.y == (if p == ann then 1 else 6)}\n"
    "moves: 0..60 = 0",
    "board cell = grid(6, 6)",
    payoff="0\npayoff sum = 0\nestimate[p] = if turn == p then 0 - moves / 100 else moves / 100",
)
"""Whoever has just moved seems to win."""


def test_lines_come_to_an_end_where_every_action_gains() -> None:
    game = ggp.load_text(RESTLESS)
    search = search_at(StarSearch, game.native(), "star1:depth=2", game.initial().words)
    search.run(200_000)
    assert [found.depth for found in search.found] == [1, 2]
