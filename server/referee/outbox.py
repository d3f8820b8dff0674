"""The messages to the players of a match, with their numbers, and the recorded errors.

`server.referee.play` decides what happens in the match and calls this to announce it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ggp.protocol.messages import (
    MAX_END_ERRORS,
    Act,
    End,
    ErrorKind,
    MatchMessage,
    Observe,
    Observed,
    PlayerError,
    Problem,
    ProblemCode,
    Reveal,
    Start,
    match_settings,
)
from server.referee.chance import seed_hash
from server.referee.game_interface import Player
from server.referee.journal import Created, Ended, Event, Recorded, Sent
from server.referee.seat import Seat


class Outbox:
    """The messages of one match.

    Args:
        created: the first event of its journal.
        seats: its players; the messages to each are kept there, for players that reconnect.
    """

    def __init__(self, created: Created, seats: Sequence[Seat]) -> None:
        self.errors: list[PlayerError] = []
        """All recorded errors."""
        self.events: list[Event] = []
        """The events since the last input, the referee's own included."""
        self._created = created
        self._seats = seats

    def start(self) -> None:
        """Tell all players that the match begins."""
        setup = self._created
        for player, seat in self._players():
            message = Start(
                match=setup.match,
                number=seat.next_number,
                game=setup.game,
                rules=setup.rules,
                files=setup.files,
                parameters=setup.parameters,
                roles=list(setup.roles),
                role=seat.role,
                remaining_ms=setup.start_clock_ms,
                seed_hash=seed_hash(setup.seed, setup.nonce),
                **match_settings(setup),
            )
            self._tell(player, message)

    def observations(
        self,
        told: Sequence[Sequence[tuple[str, Any]]],
        acted: frozenset[Player],
        listeners: Callable[[Player], bool] = lambda _: True,
    ) -> None:
        """Tell the players who listen what they observed of a transition, and their own actions."""
        for player, seat in self._players():
            if not listeners(player):
                continue
            observed = [Observed(label, value) for label, value in told[player]]
            # A player that saw and did nothing is not told that anything happened: it could count failed tries.
            if not observed and player not in acted:
                continue
            action, replaced = (str(seat.action), seat.replaced) if player in acted else (None, None)
            self._tell(player, Observe(self._created.match, seat.next_number, action, replaced, observed))

    def request(self, player: Player) -> None:
        """Ask a player to choose."""
        seat = self._seats[player]
        texts = list(seat.legal or ())
        self._tell(player, Act(self._created.match, seat.next_number, seat.step, texts, seat.budget_ms))

    def end(self, ended: Ended) -> None:
        """Tell all players how the match ended."""
        match, by_role = self._created.match, None
        if ended.utilities is not None:
            by_role = dict(zip(self._created.roles, ended.utilities, strict=True))
        errors = self.errors[:MAX_END_ERRORS]
        left_out = len(self.errors) - len(errors)
        forfeited = [self._created.roles[seat] for seat in ended.forfeited]
        for player, seat in self._players():
            number, result, reason = seat.next_number, ended.result, ended.reason
            self._tell(player, End(match, number, result, reason, by_role, errors, left_out, forfeited))

    def reveal(self) -> None:
        """Tell all players the seed."""
        for player, seat in self._players():
            self._tell(player, Reveal(self._created.match, seat.next_number, self._created.seed, self._created.nonce))

    def error(self, player: Player, kind: ErrorKind, step: int | None, detail: str) -> None:
        """Record an error, and tell the player."""
        error = PlayerError(self._seats[player].role, step, kind, detail)
        self.errors.append(error)
        self.events.append(Recorded(player, error))
        self.problem(player, kind, detail)

    def problem(self, player: Player, code: ProblemCode, detail: str) -> None:
        """Tell a player what is wrong, without recording it."""
        self.events.append(Sent(player, Problem(code, detail, self._created.match)))

    def _tell(self, player: Player, message: MatchMessage) -> None:
        self._seats[player].told(message)
        self.events.append(Sent(player, message))

    def _players(self) -> list[tuple[Player, Seat]]:
        return [(Player(number), seat) for number, seat in enumerate(self._seats)]
