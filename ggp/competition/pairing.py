"""The pairings of a round: rotations for round robins, pairings by the standings for the Swiss system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from ggp.competition.results import Entrant

MAX_TRIES = 20_000
"""Steps in the search for a round without rematches before one more rematch is allowed."""

Group = tuple[Entrant, ...]


def rotation(players: Sequence[Entrant]) -> list[Group]:
    """Return each pair of players once, the pairs of one round of the circle method next to each other.

    One player stays and the others rotate; with an odd number one place is empty.
    Source: the circle method, as in Berger's tables of the FIDE handbook, C.05, annex 1.
    """
    circle = list(range(len(players) + len(players) % 2))
    groups: list[Group] = []
    for _ in range(len(circle) - 1):
        for left, right in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
            if max(left, right) < len(players):
                groups.append((players[min(left, right)], players[max(left, right)]))
        circle.insert(1, circle.pop())
    return groups


def all_groups(players: Sequence[Entrant], seats: int) -> list[Group]:
    """Return each group of `seats` players once, in an order in which few wait for each other."""
    return rotation(players) if seats == 2 else list(combinations(players, seats))


def swiss_pairs(
    ranked: Sequence[Entrant], times_met: Callable[[Entrant, Entrant], int]
) -> list[tuple[Entrant, Entrant]]:
    """Pair neighbours in the standings, with as few rematches as can be found.

    Args:
        ranked: an even number of players, the leader first.
        times_met: how often two have met.
    """
    assert len(ranked) % 2 == 0, "the bye is given before pairing"
    most = max((times_met(one, other) for one, other in combinations(ranked, 2)), default=0)
    for allowed in range(most + 1):
        found = _paired(list(ranked), times_met, allowed)
        if found is not None:
            return found
    raise AssertionError("with all rematches allowed neighbours always pair")


def _paired(
    ranked: list[Entrant], times_met: Callable[[Entrant, Entrant], int], allowed: int
) -> list[tuple[Entrant, Entrant]] | None:
    """Return a pairing without pairs that met more than `allowed` times; None if none was found.

    Depth first: the best unpaired player meets the nearest one below it such that the rest can be paired.
    """
    tries = 0
    chosen: list[tuple[Entrant, Entrant]] = []
    # Each entry: the unpaired players, and which of them the first one tries next.
    stack: list[tuple[list[Entrant], int]] = [(ranked, 1)]
    while stack:
        free, at = stack.pop()
        del chosen[len(stack) :]
        if not free:
            return chosen
        while at < len(free) and times_met(free[0], free[at]) > allowed:
            at += 1
        tries += 1
        if tries > MAX_TRIES:
            return None
        if at == len(free):
            continue
        stack.append((free, at + 1))
        chosen.append((free[0], free[at]))
        stack.append((free[1:at] + free[at + 1 :], 1))
    return None


def tables(ranked: Sequence[Entrant], seats: int, times_met: Callable[[Entrant, Entrant], int]) -> list[Group]:
    """Seat players at tables of `seats`, each with its neighbours in the standings that it met least often.

    Args:
        ranked: a multiple of `seats` players, the leader first.
        seats: at each table, more than two.
        times_met: how often two have met.
    """
    free = list(ranked)
    found: list[Group] = []
    while free:
        table = [free.pop(0)]
        while len(table) < seats:
            nearest = min(range(len(free)), key=lambda at: (sum(times_met(free[at], other) for other in table), at))
            table.append(free.pop(nearest))
        found.append(tuple(table))
    return found


def bracket(seeded: Sequence[Entrant]) -> list[Entrant | None]:
    """Return the first round of a knock-out as neighbouring pairs: 1 meets the last, and 1 meets 2 only in the final.

    The length is the next power of two; if there are fewer players, the best have None as opponent.
    """
    size = 1
    while size < len(seeded):
        size *= 2
    order = [0]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return [seeded[seed] if seed < len(seeded) else None for seed in order]


def snake(players: Sequence[Entrant], groups: int) -> list[list[Entrant]]:
    """Distribute players over groups of about equal strength: 1 2 3 3 2 1 1 2 3 ...

    Args:
        players: the best first.
        groups: how many.
    """
    shared: list[list[Entrant]] = [[] for _ in range(groups)]
    for at, player in enumerate(players):
        turn, place = divmod(at, groups)
        shared[place if turn % 2 == 0 else groups - 1 - place].append(player)
    return shared
