"""The matches of a competition: those that wait for their players, and those in play."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from ggp.competition.results import Entrant, MatchOutcome, Meeting
from server.competitions.progress import Progress
from server.competitions.settings import CompetitionSettings
from server.matches.games import GameSource
from server.matches.manager import Manager, MatchOrder
from server.matches.members import Member
from server.referee.chance import derive_seed
from server.store.records import MatchPlace, MatchRow
from server.store.wall_clock import wall_clock


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


HOLDER = "competition"
"""Holds back the seeds of matches that have not begun."""


class Playing(Struct, frozen=True):
    """A match in play; `scheduled`: its place in the competition, None if it qualifies its first player."""

    match: str
    players: tuple[int, ...]
    names: tuple[str, ...]
    scheduled: ScheduledMatch | None
    began_s: float
    teams: tuple[int, ...]


class Schedule:
    """The matches of one competition.

    Args:
        manager: which plays them.
        competition: its number.
        secret: the source of all seeds.
        sources: of its games.
        progress: of the competition; kept up to date.
        wake: called when a match is over.

    Attributes:
        busy: how many ranked matches each player is playing.
    """

    def __init__(
        self,
        manager: Manager,
        competition: str,
        secret: str,
        sources: Sequence[GameSource],
        progress: Progress,
        wake: Callable[[], None],
    ) -> None:
        self.busy: Counter[int] = Counter()
        self._manager = manager
        self._competition = competition
        self._secret = secret
        self._sources = sources
        self._progress = progress
        self._wake = wake
        self._waiting = WaitingMatches()
        self._playing: dict[asyncio.Task[MatchOutcome | None], Playing] = {}

    @property
    def waits(self) -> bool:
        """Whether matches wait for their players."""
        return bool(self._waiting)

    @property
    def playing(self) -> list[Playing]:
        """The matches in play, in the order in which they began."""
        return list(self._playing.values())

    @property
    def ranked(self) -> list[Playing]:
        """The matches in play, without qualifying matches."""
        return [one for one in self._playing.values() if one.scheduled is not None]

    def add(
        self,
        meetings: Iterable[Meeting],
        settings: CompetitionSettings,
        active: frozenset[int],
        begun: Set[tuple[int, int]] = frozenset(),
    ) -> None:
        """Let the matches of meetings wait.

        Args:
            meetings: whose matches they are.
            settings: of the competition.
            active: who takes part; matches of others are not played.
            begun: meeting and leg of the matches that have begun.
        """
        common = settings.common_chance
        count = Counter(meeting for meeting, _ in begun)
        for meeting in meetings:
            # Of most meetings all matches have begun: a ladder has hundreds of thousands.
            if count[meeting.number] == settings.matches_of_meeting(len(meeting.players)):
                continue
            matches = [
                match
                for match in scheduled_matches(
                    self._competition, meeting, len(self._sources), settings.repeats, self._secret, common_chance=common
                )
                if match.place not in begun and active.issuperset(match.players)
            ]
            self._waiting.add(matches)
            self._progress.matches += len(matches)
            for match in matches:
                self._manager.chance.hold(match.chance_group, HOLDER)

    async def begin(self, settings: CompetitionSettings, preparing: Iterable[int], goes_on: Callable[[], bool]) -> None:
        """Begin the matches whose players are free.

        Args:
            settings: of the competition.
            preparing: players who prepare for the games, and for whom matches wait.
            goes_on: whether matches may begin; asked before each.
        """
        at_once = settings.matches_at_once
        preparing = dict.fromkeys(preparing, at_once)
        while goes_on() and (match := self._waiting.take({**self.busy, **preparing}, at_once)):
            place = MatchPlace(self._competition, match.meeting, match.leg, "ranked")
            members = [self._manager.members.by_id[player] for player in match.players]
            await self._start(settings, members, match.game, match.seed, match.chance_group, place, match)
            await self._let_go(match)

    async def begin_qualifying(self, settings: CompetitionSettings, player: int, seats: int) -> None:
        """Begin the qualifying match of a player against the host's own, unless it is playing it."""
        if any(one.scheduled is None and one.players[0] == player for one in self.playing):
            return
        members = self._manager.members
        others = [await members.house(number) for number in range(seats - 1)]
        attempt = f"{player}-{wall_clock()}"
        seed = derive_seed(self._secret, "qualifying", attempt)
        place = MatchPlace(self._competition, None, None, "qualifying")
        group = f"{self._competition}-qualifying-{attempt}"
        await self._start(settings, [members.by_id[player], *others], 0, seed, group, place, None)

    def resume(self, rows: Iterable[MatchRow]) -> None:
        """Take over the matches that an earlier manager began, and that are in play."""
        for row in rows:
            scheduled = None
            if row.meeting is not None and row.leg is not None:
                scheduled = ScheduledMatch(row.meeting, row.leg, 0, row.players, row.chance_group, "")
            task = self._manager.task_of(row.id)
            if task is not None:
                self._add(task, row.id, [self._manager.members.by_id[player] for player in row.players], scheduled)

    async def drop(self, player: int) -> None:
        """Let the matches of a player wait no more."""
        for match in self._waiting.drop(player):
            self._progress.matches -= 1
            await self._let_go(match)

    def take_over(self) -> list[tuple[asyncio.Task[MatchOutcome | None], Playing]]:
        """Remove and return the matches that are over."""
        over = [(task, playing) for task, playing in self._playing.items() if task.done()]
        for task, playing in over:
            del self._playing[task]
            if playing.scheduled is not None:
                self.busy.subtract(playing.players)
        if over:
            self._show()
        return over

    def forget(self) -> None:
        """Stop calling `wake`."""
        for task in self._playing:
            task.remove_done_callback(self._woken)

    async def _start(
        self,
        settings: CompetitionSettings,
        members: Sequence[Member],
        game: int,
        seed: str,
        group: str,
        place: MatchPlace,
        scheduled: ScheduledMatch | None,
    ) -> None:
        if settings.hide_times is None and settings.entry == "everybody":
            settings = replace(settings, hide_times=False)
        order = MatchOrder(self._sources[game], tuple(members), settings, seed, group, place)
        match, task = await self._manager.start_match(order)
        self._add(task, match, members, scheduled)

    def _add(
        self,
        task: asyncio.Task[MatchOutcome | None],
        match: str,
        members: Sequence[Member],
        scheduled: ScheduledMatch | None,
    ) -> None:
        players, names = tuple(member.id for member in members), tuple(member.name for member in members)
        live = self._manager.matches.get(match)  # a match that is over already is read from the store
        teams = live.teams if live is not None else ()
        self._playing[task] = Playing(match, players, names, scheduled, asyncio.get_running_loop().time(), teams)
        if scheduled is not None:
            self.busy.update(players)
        self._show()
        task.add_done_callback(self._woken)

    async def _let_go(self, match: ScheduledMatch) -> None:
        """Let the seed of a match be published, unless more matches with it are to come."""
        if not self._waiting.has_group(match.chance_group):
            await self._manager.chance.let_go(match.chance_group, HOLDER)

    def _woken(self, _: object) -> None:
        self._wake()

    def _show(self) -> None:
        self._progress.playing = [" - ".join(one.names) for one in self.ranked]
        self._progress.at_once = max(self._progress.at_once, float(len(self._playing)))
