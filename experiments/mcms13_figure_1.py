"""Playing strength in Pig, EinStein, Can't Stop and Ra: figure 1 of Lanctot et al. 2013 (MCMS13).

Each bar of the figure is a pair: how often the first wins against the second. Two games make a match, with the same
dice and seats swapped; intervals are of matches. The paper has 200 ms a move, 5,000 matches in Pig and EinStein, 2,000
in Can't Stop and Ra. The clock here counts processor time. Widths and constants are the paper's; its evaluation
functions are not known, so those of the library's rules are used. In Pig, whose values are known, the luck of the dice
is subtracted: each outcome's value less the expected one. That leaves the mean unchanged, and only the players' errors
(Zinkevich, Bowling, Bard, Kan, Billings 2006, "Optimal unbiased estimators for evaluating agent performance").
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import ggp
from experiments.duels import agent_of
from experiments.experiment import Experiment
from experiments.mcms13_table_1 import GOAL
from experiments.mcms13_table_1 import loaded as solved_pig
from experiments.options import Option, seconds, some
from experiments.records import continued_parts
from experiments.tables import around, markdown_table
from ggp.competition.statistics import Interval, mean_interval, win_rate
from ggp.game.game import State
from ggp.solvers.worlds.backward_induction import StateValues
from players.evaluation.matches import TimeControl, play_game, points

UTILITY_RANGE = 2.0
MIN_MATCHES = 20
"""Before the width of an interval may end a pair."""

PAIRS = (
    ("expss", "exp"),
    ("star1ss", "star1"),
    ("star2ss", "star2"),
    ("star1", "exp"),
    ("star2", "star1"),
    ("star1ss", "expss"),
    ("star2ss", "star1ss"),
    ("star1", "MCTS"),
    ("star1ss", "MCTS"),
    ("star2ss", "MCTS"),
)
CLASSIC = {"exp": "expectimax", "star1": "star1", "star2": "star2"}


@dataclass(frozen=True, slots=True)
class Panel:
    """A game of the figure.

    Attributes:
        title: as in the figure.
        game: of the library.
        widths: outcomes sampled by expss, star1ss and star2ss (MCMS13 4.2).
        mcts: the better of `mcts` and `dpw`, with the paper's constants; its C is for utilities over a range of 200.
        published: what the text says about pairs, in % of wins.
        solved: whether luck is subtracted, by exact values.
    """

    title: str
    game: str
    widths: tuple[int, int, int]
    mcts: str
    published: dict[str, str]
    solved: bool = False

    def player(self, name: str) -> str:
        """Return a player of the figure as the registry writes it."""
        if name == "MCTS":
            return self.mcts
        if name in CLASSIC:
            return CLASSIC[name]
        return f"{name}:samples={self.widths[('expss', 'star1ss', 'star2ss').index(name)]}"


ABOVE = dict.fromkeys(("expss - exp", "star1ss - star1", "star2ss - star2"), "above 50")
PANELS = (
    Panel("Pig", "pig", (20, 25, 18), "mcts:c=0.25,leaf=estimate", ABOVE, solved=True),
    Panel("EinStein", "einstein", (1, 1, 2), "mcts:c=1,leaf=estimate,moves=100", ABOVE),
    Panel(
        "Can't Stop",
        "cant_stop",
        (25, 30, 15),
        "dpw:c=0.25,leaf=estimate,moves=10,widen_c=25,widen_alpha=0.3",
        {**ABOVE, "star2ss - star2": "85.0"},
    ),
    Panel(
        "Ra",
        "ra",
        (5, 5, 2),
        "dpw:c=0.25,leaf=estimate,widen_c=2,widen_alpha=0.1",
        dict.fromkeys(ABOVE, "roughly 60"),
    ),
)
QUICK_ONLY = [panel.title for panel in PANELS if not panel.solved]  # solving takes long
PAIR_NAMES = {f"{left}-{right}": (left, right) for left, right in PAIRS}


@dataclass(frozen=True, slots=True)
class Match:
    """Two games of a pair with the same chance, seats swapped.

    Attributes:
        won: share of the games won by the left player, a draw half.
        luck: of the left player, in units of utility; 0 where values are not known.
        errors: late or illegal moves of both.
        cpu_s: seconds of processor time.
    """

    won: float
    luck: float
    errors: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Bar:
    """The result of one pair.

    Attributes:
        panel: title of the game.
        pair: `left - right`.
        move_s: seconds of processor time for a move.
        matches: of two games each.
        rate: share of games won by the left one, a draw half.
        adjusted: the same without luck; None where values are not known.
        errors: late or illegal moves of both.
    """

    panel: str
    pair: str
    move_s: float
    matches: int
    rate: Interval
    adjusted: Interval | None
    errors: int

    @property
    def half_width(self) -> float:
        """Of the narrower interval."""
        return min(one.half_width for one in (self.rate, self.adjusted) if one is not None)


def luck_of(history: Sequence[State], values: StateValues) -> float:
    """Return the first player's luck in all chance events of a game, in units of utility."""
    worth = [
        state.utilities()[0] if state.is_terminal() else float(values.value[values.game.find(state.words)])
        for state in history
    ]
    events = (place for place, state in enumerate(history) if not state.is_terminal() and state.is_chance())
    return math.fsum(worth[place + 1] - worth[place] for place in events)


