"""How close five players come to an equilibrium of goofspiel(5) with a known order of prizes, for many orders.

For comparison, the Java program of the authors of Lisý 2014 was run on two instances: cards 0
to 4 in one order, cards 1 to 5 in another, three runs each, 1,000,000 iterations. Payoffs are -1, 0 and 1, or points.
The parameters are those of Lisý 2014, 4.2.3; its C of 5 for utilities from -1 to 1 is 2.5 for utilities scaled to
[0, 1].
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from experiments.curves import Curve, MeasuredCurve, by_panel, curve_experiment
from experiments.rules_files import rules_file
from experiments.tables import markdown_table
from players.evaluation.measuring import Course, measured_game

RULES = rules_file("goofspiel_known_order")
PLACES = ("first", "second", "third", "fourth", "fifth")
PLAYERS = {
    "rm": "rm:gamma=0.1",
    "rm, gamma = 0.025": "rm:gamma=0.025",
    "oos": "oos:gamma=0.6",
    "exp3": "exp3:gamma=0.1,unit=bounds",
    "duct": "duct:c=2.5,ties=0.01,unit=bounds",
    "duct, exact ties": "duct:c=2.5,ties=0,unit=bounds",
}
JAVA = {
    0: {"rm": "0.0001–0.0003", "oos": "0.006–0.013", "exp3": "0.03–0.31", "duct": "0.40"},
    1: {"rm": "0.12–0.44", "oos": "0.05–0.07", "exp3": "0.24–0.44", "duct": "0.24"},
}
"""Lowest and highest NashConv of three runs of the Java program, by the lowest card."""
ORDERS, POINTS = 6, (10_000.0, 100_000.0, 1_000_000.0)


def orders(lowest: int, count: int) -> list[tuple[int, ...]]:
    """Return the descending order of the five prizes and some random ones, all different, the same in every run."""
    prizes = list(range(lowest, lowest + 5))
    found = [tuple(reversed(prizes))]
    draws = random.Random(lowest)
    while len(found) <= count:
        order = tuple(draws.sample(prizes, 5))
        if order not in found:
            found.append(order)
    return found


def parameters(order: Sequence[int], lowest: int, winner: str = "most_points") -> tuple[tuple[str, str], ...]:
    """Return the parameters of the game with this order of prizes."""
    prizes = zip(PLACES, map(str, order), strict=True)
    return (("lowest", str(lowest)), ("winner", winner), *prizes)


def planned(options: argparse.Namespace) -> list[Curve]:
    """Return the curves: all orders for wins, and the first random one of each sort for points."""
    count, points = (1, (500.0, 1000.0)) if options.quick else (ORDERS, POINTS)
    curves = []
    for lowest in (0, 1):
        chosen = orders(lowest, count)
        games = [(order, "most_points") for order in chosen] + [(chosen[1], "point_difference")]
        for order, winner in games:
            pairs = parameters(order, lowest, winner)
            panel = " ".join(map(str, order)) + (" (points)" if winner == "point_difference" else "")
            curves += [Curve(panel, name, Course(RULES, pairs, text, points)) for name, text in PLAYERS.items()]
    return curves


def tables(curves: Sequence[MeasuredCurve]) -> list[str]:
    """Return a section for each sort of cards."""
    parts = []
    for lowest in (0, 1):
        own = [measured for measured in curves if measured.curve.course.parameters[0][1] == str(lowest)]
        if not own:
            continue
        last, runs = own[0].curve.course.points[-1], len(own[0].runs)
        parts.append(f"## Cards {lowest} to {lowest + 4}")
        parts.append(f"NashConv after {last:,.0f} iterations: least and greatest of {runs} runs.")
        rows = [["Java, one instance", "", *(JAVA[lowest].get(name, "") for name in PLAYERS)]]
        for panel, those in by_panel(own).items():
            here = {measured.curve.name: measured for measured in those}
            ranges = [_range(here[name]) if name in here else "" for name in PLAYERS]
            rows.append([panel, _root(those[0]), *ranges])
        parts.append(markdown_table(["order of prizes", "equilibrium at the root", *PLAYERS], rows))
    return parts


def _range(measured: MeasuredCurve) -> str:
    values = measured.nash_conv(len(measured.curve.course.points) - 1)
    return f"{min(values):.4f}–{max(values):.4f}"


def _root(measured: MeasuredCurve) -> str:
    course = measured.curve.course
    _, meter = measured_game(course.game, course.parameters, None)
    return "pure" if meter.values.pure[0] else "mixed"


EXPERIMENT = curve_experiment(
    "goofspiel_orders", "Goofspiel(5) with known orders of prizes", __doc__, planned, tables, runs=(3, 2)
)

if __name__ == "__main__":
    EXPERIMENT.run()
