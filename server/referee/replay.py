"""Replaying a journal: the same inputs must give the same events, byte for byte.

Callers open the files and load the games.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from itertools import zip_longest

from msgspec import Struct

from server.referee.game_interface import Game
from server.referee.journal import (
    Created,
    Derived,
    Event,
    Forfeited,
    Input,
    JournalUnreadable,
    Malformed,
    Received,
    RulesStopped,
    encode_event,
)
from server.referee.referee import Referee
from server.referee.rules_steps import Step, StepResult, make_step


class Difference(Struct, frozen=True):
    """Where a journal and its replay differ. `line` counts from 1; `expected` or `found` is None where a side ends."""

    line: int
    expected: str | None
    found: str | None


def replaying(
    events: Iterable[Event], game: Game, faults: tuple[type[Exception], ...] = ()
) -> Generator[Step, StepResult, tuple[Referee, list[Event]]]:
    """Run a referee through a journal's inputs; the caller makes the transitions that are yielded.

    Args:
        events: the journal from its beginning; it may end anywhere.
        game: the game of the first event.
        faults: exceptions by which that game says that its rules failed in play.

    Returns:
        The referee after the last event, and all events that it returned.

    Raises:
        JournalUnreadable: the game has other roles, or an event names a player that does not exist.
    """
    stream = iter(events)
    created = next(stream)
    assert isinstance(created, Created)
    try:
        referee = Referee(game, created, faults)
    except ValueError as error:
        raise JournalUnreadable(1, str(error)) from error
    inputs = _inputs(stream, len(created.roles))
    replayed: list[Event] = [created]
    for event, following in zip_longest(inputs, inputs[1:]):
        replayed.extend(referee.take(event))
        while referee.wanted is not None:
            if isinstance(following, RulesStopped) and following.made == referee.made:
                break
            replayed.extend(referee.go_on((yield referee.wanted)))
    return referee, replayed


def replay(
    events: Iterable[Event],
    load: Callable[[Created], Game],
    faults: tuple[type[Exception], ...] = (),
) -> tuple[Referee, list[Event]]:
    """Run a referee through a journal's inputs, and make all transitions; see `replaying`.

    Raises:
        JournalUnreadable: see `replaying`.
    """
    journal = list(events)
    assert isinstance(journal[0], Created)
    game = load(journal[0])
    steps = replaying(journal, game, faults)
    try:
        step = next(steps)
        while True:
            step = steps.send(make_step(game, step, faults))
    except StopIteration as end:
        result: tuple[Referee, list[Event]] = end.value
        return result


def _inputs(events: Iterable[Event], players: int) -> list[Input]:
    """Return the inputs among the events after the first."""
    inputs: list[Input] = []
    for line, event in enumerate(events, 2):
        if isinstance(event, Received | Malformed | Forfeited) and not 0 <= event.player < players:
            raise JournalUnreadable(line, f"there is no player {event.player}")
        if not isinstance(event, Derived):
            assert not isinstance(event, Created)
            inputs.append(event)
    return inputs


def first_difference(
    events: list[Event],
    load: Callable[[Created], Game],
    faults: tuple[type[Exception], ...] = (),
) -> Difference | None:
    """Return where a journal differs from its replay, or breaks off before the match ended; None if it is correct.

    Raises:
        JournalUnreadable: see `replay`.
    """
    referee, replayed = replay(events, load, faults)
    for line, (found, expected) in enumerate(zip(events, replayed, strict=False), 1):
        found_line, expected_line = encode_event(found), encode_event(expected)
        if found_line != expected_line:
            return Difference(line, expected_line, found_line)
    shorter = min(len(events), len(replayed))
    if len(events) != len(replayed):
        return Difference(
            shorter + 1,
            encode_event(replayed[shorter]) if shorter < len(replayed) else None,
            encode_event(events[shorter]) if shorter < len(events) else None,
        )
    if referee.ended is None:
        return Difference(shorter + 1, "the rest of the match", None)
    return None
