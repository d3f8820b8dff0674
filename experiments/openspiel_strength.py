"""`auto` against OpenSpiel's MCTS bot, in each game that both have: `python -m experiments.openspiel_strength`.

Both have the same clock, of processor time: the bot searches as many simulations as it has lately made in that time. It
proves what it can where nothing is drawn, plays random playouts at the leaves, and sees simultaneous choices one after
the other, as OpenSpiel converts them. Seats are swapped, each pair of games with the same chance.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import ggp
from experiments.duels import Duel, Ours, Side, duel
from experiments.experiment import Experiment
from experiments.openspiel_peers import PEERS
from experiments.options import Option, seconds, some
from experiments.records import recorded_parts
from experiments.tables import markdown_table, percent
from ggp.competition.statistics import Interval, mean_interval
from ggp.game.state import State
from players.agents.auto import AutoAgent
from players.agents.solved_agent import Solution

GOAL = 0.65

READING = """\
The rows were played with different numbers of games: 30 or 25 s of processor time where nearly all are won, up to 240
games where the result is near 65 %, and 200 where the game is solved. `auto` wins 65 % or more in all games but four.
In these four, optimal play that does not know how this bot errs does not win 65 % either: by exact values it wins 50 %
of tic-tac-toe and 57.9 % of Pig, by long searches 55 % of EinStein; in goofspiel long searches say 53 %, and ten times
the bot's time wins 63 %.

- **Tic-tac-toe** is a draw, and the bot never loses it. What optimal play would win is computed from the exact values:
  half a game, as seats are swapped, and what the bot's actions lose.
- **Pig** is solved as well (2,037,024 states, in ten seconds). In 52 other games the bot's actions lost 6.8 ± 1.8 % of
  a game, so optimal play wins 57 % against it; luck decides the rest. A best response to this very bot would win more,
  but hardly 65 %: to a player who always holds at 20 points it wins 55.5 % (58.8 as the first player, 52.3 as the
  second), where optimal play cannot win more either.
- **EinStein**: optimal play would hardly win more than `auto` does. In 80 other games long searches valued each action
  open to the bot, with 100,000 iterations on playouts and as many on the estimate. By these values its 581 actions
  lost 5.0 ± 1.7 % of a game, so optimal play wins 55.0 % against it; errors of the values exaggerate its losses. Luck
  decides the rest. In earlier runs `star2` won 58.3 % (52 to 64) and `mcts:leaf=estimate` 56.7 % (50 to 63) of 240
  games. To win 65 % a player would have to know how this bot errs.
- **Goofspiel**: 63.1 % (57 to 69) of 240 games in an earlier run, and 59.0 % (53 to 65) and 56.9 % (51 to 63) in two
  runs beside much other work, which slows searches in large trees. There `auto` solves the last four or five cards
  exactly; in another run, with the same chance, it won 55.6 % (48 to 63) of 160 games with that and 57.8 % (50 to 65)
  of 160 without. With ten times as much time as the bot it won 62.9 % (51 to 74) of 66 games.
  What play close to an equilibrium can win is what the bot gives away. In 40 other games regret matching, with 200,000
  iterations and a quarter of them exploring, valued the joint actions of each of the bot's decisions: against the
  strategy that is optimal by these values, the bot's actions lost so much that it wins 52.9 ± 1.6 %. The
  values come from play that explores, which makes differences smaller, so this is somewhat too low.
  No other player or setting that was tried reaches 65 %. With the same chance, in 160 games each: `drm` won 62.8 %
  (55 to 70), `auto`'s choice 60.0 % (52 to 67), with gamma=0.1 56.6 %, with least=0.3 54.4 %, `oos+` 55.9 %, `exp3`
  53.1 %, `duct` 51.2 %. A player of its most probable action loses to the bot (41.9 %, 31 to 53), which answers what it
  expects.
- **Kalah**: the test in the start clock chooses `star1`, or sometimes `mcts`, which won 73.5 % (67 to 79) of 194
  games.
