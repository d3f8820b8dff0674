import hashlib

import pytest

from ggp.protocol.messages import MAX_END_ERRORS, Act, End, Move, Observe, Problem, Ready, Reveal, Start
from server.referee.game_interface import Player
from server.referee.journal import (
    Announced,
    Begun,
    Ended,
    Malformed,
    Received,
    Recorded,
    Released,
    Resumed,
    Sent,
    Stopped,
    Ticked,
    Transition,
)
from server.referee.referee import Referee
from server.referee.seat import MAX_UNEXPECTED
from tests.support.tiny_games import Counting, DarkBids, created

RED, BLUE = Player(0), Player(1)


def sent(events, player=None, kind=object):
    return [
        event.message
        for event in events
        if isinstance(event, Sent) and player in (None, event.player) and isinstance(event.message, kind)
    ]


def started(game=None, **changes):
    game = game or DarkBids()
    referee = Referee(game, created(game, **changes))
    events = referee.apply(Begun(0))
    events += referee.apply(Announced(0))
    for player in range(len(game.players)):
        events += referee.apply(Received(10, Player(player), Ready("m1")))
    events += referee.apply(Announced(10))
    return referee, events


def cards_of(referee):
    return DarkBids().state(referee.words).cards


def test_start_tells_rules_clocks_and_seed_hash():
    _, events = started()
    (start,) = sent(events, BLUE, Start)
    assert (start.role, start.roles, start.rules) == ("blue", ["red", "blue"], "by hand")
    assert (start.start_clock_ms, start.play_clock_ms, start.allowance_ms) == (1000, 500, 100)
    assert start.seed_hash == hashlib.sha256(b"5eed:0123").hexdigest()


def test_play_waits_for_all_to_be_ready():
    game = DarkBids()
    referee = Referee(game, created(game))
    assert not referee.expects(RED, Ready("m1"))
    referee.apply(Begun(0))
    referee.apply(Announced(0))
    assert referee.expects(RED, Ready("m1"))
    assert not sent(referee.apply(Received(5, RED, Ready("m1"))), kind=Act)
    assert not referee.expects(RED, Ready("m1"))
    assert sent(referee.apply(Received(6, BLUE, Ready("m1"))), RED, Act)


def test_whole_match_with_the_messages_of_each_player():
    referee, events = started(DarkBids(rounds=1))
    cards = cards_of(referee)
    events += referee.apply(Received(20, RED, Move("m1", 0, "look")))
    events += referee.apply(Announced(20))
    events += referee.apply(Received(30, RED, Move("m1", 1, "2")))
    events += referee.apply(Received(40, BLUE, Move("m1", 0, "1")))
    red, blue = sent(events, RED)[1:], sent(events, BLUE)[1:]
    assert [type(message) for message in red] == [Observe, Act, Observe, Act, Observe, End]
    # Blue is told nothing at all of red's look, not even by a number left out.
    assert [type(message) for message in blue] == [Observe, Act, Observe, End]
    assert [message.number for message in blue] == [1, 2, 3, 4]
    assert [(o.label, o.value) for o in red[2].observation] == [("card of blue", cards[1])]
    assert (blue[2].action, blue[2].replaced, blue[2].observation[0].value) == ("1", None, "red")
    difference = 1.0 + cards[0] - cards[1]
    assert red[-1].utilities == {"red": difference, "blue": -difference}
    assert red[-1].errors == []
    assert referee.ended == Ended("finished", None, (difference, -difference))


def test_a_tie_tells_players_only_their_own_action():
    referee, _ = started(DarkBids(rounds=2))
    referee.apply(Received(20, RED, Move("m1", 0, "pass")))
    referee.apply(Received(20, RED, Move("m1", 1, "1")))
    events = referee.apply(Received(20, BLUE, Move("m1", 0, "1")))
    (told,) = sent(events, BLUE, Observe)
    assert (told.action, told.observation) == ("1", [])


