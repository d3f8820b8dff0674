"""How matches count for the opponents of players who have left.

Where the share of points, the rating or the round reached decides, the matches of a disqualified player count for
nobody. In a Swiss the sum of points decides, so that would punish whoever had met it: there its opponents win against
it, also in matches of a meeting that are not played because a player has left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

from msgspec.structs import replace

from ggp.competition.formats import Format, Swiss
from ggp.competition.results import Entrant, MatchOutcome, MatchResult, Meeting


def counted(form: Format, result: MatchResult, struck: Set[Entrant]) -> MatchResult:
    """Return a match as it counts, whose players may have been disqualified (`struck`)."""
    seats = _seats(result.players, struck)
    if not seats:
        return result
    outcome = MatchOutcome("aborted", "a player was disqualified")
    if isinstance(form, Swiss):
        outcome = MatchOutcome("forfeited", "a player was disqualified", None, seats)
        if result.outcome.utilities is not None and len(seats) < len(result.players) - 1:
            # The others keep their results against each other.
            utilities = [-math.inf if seat in seats else one for seat, one in enumerate(result.outcome.utilities)]
            outcome = MatchOutcome("finished", None, tuple(utilities))
    return replace(result, outcome=outcome)


def unplayed(form: Format, meeting: Meeting, matches: int, left: Set[Entrant]) -> list[MatchResult]:
    """Return the matches of a meeting that are not played because players have left, as they count.

    Args:
        form: of the competition.
        meeting: of a round that has been paired.
        matches: how many of its matches have not begun.
        left: the players who have left.
    """
    seats = _seats(meeting.players, left)
    if not isinstance(form, Swiss) or not seats or meeting.kind == "bye":
        return []
    outcome = MatchOutcome("forfeited", "a player has left", None, seats)
    return [MatchResult(meeting.players, outcome, (0,) * len(meeting.players))] * matches


def _seats(players: Sequence[Entrant], which: Set[Entrant]) -> tuple[int, ...]:
    return tuple(seat for seat, player in enumerate(players) if player in which)
