"""The referee of one match: plain code without I/O or clock.

It is told what happened and at what time, and returns events: what it made of it, and what to say to whom. The caller
stores the events and only then sends the messages in them (`Sent`), each to the one player it is for, and calls
`announced`. Between matches, connections and files it knows nothing. Transitions by the rules may take long: it says
which one it wants (`wanted`), and whoever makes it tells it what came of it (`go_on`).
"""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias, assert_never

from ggp.protocol.messages import ErrorKind, MatchMessage, MatchReply, Move, PlayerError, Ready, Resign
from server.referee.chance import draw_index
from server.referee.game_interface import Game, Player
from server.referee.hidden_times import HiddenTimes
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
    Transition,
)
from server.referee.match_clock import MatchClock
from server.referee.outbox import Telling
from server.referee.rules_steps import Step, StepResult, make_step
from server.referee.seat import Seat

Result: TypeAlias = Literal["finished", "aborted", "forfeited"]


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
        self._clock = MatchClock(created, self._seats)
        self._phase: str | None = None
        self._actors: list[Player] = []
        self._hiding = HiddenTimes(created.hide_times)
        self._now_ms = 0
        self._transitions = 0
        self._chance_draws = 0

    @property
    def deadline_ms(self) -> int | None:
        """The moment after which `tick` should be called; None while no clock runs."""
        return self._clock.deadline_ms([] if self._is_starting else self._asked)

    @property
    def errors(self) -> tuple[PlayerError, ...]:
        """All errors on record so far."""
        return tuple(self._telling.errors)

    def begin(self, now_ms: int) -> list[Event]:
        """Tell the players to start."""
        return self.apply(Begun(now_ms))

    def receive(self, player: Player, message: MatchReply, now_ms: int) -> list[Event]:
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
        self._now_ms = event.at_ms
        if not isinstance(event, RulesStopped):
            self.made = 0
        return self._telling.events if self._handle(event) else []

    def go_on(self, situation: StepResult) -> list[Event]:
        """Go on with what came of the transition that was wanted."""
        step, self.wanted = self.wanted, None
        assert step is not None, "no transition was wanted"
        self.made += 1
        self._telling.events = []
        self._arrive(step, situation)
        return self._telling.events

    def expects(self, player: Player, message: MatchReply) -> bool:
        """Return whether a message answers something that the player was asked; else it may be a nuisance."""
        return self._seats[player].expects(message)

    def recap(self, player: Player, now_ms: int) -> list[MatchMessage]:
        """Return what a player that comes back is told: everything it was told before, with the time that is left.

        Requests that it answered, or was too late for, are left out; numbers are those of the first time.
        """
        if self._is_starting:
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
                    return self._forfeit([Player(player)], f"{self._seats[player].role} resigned")
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
                self._end("aborted", reason, None)
                return True
            case Forfeited(player=player, reason=reason):
                return self._forfeit([Player(player)], reason)
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
        if self._seats[0].next_number:
            return False
        self._clock.set_start_clock()
        self._telling.start()
        return True

    def _receive_ready(self, player: Player, now_ms: int) -> bool:
        seat = self._seats[player]
        if not seat.next_number or seat.ready:
            return False  # a player that comes back cannot know whether it was heard
        if self._is_starting and self._clock.is_over(now_ms):
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
        if self._clock.is_late(player, now_ms):
            return self._tick(now_ms)
        self._clock.charge(player, now_ms)
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
        if self._clock.is_late(player, now_ms):
            return self._tick(now_ms)
        self._clock.charge(player, now_ms)
        self._replace(player, "malformed", reason)
        self._play_if_all_have_chosen()
        return True

    def _tick(self, now_ms: int) -> bool:
        if self._is_starting:
            if not self._clock.is_over(now_ms):
                return False
            self._begin_play()
            return True
        late = [player for player in self._asked if self._clock.is_late(player, now_ms)]
        for player in late:
            seat = self._seats[player]
            seat.missed = seat.step
            self._clock.charge(player, now_ms)
            self._replace(player, "late", "no move before the deadline")
        if late:
            struck = [player for player in late if self._seats[player].strikes == self.created.strikes]
            if struck:
                names = " and ".join(self._seats[player].role for player in struck)
                return self._forfeit(struck, f"{names} made no move in time, {self.created.strikes} times in a row")
            self._play_if_all_have_chosen()
            return True
        if not self._hiding.waits or not self._clock.is_over(now_ms):
            return False
        self._end_wait()
        return True

    # --- play ---------------------------------------------------------------------------------------------------------

    def _begin_play(self) -> None:
        for player in self._players():
            if not self._seats[player].ready:
                self._telling.error(player, "not_ready", None, "no `ready` within the start clock")
        self._clock.remove()
        self.wanted = Step()

    def _play_if_all_have_chosen(self) -> None:
        if any(seat.legal is not None for seat in self._seats):
            return
        joint: dict[int, Any] = {player: self._seats[player].action for player in self._actors}
        texts = {self._seats[player].role: str(action) for player, action in joint.items()}
        self._telling.events.append(Transition(texts, None))
        step = Step(self.words, self._phase, joint)
        if self._hiding.hold_step(step):
            return
        if self._hiding.actor is None:
            self._clock.remove()
        self.wanted = step

    def _end_wait(self) -> None:
        """Go on where a match waited for the end of the clock, so that the time of what comes next tells nothing."""
        self._clock.remove()
        step, situation = self._hiding.end()
        self._tell_held()
        if step is not None:
            self.wanted = step
        elif situation is not None:
            self._go_from(situation)

    def _tell_held(self) -> None:
        actor, held = self._hiding.take_held()
        for told in held:
            self._telling.observations(told, frozenset(), lambda player: player != actor)

    def _arrive(self, step: Step, situation: StepResult) -> None:
        """Let the players see what a transition led to, and act, or let chance act."""
        if situation.outcome is not None:
            self._chance_draws += 1
            self._telling.events.append(Transition({}, situation.outcome))
        actor = self._hiding.actor
        if situation.told:
            acted = frozenset(Player(player) for player in step.joint or ())
            if actor is None:
                self._telling.observations(situation.told, acted)
            else:
                self._telling.observations(situation.told, acted, lambda player: player == actor)
                self._hiding.hold(situation.told)
        if situation.failure is not None:
            self._end("aborted", f"the rules failed: {situation.failure}", None)
            return
        self.words, self._phase = situation.words, situation.phase
        if not self._hiding.hold_situation(situation):
            self._go_from(situation)

    def _go_from(self, situation: StepResult) -> None:
        """Let the players act in a state that was reached, or chance, or end the match."""
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

    def _ask(self, situation: StepResult) -> None:
        """Ask all who act, also those with one legal action: whether there was a choice must not show in the time."""
        self._actors = [Player(player) for player in situation.legal]
        play_clock_ms = self.created.play_clock_ms
        if self._hiding.goes_on(self._actors) and self._clock.is_there:
            (player,) = self._actors
            gone_ms = min(play_clock_ms, self._clock.elapsed_ms(self._now_ms))
            self._seats[player].ask(situation.legal[player], play_clock_ms - gone_ms, gone_ms)
            self._telling.request(player)
            return
        for player in self._actors:
            self._seats[player].ask(situation.legal[player], self._clock.budget_ms(player))
            self._telling.request(player)
        self._clock.set_play_clock()
        self._hiding.begin(self._actors)

    def _forfeit(self, players: list[Player], reason: str) -> bool:
        self._end("forfeited", reason, None, tuple(players))
        return True

    def _replace(self, player: Player, kind: ErrorKind, detail: str) -> None:
        """Choose a uniformly random legal action for a player, and put on record why."""
        seat = self._seats[player]
        assert seat.legal is not None
        actions = list(seat.legal.values())
        drawn = draw_index(self.created.seed, f"replacement-{seat.role}", seat.step, len(actions))
        seat.choose(actions[drawn], kind)
        self._telling.error(player, kind, seat.step, detail)

    def _end(
        self,
        result: Result,
        reason: str | None,
        utilities: tuple[float, ...] | None,
        forfeited: tuple[int, ...] = (),
    ) -> None:
        self._hiding.end()
        self._tell_held()
        if utilities is not None and not all(math.isfinite(utility) for utility in utilities):
            result, reason, utilities = "aborted", f"the rules failed: utilities {list(utilities)}", None
        for seat in self._seats:
            seat.legal = None
        self._clock.remove()
        self.wanted = None
        self.ended = Ended(result, reason, utilities, forfeited)
        self._telling.events.append(self.ended)
        self._telling.end(self.ended)

    def _reveal(self) -> bool:
        if self._seats[0].is_revealed:
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
        return self.words is None and self._clock.is_there

    @property
    def _asked(self) -> list[Player]:
        return [player for player in self._players() if self._seats[player].legal is not None]


def _shortened(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else text[:longest] + "…"
