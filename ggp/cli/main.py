"""The `ggp` command: registers the subcommands and turns errors into one clear line.

Every subcommand has its own module, imported when it is called for: half a second would go into importing them all.
"""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

import ggp
from ggp.cli.arguments import InOrder
from ggp.cli.interrupts import Interrupts
from ggp.errors import GgpError

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


COMMANDS = (
    "games", "check", "report", "show", "export", "perft", "fmt", "play", "match", "bench", "train", "solve", "exploit",
    "serve", "studio", "join", "replay", "lsp", "tournament", "competition",
)  # fmt: skip
"""The command or the group of commands NAME is in `ggp.cli.commands.NAME`."""


class Commands(InOrder):
    """Imports a command when it is called for, and says in one line that it was interrupted.

    click itself would import them all, and end without a word.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: dict[str, Any] = dict.fromkeys(COMMANDS)

    def get_command(self, _: Any, cmd_name: str) -> Any:
        """Return the command of a name, or None."""
        if cmd_name in self.commands and self.commands[cmd_name] is None:
            self.commands[cmd_name] = getattr(import_module(f"ggp.cli.commands.{cmd_name}"), cmd_name)
        return self.commands.get(cmd_name)

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
        raise click.exceptions.Exit(EXIT_INTERRUPTED) from interrupt


@click.command("ggp", cls=Commands, context_settings={"show_default": True})
@click.version_option(
    ggp.__version__, prog_name="ggp", message="%(prog)s %(version)s", help="Print the version and exit."
)
def app() -> None:
    """General game playing: write games, play them, host competitions, measure players."""


def main() -> None:
    """Run the command line and exit with its status."""
    Interrupts().handle()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="replace")  # such as in the C locale: a `?` rather than a traceback
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
