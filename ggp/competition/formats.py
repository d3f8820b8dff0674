"""The formats of competitions: each determines from the results so far who meets next.

    form = Swiss(rounds=5)
    meetings = next_round(form, seats=2, active=[1, 2, 3], history=history)      # None: the competition is over

Rounds are paired one by one, by the standings, among the remaining players.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from ggp.competition.history import History
from ggp.competition.knockout import knockout_round
from ggp.competition.pairing import all_groups, bracket, snake, swiss_pairs, tables
from ggp.competition.ratings import ratings_of
from ggp.competition.results import Entrant, Meeting, points_of
from ggp.errors import GgpError

MAX_MEETINGS = 100_000
"""Of one round: more would take too long to pair and to store."""
RATING_POINTS_A_MEETING = 200.0
"""On a ladder, one more meeting counts as much as this difference in rating between two players."""
GROUP_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class FormatStruct(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of all formats."""


class RoundRobin(FormatStruct, frozen=True, tag="round_robin"):
    """Each group of players meets `cycles` times; latecomers catch up. A cycle begins when the one before is over."""

    cycles: Annotated[int, Meta(ge=1, le=100_000)] = 1


class Swiss(FormatStruct, frozen=True, tag="swiss"):
    """In each round, players with similar points meet who have not met before; a player left over has a bye.

    `rounds`: by default one more than a knock-out would take.
    """

    rounds: Annotated[int, Meta(ge=1, le=1000)] | None = None


class GroupsKnockout(FormatStruct, frozen=True, tag="groups_knockout"):
    """A round robin in each of `groups` groups, then a knock-out of the best `advance` of each.

    With `groups` 0 there is only the knock-out. A tie in the knock-out is replayed up to `replays` times; then
    the better seed advances.
    """

    groups: Annotated[int, Meta(ge=0, le=26)] = 2
    advance: Annotated[int, Meta(ge=1, le=64)] = 2
    replays: Annotated[int, Meta(ge=0, le=10)] = 2


class Ladder(FormatStruct, frozen=True, tag="ladder"):
    """Never ends: each connected player meets players near its rating, those it met least often first.

    `meetings`: of the same two players, at most; 0: any number.
    """

    meetings: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


Format: TypeAlias = RoundRobin | Swiss | GroupsKnockout | Ladder


class FormatUnfit(GgpError):
    """A format cannot be played by this number of players, or in a game with this number of seats."""


def check_seats(form: Format, seats: int) -> None:
    """Check that a format fits games with this number of seats.

    Raises:
        FormatUnfit: it does not.
    """
    if isinstance(form, GroupsKnockout) and seats != 2:
        raise FormatUnfit(f"a knock-out is for games of two players, not {seats}")


def check_format(form: Format, seats: int, players: int) -> None:
    """Check that a format can be played.

    Raises:
        FormatUnfit: it cannot.
    """
    check_seats(form, seats)
    if isinstance(form, GroupsKnockout) and form.groups and players < 2 * form.groups:
        raise FormatUnfit(f"{players} players cannot fill {form.groups} groups of at least two")
    if players < max(seats, 1):
        raise FormatUnfit(f"the game needs {seats} players, and {players} joined")
    if isinstance(form, RoundRobin) and math.comb(players, seats) > MAX_MEETINGS:
        raise FormatUnfit(f"{math.comb(players, seats):,} meetings are too many; choose the Swiss system")


def takes_latecomers(form: Format) -> bool:
    """Return whether players may enter after the first round has begun."""
    return not isinstance(form, GroupsKnockout)


def waits_for_results(form: Format) -> bool:
    """Return whether the next round needs all results of the last one."""
    return not isinstance(form, Ladder)


def rounds_of(form: Format, seats: int, players: int) -> int | None:
    """Return how many rounds there will be; None if that is unknown."""
    if isinstance(form, RoundRobin):
        return form.cycles
    if isinstance(form, Swiss):
        return form.rounds or _usual_rounds(seats, players)
    return None


def next_round(
    form: Format,
    seats: int,
    active: Sequence[Entrant],
    history: History,
    present: Sequence[Entrant] | None = None,
) -> list[Meeting] | None:
    """Return the meetings of the next round; None if the competition is over, [] if no meeting is possible now.

    Args:
        form: the format.
        seats: of the game.
        active: the remaining players, the best seed first; on a ladder, those who are free.
        history: everything so far; for formats that wait for results, without matches still in play.
        present: on a ladder, the connected players, free or not: two who met more often than most of these wait for
            others.
    """
    match form:
        case RoundRobin():
            return _round_robin(form, seats, active, history)
        case Swiss():
            return _swiss(form, seats, active, history)
        case GroupsKnockout():
            return _groups_knockout(form, active, history)
        case Ladder():
            return _ladder(form, seats, active, history, active if present is None else present)


def _numbered(history: History, groups: Sequence[tuple[Entrant, ...]], byes: Sequence[Entrant] = ()) -> list[Meeting]:
    number, round_ = history.next_number, history.next_round
    meetings = [Meeting(number + at, round_, group) for at, group in enumerate(groups)]
    return meetings + [Meeting(number + len(meetings) + at, round_, (player,), "bye") for at, player in enumerate(byes)]


def _round_robin(form: RoundRobin, seats: int, active: Sequence[Entrant], history: History) -> list[Meeting] | None:
    times: dict[tuple[Entrant, ...], int] = {}
    for meeting in history.meetings:
        key = tuple(sorted(meeting.players))
        times[key] = times.get(key, 0) + 1
    groups = all_groups(active, seats) if len(active) >= seats else []
    fewest = min((times.get(tuple(sorted(group)), 0) for group in groups), default=form.cycles)
    if fewest >= form.cycles:
        return None
    return _numbered(history, [group for group in groups if times.get(tuple(sorted(group)), 0) == fewest])


