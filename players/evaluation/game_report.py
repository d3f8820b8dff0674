"""What a game is like to play: its length and choices, who wins, how much chance and skill count, what is never used.

Random games are played by the thousand; a few between `auto` and itself, with half the time, and against `random`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.check_play.examination import examine
from ggp.codegen.kernels import F64
from ggp.competition.results import ENDLESS
from ggp.encoding.readable import Readable
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.game.state import State
from ggp.language import typed
from ggp.native.interface import CHANCE, ENDED, GOES_ON
from ggp.rules_compiler.rules_backend import game_of_rules
from ggp.static_analysis.payoffs import is_shared
from players.agents.agent import Agent, Budget
from players.agents.registry import read_player
from players.agents.solved_agent import Solution as StateSolution
from players.evaluation.matches import GameResult, TimeControl, play_game, points

RANDOM_GAMES = 2_000
"""Whose ends are counted."""
STATES_LOOKED_AT = 4
"""Of a step, for how often chance draws: listing its outcomes takes long where these are many."""
SHARES = {"random": 0.1, "unused": 0.1, "value": 0.15, "auto": 0.3, "double": 0.2, "against": 0.1, "lead": 0.05}
"""Of the time."""
GAMES_WANTED = 12
"""Between strong players: the clock is chosen so that about as many fit."""
MIN_CLOCK_S, MAX_CLOCK_S = 0.004, 0.2
MAX_LOG_HISTORIES, EXACT = 7.0, 1e-6
"""Natural logarithm of the number of histories, roughly, up to which a game is solved over information states; NashConv
of a solution that is called exact."""
BINS = 40
"""Of the plot of lengths, at most."""
PLAYOUTS, SURE = 64, 2.0
"""Random games that tell who leads in a position, and by how many standard errors."""


@dataclass(slots=True)
class GameReport:
    """What was found; None where it is not known.

    Attributes:
        games: random games that came to an end.
        auto_games: games of `auto` against itself.
        mean_length: transitions of these.
        branching: legal actions at a decision, on average.
        first_role: who decides first; empty where all do at once, or there is one player.
        first_random, first_auto: share of the games that this player, or its team, wins, a draw as its part of one.
        draws_random, draws_auto: share of the games that several players or teams win together.
        chance_share: share of the transitions in which chance draws, of several outcomes.
        decided_share: share of the transitions in which players act.
        lead_changes: how often the lead changes in a game between strong players.
        double_time: share of the games that `auto` wins against `auto` with half its time.
        auto_random: share of the games that `auto` wins against `random`.
        even: what a player wins of random games in all seats: one half of two players, or of two teams of equal size.
        unused: phases never reached and kinds of moves never chosen in random games.
        value: exact, of the game to each player.
        shared_random, shared_auto: the mean result of games in which all players have one payoff.
        lengths: `[games]` of the random games.
        leads: for each game between strong players, the mean of the first player's utility at its positions.
    """

    games: int = 0
    auto_games: int = 0
    mean_length: float = 0.0
    branching: float = 0.0
    first_role: str = ""
    first_random: float = 0.0
    first_auto: float | None = None
    draws_random: float = 0.0
    draws_auto: float | None = None
    chance_share: float = 0.0
    decided_share: float = 1.0
    lead_changes: float | None = None
    double_time: float | None = None
    auto_random: float | None = None
    even: float | None = None
    unused: list[str] = field(default_factory=list)
    value: list[float] | None = None
    shared_random: float | None = None
    shared_auto: float | None = None
    lengths: list[int] = field(default_factory=list)
    leads: list[list[float]] = field(default_factory=list)

    def facts(self) -> dict[str, Any]:
        """Return the report as `ggp report --json` gives it."""
        return {
            "games": self.games,
            "auto_games": self.auto_games,
            "mean_length": self.mean_length,
            "branching": self.branching,
            "first_player": {"role": self.first_role, "random": self.first_random, "auto": self.first_auto},
            "draws": {"random": self.draws_random, "auto": self.draws_auto},
            "chance_share": self.chance_share,
            "lead_changes": self.lead_changes,
            "skill": {"double_time": self.double_time, "auto_random": self.auto_random, "even": self.even},
            "unused": self.unused,
            "value": self.value,
            "shared": None if self.shared_random is None else {"random": self.shared_random, "auto": self.shared_auto},
            "lengths": self.lengths_counted(),
            "leads": self.leads,
        }

    def lengths_counted(self) -> list[tuple[int, int, int]]:
        """Return how many random games were how long: shortest and longest of each of up to `BINS` bins, and games."""
        if not self.lengths:
            return []
        low, high = min(self.lengths), max(self.lengths)
        width = 1 + (high - low) // BINS
        counts = Counter((length - low) // width for length in self.lengths)
        begins = range(low, high + 1, width)
        return [(begin, begin + width - 1, counts[number]) for number, begin in enumerate(begins)]


def report(
    checked: typed.Game, seconds: float, seed: int, tell: Callable[[float], object] = lambda _: None
) -> GameReport:
    """Return what a game is like.

    Args:
        checked: the game.
        seconds: for all of it, exceeded by little; compilation apart.
        seed: of all games.
        tell: is told the share of the work that is done.

    Raises:
        GgpError: the game is too large to be played here, or its rules fail.
    """
    game = game_of_rules(checked)
    found = GameReport()
    done = 0.0
    parts: dict[str, Callable[[float], object]] = {
        "random": lambda until: _play_randomly(game, found, seed, until, is_shared(checked)),
        "unused": lambda until: _look_for_unused(checked, game, found, seed, until),
        "value": lambda until: _solve(game, found, until),
        "auto": lambda until: _play_well(game, found, seed, until, seconds * SHARES["lead"]),
    }
    if not is_shared(checked):  # or nobody wins against anybody
        parts["double"] = lambda until: _try_half_the_time(game, found, seed, until)
        parts["against"] = lambda until: _try_random(game, found, seed, until)
    for name, part in parts.items():
        tell(done)
        part(time.monotonic() + seconds * SHARES[name])
        done += SHARES[name]
    tell(1.0)
    return found


def _is_draw(game: Game, utilities: Sequence[float]) -> bool:
    return any(0 < points(utilities, role, game.teams) < 1 for role in range(len(utilities)))


def _play_randomly(game: Game, found: GameReport, seed: int, until: float, shared: bool) -> None:
    """Play random games, all to their ends: those cut short would be the long ones."""
    batch = game.batch(RANDOM_GAMES, seed=seed)
    running = np.ones(RANDOM_GAMES, bool)
    lengths = np.zeros(RANDOM_GAMES, np.int64)
    undecided = transitions = 0
    drawn, random = 0.0, np.random.default_rng(seed)
    first = -1
    ends: list[list[float]] = []
    for _ in range(ENDLESS):
        acting = batch.acting[running]
        if first < 0 and acting.size and (decides := acting[acting > 0]).size:
            first = int(decides[0])
        if (places := np.flatnonzero(running & (batch.acting == CHANCE))).size:
            some = random.choice(places, min(len(places), STATES_LOOKED_AT), replace=False)
            undecided += len(places)
            drawn += len(places) * float(np.mean([batch.state(int(at)).forced_outcome() is None for at in some]))
        transitions += len(acting)
        lengths[running] += 1
        batch.step(batch.random_actions(), check=False)
        status = batch.status
        ends.extend(batch.utilities[running & (status == ENDED)].tolist())
        running &= status == GOES_ON
        if not running.any() or (time.monotonic() > until and len(ends) > RANDOM_GAMES * 0.9):
            break
    finished = ~running
    found.games = len(ends)
    found.lengths = lengths[finished].tolist()
    found.mean_length = float(lengths[finished].mean()) if finished.any() else 0.0
    found.chance_share = drawn / max(transitions, 1)
    found.decided_share = 1 - undecided / max(transitions, 1)
    alone = first > 0 and first & (first - 1) == 0 and len(game.players) > 1
    role = first.bit_length() - 1 if alone else 0
    found.first_role = game.players[role] if alone else ""
    if ends and shared:
        found.shared_random = float(np.mean([end[0] for end in ends]))
    elif ends:
        found.first_random = float(np.mean([points(end, role, game.teams) for end in ends]))
        if len(game.players) > 1:
            found.draws_random = float(np.mean([_is_draw(game, end) for end in ends]))
        found.even = float(
            np.mean([points(end, each, game.teams) for end in ends for each in range(len(game.players))])
        )


def _look_for_unused(checked: typed.Game, game: Game, found: GameReport, seed: int, until: float) -> None:
    shown = examine(
        checked, game.native(), seed, 2**31, ENDLESS,
        lambda: time.monotonic() < until, lambda: False, lambda: False,
    )  # fmt: skip
    found.unused = [f"phase `{name}`" for name in shown.unreached_phases]
    found.unused += [f"`{kind}` in `{phase}`" for phase, kind in shown.unchosen_kinds]
    decisions = [numbers for (_, player), numbers in shown.branching.items() if player is not None]
    count = sum(numbers.count for numbers in decisions)
    found.branching = sum(numbers.total for numbers in decisions) / max(count, 1)


def _solve(game: Game, found: GameReport, until: float) -> None:
    """Find the exact value of a small game; of one that is too large, or of another kind, none."""
    players = len(game.players)
    if players > 2 or (players == 2 and not game.constant_sum):
        return
    with suppress(GgpError):  # says that it is too large
        if game.perfect_information:
            solution = StateSolution(game, until - time.monotonic())
            value = float(solution.values.value[solution.values.game.find(game.initial().words)])
            found.value = [value] if players == 1 else [value, (game.utility_sum or 0.0) - value]
        elif found.mean_length * np.log(max(found.branching, 1.0)) < MAX_LOG_HISTORIES:
            from ggp.solvers.strategies import solve

            solved = solve(game)
            found.value = list(solved.value) if solved.nash_conv < EXACT else None


class _Hurried:
    """An agent with a share of the time that it is given."""

    def __init__(self, agent: Agent, share: float) -> None:
        self.agent, self.share = agent, share
        self.start = agent.start

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        self.agent.observe(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        now = budget.clock()
        return self.agent.choose(legal, Budget(budget.clock, now + self.share * (budget.deadline - now)))


def _games(
    game: Game, found: GameReport, agents: Sequence[Agent], seed: int, until: float,
    watch: Callable[[int, State], object] = lambda *_: None,
) -> list[GameResult]:  # fmt: skip
    """Play games with changed seats until the time is up, as often in each seat; none where a player cannot."""
    left = until - time.monotonic()
    decisions = max(found.mean_length * found.decided_share, 1.0)
    clock = min(MAX_CLOCK_S, max(MIN_CLOCK_S, left / (GAMES_WANTED * decisions)))
    results: list[GameResult] = []
    with suppress(GgpError):  # a player that cannot play this game says so: then this is not known
        while not results or len(results) % len(agents) or time.monotonic() < until:
            told = partial(watch, len(results))
            control = TimeControl(play_clock_s=clock)
            results.append(play_game(game, agents, len(results), seed, True, control, watch=told))
    return results


def _of_first(game: Game, results: Sequence[GameResult]) -> float | None:
    """Return the share of the games that player 0 wins, whatever its seat."""
    shares = [points(result.utilities, result.seats.index(0), game.teams) for result in results]
    return float(np.mean(shares)) if shares else None


def _play_well(game: Game, found: GameReport, seed: int, until: float, lead_s: float) -> None:
    """Play `auto` against itself, and look who leads on the way."""
    if len(game.players) < 2:
        return
    seen: dict[int, list[State]] = {}
    agents = [read_player("auto").make_agent() for _ in game.players]
    results = _games(game, found, agents, seed, until, lambda number, state: seen.setdefault(number, []).append(state))
    if not results:
        return
    role = game.players.index(found.first_role) if found.first_role else 0
    found.auto_games = len(results)
    if found.shared_random is not None:
        found.shared_auto = float(np.mean([result.utilities[0] for result in results]))
        return
    found.first_auto = float(np.mean([points(result.utilities, role, game.teams) for result in results]))
    found.draws_auto = float(np.mean([_is_draw(game, result.utilities) for result in results]))
    stop = time.monotonic() + lead_s
    changes: list[int] = []
    for number, states in seen.items():
        if changes and time.monotonic() > stop:
            break
        values = [_outlook(game, state, seed_word(seed, number, place)) for place, state in enumerate(states)]
        found.leads.append([float(mean[role]) for mean, _ in values])
        leaders = [int(np.argmax(mean)) for mean, error in values if np.ptp(mean) > SURE * error]
        changes.append(sum(one != other for one, other in pairwise(leaders)))
    found.lead_changes = float(np.mean(changes)) if changes else None


def _outlook(game: Game, state: State, seed: int) -> tuple[F64, float]:
    """Return the mean utilities `[P]` of random games from a state, and the largest standard error of a difference."""
    if state.is_terminal():
        return np.array(state.utilities()), 0.0
    batch = game.batch(PLAYOUTS, seed=seed)
    batch.set_states(np.tile(np.array(state.words, np.int64), (PLAYOUTS, 1)))
    ends = np.zeros((PLAYOUTS, len(game.players)))
    running = np.ones(PLAYOUTS, bool)
    for _ in range(ENDLESS):
        batch.step(batch.random_actions(), check=False)
        over = running & (batch.status != GOES_ON)
        ends[over] = batch.utilities[over]
        running &= ~over
        if not running.any():
            break
    return ends.mean(axis=0), float(2 * ends.std(axis=0).max() / np.sqrt(PLAYOUTS))


def _try_half_the_time(game: Game, found: GameReport, seed: int, until: float) -> None:
    if len(game.players) > 1:
        hurried = [_Hurried(read_player("auto").make_agent(), 0.5) for _ in game.players[1:]]
        found.double_time = _of_first(
            game, _games(game, found, [read_player("auto").make_agent(), *hurried], seed, until)
        )


def _try_random(game: Game, found: GameReport, seed: int, until: float) -> None:
    if len(game.players) > 1:
        others = [read_player("random").make_agent() for _ in game.players[1:]]
        found.auto_random = _of_first(
            game, _games(game, found, [read_player("auto").make_agent(), *others], seed, until)
        )
