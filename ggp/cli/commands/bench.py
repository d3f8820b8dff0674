"""`ggp bench`: the speed of a game natively, in batches and in Python, and of a player's search on it."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from ggp.cli.arguments import game_argument, json_option, parameter_option, parameters_from, seed_option
from ggp.errors import GgpError

if TYPE_CHECKING:
    from random import Random

    from ggp.game.game import Game

FIRST_COUNT = 4
SLICE_S = 0.02
"""About how long a call takes; the clock is read in between."""


@click.command()
@game_argument
@parameter_option
@click.option("--player", help="Also measure this player's search.")
@click.option("--batch", type=click.IntRange(min=1), metavar="N", help="Also measure batches of N games on one core.")
@click.option("--python", is_flag=True, help="Also measure random games in a loop over `State`.")
@click.option("--seconds", type=click.FloatRange(min=0.05), default=1.0, help="How long each measurement takes.")
@seed_option
@json_option
def bench(
    game: str,
    parameters: tuple[str, ...],
    player: str | None,
    batch: int | None,
    python: bool,
    seconds: float,
    seed: int,
    as_json: bool,
) -> None:
    """Measure random playouts, transitions and compilation of a game; with a player, iterations of its search."""
    import ggp
    from ggp.cli.progress import progress_bar

    loaded = ggp.load(game, **parameters_from(parameters))
    measurements: list[tuple[str, Callable[[], None]]] = []
    facts: dict[str, float | list[float]] = {}
    plays: list[Plays] = []

    def measure_plays() -> None:
        plays.append(random_plays(loaded, seconds, seed))
        facts.update(plays[0].facts())

    measurements.append(("compiling", lambda: facts.update(compile_times(loaded))))
    measurements.append(("random playouts", measure_plays))
    if batch is not None:
        measurements.append((f"batches of {batch}", lambda: facts.update(batch_speed(loaded, batch, seconds, seed))))
    if python:
        measurements.append(("games in Python", lambda: facts.update(python_speed(loaded, seconds, seed))))
    if player is not None:
        speed = lambda: facts.update(iterations_per_s=search_speed(loaded, player, seconds, seed))  # noqa: E731
        measurements.append((f"search of {player}", speed))
    with progress_bar() as bar:
        task = bar.add_task("", total=len(measurements))
        for title, measure in measurements:
            bar.update(task, description=title)
            measure()
            bar.advance(task)
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    for key, value in facts.items():
        if not isinstance(value, list):
            print(f"{key:20} {number_text(value)}")
    print("\n".join(plays[0].lines(loaded)))


def number_text(value: float) -> str:
    """Return a number with a readable number of digits."""
    return f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"


def compile_times(game: Game) -> dict[str, float]:
    """Return the seconds that native code takes to compile, and to load from the cache.

    Raises:
        NoRules: the game was not made from rules.
    """
    from ggp.codegen.llvm.compilation import compiled
    from ggp.codegen.machine_code import MachineCode
    from ggp.rules_compiler.native_code import load_native
    from ggp.rules_compiler.rules_backend import rules_of

    backend = rules_of(game)
    code, digest, names = backend.plain.code, backend.entry.source_digest, backend.native_names
    load_native(digest, names, lambda: code)  # puts it into the cache
    began = time.perf_counter()
    MachineCode(compiled(code, names), names)
    compiled_at = time.perf_counter()
    load_native(digest, names, lambda: code)
    return {"compile_cold_s": compiled_at - began, "compile_cached_s": time.perf_counter() - compiled_at}


class Plays(Struct, frozen=True):
    """The results of random playouts.

    Attributes:
        seconds: how long they took.
        ended, faulted, cut: playouts that ended, ran into a fault of the rules, or were cut by the limit.
        transitions: of those that ended or were cut.
        length: mean length of those that ended, and its standard error.
        utilities: of each player, likewise.
        first_fault: the first fault, with its place; None: there was none.
    """

    seconds: float
    ended: int
    faulted: int
    cut: int
    transitions: int
    length: tuple[float, float]
    utilities: list[tuple[float, float]]
    first_fault: str | None

    def facts(self) -> dict[str, float | list[float]]:
        """Return the results as `--json` prints them. Speeds count only playouts that ended."""
        played = self.ended + self.faulted + self.cut
        return {
            "playouts_per_s": self.ended / self.seconds,
            "steps_per_s": self.transitions / self.seconds,
            "mean_length": self.length[0],
            "mean_utilities": [mean for mean, _ in self.utilities],
            "faulted_share": self.faulted / played,
            "cut_share": self.cut / played,
        }

    def lines(self, game: Game) -> list[str]:
        """Return the lines that follow the speeds: means with standard errors, faults and cuts."""
        from ggp.native.playouts import PLAYOUT_LIMIT

        played = self.ended + self.faulted + self.cut
        lines = []
        if self.ended:
            utilities = zip(game.players, self.utilities, strict=True)
            lines = [
                f"mean utilities       {', '.join(f'{name} {mean_text(*mean)}' for name, mean in utilities)}",
                f"mean length          {mean_text(*self.length)}",
            ]
        if self.faulted:
            share = f"{self.faulted / played:.3%} of the playouts ran into a fault of the rules"
            lines.append(f"warning: {share} and do not count; the first:\n  {self.first_fault}")
        if self.cut:
            share = f"{self.cut / played:.3%} of the playouts"
            lines.append(f"warning: {share} were cut after {PLAYOUT_LIMIT:,} transitions")
        return lines


def mean_text(mean: float, error: float) -> str:
    """Return a mean with its standard error."""
    return f"{mean:.4g} ± {error:.2g}"


def mean_and_error(count: float, total: float, squares: float) -> tuple[float, float]:
    """Return the mean of `count` numbers, and its standard error, from their sum and the sum of their squares."""
    if not count:
        return 0.0, 0.0
    mean = total / count
    return mean, math.sqrt(max(squares / count - mean * mean, 0.0) / count)


def random_plays(game: Game, seconds: float, seed: int) -> Plays:
    """Return the results of native random playouts from the initial state, on one thread."""
    import numpy as np

    from ggp.arithmetic.rng import seed_word
    from ggp.native.calls import call_init
    from ggp.native.playouts import (
        CUT,
        ENDED,
        FAULTED,
        PLAYOUT_LIMIT,
        SQUARED_LENGTHS,
        TRANSITIONS,
        UTILITIES,
        random_playouts,
        totals_size,
    )

    native = game.native()
    players = native.shape.players
    state = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, state, 0)
    rng = np.array([seed_word(seed)], np.uint64)
    totals, first_fault = np.zeros(totals_size(players)), np.zeros(1, np.uint64)
    random_playouts(native, state, rng, 0, totals, first_fault)  # compiles
    count, done = FIRST_COUNT, 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        random_playouts(native, state, rng, count, totals, first_fault)
        done += count
        count = max(1, int(done / max(time.perf_counter() - began, 1e-9) * SLICE_S))
    ended, sums = float(totals[ENDED]), totals[UTILITIES:]
    lengths = totals[TRANSITIONS] - totals[CUT] * PLAYOUT_LIMIT
    return Plays(
        seconds=spent,
        ended=int(ended),
        faulted=int(totals[FAULTED]),
        cut=int(totals[CUT]),
        transitions=int(totals[TRANSITIONS]),
        length=mean_and_error(ended, float(lengths), float(totals[SQUARED_LENGTHS])),
        utilities=[
            mean_and_error(ended, float(sums[player]), float(sums[players + player])) for player in range(players)
        ],
        first_fault=fault_of(game, int(first_fault[0])) if totals[FAULTED] else None,
    )


def fault_of(game: Game, word: int) -> str:
    """Return the fault that a playout from this state of the random generator meets, from the plain code."""
    from ggp.native.playouts import PLAYOUT_LIMIT
    from ggp.rules_compiler.rules_backend import rules_of

    try:
        rules_of(game).plain.playout(game.initial().words, [word], PLAYOUT_LIMIT)
    except GgpError as fault:
        return str(fault)
    return "a player is to act and has no legal action; `ggp check` shows where"


def batch_speed(
    game: Game, n: int, seconds: float, seed: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Return transitions per second of n games at once, by random legal actions, on one thread, without faults."""
    import numpy as np

    from ggp.game.batch import FAULTED
    from ggp.native.playouts import PLAYOUT_LIMIT

    batch = game.batch(n, seed=seed, threads=1, limit=PLAYOUT_LIMIT)
    batch.step(batch.random_actions(), check=False)  # compiles
    made = faulted = 0
    began = clock()
    while (spent := clock() - began) < seconds:
        batch.step(batch.random_actions(), check=False)
        made += n
        faulted += int(np.count_nonzero(batch.status == FAULTED))
    return {"batch_steps_per_s": (made - faulted) / spent}


