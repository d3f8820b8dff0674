"""Round robin tournaments: who plays whom, in which seats, with which chance. Plain code, no I/O."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated

from msgspec import Meta, Struct

from server.chance import derive_seed


class TournamentSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a tournament is. The schedule follows from it and the number of players."""

    game: str
    parameters: dict[str, str]
    players: Annotated[int, Meta(ge=1)]
    """How many take part; it starts when so many are connected."""
    rounds: Annotated[int, Meta(ge=1)]
    """How often each group of players meets in each order of seats."""
    start_clock_ms: int
    play_clock_ms: int
    allowance_ms: int
    seed: str
    """All seeds of matches are derived from it. Whoever knows it knows all chance before it falls."""
    common_chance: bool = True
    """Whether the matches of a group in one round, which differ in the seats, share their chance. It makes results
    more even. But a player that remembers the first match knows the chance of the second."""
    matches_at_once: Annotated[int, Meta(ge=1)] = 1
    """Matches that a player plays at the same time."""


class Pairing(Struct, frozen=True):
    """One match of the schedule.

    `place` counts the matches from 0, `players` are positions in the tournament's list of players by seat,
    `chance_group` names those that share a seed.
    """

    place: int
    players: tuple[int, ...]
    chance_group: str
    seed: str


def schedule(settings: TournamentSettings, seats: int) -> list[Pairing]:
    """Return all matches of a tournament in the order in which they should begin.

    Every group of `seats` players meets `rounds` times in each rotation of the seats (two players: both ways).
    Groups that need different players stand side by side, so that few wait (the circle method, for two).

    Raises:
        ValueError: there are fewer players than seats.
    """
    if settings.players < seats:
        raise ValueError(f"the game needs {seats} players; the tournament has {settings.players}")
    pairings: list[Pairing] = []
    for round_ in range(settings.rounds):
        for group in _groups(settings.players, seats):
            for rotation in range(seats):
                chance = (round_, *group) if settings.common_chance else (round_, *group, rotation)
                pairings.append(
                    Pairing(
                        place=len(pairings),
                        players=group[rotation:] + group[:rotation],
                        chance_group="-".join(str(part) for part in chance),
                        seed=derive_seed(settings.seed, *chance),
                    )
                )
    return pairings


def next_pairings(waiting: Sequence[Pairing], busy: dict[int, int], at_once: int) -> list[Pairing]:
    """Return which waiting matches can begin, in order, without a player having more than `at_once`.

    Args:
        waiting: the matches that have not begun.
        busy: how many matches each player plays now.
        at_once: how many a player may play.
    """
    load = dict(busy)
    chosen = []
    for pairing in waiting:
        if all(load.get(player, 0) < at_once for player in pairing.players):
            chosen.append(pairing)
            for player in pairing.players:
                load[player] = load.get(player, 0) + 1
    return chosen


def _groups(players: int, seats: int) -> list[tuple[int, ...]]:
    if seats != 2:
        return list(combinations(range(players), seats))
    # One stands still, the others go round; with an odd number an empty place takes part.
    circle = list(range(players + players % 2))
    groups: list[tuple[int, ...]] = []
    for _ in range(len(circle) - 1):
        for left, right in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
            if max(left, right) < players:
                groups.append((min(left, right), max(left, right)))
        circle.insert(1, circle.pop())
    return groups
