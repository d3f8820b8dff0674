"""`ggp join`: runs one of our players on any game manager."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NoReturn

import click

from ggp.cli.arguments import BadArgument, json_option, seed_option
from ggp.cli.auto_choices import tell_choices
from ggp.cli.manager_client import manager_address
from ggp.terminal import safe_text

if TYPE_CHECKING:
    from ggp.game.game import Game
    from ggp.protocol.messages import End, Start
    from players.agents.registry import PlayerSpec

EXIT_INTERRUPTED = 130


@click.command()
@click.argument("url", metavar="URL", help="Of the manager: ws://HOST:PORT/play, or HOST:PORT.")
@click.argument(
    "player", required=False, default="auto", metavar="[PLAYER]", help="Such as `rm` or `duct:final=mix,think=0.5`."
)
@click.option("--name", help="The name to play under; the player's if not given.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help="Keeps the player's token, and with it its identity, between runs.",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=60.0,
    help="Seconds to try to connect, at first and after a connection broke.",
)
@click.option("--competition", metavar="NAME", help="The competition to enter, by name or number.")
@click.option(
    "--invitation", metavar="TOKEN", envvar="GGP_INVITATION", show_envvar=True, help="From the host of the competition."
)
@click.option(
    "--unable", default="leave", metavar="leave|random", help="What to do in a game that the player cannot play."
)
@seed_option
@json_option
def join(
    url: str,
    player: str,
    name: str | None,
    token_file: Path | None,
    patience: float,
    competition: str | None,
    invitation: str | None,
    unable: str,
    seed: int,
    as_json: bool,
) -> None:
    """Join a game manager with one of our players, and play until the manager ends.

    With --json, the matches that were played to their end are printed then, or on Ctrl-C.
    """
    from players.agents.registry import read_player
    from players.client import join as join_manager
    from players.network.network_player import game_of, make_match_player

    if unable not in ("leave", "random"):
        raise BadArgument(f"--unable is `{unable}`; it is leave or random")
    if invitation is not None and competition is None:
        raise BadArgument("--invitation is to a competition: name it with --competition")
    address = f"{manager_address(url, 'ws')}/play"
    spec = read_player(player)
    handler = logging.StreamHandler()
    handler.setFormatter(_SafeFormatter("ggp join: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    tell_choices("ggp join")
    get_ready = _once_for_each_game(spec)
    matches: list[dict[str, object]] = []
    farewell = ""
    try:
        farewell = join_manager(
            address,
            make_match_player(spec, seed, get_ready, lambda start, end: matches.append(match_facts(start, end))),
            name or player[:64],
            token_file=token_file,
            patience_s=patience,
            entering=None if competition is None else (competition, invitation),
            plays_on_as_random=unable == "random",
            prepare=lambda message: get_ready(game_of(message)),
        )
        status, said = 0, f"{name or player}: {farewell or 'the manager has closed the connection'}"
    except KeyboardInterrupt:
        status, said = EXIT_INTERRUPTED, "ggp: stopped"
    if as_json:
        print(json.dumps({"player": player, "farewell": farewell, "matches": matches}))
    print(said, file=sys.stderr)
    _leave(status)


def match_facts(start: Start, end: End) -> dict[str, object]:
    """Return what `--json` tells of a match, by its first and last message."""
    return {
        "match": end.match,
        "game": start.game,
        "parameters": start.parameters,
        "role": start.role,
        "result": end.result,
        "reason": end.reason,
        "utilities": end.utilities,
        "errors": [error.kind for error in end.errors if error.role == start.role],
    }


class _SafeFormatter(logging.Formatter):
    """Escapes everything before it reaches the terminal: a manager's texts may be in messages and tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record, each escaped."""
        return "\n".join(safe_text(line) for line in super().format(record).split("\n"))


def _leave(status: int) -> NoReturn:
    """End the process now: Python's own end would wait for the threads in which the player still thinks."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _once_for_each_game(spec: PlayerSpec) -> Callable[[Game], None]:
    """Return a function that compiles a game and the player's kernels for it, one game at a time, in any thread."""
    lock = Lock()
    ready: set[Game] = set()

    def get_ready(game: Game) -> None:
        if game in ready:  # a match of it does not wait while another game is being compiled
            return
        with lock:
            if game not in ready:
                _warm_up(spec, game)
                ready.add(game)

    return get_ready


def _warm_up(spec: PlayerSpec, game: Game) -> None:
    """Compile a game and the player's kernels for it."""
    from ggp.cli.playing import compile_kernels

    game.native()
    if spec.kind.searches:
        compile_kernels([spec], [game], command="ggp join")
