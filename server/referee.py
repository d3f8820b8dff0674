"""The referee of one match: plain code without I/O or clock.

It is told what happened and at what time, and returns events: what it made of it, and what to say to whom. The caller
stores the events and only then sends the messages in them (`Sent`), each to the one player it is for, and calls
`announced`. Between matches, connections and files it knows nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, assert_never

from ggp.errors import GgpError
from ggp.protocol.messages import (
    Act,
    End,
    ErrorKind,
    MatchMessage,
    Move,
    Observe,
    Observed,
    PlayerError,
    Problem,
    ProblemCode,
    Ready,
    Reveal,
    Start,
)
from server.chance import draw_index, draw_weighted, seed_hash
from server.clocks import RunningClock
from server.game_interface import Game, Player, State
from server.journal import (
    Announced,
    Begun,
    Created,
    Ended,
    Event,
    Input,
    Malformed,
    Received,
    Recorded,
    Released,
    Resumed,
    Sent,
    Stopped,
    Ticked,
    Transition,
)
from server.seat import Seat

Result: TypeAlias = Literal["finished", "aborted"]


class GameFault(GgpError):
    """The rules of a game failed in play; raised by a game, ends the match."""


class Referee:
    """The course of one match.

    Every public method that takes `now_ms` (milliseconds) handles one input event and returns it
    together with the events it led to, in order; an empty list if it changed nothing.

    Args:
        game: the game of `created`, with its parameters bound.
        created: the first event of the match's journal.
        faults: exceptions, besides `GameFault`, by which the game says that its rules failed in play.
    """

    def __init__(self, game: Game, created: Created, faults: tuple[type[Exception], ...] = ()) -> None:
        if tuple(game.players) != created.roles:
            raise ValueError(f"the game has the roles {list(game.players)}, the journal {list(created.roles)}")
        self.created = created
        self.state: State | None = None
        self.ended: Ended | None = None
        self._game = game
        self._faults: tuple[type[Exception], ...] = (GameFault, *faults)
        self._seats = [Seat(role) for role in created.roles]
        self._clock: RunningClock | None = None
        self._errors: list[PlayerError] = []
        self._events: list[Event] = []
        self._transitions = 0
        self._chance_draws = 0

    @property
    def deadline_ms(self) -> int | None:
        """The moment after which `tick` should be called; None while no clock runs."""
        return None if self._clock is None else self._clock.deadline_ms

    @property
    def errors(self) -> tuple[PlayerError, ...]:
        """All errors on record so far."""
        return tuple(self._errors)

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
        """Handle an input event; replaying a journal calls this with the events it recorded."""
        self._events = [event]
        return self._events if self._handle(event) else []

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
            case Released():
                return False
            case _:
                assert_never(event)

    def _begin(self) -> bool:
        if self._seats[0].sent:
            return False
        setup = self.created
        self._clock = RunningClock(setup.start_clock_ms, setup.allowance_ms)
        for player in self._players():
            self._tell(
                player,
                Start(
                    match=setup.match,
                    number=self._seats[player].next_number,
                    game=setup.game,
                    rules=setup.rules,
                    files=setup.files,
                    parameters=setup.parameters,
                    roles=list(setup.roles),
                    role=setup.roles[player],
                    start_clock_ms=setup.start_clock_ms,
                    play_clock_ms=setup.play_clock_ms,
                    allowance_ms=setup.allowance_ms,
                    remaining_ms=setup.start_clock_ms,
                    seed_hash=seed_hash(setup.seed, setup.nonce),
                ),
            )
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
            return False
        if seat.legal is None or move.step != seat.step:
            if move.step == seat.missed:
                seat.missed = None
                self._problem(player, "late", f"the move for step {move.step} came after the deadline")
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
                self._record(player, "not_ready", None, "no `ready` within the start clock")
        self._guarded(lambda: self._enter(self._game.initial()))

    def _play_if_all_have_chosen(self) -> None:
        if all(seat.legal is None for seat in self._seats):
            self._guarded(self._play)

    def _play(self) -> None:
        assert self.state is not None
        joint: dict[int, Any] = {player: self._seats[player].action for player in self.state.actors()}
        self._events.append(Transition({self._seats[p].role: str(action) for p, action in joint.items()}, None))
        state = self.state.apply(joint)
        self._tell_observations(state, joint)
        self._enter(state)

    def _enter(self, state: State) -> None:
        """Let chance act until players do or the game ends."""
        while True:
            self.state = state
            self._clock = None
            if state.is_terminal():
                self._end("finished", None, tuple(float(utility) for utility in state.utilities()))
                return
            if self._transitions >= self.created.transition_limit:
                self._end("aborted", f"the game is not over after {self._transitions} transitions", None)
                return
            self._transitions += 1
            if not state.is_chance():
                self._ask()
                return
            outcomes = state.chance_outcomes()
            position = draw_weighted(
                self.created.seed, "chance", self._chance_draws, [probability for _, probability in outcomes]
            )
            self._chance_draws += 1
            outcome = outcomes[position][0]
            self._events.append(Transition({}, state.outcome_text(outcome)))
            state = state.apply_outcome(outcome)
            self._tell_observations(state, {})

    def _tell_observations(self, state: State, joint: dict[int, Any]) -> None:
        for player in self._players():
            observed = [Observed(label, value) for label, value in state.readable_observation(player)]
            # Nothing seen, nothing done: not even that something happened, or failed tries could be counted.
            if not observed and player not in joint:
                continue
            seat = self._seats[player]
            action = str(joint[player]) if player in joint else None
            replaced = seat.replaced if player in joint else None
            number = self._seats[player].next_number
            self._tell(player, Observe(self.created.match, number, action, replaced, observed))

    def _ask(self) -> None:
        """Ask all who act, also those with one legal action: whether there was a choice must not show in the time."""
        assert self.state is not None
        for actor in self.state.actors():
            player = Player(actor)
            legal = {str(action): action for action in self.state.legal(player)}
            if not legal:
                raise GameFault(f"{self._seats[player].role} is to act and has no legal action")
            self._seats[player].ask(legal)
        for actor in self.state.actors():
            player, seat = Player(actor), self._seats[actor]
            texts = list(seat.legal or ())
            number = self._seats[player].next_number
            self._tell(player, Act(self.created.match, number, seat.step, texts, self.created.play_clock_ms))
        self._clock = RunningClock(self.created.play_clock_ms, self.created.allowance_ms)

    def _replace(self, player: Player, kind: ErrorKind, detail: str) -> None:
        """Choose a uniformly random legal action for a player, and put on record why."""
        seat = self._seats[player]
        assert seat.legal is not None
        actions = list(seat.legal.values())
        drawn = draw_index(self.created.seed, f"replacement-{seat.role}", seat.step, len(actions))
        seat.choose(actions[drawn], kind)
        self._record(player, kind, seat.step, detail)

    def _guarded(self, play: Callable[[], None]) -> None:
        try:
            play()
        except self._faults as fault:
            self._end("aborted", f"the rules failed: {fault}", None)

    def _end(self, result: Result, reason: str | None, utilities: tuple[float, ...] | None) -> None:
        if utilities is not None and not all(math.isfinite(utility) for utility in utilities):
            result, reason, utilities = "aborted", f"the rules failed: utilities {list(utilities)}", None
        for seat in self._seats:
            seat.legal = None
        self._clock = None
        self.ended = Ended(result, reason, utilities)
        self._events.append(self.ended)
        by_role = None if utilities is None else dict(zip(self.created.roles, utilities, strict=True))
        errors = list(self._errors)
        for player in self._players():
            number = self._seats[player].next_number
            self._tell(player, End(self.created.match, number, result, reason, by_role, errors))

    def _reveal(self) -> bool:
        if isinstance(self._seats[0].sent[-1], Reveal):
            return False
        for player in self._players():
            number = self._seats[player].next_number
            self._tell(player, Reveal(self.created.match, number, self.created.seed, self.created.nonce))
        return True

    # --- records and messages -----------------------------------------------------------------------------------------

    def _unexpected(self, player: Player, kind: ErrorKind, detail: str) -> bool:
        if not self._seats[player].note_unexpected():
            return False
        self._record(player, kind, None, detail)
        return True

    def _record(self, player: Player, kind: ErrorKind, step: int | None, detail: str) -> None:
        error = PlayerError(self._seats[player].role, step, kind, detail)
        self._errors.append(error)
        self._events.append(Recorded(player, error))
        self._problem(player, kind, detail)

    def _problem(self, player: Player, code: ProblemCode, detail: str) -> None:
        self._events.append(Sent(player, Problem(code, detail, self.created.match)))

    def _tell(self, player: Player, message: MatchMessage) -> None:
        """Send a numbered message, and keep it for a player that comes back."""
        self._seats[player].sent.append(message)
        self._events.append(Sent(player, message))

    def _players(self) -> list[Player]:
        return [Player(player) for player in range(len(self._seats))]

    @property
    def _is_starting(self) -> bool:
        return self.state is None and self._clock is not None

    def _is_late(self, now_ms: int) -> bool:
        return self._clock is not None and self._clock.expired(now_ms)


def _shortened(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[:longest] + "…"
