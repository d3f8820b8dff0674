"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ggp.errors import GgpError

game_argument = click.argument("game", metavar="GAME", help="A rules file, or the name of a library game.")
parameter_option = click.option(
    "--param",
    "-p",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter of the game; may be given several times.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, help="Seed of all chance; the same seed gives the same run."
)
store_option = click.option(
    "--store",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Record results in this file, or continue its record.",
)
play_clock_option = click.option(
    "--play-clock",
    type=click.FloatRange(min=0.001),
    help="Seconds per move; a move over 0.05 s late is an error and is replaced by a random one.",
    show_default="0.1",
)
iterations_option = click.option(
    "--iterations", type=click.IntRange(min=1), help="Search iterations per move, instead of a clock."
)
jobs_option = click.option("--jobs", type=click.IntRange(min=1), help="Processes.", show_default="one per processor")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")


class InOrder(click.Group):
    """Commands whose help lists them as they were written, not by the alphabet."""

    def list_commands(self, _: click.Context) -> list[str]:
        """Return their names."""
        return list(self.commands)


class BadArgument(GgpError):
    """An argument of the command line that cannot be understood."""


def parameters_from(pairs: Sequence[str]) -> dict[str, str]:
    """Return the parameters given as `NAME=VALUE`.

    Raises:
        BadArgument: a pair has no `=` or no name, or a name is given twice.
    """
    parameters: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise BadArgument(f"`-p {pair}` is not of the form NAME=VALUE, such as `-p n=4`")
        if name.strip() in parameters:
            raise BadArgument(f"parameter `{name.strip()}` is given twice")
        parameters[name.strip()] = value.strip()
    return parameters


def role_number(roles: Sequence[str], role: str, game: str) -> int:
    """Return the number of a role.

    Raises:
        BadArgument: the game has no such role.
    """
    if role not in roles:
        raise BadArgument(f"{game} has no role `{role}`; its roles are {', '.join(roles)}")
    return roles.index(role)
