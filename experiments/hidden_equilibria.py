"""Equilibria of the sources' games with hidden information, beside the published values.

The value is the middle of the bounds that the two strategies guarantee against best responses, and NashConv is the gap
between these bounds. Games up to some 400,000 sequences and payoff entries are solved by the linear program over
sequences, larger ones by predictive CFR+ for `--seconds`.

Phantom tic-tac-toe has 2.8e8 histories where it begins in the centre, and 1.7e10 with a free first move. It is unfolded
by bundles, as dark hex is. Another program, for this game alone, merged rotations and reflections and found the value
0.5909092 after the centre, with a NashConv of 3.9e-7. Opponents that learn to beat its players bound from above what
these can guarantee, see `experiments.auger_figures_2_3`.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from typing import Any

import ggp
from experiments.experiment import Experiment
from experiments.options import PRINTED, seconds
from experiments.tables import markdown_table
from ggp.cli.progress import progress_bar
from ggp.solvers.methods import DEFAULT_ITERATIVE, LINEAR_PROGRAM, MAX_PROGRAM_SIZE, SMALL_ENOUGH
from ggp.solvers.sequence_form.bundled_unfolding import sequence_form_of
from ggp.solvers.sequence_form.linear_program import solve_linear_program
from ggp.solvers.sequence_form.regret_minimisation import METHODS, RegretMinimiser, minimise


@dataclass(frozen=True, slots=True)
class Solved:
    """A game and its results; `published` is a source's value."""

    title: str
    published: str
    information_states: int
    method: str
    value: float
    nash_conv: float
    seconds: float


GAMES: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    ("Kuhn poker", "-1/18", "kuhn_poker", {}),
    ("Leduc poker", "-0.0856", "poker", {}),
    (
        "generic poker, 2 bet sizes, 2 raises, 3 cards of 3 ranks",
        "-0.111353 (L14's program)",
        "poker",
        {"bet_sizes": "2", "max_raises": "2", "copies": "3"},
    ),
    ("liar's dice, a die of 4 sides", "", "liars_dice", {"faces": "4"}),
    ("liar's dice, a die of 6 sides", "", "liars_dice", {}),
    (
        "goofspiel(5), hidden bids, descending prizes",
        "0",
        "goofspiel",
        {"n": "5", "bids": "hidden", "prizes": "descending"},
    ),
    ("goofspiel(4), hidden bids, shuffled prizes", "0", "goofspiel", {"n": "4", "bids": "hidden"}),
    (
        "goofspiel(6), hidden bids, descending prizes",
        "0",
        "goofspiel",
        {"n": "6", "bids": "hidden", "prizes": "descending"},
    ),
    ("phantom tic-tac-toe, centre first", "", "phantom_tic_tac_toe", {"opening": "centre"}),
    ("phantom tic-tac-toe", "", "phantom_tic_tac_toe", {}),
    ("dark hex, 3 by 3", "", "dark_hex", {}),
)
QUICK = 2


def solved(title: str, published: str, name: str, parameters: dict[str, str], seconds: float) -> Solved:
    """Solve a game, by iteration for `seconds` if it is large."""
    tree = sequence_form_of(ggp.load(name, **parameters).native())
    began = time.perf_counter()
    if tree.sequences + tree.entries <= MAX_PROGRAM_SIZE:
        method, found = LINEAR_PROGRAM, solve_linear_program(tree)
    else:
        minimiser = RegretMinimiser(tree, METHODS[DEFAULT_ITERATIVE])
        for _ in minimise(minimiser, seconds, nash_conv=SMALL_ENOUGH * tree.utility_range):
            pass
        method, found = f"{DEFAULT_ITERATIVE}, {minimiser.iterations:,} iterations", minimiser.average()
    took = time.perf_counter() - began
    return Solved(title, published, tree.information_states, method, found.value, found.nash_conv, took)


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Solve the games."""
    with progress_bar() as progress:
        games = progress.track(GAMES[:QUICK] if options.quick else GAMES, description="solving")
        found = [solved(*game, options.seconds) for game in games]
    heads = ["game", "published", "information states", "value to the first player", "NashConv", "method", "seconds"]
    cells = [
        (
            *(one.title, one.published, f"{one.information_states:,}"),
            *(f"{round(one.value, 7) + 0.0:.7f}", f"{one.nash_conv:.1e}", one.method, f"{one.seconds:.2f}"),
        )
        for one in found
    ]
    return [markdown_table(heads, cells)], found


EXPERIMENT = Experiment(
    "hidden_equilibria",
    "Equilibria with hidden information",
    __doc__,
    measure,
    options=(seconds("--seconds", "for each game that is iterated", 300.0),),
    without=PRINTED,
)

if __name__ == "__main__":
    EXPERIMENT.run()