@pytest.mark.parametrize(("frame", "kind"), [("illegal", "illegal"), ("malformed", "malformed"), ("nothing", "late")])
def test_a_wrong_or_missing_move_is_replaced_and_recorded(frame, kind):
    referee, _ = started()
    if frame == "illegal":
        events = referee.apply(Received(20, RED, Move("m1", 0, "jump")))
    elif frame == "malformed":
        events = referee.apply(Malformed(20, RED, "expected `str`, got `int` - at `$.action`"))
    else:
        assert referee.apply(Ticked(10 + 600)) == []
        events = referee.apply(Ticked(10 + 601))
    (told,) = sent(events, RED, Observe)
    assert told.action in ("look", "pass")
    assert told.replaced == kind
    assert [(error.role, error.step, error.kind) for error in referee.errors] == [("red", 0, kind)]
    (problem,) = sent(events, RED, Problem)
    assert problem.code == kind
    assert not sent(events, BLUE, Problem)


def test_replacements_are_uniform_over_legal_actions():
    taken = []
    for seed in range(300):
        referee, _ = started(DarkBids(rounds=1), seed=str(seed))
        referee.apply(Received(20, RED, Move("m1", 0, "pass")))
        referee.apply(Received(20, RED, Move("m1", 1, "0")))
        (told,) = sent(referee.apply(Received(20, BLUE, Move("m1", 0, "x"))), BLUE, Observe)
        taken.append(told.action)
    assert all(70 < taken.count(action) < 130 for action in ("0", "1", "2"))


def test_chance_does_not_depend_on_what_players_do():
    first, _ = started()
    second, _ = started()
    second.apply(Ticked(5000))
    assert cards_of(first) == cards_of(second)
    assert len({cards_of(started(seed=str(seed))[0]) for seed in range(100)}) == 16


def test_a_move_on_the_way_while_time_runs_out_is_no_second_error():
    referee, _ = started()
    referee.apply(Ticked(2000))
    referee.apply(Announced(2000))
    events = referee.apply(Received(2001, RED, Move("m1", 0, "look")))
    assert sent(events, RED, Problem)[0].code == "late"
    assert len(referee.errors) == 1
    referee.apply(Received(2001, RED, Move("m1", 0, "look")))
    assert referee.errors[-1].kind == "unexpected"


def test_a_move_that_arrives_late_counts_as_late_even_before_the_tick():
    referee, _ = started()
    events = referee.apply(Received(10 + 601, RED, Move("m1", 0, "look")))
    assert sent(events, RED, Observe)[0].replaced == "late"


def test_the_clock_stands_until_messages_have_left():
    referee, _ = started()
    referee.apply(Received(20, RED, Move("m1", 0, "look")))
    assert referee.deadline_ms is None
    assert referee.apply(Ticked(10_000)) == []
    referee.apply(Announced(3000))
    assert referee.deadline_ms == 3600


def test_the_first_of_two_moves_stands():
    referee, _ = started()
    referee.apply(Received(20, RED, Move("m1", 0, "pass")))
    referee.apply(Received(21, BLUE, Move("m1", 0, "0")))
    referee.apply(Received(22, BLUE, Move("m1", 0, "2")))
    assert [error.kind for error in referee.errors] == ["unexpected"]
    events = referee.apply(Received(23, RED, Move("m1", 1, "1")))
    assert [event.actions for event in events if isinstance(event, Transition)] == [{"red": "1", "blue": "0"}]


def test_who_is_not_ready_in_time_is_recorded_and_the_match_begins():
    game = DarkBids()
    referee = Referee(game, created(game))
    referee.apply(Begun(0))
    referee.apply(Announced(0))
    referee.apply(Received(5, RED, Ready("m1")))
    assert sent(referee.apply(Ticked(1101)), RED, Act)
    assert [(error.role, error.kind) for error in referee.errors] == [("blue", "not_ready")]
    assert referee.apply(Received(1200, BLUE, Ready("m1")))
    assert len(referee.errors) == 1


