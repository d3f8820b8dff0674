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
