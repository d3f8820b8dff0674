"""Results of matches and meetings, and the points that follow from them for each pair of players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, TypeAlias

from msgspec import Struct

Entrant: TypeAlias = int
"""A player of a competition, by the number that its host gave it."""


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

    `times` are by seat, too; empty if they are not known.
    """

    players: tuple[Entrant, ...]
    outcome: MatchOutcome
    errors: tuple[int, ...]
    times: tuple[Times, ...] = ()


def pair_points(result: MatchResult) -> Iterator[tuple[Entrant, Entrant, float]]:
    """Yield `(one, other, points)` for each pair of players of a match; `points` of the first: 0, 0.5 or 1.

    Of two players, the one with the greater utility has won, even if more than two played. In a forfeited match
    the others win against those who forfeited it, and no other points are given.
    """
    utilities, forfeited = result.outcome.utilities, result.outcome.forfeited
    for one, other in combinations(range(len(result.players)), 2):
        if utilities is not None:
            difference = utilities[one] - utilities[other]
            points = 0.5 if difference == 0 else float(difference > 0)
        elif (one in forfeited) == (other in forfeited):
            continue
        else:
            points = float(other in forfeited)
        yield result.players[one], result.players[other], points


def add_pair_points(pairs: defaultdict[tuple[Entrant, Entrant], float], result: MatchResult) -> None:
    """Add the points of a match to those of each player against each other one."""
    for one, other, points in pair_points(result):
        pairs[one, other] += points
        pairs[other, one] += 1 - points


def points_of(results: Sequence[MatchResult]) -> dict[Entrant, float]:
    """Return each player's points in some matches; in a match of n players at most 1, shared over n - 1 pairs."""
    points: dict[Entrant, float] = {player: 0.0 for result in results for player in result.players}
    for result in results:
        share = 1 / max(1, len(result.players) - 1)
        for one, other, won in pair_points(result):
            points[one] += won * share
            points[other] += (1 - won) * share
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