def python_speed(
    game: Game, seconds: float, seed: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Return random games per second of a plain Python loop over `State`."""
    from random import Random

    rng = Random(seed)
    game.initial().is_terminal()  # compiles
    ended = 0
    began = clock()
    while (spent := clock() - began) < seconds:
        ended += play_in_python(game, rng)
    return {"python_games_per_s": ended / spent}


def play_in_python(game: Game, rng: Random) -> bool:
    """Play a random game; return whether it ended without a fault and within the limit."""
    from ggp.faults import GameError
    from ggp.native.playouts import PLAYOUT_LIMIT

    state = game.initial()
    choice = rng.choice
    try:
        for _ in range(PLAYOUT_LIMIT):
            if state.is_terminal():
                state.utilities()
                return True
            if state.is_chance():
                state = state.apply_outcome(state.sample_outcome(rng))
                continue
            actors = state.actors()
            if len(actors) == 1:
                state = state.apply(choice(state.legal(actors[0])))
            else:
                state = state.apply({player: choice(state.legal(player)) for player in actors})
    except GameError:
        pass  # does not count
    return False


def search_speed(game: Game, player: str, seconds: float, seed: int) -> float:
    """Return a player's iterations per second at the first decision, on the threads it uses.

    Raises:
        GgpError: the player is unknown, or cannot play the game.
    """
    from ggp.cli.arguments import BadArgument
    from players.agents.iteration_rate import iterations_a_second, search_at_first_decision
    from players.agents.registry import read_player
    from players.agents.warmup import warm_up

    spec = read_player(player)
    if not spec.kind.searches:
        raise BadArgument(f"`{spec.kind.name}` does not search: there is nothing to measure")
    spec.check(game)
    warm_up([spec], lambda _done, _total, _name: None)
    return iterations_a_second(search_at_first_decision(game, spec, seed).run, seconds, time.perf_counter)
