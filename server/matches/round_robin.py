"""Round robin tournaments: who plays whom, in which seats, with which chance. Plain code, no I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Annotated

from msgspec import Meta, Struct

from server.referee.chance import derive_seed


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
    common_chance: bool = False
    """Whether the matches of a group in one round, which differ in the seats, share their chance. Luck evens out
    sooner then. But a player that remembers the first match knows the chance of the second, cards of others included:
    only for players that are known not to."""
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


class Waiting:
    """The matches of a schedule that have not begun, found by the players that are free.

    A long schedule has a hundred thousand; going through all of them whenever a match ends would stop every clock.
    """

    def __init__(self, pairings: Iterable[Pairing]) -> None:
        self._by_player: dict[int, dict[int, Pairing]] = {}
        self._in_group: Counter[str] = Counter()
        for pairing in pairings:
            self._in_group[pairing.chance_group] += 1
            for player in pairing.players:
                self._by_player.setdefault(player, {})[pairing.place] = pairing

    def __bool__(self) -> bool:
        return any(self._by_player.values())

    def take(self, busy: Mapping[int, int], at_once: int) -> Pairing | None:
        """Return the first match that can begin without a player having more than `at_once`, and strike it out.

        Args:
            busy: how many matches each player plays now; none where it is not named.
            at_once: how many a player may play.
        """
        free = {player for player in self._by_player if busy.get(player, 0) < at_once}
        possible = [
            next((pairing for pairing in self._by_player[player].values() if free.issuperset(pairing.players)), None)
            for player in free
        ]
        chosen = min((pairing for pairing in possible if pairing is not None), key=lambda p: p.place, default=None)
        if chosen is not None:
            self._in_group[chosen.chance_group] -= 1
            for player in chosen.players:
                del self._by_player[player][chosen.place]
        return chosen

    def has_group(self, chance_group: str) -> bool:
        """Return whether a match of a chance group is still to begin."""
        return self._in_group[chance_group] > 0


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
