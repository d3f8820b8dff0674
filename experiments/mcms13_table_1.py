"""How well searches estimate Pig's values: table 1 of Lanctot et al. 2013 (MCMS13), against exact values.

Each of the eight algorithms meets each other one, and the states in which a player has a choice are collected. In a
sample of these, each algorithm searches repeatedly from scratch. Its estimate is compared with the exact value from
value iteration: mean squared error, variance, bias (the error of the mean estimate), and the regret of the chosen
action. Values are in [-100, 100], as in the paper. The clock counts processor time. The paper's evaluation
function is not known; that of the library's rules is used, with the paper's widths and constants.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

import ggp
from experiments.experiment import Experiment
from experiments.options import Option, seconds
from experiments.records import recorded_parts
from experiments.tables import markdown_table
from ggp.arithmetic.rng import draw, seed_word
from ggp.competition.statistics import mean_interval
from ggp.game.game import Game, State
from ggp.solvers.worlds.backward_induction import StateValues, optimal_values
from ggp.solvers.worlds.exploration import Limits, explore_game
from players.agents.registry import read_player
from players.agents.time_control import Pacing
from players.search.star.star_search import StarSearch
from players.search.uct.graph_search import GraphSearch

if TYPE_CHECKING:
    from players.search.foundation.searches import Search

PAPER_SCALE = 100.0
"""The paper's utilities are in [-100, 100]; those of the rules in [-1, 1]."""
GOAL, MOVE_S, STATES, RUNS = 100, 0.2, 2470, 50
PRECISION = 1e-6
"""Of the exact values, as a share of their range: far below what is measured, and half the work of the default."""
PLAY_MOVE_S = 0.005
"""For a move of the games that collect the states."""

ALGORITHMS = {
    "MCTS": "mcts:c=0.25,leaf=estimate,memory=64",
    "DPW": "dpw:c=0.25,leaf=estimate,widen_c=5,widen_alpha=0.2,memory=64",
    "exp": "expectimax:table=16",
    "Star1": "star1:table=16",
    "Star2": "star2:table=16",
    "expss": "expss:samples=20,table=16",
    "star1ss": "star1ss:samples=25,table=16",
    "star2ss": "star2ss:samples=18,table=16",
}
"""The paper's C of 50 is for utilities over a range of 200, ours for a range of 1."""
PUBLISHED = {
    "MCTS": (78.7, 0.71, 8.83, 0.41),
    "DPW": (79.4, 5.3, 8.61, 0.96),
    "exp": (91.4, 0.037, 9.56, 0.56),
    "Star1": (91.0, 0.064, 9.54, 0.55),
    "Star2": (87.9, 0.008, 9.38, 0.58),
    "expss": (95.3, 13.0, 9.07, 0.52),
    "star1ss": (99.8, 11.0, 9.43, 0.55),
    "star2ss": (97.5, 14.8, 9.09, 0.56),
}
PROPERTIES = ("MSE", "variance", "bias", "regret")
Rows = list[list[float]]
"""Of each state: mean squared error, variance, bias, regret."""


@lru_cache(1)
def loaded(goal: int) -> tuple[Game, StateValues]:
    """Return the game of the paper, with two dice, and the exact values of its states."""
    game = ggp.load("pig", goal=goal)
    return game, optimal_values(explore_game(game.native(), Limits()), precision=PRECISION)


def new_search(game: Game, name: str) -> Search:
    """Return a search of one of the algorithms, ready for a clock."""
    spec = read_player(ALGORITHMS[name])
    search = spec.kind.family.make_search(game.native(), spec.settings)
    search.prepare(np.array(game.initial().words, np.int64))
    return search


def think(search: Search, words: Sequence[int], move_s: float, seed: int) -> None:
    """Search from a state for `move_s` seconds of processor time, from scratch."""
    search.seed(seed)
    search.set_root(np.array(words, np.int64))
    clock = time.process_time
    Pacing().run_until(clock() + move_s, search.run_units, clock, lambda: search.settled)


