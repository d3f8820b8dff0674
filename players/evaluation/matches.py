"""Matches in one process, without a network, for `ggp match` and tournaments on one machine.

With iterations instead of a clock, the result of a game is a function of the game, the players and the seed.
Games come in groups of as many as there are players, with the same chance seed: with `swap`, each player
has each role of a group once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ggp.arithmetic.rng import below, seed_word
from ggp.competition.results import ENDLESS
from ggp.competition.statistics import win_rate
from ggp.errors import GgpError
from ggp.faults import RulesFault
from players.agents.agent import Agent, Budget
from players.agents.registry import PlayerSpec

if TYPE_CHECKING:
    from ggp.game.game import Game, State

CHANCE_SEED, AGENT_SEED, REPLACEMENT_SEED = 1, 2, 3
ALLOWANCE_S = 0.05
"""How late a move may be: a busy machine interrupts processes for up to some hundredths of a second."""


class GameEndless(GgpError):
    """A game that was not over after ENDLESS transitions."""


class TimeControl(Struct, frozen=True):
    """How long a player may think about a move; exactly one of the two is given.

    Attributes:
        play_clock_s: seconds. A move that is more than ALLOWANCE_S late is replaced by a random legal one, and
            counts as an error.
        iterations: of its search.
    """

    play_clock_s: float | None = None
    iterations: int | None = None


class GameResult(Struct, frozen=True):
    """The result of one game.

    Attributes:
        number: of the game, from 0.
        seats: for each role, the number of the player who had it.
        utilities: of each role.
        errors: of each player: late or illegal moves.
        transitions: how long the game was.
        fault: the fault of the rules, with its place, if one ended the game; then all utilities are 0.
        first_error: the first late or illegal move: whose, and what was wrong.
    """

    number: int
    seats: tuple[int, ...]
    utilities: tuple[float, ...]
    errors: tuple[int, ...]
    transitions: int
    fault: str | None = None
    first_error: str | None = None


class Standing(Struct, frozen=True):
    """A player's results over all games.

    Attributes:
        wins: games in which its utility was above those of all others but its team.
        draws: games in which another team had the greatest utility, too.
        win_rate: a win counts 1, a draw its share of 1 among the teams that drew.
        ci95: half the width of Wilson's 95 % interval of `win_rate`.
        mean_payoff: mean utility.
        errors: late or illegal moves.
    """

    wins: int
    draws: int
    win_rate: float
    ci95: float
    mean_payoff: float
    errors: int


def seats_of(number: int, players: int, swap: bool) -> tuple[int, ...]:
    """Return which player has each role in a game: in turn with `swap`, otherwise always the same."""
    turn = number % players if swap else 0
    return tuple((role + turn) % players for role in range(players))


def play_game(
    game: Game,
    players: Sequence[Agent],
    number: int,
    seed: int,
    swap: bool,
    time_control: TimeControl,
    clock: Callable[[], float] = time.monotonic,
    watch: Callable[[State], object] | None = None,
) -> GameResult:
    """Play one game.

    Args:
        game: for as many players as `players` has.
        players: the agents; each is restarted.
        number: of the game, from 0; with the seed it determines chance and every player's draws.
        seed: of the whole match.
        swap: whether players change seats from game to game.
        time_control: how long a player may think about a move.
        clock: reads a monotonic clock in seconds.
        watch: is called with every state of the game, the initial and the terminal one included.

    Raises:
        NotApplicable: a player cannot play this game.
        GameEndless: it was not over after ENDLESS transitions.
    """
    count = len(players)
    seats = seats_of(number, count, swap)
    group = number // count if swap else number
    chance = [seed_word(seed, CHANCE_SEED, group)]
    replacement = [seed_word(seed, REPLACEMENT_SEED, number)]
    agents = [players[player] for player in seats]
    for role, agent in enumerate(agents):
        agent.start(game, role, seed_word(seed, AGENT_SEED, number, seats[role]))
    play = Play(game, agents, seats, chance, replacement, time_control, clock, [0] * count, watch)
    utilities, told = (0.0,) * count, None
    try:
        utilities = play.to_the_end()
    except RulesFault as fault:
        told = str(fault)
    return GameResult(number, seats, utilities, tuple(play.errors), play.transitions, told, play.first_error)


@dataclass(slots=True)
class Play:
    """A game in play; the fields are as in `play_game`."""

    game: Game
    agents: Sequence[Agent]
    seats: tuple[int, ...]
    chance: list[int]
    replacement: list[int]
    time_control: TimeControl
    clock: Callable[[], float]
    errors: list[int]
    watch: Callable[[State], object] | None = None
    transitions: int = 0
    first_error: str | None = None

    def to_the_end(self) -> tuple[float, ...]:
        """Play, and return the utilities.

        Raises:
            GameEndless: it was not over after ENDLESS transitions.
            RulesFault: play runs into an error of the rules.
        """
        state = self.game.initial()
        while not state.is_terminal():
            if self.transitions == ENDLESS:
                raise GameEndless(
                    f"a game of {self.game.name} was not over after {self.transitions:,} transitions: let the rules end"
                    " every game, by a limit on its length for example"
                )
            if self.watch is not None:
                self.watch(state)
            state = self._after(state)
        if self.watch is not None:
            self.watch(state)
        return tuple(state.utilities())

    def _after(self, state: State) -> State:
        taken: dict[int, str] = {}
        # counted before it is made: a transition that fails is part of the game
        self.transitions += 1
        if state.is_chance():
            new = state.apply_outcome(state.sample_outcome(self.chance))
        else:
            for role in state.actors():
                action, wrong = self._move(state, role)
                taken[role] = action
                if wrong is not None:
                    self.errors[self.seats[role]] += 1
                    self.first_error = self.first_error or f"`{self.game.players[role]}` {wrong}"
            new = state.apply({role: state.parse_action(role, action) for role, action in taken.items()})
        for role, agent in enumerate(self.agents):
            observation = new.readable_observation(role)
            if observation or role in taken:
                agent.observe(taken.get(role), observation)
        return new

    def _move(self, state: State, role: int) -> tuple[str, str | None]:
        """Ask an agent for its move; return it and None, or a random legal one and what was wrong: late or illegal."""
        legal = [str(action) for action in state.legal(role)]
        deadline = math.inf
        if self.time_control.play_clock_s is not None:
            deadline = self.clock() + self.time_control.play_clock_s
        action = self.agents[role].choose(legal, Budget(self.clock, deadline, self.time_control.iterations))
        late_s = self.clock() - deadline
        if late_s <= ALLOWANCE_S and action in legal:
            return action, None
        wrong = (
            f"moved {late_s:.3f} s late" if late_s > ALLOWANCE_S else f"chose `{action}`, which is not a legal action"
        )
        return legal[below(self.replacement, len(legal))], wrong


def faults_told(results: Sequence[GameResult]) -> dict[str, Any]:
    """Return number and share of the games that a fault of the rules ended, and the first fault, as plain data."""
    faulted = [result for result in results if result.fault is not None]
    return {
        "faulted": len(faulted),
        "faulted_share": len(faulted) / len(results) if results else 0.0,
        "first_fault": faulted[0].fault if faulted else None,
    }


def faults_line(told: Mapping[str, Any], games: int) -> str | None:
    """Return the result of `faults_told` as one line; None if no game failed."""
    if not told["faulted"]:
        return None
    share = f"{told['faulted']:,} of {games:,} games ({100 * told['faulted_share']:.2g} %)"
    return f"{share} ended by a fault of the rules and count as draws; the first: {told['first_fault']}"


def errors_line(results: Sequence[GameResult]) -> str | None:
    """Return how many moves were late or illegal, and the first of them, as one line; None if there were none."""
    first = next((result for result in results if result.first_error is not None), None)
    if first is None:
        return None
    count = sum(sum(result.errors) for result in results)
    moves = "1 error" if count == 1 else f"{count:,} errors"
    return f"{moves}, each replaced by a random action; the first, in game {first.number + 1}: {first.first_error}"


def standings(results: Sequence[GameResult], teams: Sequence[int] = ()) -> list[Standing]:
    """Return the results of each player, in the order of the players, over at least one game.

    Args:
        results: of the games.
        teams: the number of each role's team, as `Game.teams` has it; empty: each alone.
    """
    return [_standing(results, player, teams) for player in range(len(results[0].seats))]


def points(utilities: Sequence[float], role: int, teams: Sequence[int] = ()) -> float:
    """Return a role's points for a game: 1 for a win of its team, a share of 1 for a draw, 0 for a loss.

    Where all roles are one team, nobody wins: they draw, and share the point.
    """
    best, teams = max(utilities), teams or range(len(utilities))
    if utilities[role] < best:
        return 0.0
    if len(set(teams)) == 1:
        return 1.0 / len(teams)
    return 1.0 / len({team for team, utility in zip(teams, utilities, strict=True) if utility == best})


def _standing(results: Sequence[GameResult], player: int, teams: Sequence[int]) -> Standing:
    scored = [points(result.utilities, result.seats.index(player), teams) for result in results]
    payoffs = [result.utilities[result.seats.index(player)] for result in results]
    wins = sum(1 for score in scored if score == 1.0)
    draws = sum(1 for score in scored if 0.0 < score < 1.0)
    return Standing(
        wins=wins,
        draws=draws,
        win_rate=sum(scored) / len(scored),
        ci95=win_rate(wins, draws, len(scored) - wins - draws).half_width,
        mean_payoff=sum(payoffs) / len(payoffs),
        errors=sum(result.errors[player] for result in results),
    )


def play_games(
    game: Game,
    players: Sequence[PlayerSpec],
    numbers: Sequence[int],
    seed: int,
    swap: bool,
    time_control: TimeControl,
) -> Iterator[GameResult]:
    """Play some of the games of a match, one after the other, as `play_game` says."""
    agents = [player.make_agent() for player in players]
    for number in numbers:
        yield play_game(game, agents, number, seed, swap, time_control)
