"""Reports of games, against figures known from elsewhere."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from ggp.cli.commands.report import _rows
from ggp.language.library import load_rules
from players.evaluation.game_report import GameReport, report
from tests.support.library import typed_game

RULES = """\
game one "The second player has won, whoever chooses what"
players first, second
state
    turn: player = first
phase go
    turn chooses
        wait
        jump by k in 1..3 where k > 4 - count(all - {turn})
    turn := other(turn)
    next end if turn == first else go
phase never
    turn chooses k in 1..2
    next end
payoff[p] = if p == second then 1 else -1
payoff sum = 0
"""


def made(text: str, seconds: float) -> GameReport:
    told: list[float] = []
    found = report(typed_game(text), seconds, 1, told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    return found


def test_random_tic_tac_toe_is_as_known() -> None:
    found = made(load_rules("tic_tac_toe")[0].text, 0.3)
    # of all random games the first player wins 737/1260 and 16/126 are drawn
    assert found.draws_random == pytest.approx(16 / 126, abs=5 * math.sqrt(0.13 * 0.87 / found.games))
    assert found.first_random == pytest.approx(737 / 1260 + 8 / 126, abs=5 * 0.5 / math.sqrt(found.games))
    assert found.value == [0.0, 0.0]
    assert found.first_role == "cross"
    assert found.chance_share == 0
    lengths = found.facts()["lengths"]
    assert {begin: games for begin, end, games in lengths if begin == end} == Counter(found.lengths)
    assert [begin for begin, _, _ in lengths] == [5, 6, 7, 8, 9]


def test_what_is_never_used_and_who_always_wins() -> None:
    found = made(RULES, 0.2)
    assert found.unused == ["phase `never`", "`jump` in `go`"]
    assert found.mean_length == 2
    assert found.branching == 1
    assert (found.first_random, found.first_auto, found.draws_auto) == (0.0, 0.0, 0.0)
    assert (found.double_time, found.auto_random) == (0.5, 0.5)  # as often in each seat
    assert found.value == [-1.0, 1.0]
    assert set(found.facts()) >= {"games", "mean_length", "branching", "first_player", "draws", "chance_share"}


def test_phases_in_which_nothing_happens_by_chance_are_not_drawn() -> None:
    found = made(
        """game lazy "A die, a pause and a choice"
players one
state
    n: 0..9 = 0
phase roll
    chance draws die in 1..6
    n := die
    next pause
phase pause
    n := n + 1
    next choice
phase choice
    one chooses k in 1..2
    next end
payoff[p] = n
""",
        0.1,
    )
    assert found.chance_share == pytest.approx(1 / 3)
    assert found.decided_share == pytest.approx(1 / 3)


def test_partners_win_together() -> None:
    found = made(
        """game hunt "Two look for a third, and find it once in four times"
players fox, hound[2]
state
    caught: bool = no
phase look
    chance draws where_it_is in 1..4
    caught := where_it_is == 1
    next pause
phase pause
    fox chooses k in 1..2
    next end
payoff[p] = if caught == (p == fox) then -1 else 1
""",
        0.1,
    )
    assert found.draws_random == found.draws_auto == 0
    assert found.first_random == pytest.approx(0.75, abs=0.06)
    assert found.even == pytest.approx((found.first_random + 2 * (1 - found.first_random)) / 3)


TOGETHER = """\
game together "Both say yes"
players ann, bob
state
    said: set of player = {}
phase say
    each p chooses yes_or_no in 1..2
    said := {p in player: yes_or_no[p] == 1}
    next end
payoff[p] = if all q in player: q in said then 1 else 0
"""


def test_players_who_share_their_payoff_get_a_result_and_do_not_win_against_each_other() -> None:
    found = made(TOGETHER, 1.0)
    assert found.shared_random == pytest.approx(0.25, abs=0.05)
    assert found.shared_auto is not None
    assert (found.double_time, found.auto_random, found.draws_auto) == (None, None, None)
    rows = dict(_rows(found, ("ann", "bob")))
    assert rows["result of all, at random"] == f"{found.shared_random:.3g}"
    assert not any(" wins" in label or "draws" in label for label in rows)
