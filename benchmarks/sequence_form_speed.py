"""Iterations per second of CFR+ over a whole game, and the time of a best response, beside OpenSpiel and LiteEFG.

LiteEFG is not a dependency: if it is not installed, its column is empty.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from io import StringIO
from typing import Any

import numpy as np

import ggp
from benchmarks import tables
from benchmarks.openspiel import pyspiel
from benchmarks.tables import rate, table
from ggp.solvers.sequence_form.best_responses import realization_plans, uniform
from ggp.solvers.sequence_form.plan_kernels import best_response_value
from ggp.solvers.sequence_form.regret_minimisation import METHODS, RegretMinimiser
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from ggp.solvers.sequence_form.unfolding import information_tree


@dataclass(frozen=True, slots=True)
class Row:
    """A game here, and the same in OpenSpiel."""

    title: str
    game: str
    parameters: dict[str, str]
    peer: str


ROWS = (
    Row("Kuhn poker", "kuhn_poker", {}, "kuhn_poker"),
    Row("Leduc poker", "poker", {}, "leduc_poker"),
    Row("liar's dice, 4 sides", "liars_dice", {"faces": "4"}, "liars_dice(dice_sides=4)"),
)


@dataclass(frozen=True, slots=True)
class SequenceFormSpeed:
    """The measurements of one game, by processor time; 0 if a peer is missing.

    Attributes:
        unfolding_s: seconds to make the sequence form, kernels loaded.
        iterations_per_s: of CFR+, both players updated.
        open_spiel_iterations_per_s: the same of OpenSpiel's C++.
        lite_efg_iterations_per_s: the same of LiteEFG.
        response_s: seconds of a best response of one player to the uniform strategy.
        open_spiel_response_s: the same of OpenSpiel's C++.
    """

    unfolding_s: float
    iterations_per_s: float
    open_spiel_iterations_per_s: float
    lite_efg_iterations_per_s: float
    response_s: float
    open_spiel_response_s: float


def rate_of(work: Callable[[], object], seconds: float, batch: int = 1) -> float:
    """Return how often per second something is done; `work` does it `batch` times."""
    work()
    count, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds or count == 0:
        work()
        count += batch
    return count / spent if spent else 0.0


def lite_efg_rate(peer: str, seconds: float) -> float:
    """Return LiteEFG's iterations of CFR+ a second, 0 if it is not installed."""
    try:
        import LiteEFG
        from LiteEFG.baselines.CFRplus import graph as cfr_plus
    except ImportError:
        return 0.0
    with redirect_stdout(StringIO()):
        environment = LiteEFG.OpenSpielEnv(pyspiel.load_game(peer), traverse_type="Enumerate", regenerate=True)
        graph = cfr_plus()
        environment.set_graph(graph)

    def iterate() -> None:
        graph.update_graph(environment)
        environment.update_strategy(graph.current_strategy())

    return rate_of(iterate, seconds)


def response_rate(tree: SequenceFormTree, seconds: float) -> float:
    """Return the number of best responses of the first player per second."""
    plans, value = realization_plans(tree, uniform(tree)), np.empty(tree.sequences)
    return rate_of(lambda: [best_response_value(tree.form, 0, plans, value) for _ in range(100)], seconds, 100)


def peer_response(peer: pyspiel.Game, policy: pyspiel.Policy) -> float:
    """Return the value of OpenSpiel's best response of the first player."""
    value: float = pyspiel.TabularBestResponse(peer, 0, policy).value(peer.new_initial_state().history_str())
    return value


def measure(rows: tuple[Row, ...], seconds: float) -> dict[str, SequenceFormSpeed]:
    """Measure some games, each figure for `seconds`; return the results by title."""
    figures = {}
    for row in rows:
        native = ggp.load(row.game, **row.parameters).native()
        tree, peer = information_tree(native), pyspiel.load_game(row.peer)
        solver, minimiser = pyspiel.CFRPlusSolver(peer), RegretMinimiser(tree, METHODS["cfr+"])
        policy = pyspiel.UniformRandomPolicy(peer)
        figures[row.title] = SequenceFormSpeed(
            unfolding_s=1 / rate_of(partial(information_tree, native), seconds),
            iterations_per_s=rate_of(partial(minimiser.run, 100), seconds, 100),
            open_spiel_iterations_per_s=rate_of(solver.evaluate_and_update_policy, seconds),
            lite_efg_iterations_per_s=lite_efg_rate(row.peer, seconds),
            response_s=1 / response_rate(tree, seconds),
            open_spiel_response_s=1 / rate_of(partial(peer_response, peer, policy), seconds),
        )
    return figures


def section(figures: Mapping[str, SequenceFormSpeed]) -> str:
    """Return the table of CFR+ and best responses over whole games with hidden information."""
    rows = []
    for title, speed in figures.items():
        peers = (speed.lite_efg_iterations_per_s, speed.open_spiel_iterations_per_s)
        ratio = speed.open_spiel_response_s / speed.response_s
        rows.append(
            [
                title,
                f"{1000 * speed.unfolding_s:.2f}",
                rate(speed.iterations_per_s),
                *(f"{rate(peer)} ({speed.iterations_per_s / peer:,.0f}×)" if peer else "-" for peer in peers),
                f"{1e6 * speed.response_s:,.1f}",
                f"{1e6 * speed.open_spiel_response_s:,.0f} ({ratio:,.0f}×)",
            ]
        )
    heading = ["game", "unfolding, ms", "CFR+ iterations/s", "LiteEFG", "OpenSpiel, C++"]
    return (
        "## Solvers over information states\n\nCFR+ over the whole game, both players updated; best response of the "
        + "first player to the uniform strategy. In brackets the ratio.\n\n"
        + table([*heading, "best response, µs", "OpenSpiel, C++, µs"], rows)
    )


def part(quick: bool) -> tuple[Any, str]:
    """Measure; return the figures, and the section of the page."""
    figures = measure(ROWS[:1] if quick else ROWS, tables.seconds(quick))
    return figures, section(figures)
