"""The matches of a meeting, and the waiting ones that can begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from ggp.competition.results import Entrant, Meeting
from server.referee.chance import derive_seed


class ScheduledMatch(Struct, frozen=True):
    """One match of a meeting.

    Attributes:
        meeting, leg: which; `leg` counts the matches of a meeting, from 0.
        game: position in the competition's list of games.
        players: by seat.
        chance_group: names the matches with the same seed.
        seed: of its chance outcomes.
    """

    meeting: int
    leg: int
    game: int
    players: tuple[Entrant, ...]
    chance_group: str
    seed: str

    @property
    def place(self) -> tuple[int, int]:
        """Its sort key."""
        return self.meeting, self.leg


def scheduled_matches(
    competition: str, meeting: Meeting, games: int, repeats: int, secret: str, *, common_chance: bool
) -> list[ScheduledMatch]:
    """Return the matches of a meeting: each game, in each rotation of the seats, `repeats` times.

    Args:
        competition: its number.
        meeting: of any kind; a bye has none.
        games: how many games the competition has.
        repeats: how often each is played in each rotation.
        secret: of the competition; every seed is derived from it.
        common_chance: whether matches that differ only in the seats have the same seed.
    """
    if meeting.kind == "bye":
        return []
    found: list[ScheduledMatch] = []
    seats = len(meeting.players)
    for repeat in range(repeats):
        for game in range(games):
            for rotation in range(seats):
                parts = (meeting.number, repeat, game) if common_chance else (meeting.number, repeat, game, rotation)
                found.append(
                    ScheduledMatch(
                        meeting.number,
                        len(found),
                        game,
                        meeting.players[rotation:] + meeting.players[:rotation],
                        "-".join(map(str, (competition, *parts))),
                        derive_seed(secret, "match", *parts),
                    )
                )
    return found


class WaitingMatches:
    """The matches that have not begun, indexed by player.

    A long round has a hundred thousand; visiting all of them whenever a match ends would block the event loop.
    """

    def __init__(self) -> None:
        self._by_player: dict[Entrant, dict[tuple[int, int], ScheduledMatch]] = {}
        self._in_group: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return any(self._by_player.values())

    def add(self, matches: Iterable[ScheduledMatch]) -> None:
        """Let more matches wait."""
        for match in matches:
            self._in_group[match.chance_group] += 1
            for player in match.players:
                self._by_player.setdefault(player, {})[match.place] = match

    def take(self, busy: Mapping[Entrant, int], at_once: int) -> ScheduledMatch | None:
        """Remove and return the first match that can begin without a player having more than `at_once`.

        Args:
            busy: how many matches each player is playing; 0 if missing.
            at_once: how many a player may play.
        """
        free = {player for player in self._by_player if busy.get(player, 0) < at_once}
        possible = [
            next((one for one in self._by_player[player].values() if free.issuperset(one.players)), None)
            for player in free
        ]
        chosen = min((one for one in possible if one is not None), key=lambda one: one.place, default=None)
        if chosen is not None:
            self._remove(chosen)
        return chosen

    def drop(self, player: Entrant) -> list[ScheduledMatch]:
        """Remove and return all matches of a player."""
        dropped = list(self._by_player.get(player, {}).values())
        for match in dropped:
            self._remove(match)
        return dropped

    def has_group(self, chance_group: str) -> bool:
        """Return whether a match of a chance group has not begun yet."""
        return self._in_group[chance_group] > 0

    def _remove(self, match: ScheduledMatch) -> None:
        self._in_group[match.chance_group] -= 1
        if not self._in_group[match.chance_group]:
            del self._in_group[match.chance_group]
        for player in match.players:
            del self._by_player[player][match.place]
