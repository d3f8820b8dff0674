"""Keys of what players know, for Python: found from the key of what was known before."""

from __future__ import annotations

import random

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


def test_only_what_is_new_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key was found from the whole play: ever more slowly, the longer it lasted."""
    lengths, keys_of = [], information_states.keys_of

    def counting(known: Known, before: tuple[int, int]) -> object:
        lengths.append(len(known))
        return keys_of(known, before)

    monkeypatch.setattr(information_states, "keys_of", counting)
    whole = sequence(400, random.Random(2))
    for length in range(2, 401, 2):
        key_of(whole[:length])
        key_of(whole[:length])
    assert lengths == [2] * 200
