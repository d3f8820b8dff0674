"""Depth-limited exploitability in point-difference goofspiel: table 2 of Lanctot, Lisý, Winands 2013, with five cards.

The paper has eleven cards, and values of all positions after two and four rounds from a computation that is not ours to
repeat: backward induction over some hundred million pairs of hands. With five cards it is the same: every player
searches with 800 iterations for each initial upcard, and loses to an opponent who plays a best response for d rounds,
after which both play optimally. The parameters are those of the paper's table 1, with C as the same share of the range
of points. Losses are the mean of both players', in points.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import ggp
from experiments.curves import Curve, MeasuredCurve, by_panel, curve_experiment
from experiments.tables import around, markdown_table
from ggp.cli.commands.bench import search_speed
from players.evaluation.measuring import Course

SAMPLES, DEPTHS, SPEED_S = 800, (2, 4), 0.2
C = 150 / 132
"""The paper's C in points, over the range of eleven cards."""
PLAYERS = {
    "DUCT(max)": (f"duct:c={C:.6g},final=max,ties=0,unit=bounds", (7.43, 12.87), 124.1),
    "DUCT(mix)": (f"duct:c={C:.6g},ties=0,unit=bounds", (5.10, 7.96), 124.2),
    "Exp3": ("exp3:gamma=0.01,rate=132,shift=0.5,unit=bounds", (5.77, 10.12), 125.2),
    "OOS": ("oos:gamma=0.5", (4.02, 7.92), 187.0),
    "OOS+": ("oos+:gamma=0.4", (5.59, 9.30), 85.9),
    "RM": ("rm:gamma=0.025", (5.56, 9.36), 138.3),
}
"""Of each algorithm: the player; the paper's mean Ex_2 and Ex_4; its thousands of simulations a second."""


def planned(options: argparse.Namespace) -> list[Curve]:
    """Return the curves, of one point each."""
    cards = 3 if options.quick else 5
    game = (("n", str(cards)), ("winner", "point_difference"))
    return [
        Curve(f"Ex_{depth}", name, Course("goofspiel", game, player, (float(SAMPLES * cards),), depth=depth))
        for depth in DEPTHS
        for name, (player, _, _) in PLAYERS.items()
    ]


def tables(curves: Sequence[MeasuredCurve]) -> list[str]:
    """Return the table."""
    panels = {panel: {one.curve.name: one for one in own} for panel, own in by_panel(curves).items()}
    rows = []
    for name, (player, published, speed) in PLAYERS.items():
        measured = [panels.get(f"Ex_{depth}", {}).get(name) for depth in DEPTHS]
        cells = []
        for one, theirs in zip(measured, published, strict=True):
            cells += [around(one.mean(-1), 2, 0.5) if one else "-", f"{theirs:.2f}"]
        rate = search_speed(ggp.load("goofspiel", n=11, winner="point_difference"), player, SPEED_S, seed=0) / 1000
        rows.append([name, *cells, f"{rate:,.0f}", f"{speed:.0f}", f"`{player}`"])
    heads = ["", *(head for depth in DEPTHS for head in (f"Ex_{depth}", "paper, 11 cards"))]
    runs = min((len(one.runs) for one in curves), default=0)
    about = (
        f"Means of {runs} runs with 95 % intervals; thousands of iterations a second with eleven cards, measured for"
        f" {SPEED_S:g} s."
    )
    return [about, markdown_table([*heads, "1,000 a second", "paper", "player"], rows)]


EXPERIMENT = curve_experiment(
    "llw13_table_2", "Table 2 of Lanctot, Lisý, Winands 2013", __doc__, planned, tables, (50, 2)
)

if __name__ == "__main__":
    EXPERIMENT.run()
