"""`ggp match`: players against each other, in one or several processes, without a network."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from ggp.cli.arguments import (
    BadArgument,
    game_argument,
    iterations_option,
    jobs_option,
    json_option,
    parameter_option,
    parameters_from,
    play_clock_option,
    seed_option,
    store_option,
)
from ggp.cli.executors import executor_option, working_on
from ggp.language.library import SUFFIX

if TYPE_CHECKING:
    from ggp.cli.playing import MatchPlan
    from players.agents.registry import PlayerSpec
    from players.evaluation.matches import GameResult, Standing, TimeControl

FEW_ITERATIONS = 500
"""Games of so few iterations a move in all are over before another process has started."""
BATCHES_A_PROCESS = 16
"""At least this many batches for each process, so that all end at about the same time."""


@click.command()
@game_argument
@click.argument(
    "players",
    nargs=-1,
    metavar="[PLAYER...]",
    help="One a role: `rm`, `duct:c=1,final=max`; `auto` in all roles if none is given.",
)
@parameter_option
@click.option("--games", type=click.IntRange(min=1), default=100, help="How many games.")
@play_clock_option
@iterations_option
@click.option("--swap", is_flag=True, help="Players change seats; all seatings get the same chance seeds.")
@seed_option
@jobs_option
@executor_option
@store_option
@json_option
def match(
    game: str,
    players: tuple[str, ...],
    parameters: tuple[str, ...],
    games: int,
    play_clock: float | None,
    iterations: int | None,
    swap: bool,
    seed: int,
    jobs: int | None,
    executor: str | None,
    store: Path | None,
    as_json: bool,
) -> None:
    """Play games between players and print how often each one won."""
    from ggp.cli.playing import PLAYING, processes_for, table_facts, time_control_from
    from players.agents.processes import workers_kept
    from players.evaluation.matches import errors_line, faults_line, faults_told, standings

    time_control = time_control_from(play_clock, iterations)
    if iterations is not None and iterations * games <= FEW_ITERATIONS:
        jobs = jobs or 1
    with workers_kept(0 if executor else processes_for(games, jobs), PLAYING):
        specs, plan, digest, teams = _planned(game, parameters_from(parameters), players, seed, swap, time_control)
        with working_on(executor):
            results = _played(plan, digest, games, jobs, store)
    table, faults = standings(results, teams), faults_told(results)
    if as_json:
        first = next((result.first_error for result in results if result.first_error), None)
        facts = {"games": [games for _ in table], **table_facts(table), **faults, "first_error": first}
        print(json.dumps(facts, indent=2))
    else:
        _print_table(specs, table, games)
        for line in (errors_line(results), faults_line(faults, games)):
            if line is not None:
                print(line)


def _planned(
    game: str, parameters: dict[str, str], players: Sequence[str], seed: int, swap: bool, time_control: TimeControl
) -> tuple[list[PlayerSpec], MatchPlan, str, tuple[int, ...]]:
    """Return the players, compiled and checked against the game, the match, a hash of the rules, and the teams.

    Without players, `auto` plays all roles.

    Raises:
        BadArgument: there are too many or too few, or one is a rules file.
        GgpError: a player or the game is unknown, or a player cannot play it.
    """
    from ggp.cli.playing import MatchPlan, load_with_digest, make_ready
    from players.agents.registry import read_player

    if (rules := next((text for text in players if text.endswith(SUFFIX)), None)) is not None:
        raise BadArgument(f"the game comes first: `ggp match {rules} ...`")
    specs = [read_player(text) for text in players]
    loaded, digest = load_with_digest(game, parameters)
    specs = specs or [read_player("auto") for _ in loaded.players]
    if len(specs) != len(loaded.players):
        roles = ", ".join(loaded.players)
        counted = "1 role" if len(loaded.players) == 1 else f"{len(loaded.players)} roles"
        given = "1 player is" if len(specs) == 1 else f"{len(specs)} players are"
        raise BadArgument(f"{loaded.name} has {counted} ({roles}), but {given} given")
    make_ready(specs, [loaded], load=False)
    names = tuple(str(spec) for spec in specs)
    plan = MatchPlan(game, tuple(loaded.parameters.items()), names, seed, swap, time_control)
    return specs, plan, digest, loaded.teams


def _played(plan: MatchPlan, digest: str, games: int, jobs: int | None, store: Path | None) -> list[GameResult]:
    """Return the results of all games in the order of their numbers: recorded ones, and the others played now.

    Raises:
        RecordUnusable: the record is of another match, or cannot be read or written.
        WorkerLost: a process was killed.
    """
    from msgspec import convert

    from ggp.cli.playing import Batch, play_batches, stopped, tell_found
    from ggp.cli.progress import progress_bar
    from ggp.competition.run_store import RunStore
    from players.evaluation.matches import GameResult

    found: dict[int, GameResult] = {}
    with ExitStack() as stack:
        record = None
        if store is not None:
            record = stack.enter_context(RunStore(store, "match", {**to_builtins(plan), "digest": digest}))
            record.read(lambda one: found.update({one["number"]: convert(one, GameResult)}))
            tell_found(store, len(found))
        bar = stack.enter_context(progress_bar())
        missing = [number for number in range(games) if number not in found]
        task = bar.add_task("playing", total=games, completed=games - len(missing))
        size = max(1, len(missing) // ((jobs or os.cpu_count() or 1) * BATCHES_A_PROCESS))
        batches = [Batch(plan, missing[first : first + size]) for first in range(0, len(missing), size)]
        try:
            for _, results in stack.enter_context(closing(play_batches(batches, jobs))):
                if record is not None:
                    record.append(*map(to_builtins, results))
                found.update({one.number: one for one in results})
                bar.advance(task, len(results))
        except KeyboardInterrupt:
            raise stopped(sum(number < games for number in found), games, store) from None
    return [found[number] for number in range(games)]


def _print_table(players: Sequence[PlayerSpec], table: Sequence[Standing], games: int) -> None:
    from rich.console import Console
    from rich.table import Table

    drawn = Table("player", title=f"{games} game{'' if games == 1 else 's'}", title_justify="left")
    for heading in ("wins", "draws", "win rate", "mean payoff", "errors"):
        drawn.add_column(heading, justify="right")
    for player, standing in zip(players, table, strict=True):
        rate = f"{100 * standing.win_rate:.1f} ± {100 * standing.ci95:.1f} %"
        numbers = str(standing.wins), str(standing.draws), rate, f"{standing.mean_payoff:.3f}", str(standing.errors)
        drawn.add_row(str(player), *numbers)
    Console().print(drawn)
