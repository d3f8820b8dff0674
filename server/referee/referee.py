"""The referee of one match: plain code without I/O or clock.

It is told what happened and when, and returns events: its decisions, and the messages to players. The caller
stores the events, then sends the messages in them (`Sent`), each to its player, and says so
(`Announced`). It knows nothing of other matches, connections or files. Transitions by the rules may take long: the
referee names the one it needs (`wanted`), the caller makes it and passes the result to `go_on`.
"""

from __future__ import annotations

from typing import Any, assert_never

from ggp.competition.results import Times
from ggp.protocol.messages import ErrorKind, MatchMessage, MatchReply, Move, PlayerError, Ready, Resign
from server.referee.game_interface import Game, Player
from server.referee.journal import (
    Announced,
    Begun,
    Created,
    Ended,
    Event,
    Forfeited,
    Input,
    Malformed,
    Received,
    Released,
    Resumed,
    RulesStopped,
    Stopped,
    Ticked,
)
from server.referee.match_clock import MatchClock
from server.referee.outbox import Outbox
from server.referee.play import Play
from server.referee.rules_steps import Step, StepResult, make_step
from server.referee.seat import Seat

MAX_LATENESS_MS = 100
"""A deadline that is enforced later than this is a delay of the manager, and no strike against a player."""


