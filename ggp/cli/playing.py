"""Plays the games of matches on all cores, for `ggp match` and `ggp tournament`.

Games are handed out in batches and come back in parts, so that a run that is interrupted loses little of what it
played. The result of a game depends on its number only, never on the process or the batch that it is played in.
"""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import wait as wait_for_any
from typing import TYPE_CHECKING

from ggp.cli.arguments import BadArgument
from ggp.errors import GgpError

if TYPE_CHECKING:
    from ggp.model.game import Game
    from players.matches import GameResult, Thinking
    from players.registry import PlayerSpec

DEFAULT_PLAY_CLOCK_S = 0.1
PART_S = 1.0
"""A process hands over what it has played after so many seconds, or after its game then."""
BATCHES_AHEAD = 2
"""Batches that wait for each process, so that none is idle."""


class PlayingFailed(GgpError):
    """A process that played games came to an end from outside."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match, as plain data that other processes can be told.

    Attributes:
        game: name or path.
        parameters: of the game, by name.
        players: specifications, as many as the game has roles.
        seed: of the whole match.
        swap: whether seats go round.
        thinking: how long a player may think about a move.
    """

    game: str
    parameters: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    seed: int
    swap: bool
    thinking: Thinking


@dataclass(frozen=True, slots=True)
class Batch:
    """Some games of a match, by their numbers."""

    plan: MatchPlan
    numbers: Sequence[int]


def thinking_from(play_clock: float | None, iterations: int | None) -> Thinking:
    """Return what the two options say.

    Raises:
        BadArgument: both are given.
    """
    from players.matches import Thinking

    if iterations is None:
        return Thinking(play_clock_s=play_clock or DEFAULT_PLAY_CLOCK_S)
    if play_clock is not None:
        raise BadArgument("give --play-clock or --iterations, not both")
    return Thinking(iterations=iterations)


def load_with_digest(name: str, parameters: dict[str, str]) -> tuple[Game, str]:
    """Return a game, and a hash of its rules and of the files that they read.

    Raises:
        GgpError: the game is unknown, or its rules have errors.
    """
    from ggp.language import load_rules
    from ggp.model.loading import game_from_source

    source, read_text = load_rules(name)
    digest = hashlib.sha256(source.text.encode())

    def read_and_hash(file: str) -> str:
        text = read_text(file)
        digest.update(b"\0" + text.encode())
        return text

    game = game_from_source(source, parameters, read_and_hash)
    return game, digest.hexdigest()


def make_ready(players: Sequence[PlayerSpec], games: Sequence[Game]) -> None:
    """Compile games and players once, before every process wants them.

    Raises:
        NotApplicable: a player cannot play a game.
    """
    from ggp.cli.progress import progress_bar
    from players.warmup import warm_up

    for game in games:
        for player in players:
            player.kind.check(game)
        game.native()
    with progress_bar() as progress:
        task = progress.add_task("compiling", total=None)

        def tell(done: int, total: int, name: str) -> None:
            progress.update(task, completed=done, total=total, description=f"compiling {name}")

        warm_up(players, tell)


def play_batches(batches: Sequence[Batch], jobs: int | None) -> Generator[tuple[MatchPlan, list[GameResult]]]:
    """Play batches, in processes of their own where there are several, and yield results as they come.

    Close the generator to end the processes at once.

    Args:
        batches: what to play.
        jobs: how many processes at most; one a processor where None.

    Raises:
        PlayingFailed: a process was ended from outside.
    """
    workers = min(jobs or os.cpu_count() or 1, len(batches))
    waiting = deque(batches)
    if workers <= 1:
        while waiting:
            batch = waiting.popleft()
            results = play_part(batch.plan, batch.numbers, PART_S)
            _put_back_rest(waiting, batch, results)
            yield batch.plan, results
        return
    playing: dict[Future[list[GameResult]], Batch] = {}
    # not forked: a copy of a process with compiled code and threads in it may hang
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, _begin_worker) as executor:
        try:
            while waiting or playing:
                with _interrupts_ignored_by_new_processes():
                    while waiting and len(playing) < BATCHES_AHEAD * workers:
                        batch = waiting.popleft()
                        playing[executor.submit(play_part, batch.plan, batch.numbers, PART_S)] = batch
                for future in wait(playing, return_when=FIRST_COMPLETED).done:
                    batch, results = playing.pop(future), future.result()
                    _put_back_rest(waiting, batch, results)
                    yield batch.plan, results
        except BaseException as error:
            # nobody wants what is being played: the processes would go on with it for as long as a game takes
            for process in multiprocessing.active_children():
                process.terminate()
            if isinstance(error, BrokenProcessPool):
                raise PlayingFailed(
                    "a process that played games was ended from outside; is there too little memory for --jobs?"
                ) from error
            raise


def _put_back_rest(waiting: deque[Batch], batch: Batch, results: Sequence[GameResult]) -> None:
    rest = batch.numbers[len(results) :]
    if rest:
        waiting.appendleft(Batch(batch.plan, rest))


def play_part(plan: MatchPlan, numbers: Sequence[int], seconds: float) -> list[GameResult]:
    """Play games of a match, in whichever process this is called, until some seconds have passed: at least one.

    Returns:
        The results, in the order of the numbers, from the first on.
    """
    from players.matches import play_games
    from players.registry import read_player

    specs = [read_player(text) for text in plan.players]
    end = time.monotonic() + seconds
    results = []
    for result in play_games(_loaded(plan.game, plan.parameters), specs, numbers, plan.seed, plan.swap, plan.thinking):
        results.append(result)
        if time.monotonic() >= end:
            break
    return results


@cache
def _loaded(game: str, parameters: tuple[tuple[str, str], ...]) -> Game:
    import ggp

    return ggp.load(game, **dict(parameters))


@contextlib.contextmanager
def _interrupts_ignored_by_new_processes() -> Iterator[None]:
    """Let processes that are started meanwhile ignore Ctrl-C from the first moment; one that comes meanwhile counts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _begin_worker() -> None:
    """Leave interrupts to the parent, and end when it ends, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait_for_any([parent.sentinel])
    os._exit(1)
