"""Plays the games of matches on all cores, for `ggp match` and `ggp tournament`.

Games are distributed in batches and returned in parts, so that an interrupted run loses few finished games.
The result of a game depends only on its number, not on the process or the batch in which it is played.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ggp.cli.arguments import BadArgument
from ggp.cli.auto_choices import tell_choices

if TYPE_CHECKING:
    from ggp.game.game import Game
    from players.agents.registry import PlayerSpec
    from players.evaluation.matches import GameResult, Standing, TimeControl

DEFAULT_PLAY_CLOCK_S = 0.1
PLAYING = ("ggp.rules_compiler.loading", "players.evaluation.matches", "players.agents.warmup")
"""The modules that take most of the time until a process can compile and play."""
PART_S = 1.0
"""A process returns its results after this many seconds, when the current game ends."""
_GAMES: dict[tuple[str, tuple[tuple[str, str], ...]], Game] = {}
"""The games that this process has loaded, by name and parameters."""


class MatchPlan(Struct, frozen=True):
    """A match as plain data, to be sent to other processes.

    Attributes:
        game: name or path.
        parameters: of the game, by name.
        players: specifications, as many as the game has roles.
        seed: of the whole match.
        swap: whether players change seats.
        thinking: how long a player may think about a move.
    """

    game: str
    parameters: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    seed: int
    swap: bool
    thinking: TimeControl


class Batch(Struct, frozen=True):
    """Some games of a match, by their numbers."""

    plan: MatchPlan
    numbers: Sequence[int]


def processes_for(games: int, jobs: int | None) -> int:
    """Return how many processes will play some games; 0 where this one plays them."""
    processes = min(games, jobs or os.cpu_count() or 1)
    return processes if processes > 1 else 0


def table_facts(table: Sequence[Standing]) -> dict[str, list[float]]:
    """Return what `--json` prints of a table: each column as a list, by player."""
    columns = ("wins", "draws", "win_rate", "ci95", "mean_payoff", "errors")
    return {name: [getattr(row, name) for row in table] for name in columns}


def tell_found(path: Path, games: int) -> None:
    """Print on standard error how many games are recorded, if any are."""
    if games:
        print(f"ggp: continuing {path}, which has {games:,} games", file=sys.stderr)


def stopped(done: int, games: int, store: Path | None) -> KeyboardInterrupt:
    """Return an interrupt that tells how many games were played, and how they can be continued."""
    how = "`--store FILE` would keep them" if store is None else f"the same command continues {store}"
    return KeyboardInterrupt(f"stopped after {done:,} of {games:,} games; {how}")


def time_control_from(play_clock: float | None, iterations: int | None) -> TimeControl:
    """Return the time control that the two options give.

    Raises:
        BadArgument: both are given.
    """
    from players.evaluation.matches import TimeControl

    if iterations is None:
        return TimeControl(play_clock_s=play_clock or DEFAULT_PLAY_CLOCK_S)
    if play_clock is not None:
        raise BadArgument("give --play-clock or --iterations, not both")
    return TimeControl(iterations=iterations)


def load_with_digest(name: str, parameters: dict[str, str]) -> tuple[Game, str]:
    """Return a game, and a hash of its rules and of the files that they read.

    Raises:
        GgpError: the game is unknown, or its rules have errors.
    """
    from ggp.language.library import OPENSPIEL, load_rules
    from ggp.rules_compiler.loading import game_from_source, load

    if name.startswith(OPENSPIEL):
        game = load(name, **parameters)
        return game, hashlib.sha256(repr(game).encode()).hexdigest()
    source, read_text = load_rules(name)
    digest = hashlib.sha256(source.text.encode())

    def read_and_hash(file: str) -> str:
        text = read_text(file)
        digest.update(b"\0" + text.encode())
        return text

    game = game_from_source(source, parameters, read_and_hash)
    _GAMES[name, tuple(game.parameters.items())] = game
    return game, digest.hexdigest()


def make_ready(players: Sequence[PlayerSpec], games: Sequence[Game], *, load: bool = True) -> None:
    """Compile games and players once, before several processes need them.

    Args:
        players: who will play.
        games: what will be played.
        load: whether this process plays, too, and needs everything loaded.

    Raises:
        NotApplicable: a player cannot play a game.
    """
    for game in games:
        for player in players:
            player.check(game)
        game.native()
    compile_kernels(players, games, load=load)


def compile_kernels(
    players: Sequence[PlayerSpec], games: Sequence[Game], *, load: bool = True, command: str = "ggp"
) -> None:
    """Compile what players need; a bar shows the progress, or a line of the command says what is compiled."""
    from ggp.cli.progress import progress_bar
    from players.agents.warmup import COMPILED, warm_up

    with progress_bar() as progress:
        task = progress.add_task("compiling", total=None)

        def tell(done: int, total: int, name: str) -> None:
            if progress.disable and done == 0 and name.startswith(COMPILED):
                # takes long, and there is no terminal for a bar
                print(f"{command}: compiling {name}", file=sys.stderr)
            progress.update(task, completed=done, total=total, description=f"compiling {name}")

        warm_up(players, tell, games, load=load)


def play_batches(batches: Sequence[Batch], jobs: int | None) -> Generator[tuple[MatchPlan, list[GameResult]]]:
    """Play batches, in separate processes if there are several, and yield results as they come.

    Close the generator to end the processes at once.

    Args:
        batches: what to play.
        jobs: how many processes at most; None: one per processor.

    Raises:
        WorkerLost: a process was killed.
    """
    from players.agents.processes import yielded

    arguments = [(batch.plan, batch.numbers) for batch in batches]
    with closing(yielded(play_parts, arguments, jobs or os.cpu_count() or 1)) as parts:
        for number, results in parts:
            yield batches[number].plan, results


def play_parts(plan: MatchPlan, numbers: Sequence[int]) -> Iterator[list[GameResult]]:
    """Play games of a match in this process; yield the results every PART_S seconds, and at the end."""
    import ggp
    from players.agents.registry import read_player
    from players.evaluation.matches import play_games

    if 0 in numbers:  # one of the processes that play the match says what `auto` plays
        tell_choices("ggp")
    specs = [read_player(text) for text in plan.players]
    if (game := _GAMES.get((plan.game, plan.parameters))) is None:
        game = _GAMES[plan.game, plan.parameters] = ggp.load(plan.game, **dict(plan.parameters))
    end, results = time.monotonic() + PART_S, []
    for result in play_games(game, specs, numbers, plan.seed, plan.swap, plan.thinking):
        results.append(result)
        if time.monotonic() >= end:
            yield results
            end, results = time.monotonic() + PART_S, []
    if results:
        yield results
