"""`ggp tournament`: a round robin in one or several games, in parallel, with intervals and ratings."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from ggp.cli.arguments import (
    BadArgument,
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
from ggp.cli.tournament_results import (
    Entry,
    Meeting,
    Results,
    add_record,
    facts_of,
    games_of_meeting,
    meetings_of,
    print_facts,
    stored_facts,
)

if TYPE_CHECKING:
    from ggp.cli.playing import Batch, MatchPlan
    from ggp.game.game import Game
    from players.agents.registry import PlayerSpec

PLAYERS_OPTION = "--players"
BATCHES_A_MEETING = 32
"""At most this many batches for each meeting; each is recorded when it is over."""


class CommandWithPlayers(click.Command):
    """A command whose option `--players` takes all words up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat `--players` before each of its words, the form in which options with many values are parsed."""
        spread: list[str] = []
        taking = False
        for word in args:
            if word == PLAYERS_OPTION:
                taking = True
                continue
            if word.startswith(PLAYERS_OPTION + "="):
                taking = True
                word = word.removeprefix(PLAYERS_OPTION + "=")
            taking = taking and not word.startswith("-")
            spread += [PLAYERS_OPTION, word] if taking else [word]
        return super().parse_args(ctx, spread)


@click.command(cls=CommandWithPlayers)
@click.argument(
    "games",
    nargs=-1,
    metavar="[GAME...]",
    help="Rules files, or names of library games; without any, print results in --store.",
)
@click.option(PLAYERS_OPTION, "players", multiple=True, metavar="PLAYER...", help="All players: `rm duct:c=1 random`.")
@parameter_option
@click.option(
    "--games",
    "count",
    type=click.IntRange(min=1),
    default=100,
    help="Games of each meeting, rounded up to a whole number of rotations.",
)
@play_clock_option
@iterations_option
@seed_option
@jobs_option
@executor_option
@store_option
@json_option
def tournament(
    games: tuple[str, ...],
    players: tuple[str, ...],
    parameters: tuple[str, ...],
    count: int,
    play_clock: float | None,
    iterations: int | None,
    seed: int,
    jobs: int | None,
    executor: str | None,
    store: Path | None,
    as_json: bool,
) -> None:
    """Play a round robin, with seats in turn and the same chance seeds for all, and rate the players.

    A parameter applies to each game that has it. All meetings of a game use the same chance seeds. Ratings are
    on the Elo scale, over all games, with mean 0. With only `--store`, the table so far is printed,
    also while the tournament is running.
    """
    if not games:
        if store is None:
            raise BadArgument("name a game, or the --store of a tournament to print")
        if players:
            raise BadArgument("name the games to play")
        _show(stored_facts(store), as_json)
        return
    if not players:
        raise BadArgument(f"name the players: {PLAYERS_OPTION} rm duct")
    from ggp.cli.playing import PLAYING, MatchPlan, processes_for, time_control_from
    from players.agents.processes import workers_kept

    time_control = time_control_from(play_clock, iterations)
    with workers_kept(0 if executor else processes_for(count, jobs), PLAYING):
        loaded = _loaded_games(games, parameters_from(parameters))
        specs = _checked_players(players, [game for _, game in loaded])
        entries = [entry for entry, _ in loaded]
        texts = [str(spec) for spec in specs]
        plan = {
            "games": [to_builtins(entry) for entry in entries],
            "players": texts,
            "thinking": to_builtins(time_control),
            "seed": seed,
        }
        plans = {
            meeting: MatchPlan(
                entries[meeting.game].name,
                tuple(entries[meeting.game].parameters.items()),
                tuple(texts[player] for player in meeting.players),
                seed,
                True,
                time_control,
            )
            for meeting in meetings_of(entries, len(specs))
        }
        with working_on(executor):
            results = _played(plans, entries, count, jobs, store, plan)
    for meeting, played in results.items():
        total = games_of_meeting(count, entries[meeting.game].roles)
        results[meeting] = {number: played[number] for number in range(total)}
    _show(facts_of(entries, texts, results), as_json)


def _show(facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(facts, indent=2))
    else:
        print_facts(facts)


def _loaded_games(names: Sequence[str], parameters: dict[str, str]) -> list[tuple[Entry, Game]]:
    """Return the games, each with those parameters that it has.

    Raises:
        BadArgument: no game has one of the parameters, or a game is for one player or named twice.
        GgpError: a game is unknown or its rules have errors.
    """
    from ggp.cli.playing import load_with_digest
    from ggp.cli.rules_input import checked_game
    from ggp.language.library import OPENSPIEL

    if len(set(names)) < len(names):
        raise BadArgument("a game is named twice")
    known = {
        # parameters of OpenSpiel's games stand in their names
        name: set() if name.startswith(OPENSPIEL) else {one.name for one in checked_game(name, {}).parameters}
        for name in names
    }
    for parameter in parameters:
        if not any(parameter in names_there for names_there in known.values()):
            raise BadArgument(f"none of the games has a parameter `{parameter}`")
    loaded = []
    for name in names:
        own = {key: value for key, value in parameters.items() if key in known[name]}
        game, digest = load_with_digest(name, own)
        if len(game.players) < 2:
            raise BadArgument(f"{game.name} is for one player: a tournament needs two")
        loaded.append((Entry(name, own, len(game.players), digest, game.teams), game))
    return loaded


def _checked_players(texts: Sequence[str], games: Sequence[Game]) -> list[PlayerSpec]:
    """Return the players, compiled and checked against all games.

    Raises:
        BadArgument: there are too few for a game, or one is named twice.
        GgpError: a player is unknown, or cannot play a game.
    """
    from ggp.cli.playing import make_ready
    from players.agents.registry import read_player

    specs = [read_player(text) for text in texts]
    names = [str(spec) for spec in specs]
    for name in names:
        if names.count(name) > 1:
            raise BadArgument(f"the player `{name}` is named twice")
    for game in games:
        if len(specs) < len(game.players):
            part = "1 player takes part" if len(specs) == 1 else f"{len(specs)} players take part"
            raise BadArgument(f"{game.name} has {len(game.players)} roles, and {part}")
    make_ready(specs, games, load=False)
    return specs


def _played(
    plans: dict[Meeting, MatchPlan],
    entries: Sequence[Entry],
    count: int,
    jobs: int | None,
    store: Path | None,
    heading: dict[str, Any],
) -> Results:
    """Return the results of all meetings: recorded ones, and the others played now.

    Raises:
        RecordUnusable: the record is of another tournament, or cannot be read or written.
        WorkerLost: a process was killed.
    """
    from ggp.cli.playing import play_batches, stopped, tell_found
    from ggp.cli.progress import progress_bar
    from ggp.competition.run_store import RunStore

    meeting_of = {plan: meeting for meeting, plan in plans.items()}
    results: Results = {meeting: {} for meeting in plans}
    with ExitStack() as stack:
        record = None
        if store is not None:
            record = stack.enter_context(RunStore(store, "tournament", heading))
            record.read(partial(add_record, results))
            tell_found(store, sum(map(len, results.values())))
        bar = stack.enter_context(progress_bar())
        batches = list(_missing(plans, entries, count, results))
        total = sum(games_of_meeting(count, entries[meeting.game].roles) for meeting in plans)
        done = total - sum(len(batch.numbers) for batch in batches)
        task = bar.add_task("playing", total=total, completed=done)
        try:
            for plan, played in stack.enter_context(closing(play_batches(batches, jobs))):
                meeting = meeting_of[plan]
                if record is not None:
                    facts = [to_builtins(result) for result in played]
                    record.append({"game": meeting.game, "players": meeting.players, "results": facts})
                results[meeting].update({one.number: one for one in played})
                done += len(played)
                bar.advance(task, len(played))
        except KeyboardInterrupt:
            raise stopped(done, total, store) from None
    return results


def _missing(
    plans: dict[Meeting, MatchPlan], entries: Sequence[Entry], count: int, results: Results
) -> Iterator[Batch]:
    """Yield the games still to be played, the meetings in turn, so that all progress equally."""
    from ggp.cli.playing import Batch

    waiting: list[list[Batch]] = []
    for meeting, plan in plans.items():
        roles = entries[meeting.game].roles
        total = games_of_meeting(count, roles)
        size = games_of_meeting(max(1, total // BATCHES_A_MEETING), roles)
        numbers = [number for number in range(total) if number not in results[meeting]]
        waiting.append([Batch(plan, numbers[at : at + size]) for at in range(0, len(numbers), size)])
    for batches in itertools.zip_longest(*waiting):
        yield from (batch for batch in batches if batch is not None)