- **Oshi-Zumo** is solved (19,089 states, a quarter of a second). A search won 82.5 % (74 to 89) before.

The rows of EinStein, goofspiel and Oshi-Zumo were played beside much other work.

In nim and dots and boxes `auto` loses only what it cannot win from its side, and the bot plays them nearly perfectly,
too: 65.5 % and 75 % are what optimal play wins on average. Before the clock was fair (the bot thought too long in the
first moves of a game) `auto` won 95 % in breakthrough, 71 % in checkers and 75 % in kalah.
"""
"""What the table has shown so far; to be read again after every run."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of one game.

    Attributes:
        duel: of `auto` and the bot.
        choice: what `auto` played.
        optimal: where the game is solved, the share that optimal play wins on average: a half, as seats are swapped,
            and what the bot's actions lose by the exact values. Its interval is narrower than that of the duel.
    """

    duel: Duel
    choice: str
    optimal: Interval | None = None


class Judged(Side):
    """Another side, whose actions are judged by exact values.

    Attributes:
        lost: by its actions, in each game.
    """

    def __init__(self, side: Side, solution: Solution) -> None:
        self._side, self._solution = side, solution
        self.lost: list[float] = []

    def begin(self, role: int, seed: int) -> None:
        """Begin a game."""
        self.lost.append(0.0)
        self._side.begin(role, seed)

    def choose(self, state: State, role: int, seconds: float) -> str:
        """Judge the other side's choice."""
        text = self._side.choose(state, role, seconds)
        place = [str(action) for action in state.legal(role)].index(text)
        self.lost[-1] += float(self._solution.losses(state.words, role)[place])
        return text

    def follow(self, before: State, taken: Mapping[int, str], after: State) -> None:
        """Pass on a transition."""
        self._side.follow(before, taken, after)


def play(name: str, games: int, move_s: float, game_s: float, seed: int) -> Iterator[Result]:
    """Let `auto` and the bot meet in a game, and yield the result once."""
    peer = PEERS[name]()
    game, agent = ggp.load(name, **peer.parameters), AutoAgent()
    agent.clock = time.process_time
    agent.start(game, 0, seed)
    choice = agent.choice
    solution = choice.solution if choice is not None and isinstance(choice.solution, Solution) else None
    bot = peer if solution is None else Judged(peer, solution)
    found = duel(game, (Ours(game, agent), bot), games, move_s, seed, game_s)
    optimal = mean_interval((1 + lost) / 2 for lost in bot.lost) if isinstance(bot, Judged) else None
    yield Result(found, (choice.player if choice is not None else "") or "the solution", optimal)


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Play what is missing."""
    limits = options.games, options.move_seconds, options.game_seconds, options.seed
    wanted = {name: (name, *limits) for name in options.only or PEERS}
    found = recorded_parts(options, wanted, play, Result, "games")
    rows = [
        [
            name,
            f"`{one.choice}`",
            percent(one.duel.rate),
            one.duel.counts,
            percent(one.optimal),
            "yes" if one.duel.rate.estimate >= GOAL else "no",
        ]
        for name, one in found.items()
    ]
    headings = (
        *("game", "`auto` plays", "it wins, % (95 %)", "won / drawn / played"),
        *("optimal play would win", f"{100 * GOAL:.0f} % reached"),
    )
    clock = f"{options.move_seconds:g} s of processor time a move. A draw counts half."
    return [clock, markdown_table(headings, rows)], found


EXPERIMENT = Experiment(
    "openspiel_strength",
    "`auto` against OpenSpiel's MCTS bot",
    __doc__,
    measure,
    READING,
    (
        Option("--games", "in each game, an even number", 40, 2),
        seconds("--move-seconds", "for a move", 0.2, 0.01),
        seconds("--game-seconds", "for a game, at most", 3600.0),
        some("--only", PEERS, ("tic_tac_toe",), "GAME"),
    ),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
