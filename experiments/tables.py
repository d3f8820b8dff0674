"""Writes tables and pages of experiments in Markdown."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from ggp.competition.statistics import Interval
from ggp.errors import GgpError


class NotWritable(GgpError):
    """A file named by an option cannot be written."""


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; the first column is aligned left, the others right."""
    lines = ["| " + " | ".join(headings) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def around(found: Interval | None, digits: int, scale: float = 1.0) -> str:
    """Return an estimate with half its interval, where that is known; a dash if there is none."""
    if found is None:
        return "-"
    half = f" ± {scale * found.half_width:.{digits}f}" if math.isfinite(found.half_width) else ""
    return f"{scale * found.estimate:.{digits}f}{half}"


def percent(found: Interval | None, digits: int = 0) -> str:
    """Return a share in percent with the ends of its interval; nothing if there is none."""
    if found is None:
        return ""
    return f"{100 * found.estimate:.1f} ({100 * found.low:.{digits}f} to {100 * found.high:.{digits}f})"


QUICK = "A small version as a test: it shows that the experiment runs, and its numbers say nothing."


def quick_page(page: str) -> str:
    """Return the headings and tables of a page, its title marked as that of a quick form.

    The text between them describes the full run, with the published results and conclusions.
    """
    blocks = [block for block in page.strip().split("\n\n") if block.startswith(("#", "|"))]
    title = blocks.pop(0) if blocks and blocks[0].startswith("# ") else "# Results"
    return "\n\n".join([f"{title} (quick form)", QUICK, *blocks]) + "\n"


def write_results(options: argparse.Namespace, page: str, facts: Any) -> None:
    """Write the page to the file of `--markdown`; print the facts with `--json`, or else the page if there is no file.

    Args:
        options: as `read_options` returns them; with `quick` only headings and tables are written.
        page: the results as Markdown.
        facts: the results, as data that msgspec knows.

    Raises:
        NotWritable: the page cannot be written to its file.
    """
    if options.quick:
        page = quick_page(page)
    if options.markdown is not None:
        try:
            options.markdown.parent.mkdir(parents=True, exist_ok=True)
            options.markdown.write_text(page, encoding="utf-8")
        except OSError as error:
            raise NotWritable(f"cannot write {options.markdown}: {error.strerror}") from error
    if options.json:
        print(json.dumps(msgspec.to_builtins(facts), indent=2))
    elif options.markdown is None:
        print(page)


def new_figure(width: float, height: float) -> Any:
    """Return an empty figure of matplotlib of a size in inches, to be drawn without a screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: Any, options: argparse.Namespace) -> None:
    """Write a figure of matplotlib to the file of `--plot`.

    Raises:
        NotWritable: it cannot be written, or its ending is not a known format.
    """
    try:
        figure.savefig(options.plot)
    except (OSError, ValueError) as error:
        raise NotWritable(f"cannot draw to {options.plot}: {error}") from error
    print(f"drawn: {options.plot}", file=sys.stderr)
