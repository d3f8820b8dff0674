"""Keys of what players know, for Python: found from the key of what was known before."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from ggp.native import information_states
from ggp.native.information_states import MOST_NEW, RECENT, Known, key_of


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(information_states, "_recent", {})


def sequence(length: int, rng: random.Random) -> Known:
    """Return actions and observations, some equal to earlier ones."""
    return tuple(
        rng.randrange(5) if rng.random() < 0.4 else tuple(rng.randrange(-2, 4) for _ in range(rng.randrange(1, 4)))
        for _ in range(length)
    )


def from_nothing(known: Known) -> tuple[int, int]:
    information_states._recent.clear()
    return key_of(known)


def test_a_key_is_the_same_from_whatever_was_known_before() -> None:
    rng = random.Random(1)
    for _ in range(50):
        whole = sequence(30, rng)
        expected = [from_nothing(whole[:length]) for length in range(31)]
        assert len(set(expected)) == 31
        information_states._recent.clear()
        length = 0
        while length < 30:
            length = min(30, length + rng.randrange(1, MOST_NEW + 3))
            assert key_of(whole[:length]) == expected[length]
            assert key_of(list(whole[:length])) == expected[length]


def test_not_all_keys_are_kept() -> None:
    for number in range(2 * RECENT):
        key_of((number,))
    assert 0 < len(information_states._recent) <= RECENT


def test_a_long_play_costs_no_more_from_move_to_move() -> None:
    whole = sequence(4000, random.Random(2))
    key_of(whole[:-2])

    def go_on() -> None:
        information_states._recent.pop(whole, None)
        key_of(whole)

    further = least_time(go_on)
    assert further < least_time(lambda: from_nothing(whole)) / 4


def least_time(call: Callable[[], object]) -> int:
    """Return the least processor time of some calls, in nanoseconds."""
    times = []
    for _ in range(30):
        begun = time.process_time_ns()
        call()
        times.append(time.process_time_ns() - begun)
    return min(times)
