"""Results of matches and meetings, and the points that follow from them for each pair of players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, TypeAlias

from msgspec import Struct

Entrant: TypeAlias = int
"""A player of a competition, by the number that its host gave it."""


class MatchResult(Struct, frozen=True, gc=False):
    """The result of one match.

    Attributes:
        players: by seat.
        utilities: by seat; None if the match was aborted or forfeited.
        errors: late, illegal and malformed moves, by seat.
        forfeited: the seats that resigned, or lost by their conduct.
    """

    players: tuple[Entrant, ...]
    utilities: tuple[float, ...] | None
    errors: tuple[int, ...]
    forfeited: tuple[int, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it gives points."""
        return self.utilities is not None or bool(self.forfeited)


def pair_points(result: MatchResult) -> Iterator[tuple[Entrant, Entrant, float]]:
    """Yield `(one, other, points)` for each pair of players of a match; `points` of the first: 0, 0.5 or 1.

    Of two players, the one with the greater utility has won, even if more than two played. In a forfeited match
    the others win against those who forfeited it, and no other points are given.
    """
    for one, other in combinations(range(len(result.players)), 2):
        if result.utilities is not None:
            difference = result.utilities[one] - result.utilities[other]
            points = 0.5 if difference == 0 else float(difference > 0)
        elif (one in result.forfeited) == (other in result.forfeited):
            continue
        else:
            points = float(other in result.forfeited)
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
