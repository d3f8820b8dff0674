from __future__ import annotations

import csv

import pytest
from msgspec.structs import replace

from ggp.competition.formats import RoundRobin
from ggp.competition.results import MatchResult, Times
from ggp.competition.standings import Standing, standings, standings_csv
from ggp.competition.walkovers import counted
from tests.support.match_results import result

A, B, C = 1, 2, 3
NAMES = {A: "a", B: "b", C: "c"}


def by_name(results: list[MatchResult], **options: object) -> dict[str, Standing]:
    return {row.name: row for row in standings(NAMES, results, **options)}  # type: ignore[arg-type]


def test_points_and_errors_by_hand() -> None:
    rows = by_name(
        [
            result((A, B), (1.0, -1.0), (0, 2)),
            result((B, A), (0.0, 0.0), (0, 0)),
            result((A, C), (-1.0, 1.0), (1, 0)),
            result((B, C), None, (0, 0)),
        ]
    )
    assert (rows["a"].matches, rows["a"].points, rows["a"].win_rate, rows["a"].errors) == (3, 1.5, 0.5, 1)
    assert rows["a"].mean_utility == 0.0
    assert (rows["b"].matches, rows["b"].win_rate, rows["b"].aborted, rows["b"].errors) == (2, 0.25, 1, 2)
    assert (rows["a"].against["b"].wins, rows["a"].against["b"].draws) == (1, 1)
    assert set(rows["c"].against) == {"a"}
    assert [row.rank for row in rows.values()] == [1, 2, 3]
    assert (rows["c"].opponents_points, rows["b"].opponents_points) == (1.5, 3.0)


def test_the_interval_is_that_of_the_source() -> None:
    # 8 of 10: the textbook bounds of the score interval are 0.4902 and 0.9433.
    eight = standings(NAMES, [result((A, B), (float(n < 8), 0.5), (0, 0)) for n in range(10)])
    assert eight[0].ci95 == pytest.approx((0.9433 - 0.4902) / 2, abs=1e-4)


def test_times_are_summed_over_matches_and_are_none_where_they_are_not_known() -> None:
    one, other = result((A, B), (1.0, -1.0), (0, 0)), result((B, A), (1.0, -1.0), (0, 0))
    rows = by_name(
        [
            replace(one, times=(Times(3, 600, 400), Times(1, 50, 50))),
            replace(other, times=(Times(), Times(1, 1000, 1000))),
        ]
    )
    assert (rows["a"].mean_ms, rows["a"].longest_ms) == (400.0, 1000)
    assert (rows["b"].mean_ms, rows["b"].longest_ms) == (50.0, 50)
    assert by_name([one])["a"].mean_ms is None


def test_with_several_players_each_pair_counts_and_a_match_gives_one_point_at_most() -> None:
    rows = by_name([result((A, B, C), (3.0, 2.0, 1.0), (0, 0, 0))])
    assert [rows[name].points for name in "abc"] == [1.0, 0.5, 0.0]
    assert rows["a"].against["b"].meetings == 1
    (alone,) = standings({A: "a"}, [result((A,), (0.7,), (0,))])
    assert (alone.win_rate, alone.ci95, alone.mean_utility, alone.rating) == (None, None, 0.7, None)


def test_a_team_wins_whole_points_and_partners_do_not_meet() -> None:
    won = replace(result((A, B, C), (1.0, -2.0, 1.0), (0, 0, 0)), teams=(0, 1, 0))
    rows = by_name([won])
    assert [(rows[name].points, set(rows[name].against)) for name in "abc"] == [
        (1.0, {"b"}), (0.0, {"a", "c"}), (1.0, {"b"}),
    ]  # fmt: skip
    together = by_name([replace(won, teams=(0, 0, 0), outcome=replace(won.outcome, utilities=(1.0, 1.0, 1.0)))])
    assert [row.points for row in together.values()] == [0.5, 0.5, 0.5]


def test_who_forfeits_loses_to_everybody_and_the_others_get_nothing_from_each_other() -> None:
    rows = by_name([result((A, B, C), None, (0, 3, 0), forfeited=(1,))])
    assert (rows["a"].points, rows["b"].points, rows["c"].points) == (0.5, 0.0, 0.5)
    assert rows["b"].forfeits == 1
    assert rows["a"].against.keys() == {"b"}
    assert rows["a"].mean_utility is None


def test_the_matches_of_who_is_disqualified_count_for_nobody_and_it_stands_last() -> None:
    results = [result((A, B), (1.0, -1.0), (0, 0)), result((B, C), (1.0, -1.0), (0, 0))]
    rows = by_name([counted(RoundRobin(), one, {A}) for one in results], struck=frozenset({A}))
    assert (rows["b"].points, rows["b"].matches, rows["b"].aborted) == (1.0, 1, 1)
    assert list(rows) == ["b", "c", "a"]


def test_a_bye_is_as_good_as_winning_all_matches_of_a_meeting() -> None:
    rows = by_name([], byes={C: 1}, bye_points=2)
    assert (rows["c"].rank, rows["c"].points, rows["c"].matches) == (1, 2.0, 0)
    assert rows["a"].rank == rows["b"].rank == 2


def test_ratings_of_those_who_never_met_stand_side_by_side() -> None:
    rows = by_name([result((A, B), (1.0, -1.0), (0, 0))])
    assert rows["a"].rating == pytest.approx(-(rows["b"].rating or 0))
    assert (rows["a"].rating or 0) > 0
    assert rows["c"].rating is None


def test_the_csv_has_a_line_each_and_no_formulas() -> None:
    rows = standings({A: "=1+1", B: 'b "the", one'}, [result((A, B), (1.0, 0.0), (0, 0))])
    first, second = csv.DictReader(standings_csv(rows).splitlines())
    assert (first["name"], first["points"], second["name"]) == ("'=1+1", "1.0", 'b "the", one')
