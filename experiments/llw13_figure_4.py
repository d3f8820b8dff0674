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

from collections.abc import Sequence

from experiments.curves import Curve, MeasuredCurve, curve_facts, draw, measure
from experiments.options import read_options, run_experiment
from experiments.tables import markdown_table, write_results
from players.evaluation.measuring import Course

RUNS, FEWER_RUNS = 50, 5
QUICK_RUNS, QUICK_FEWER_RUNS = 1, 1
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


def page(curves: Sequence[MeasuredCurve]) -> str:
    """Return the results as Markdown."""
    parts = ["# Figure 4 of Lanctot, Lisý, Winands 2013", str(__doc__).split("\n\n", 1)[1].strip()]
    for panel in dict.fromkeys(measured.curve.panel for measured in curves):
        own = [measured for measured in curves if measured.curve.panel == panel]
        points, half = own[0].curve.course.points, panel[:2]
        shown = [at for at, point in enumerate(points) if len(points) < 10 or point / points[-1] in SHARES_SHOWN]
        parts.append(f"## {panel}")
        runs = min(len(measured.runs) for measured in own)
        parts.append(f"Mean exploitability of at least {runs} runs after so many iterations, and its lowest point.")
        rows = [
            [
                measured.curve.name,
                *(f"{SCALE[half] * measured.mean(at).estimate:.4f}" for at in shown),
                _lowest(measured, SCALE[half]),
                f"`{measured.curve.course.player}`",
            ]
            for measured in own
        ]
        parts.append(markdown_table(["", *(f"{points[at]:,.0f}" for at in shown), "lowest, at", "player"], rows))
        parts.append(f"Share of runs below a threshold after {points[-1]:,.0f} iterations.")
        rows = [[measured.curve.name, *_shares(measured, THRESHOLDS[half], SCALE[half])] for measured in own]
        parts.append(markdown_table(["", *(f"< {threshold}" for threshold in THRESHOLDS[half])], rows))
    return "\n\n".join(parts) + "\n"


def _lowest(measured: MeasuredCurve, scale: float) -> str:
    means = [measured.mean(point).estimate for point in range(len(measured.curve.course.points))]
    at = means.index(min(means))
    return f"{scale * means[at]:.4f}, {measured.curve.course.points[at]:,.0f}"


def _shares(measured: MeasuredCurve, thresholds: Sequence[float], scale: float) -> list[str]:
    last = [scale * value for value in measured.nash_conv(-1)]
    return [f"{100 * sum(value < threshold for value in last) / len(last):.0f} %" for threshold in thresholds]


def main(words: Sequence[str]) -> None:
    """Run the experiment."""
    options = read_options("llw13_figure_4", str(__doc__), words)
    points = QUICK_POINTS if options.quick else POINTS
    runs = options.runs or (QUICK_RUNS if options.quick else RUNS)
    curves = planned("shuffled", points, "") + planned("descending", points, ", known order")
    measured = measure(curves, runs, options.seed, options.jobs, options.record, options.so_far)
    late = planned("shuffled", QUICK_POINTS[-1:] if options.quick else LATE_POINTS, ", longer")
    fewer = min(runs, QUICK_FEWER_RUNS if options.quick else FEWER_RUNS)
    measured += measure(late, fewer, options.seed, options.jobs, options.record, options.so_far)
    scale = {measured_curve.curve.panel: SCALE[measured_curve.curve.panel[:2]] for measured_curve in measured}
    draw(measured, options, scale, "mean exploitability of a player")
    write_results(options, page(measured), [curve_facts(curve) for curve in measured])


if __name__ == "__main__":
    run_experiment(main)
