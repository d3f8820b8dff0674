"""The course of play in one match: who is asked, what the players observe, and when it is over.

Messages and deadlines, which drive it, are handled by `server.referee.referee`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ggp.competition.results import Result
from ggp.protocol.messages import ErrorKind
from server.referee.chance import draw_index
from server.referee.game_interface import Player
from server.referee.hidden_times import HiddenTimes
from server.referee.journal import Created, Ended, Transition
from server.referee.match_clock import MatchClock
from server.referee.outbox import Outbox
from server.referee.rules_steps import Step, StepResult
from server.referee.seat import Seat


class Play:
    """The course of play in one match.

    Args:
        created: the first event of the match's journal.
        seats: the players.
        outbox: where they are told what happens.
        clock: of the match.

    Attributes:
        words: the world state; None before play begins.
        wanted: the transition that the match waits for.
        ended: how the match ended.
        now_ms: when the last input came.
        hiding: holds back what would reveal something by its time.
    """

    def __init__(self, created: Created, seats: Sequence[Seat], outbox: Outbox, clock: MatchClock) -> None:
        self.words: tuple[Any, ...] | None = None
        self.wanted: Step | None = None
        self.ended: Ended | None = None
        self.now_ms = 0
        self.hiding = HiddenTimes(bool(created.hide_times))
        self._created = created
        self._seats = seats
        self._outbox = outbox
        self._clock = clock
        self._phase: str | None = None
        self._actors: list[Player] = []
        self._transitions = 0
        self._chance_draws = 0

    @property
    def is_starting(self) -> bool:
        """Whether the start clock is running."""
        return self.words is None and self._clock.is_there

    @property
    def asked(self) -> list[Player]:
        """The players who have to choose."""
        return [Player(player) for player, seat in enumerate(self._seats) if seat.legal is not None]

    def begin(self) -> None:
        """End the start clock."""
        for player, seat in enumerate(self._seats):
            if not seat.ready:
                self._outbox.error(Player(player), "not_ready", None, "no `ready` within the start clock")
        self._clock.remove()
        self.wanted = Step()

    def go_on_if_all_have_chosen(self) -> None:
        """Make the next transition, unless somebody has yet to choose."""
        if any(seat.legal is not None for seat in self._seats):
            return
        joint: dict[int, Any] = {player: self._seats[player].action for player in self._actors}
        texts = {self._seats[player].role: str(action) for player, action in joint.items()}
        self._outbox.events.append(Transition(texts, None))
        step = Step(self.words, self._phase, joint)
        if self.hiding.hold_step(step):
            return
        if self.hiding.actor is None:
            self._clock.remove()
        self.wanted = step

    def end_wait(self) -> None:
        """Continue a match that waited for the end of the clock, so that the next time reveals nothing."""
        self._clock.remove()
        step, result = self.hiding.end()
        self._tell_held()
        if step is not None:
            self.wanted = step
        elif result is not None:
            self._go_from(result)

    def _tell_held(self) -> None:
        actor, held = self.hiding.take_held()
        for told in held:
            self._outbox.observations(told, frozenset(), lambda player: player != actor)

    def arrive(self, step: Step, result: StepResult) -> None:
        """Tell the players what they observe of a transition, and continue from the state it led to."""
        if result.outcome is not None:
            self._chance_draws += 1
            self._outbox.events.append(Transition({}, result.outcome))
        actor = self.hiding.actor
        if result.told:
            acted = frozenset(Player(player) for player in step.joint or ())
            if actor is None:
                self._outbox.observations(result.told, acted)
            else:
                self._outbox.observations(result.told, acted, lambda player: player == actor)
                self.hiding.hold(result.told)
        if result.failure is not None:
            self.end("aborted", f"the rules failed: {result.failure}", None)
            return
        self.words, self._phase = result.words, result.phase
        if not self.hiding.hold_result(result):
            self._go_from(result)

    def _go_from(self, result: StepResult) -> None:
        """Ask the players who act in a state, let chance act, or end the match."""
        if result.utilities is not None:
            self.end("finished", None, result.utilities)
            return
        if self._transitions >= self._created.transition_limit:
            self.end("aborted", f"the game is not over after {self._transitions} transitions", None)
            return
        self._transitions += 1
        if result.legal:
            self._ask(result)
        else:
            self.wanted = Step(self.words, self._phase, None, self._created.seed, self._chance_draws)

    def _ask(self, result: StepResult) -> None:
        """Ask all who act, even with one legal action: whether there was a choice must not be visible in the timing."""
        self._actors = [Player(player) for player in result.legal]
        play_clock_ms = self._created.play_clock_ms
        if self.hiding.goes_on(self._actors) and self._clock.is_there:
            (player,) = self._actors
            gone_ms = min(play_clock_ms, self._clock.elapsed_ms(self.now_ms))
            self._seats[player].ask(result.legal[player], play_clock_ms - gone_ms, gone_ms)
            self._outbox.request(player)
            return
        for player in self._actors:
            self._seats[player].ask(result.legal[player], self._clock.budget_ms(player))
            self._outbox.request(player)
        self._clock.set_play_clock()
        self.hiding.begin(self._actors)

    def forfeit(self, players: Sequence[Player], reason: str) -> bool:
        """End the match because some players have lost it by their conduct; return True."""
        self.end("forfeited", reason, None, tuple(players))
        return True

    def replace(self, player: Player, kind: ErrorKind, detail: str) -> None:
        """Choose a uniformly random legal action for a player, and record why."""
        seat = self._seats[player]
        assert seat.legal is not None
        actions = list(seat.legal.values())
        drawn = draw_index(self._created.seed, f"replacement-{seat.role}", seat.step, len(actions))
        seat.choose(actions[drawn], kind)
        self._outbox.error(player, kind, seat.step, detail)

    def end(
        self,
        result: Result,
        reason: str | None,
        utilities: tuple[float, ...] | None,
        forfeited: tuple[int, ...] = (),
    ) -> None:
        """End the match, and tell all players."""
        self.hiding.end()
        self._tell_held()
        if utilities is not None and not all(math.isfinite(utility) for utility in utilities):
            result, reason, utilities = "aborted", f"the rules failed: utilities {list(utilities)}", None
        for seat in self._seats:
            seat.legal = None
        self._clock.remove()
        self.wanted = None
        self.ended = Ended(result, reason, utilities, forfeited)
        self._outbox.events.append(self.ended)
        self._outbox.end(self.ended)
