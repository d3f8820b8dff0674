"""The course of play in one match: who is asked, what the players observe, and when it is over.

Messages and deadlines, which drive it, are handled by `server.referee.referee`.
"""

from __future__ import annotations

import math
from typing import Any

from ggp.competition.results import Result
from ggp.protocol.messages import ErrorKind
from server.referee.chance import draw_index
from server.referee.game_interface import Game, Player
from server.referee.hidden_times import HiddenTimes
from server.referee.journal import Created, Ended, Transition
from server.referee.match_clock import MatchClock
from server.referee.outbox import Outbox
from server.referee.rules_steps import Step, StepResult
from server.referee.seat import Seat


class Play:
    """The course of play in one match.

    Args:
        game: the game of `created`, with its parameters bound.
        created: the first event of the match's journal.

    Raises:
        ValueError: the game has other roles than the match.
    """

    def __init__(self, game: Game, created: Created) -> None:
        if tuple(game.players) != created.roles:
            raise ValueError(f"the game has the roles {list(game.players)}, the journal {list(created.roles)}")
        self.created = created
        self.words: tuple[Any, ...] | None = None
        """The world state; None before play begins."""
        self.wanted: Step | None = None
        """The transition that the match waits for: the next call is `go_on`, or `take` with `RulesStopped`."""
        self.made = 0
        """How many transitions were made for the last input."""
        self.ended: Ended | None = None
        self._game = game
        self._seats = [Seat(role) for role in created.roles]
        self._outbox = Outbox(created, self._seats)
        self._clock = MatchClock(created, self._seats)
        self._phase: str | None = None
        self._actors: list[Player] = []
        self._hiding = HiddenTimes(bool(created.hide_times))
        self._now_ms = 0
        """When the last input came."""
        self._transitions = 0
        self._chance_draws = 0

    def _begin_play(self) -> None:
        for player in self._players():
            if not self._seats[player].ready:
                self._outbox.error(player, "not_ready", None, "no `ready` within the start clock")
        self._clock.remove()
        self.wanted = Step()

    def _play_if_all_have_chosen(self) -> None:
        if any(seat.legal is not None for seat in self._seats):
            return
        joint: dict[int, Any] = {player: self._seats[player].action for player in self._actors}
        texts = {self._seats[player].role: str(action) for player, action in joint.items()}
        self._outbox.events.append(Transition(texts, None))
        step = Step(self.words, self._phase, joint)
        if self._hiding.hold_step(step):
            return
        if self._hiding.actor is None:
            self._clock.remove()
        self.wanted = step

    def _end_wait(self) -> None:
        """Continue a match that waited for the end of the clock, so that the next time reveals nothing."""
        self._clock.remove()
        step, result = self._hiding.end()
        self._tell_held()
        if step is not None:
            self.wanted = step
        elif result is not None:
            self._go_from(result)

    def _tell_held(self) -> None:
        actor, held = self._hiding.take_held()
        for told in held:
            self._outbox.observations(told, frozenset(), lambda player: player != actor)

    def _arrive(self, step: Step, result: StepResult) -> None:
        """Tell the players what they observe of a transition, and continue from the state it led to."""
        if result.outcome is not None:
            self._chance_draws += 1
            self._outbox.events.append(Transition({}, result.outcome))
        actor = self._hiding.actor
        if result.told:
            acted = frozenset(Player(player) for player in step.joint or ())
            if actor is None:
                self._outbox.observations(result.told, acted)
            else:
                self._outbox.observations(result.told, acted, lambda player: player == actor)
                self._hiding.hold(result.told)
        if result.failure is not None:
            self._end("aborted", f"the rules failed: {result.failure}", None)
            return
        self.words, self._phase = result.words, result.phase
        if not self._hiding.hold_result(result):
            self._go_from(result)

    def _go_from(self, result: StepResult) -> None:
        """Ask the players who act in a state, let chance act, or end the match."""
        if result.utilities is not None:
            self._end("finished", None, result.utilities)
            return
        if self._transitions >= self.created.transition_limit:
            self._end("aborted", f"the game is not over after {self._transitions} transitions", None)
            return
        self._transitions += 1
        if result.legal:
            self._ask(result)
        else:
            self.wanted = Step(self.words, self._phase, None, self.created.seed, self._chance_draws)

    def _ask(self, result: StepResult) -> None:
        """Ask all who act, even with one legal action: whether there was a choice must not be visible in the timing."""
        self._actors = [Player(player) for player in result.legal]
        play_clock_ms = self.created.play_clock_ms
        if self._hiding.goes_on(self._actors) and self._clock.is_there:
            (player,) = self._actors
            gone_ms = min(play_clock_ms, self._clock.elapsed_ms(self._now_ms))
            self._seats[player].ask(result.legal[player], play_clock_ms - gone_ms, gone_ms)
            self._outbox.request(player)
            return
        for player in self._actors:
            self._seats[player].ask(result.legal[player], self._clock.budget_ms(player))
            self._outbox.request(player)
        self._clock.set_play_clock()
        self._hiding.begin(self._actors)

    def _forfeit(self, players: list[Player], reason: str) -> bool:
        self._end("forfeited", reason, None, tuple(players))
        return True

    def _replace(self, player: Player, kind: ErrorKind, detail: str) -> None:
        """Choose a uniformly random legal action for a player, and record why."""
        seat = self._seats[player]
        assert seat.legal is not None
        actions = list(seat.legal.values())
        drawn = draw_index(self.created.seed, f"replacement-{seat.role}", seat.step, len(actions))
        seat.choose(actions[drawn], kind)
        self._outbox.error(player, kind, seat.step, detail)

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
        self._outbox.events.append(self.ended)
        self._outbox.end(self.ended)

    def _players(self) -> list[Player]:
        return [Player(player) for player in range(len(self._seats))]

    @property
    def _is_starting(self) -> bool:
        return self.words is None and self._clock.is_there

    @property
    def _asked(self) -> list[Player]:
        return [player for player in self._players() if self._seats[player].legal is not None]
