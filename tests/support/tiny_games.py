"""Games written by hand, small enough to follow on paper; they share nothing with `ggp`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ggp.errors import GgpError
from server.matches.games import GameSource
from server.referee.game_interface import Game, State
from server.referee.journal import Created
from server.referee.rules_steps import GameFault


@dataclass(frozen=True)
class DarkState:
    """A state of `DarkBids`. `told` holds what the last transition told each player."""

    rounds: int
    cards: tuple[int, ...] = ()
    phase: str = "deal"
    round: int = 0
    points: tuple[int, int] = (0, 0)
    told: tuple[tuple[tuple[str, Any], ...], ...] = ((), ())

    @property
    def words(self) -> tuple[Any, ...]:
        return (self.rounds, self.cards, self.phase, self.round, self.points)

    def is_terminal(self) -> bool:
        return self.phase == "over"

    def is_chance(self) -> bool:
        return self.phase == "deal"

    def actors(self) -> Sequence[int]:
        return {"peek": (0,), "bid": (0, 1)}.get(self.phase, ())

    def legal(self, player: int) -> Sequence[Any]:
        assert player in self.actors()
        return ("look", "pass") if self.phase == "peek" else (0, 1, 2)

    def chance_outcomes(self) -> Sequence[tuple[Any, float]]:
        return [(card, 0.25) for card in range(4)]

    def outcome_text(self, outcome: Any) -> str:
        return str(outcome)

    def parse_outcome(self, text: str) -> Any:
        return int(text)

    def apply(self, joint: Mapping[int, Any]) -> State:
        assert set(joint) == set(self.actors())
        if self.phase == "peek":
            seen = (("card of blue", self.cards[1]),) if joint[0] == "look" else ()
            return replace(self, phase="bid", told=(seen, ()))
        red, blue = joint[0], joint[1]
        # Equal bids are not told: the players then know only what they did themselves.
        seen = () if red == blue else (("higher", "red" if red > blue else "blue"),)
        points = (self.points[0] + (red > blue), self.points[1] + (blue > red))
        last = self.round + 1 == self.rounds
        return replace(self, phase="over" if last else "peek", round=self.round + 1, points=points, told=(seen, seen))

    def apply_outcome(self, outcome: Any) -> State:
        cards = (*self.cards, outcome)
        told: list[tuple[tuple[str, Any], ...]] = [(), ()]
        told[len(self.cards)] = (("your card", outcome),)
        return replace(self, cards=cards, phase="deal" if len(cards) < 2 else "peek", told=tuple(told))

    def readable_observation(self, player: int) -> Sequence[tuple[str, Any]]:
        return self.told[player]

    def utilities(self) -> Sequence[float]:
        difference = self.points[0] - self.points[1] + self.cards[0] - self.cards[1]
        return (float(difference), float(-difference))


@dataclass(frozen=True)
class DarkBids:
    """Each gets a card in secret; then, every round, red may look at blue's card unseen, and both bid at once."""

    rounds: int = 2
    players: tuple[str, ...] = ("red", "blue")

    def initial(self) -> State:
        return DarkState(self.rounds)

    def state(self, words: tuple[Any, ...]) -> State:
        return DarkState(*words)


class WithoutChance:
    """What states of games without chance need not write themselves."""

    def is_chance(self) -> bool:
        return False

    def chance_outcomes(self) -> Sequence[tuple[Any, float]]:
        return ()

    def outcome_text(self, outcome: Any) -> str:
        raise AssertionError("chance does not act here")

    def parse_outcome(self, text: str) -> Any:
        raise AssertionError("chance does not act here")

    def apply_outcome(self, outcome: Any) -> State:
        raise AssertionError("chance does not act here")


