import random
from collections import Counter
from itertools import combinations

import pytest

from server.matches.round_robin import TournamentSettings, Waiting, schedule


def settings(players, rounds=1, **options):
    return TournamentSettings("g", {}, players, rounds, 1, 1, 0, "seed", **options)


@pytest.mark.parametrize("players", [2, 3, 4, 7])
def test_everybody_meets_everybody_in_both_seats(players):
    pairings = schedule(settings(players, 2), 2)
    met = Counter(pairing.players for pairing in pairings)
    assert met == {seats: 2 for a, b in combinations(range(players), 2) for seats in ((a, b), (b, a))}
    assert [pairing.place for pairing in pairings] == list(range(len(pairings)))


def test_every_match_has_chance_of_its_own_unless_a_pair_is_to_share_it():
    for options, matches in (({}, 1), ({"common_chance": True}, 2)):
        pairings = schedule(settings(4, 3, **options), 2)
        for what in ("seed", "chance_group"):
            assert set(Counter(getattr(pairing, what) for pairing in pairings).values()) == {matches}


def test_more_or_fewer_seats():
    assert [pairing.players for pairing in schedule(settings(2), 1)] == [(0,), (1,)]
    assert len(schedule(settings(4), 3)) == 4 * 3
    with pytest.raises(ValueError, match="the game needs 3 players; the tournament has 2"):
        schedule(settings(2), 3)


def test_players_that_are_free_begin_at_once():
    pairings = schedule(settings(4), 2)
    chosen = begin(Waiting(pairings), Counter(), 1)
    assert len(chosen) == 2
    assert len({player for pairing in chosen for player in pairing.players}) == 4
    assert begin(Waiting(pairings), Counter({0: 1, 1: 1, 2: 1}), 1) == []
    assert begin(Waiting(pairings), Counter(), 100) == pairings


def begin(waiting, busy, at_once):
    chosen = []
    while (pairing := waiting.take(busy, at_once)) is not None:
        chosen.append(pairing)
        busy.update(pairing.players)
    return chosen


@pytest.mark.parametrize(("seats", "at_once"), [(2, 1), (2, 3), (3, 1)])
def test_matches_begin_in_the_order_of_the_schedule_as_far_as_players_are_free(seats, at_once):
    """Against the plain way: go through all that wait, and take what fits."""
    rng = random.Random(seats + at_once)
    pairings = schedule(settings(6, 2), seats)
    waiting, left, busy, playing = Waiting(pairings), list(pairings), Counter(), []
    while left or playing:
        expected, load = [], Counter(busy)
        for pairing in left:
            if all(load[player] < at_once for player in pairing.players):
                expected.append(pairing)
                load.update(pairing.players)
        chosen = begin(waiting, busy, at_once)
        assert chosen == expected
        left = [pairing for pairing in left if pairing not in chosen]
        assert bool(waiting) == bool(left)
        for pairing in pairings:
            still = any(other.chance_group == pairing.chance_group for other in left)
            assert waiting.has_group(pairing.chance_group) == still
        playing += chosen
        over = playing.pop(rng.randrange(len(playing)))
        busy.subtract(over.players)
