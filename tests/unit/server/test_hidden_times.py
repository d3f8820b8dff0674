"""With hidden times, the times of messages reveal nothing hidden."""

from __future__ import annotations

from functools import cache

import pytest

from ggp.game.game import Game
from ggp.protocol.messages import Act, End, MatchMessage, Move, Observe, Observed, Resign
from server.referee.game_interface import Player
from server.referee.journal import Announced, Event, Received, Ticked
from server.referee.referee import Referee
from server.referee.replay import first_difference
from tests.support.library import game_of
from tests.support.tiny_games import DarkBids, created
from tests.unit.server.test_referee import sent, started

RED, BLUE = Player(0), Player(1)
CLOCK_MS = 500 + 100
"""Play clock and allowance."""


@cache
def tries() -> Game:
    """Red tries as often as it likes; blue learns only that red has done, and guesses how often."""
    return game_of("""game tries "How often?"
players red, blue
type call = {again, stop}
type word = {few, many}
state
    tries: 0..9 = 0
phase try
    red chooses what in call
    tries := tries + 1
    sees red: tried = tries + 1 if what == again
    sees blue: "your turn" if what == stop
    next try if what == again else guess
phase guess
    blue chooses said in word
    sees nothing
    next end
payoff[p] = 0
""").in_python()


def course(
    count: int, pause_ms: int, *, hide_times: bool
) -> tuple[list[tuple[int, MatchMessage]], Referee, list[Event]]:
    """Play with red trying so often, a pause before each; return what blue is told when, referee and journal."""
    referee, events = started(tries(), hide_times=hide_times)
    journal: list[Event] = [created(tries(), hide_times=hide_times), *events]
    now_ms, told = 10, [(10, message) for message in sent(events, BLUE)]

    def note(events: list[Event]) -> None:
        journal.extend(events)
        told.extend((now_ms, message) for message in sent(events, BLUE))
        journal.extend(referee.apply(Announced(now_ms)))

    for step in range(count):
        now_ms += pause_ms
        note(referee.apply(Received(now_ms, RED, Move("m1", step, "again" if step + 1 < count else "stop"))))
    while not any(isinstance(message, Act) for _, message in told):
        assert referee.deadline_ms is not None
        now_ms = referee.deadline_ms + 1
        note(referee.apply(Ticked(now_ms)))
    now_ms += 5
    note(referee.apply(Received(now_ms, BLUE, Move("m1", 0, "few"))))
    while referee.ended is None:
        assert referee.deadline_ms is not None
        now_ms = referee.deadline_ms + 1
        note(referee.apply(Ticked(now_ms)))
    return told, referee, journal


@pytest.mark.parametrize(("count", "pause_ms"), [(1, 5), (3, 5), (3, 100), (1, 590)])
def test_hidden_decisions_take_no_time_that_shows(count: int, pause_ms: int) -> None:
    shown, _, _ = course(2, 50, hide_times=True)
    assert course(count, pause_ms, hide_times=True)[0] == shown
    asked_ms = next(at_ms for at_ms, message in shown if isinstance(message, Act))
    assert (asked_ms, shown[-1][0]) == (10 + CLOCK_MS + 1, asked_ms + CLOCK_MS + 1)


def test_without_it_the_time_tells() -> None:
    assert course(3, 5, hide_times=False)[0] != course(1, 5, hide_times=False)[0]


def test_red_itself_is_told_and_asked_again_at_once_with_what_is_left_of_the_clock() -> None:
    referee, _ = started(tries(), hide_times=True)
    events = referee.apply(Received(110, RED, Move("m1", 0, "again")))
    (act,) = sent(events, RED, Act)
    assert (act.step, act.remaining_ms) == (1, 400)
    (told,) = sent(events, RED, Observe)
    assert (told.action, told.observation) == ("again", [Observed("tried", 1)])
    assert referee.deadline_ms == 10 + CLOCK_MS


def test_whose_clock_ends_among_several_decisions_is_late_with_the_rest() -> None:
    referee, _ = started(tries(), hide_times=True)
    referee.apply(Received(110, RED, Move("m1", 0, "again")))
    now_ms = 10 + CLOCK_MS + 1
    asked: list[MatchMessage] = []
    while not asked:
        asked = sent(referee.apply(Ticked(now_ms)), BLUE, Act)
    assert {error.kind for error in referee.errors} == {"late"}


def test_choices_at_the_same_time_wait_for_the_end_of_the_clock() -> None:
    referee, _ = started(DarkBids(rounds=1), hide_times=True)
    referee.apply(Received(20, RED, Move("m1", 0, "pass")))
    referee.apply(Ticked(10 + CLOCK_MS + 1))
    referee.apply(Announced(611))
    for player, step in ((RED, 1), (BLUE, 0)):
        assert not sent(referee.apply(Received(700, player, Move("m1", step, "1"))))
    assert referee.ended is None
    referee.apply(Ticked(611 + CLOCK_MS + 1))
    assert referee.ended is not None


def test_a_journal_with_hidden_times_replays() -> None:
    _, _, journal = course(3, 40, hide_times=True)
    assert first_difference(journal, lambda _: tries()) is None


def test_what_was_held_back_is_told_before_the_end() -> None:
    referee, _ = started(tries(), hide_times=True)
    assert not sent(referee.apply(Received(20, RED, Move("m1", 0, "stop"))), BLUE)
    told = sent(referee.apply(Received(30, BLUE, Resign("m1"))), BLUE)
    assert [type(message) for message in told] == [Observe, End]
    assert referee.ended is not None
    assert referee.ended.forfeited == (1,)
