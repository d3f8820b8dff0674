"""The referee of one match: plain code without I/O or clock.

It is told what happened and at what time, and returns events: what it made of it, and what to say to whom. The caller
stores the events and only then sends the messages in them (`Sent`), each to the one player it is for, and calls
`announced`. Between matches, connections and files it knows nothing. Transitions by the rules may take long: it says
which one it wants (`wanted`), and whoever makes it tells it what came of it (`go_on`).
"""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias, assert_never

from ggp.protocol.messages import ErrorKind, MatchMessage, Move, PlayerError, Ready, Reveal
from server.referee.chance import draw_index
from server.referee.clocks import RunningClock
from server.referee.game_interface import Game, Player
from server.referee.journal import (
    Announced,
    Begun,
    Created,
    Ended,
    Event,
    Input,
    Malformed,
    Received,
    Released,
    Resumed,
    RulesStopped,
    Stopped,
    Ticked,
    Transition,
)
from server.referee.outbox import Telling
from server.referee.rules_steps import Situation, Step, make_step
from server.referee.seat import Seat

Result: TypeAlias = Literal["finished", "aborted"]


class Referee:
    """The course of one match.

    Every public method that takes `now_ms` (milliseconds) handles one input event and returns it
    together with the events it led to, in order; an empty list if it changed nothing. All of them make what
    transitions it leads to at once; for those that may take long there are `take` and `go_on`.

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
        self.words: tuple[Any, ...] | None = None
        """The world state; None before play begins."""
        self.wanted: Step | None = None
        """The transition that the match waits for; while there is one, `go_on` is called, or `RulesStopped` taken."""
        self.made = 0
        """How many transitions were made for the last input."""
        self.ended: Ended | None = None
        self._game = game
        self._faults = faults
        self._seats = [Seat(role) for role in created.roles]
        self._telling = Telling(created, self._seats)
        self._clock: RunningClock | None = None
        self._phase: str | None = None
        self._actors: list[Player] = []
        self._transitions = 0
        self._chance_draws = 0

    @property
    def deadline_ms(self) -> int | None:
        """The moment after which `tick` should be called; None while no clock runs."""
        return None if self._clock is None else self._clock.deadline_ms

    @property
    def errors(self) -> tuple[PlayerError, ...]:
        """All errors on record so far."""
        return tuple(self._telling.errors)

    def begin(self, now_ms: int) -> list[Event]:
        """Tell the players to start."""
        return self.apply(Begun(now_ms))

    def receive(self, player: Player, message: Ready | Move, now_ms: int) -> list[Event]:
        """Take a player's message that arrived at `now_ms`."""
        return self.apply(Received(now_ms, player, message))

    def receive_malformed(self, player: Player, reason: str, now_ms: int) -> list[Event]:
        """Take note of a player's frame that names this match but is no message."""
        return self.apply(Malformed(now_ms, player, reason))

    def tick(self, now_ms: int) -> list[Event]:
        """Enforce the deadline, if it has passed."""
        return self.apply(Ticked(now_ms))

    def announced(self, now_ms: int) -> list[Event]:
        """Start the clock of what was asked: the messages have left."""
        return self.apply(Announced(now_ms))

    def resume(self, now_ms: int) -> list[Event]:
        """Go on after the manager had stopped: the clock that ran then runs afresh."""
        return self.apply(Resumed(now_ms))

    def stop(self, reason: str, now_ms: int) -> list[Event]:
        """End the match as aborted."""
        return self.apply(Stopped(now_ms, reason))

    def release(self, now_ms: int) -> list[Event]:
        """Publish the seed of an ended match."""
        return self.apply(Released(now_ms))

    def apply(self, event: Input) -> list[Event]:
        """Handle an input event, with all transitions that it leads to."""
        events = self.take(event)
        while self.wanted is not None:
            events += self.go_on(make_step(self._game, self.wanted, self._faults))
        return events

    def take(self, event: Input) -> list[Event]:
        """Handle an input event up to the transition that it leads to, if it leads to one."""
        assert self.wanted is None or isinstance(event, RulesStopped), "the match waits for a transition"
        self._telling.events = [event]
        if not isinstance(event, RulesStopped):
            self.made = 0
        return self._telling.events if self._handle(event) else []

    def go_on(self, situation: Situation) -> list[Event]:
        """Go on with what came of the transition that was wanted."""
        step, self.wanted = self.wanted, None
        assert step is not None, "no transition was wanted"
        self.made += 1
        self._telling.events = []
        self._arrive(step, situation)
        return self._telling.events

    def expects(self, player: Player, message: Ready | Move) -> bool:
        """Return whether a message answers something that the player was asked; else it may be a nuisance."""
        return self._seats[player].expects(message)

    def recap(self, player: Player, now_ms: int) -> list[MatchMessage]:
        """Return what a player that comes back is told: everything it was told before, with the time that is left.

        Requests that it answered, or was too late for, are left out; numbers are those of the first time.
        """
        remaining_ms = 0 if self._clock is None else self._clock.remaining_ms(now_ms)
        return list(self._seats[player].recap(remaining_ms if self._is_starting else 0, remaining_ms))

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
                if isinstance(message, Ready):
                    return self._receive_ready(Player(player), now_ms)
                return self._receive_move(Player(player), message, now_ms)
            case Malformed(player=player, reason=reason):
                return self._receive_malformed(Player(player), reason, now_ms)
            case Ticked():
                return self._tick(now_ms)
            case Announced():
                return self._start_clock(now_ms, afresh=False)
            case Resumed():
                return self._start_clock(now_ms, afresh=True)
            case Stopped(reason=reason):
                self._end("aborted", reason, None)
                return True
            case RulesStopped(reason=reason):
                if self.wanted is None:
                    return False
                self._end("aborted", reason, None)
                return True
            case Released():
                return False
            case _:
                assert_never(event)

    def _begin(self) -> bool:
        if self._seats[0].sent:
            return False
        self._clock = RunningClock(self.created.start_clock_ms, self.created.allowance_ms)
        self._telling.start()
        return True

    def _receive_ready(self, player: Player, now_ms: int) -> bool:
        seat = self._seats[player]
        if not seat.sent or seat.ready:
            return False  # a player that comes back cannot know whether it was heard
        if self._is_starting and self._is_late(now_ms):
            self._begin_play()
        seat.ready = True
        if self._is_starting and all(seat.ready for seat in self._seats):
            self._begin_play()
        return True

    def _receive_move(self, player: Player, move: Move, now_ms: int) -> bool:
        seat = self._seats[player]
        if move == seat.answered:
            seat.answered = None  # once: a flood of the same is one, too
            return True
        if seat.legal is None or move.step != seat.step:
            if move.step == seat.missed:
                seat.missed = None
                self._telling.problem(player, "late", f"the move for step {move.step} came after the deadline")
                return True
            return self._unexpected(player, "unexpected", f"no move for step {move.step} was asked for")
        if self._is_late(now_ms):
            return self._tick(now_ms)
        if move.action in seat.legal:
            seat.choose(seat.legal[move.action])
            seat.answered = move
        else:
            self._replace(player, "illegal", f"`{_shortened(move.action)}` is not one of the legal actions")
        self._play_if_all_have_chosen()
        return True

    def _receive_malformed(self, player: Player, reason: str, now_ms: int) -> bool:
        if self._seats[player].legal is None:
            return self._unexpected(player, "malformed", reason)
        if self._is_late(now_ms):
            return self._tick(now_ms)
        self._replace(player, "malformed", reason)
        self._play_if_all_have_chosen()
        return True

    def _tick(self, now_ms: int) -> bool:
        if not self._is_late(now_ms):
            return False
        if self._is_starting:
            self._begin_play()
            return True
        for player in self._players():
            if self._seats[player].legal is not None:
                self._seats[player].missed = self._seats[player].step
                self._replace(player, "late", "no move before the deadline")
        self._play_if_all_have_chosen()
        return True

    def _start_clock(self, now_ms: int, *, afresh: bool) -> bool:
        if self._clock is None or (self._clock.started_ms is not None and not afresh):
            return False
        self._clock.start(now_ms)
        return True

    # --- play ---------------------------------------------------------------------------------------------------------

    def _begin_play(self) -> None:
        for player in self._players():
            if not self._seats[player].ready:
                self._telling.error(player, "not_ready", None, "no `ready` within the start clock")
        self._clock = None
        self.wanted = Step()

    def _play_if_all_have_chosen(self) -> None:
        if any(seat.legal is not None for seat in self._seats):
            return
        self._clock = None
        joint: dict[int, Any] = {player: self._seats[player].action for player in self._actors}
        texts = {self._seats[player].role: str(action) for player, action in joint.items()}
        self._telling.events.append(Transition(texts, None))
        self.wanted = Step(self.words, self._phase, joint)

    def _arrive(self, step: Step, situation: Situation) -> None:
        """Let the players see what a transition led to, and act, or let chance act."""
        if situation.outcome is not None:
            self._chance_draws += 1
            self._telling.events.append(Transition({}, situation.outcome))
        if situation.told:
            self._telling.observations(situation.told, frozenset(Player(player) for player in step.joint or ()))
        if situation.failure is not None:
            self._end("aborted", f"the rules failed: {situation.failure}", None)
            return
        self.words, self._phase = situation.words, situation.phase
        if situation.utilities is not None:
            self._end("finished", None, situation.utilities)
            return
        if self._transitions >= self.created.transition_limit:
            self._end("aborted", f"the game is not over after {self._transitions} transitions", None)
            return
        self._transitions += 1
        if situation.legal:
            self._ask(situation)
        else:
            self.wanted = Step(self.words, self._phase, None, self.created.seed, self._chance_draws)

    def _ask(self, situation: Situation) -> None:
        """Ask all who act, also those with one legal action: whether there was a choice must not show in the time."""
        self._actors = [Player(player) for player in situation.legal]
        for player in self._actors:
            self._seats[player].ask(situation.legal[player])
            self._telling.request(player)
        self._clock = RunningClock(self.created.play_clock_ms, self.created.allowance_ms)

    def _replace(self, player: Player, kind: ErrorKind, detail: str) -> None:
        """Choose a uniformly random legal action for a player, and put on record why."""
        seat = self._seats[player]
        assert seat.legal is not None
        actions = list(seat.legal.values())
        drawn = draw_index(self.created.seed, f"replacement-{seat.role}", seat.step, len(actions))
        seat.choose(actions[drawn], kind)
        self._telling.error(player, kind, seat.step, detail)

    def _end(self, result: Result, reason: str | None, utilities: tuple[float, ...] | None) -> None:
        if utilities is not None and not all(math.isfinite(utility) for utility in utilities):
            result, reason, utilities = "aborted", f"the rules failed: utilities {list(utilities)}", None
        for seat in self._seats:
            seat.legal = None
        self._clock, self.wanted = None, None
        self.ended = Ended(result, reason, utilities)
        self._telling.events.append(self.ended)
        self._telling.end(self.ended)

    def _reveal(self) -> bool:
        if isinstance(self._seats[0].sent[-1], Reveal):
            return False
        self._telling.reveal()
        return True

    def _unexpected(self, player: Player, kind: ErrorKind, detail: str) -> bool:
        if not self._seats[player].note_unexpected():
            return False
        self._telling.error(player, kind, None, detail)
        return True

    def _players(self) -> list[Player]:
        return [Player(player) for player in range(len(self._seats))]

    @property
    def _is_starting(self) -> bool:
        return self.words is None and self._clock is not None

    def _is_late(self, now_ms: int) -> bool:
        return self._clock is not None and self._clock.expired(now_ms)


def _shortened(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[:longest] + "…"
