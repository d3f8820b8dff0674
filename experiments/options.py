"""The options of experiments: those that all share, and those of one, each with its value in the full and quick form.

The shared ones are those of the `ggp` commands that measure and play: `--seed`, `--runs`, `--jobs`, `--plot`, `--json`
(prints the results as JSON instead of tables) and `--store`, here a folder. An experiment refuses options that it does
not use.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp.cli.executors import working_on
from ggp.errors import GgpError
from players.player_options import suggestion

RESULTS = Path("results")
"""Default folder of records, in the working directory."""
PRINTED = ("seed", "jobs", "store", "so_far", "plot")
"""What an experiment has no use for that takes seconds and draws nothing at random."""
CLUSTER = ExitStack()
"""Holds the connection to a cluster while an experiment runs."""


class NotKnown(GgpError):
    """A part of an experiment was asked for that it does not have."""


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


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one experiment.

    Attributes:
        name: as on the command line, with the dashes; without any, what stands there without a name.
        help: what it says; the default is added.
        full: its value if it is not given.
        quick: likewise in the quick form.
        type: reads it.
        metavar: what the help calls it.
        nargs: as for `argparse`, where it may be several.
        known: what it has to be one of.
        planned: whether results with other values are other results, not more or fewer of the same.
    """

    name: str
    help: str
    full: Any = None
    quick: Any = None
    type: Callable[[str], Any] = count
    metavar: str = "N"
    nargs: str | int | None = None
    known: Sequence[str] = ()
    planned: bool = True

    @property
    def key(self) -> str:
        """Its name in the namespace."""
        return self.name.lstrip("-").replace("-", "_")

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Add it to a parser."""
        told = f"{self.full:g}" if isinstance(self.full, float) else str(self.full)
        text = self.help if self.full is None else f"{self.help}; default: {told}"
        text += f"; of {', '.join(self.known)}" if self.known else ""
        parser.add_argument(self.name, type=self.type, metavar=self.metavar, nargs=self.nargs, help=text)

    def settle(self, options: argparse.Namespace) -> None:
        """Put the default where nothing was given.

        Raises:
            NotKnown: a value is not among the known ones.
        """
        given = getattr(options, self.key)
        if given is None or given == []:
            setattr(options, self.key, self.quick if options.quick else self.full)
            return
        for one in given if self.known and self.nargs else ():
            if one not in self.known:
                raise NotKnown(f"there is no `{one}` here{suggestion(one, self.known)}: {', '.join(self.known)}")


def seconds(name: str, help_: str, full: float, quick: float | None = None, planned: bool = True) -> Option:
    """Return an option that is a time."""
    return Option(name, help_, full, full if quick is None else quick, float, "S", planned=planned)


def some(name: str, known: Iterable[str], quick: Sequence[str], metavar: str = "NAME") -> Option:
    """Return an option that chooses some parts of an experiment; default: all."""
    all_ = tuple(known)
    return Option(name, "only these", None, quick, str, metavar, "+" if name[0] == "-" else "*", all_, planned=False)


def read_options(
    module: str,
    description: str,
    words: Sequence[str],
    own: Sequence[Option] = (),
    runs: tuple[int, int] | None = None,
    without: Sequence[str] = (),
) -> argparse.Namespace:
    """Return the options of an experiment.

    Args:
        module: the experiment's name: of its record file, and in the help.
        description: for the help; its first paragraph.
        words: the command line without the program.
        own: the experiment's own options.
        runs: default of `--runs`, and in the quick form; None: there is no such option.
        without: names, as in the returned namespace, of shared options that this experiment does not have.

    Returns:
        `quick`, `runs`, `seed`, `json`, `plot`, `jobs`, `store`, `so_far`, `markdown`, as described in the help, and
        its own ones; `record`, the path of the experiment's record file, if there is a `store`; and `plan`, what
        recorded results have in common: the seed and the planned options.

    Raises:
        NotKnown: a part was asked for that the experiment does not have.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m experiments.{module}", description=description.split("\n\n")[0], allow_abbrev=False
    )
    for one in own:
        one.add_to(parser)

    def option(name: str, **facts: object) -> None:
        if name not in without and not (name == "executor" and "jobs" in without):
            parser.add_argument("--" + name.replace("_", "-"), **facts)  # type: ignore[arg-type]

    shared = [Option("--runs", "runs to average over", *runs, planned=False)] if runs else []
    for one in shared:
        one.add_to(parser)
    option("quick", action="store_true", help="a small version, as a test")
    option("seed", type=int, default=0, help="of all chance; the same seed gives the same results")
    option("jobs", type=count, default=os.cpu_count() or 1, metavar="N", help="processes; default: one per processor")
    option("executor", metavar="tcp://HOST:PORT", help="a Dask cluster that does the work instead of local processes")
    kept = "where each result is recorded; the same command continues from the record; default: results"
    option("store", type=Path, metavar="FOLDER", default=RESULTS, help=kept)
    option("so_far", action="store_true", help="run nothing; print the recorded results")
    drawn = "where the results are drawn, as PNG, SVG or PDF; default: beside the record"
    option("plot", type=Path, metavar="FILE", help=drawn)
    option("json", action="store_true", help="print the results as JSON instead of tables")
    option("markdown", type=Path, metavar="FILE", help="write the tables to this file instead of printing them")
    options = parser.parse_args(words)
    for one in (*own, *shared):
        one.settle(options)
    options.plan = {one.key: getattr(options, one.key) for one in own if one.planned}
    if "seed" not in without:
        options.plan["seed"] = options.seed
    if getattr(options, "executor", None) is not None:
        CLUSTER.enter_context(working_on(options.executor))
    if "store" not in without:
        options.record = options.store / f"{module}{'_quick' if options.quick else ''}.sqlite"
        before = options.record.with_suffix(".jsonl")
        if before.exists() and not options.record.exists():
            before.rename(options.record)  # of an earlier version; opening it converts it
        if "plot" not in without and options.plot is None and not options.quick:
            options.plot = options.record.with_suffix(".svg")
    return options
