"""Curves of exploitability over iterations: measured in parallel, recorded run by run, averaged and drawn."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import json, to_builtins
from msgspec.structs import replace

from experiments.experiment import Experiment
from experiments.options import Option
from experiments.records import recorded_parts
from experiments.rules_files import recorded_name
from experiments.tables import markdown_table, new_figure, save_figure
from ggp.competition.statistics import Interval, mean_interval
from players.evaluation.measuring import Course, Measurement, measured_run


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve to be measured: the mean of several runs.

    Attributes:
        panel: the graph that contains it, such as the name of the game.
        name: of the curve in its graph.
        course: what is measured.
    """

    panel: str
    name: str
    course: Course


@dataclass(frozen=True, slots=True)
class MeasuredCurve:
    """The runs of a curve, each a list of measurements in order; at least one run."""

    curve: Curve
    runs: tuple[tuple[Measurement, ...], ...]

    def nash_conv(self, point: int) -> list[float]:
        """Return NashConv at a point, for each run."""
        return [run[point].loss.nash_conv for run in self.runs]

    def mean(self, point: int) -> Interval:
        """Return the mean NashConv at a point, with its 95 % interval."""
        return mean_interval(self.nash_conv(point))

    def seconds(self, point: int) -> float:
        """Return the mean time spent searching up to a point."""
        return sum(run[point].seconds for run in self.runs) / len(self.runs)


def measured_curves(options: argparse.Namespace, curves: Sequence[Curve]) -> list[MeasuredCurve]:
    """Measure curves with different courses, continuing from the record; those without a run are left out.

    Args:
        options: of an experiment with runs.
        curves: in the order in which they are returned.

    Raises:
        RecordUnusable: the record holds something else.
    """
    wanted = {
        f"{json.encode(replace(curve.course, game=recorded_name(curve.course.game))).decode()}, run {run}": (
            curve.course,
            options.seed,
            run,
        )
        for run in range(options.runs)
        for curve in curves
    }
    found = recorded_parts(options, wanted, whole_run, list[Measurement], "runs")
    runs: dict[Course, list[tuple[Measurement, ...]]] = {curve.course: [] for curve in curves}
    for name, points in found.items():
        runs[wanted[name][0]].append(tuple(points))
    return [MeasuredCurve(curve, tuple(own)) for curve in curves if (own := runs[curve.course])]


def whole_run(course: Course, seed: int, run: int) -> Iterator[list[Measurement]]:
    """Yield the measurements of a run once."""
    yield list(measured_run(course, seed, run))


def curve_experiment(
    module: str,
    title: str,
    about: str | None,
    planned: Callable[[argparse.Namespace], Sequence[Curve]],
    tables: Callable[[Sequence[MeasuredCurve]], Sequence[str]],
    runs: tuple[int, int],
    options: tuple[Option, ...] = (),
    merged: Callable[[list[MeasuredCurve]], list[MeasuredCurve]] = list,
) -> Experiment:
    """Return an experiment that measures NashConv along curves, draws them and shows them in tables.

    Args:
        module: as in `Experiment`, as are `title`, `about`, `runs` and `options`.
        title: see there.
        about: see there.
        planned: returns the curves, given the options.
        tables: returns what follows in the page.
        runs: see there.
        options: see there.
        merged: makes the curves that are shown of those that were measured.
    """

    def measure_and_draw(given: argparse.Namespace) -> tuple[Sequence[str], Any]:
        measured = merged(measured_curves(given, planned(given)))
        draw(measured, given, {}, "NashConv")
        return tables(measured), [curve_facts(curve) for curve in measured]

    return Experiment(module, title, about, measure_and_draw, options, runs)


def by_panel(curves: Sequence[MeasuredCurve]) -> dict[str, list[MeasuredCurve]]:
    """Return curves by their graph."""
    found: dict[str, list[MeasuredCurve]] = {}
    for measured in curves:
        found.setdefault(measured.curve.panel, []).append(measured)
    return found


def curve_table(
    curves: Sequence[MeasuredCurve],
    more: Mapping[str, Callable[[MeasuredCurve], str]],
    digits: int = 4,
    scale: float = 1.0,
    shown: Sequence[int] | None = None,
) -> str:
    """Return a table of the curves of one graph: means at their points, and what else is told of each.

    Args:
        curves: with the same points, at least one.
        more: headings of further columns, and what stands in them.
        digits: of means.
        scale: what to multiply NashConv with.
        shown: the points that get a column; None: all.
    """
    points = curves[0].curve.course.points
    places = range(len(points)) if shown is None else shown
    rows = [
        [
            one.curve.name,
            *(f"{scale * one.mean(at).estimate:.{digits}f}" for at in places),
            *(tell(one) for tell in more.values()),
        ]
        for one in curves
    ]
    return markdown_table(["", *(f"{points[at]:,.0f}" for at in places), *more], rows)


def seconds_told(measured: MeasuredCurve) -> str:
    """Return the mean seconds of search up to the last point."""
    return f"{measured.seconds(len(measured.curve.course.points) - 1):.3g}"


def player_told(measured: MeasuredCurve) -> str:
    """Return the player as commands write it."""
    return f"`{measured.curve.course.player}`"


def curve_facts(measured: MeasuredCurve) -> dict[str, Any]:
    """Return a measured curve as plain data."""
    curve = measured.curve
    return {
        "panel": curve.panel,
        "curve": curve.name,
        **to_builtins(curve.course),
        "game": recorded_name(curve.course.game),
        "runs": len(measured.runs),
        "means": [
            {
                "iterations": measured.runs[0][point].iterations,
                "seconds": measured.seconds(point),
                "nash_conv": measured.mean(point).estimate,
                "ci95": measured.mean(point).half_width if len(measured.runs) > 1 else None,
                "all": measured.nash_conv(point),
            }
            for point in range(len(curve.course.points))
        ],
    }


def draw(curves: Sequence[MeasuredCurve], options: argparse.Namespace, scale: Mapping[str, float], unit: str) -> None:
    """Draw all curves, a graph a panel, over iterations, if the options ask for it; the axes are logarithmic.

    Args:
        curves: in the order in which they are to be drawn.
        options: as `read_options` returns them.
        scale: what to multiply NashConv with, by panel; 1 where it is not named.
        unit: of the vertical axis.

    Raises:
        NotWritable: the figure cannot be written.
    """
    if options.plot is None:
        return
    panels = list(dict.fromkeys(measured.curve.panel for measured in curves))
    figure = new_figure(6 * len(panels), 4.5)
    for place, panel in enumerate(panels):
        axes = figure.add_subplot(
            1, len(panels), place + 1, xscale="log", yscale="log", title=panel, xlabel="iterations", ylabel=unit
        )
        for measured in curves:
            if measured.curve.panel == panel:
                points = range(len(measured.curve.course.points))
                means = [scale.get(panel, 1.0) * measured.mean(point).estimate for point in points]
                axes.plot([measured.runs[0][point].iterations for point in points], means, label=measured.curve.name)
        axes.grid(visible=True, alpha=0.3)
        axes.legend(fontsize=8)
    save_figure(figure, options)