def test_a_flood_is_recorded_up_to_a_bound():
    referee, _ = started()
    for _ in range(10 * MAX_UNEXPECTED):
        referee.apply(Received(20, BLUE, Move("m1", 7, "0")))
    assert len(referee.errors) == MAX_UNEXPECTED
    assert referee.apply(Received(20, BLUE, Move("m1", 7, "0"))) == []
    assert sent(referee.apply(Received(20, RED, Move("m1", 0, "pass"))), BLUE, Act)


def test_a_fault_of_the_rules_aborts_the_match_on_record():
    referee, _ = started(Counting(limit=9, fault_at=2))
    referee.apply(Received(20, Player(0), Move("m1", 0, "count")))
    events = referee.apply(Received(20, Player(0), Move("m1", 1, "count")))
    (end,) = sent(events, kind=End)
    assert (end.result, end.reason) == ("aborted", "the rules failed: `count` takes 0..3, not 4")
    assert end.utilities is None


def test_an_endless_game_is_aborted():
    referee, _ = started(Counting(limit=10**9), transition_limit=5)
    for step in range(6):
        referee.apply(Received(20, Player(0), Move("m1", step, "count")))
    assert referee.ended.reason == "the game is not over after 5 transitions"


def test_the_seed_is_told_after_the_end_and_once():
    referee, _ = started(Counting(limit=1))
    assert referee.apply(Released(20)) == []
    referee.apply(Received(20, Player(0), Move("m1", 0, "count")))
    (reveal,) = sent(referee.apply(Released(30)), kind=Reveal)
    assert (reveal.seed, reveal.nonce) == ("5eed", "0123")
    assert referee.apply(Released(31)) == []


def test_recap_tells_everything_again_with_the_time_that_is_left():
    referee, events = started(DarkBids(rounds=2))
    events += referee.apply(Received(100, RED, Move("m1", 0, "look")))
    events += referee.apply(Announced(100))
    recap = referee.recap(RED, 250)
    original = [message for message in sent(events, RED) if not isinstance(message, Act)]
    assert [message for message in recap if not isinstance(message, Start | Act)] == original[1:]
    assert [message.number for message in recap] == [0, 1, 3, 4]
    assert recap[0].remaining_ms == 0
    assert (recap[-1].step, recap[-1].remaining_ms) == (1, 350)
    referee.apply(Received(260, RED, Move("m1", 1, "0")))
    assert not [message for message in referee.recap(RED, 270) if isinstance(message, Act)]


def test_resuming_gives_the_whole_clock_again():
    referee, _ = started()
    referee.apply(Resumed(400))
    assert referee.deadline_ms == 1000


def test_stopping_ends_the_match():
    referee, _ = started()
    events = referee.apply(Stopped(50, "the server was told to"))
    assert sent(events, RED, End)[0].reason == "the server was told to"
    assert referee.apply(Received(60, RED, Move("m1", 0, "look"))) == []


def test_a_move_sent_again_after_coming_back_is_no_error():
    referee, _ = started()
    referee.apply(Received(20, RED, Move("m1", 0, "pass")))
    referee.apply(Received(21, BLUE, Move("m1", 0, "0")))
    assert referee.expects(BLUE, Move("m1", 0, "0"))
    assert len(referee.apply(Received(22, BLUE, Move("m1", 0, "0")))) == 1  # in the journal, or a replay would not know
    assert not referee.expects(BLUE, Move("m1", 0, "0"))
    referee.apply(Received(23, BLUE, Move("m1", 0, "0")))
    assert [error.kind for error in referee.errors] == ["unexpected"]


def test_the_end_lists_some_errors_and_says_how_many_more_there_are():
    errors = MAX_END_ERRORS + 5
    referee, events = started(Counting(limit=errors))
    for step in range(errors):
        events += referee.apply(Received(20, Player(0), Move("m1", step, f"jump {step}")))
    (end,) = sent(events, kind=End)
    assert (len(end.errors), end.errors_left_out) == (MAX_END_ERRORS, 5)
    assert [error.step for error in end.errors] == list(range(MAX_END_ERRORS))
    # Nothing is lost on this side.
    recorded = [event.error for event in events if isinstance(event, Recorded)]
    assert [error.step for error in recorded] == list(range(errors))
    assert list(referee.errors) == recorded
