"""The knock-out: the winners of each round, and the pairings of the next one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ggp.competition.history import History
from ggp.competition.pairing import bracket
from ggp.competition.results import Entrant, Meeting, MeetingKind, points_of

STAGE = "last "


def knockout_round(
    seeds: Sequence[Entrant], active: Sequence[Entrant], history: History, replays: int
) -> list[Meeting] | None:
    """Return the next round of a knock-out, replays of tied meetings first; None if it is decided.

    Args:
        seeds: the players of the first round, the best first.
        active: those who have not left; a player that left is replaced by its last opponent.
        history: of the competition.
        replays: how often a tie is replayed; then the better seed advances.
    """
    stages = [meeting.stage for meeting in history.meetings if meeting.stage.startswith(STAGE)]
    if not stages:
        present = [seed for seed in seeds if seed in active]
        return _meetings(bracket(present), history) if len(present) > 1 else None
    places = _slots(stages[-1], history)
    again = [slot for slot in sorted(places) if _is_tied(places[slot], active, history, replays)]
    if again:
        return [
            Meeting(history.next_number + at, history.next_round, places[slot][0].players, "play", stages[-1], slot)
            for at, slot in enumerate(again)
        ]
    seed_of = first_round_order(history)
    winners = [_winner(places.get(slot, []), active, history, seed_of) for slot in range(_size(stages[-1]) // 2)]
    if len(winners) == 1:
        return None
    return _meetings(winners, history)


def knockout_places(history: History) -> dict[Entrant, int]:
    """Return how far each player of a knock-out got: 1 the winner, 2 the loser of the final, 4 a semi-finalist, ..."""
    reached: dict[Entrant, int] = {}
    last: list[Meeting] = []
    for meeting in history.meetings:
        if meeting.stage.startswith(STAGE):
            for player in meeting.players:
                reached[player] = _size(meeting.stage)
            last = [*last, meeting] if last and last[0].stage == meeting.stage else [meeting]
    if last and _size(last[0].stage) == 2:
        winner = _winner(last, list(reached), history, first_round_order(history))
        if winner is not None and (history.results(last[-1].number) or last[-1].kind == "bye"):
            reached[winner] = 1
    return reached


def first_round_order(history: History) -> dict[Entrant, int]:
    """Return the seed of each player of a knock-out, 0 the best, from its first round."""
    stages = [meeting for meeting in history.meetings if meeting.stage.startswith(STAGE)]
    first = [meeting for meeting in stages if meeting.stage == stages[0].stage]
    size = _size(first[0].stage)
    order = bracket(list(range(size)))
    seed_of: dict[Entrant, int] = {}
    for meeting in first:
        places = [seed for seed in order[2 * meeting.slot : 2 * meeting.slot + 2] if seed is not None]
        # A bye is the better seed's; the other place was empty.
        seed_of.update(zip(meeting.players, sorted(places), strict=False))
    return seed_of


def _meetings(players: Sequence[Entrant | None], history: History) -> list[Meeting]:
    found: list[Meeting] = []
    stage = f"{STAGE}{len(players)}"
    for slot, (one, other) in enumerate(list(pairwise(players))[::2]):
        present = tuple(player for player in (one, other) if player is not None)
        if present:
            kind: MeetingKind = "play" if len(present) == 2 else "bye"
            number = history.next_number + len(found)
            found.append(Meeting(number, history.next_round, present, kind, stage, slot))
    return found


def _slots(stage: str, history: History) -> dict[int, list[Meeting]]:
    places: dict[int, list[Meeting]] = {}
    for meeting in history.meetings:
        if meeting.stage == stage:
            places.setdefault(meeting.slot, []).append(meeting)
    return places


def _is_tied(meetings: Sequence[Meeting], active: Sequence[Entrant], history: History, replays: int) -> bool:
    if meetings[0].kind == "bye" or not set(meetings[0].players) <= set(active) or len(meetings) > replays:
        return False
    points = _points(meetings, history)
    return len(set(points.values())) <= 1


def _winner(
    meetings: Sequence[Meeting], active: Sequence[Entrant], history: History, seed_of: dict[Entrant, int]
) -> Entrant | None:
    if not meetings:
        return None
    points = _points(meetings, history)
    left = [player for player in meetings[0].players if player in active]
    return min(left, key=lambda player: (-points[player], seed_of.get(player, 0)), default=None)


def _points(meetings: Sequence[Meeting], history: History) -> dict[Entrant, float]:
    found = points_of([result for meeting in meetings for result in history.results(meeting.number)])
    return {player: found.get(player, 0.0) for player in meetings[0].players}


def _size(stage: str) -> int:
    return int(stage.removeprefix(STAGE))
