import hashlib
from collections import Counter

import pytest

from server.referee.chance import derive_seed, draw_index, draw_weighted, draw_word, seed_hash


def test_numbers_are_those_that_the_documentation_lets_anybody_compute():
    digest = hashlib.sha256(b"5eed:chance:3").digest()
    assert draw_word("5eed", "chance", 3) == int.from_bytes(digest[:8], "big")
    assert seed_hash("5eed", "77") == hashlib.sha256(b"5eed:77").hexdigest()


def test_draws_follow_their_probabilities():
    probabilities = [0.5, 0.0, 0.3, 0.2]
    counts = Counter(draw_weighted("s", "chance", index, probabilities) for index in range(20_000))
    assert counts[1] == 0
    for position in (0, 2, 3):
        expected = 20_000 * probabilities[position]
        assert abs(counts[position] - expected) < 4 * (expected * (1 - probabilities[position])) ** 0.5


def test_a_sum_below_one_by_rounding_never_draws_what_is_impossible():
    assert all(draw_weighted("s", "chance", index, [1e-9, 0.0]) == 0 for index in range(100))


@pytest.mark.parametrize("length", [1, 2, 7])
def test_indices_cover_their_range(length):
    assert {draw_index("s", "replacement-red", index, length) for index in range(200)} == set(range(length))


def test_derived_seeds_differ():
    assert len({derive_seed("s", a, b) for a in range(20) for b in range(20)}) == 400
