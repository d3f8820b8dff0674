from collections import Counter
from itertools import combinations

import pytest

from server.tournament import TournamentSettings, next_pairings, schedule


def settings(players, rounds=1, **options):
    return TournamentSettings("g", {}, players, rounds, 1, 1, 0, "seed", **options)


@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_everybody_meets_everybody_in_both_seats(players):
    pairings = schedule(settings(players, 2), 2)
    met = Counter(pairing.players for pairing in pairings)
    assert met == {seats: 2 for a, b in combinations(range(players), 2) for seats in ((a, b), (b, a))}
    assert [pairing.place for pairing in pairings] == list(range(len(pairings)))


def test_a_pair_shares_its_chance_and_nobody_else_does():
    seeds = Counter(pairing.seed for pairing in schedule(settings(4, 3), 2))
    assert set(seeds.values()) == {2}
    fresh = Counter(pairing.seed for pairing in schedule(settings(4, 3, common_chance=False), 2))
    assert set(fresh.values()) == {1}
    groups = Counter(pairing.chance_group for pairing in schedule(settings(4, 3, common_chance=False), 2))
    assert set(groups.values()) == {1}


def test_more_or_fewer_seats():
    assert [pairing.players for pairing in schedule(settings(2), 1)] == [(0,), (1,)]
    assert len(schedule(settings(4), 3)) == 4 * 3
    with pytest.raises(ValueError, match="the game needs 3 players; the tournament has 2"):
        schedule(settings(2), 3)


def test_players_that_are_free_begin_at_once():
    waiting = schedule(settings(4), 2)
    chosen = next_pairings(waiting, {}, 1)
    assert len(chosen) == 2
    assert len({player for pairing in chosen for player in pairing.players}) == 4
    assert next_pairings(waiting, {0: 1, 1: 1, 2: 1}, 1) == []
    assert len(next_pairings(waiting, {}, 100)) == len(waiting)
