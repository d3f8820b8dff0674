"""Propagating the value of an iteration or the mean of a node: figure 4.4 of Lisý 2014.

NashConv of decoupled regret matching over its iterations, in games whose leaves are drawn from [0, 1]: of depth 2 with
several branching factors and shares of exploration, and of several depths with two actions. The thesis has 100 games
and 100 runs in each, drawn in a picture without numbers; its text says that both converge, that means converge slower
in all cases, and that the difference grows with the depth.

Figure 4.5, the convergence in the two games of depth 2 that are the hardest of all, is not repeated: their utilities
are in the picture only.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from experiments.curves import Curve, MeasuredCurve, by_panel, curve_experiment, curve_table, seconds_told
from experiments.options import Option
from experiments.rules_files import rules_file
from players.evaluation.measuring import Course

POINTS, QUICK_POINTS = (1e2, 1e3, 1e4, 1e5), (50.0, 100.0)
BACKUPS = {"value": "sample", "mean": "mean"}
PANELS = {
    **{f"depth 2, branching {branching}": (2, branching, (0.05, 0.1, 0.2)) for branching in (2, 3, 5)},
    **{f"depth {depth}, branching 2": (depth, 2, (0.1,)) for depth in (3, 4, 5)},
}
"""Depth, branching and shares of exploration of each graph."""


def planned(options: argparse.Namespace) -> list[Curve]:
    """Return a curve for each game, all games of a graph under the same names."""
    panels = dict(list(PANELS.items())[:1]) if options.quick else PANELS
    return [
        Curve(
            panel,
            f"{name}, exploration {gamma:g}",
            Course(
                rules_file("random_uniform"),
                (("branching", str(branching)), ("depth", str(depth)), ("seed", str(seed))),
                f"drm:gamma={gamma:g},backup={backup}",
                QUICK_POINTS if options.quick else POINTS,
            ),
        )
        for panel, (depth, branching, gammas) in panels.items()
        for gamma in gammas
        for name, backup in BACKUPS.items()
        for seed in range(1, options.games + 1)
    ]


def over_games(curves: Sequence[MeasuredCurve]) -> list[MeasuredCurve]:
    """Return one curve for those of the same name, with the runs of all games."""
    found: dict[tuple[str, str], MeasuredCurve] = {}
    for one in curves:
        key = one.curve.panel, one.curve.name
        found[key] = replace(one, runs=(*found[key].runs, *one.runs)) if key in found else one
    return list(found.values())


def tables(curves: Sequence[MeasuredCurve]) -> list[str]:
    """Return a section for each graph."""
    parts = []
    for panel, own in by_panel(curves).items():
        runs = len(own[0].runs)
        parts += [f"## {panel}", f"NashConv, mean of {runs} runs."]
        parts.append(curve_table(own, {"seconds": seconds_told}))
    return parts


EXPERIMENT = curve_experiment(
    "l14_propagation",
    "Values and means, Lisý 2014",
    __doc__,
    planned,
    tables,
    (1, 1),
    options=(Option("--games", "in each graph", 40, 2, planned=False),),
    merged=over_games,
)

if __name__ == "__main__":
    EXPERIMENT.run()
