"""Forfeits, aborted matches, and clocks for a whole match."""

from __future__ import annotations

from ggp.competition.results import Times
from ggp.protocol.messages import Act, End, Move, Resign
from server.referee.game_interface import Player
from server.referee.journal import Announced, Forfeited, Received, Released, Ticked
from server.referee.referee import Referee
from server.referee.replay import first_difference
from tests.support.tiny_games import Counting, DarkBids, created
from tests.unit.server.test_referee import sent, started

RED, BLUE = Player(0), Player(1)


def test_who_resigns_forfeits_the_match_at_once() -> None:
    referee, journal = started()
    events = referee.apply(Received(20, BLUE, Resign("m1")))
    (told,) = sent(events, RED, End)
    assert (told.result, told.reason, told.forfeited, told.utilities) == ("forfeited", "blue resigned", ["blue"], None)
    assert referee.ended is not None
    assert referee.ended.forfeited == (1,)
    game = DarkBids()
    journal = [created(game), *journal, *events, *referee.apply(Released(30))]
    assert first_difference(journal, lambda _: game) is None


def test_a_player_can_be_taken_out_of_a_match() -> None:
    referee, _ = started()
    referee.apply(Forfeited(20, RED, "red was sent away"))
    assert referee.ended is not None
    assert (referee.ended.result, referee.ended.forfeited, referee.ended.reason) == (
        "forfeited",
        (0,),
        "red was sent away",
    )


def tick_through(referee: Referee) -> int:
    """Let all deadlines pass without a move; return when the match has ended."""
    now_ms = 0
    while referee.ended is None:
        assert referee.deadline_ms is not None
        now_ms = referee.deadline_ms + 1
        referee.apply(Ticked(now_ms))
        referee.apply(Announced(now_ms))
    return now_ms


def test_late_moves_in_a_row_forfeit_the_match() -> None:
    game = Counting(limit=10)
    referee, _ = started(game, strikes=3)
    for step in range(2):
        now_ms = referee.deadline_ms + 1
        referee.apply(Ticked(now_ms))
        referee.apply(Announced(now_ms))
        assert referee.ended is None, step
    # a move in time begins the count again
    referee.apply(Received(now_ms + 1, RED, Move("m1", 2, "count")))
    referee.apply(Announced(now_ms + 2))
    tick_through(referee)
    assert referee.ended is not None
    assert (referee.ended.result, referee.ended.forfeited) == ("forfeited", (0,))
    assert [error.step for error in referee.errors] == [0, 1, 3, 4, 5]


def test_a_short_failure_of_the_network_forfeits_nothing() -> None:
    referee, _ = started(Counting(limit=20), strikes=3, grace_ms=5000)
    first_ms = referee.deadline_ms + 1
    ended_ms = tick_through(referee)
    assert referee.ended.forfeited == (0,)
    # 600 ms a decision, and 1 ms in which the deadline is enforced
    assert ended_ms - first_ms == 9 * 601
    assert "10 times in a row" in referee.ended.reason


def test_delays_of_the_manager_are_no_strikes() -> None:
    referee, _ = started(Counting(limit=12), strikes=2, grace_ms=1)
    for late_ms in (200, 101, 5, 300):
        now_ms = referee.deadline_ms + late_ms
        referee.apply(Ticked(now_ms))
        referee.apply(Announced(now_ms))
        assert referee.ended is None
    referee.apply(Ticked(referee.deadline_ms + 5))
    assert referee.ended.forfeited == (0,)
    assert [error.kind for error in referee.errors] == ["late"] * 5


def test_without_strikes_late_moves_are_replaced_for_ever() -> None:
    referee, _ = started(Counting(limit=10))
    tick_through(referee)
    assert referee.ended is not None
    assert referee.ended.result == "finished"


def test_a_total_is_used_up_and_increments_add_to_it() -> None:
    # play clock 500, allowance 100: of each decision what is over 100 ms is charged
    referee, events = started(Counting(limit=6), total_ms=700, increment_ms=50)
    budgets = [sent(events, RED, Act)[0].remaining_ms]
    now_ms = 10
    for step, spent_ms in enumerate((600, 300, 100)):
        now_ms += spent_ms
        events = referee.apply(Received(now_ms, RED, Move("m1", step, "count")))
        referee.apply(Announced(now_ms))
        budgets.append(sent(events, RED, Act)[0].remaining_ms)
    # 700 - 500 + 50 = 250; - 200 + 50 = 100; - 0 + 50 = 150
    assert budgets == [500, 250, 100, 150]
    assert referee.deadline_ms == now_ms + 150 + 100
    assert not referee.errors
    assert referee.times == (Times(3, 1000, 600),)


def test_whose_time_is_up_is_late_at_once() -> None:
    referee, _ = started(Counting(limit=4), total_ms=500)
    referee.apply(Ticked(611))
    referee.apply(Announced(611))
    assert referee.deadline_ms == 711
    assert [error.kind for error in referee.errors] == ["late"]


def test_of_two_who_choose_at_once_each_has_its_own_time() -> None:
    referee, _ = started(DarkBids(rounds=2), total_ms=400, allowance_ms=0)
    referee.apply(Received(310, RED, Move("m1", 0, "pass")))
    referee.apply(Announced(310))
    assert referee.deadline_ms == 310 + 100  # red has spent 300 of its 400
    referee.apply(Ticked(411))
    assert [error.role for error in referee.errors] == ["red"]
    assert referee.times == (Times(2, 401, 300), Times())  # the second began when the first was told
    assert referee.deadline_ms == 310 + 400
    referee.apply(Received(700, BLUE, Move("m1", 0, "1")))
    assert [error.role for error in referee.errors] == ["red"]


def test_a_player_that_comes_back_is_told_what_is_left_of_its_own_time() -> None:
    referee, _ = started(Counting(limit=4), total_ms=300, allowance_ms=0)
    act = [message for message in referee.recap(RED, 110) if isinstance(message, Act)]
    assert [message.remaining_ms for message in act] == [200]
