"""Matches of two sides in one process, where a side may be any program: ours, told only what its role may know; others.

Each pair of games has the same chance, with roles swapped. Clocks are of processor time, so other work of the machine
takes nothing from either side.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ggp.arithmetic.rng import seed_word
from ggp.competition.statistics import Interval, mean_interval, win_rate
from ggp.game.game import Game
from ggp.game.state import State
from players.agents.agent import Agent, Budget
from players.agents.auto import AutoAgent
from players.agents.registry import read_player

CHANCE = -1
"""Stands for the role of what chance has drawn."""


class Side(ABC):
    """One of the two. It is shown everything; of a game with hidden information it may use only what its role knows."""

    def begin(self, role: int, seed: int) -> None:  # noqa: B027
        """Prepare for a game."""

    @abstractmethod
    def choose(self, state: State, role: int, seconds: float) -> str:
        """Return the text of a legal action, after about so many seconds if it keeps to a clock."""

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:  # noqa: B027
        """Take note of a transition: the texts of all actions by role, or of the outcome under `CHANCE`."""

    def cpu_s(self) -> float:
        """Return the processor time that a process of its own has taken."""
        return 0.0

    def close(self) -> None:  # noqa: B027
        """End its process, if it has one."""


def agent_of(player: str) -> Agent:
    """Return an agent of a player as commands write it; `auto` measures its trials in processor time, too."""
    agent = read_player(player).make_agent()
    if isinstance(agent, AutoAgent):
        agent.clock = time.process_time
    return agent


@dataclass
class Ours(Side):
    """An agent, which is told only what its role is told."""

    game: Game
    agent: Agent
    clock: Callable[[], float] = time.process_time

    def begin(self, role: int, seed: int) -> None:
        """Start the agent."""
        self.role = role
        self.agent.start(self.game, role, seed)

    def choose(self, state: State, role: int, seconds: float) -> str:
        """Return its choice."""
        budget = Budget(self.clock, self.clock() + seconds)
        return self.agent.choose([str(action) for action in state.legal(role)], budget)

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:  # noqa: ARG002
        """Tell the agent what its role observes."""
        observation = after.readable_observation(self.role)
        if observation or self.role in taken:
            self.agent.observe(taken.get(self.role), observation)


@dataclass
class Clocks:
    """Seconds and number of the decisions with a choice, of each side."""

    seconds: list[float]
    decisions: list[int]

    def means(self) -> tuple[float, float]:
        """Return the mean seconds of a decision."""
        first, second = (taken / max(1, made) for taken, made in zip(self.seconds, self.decisions, strict=True))
        return first, second


def play(
    game: Game,
    sides: Sequence[Side],
    seats: tuple[int, int],
    seed: int,
    seconds: float,
    clocks: Clocks | None = None,
    first: float = 1.0,
) -> State:
    """Play a game and return its terminal state.

    Args:
        game: of two players.
        sides: the two.
        seats: the side that has each role.
        seed: of chance and of the sides.
        seconds: for a decision.
        clocks: where the seconds are added.
        first: multiplies the seconds of the first decision.
    """
    rng, state, allowed = [seed_word(seed, 1)], game.initial(), first * seconds
    for role, seat in enumerate(seats):
        sides[seat].begin(role, seed_word(seed, 2, role))
    while not state.is_terminal():
        taken: dict[int, str] = {}
        if state.is_chance():
            outcome = state.sample_outcome(rng)
            taken[CHANCE] = state.outcome_text(outcome)
            after = state.apply_outcome(outcome)
        else:
            for role in state.actors():
                side, before = sides[seats[role]], sides[seats[role]].cpu_s()
                began = time.process_time()
                taken[role] = side.choose(state, role, allowed)
                if clocks is not None and len(state.legal(role)) > 1:
                    clocks.seconds[seats[role]] += time.process_time() - began + side.cpu_s() - before
                    clocks.decisions[seats[role]] += 1
            after = state.apply({role: state.parse_action(role, text) for role, text in taken.items()})
            allowed = seconds
        for side in sides:
            side.follow(state, taken, after)
        state = after
    return state


@dataclass(frozen=True, slots=True)
class Duel:
    """The result of the first side.

    Attributes:
        games: played.
        wins: more payoff than the other side.
        draws: as much.
        rate: share of games won, a draw half.
        payoff: mean payoff, over pairs of games with the same chance.
        seconds: mean processor time of a decision with a choice, of each side.
    """

    games: int
    wins: int
    draws: int
    rate: Interval
    payoff: Interval
    seconds: tuple[float, float]

    @property
    def counts(self) -> str:
        """Won, drawn and all games, for a table."""
        return f"{self.wins} / {self.draws} / {self.games}"


def summary(utilities: Sequence[tuple[float, float]], seconds: tuple[float, float] = (0.0, 0.0)) -> Duel:
    """Return the result of games, at least two, of which each two have the same chance."""
    wins, draws = sum(own > other for own, other in utilities), sum(own == other for own, other in utilities)
    pairs = zip(utilities[::2], utilities[1::2], strict=True)
    payoff = mean_interval((first + second) / 2 for (first, _), (second, _) in pairs)
    games = len(utilities)
    return Duel(games, wins, draws, win_rate(wins, draws, games - wins - draws), payoff, seconds)


def duel(
    game: Game, sides: Sequence[Side], games: int, seconds: float, seed: int, limit_s: float = float("inf")
) -> Duel:
    """Let two sides meet, in pairs of games.

    Args:
        game: of two players.
        sides: the two.
        games: at most, an even number.
        seconds: for a decision.
        seed: of everything.
        limit_s: no further pair after so many seconds of processor time.
    """
    clocks, utilities = Clocks([0.0, 0.0], [0, 0]), list[tuple[float, float]]()
    began = time.process_time()
    while len(utilities) < games and time.process_time() - began < limit_s:
        pair = seed_word(seed, len(utilities) // 2)
        for seats in ((0, 1), (1, 0)):
            end = play(game, sides, seats, pair, seconds, clocks).utilities()
            utilities.append((end[seats.index(0)], end[seats.index(1)]))
    return summary(utilities, clocks.means())
