from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from ggp.competition.formats import (
    Format,
    FormatUnfit,
    GroupsKnockout,
    Ladder,
    RoundRobin,
    Swiss,
    check_format,
    next_round,
)
from ggp.competition.history import History
from ggp.competition.knockout import knockout_places
from ggp.competition.results import MatchResult, Meeting
from tests.support.match_results import result


def won(players: tuple[int, ...], winner: int | None) -> MatchResult:
    return result(players, tuple(0.0 if winner is None else (1.0 if player == winner else -1.0) for player in players))


def play(form: Format, seats: int, active: list[int], history: History, rounds: int = 1000) -> list[list[Meeting]]:
    """Play rounds in which the smaller number always wins."""
    found = []
    for _ in range(rounds):
        meetings = next_round(form, seats, active, history)
        if meetings is None:
            break
        found.append(meetings)
        history.paired(meetings)
        for meeting in meetings:
            if meeting.kind == "play":
                history.played(meeting.number, won(meeting.players, min(meeting.players)))
    return found


@pytest.mark.parametrize(("players", "seats", "cycles"), [(4, 2, 3), (5, 2, 1), (4, 3, 2), (3, 1, 2)])
def test_in_a_round_robin_each_group_meets_once_a_cycle(players: int, seats: int, cycles: int) -> None:
    rounds = play(RoundRobin(cycles), seats, list(range(10, 10 + players)), History())
    groups = sorted(combinations(range(10, 10 + players), seats))
    assert [sorted(tuple(sorted(meeting.players)) for meeting in one) for one in rounds] == [groups] * cycles


def test_a_latecomer_of_a_round_robin_catches_up_before_anybody_meets_again() -> None:
    history = History()
    play(RoundRobin(2), 2, [1, 2, 3], history, rounds=1)
    second = next_round(RoundRobin(2), 2, [1, 2, 3, 4], history)
    assert second is not None
    assert {frozenset(meeting.players) for meeting in second} == {frozenset((player, 4)) for player in (1, 2, 3)}


def test_numbers_of_meetings_go_on_from_round_to_round() -> None:
    rounds = play(RoundRobin(2), 2, [1, 2, 3], History())
    assert [meeting.number for one in rounds for meeting in one] == list(range(6))
    assert [meeting.round for one in rounds for meeting in one] == [0] * 3 + [1] * 3


@pytest.mark.parametrize("players", [8, 9, 17])
def test_in_a_swiss_nobody_meets_twice_has_two_byes_or_plays_twice_in_a_round(players: int) -> None:
    history = History()
    rounds = play(Swiss(rounds=5), 2, list(range(players)), history)
    assert len(rounds) == 5
    met = Counter(frozenset(m.players) for one in rounds for m in one if m.kind == "play")
    assert max(met.values()) == 1
    assert max(history.byes.values(), default=0) <= 1
    for one in rounds:
        assert sorted(player for meeting in one for player in meeting.players) == list(range(players))


def test_in_a_swiss_those_with_equal_points_meet_and_the_strongest_wins() -> None:
    history = History()
    rounds = play(Swiss(rounds=3), 2, list(range(8)), history)
    # 0 and 1 meet in the first round, so that 1 is behind; after three rounds exactly one has three points.
    assert [player for player, points in history.points.items() if points == 3] == [0]
    last = next(meeting for meeting in rounds[2] if 0 in meeting.players)
    assert set(last.players) == {0, 4}


def test_a_swiss_of_more_rounds_than_opponents_repeats_each_pair_equally_often() -> None:
    history = History()
    play(Swiss(rounds=6), 2, [1, 2, 3, 4], history)
    assert set(history.met.values()) == {2}


def test_a_swiss_for_three_seats_fills_tables_and_gives_byes_to_the_rest() -> None:
    history = History()
    rounds = play(Swiss(rounds=4), 3, list(range(7)), history)
    assert all(sorted(len(meeting.players) for meeting in one) == [1, 3, 3] for one in rounds)
    assert max(history.byes.values()) == 1