def _swiss(form: Swiss, seats: int, active: Sequence[Entrant], history: History) -> list[Meeting] | None:
    rounds = form.rounds or _usual_rounds(seats, len(active))
    if history.next_round >= rounds or len(active) < max(seats, 1):
        return None
    seed = {player: at for at, player in enumerate(active)}
    ranked = sorted(active, key=lambda player: (-history.points[player], seed[player]))
    byes: list[Entrant] = []
    while (len(ranked) - len(byes)) % seats:
        left = [player for player in ranked if player not in byes]
        fewest = min(history.byes[player] for player in left)
        byes.append([player for player in left if history.byes[player] == fewest][-1])
    playing = [player for player in ranked if player not in byes]
    if seats == 2:
        return _numbered(history, swiss_pairs(playing, history.times_met), byes)
    return _numbered(history, tables(playing, seats, history.times_met), byes)


def _usual_rounds(seats: int, players: int) -> int:
    return max(1, math.ceil(math.log(max(2, players), max(2, seats)))) + 1


def _groups_knockout(form: GroupsKnockout, active: Sequence[Entrant], history: History) -> list[Meeting] | None:
    if not form.groups:
        return knockout_round(active, active, history, form.replays)
    groups = _groups(form, active, history)
    if not history.meetings:
        found: list[Meeting] = []
        for name, players in groups.items():
            for group in all_groups(players, 2):
                found.append(Meeting(len(found), 0, group, stage=f"group {name}"))
        return found
    return knockout_round(_qualified(form, groups, active, history), active, history, form.replays)


def _groups(form: GroupsKnockout, active: Sequence[Entrant], history: History) -> dict[str, list[Entrant]]:
    """Return the members of each group; after the first pairing, as they were paired."""
    if not history.meetings:
        return {GROUP_NAMES[at]: players for at, players in enumerate(snake(active, form.groups))}
    found: dict[str, list[Entrant]] = {}
    for meeting in history.meetings:
        if meeting.stage.startswith("group "):
            members = found.setdefault(meeting.stage.removeprefix("group "), [])
            members += [player for player in meeting.players if player not in members]
    return found


def _qualified(
    form: GroupsKnockout, groups: dict[str, list[Entrant]], active: Sequence[Entrant], history: History
) -> list[Entrant]:
    """Return the qualified players, the group winners first, so that few meet again in the first round."""
    results = [
        result
        for meeting in history.meetings
        if meeting.stage.startswith("group ")
        for result in history.results(meeting.number)
    ]
    points = points_of(results)
    ranked = [
        sorted(
            (player for player in groups[name] if player in active),
            key=lambda player: (-points.get(player, 0.0), groups[name].index(player)),
        )
        for name in sorted(groups)
    ]
    group_of = {player: number for number, players in enumerate(ranked) for player in players}
    orders = [
        [
            ranked[(number + shift * (place > 0)) % len(ranked)][place]
            for place in range(form.advance)
            for number in range(len(ranked))
            if place < len(ranked[(number + shift * (place > 0)) % len(ranked)])
        ]
        for shift in range(len(ranked))
    ]
    return min(orders, key=lambda order: _meetings_within(order, group_of))


def _meetings_within(seeds: Sequence[Entrant], group_of: dict[Entrant, int]) -> int:
    """Return how many meetings of a knock-out's first round would be between players of one group."""
    places = bracket(seeds)
    pairs = zip(places[::2], places[1::2], strict=True) if len(places) > 1 else ()
    return sum(one is not None and other is not None and group_of[one] == group_of[other] for one, other in pairs)


def _ladder(
    form: Ladder, seats: int, active: Sequence[Entrant], history: History, present: Sequence[Entrant]
) -> list[Meeting]:
    ratings = ratings_of(active, history.pairs)

    def distance(player: Entrant, group: Sequence[Entrant]) -> float:
        return sum(
            RATING_POINTS_A_MEETING * history.times_met(player, other)
            + abs(ratings[player].estimate - ratings[other].estimate)
            for other in group
        )

    seed = {player: at for at, player in enumerate(active)}
    free = sorted(active, key=lambda player: (sum(history.times_met(player, other) for other in active), seed[player]))
    found: list[tuple[Entrant, ...]] = []
    while len(free) >= max(1, seats):
        group = [free.pop(0)]
        while len(group) < seats:
            allowed = [
                player
                for player in free
                if not any(_met_too_often(form, player, one, present, history) for one in group)
            ]
            if not allowed:
                break  # the players in `group` wait for others
            nearest = min(allowed, key=lambda player: distance(player, group))
            free.remove(nearest)
            group.append(nearest)
        if len(group) == seats:
            found.append(tuple(group))
    return _numbered(history, found)


def _met_too_often(form: Ladder, one: Entrant, other: Entrant, present: Sequence[Entrant], history: History) -> bool:
    """Return whether two players met as often as they may, or more often than each of them met most others present.

    Otherwise two fast players would meet again and again while all others still play.
    """
    times = history.times_met(one, other)
    if form.meetings and times >= form.meetings:
        return True
    for player in (one, other):
        usual = [history.times_met(player, third) for third in present if third not in (one, other)]
        if not usual or times <= median(usual) + 1:
            return False
    return True
