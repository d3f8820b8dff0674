import pytest
from msgspec.structs import replace

from ggp.protocol.messages import Move, Ready
from server.referee.game_interface import Player
from server.referee.journal import (
    Announced,
    Begun,
    Created,
    Ended,
    JournalUnreadable,
    Received,
    Released,
    RulesStopped,
    Sent,
    Ticked,
    Transition,
    encode_event,
    read_journal,
)
from server.referee.referee import Referee
from server.referee.replay import first_difference, replay, replaying
from server.referee.rules_steps import make_step
from tests.support.tiny_games import DarkBids, created

GAME = DarkBids(rounds=1)


@pytest.fixture
def journal():
    first = created(GAME)
    referee = Referee(GAME, first)
    events = [first, *referee.apply(Begun(0)), *referee.apply(Announced(0))]
    for player in (Player(0), Player(1)):
        events += referee.apply(Received(1, player, Ready("m1")))
    events += referee.apply(Announced(2))
    events += referee.apply(Received(3, Player(0), Move("m1", 0, "nonsense")))
    events += referee.apply(Announced(4))
    events += referee.apply(Received(5, Player(0), Move("m1", 1, "2")))
    events += referee.apply(Ticked(700))
    events += referee.apply(Released(701))
    assert referee.ended
    return events


def load(_: Created) -> DarkBids:
    return GAME


def lines_of(journal):
    return [encode_event(event).encode() + b"\n" for event in journal]


def test_a_file_read_again_replays_to_the_same_bytes(journal):
    events = list(read_journal(lines_of(journal)))
    assert events == journal
    _, replayed = replay(events, load)
    assert [encode_event(event) for event in replayed] == [encode_event(event) for event in journal]
    assert first_difference(events, load) is None


def test_a_changed_message_is_found(journal):
    position = next(i for i, event in enumerate(journal) if isinstance(event, Sent) and event.player == 1)
    journal[position] = Sent(0, journal[position].message)
    difference = first_difference(journal, load)
    assert difference.line == position + 1
    assert difference.found != difference.expected


def test_a_changed_move_is_found(journal):
    position = next(i for i, event in enumerate(journal) if isinstance(event, Received) and event.at_ms == 5)
    journal[position] = Received(5, 0, Move("m1", 1, "0"))
    assert first_difference(journal, load).line > position + 1


def test_a_changed_seed_is_found(journal):
    fields = {name: getattr(journal[0], name) for name in journal[0].__struct_fields__}
    journal[0] = Created(**{**fields, "seed": "other"})
    assert first_difference(journal, load).line == 3


def test_a_removed_line_is_found(journal):
    del journal[3]
    assert first_difference(journal, load) is not None


@pytest.mark.parametrize("made", [0, 1, 2])
def test_a_transition_that_was_given_up_is_not_repeated(made):
    """Begun, two cards are dealt: so many of these transitions were made, the next one never ended."""
    first = created(GAME)
    referee = Referee(GAME, first)
    events = [first, *referee.apply(Begun(0)), *referee.apply(Announced(0)), *referee.take(Ticked(2000))]
    for _ in range(made):
        events += referee.go_on(make_step(GAME, referee.wanted, ()))
    events += referee.take(RulesStopped(2001, "the rules took too long", made))
    assert (referee.ended, referee.wanted) == (Ended("aborted", "the rules took too long", None), None)
    assert sum(isinstance(event, Transition) for event in events) == max(0, made - 1)
    steps = replaying(events, GAME)
    step = next(steps) if made else None
    for number in range(made):
        result = make_step(GAME, step, ())
        if number < made - 1:
            step = steps.send(result)
    with pytest.raises(StopIteration) as replayed:
        steps.send(result if made else None)
    assert replayed.value.value[1] == events
    # Said of another transition, it shows, unless all that is told of that one is nothing.
    place = next(place for place, event in enumerate(events) if isinstance(event, RulesStopped))
    events[place] = RulesStopped(2001, "the rules took too long", made + 1)
    difference = first_difference(events, load)
    assert difference is None if made == 0 else difference.line == place + 1


@pytest.mark.parametrize("player", [-1, 2])
def test_an_event_of_a_player_that_there_is_not_is_told(journal, player):
    position = next(i for i, event in enumerate(journal) if isinstance(event, Received) and event.at_ms == 5)
    journal[position] = Received(5, player, Move("m1", 1, "0"))
    with pytest.raises(JournalUnreadable, match=f"line {position + 1}: there is no player {player}"):
        first_difference(journal, load)


def test_other_roles_are_told(journal):
    journal[0] = replace(journal[0], roles=("red",), names=("a",))
    with pytest.raises(JournalUnreadable, match=r"line 1: the game has the roles"):
        first_difference(journal, load)


def test_every_cut_off_journal_is_noticed(journal):
    for length in range(1, len(journal) - 5):
        difference = first_difference(journal[:length], load)
        assert difference is not None
        assert difference.found is None
        assert difference.line == length + 1


def test_a_line_cut_in_the_middle_is_told_as_such(journal):
    *whole, last = lines_of(journal)
    with pytest.raises(JournalUnreadable) as caught:
        list(read_journal([*whole, last[:-10]]))
    assert str(caught.value) == f"line {len(journal)}: the journal is cut off here"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: the file is empty"),
        (b'{"event":"begun","at_ms":1}\n', "line 1: the first event, and only it, must be `created`"),
        (b"hello\n", "line 1: JSON is malformed: invalid character (byte 0)"),
    ],
)
def test_what_is_no_journal_is_told_in_one_line(content, message):
    with pytest.raises(JournalUnreadable) as caught:
        list(read_journal(content.splitlines(keepends=True)))
    assert str(caught.value) == message
