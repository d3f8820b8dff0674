"""How close six players come to an equilibrium of goofspiel(4): figure 4 of Lanctot, Lisý, Winands 2013.

Win-loss (WL) and point-difference (PD) goofspiel with shuffled prizes, the parameters of the paper's table 1, best
responses after every 1,000 iterations up to 100,000. In addition: the same with prizes in a known order (descending), a
game of 1/24 of the size; the shuffled games for longer; `oos+` and `duct` with their defaults.

The paper's C of 150 in PD is in points; points range over 20 here (from -10 to 10), which makes it 7.5 for utilities
scaled to [0, 1]. The same share of the range as in goofspiel(13), 150 / 182, is measured too.

The paper's exploitability is of one player's strategy; here it is the mean of both players', in the paper's units:
payoffs of 0, 1/2 and 1 in WL, points in PD.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from experiments.curves import (
    Curve,
    MeasuredCurve,
    by_panel,
    curve_facts,
    curve_table,
    draw,
    measured_curves,
    player_told,
)
from experiments.experiment import Experiment
from experiments.tables import markdown_table
from players.evaluation.measuring import Course

FEWER_RUNS = 5
POINTS = tuple(float(point) for point in range(1000, 100_001, 1000))
LATE_POINTS = (1e5, 2e5, 4e5, 8e5, 1.6e6, 3.2e6)
SHARES_SHOWN = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
QUICK_POINTS = (500.0, 1000.0)
WINNER = {"WL": "most_points", "PD": "point_difference"}
SCALE = {"WL": 0.25, "PD": 0.5}
"""From NashConv in our payoffs (-1, 0, 1 in WL) to the mean exploitability of a player in the paper's."""
THRESHOLDS = {"WL": (0.05, 0.1, 0.2, 0.3), "PD": (0.25, 0.5, 1.0, 2.0)}
PLAYERS = {
    "WL": {
        "duct max": "duct:final=max,ties=0",
        "duct mix": "duct:ties=0",
        "duct mix, ties 0.01": "duct:ties=0.01",
        "exp3": "exp3:gamma=0.2,unit=bounds",
        "oos": "oos:gamma=0.5",
        "oos+": "oos+:gamma=0.55,backup=sample",
        "oos+, expected": "oos+:gamma=0.55,backup=expected",
        "rm": "rm:gamma=0.025",
    },
    "PD": {
        "duct max": "duct:c=7.5,final=max,ties=0,unit=bounds",
        "duct mix": "duct:c=7.5,ties=0,unit=bounds",
        "duct mix, ties 0.01": "duct:c=7.5,ties=0.01,unit=bounds",
        "duct mix, C = 0.82": "duct:c=0.824176,ties=0,unit=bounds",
        "exp3": "exp3:gamma=0.01,unit=bounds",
        "oos": "oos:gamma=0.5",
        "oos+": "oos+:gamma=0.4,backup=sample",
        "oos+, expected": "oos+:gamma=0.4,backup=expected",
        "rm": "rm:gamma=0.025",
    },
}


def planned(prizes: str, points: tuple[float, ...], name: str) -> list[Curve]:
    """Return the curves of both games with prizes in this order; `name` goes to the panels' names."""
    return [
        Curve(
            f"{half}-goofspiel(4){name}",
            label,
            Course("goofspiel", (("n", "4"), ("winner", WINNER[half]), *order), player, points),
        )
        for half, players in PLAYERS.items()
        for label, player in players.items()
        for order in [(("prizes", prizes),) if prizes != "shuffled" else ()]
    ]


def tables(curves: Sequence[MeasuredCurve]) -> list[str]:
    """Return a section for each graph."""
    parts = []
    for panel, own in by_panel(curves).items():
        points, half = own[0].curve.course.points, panel[:2]
        shown = [at for at, point in enumerate(points) if len(points) < 10 or point / points[-1] in SHARES_SHOWN]
        runs = min(len(measured.runs) for measured in own)
        parts.append(f"## {panel}")
        parts.append(f"Mean exploitability of at least {runs} runs after so many iterations, and its lowest point.")
        parts.append(curve_table(own, {"lowest, at": _lowest, "player": player_told}, scale=SCALE[half], shown=shown))
        parts.append(f"Share of runs below a threshold after {points[-1]:,.0f} iterations.")
        rows = [[measured.curve.name, *_shares(measured, THRESHOLDS[half], SCALE[half])] for measured in own]
        parts.append(markdown_table(["", *(f"< {threshold}" for threshold in THRESHOLDS[half])], rows))
    return parts


def _lowest(measured: MeasuredCurve) -> str:
    means = [measured.mean(point).estimate for point in range(len(measured.curve.course.points))]
    at = means.index(min(means))
    return f"{SCALE[measured.curve.panel[:2]] * means[at]:.4f}, {measured.curve.course.points[at]:,.0f}"


def _shares(measured: MeasuredCurve, thresholds: Sequence[float], scale: float) -> list[str]:
    last = [scale * value for value in measured.nash_conv(-1)]
    return [f"{100 * sum(value < threshold for value in last) / len(last):.0f} %" for threshold in thresholds]


def measure_all(options: argparse.Namespace) -> tuple[list[str], Any]:
    """Measure all curves, and the later points of shuffled prizes in fewer runs."""
    points = QUICK_POINTS if options.quick else POINTS
    measured = measured_curves(
        options, planned("shuffled", points, "") + planned("descending", points, ", known order")
    )
    late = planned("shuffled", QUICK_POINTS[-1:] if options.quick else LATE_POINTS, ", longer")
    fewer = min(options.runs, FEWER_RUNS)
    measured += measured_curves(argparse.Namespace(**{**vars(options), "runs": fewer}), late)
    scale = {one.curve.panel: SCALE[one.curve.panel[:2]] for one in measured}
    draw(measured, options, scale, "mean exploitability of a player")
    return tables(measured), [curve_facts(curve) for curve in measured]


EXPERIMENT = Experiment("llw13_figure_4", "Figure 4 of Lanctot, Lisý, Winands 2013", __doc__, measure_all, runs=(50, 1))

if __name__ == "__main__":
    EXPERIMENT.run()
