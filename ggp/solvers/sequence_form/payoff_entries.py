"""Makes the payoff entries of a sequence form from the ends of play: sorted by sequence, equal ones merged.

Dimensions as in `sequence_form_tree.py`, and Z ends of play.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, kernel


def payoff_entries(sequence: I32, utility: F64, players: int, sequences: int) -> tuple[I64, F64, I32]:
    """Return the arrays `entry`, `value` and `others` of a sequence form.

    Args:
        sequence: `[Z * P]` last sequence of each player at each end, overwritten.
        utility: `[Z * P]` utilities times the reach probability of chance, overwritten.
        players: P.
        sequences: S.
    """
    ends = len(utility) // players
    order, spare = np.arange(ends, dtype=np.int32), np.empty(ends, np.int32)
    counts = np.empty(sequences + 1, np.int64)
    for player in range(players - 1, -1, -1):
        sort_by_sequence(sequence, players, player, order, spare, counts)
        order, spare = spare, order
    merged_sequence, merged_utility = np.empty_like(sequence), np.empty_like(utility)
    ends = int(merge_equal(sequence, utility, players, order, merged_sequence, merged_utility))
    kept = np.count_nonzero(merged_utility[: ends * players])
    entry = np.zeros(sequences + 1, np.int64)
    value, others = np.empty(kept), np.empty(kept * (players - 1), np.int32)
    plain = np.arange(ends, dtype=np.int32)
    count_entries(merged_sequence, merged_utility, ends * players, entry)
    np.cumsum(entry, out=entry)
    for player in range(players):
        # lexicographic order is kept among equals, so those of the first player are in order already
        sort_by_sequence(merged_sequence, players, player, plain, spare[:ends], counts)
        enter_payoffs(merged_sequence, merged_utility, players, player, spare[:ends], entry, value, others)
    return entry, value, others


@kernel
def sort_by_sequence(sequence: I32, players: int, player: int, order: I32, out: I32, counts: I64) -> None:
    """Write an order of ends sorted by one player's sequences; ends with the same one stay in the order given.

    Args:
        sequence: `[Z * P]`.
        players: P.
        player: by whose sequences.
        order: `[Z]` the order given.
        out: `[Z]` overwritten.
        counts: `[S + 1]` overwritten.
    """
    counts[:] = 0
    for index in range(order.size):
        counts[sequence[order[index] * players + player] + 1] += 1
    for number in range(1, counts.size):
        counts[number] += counts[number - 1]
    for index in range(order.size):
        number = sequence[order[index] * players + player]
        out[counts[number]] = order[index]
        counts[number] += 1


@kernel
def merge_equal(sequence: I32, utility: F64, players: int, order: I32, sequence_out: I32, utility_out: F64) -> int:
    """Copy the ends, adding up equal ones, which the order makes neighbours; return how many remain."""
    count = 0
    for index in range(order.size):
        at = order[index] * players
        same = count > 0
        if same:
            for player in range(players):
                if sequence_out[(count - 1) * players + player] != sequence[at + player]:
                    same = False
                    break
        if not same:
            for player in range(players):
                sequence_out[count * players + player] = sequence[at + player]
                utility_out[count * players + player] = 0.0
            count += 1
        for player in range(players):
            utility_out[(count - 1) * players + player] += utility[at + player]
    return count


@kernel
def count_entries(sequence: I32, utility: F64, count: int, entry: I64) -> None:
    """Count the nonzero utilities of each sequence, one index behind its own; their sums give the first entries."""
    for index in range(count):
        if utility[index] != 0.0:
            entry[sequence[index] + 1] += 1


@kernel
def enter_payoffs(
    sequence: I32, utility: F64, players: int, player: int, order: I32, entry: I64, value: F64, others: I32
) -> None:
    """Write the payoff entries of one player's sequences.

    Args:
        sequence: `[Z * P]`.
        utility: `[Z * P]`.
        players: P.
        player: whose.
        order: ends sorted by the sequences of this player.
        entry: `[S + 1]` first entry of each sequence.
        value: `[E]` the player's entries are overwritten.
        others: `[E * (P - 1)]` likewise.
    """
    last, at = -1, 0
    for index in range(order.size):
        end = order[index] * players
        number = sequence[end + player]
        if number != last:
            last, at = number, entry[number]
        if utility[end + player] == 0.0:
            continue
        value[at] = utility[end + player]
        place = at * (players - 1)
        for other in range(players):
            if other != player:
                others[place] = sequence[end + other]
                place += 1
        at += 1
