"""The options that all experiments share.

They are those of the `ggp` commands that measure and play: `--seed`, `--runs`, `--jobs`, `--plot`, `--json` (prints the
results as JSON instead of tables) and `--store`, here a folder. An experiment refuses options that it does not use.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Container, Sequence
from contextlib import ExitStack
from pathlib import Path

from ggp.cli.executors import working_on
from ggp.cli.interrupts import Interrupts
from ggp.errors import GgpError

RESULTS = Path("results")
"""Default folder of records, in the working directory."""
EXIT_BAD_INPUT, EXIT_INTERRUPTED = 2, 130

_CLUSTER = ExitStack()
"""Holds the connection to a cluster while an experiment runs."""


def count(text: str) -> int:
    """Return a positive whole number.

    Raises:
        ArgumentTypeError: it is not one.
    """
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a positive whole number")
    return number


def read_options(
    module: str,
    description: str,
    words: Sequence[str],
    without: Container[str] = (),
    add: Callable[[argparse.ArgumentParser], None] | None = None,
) -> argparse.Namespace:
    """Return the options of an experiment.

    Args:
        module: the experiment's name: of its record file, and in the help.
        description: for the help; its first paragraph.
        words: the command line without the program.
        without: names, as in the returned namespace, of options that this experiment does not have.
        add: adds the experiment's own options.

    Returns:
        `quick`, `runs`, `seed`, `json`, `plot`, `jobs`, `store`, `so_far`, `markdown`, as described in the help; and
        `record`, the path of the experiment's record file, if there is a `store`.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m experiments.{module}", description=description.split("\n\n")[0], allow_abbrev=False
    )
    if add is not None:
        add(parser)

    def option(name: str, **facts: object) -> None:
        if name not in without and not (name == "executor" and "jobs" in without):
            parser.add_argument("--" + name.replace("_", "-"), **facts)  # type: ignore[arg-type]

    option("quick", action="store_true", help="a small version, as a test")
    option("runs", type=count, metavar="N", help="runs to average over")
    option("seed", type=int, default=0, help="of all chance; the same seed gives the same results")
    option("jobs", type=count, default=os.cpu_count() or 1, metavar="N", help="processes; default: one per processor")
    option("executor", metavar="tcp://HOST:PORT", help="a Dask cluster that does the work instead of local processes")
    kept = "where each result is recorded; the same command continues from the record; default: results"
    option("store", type=Path, metavar="FOLDER", default=RESULTS, help=kept)
    option("so_far", action="store_true", help="run nothing; print the recorded results")
    option(
        "plot",
        type=Path,
        metavar="FILE",
        help="where the results are drawn, as PNG, SVG or PDF; default: beside the record",
    )
    option("json", action="store_true", help="print the results as JSON instead of tables")
    option("markdown", type=Path, metavar="FILE", help="write the tables to this file instead of printing them")
    options = parser.parse_args(words)
    if getattr(options, "executor", None) is not None:
        _CLUSTER.enter_context(working_on(options.executor))
    if "store" not in without:
        options.record = options.store / f"{module}{'_quick' if options.quick else ''}.sqlite"
        before = options.record.with_suffix(".jsonl")
        if before.exists() and not options.record.exists():
            before.rename(options.record)  # of an earlier version; opening it converts it
        if "plot" not in without and options.plot is None and not options.quick:
            options.plot = options.record.with_suffix(".svg")
    return options


def run_experiment(main: Callable[[Sequence[str]], None]) -> None:
    """Run an experiment with the command line, and exit with its status: 0, 2 after an error, 130 after Ctrl-C."""
    Interrupts().handle()
    try:
        with _CLUSTER:
            main(sys.argv[1:])
    except GgpError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        print("stopped; recorded results are kept, and the same command continues from there", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
