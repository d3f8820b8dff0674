from __future__ import annotations

from ggp.competition.formats import RoundRobin, Swiss
from ggp.competition.results import Meeting, points_of
from ggp.competition.standings import standings
from ggp.competition.walkovers import counted, unplayed
from tests.support.match_results import result

A, B, C, CHEAT = 1, 2, 3, 4
STRUCK = frozenset({CHEAT})


def test_in_a_swiss_opponents_win_against_who_is_disqualified() -> None:
    lost = result((A, CHEAT), (-1.0, 1.0))
    aborted = result((CHEAT, A), None)
    assert points_of([counted(Swiss(), one, STRUCK) for one in (lost, aborted)]) == {A: 2.0, CHEAT: 0.0}
    other = result((A, B), (1.0, -1.0))
    assert counted(Swiss(), other, STRUCK) is other


def test_at_a_table_of_several_the_others_keep_their_results() -> None:
    table = result((A, B, CHEAT), (1.0, 0.0, 5.0))
    assert points_of([counted(Swiss(), table, STRUCK)]) == {A: 1.0, B: 0.5, CHEAT: 0.0}


def test_elsewhere_such_matches_count_for_nobody() -> None:
    assert points_of([counted(RoundRobin(), result((A, CHEAT), (1.0, -1.0)), STRUCK)]) == {A: 0.0, CHEAT: 0.0}


def test_matches_that_are_not_played_are_won_by_who_stayed() -> None:
    meeting = Meeting(0, 0, (A, CHEAT))
    assert points_of(unplayed(Swiss(), meeting, 2, STRUCK)) == {A: 2.0, CHEAT: 0.0}
    assert unplayed(RoundRobin(), meeting, 2, STRUCK) == []
    assert unplayed(Swiss(), Meeting(0, 0, (A, B)), 2, STRUCK) == []
    assert unplayed(Swiss(), Meeting(0, 0, (CHEAT,), "bye"), 2, STRUCK) == []


def test_who_met_the_disqualified_player_is_not_behind_who_did_not() -> None:
    """Three rounds of a Swiss: a lost against the cheat and beat b; c beat b and had an easier field."""
    played = [
        result((A, CHEAT), (-1.0, 1.0)),
        result((C, B), (1.0, -1.0)),
        result((A, B), (1.0, -1.0)),
        result((C, CHEAT), (0.0, 0.0)),
    ]
    names = {A: "a", B: "b", C: "c", CHEAT: "cheat"}
    rows = standings(names, [counted(Swiss(), one, STRUCK) for one in played], struck=STRUCK)
    assert [(row.name, row.rank, row.points, row.opponents_points) for row in rows] == [
        ("a", 1, 2.0, 2.0),
        ("c", 1, 2.0, 2.0),
        ("b", 3, 0.0, 4.0),
        ("cheat", 4, 0.0, 4.0),
    ]
    assert rows[-1].rating is None
