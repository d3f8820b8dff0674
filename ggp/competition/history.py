"""The history of a competition, in a form that is cheap to extend: a ladder may run for months."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations

from ggp.competition.results import Entrant, MatchResult, Meeting, add_pair_points, points_of


class History:
    """The meetings and results of a competition.

    Args:
        keep: whether to keep the meetings themselves, and not only their sums.

    Attributes:
        meetings: in the order in which they were paired; empty unless kept.
        met: how often each pair of players was paired.
        byes: how many byes each player had.
        points: of all matches and byes.
        pairs: points of the first against the second, over all matches.
    """

    def __init__(self, *, keep: bool = True) -> None:
        self.meetings: list[Meeting] = []
        self.met: Counter[tuple[Entrant, Entrant]] = Counter()
        self.byes: Counter[Entrant] = Counter()
        self.points: defaultdict[Entrant, float] = defaultdict(float)
        self.pairs: defaultdict[tuple[Entrant, Entrant], float] = defaultdict(float)
        self.next_number = 0
        self.next_round = 0
        self._keep = keep
        self._by_meeting: defaultdict[int, list[MatchResult]] = defaultdict(list)

    def paired(self, meetings: Iterable[Meeting], bye_points: int = 1) -> None:
        """Add meetings that have been paired. A bye counts `bye_points` at once."""
        for meeting in meetings:
            if self._keep:
                self.meetings.append(meeting)
            self.next_number = max(self.next_number, meeting.number + 1)
            self.next_round = max(self.next_round, meeting.round + 1)
            if meeting.kind == "bye":
                self.byes[meeting.players[0]] += 1
                self.points[meeting.players[0]] += bye_points
            self.met.update(combinations(sorted(meeting.players), 2))

    def played(self, meeting: int, result: MatchResult) -> None:
        """Add the result of one match of a meeting."""
        if self._keep:
            self._by_meeting[meeting].append(result)
        for player, points in points_of([result]).items():
            self.points[player] += points
        add_pair_points(self.pairs, result)

    def results(self, meeting: int) -> list[MatchResult]:
        """Return the results of a meeting so far."""
        return self._by_meeting.get(meeting, [])

    def times_met(self, one: Entrant, other: Entrant) -> int:
        """Return how often two players were paired."""
        return self.met[min(one, other), max(one, other)]
