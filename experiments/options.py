"""The options that the experiments share, so that each is one command that reads and explains them alike."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

RESULTS = Path("results")
"""Where records go, under the working directory, unless an option says otherwise."""


def read_options(module: str, description: str, words: Sequence[str]) -> argparse.Namespace:
    """Return the options of an experiment.

    Args:
        module: the experiment's name: of its record file, and in the help.
        description: for the help; its first paragraph.
        words: the command line without the program.

    Returns:
        `quick`, `runs`, `seed`, `json`, `plot`, `jobs`, `records`, `so_far`, `markdown`, as the help says.
    """
    parser = argparse.ArgumentParser(prog=f"python -m experiments.{module}", description=description.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="a small version, to see that it works")
    parser.add_argument("--runs", type=int, metavar="N", help="how many runs of each curve, where there are curves")
    parser.add_argument("--seed", type=int, default=0, help="of all chance; the same seed gives the same results")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there as JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw them there, as PNG, SVG or PDF")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="default: one a processor")
    parser.add_argument(
        "--records", type=Path, metavar="FOLDER", default=RESULTS,
        help="where each result is recorded as it comes; the same command goes on from there",
    )  # fmt: skip
    parser.add_argument("--so-far", action="store_true", help="run nothing: tell what is recorded")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there instead of printing them")
    return parser.parse_args(words)
