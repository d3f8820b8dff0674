"""Memory is touched without a change of what it holds."""

from __future__ import annotations

import resource

import numpy as np

from players.search.foundation.memory import PAGE_WORDS, touch


def test_touching_keeps_what_is_there() -> None:
    numbers = np.random.default_rng(1).random((300, 40))
    before = numbers.copy()
    touch(numbers, numbers.size + 1000)
    assert np.array_equal(numbers, before)


def test_what_was_touched_has_been_provided() -> None:
    words = np.zeros((1 << 22, 2))
    touch(words, words.size // 2)
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    words.reshape(-1)[: words.size // 2 : PAGE_WORDS] = 1.0
    assert resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before <= 4, "of the interpreter's own"
