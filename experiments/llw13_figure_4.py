"""How close six players come to an equilibrium of goofspiel(4): figure 4 of Lanctot, Lisý, Winands 2013.

Win-loss (WL) and point-difference (PD) goofspiel with shuffled prizes, the parameters of the paper's table 1, best
responses after every 1,000 iterations up to 100,000. The paper's C of 150 in PD is in points; points range over 20 here
(from -10 to 10), which makes it 7.5 for utilities scaled to [0, 1]. The share of the range that it was in goofspiel(13),
150 / 182, is measured too.

The paper's exploitability is of one player's strategy; here it is the mean of both players', in the paper's units:
payoffs of 0, 1/2 and 1 in WL, points in PD.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from experiments.curves import Curve, MeasuredCurve, curve_facts, draw, measure
from experiments.options import read_options
from experiments.tables import markdown_table, write_page
from players.measuring import Course

RUNS, STEP, LAST = 50, 1000, 100_000
QUICK_RUNS, QUICK_STEP, QUICK_LAST = 2, 500, 2000
SCALE = {"WL": 0.25, "PD": 0.5}
"""From NashConv in our payoffs (-1, 0, 1 in WL) to the mean exploitability of a player in the paper's."""
WINNER = {"WL": "most_points", "PD": "point_difference"}
PLAYERS = {
    "WL": {
        "duct max": "duct:final=max",
        "duct mix": "duct",
        "exp3": "exp3:gamma=0.2",
        "oos": "oos:gamma=0.5",
        "oos+": "oos+:gamma=0.55",
        "rm": "rm:gamma=0.025",
    },
    "PD": {
        "duct max": "duct:c=7.5,final=max",
        "duct mix": "duct:c=7.5",
        "duct mix, C = 0.82": "duct:c=0.824176",
        "exp3": "exp3:gamma=0.01",
        "oos": "oos:gamma=0.5",
        "oos+": "oos+:gamma=0.4",
        "rm": "rm:gamma=0.025",
    },
}
THRESHOLDS = {"WL": (0.05, 0.1, 0.2, 0.3), "PD": (0.25, 0.5, 1.0, 2.0)}


def planned(step: int, last: int) -> list[Curve]:
    """Return the curves, measured after each `step` iterations up to `last`."""
    points = tuple(float(point) for point in range(step, last + 1, step))
    return [
        Curve(panel, name, Course("goofspiel", (("n", "4"), ("winner", WINNER[panel])), player, points))
        for panel, players in PLAYERS.items()
        for name, player in players.items()
    ]


def page(curves: Sequence[MeasuredCurve]) -> str:
    """Return the results as Markdown."""
    parts = ["# Figure 4 of Lanctot, Lisý, Winands 2013", str(__doc__).split("\n\n", 1)[1].strip()]
    for panel, thresholds in THRESHOLDS.items():
        own = [measured for measured in curves if measured.curve.panel == panel]
        if not own:
            continue
        points = own[0].curve.course.points
        shown = [at for at, point in enumerate(points) if point / points[-1] in (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)]
        parts.append(f"## {panel}-goofspiel(4)")
        parts.append(f"Mean exploitability of {len(own[0].runs)} runs after so many iterations, and its lowest point.")
        rows = [
            [
                measured.curve.name,
                *(f"{SCALE[panel] * measured.mean(at).estimate:.4f}" for at in shown),
                _lowest(measured, SCALE[panel]),
                f"`{measured.curve.course.player}`",
            ]
            for measured in own
        ]
        parts.append(markdown_table(["", *(f"{points[at]:,.0f}" for at in shown), "lowest, at", "player"], rows))
        parts.append(f"Share of runs below a threshold after {points[-1]:,.0f} iterations.")
        rows = [[measured.curve.name, *_shares(measured, thresholds, SCALE[panel])] for measured in own]
        parts.append(markdown_table(["", *(f"< {threshold}" for threshold in thresholds)], rows))
    return "\n\n".join(parts) + "\n"


def _lowest(measured: MeasuredCurve, scale: float) -> str:
    means = [measured.mean(point).estimate for point in range(len(measured.curve.course.points))]
    at = means.index(min(means))
    return f"{scale * means[at]:.4f}, {measured.curve.course.points[at]:,.0f}"


def _shares(measured: MeasuredCurve, thresholds: Sequence[float], scale: float) -> list[str]:
    last = [scale * value for value in measured.nash_conv(len(measured.curve.course.points) - 1)]
    return [f"{100 * sum(value < threshold for value in last) / len(last):.0f} %" for threshold in thresholds]


def main(words: Sequence[str]) -> int:
    """Run the experiment; return the exit status."""
    options = read_options("llw13_figure_4", str(__doc__), words)
    curves = planned(QUICK_STEP, QUICK_LAST) if options.quick else planned(STEP, LAST)
    record = options.records / f"llw13_figure_4{'_quick' if options.quick else ''}.jsonl"
    runs = options.runs or (QUICK_RUNS if options.quick else RUNS)
    measured = measure(curves, runs, options.seed, options.processes, record, options.so_far)
    write_page(page(measured), options.markdown)
    if options.json is not None:
        options.json.write_text(json.dumps([curve_facts(curve) for curve in measured], indent=2))
    if options.plot is not None:
        draw(measured, options.plot, SCALE, "mean exploitability of a player")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
