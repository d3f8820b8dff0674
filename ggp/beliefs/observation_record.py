"""A player's records so far, in arrays, for kernels to compare with transitions.

Dimensions: R records, N numbers.

A record is one transition in which the player acted or observed something, or a decision of the player. In rare games a
text can mean several actions or observations of the rules, so each record lists all of them.

Where only the order of a player's actions and observations is known, an observation right behind an action may be of
the same transition, or of a later one. There are two records then, and both have the observation: who was told it when
it acted has passed the second one already, as its key says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import I64, I64_2D, U64, inline_kernel
from ggp.native.hashing import same_words

IDLE, ACTED, DECIDING, RESTING = 0, 1, 2, 3
NOT_KNOWN = -1
"""Number of legal actions of a decision that fits whatever they are."""
RECORD, MOST_DIFFERENT = 1 << 20, 1 << 8
"""What a record that differs counts, and at most its bits that do: fewer records come before fewer bits."""
KIND, ACTIONS_AT, ACTIONS, LEGAL, SIGHTS_AT, SIGHTS, LATER, FIELDS = 0, 1, 2, 3, 4, 5, 6, 7


class ObservationRecords(NamedTuple):
    """Records, in the order in which they were told."""

    records: I64_2D  # [R, FIELDS]
    #     KIND        IDLE: the player only saw something; ACTED: it acted, and saw something or nothing; DECIDING: it
    #                 was asked to act; RESTING: nothing more happened that it was told of
    #     ACTIONS_AT  where its actions begin in `numbers`, ascending, and how many they are (ACTIONS): what its action
    #                 can have been; of DECIDING, what its legal actions can be
    #     LEGAL       of DECIDING, how many legal actions there are, or NOT_KNOWN
    #     SIGHTS_AT   where its observations begin in `numbers`, and how many they are (SIGHTS); each is the number of
    #                 its words, and the words
    #     LATER       of ACTED, 1 where the observation may be that of the next record; of such a record, where the
    #                 player's key behind it stands in `numbers`; else 0
    numbers: I64  # [N]


@inline_kernel
def holds_number(numbers: I64, first: int, count: int, wanted: int) -> bool:
    """Return whether `count` ascending numbers from `first` on hold one."""
    low, high = first, first + count
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return bool(low < first + count and numbers[low] == wanted)


@inline_kernel
def differences(observed: ObservationRecords, record: int, words: I64, count: int) -> int:
    """Return in how many bits `words[:count]`, an observation, differs from a record's; MOST_DIFFERENT or less."""
    at, least = observed.records[record, SIGHTS_AT], MOST_DIFFERENT
    for _ in range(observed.records[record, SIGHTS]):
        length = observed.numbers[at]
        if length == count:
            different = 0
            for word in range(count):
                bits = observed.numbers[at + 1 + word] ^ words[word]
                while bits != 0:  # a set is a row of bits: one of whose members fewer differ is nearer
                    bits &= bits - 1
                    different += 1
            least = min(least, different)
        at += 1 + length
    return least


@inline_kernel
def was_told_before(observed: ObservationRecords, record: int, keys: U64, at: int) -> bool:
    """Return whether a player with the key `keys[at : at + 2]` has passed a record already; see the module's text."""
    if observed.records[record, KIND] != IDLE or observed.records[record, LATER] == 0:
        return False
    place = observed.records[record, LATER]
    first, second = np.uint64(observed.numbers[place]), np.uint64(observed.numbers[place + 1])
    return bool(keys[at] == first and keys[at + 1] == second)


@inline_kernel
def legal_as_recorded(observed: ObservationRecords, record: int, actions: I64, count: int) -> bool:
    """Return whether legal actions, `actions[:count]`, are those of a record of a decision."""
    if observed.records[record, LEGAL] == NOT_KNOWN:
        return True
    if count != observed.records[record, LEGAL]:
        return False
    first, known = observed.records[record, ACTIONS_AT], observed.records[record, ACTIONS]
    if known == count:  # both ascend
        return same_words(observed.numbers, first, actions, 0, count)
    fitting = 0
    for position in range(count):
        fitting += holds_number(observed.numbers, first, known, actions[position])
    return bool(fitting == count)