@dataclass(frozen=True)
class CountState(WithoutChance):
    """A state of `Counting`."""

    limit: int
    fault_at: int | None
    count: int = 0
    phase: str = "counting"

    @property
    def words(self) -> tuple[Any, ...]:
        return (self.limit, self.fault_at, self.count)

    def is_terminal(self) -> bool:
        return self.count >= self.limit

    def actors(self) -> Sequence[int]:
        return () if self.is_terminal() else (0,)

    def legal(self, player: int) -> Sequence[Any]:
        return ("count",)

    def apply(self, joint: Mapping[int, Any]) -> State:
        if self.count + 1 == self.fault_at:
            raise GameFault("`count` takes 0..3, not 4")
        return replace(self, count=self.count + 1)

    def readable_observation(self, player: int) -> Sequence[tuple[str, Any]]:
        return (("count", self.count),) if self.count else ()

    def utilities(self) -> Sequence[float]:
        return (1.0,)


@dataclass(frozen=True)
class Counting:
    """One player counts up to a limit; its rules can be made to fail on the way."""

    limit: int = 3
    fault_at: int | None = None
    players: tuple[str, ...] = field(default=("counter",))

    def initial(self) -> State:
        return CountState(self.limit, self.fault_at)

    def state(self, words: tuple[Any, ...]) -> State:
        return CountState(*words)


class PairState(CountState):
    """A state of `Pairs`."""

    def utilities(self) -> Sequence[float]:
        return (1.0, -1.0, 1.0, -1.0)


@dataclass(frozen=True)
class Pairs(Counting):
    """Who sit opposite each other win and lose together, the first two always win."""

    players: tuple[str, ...] = ("north", "east", "south", "west")
    teams: tuple[int, ...] = (0, 1, 0, 1)

    def initial(self) -> State:
        return PairState(self.limit, self.fault_at)

    def state(self, words: tuple[Any, ...]) -> State:
        return PairState(*words)


def created(game: Game, /, **changes: Any) -> Created:
    """Return the first event of a match of a game; start clock 1000 ms, play clock 500 ms, allowance 100 ms."""
    event = Created(
        match="m1",
        game=type(game).__name__,
        rules="by hand",
        files={},
        parameters={},
        roles=tuple(game.players),
        names=tuple(f"player {role}" for role in game.players),
        start_clock_ms=1000,
        play_clock_ms=500,
        allowance_ms=100,
        transition_limit=1000,
        seed="5eed",
        nonce="0123",
        protocol=1,
    )
    return Created(**{**{name: getattr(event, name) for name in event.__struct_fields__}, **changes})


class Broken(Counting):
    """A game whose class has a mistake."""

    def initial(self) -> State:
        raise ZeroDivisionError("our own mistake")


class NoSuchGame(GgpError):
    """There is no such game here."""


class TinyGames:
    """These games, for a manager."""

    faults: tuple[type[Exception], ...] = ()

    def find(self, game: str, parameters: Mapping[str, str]) -> GameSource:
        if game not in ("dark", "counting", "pairs", "faulty", "broken"):
            raise NoSuchGame(f"no game `{game}`")
        return GameSource(game, "by hand", {}, parameters)

    def load_bound(self, source: GameSource) -> tuple[Game, GameSource]:
        """Load a game; the rules that come over the API are the name of one."""
        if source.rules != "by hand":
            self.find(source.rules, source.parameters)
            source = GameSource(source.rules, source.rules, source.files, source.parameters)
        return self.load(source), source

    def load(self, source: GameSource) -> Game:
        rounds = int(source.parameters.get("rounds", "2"))
        games: dict[str, Game] = {
            "dark": DarkBids(rounds),
            "counting": Counting(),
            "pairs": Pairs(),
            "faulty": Counting(9, 2),
            "broken": Broken(),
        }
        return games[source.name]

    def is_own(self, source: GameSource) -> bool:
        return True

    def is_quick(self, game: Game) -> bool:
        return True

    def load_created(self, event: Created) -> Game:
        return self.load(GameSource(event.game, event.rules, event.files, event.parameters))
