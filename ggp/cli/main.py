"""The `ggp` command: registers the subcommands and turns errors into one clear line.

Every subcommand has its own module, which imports heavy packages only when it runs.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import ggp
from ggp.cli.commands.bench import bench
from ggp.cli.commands.check import check
from ggp.cli.commands.competition import competition
from ggp.cli.commands.exploit import exploit
from ggp.cli.commands.fmt import fmt
from ggp.cli.commands.games import games
from ggp.cli.commands.join import join
from ggp.cli.commands.lsp import lsp
from ggp.cli.commands.match import match
from ggp.cli.commands.perft import perft
from ggp.cli.commands.play import play
from ggp.cli.commands.replay import replay
from ggp.cli.commands.serve import serve
from ggp.cli.commands.show import show
from ggp.cli.commands.solve import solve
from ggp.cli.commands.studio import studio
from ggp.cli.commands.tournament import CommandWithPlayers, tournament
from ggp.cli.interrupts import Interrupts
from ggp.errors import GgpError

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


class InterruptibleGroup(TyperGroup):
    """Says in one line that a command was interrupted; typer itself would end without a word."""

    def make_context(self, *arguments: Any, **more: Any) -> Any:
        """Read the command line."""
        with _told_interrupts():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _told_interrupts():
            return super().invoke(ctx)


@contextmanager
def _told_interrupts() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as interrupt:
        print(f"ggp: {str(interrupt) or 'stopped'}", file=sys.stderr)
        raise typer.Exit(EXIT_INTERRUPTED) from interrupt


app = typer.Typer(
    name="ggp",
    cls=InterruptibleGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"ggp {ggp.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")
    ] = False,
) -> None:
    """General game playing: write games, play them, host competitions, measure players."""


for command in (games, check, show, perft, fmt, play, match, bench, solve, exploit, serve, studio, join, replay, lsp):
    app.command()(command)
app.command(cls=CommandWithPlayers)(tournament)
app.add_typer(competition, name="competition")


def main() -> None:
    """Run the command line and exit with its status."""
    Interrupts().handle()
    if logging.lastResort is not None:  # formats warnings of players if a command has not configured logging
        logging.lastResort.setFormatter(logging.Formatter("ggp: %(message)s"))
    try:
        app()
    except GgpError as error:
        print(error if error.names_place else f"ggp: error: {error}", file=sys.stderr)
        sys.exit(EXIT_BAD_INPUT)
    except BrokenPipeError:
        # The reader of our output has gone (`ggp games | head`): exit without a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_BAD_INPUT)


if __name__ == "__main__":
    main()