def seen_states(goal: int, most: int, play_s: float, seed: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield, once, the states with a choice that occur when all algorithms meet, or a sample, in no particular order.

    A game of each algorithm against each other one, in both roles.
    """
    game, _ = loaded(goal)
    searches = {name: new_search(game, name) for name in ALGORITHMS}
    found: dict[tuple[int, ...], None] = {}
    for number, pair in enumerate(permutations(ALGORITHMS, 2)):
        rng = [seed_word(seed, 1, number)]
        state = game.initial()
        while not state.is_terminal():
            if state.is_chance():
                state = state.apply_outcome(state.sample_outcome(rng))
                continue
            (role,) = state.actors()
            legal = state.legal(role)
            place = 0
            if len(legal) > 1:
                found[tuple(state.words)] = None
                search = searches[pair[role]]
                think(search, state.words, play_s, seed_word(seed, 2, number, len(found)))
                place = draw(rng, search.strategy(role)[1].tolist())
            state = state.apply({role: int(legal[place])})
    states = sorted(found)
    order = np.random.default_rng(seed).permutation(len(states))
    yield [states[place] for place in order[:most]]


def estimate(search: Search, state: State) -> tuple[float, int]:
    """Return a search's value of the state for the player to move, in [-100, 100], and the index of its action."""
    (role,) = state.actors()
    _, strategy = search.strategy(role)
    if isinstance(search, StarSearch):
        to_first = search.value()
        value = to_first if role == 0 else 1.0 - to_first
    else:
        assert isinstance(search, GraphSearch)
        _, _, means = search.action_values(role)
        value = float(means[int(strategy.argmax())])
    return PAPER_SCALE * (2.0 * value - 1.0), int(strategy.argmax())


def measured(
    name: str, states: Sequence[tuple[int, ...]], goal: int, runs: int, move_s: float, seed: int
) -> Iterator[Rows]:
    """Yield, once, what an algorithm says of each state."""
    game, values = loaded(goal)
    search, graph = new_search(game, name), values.game.graph
    rows: Rows = []
    for number, words in enumerate(states):
        state = game.state(words)
        (role,) = state.actors()
        sign = PAPER_SCALE if role == 0 else -PAPER_SCALE
        at = values.game.find(words)
        exact = sign * values.value[at]
        following = sign * values.value[graph.target[graph.first[at] : graph.first[at + 1]]]
        said, lost = [], []
        for run in range(runs):
            think(search, words, move_s, seed_word(seed, 3, number, run))
            value, action = estimate(search, state)
            said.append(value)
            lost.append(exact - following[action])
        errors = np.array(said) - exact
        rows.append([float(np.mean(errors**2)), float(np.var(said)), float(abs(errors.mean())), float(np.mean(lost))])
    yield rows


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Collect states, and let each algorithm value them."""
    options.plan["runs"] = options.runs
    collect = {"states": (options.goal, options.states, min(options.move_seconds, PLAY_MOVE_S), options.seed)}
    at_once = argparse.Namespace(**{**vars(options), "jobs": 1})  # the workers share the exact values found here
    states = recorded_parts(at_once, collect, seen_states, list[tuple[int, ...]], "states")
    limits = options.goal, options.runs, options.move_seconds, options.seed
    wanted = {name: (name, states.get("states", []), *limits) for name in ALGORITHMS}
    found = recorded_parts(options, wanted, measured, Rows, "algorithms")
    table = []
    for name, rows in found.items():
        cells = [
            f"{mean_interval(row[place] for row in rows)} / {PUBLISHED[name][place]:g}"
            for place in range(len(PROPERTIES))
        ]
        table.append([name, f"`{ALGORITHMS[name]}`", *cells])
    about = (
        f"A goal of {options.goal}; {len(states.get('states', []))} states, {options.runs} runs of"
        f" {options.move_seconds:g} s in each (the paper: {GOAL}; {STATES}, {RUNS}, {MOVE_S:g} s). Each cell: ours,"
        " with the 95 % interval of the mean over the states, then the paper's."
    )
    facts = {
        name: {property_: float(np.mean([row[place] for row in rows])) for place, property_ in enumerate(PROPERTIES)}
        for name, rows in found.items()
    }
    return [about, markdown_table(("algorithm", "player", *PROPERTIES), table)], facts


EXPERIMENT = Experiment(
    "mcms13_table_1",
    "Table 1 of MCMS13",
    __doc__,
    measure,
    (
        Option("--goal", "points that win", GOAL, 10),
        Option("--states", "at most", STATES, 3),
        seconds("--move-seconds", "for a search", MOVE_S, 0.02),
    ),
    runs=(RUNS, 2),
    without=("plot",),
)

if __name__ == "__main__":
    EXPERIMENT.run()
