"""`ggp match`: players against each other in one process or several, without network."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.arguments import BadArgument, GameArgument, JsonOption, ParameterOption, SeedOption, parameters_from

if TYPE_CHECKING:
    from rich.progress import Progress

    from ggp.model.game import Game
    from players.matches import GameResult, Standing, Thinking
    from players.registry import PlayerSpec

DEFAULT_PLAY_CLOCK_S = 0.1
BATCHES_PER_JOB = 16
"""Into how many parts each process's share of the games is split: progress shows them, and no process waits long."""


def match(
    game: GameArgument,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="One a role: `rm`, `duct:c=1,final=max`.")],
    parameters: ParameterOption = [],  # noqa: B006 - read only; typer wants a list
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    play_clock: Annotated[
        float | None,
        typer.Option(
            "--play-clock",
            min=0.001,
            help="Seconds for each move; one that is over 0.05 s late is replaced by a random one, an error.",
            show_default="0.1",
        ),
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", min=1, help="Iterations for each move, instead of a clock.")
    ] = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="Seats go round; all seatings get the same chance seeds.")
    ] = False,
    seed: SeedOption = 0,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Processes.", show_default="one a processor")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play games between players and say who won how often."""
    if play_clock is not None and iterations is not None:
        raise BadArgument("give --play-clock or --iterations, not both")
    from players.matches import Thinking, standings

    if iterations is None:
        thinking = Thinking(play_clock_s=play_clock or DEFAULT_PLAY_CLOCK_S)
    else:
        thinking = Thinking(iterations=iterations)
    bound = parameters_from(parameters)
    specs = _checked_players(game, bound, players)
    workers = min(jobs or os.cpu_count() or 1, games)
    results = _play_all(game, bound, specs, games, seed, swap, thinking, workers)
    table = standings(results)
    if as_json:
        print(json.dumps(_facts(table, games), indent=2))
    else:
        _print_table(specs, table, games)


def _checked_players(game: str, parameters: dict[str, str], players: Sequence[str]) -> list[PlayerSpec]:
    """Return the players, compiled and each known to be able to play the game.

    Raises:
        BadArgument: there are too many or too few.
        GgpError: a player or the game is unknown, or a player cannot play it.
    """
    import ggp
    from players.registry import read_player
    from players.warmup import warm_up

    specs = [read_player(text) for text in players]
    loaded = ggp.load(game, **parameters)
    if len(specs) != len(loaded.players):
        roles = ", ".join(loaded.players)
        raise BadArgument(
            f"{loaded.name} has {len(loaded.players)} roles ({roles}), and {len(specs)} players are given"
        )
    for spec in specs:
        spec.kind.check(loaded)
    with _progress() as progress:
        task = progress.add_task("compiling", total=None)

        def tell(done: int, total: int, name: str) -> None:
            progress.update(task, completed=done, total=total, description=f"compiling {name}")

        warm_up(specs, tell)
    return specs


def _play_all(
    game: str,
    parameters: dict[str, str],
    players: Sequence[PlayerSpec],
    games: int,
    seed: int,
    swap: bool,
    thinking: Thinking,
    workers: int,
) -> list[GameResult]:
    """Play all games, in processes of their own where there are several workers; in the order of their numbers."""
    texts = [str(player) for player in players]
    size = max(1, games // (workers * BATCHES_PER_JOB))
    batches = [list(range(first, min(first + size, games))) for first in range(0, games, size)]
    found: list[GameResult] = []
    with _progress() as progress:
        task = progress.add_task("playing", total=games)
        for results in _batches(game, parameters, texts, batches, seed, swap, thinking, workers):
            found.extend(results)
            progress.advance(task, len(results))
    return sorted(found, key=lambda result: result.number)


def _batches(
    game: str,
    parameters: dict[str, str],
    players: list[str],
    batches: list[list[int]],
    seed: int,
    swap: bool,
    thinking: Thinking,
    workers: int,
) -> Iterator[list[GameResult]]:
    if workers == 1:
        for batch in batches:
            yield play_batch(game, parameters, players, batch, seed, swap, thinking)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    # not forked: a copy of a process with compiled code and threads in it may hang
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as executor:
        futures = [
            executor.submit(play_batch, game, parameters, players, batch, seed, swap, thinking) for batch in batches
        ]
        for future in as_completed(futures):
            yield future.result()


def play_batch(
    game: str,
    parameters: dict[str, str],
    players: list[str],
    numbers: list[int],
    seed: int,
    swap: bool,
    thinking: Thinking,
) -> list[GameResult]:
    """Play some games of a match, in whichever process this is called; arguments are plain data for that reason."""
    from players.matches import play_games
    from players.registry import read_player

    specs = [read_player(text) for text in players]
    return list(play_games(_loaded(game, tuple(parameters.items())), specs, numbers, seed, swap, thinking))


@cache
def _loaded(game: str, parameters: tuple[tuple[str, str], ...]) -> Game:
    import ggp

    return ggp.load(game, **dict(parameters))


def _progress() -> Progress:
    """Return a progress bar on the standard error, with the time left; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Bar(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())


def _facts(table: Sequence[Standing], games: int) -> dict[str, list[float]]:
    return {
        "games": [games for _ in table],
        "wins": [standing.wins for standing in table],
        "draws": [standing.draws for standing in table],
        "win_rate": [standing.win_rate for standing in table],
        "ci95": [standing.ci95 for standing in table],
        "mean_payoff": [standing.mean_payoff for standing in table],
        "errors": [standing.errors for standing in table],
    }


def _print_table(players: Sequence[PlayerSpec], table: Sequence[Standing], games: int) -> None:
    from rich.console import Console
    from rich.table import Table

    drawn = Table("player", title=f"{games} games", title_justify="left")
    for heading in ("wins", "draws", "win rate", "mean payoff", "errors"):
        drawn.add_column(heading, justify="right")
    for player, standing in zip(players, table, strict=True):
        rate = f"{100 * standing.win_rate:.1f} ± {100 * standing.ci95:.1f} %"
        numbers = str(standing.wins), str(standing.draws), rate, f"{standing.mean_payoff:.3f}", str(standing.errors)
        drawn.add_row(str(player), *numbers)
    Console().print(drawn)
