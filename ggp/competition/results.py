"""Results of matches and meetings, and the points that follow from them for each pair of players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, TypeAlias

from msgspec import Struct

Entrant: TypeAlias = int
"""A player of a competition, by the number that its host gave it."""
ENDLESS = 10_000
"""Transitions after which play counts as endless: matches are aborted, and checks of rules say so."""

Result: TypeAlias = Literal["finished", "aborted", "forfeited"]


class MatchOutcome(Struct, frozen=True, gc=False):
    """How a match ended.

    Attributes:
        result: aborted matches do not count; in a forfeited one some seats have lost to all others.
        reason: why it was aborted or forfeited.
        utilities: by seat; None unless it was finished.
        forfeited: the seats that resigned, or lost by their conduct.
    """

    result: Result
    reason: str | None = None
    utilities: tuple[float, ...] | None = None
    forfeited: tuple[int, ...] = ()


class Times(Struct, frozen=True, gc=False):
    """How many decisions a player made, the sum of the times that it thought about them, and the longest of these."""

    decisions: int = 0
    thought_ms: int = 0
    longest_ms: int = 0

    def and_one(self, thought_ms: int) -> Times:
        """Return the times with another decision."""
        return Times(self.decisions + 1, self.thought_ms + thought_ms, max(self.longest_ms, thought_ms))


class MatchResult(Struct, frozen=True, gc=False):
    """The result of one match: who played, by seat, how it ended, and late, illegal and malformed moves, by seat.

    `times` are by seat, too; empty if they are not known. So are `teams`, the number of each seat's team; empty: each
    alone.
    """

    players: tuple[Entrant, ...]
    outcome: MatchOutcome
    errors: tuple[int, ...]
    times: tuple[Times, ...] = ()
    teams: tuple[int, ...] = ()

    def worth(self, seat: int) -> float:
        """Return what a win over one of its opponents counts for a seat: at most one point a match."""
        teams = self._sides()
        return 1 / max(1, sum(team != teams[seat] for team in teams))

    def opposed(self) -> Iterator[tuple[int, int]]:
        """Yield each two seats that play against each other: not partners, unless all are."""
        teams = self._sides()
        return ((one, other) for one, other in combinations(range(len(teams)), 2) if teams[one] != teams[other])

    def _sides(self) -> Sequence[int]:
        return self.teams if len(set(self.teams)) > 1 else range(len(self.players))


def pair_points(result: MatchResult) -> Iterator[tuple[int, int, float]]:
    """Yield `(one, other, points)` for each two seats of a match that play against each other.

    `points` are those of the first: 0, 0.5 or 1.

    Of two players, the one with the greater utility has won, even if more than two played. In a forfeited match
    the others win against those who forfeited it, and no other points are given.
    """
    utilities, forfeited = result.outcome.utilities, result.outcome.forfeited
    for one, other in result.opposed():
        if utilities is not None:
            difference = utilities[one] - utilities[other]
            points = 0.5 if difference == 0 else float(difference > 0)
        elif (one in forfeited) == (other in forfeited):
            continue
        else:
            points = float(other in forfeited)
        yield one, other, points


def add_pair_points(pairs: defaultdict[tuple[Entrant, Entrant], float], result: MatchResult) -> None:
    """Add the points of a match to those of each player against each other one."""
    for seat, opponent, points in pair_points(result):
        one, other = result.players[seat], result.players[opponent]
        pairs[one, other] += points
        pairs[other, one] += 1 - points


def points_of(results: Sequence[MatchResult]) -> dict[Entrant, float]:
    """Return each player's points in some matches; at most 1 in a match, shared over its opponents."""
    points: dict[Entrant, float] = {player: 0.0 for result in results for player in result.players}
    for result in results:
        for one, other, won in pair_points(result):
            points[result.players[one]] += won * result.worth(one)
            points[result.players[other]] += (1 - won) * result.worth(other)
    return points


MeetingKind: TypeAlias = Literal["play", "bye"]


class Meeting(Struct, frozen=True):
    """A meeting of players: one or more matches, in which each has every role equally often.

    Attributes:
        number: counts the meetings of the competition, from 0.
        round: counts the rounds, from 0.
        players: who meet; for a bye the player without an opponent.
        kind: `bye` if nothing is played, and the player gets the points of a win.
        stage: the part of the competition, such as `group A` or `last 8`; empty if it has only one part.
        slot: the place in a knock-out round, from 0.
    """

    number: int
    round: int
    players: tuple[Entrant, ...]
    kind: MeetingKind = "play"
    stage: str = ""
    slot: int = 0