def share_won(won: Sequence[float]) -> Interval:
    """Return the mean share of matches; if all are equal, with the interval of as many games."""
    found = mean_interval(won)
    return found if len(set(won)) > 1 else win_rate(round(sum(won)), 0, round(len(won) - sum(won)))


def bar_of(panel: Panel, left: str, right: str, move_s: float, played: Sequence[Match]) -> Bar:
    """Return the result of a pair from its matches, at least one."""
    won = [match.won for match in played]
    adjusted = None
    if panel.solved and len(played) > 1:
        adjusted = mean_interval(match.won - match.luck / UTILITY_RANGE for match in played)
    errors = sum(match.errors for match in played)
    return Bar(panel.title, f"{left} - {right}", move_s, len(won), share_won(won), adjusted, errors)


def play(
    panel: Panel,
    left: str,
    right: str,
    move_s: float,
    matches: int,
    pair_s: float,
    width: float,
    seed: int,
    played: list[Match],
) -> Iterator[Match]:
    """Play the matches of a pair, and yield each.

    Args:
        panel: the game.
        left: a player of the figure.
        right: the other.
        move_s: seconds of processor time for a move.
        matches: at most.
        pair_s: no more matches after so many seconds of processor time.
        width: none after half of the 95 % interval is as narrow as this, either, but at least MIN_MATCHES.
        seed: of all chance.
        played: the matches recorded so far.
    """
    game, exact = solved_pig(GOAL) if panel.solved else (ggp.load(panel.game), None)
    agents = [agent_of(panel.player(name)) for name in (left, right)]
    control, clock = TimeControl(play_clock_s=move_s), time.process_time
    while len(played) < matches and sum(match.cpu_s for match in played) < pair_s:
        if len(played) >= MIN_MATCHES and bar_of(panel, left, right, move_s, played).half_width <= width:
            break
        began, won, luck, errors = clock(), 0.0, 0.0, 0
        for number in (2 * len(played), 2 * len(played) + 1):
            history: list[State] = []
            result = play_game(game, agents, number, seed, True, control, clock, history.append)
            won += points(result.utilities, result.seats.index(0)) / 2
            if exact is not None:
                luck += luck_of(history, exact) * (1 if result.seats[0] == 0 else -1) / 2
            errors += sum(result.errors)
        played.append(Match(won, luck, errors, clock() - began))
        yield played[-1]


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    asked = {
        f"{panel.title}: {left} - {right}, {1000 * move_s:g} ms": (panel, left, right, move_s)
        for left, right in (PAIR_NAMES[name] for name in options.pairs or PAIR_NAMES)
        for panel in PANELS
        if panel.title in (options.only or [one.title for one in PANELS])
        for move_s in options.move_seconds
    }
    limits = options.matches, options.pair_seconds, options.half_width / 100, options.seed
    found = continued_parts(options, {name: (*one, *limits) for name, one in asked.items()}, play, Match, "matches")
    bars = [(asked[name][0], bar_of(*asked[name], matches)) for name, matches in found.items() if matches]
    rows = []
    for panel, bar in sorted(bars, key=lambda one: PANELS.index(one[0])):
        left, right = (panel.player(name) for name in bar.pair.split(" - "))
        clock, told = f"{1000 * bar.move_s:g}", panel.published.get(bar.pair, "")
        adjusted = around(bar.adjusted, 1, 100) if bar.adjusted else ""
        results = (clock, around(bar.rate, 1, 100), adjusted, str(bar.matches), told)
        rows.append([panel.title, bar.pair, *results, f"`{left}`", f"`{right}`"])
    headings = ("game", "pair", "ms a move", "wins, %", "without luck", "matches", "the paper's text", "left", "right")
    late = f"Late or illegal moves: {sum(bar.errors for _, bar in bars)}."
    share = "Share of games won by the left player, with its 95 % interval."
    return [share, markdown_table(headings, rows), late], [bar for _, bar in bars]


EXPERIMENT = Experiment(
    "mcms13_figure_1",
    "Figure 1 of MCMS13",
    __doc__,
    measure,
    (
        Option("--matches", "of a pair", 400, 1, planned=False),
        Option(
            "--move-seconds",
            "for a move; several: one after the other",
            (0.2,),
            (0.002,),
            float,
            "S",
            "+",
            planned=False,
        ),
        seconds("--pair-seconds", "for a pair, at most", 3600.0, planned=False),
        Option("--half-width", "of a pair's interval, in percent", 0.0, 0.0, float, planned=False),
        some("--only", (panel.title for panel in PANELS), QUICK_ONLY, "GAME"),
        some("--pairs", PAIR_NAMES, list(PAIR_NAMES)[:1], "PAIR"),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