@pytest.mark.parametrize("players", [2, 3, 5, 8, 13])
def test_the_best_player_wins_a_knock_out_and_the_second_seed_loses_the_final(players: int) -> None:
    history = History()
    rounds = play(GroupsKnockout(groups=0), 2, list(range(players)), history)
    assert rounds[-1] == [Meeting(history.next_number - 1, len(rounds) - 1, (0, 1), "play", "last 2", 0)]
    places = knockout_places(history)
    assert places[0] == 1
    assert places[1] == 2
    # everybody but the winner loses exactly once
    played = [meeting for one in rounds for meeting in one if meeting.kind == "play"]
    assert len(played) == players - 1


def test_the_winners_of_groups_meet_the_seconds_of_others() -> None:
    history = History()
    rounds = play(GroupsKnockout(groups=2, advance=2), 2, list(range(6)), history)
    assert {meeting.stage for meeting in rounds[0]} == {"group A", "group B"}
    group_of = {player: meeting.stage for meeting in rounds[0] for player in meeting.players}
    assert len(rounds[0]) == 6
    for meeting in rounds[1]:
        assert len({group_of[player] for player in meeting.players}) == 2
    assert knockout_places(history)[0] == 1


def test_a_tie_in_a_knock_out_is_played_again_and_then_the_better_seed_goes_on() -> None:
    history, form = History(), GroupsKnockout(groups=0, replays=1)
    for expected in ((0, 1), (0, 1)):
        meetings = next_round(form, 2, [0, 1], history)
        assert meetings is not None
        assert [meeting.players for meeting in meetings] == [expected]
        history.paired(meetings)
        history.played(meetings[0].number, won((0, 1), None))
    assert next_round(form, 2, [0, 1], history) is None
    assert knockout_places(history) == {0: 1, 1: 2}


def test_who_leaves_a_knock_out_is_followed_by_the_one_it_met_last() -> None:
    history, form = History(), GroupsKnockout(groups=0)
    meetings = next_round(form, 2, [0, 1, 2, 3], history)
    assert meetings is not None
    history.paired(meetings)
    for meeting in meetings:
        history.played(meeting.number, won(meeting.players, min(meeting.players)))
    final = next_round(form, 2, [1, 2, 3], history)  # 0 had beaten 3 and left
    assert final is not None
    assert [meeting.players for meeting in final] == [(3, 1)]
    alone = next_round(form, 2, [1, 2], history)  # both of the first meeting have left
    assert alone is not None
    assert [(meeting.players, meeting.kind) for meeting in alone] == [((1,), "bye")]
    history.paired(alone)
    assert next_round(form, 2, [1, 2], history) is None
    assert knockout_places(history)[1] == 1


def test_a_ladder_spreads_meetings_evenly_and_prefers_near_ratings() -> None:
    history = History(keep=False)
    for _ in range(60):
        play(Ladder(), 2, [1, 2, 3, 4, 5], history, rounds=1)
    counts = [history.times_met(one, other) for one, other in combinations([1, 2, 3, 4, 5], 2)]
    assert sum(counts) == 120
    assert max(counts) - min(counts) <= 6
    assert not history.meetings


def test_on_a_ladder_two_players_meet_as_often_as_it_says_at_most() -> None:
    history = History(keep=False)
    for _ in range(20):
        play(Ladder(meetings=3), 2, [1, 2], history, rounds=1)
    assert history.times_met(1, 2) == 3
    play(Ladder(meetings=3), 2, [1, 2, 3], history, rounds=1)
    assert history.times_met(1, 2) == 3
    assert history.times_met(1, 3) + history.times_met(2, 3) == 1


@pytest.mark.parametrize(
    ("form", "seats", "players", "said"),
    [
        (GroupsKnockout(), 3, 6, "two players"),
        (GroupsKnockout(groups=3), 2, 5, "cannot fill 3 groups"),
        (Swiss(), 2, 1, "needs 2 players"),
        (RoundRobin(), 6, 60, "too many"),
    ],
)
def test_a_format_that_cannot_be_played_is_refused(form: Format, seats: int, players: int, said: str) -> None:
    with pytest.raises(FormatUnfit, match=said):
        check_format(form, seats, players)
