"""Keys of information states: different ones where what was known differs, in either half and in any bit."""

from __future__ import annotations

from itertools import product

import pytest

from ggp.model.native.information_states import key_of

Known = tuple[int | tuple[int, ...], ...]


def halves_differ(known: list[Known]) -> bool:
    keys = [key_of(one) for one in known]
    return all(len({key[half] for key in keys}) == len(known) for half in range(2))


def test_short_sequences_have_keys_of_their_own() -> None:
    steps: list[int | tuple[int, ...]] = list(range(-1, 6))
    steps += [words for length in (1, 2, 3) for words in product(range(-1, 4), repeat=length)]
    assert halves_differ([(one,) for one in steps])
    assert halves_differ([(one, other) for one in steps[:40] for other in steps[:40]])


@pytest.mark.parametrize("length", [2, 3, 5])
def test_every_bit_of_every_word_counts(length: int) -> None:
    # the highest bits of a board's sets fill the highest bits of words: they must not cancel out
    single = [1 << bit if bit < 63 else -(1 << 63) for bit in range(64)]
    observations = [tuple(0 for _ in range(length))]
    for word in range(length):
        observations += [tuple(bits if place == word else 0 for place in range(length)) for bits in single]
    for bits, others in product(single[40:], repeat=2):
        observations.append((bits, others, *(0 for _ in range(length - 2))))
    assert halves_differ([(one,) for one in observations])