class Referee:
    """The course of one match.

    `apply` handles one input event and returns it together with the events it led to, in order; an empty list if it
    changed nothing. It makes all transitions itself; `take` and `go_on` leave them to the caller.

    Args:
        game: the game of `created`, with its parameters bound.
        created: the first event of the match's journal.
        faults: exceptions, besides `GameFault`, by which the game says that its rules failed in play.

    Raises:
        ValueError: the game has other roles than the match.
    """

    def __init__(self, game: Game, created: Created, faults: tuple[type[Exception], ...] = ()) -> None:
        if tuple(game.players) != created.roles:
            raise ValueError(f"the game has the roles {list(game.players)}, the journal {list(created.roles)}")
        self.created = created
        self.made = 0
        """How many transitions were made for the last input."""
        self._game = game
        self._faults = faults
        self._seats = [Seat(role) for role in created.roles]
        self._outbox = Outbox(created, self._seats)
        self._clock = MatchClock(created, self._seats)
        self._play = Play(created, self._seats, self._outbox, self._clock)

    @property
    def wanted(self) -> Step | None:
        """The transition that the match waits for: the next call is `go_on`, or `take` with `RulesStopped`."""
        return self._play.wanted

    @property
    def ended(self) -> Ended | None:
        """How the match ended; None while it is in play."""
        return self._play.ended

    @property
    def words(self) -> tuple[Any, ...] | None:
        """The world state; None before play begins."""
        return self._play.words

    @property
    def deadline_ms(self) -> int | None:
        """The moment after which `Ticked` should come; None while no clock runs."""
        return self._clock.deadline_ms([] if self._play.is_starting else self._play.asked)

    def left_ms(self, now_ms: int) -> int:
        """Return the most time that one of those who are asked has left, without the allowance."""
        return max((self._clock.left_ms(player, now_ms) for player in self._play.asked), default=0)

    @property
    def times(self) -> tuple[Times, ...]:
        """How long each player has thought, by seat."""
        return tuple(seat.times for seat in self._seats)

    @property
    def errors(self) -> tuple[PlayerError, ...]:
        """All errors recorded so far."""
        return tuple(self._outbox.errors)

    def apply(self, event: Input) -> list[Event]:
        """Handle an input event, with all transitions that it leads to."""
        events = self.take(event)
        while self.wanted is not None:
            events += self.go_on(make_step(self._game, self.wanted, self._faults))
        return events

    def take(self, event: Input) -> list[Event]:
        """Handle an input event up to the first transition that it leads to, if any."""
        assert self.wanted is None or isinstance(event, RulesStopped), "the match waits for a transition"
        self._outbox.events = [event]
        self._play.now_ms = event.at_ms
        if not isinstance(event, RulesStopped):
            self.made = 0
        return self._outbox.events if self._handle(event) else []

    def go_on(self, result: StepResult) -> list[Event]:
        """Continue with the result of the transition that was wanted."""
        step, self._play.wanted = self.wanted, None
        assert step is not None, "no transition was wanted"
        self.made += 1
        self._outbox.events = []
        self._play.arrive(step, result)
        return self._outbox.events

    def expects(self, player: Player, message: MatchReply) -> bool:
        """Return whether a message answers a request."""
        return self._seats[player].expects(message)

    def recap(self, player: Player, now_ms: int) -> list[MatchMessage]:
        """Return the messages for a player that reconnects: all it was told before, with the time left now.

        Requests that were answered or are over are left out; messages keep their numbers.
        """
        if self._play.is_starting:
            return list(self._seats[player].recap(self._clock.remaining_ms(now_ms), 0))
        return list(self._seats[player].recap(0, self._clock.left_ms(player, now_ms)))

    # --- inputs -------------------------------------------------------------------------------------------------------

    def _handle(self, event: Input) -> bool:
        """Handle an event; return whether it changed anything."""
        now_ms = event.at_ms
        if self.ended is not None:
            return isinstance(event, Released) and self._reveal()
        match event:
            case Begun():
                return self._begin()
            case Received(player=player, message=message):
                if isinstance(message, Resign):
                    return self._play.forfeit([Player(player)], f"{self._seats[player].role} resigned")
                if isinstance(message, Ready):
                    return self._receive_ready(Player(player), now_ms)
                return self._receive_move(Player(player), message, now_ms)
            case Malformed(player=player, reason=reason):
                return self._receive_malformed(Player(player), reason, now_ms)
            case Ticked():
                return self._tick(now_ms)
            case Announced():
                return self._clock.start(now_ms, afresh=False)
            case Resumed():
                return self._clock.start(now_ms, afresh=True)
            case Stopped(reason=reason):
                self._play.end("aborted", reason, None)
                return True
            case Forfeited(player=player, reason=reason):
                return self._play.forfeit([Player(player)], reason)
            case RulesStopped(reason=reason):
                if self.wanted is None:
                    return False
                self._play.end("aborted", reason, None)
                return True
            case Released():
                return False
            case _:
                assert_never(event)

    def _begin(self) -> bool:
        if self._seats[0].next_number:
            return False
        self._clock.set_start_clock()
        self._outbox.start()
        return True

    def _receive_ready(self, player: Player, now_ms: int) -> bool:
        seat = self._seats[player]
        if not seat.next_number or seat.ready:
            return False  # a player that reconnects cannot know whether its message arrived
        if self._play.is_starting and self._clock.is_over(now_ms):
            self._play.begin()
        seat.ready = True
        if self._play.is_starting and all(seat.ready for seat in self._seats):
            self._play.begin()
        return True

    def _receive_move(self, player: Player, move: Move, now_ms: int) -> bool:
        seat = self._seats[player]
        if move == seat.answered:
            seat.answered = None  # only one repetition is free: a flood of them is still a flood
            return True
        if seat.legal is None or move.step != seat.step:
            if move.step == seat.missed:
                seat.missed = None
                self._outbox.problem(player, "late", f"the move for step {move.step} came after the deadline")
                return True
            return self._unexpected(player, "unexpected", f"no move for step {move.step} was asked for")
        if self._clock.is_late(player, now_ms):
            return self._tick(now_ms)
        self._clock.charge(player, now_ms)
        seat.strikes = 0
        if move.action in seat.legal:
            seat.choose(seat.legal[move.action])
            seat.answered = move
        else:
            self._play.replace(player, "illegal", f"`{_shortened(move.action)}` is not one of the legal actions")
        self._play.go_on_if_all_have_chosen()
        return True

    def _receive_malformed(self, player: Player, reason: str, now_ms: int) -> bool:
        if self._seats[player].legal is None:
            return self._unexpected(player, "malformed", reason)
        if self._clock.is_late(player, now_ms):
            return self._tick(now_ms)
        self._clock.charge(player, now_ms)
        self._seats[player].strikes = 0
        self._play.replace(player, "malformed", reason)
        self._play.go_on_if_all_have_chosen()
        return True

    def _tick(self, now_ms: int) -> bool:
        if self._play.is_starting:
            if not self._clock.is_over(now_ms):
                return False
            self._play.begin()
            return True
        late = [player for player in self._play.asked if self._clock.is_late(player, now_ms)]
        for player in late:
            seat = self._seats[player]
            seat.missed = seat.step
            # Moves that arrived in time wait while the manager does not come to read them.
            if not self.created.grace_ms or self._clock.overdue_ms(player, now_ms) <= MAX_LATENESS_MS:
                seat.late_since_ms = seat.late_since_ms if seat.strikes else now_ms
                seat.strikes += 1
            self._clock.charge(player, now_ms)
            self._play.replace(player, "late", "no move before the deadline")
        if late:
            struck = [player for player in late if self._is_struck_out(self._seats[player], now_ms)]
            if struck:
                names = " and ".join(self._seats[player].role for player in struck)
                times = self._seats[struck[0]].strikes
                return self._play.forfeit(struck, f"{names} made no move in time, {times} times in a row")
            self._play.go_on_if_all_have_chosen()
            return True
        if not self._play.hiding.waits or not self._clock.is_over(now_ms):
            return False
        self._play.end_wait()
        return True

    def _is_struck_out(self, seat: Seat, now_ms: int) -> bool:
        enough = 0 < self.created.strikes <= seat.strikes
        return enough and now_ms - seat.late_since_ms >= self.created.grace_ms

    def _reveal(self) -> bool:
        if self._seats[0].is_revealed:
            return False
        self._outbox.reveal()
        return True

    def _unexpected(self, player: Player, kind: ErrorKind, detail: str) -> bool:
        if not self._seats[player].note_unexpected():
            return False
        self._outbox.error(player, kind, None, detail)
        return True


def _shortened(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[:longest] + "…"
