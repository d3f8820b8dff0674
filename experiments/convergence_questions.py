"""Three questions about convergence: does exploration leave an error, what slows `rm` down, does DUCT break ties.

Each is answered by comparing measurements with a number that is known or computed exactly.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.curves import Curve, MeasuredCurve, by_panel, curve_facts, curve_table, draw, measured_curves
from experiments.experiment import Experiment
from experiments.goofspiel_orders import RULES, parameters
from experiments.perturbed_equilibria import perturbed_profile
from experiments.records import recorded_parts
from experiments.rules_files import rules_file
from experiments.tables import markdown_table
from ggp.arithmetic.rng import seed_word
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.exploitability import exploitability_of_profile
from players.agents.registry import read_player
from players.evaluation.measuring import Course, measured_game

RPS = Course("rock_paper_scissors", (("payoffs", "biased"),), "", ())
PURE = Course(RULES, parameters((4, 3, 2, 1, 0), 0), "", ())
MIXED = Course(RULES, parameters((3, 4, 2, 1, 5), 1), "", ())
GAMES = {"biased rock-paper-scissors": RPS, "goofspiel 4 3 2 1 0": PURE, "goofspiel 3 4 2 1 5": MIXED}
GAMMAS = (0.3, 0.1, 0.025, 0.001)
DEPTHS = (1, 2, 3, 4)
POINTS = {"goofspiel 3 4 2 1 5": (1e5, 1e6, 1e7)}
SHORTER_POINTS, DEPTH_POINTS, QUICK_POINTS = (1e5, 1e6), (1e6,), (500.0, 1000.0)
LOCKSTEP = rules_file("duct_lockstep")
LOCKSTEP_TIES = (0.0, 0.0001, 0.001, 0.01)
LOCKSTEP_C = (0.1, 0.5, 1.0, 1.5)
LOCKSTEP_RUNS, LOCKSTEP_ITERATIONS = 20, 20_000
QUICK_LOCKSTEP_RUNS = 2

EXPLORATION_TEXT = """\
NashConv after the given iterations, mean of the runs, and NashConv of the equilibrium of the game with exploration
(`experiments/perturbed_equilibria.py`), the exploration left out as in the final strategy."""
DEPTH_TEXT = """\
Goofspiel with prizes 3, 4, 2, 1, 5, after 1,000,000 iterations: the loss if both play optimally after that many rounds
(Ex_d of Lanctot, Lisý, Winands 2013, summed over both players). What a depth adds is lost by the strategies there; the
last round has no choice."""
LOCKSTEP_TEXT = f"""\
Share of the first action in the first player's strategy after {LOCKSTEP_ITERATIONS:,} iterations of `duct` (final=mix)
in the matrix (0 1; -1 0), where playing it always is the only equilibrium."""


@dataclass(frozen=True, slots=True)
class Lockstep:
    """How often DUCT finds the better action of the matrix of `duct_lockstep.rules`.

    Attributes:
        c: exploration, for utilities scaled to [0, 1].
        ties: how close upper bounds count as equal.
        first: share of the first action in the first player's final strategy, of each run.
    """

    c: float
    ties: float
    first: tuple[float, ...]


def planned(quick: bool) -> list[Curve]:
    """Return the curves: several gammas in three games, and depth-limited losses in the last."""
    curves = []
    for panel, game in GAMES.items():
        points: tuple[float, ...] = QUICK_POINTS if quick else POINTS.get(panel, SHORTER_POINTS)
        players = [f"rm:gamma={gamma:g}" for gamma in GAMMAS] + ["rm:gamma=0.1,expansion=none", "drm", "oos"]
        curves += [Curve(panel, text, Course(game.game, game.parameters, text, points)) for text in players]
    for depth in DEPTHS:
        points = QUICK_POINTS if quick else DEPTH_POINTS
        for text in ("rm:gamma=0.1", "rm:gamma=0.025", "oos"):
            curves.append(Curve(f"Ex_{depth}", text, Course(MIXED.game, MIXED.parameters, text, points, depth=depth)))
    return curves


def predicted(game: Course, gamma: float) -> float:
    """Return NashConv of the equilibrium with exploration, the exploration left out, in a game."""
    graph, meter = measured_game(game.game, game.parameters, None)
    return exploitability_of_profile(
        meter.values, perturbed_profile(graph, gamma), order_components(graph.graph)
    ).nash_conv


def lockstep(ties: float, c: float, seed: int, runs: int) -> Iterator[list[float]]:
    """Let DUCT play the matrix game some times, and yield the shares of the first action in its final strategies."""
    graph, _ = measured_game(LOCKSTEP, (), None)
    spec = read_player(f"duct:c={c:g},ties={ties:g},unit=bounds")
    first = []
    for run in range(runs):
        search = spec.kind.family.make_readable(graph.native, spec.settings)
        search.seed(seed_word(seed, run))
        search.set_root(graph.state_words(0).copy())
        search.run(LOCKSTEP_ITERATIONS)
        first.append(float(search.strategy(0)[1][0]))
    yield first


def exploration(curves: Sequence[MeasuredCurve]) -> list[str]:
    """Return a table for each game: what was measured, and what is computed for `rm`."""
    parts = []
    for panel, own in by_panel(curves).items():
        if panel not in GAMES:
            continue

        def computed(one: MeasuredCurve, game: Course = GAMES[panel]) -> str:
            plain = one.curve.name.startswith("rm:") and "expansion" not in one.curve.name
            return f"{predicted(game, read_player(one.curve.name).settings.gamma):.4f}" if plain else ""

        parts += [f"### {panel}", curve_table(own, {"computed": computed})]
    return parts


def depths(curves: Sequence[MeasuredCurve]) -> str:
    """Return the table of depth-limited losses."""
    rows = []
    for text in ("rm:gamma=0.1", "rm:gamma=0.025", "oos"):
        here = {measured.curve.panel: measured for measured in curves if measured.curve.name == text}
        losses = [f"{here[f'Ex_{depth}'].mean(-1).estimate:.4f}" for depth in DEPTHS if f"Ex_{depth}" in here]
        rows.append([text, *losses])
    return markdown_table(["", *(f"Ex_{depth}" for depth in DEPTHS)], rows)


def locksteps(locked: Sequence[Lockstep]) -> str:
    """Return the table of the matrix game."""
    rows = []
    for one in locked:
        found = f"{sum(share > 0.9 for share in one.first)} of {len(one.first)}"
        rows.append([f"{one.ties:g}", f"{one.c:g}", f"{min(one.first):.3f}–{max(one.first):.3f}", found])
    return markdown_table(["ties", "C", "share", "runs above 0.9"], rows)


def measure(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Measure curves and matrix games."""
    curves = measured_curves(options, planned(options.quick))
    draw(curves, options, {}, "NashConv")
    runs = QUICK_LOCKSTEP_RUNS if options.quick else LOCKSTEP_RUNS
    options.plan["runs"] = runs
    wanted = {f"ties={ties:g} c={c:g}": (ties, c, options.seed, runs) for ties in LOCKSTEP_TIES for c in LOCKSTEP_C}
    record = options.record.with_stem(options.record.stem + "_lockstep")
    found = recorded_parts(options, wanted, lockstep, list[float], "DUCT in lockstep", record)
    locked = [Lockstep(wanted[name][1], wanted[name][0], tuple(first)) for name, first in found.items()]
    parts = ["## Exploration", EXPLORATION_TEXT, *exploration(curves), "## Where the loss is", DEPTH_TEXT]
    parts += [depths(curves), "## DUCT in lockstep", LOCKSTEP_TEXT, locksteps(locked)]
    return parts, {"curves": [curve_facts(one) for one in curves], "lockstep": locked}


EXPERIMENT = Experiment("convergence_questions", "Questions about convergence", __doc__, measure, runs=(3, 2))

if __name__ == "__main__":
    EXPERIMENT.run()
