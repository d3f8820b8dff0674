"""Training an evaluation: batches of games of self-play, and checks against where it began."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ggp.arithmetic.rng import seed_word
from ggp.competition.statistics import Interval, win_rate
from ggp.game.game import Game
from players.learning.building import plan_of
from players.learning.evaluation import Evaluation
from players.learning.files import Learned, read_learned
from players.learning.game_memory import GAMES, POSITIONS, Table, new_table
from players.learning.searched_play import search_and_learn
from players.learning.self_play import play_against, play_and_learn
from players.learning.temporal_differences import Rates

STEP, DECAY, STRAYS, OPENING = 0.3, 0.7, 0.1, 6
"""Of self-play; see `Rates`."""
SEARCHED_DECAY, SEARCHED_STRAYS, SEARCHED_OPENING = 0.9, 0.05, 10
"""Of self-play by a search."""
HIDDEN_STEP, STEP_BESIDE = 0.3, 0.03
"""Where there are hidden units: of these, and of the tuples beside them."""
SLOWING_POSITIONS = 300_000
"""After which the step of hidden units has become smaller by the square root of 2; it goes on like this."""
SETTLING, SETTLING_STEP = 0.25, 0.1
"""The share of a run, its last, in which hidden units settle, and what is learned from a search, and the share of their
steps that is left then."""
AHEAD = 0.25
"""The share of a run with a search, its first, that is played one action ahead where the rules have no estimate: by
weights of 0 a search sees nothing, and games end by their limits."""
BATCH_POSITIONS, MAX_BATCH = 4000, 200
"""Positions of a batch of games, about, and games at most."""
CHECK_GAMES = 200
CHECK_STRAYS, CHECK_OPENING = 0.02, 4
CHECKS = 8
"""Of a run, evenly spread over its time."""
SEED, CHECK_SEED = 41, 42


@dataclass(frozen=True, slots=True)
class Check:
    """How an evaluation did against the one with which its run began, both one action ahead.

    Attributes:
        minutes: of training until then, in all runs.
        win_rate: share of games won, a draw half.
        ci95: its interval, from 0 to 1.
    """

    minutes: float
    win_rate: float
    ci95: tuple[float, float]


@dataclass(slots=True)
class Training:
    """An evaluation in training.

    Attributes:
        game: made from a rules file.
        evaluation: whose weights change.
        table: of self-play.
        rates: how it learns.
        seed: of all chance.
        games: in all runs.
        positions: in all games.
        minutes: of processor time, in all runs.
        checks: in all runs.
        began: the weights with which this run began.
    """

    game: Game
    evaluation: Evaluation
    table: Table
    rates: Rates
    seed: int
    games: int = 0
    positions: int = 0
    minutes: float = 0.0
    checks: list[Check] = field(default_factory=list)
    began: Evaluation = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.evaluation._replace(weights=self.evaluation.weights.copy())

    @property
    def blind(self) -> bool:
        """Whether a search sees nothing before something has been learned."""
        return not self.game.native().functions.estimate

    def learned(self) -> Learned:
        """Return what a file says."""
        ahead = "one action ahead"
        if self.rates.search:
            ahead = f"{ahead}, then " * self.blind + f"star1 of {self.rates.search:,} states"
        about = {
            "games": self.games,
            "positions": self.positions,
            "minutes": self.minutes,
            "seed": self.seed,
            "method": f"TD(lambda) by self-play, {ahead}, temporal coherence",
            "rates": self.rates._asdict(),
            "checks": [asdict(check) for check in self.checks],
        }
        return Learned(self.evaluation, about, self.table.errors, self.table.sizes)

    def play_batch(self, share: float = 1.0, ahead: bool = False) -> None:
        """Play some games, and learn from them; how many depends only on the games before.

        Args:
            share: of their steps, for hidden units and for what is learned from a search.
            ahead: whether they are played one action ahead, whatever `rates` say of a search.
        """
        length = max(self.positions / self.games, 1.0) if self.games else BATCH_POSITIONS
        count = max(1, min(MAX_BATCH, int(BATCH_POSITIONS / length)))
        native, table = self.game.native(), self.table
        table.rng[0] = seed_word(self.seed, SEED, self.games)
        table.counters[:] = 0
        began = time.process_time()
        hidden = self.rates.hidden / math.sqrt(1.0 + self.positions / SLOWING_POSITIONS)
        rates = self.rates._replace(hidden=share * hidden)
        if ahead:
            rates = rates._replace(decay=DECAY, strays=STRAYS, opening=OPENING, search=0)
        try:
            if rates.search:
                rates = rates._replace(step=share * rates.step)
                search_and_learn(self.game, self.evaluation, table, rates, count)
            else:
                play_and_learn(native.functions, native.shape, self.evaluation, table, rates, count)
        finally:  # an interrupt keeps what games of the batch have taught, so they count
            self.minutes += (time.process_time() - began) / 60
            self.games += int(table.counters[GAMES])
            self.positions += int(table.counters[POSITIONS])

    def check(self) -> Check:
        """Play against where the run began, and note the result."""
        found = contest(self.game, self.evaluation, self.began, CHECK_GAMES, seed_word(self.seed, CHECK_SEED))
        rounded = (round(found.low, 4), round(found.high, 4))
        check = Check(round(self.minutes, 4), round(found.estimate, 4), rounded)
        self.checks.append(check)
        return check

    def run(self, minutes: float, games: int | None, watch: Callable[[Training], None]) -> Iterator[Check]:
        """Train for a time, and yield the checks.

        Args:
            minutes: of processor time.
            games: to end after, if that is sooner; the same number from the same seed gives the same weights.
            watch: is called after each batch.
        """
        first_minutes, first_games, done = self.minutes, self.games, 0
        blind = not first_games and self.blind
        while True:
            share = (self.minutes - first_minutes) / minutes
            if games is not None:
                share = max(share, (self.games - first_games) / games)
            while done < CHECKS and share >= (done + 1) / CHECKS:
                done += 1
                if share < (done + 1) / CHECKS or done == CHECKS:
                    yield self.check()
            if share >= 1:
                return
            self.play_batch(SETTLING_STEP if share >= 1 - SETTLING else 1.0, blind and share < AHEAD)
            watch(self)


def new_training(game: Game, seed: int, hidden: int = 0, search: int = 0) -> Training:
    """Return training that begins with weights of 0, but for those of hidden units.

    Args:
        game: made from a rules file.
        seed: of all chance.
        hidden: how many hidden units.
        search: how many states `star1`, which must accept the game, visits for a decision; 0: one action ahead.

    Raises:
        NoRules: the game was not made from a rules file.
    """
    evaluation = plan_of(game, seed_word(seed, 1), hidden).evaluation
    rates = Rates(STEP_BESIDE if hidden else STEP, DECAY, STRAYS, OPENING, HIDDEN_STEP)
    if search:
        rates = rates._replace(decay=SEARCHED_DECAY, strays=SEARCHED_STRAYS, opening=SEARCHED_OPENING, search=search)
    return Training(game, evaluation, new_table(game.native(), evaluation, 1), rates, seed)


def continued(game: Game, path: Path) -> Training:
    """Return the training of a file, to go on.

    Raises:
        ArchiveUnusable: the file cannot be read, or is of another game.
    """
    learned = read_learned(path, game)
    about, table = learned.about, new_table(game.native(), learned.evaluation, 1)
    if learned.errors is not None and learned.sizes is not None and learned.errors.size == table.errors.size:
        table.errors[:] = learned.errors
        table.sizes[:] = learned.sizes
    checks = [Check(one["minutes"], one["win_rate"], tuple(one["ci95"])) for one in about["checks"]]
    rates, counted = Rates(**about["rates"]), (about["games"], about["positions"], about["minutes"])
    return Training(game, learned.evaluation, table, rates, about["seed"], *counted, checks)


def contest(game: Game, one: Evaluation, other: Evaluation, games: int, seed: int) -> Interval:
    """Return the share of games that an evaluation wins against another, a draw half, with its 95 % interval.

    Both look one action ahead. Each pair of games has the same chance, with seats exchanged; where there are more than
    two players, one evaluation has one seat and the other the rest; a game for one is played by both alone.
    """
    native, table = game.native(), new_table(game.native(), one, 1)
    players = native.shape.players
    wins = draws = 0

    def utilities(seats: int, number: int) -> list[float]:
        table.rng[0] = seed_word(seed, number)
        play_against(native.functions, native.shape, one, other, table, seats, CHECK_STRAYS, CHECK_OPENING)
        return [float(utility) for utility in table.utility]

    for number in range(games):
        if players == 1:
            mine, theirs = utilities(1, number)[0], utilities(0, number)[0]
        else:
            seat = number % players
            ends = utilities(1 << seat, number // players)
            mine, theirs = ends[seat], (sum(ends) - ends[seat]) / (players - 1)
        wins += mine > theirs
        draws += mine == theirs
    return win_rate(wins, draws, games - wins - draws)
