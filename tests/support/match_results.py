"""Results of matches, written shortly."""

from ggp.competition.results import MatchOutcome, MatchResult


def result(
    players: tuple[int, ...],
    utilities: tuple[float, ...] | None,
    errors: tuple[int, ...] = (),
    forfeited: tuple[int, ...] = (),
) -> MatchResult:
    """Return the result of a match that was finished, forfeited, or, without utilities, aborted."""
    kind = "forfeited" if forfeited else "finished" if utilities else "aborted"
    return MatchResult(players, MatchOutcome(kind, None, utilities, forfeited), errors or (0,) * len(players))
