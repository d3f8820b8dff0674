"""The shape of an experiment: its title and text, its options, what it measures, and what has been seen of it so far.

A module of an experiment defines what is measured, the published numbers, and how its tables look; it ends with an
`Experiment`, which reads the command line, writes the page, and exits as a command does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.options import CLUSTER, Option, read_options
from experiments.tables import write_results
from ggp.cli.interrupts import Interrupts
from ggp.errors import GgpError

EXIT_BAD_INPUT, EXIT_INTERRUPTED = 2, 130
READINGS = Path(__file__).with_name("readings")
"""What the tables of some experiments have shown so far, by the experiment's name: it stands before them in the page,
and is to be read again after every run."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment as a command.

    Attributes:
        module: its name: of the command and of its record.
        title: of the page.
        about: the module's docstring: its first paragraph says what the experiment is, the others stand in the page.
        measure: takes the options; returns what follows in the page, and the results as plain data.
        options: its own.
        runs: default of `--runs`, and in the quick form; None: it has no runs.
        without: names of shared options that it has no use for.
    """

    module: str
    title: str
    about: str | None
    measure: Callable[[argparse.Namespace], tuple[Sequence[str], Any]]
    options: tuple[Option, ...] = ()
    runs: tuple[int, int] | None = None
    without: tuple[str, ...] = ()

    def main(self, words: Sequence[str]) -> None:
        """Run the experiment with a command line."""
        about = self.about or ""
        options = read_options(self.module, about, words, self.options, self.runs, self.without)
        parts, facts = self.measure(options)
        text, file = about.partition("\n\n")[2], READINGS / f"{self.module}.md"
        reading = file.read_text(encoding="utf-8") if file.exists() else ""
        page = "\n\n".join(part for one in (f"# {self.title}", text, reading, *parts) if (part := one.strip()))
        write_results(options, page + "\n", facts)

    def run(self) -> None:
        """Run it with this process's command line; exit with its status: 0, 2 after an error, 130 after Ctrl-C."""
        Interrupts().handle()
        try:
            with CLUSTER:
                self.main(sys.argv[1:])
        except GgpError as error:
            print(f"error: {error}", file=sys.stderr)
            sys.exit(EXIT_BAD_INPUT)
        except KeyboardInterrupt:
            print("stopped; recorded results are kept, and the same command continues from there", file=sys.stderr)
            sys.exit(EXIT_INTERRUPTED)
