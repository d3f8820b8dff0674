"""`ggp tournament`: a round robin in one or several games, in parallel, with intervals and ratings."""

from __future__ import annotations

import itertools
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from ggp.cli.arguments import (
    BadArgument,
    IterationsOption,
    JobsOption,
    JsonOption,
    ParameterOption,
    PlayClockOption,
    SeedOption,
    StoreOption,
    parameters_from,
)
from ggp.cli.executors import ExecutorOption, working_on
from ggp.cli.game_texts import table_lines

if TYPE_CHECKING:
    from ggp.cli.playing import Batch, MatchPlan
    from ggp.competition.run_store import RunStore
    from ggp.model.game import Game
    from players.matches import GameResult
    from players.registry import PlayerSpec

PLAYERS_OPTION = "--players"
BATCHES_A_MEETING = 32
"""Into how many parts a meeting is split at most: each is written to the record when it is over."""


class CommandWithPlayers(TyperCommand):
    """A command whose option `--players` takes all words up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat `--players` before each of its words, which is how options with many values are known here."""
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


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of the tournament: how it is loaded, and how many sit at it."""

    name: str
    parameters: dict[str, str]
    roles: int
    digest: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game and those who play it, as numbers in the lists of the tournament; each sits in every role in turn."""

    game: int
    players: tuple[int, ...]


Results = dict[Meeting, dict[int, "GameResult"]]
"""The results of each meeting, by the numbers of the games."""


def tournament(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME...]", help="Rules files, or names of library games; without any, print what --store has."
        ),
    ] = None,
    players: Annotated[
        list[str], typer.Option(PLAYERS_OPTION, metavar="PLAYER...", help="All who take part: `rm duct:c=1 random`.")
    ] = [],  # noqa: B006 - read only; typer wants a list
    parameters: ParameterOption = [],  # noqa: B006 - read only; typer wants a list
    count: Annotated[
        int, typer.Option("--games", min=1, help="Games of each meeting, rounded up to a whole number of seatings.")
    ] = 100,
    play_clock: PlayClockOption = None,
    iterations: IterationsOption = None,
    seed: SeedOption = 0,
    jobs: JobsOption = None,
    executor: ExecutorOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a round robin, with seats in turn and the same chance for all, and rate the players.

    A parameter holds for each of the games that has it. All meetings of a game see the same chance seeds. Ratings are
    on the Elo scale, of all games together, their mean 0. With `--store` alone the table of what was played is printed,
    also while the tournament runs.
    """
    if not games:
        if store is None:
            raise BadArgument("name a game, or the --store of a tournament to be printed")
        if players:
            raise BadArgument("name the games that they play")
        _show(_stored_facts(store), as_json)
        return
    if not players:
        raise BadArgument(f"name who plays: {PLAYERS_OPTION} rm duct")
    from ggp.cli.playing import MatchPlan, time_control_from

    time_control = time_control_from(play_clock, iterations)
    loaded = _loaded_games(games, parameters_from(parameters))
    specs = _checked_players(players, [game for _, game in loaded])
    entries = [entry for entry, _ in loaded]
    texts = [str(spec) for spec in specs]
    plan = {
        "games": [asdict(entry) for entry in entries],
        "players": texts,
        "thinking": asdict(time_control),
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
        for meeting in _meetings(entries, len(specs))
    }
    with working_on(executor):
        results = _played(plans, entries, count, jobs, store, plan)
    for meeting, played in results.items():
        total = games_of_meeting(count, entries[meeting.game].roles)
        results[meeting] = {number: played[number] for number in range(total)}
    _show(_facts(entries, texts, results), as_json)


def _stored_facts(path: Path) -> dict[str, Any]:
    """Return the table and the ratings of what a store has so far.

    Raises:
        RecordUnusable: it cannot be read, or is no store of a tournament.
    """
    from ggp.cli.recorded_games import results_of
    from ggp.competition.run_store import RecordUnusable, read_run

    plan, records = read_run(path, "tournament")
    try:
        entries = [Entry(**entry) for entry in plan["games"]]
        results: Results = {meeting: {} for meeting in _meetings(entries, len(plan["players"]))}
        for _, found in records:
            meeting = Meeting(found["game"], tuple(found["players"]))
            results[meeting].update({one.number: one for one in results_of(found["results"])})
    except (KeyError, TypeError, ValueError) as error:
        raise RecordUnusable(f"{path} is damaged: {error}") from error
    return _facts(entries, plan["players"], {meeting: played for meeting, played in results.items() if played})


def _show(facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(facts, indent=2))
    else:
        _print(facts)


def _loaded_games(names: Sequence[str], parameters: dict[str, str]) -> list[tuple[Entry, Game]]:
    """Return the games, each with the parameters that it has.

    Raises:
        BadArgument: no game has one of the parameters, or a game is for one player or named twice.
        GgpError: a game is unknown or its rules have errors.
    """
    from ggp.cli.playing import load_with_digest
    from ggp.cli.rules_input import checked_game

    if len(set(names)) < len(names):
        raise BadArgument("a game is named twice")
    known = {name: {parameter.name for parameter in checked_game(name, {}).parameters} for name in names}
    for parameter in parameters:
        if not any(parameter in names_there for names_there in known.values()):
            raise BadArgument(f"none of the games has a parameter `{parameter}`")
    loaded = []
    for name in names:
        own = {key: value for key, value in parameters.items() if key in known[name]}
        game, digest = load_with_digest(name, own)
        if len(game.players) < 2:
            raise BadArgument(f"{game.name} is for one player: there is nobody to meet")
        loaded.append((Entry(name, own, len(game.players), digest), game))
    return loaded


def _checked_players(texts: Sequence[str], games: Sequence[Game]) -> list[PlayerSpec]:
    """Return the players, compiled and each known to be able to play all the games.

    Raises:
        BadArgument: there are too few for a game, or one is named twice.
        GgpError: a player is unknown, or cannot play a game.
    """
    from ggp.cli.playing import make_ready
    from players.registry import read_player

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


def _meetings(entries: Sequence[Entry], players: int) -> Iterator[Meeting]:
    from ggp.competition.pairing import all_groups

    for number, entry in enumerate(entries):
        for together in sorted(all_groups(range(players), entry.roles)):
            yield Meeting(number, together)


def _played(
    plans: dict[Meeting, MatchPlan],
    entries: Sequence[Entry],
    count: int,
    jobs: int | None,
    store: Path | None,
    heading: dict[str, Any],
) -> Results:
    """Return the results of all meetings: those on record, and the others played now.

    Raises:
        RecordUnusable: the record is of another tournament, or cannot be read or written.
        WorkerLost: a process was ended from outside.
    """
    from ggp.cli.playing import play_batches
    from ggp.cli.progress import progress_bar
    from ggp.cli.recorded_games import result_facts, tell_found
    from ggp.competition.run_store import RunStore

    meeting_of = {plan: meeting for meeting, plan in plans.items()}
    results: Results = {meeting: {} for meeting in plans}
    with ExitStack() as stack:
        record = None
        if store is not None:
            record = stack.enter_context(RunStore(store, "tournament", heading))
            _collect(record, results)
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
                    facts = [result_facts(result) for result in played]
                    record.append({"game": meeting.game, "players": meeting.players, "results": facts})
                results[meeting].update({one.number: one for one in played})
                done += len(played)
                bar.advance(task, len(played))
        except KeyboardInterrupt:
            bar.stop()
            how = "; `--store FILE` would keep them" if store is None else f"; the same command goes on from {store}"
            print(f"ggp: stopped after {done:,} of {total:,} games{how}", file=sys.stderr)
            raise
    return results


def _collect(store: RunStore, results: Results) -> None:
    """Add the results on record to those of the meetings.

    Raises:
        RecordUnusable: a record is no result of one of the meetings.
    """
    from ggp.cli.recorded_games import results_of

    for number, found in store.records:
        try:
            meeting = Meeting(int(found["game"]), tuple(found["players"]))
            results[meeting].update({one.number: one for one in results_of(found["results"])})
        except (KeyError, TypeError, ValueError) as error:
            raise store.damaged(number, error) from error


def games_of_meeting(count: int, roles: int) -> int:
    """Return `count` rounded up to a whole number of seatings: every player has every role once in each."""
    return -(-count // roles) * roles


def _missing(
    plans: dict[Meeting, MatchPlan], entries: Sequence[Entry], count: int, results: Results
) -> Iterator[Batch]:
    """Yield the games still to be played, the meetings in turn, so that all progress alike."""
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


def _facts(entries: Sequence[Entry], players: Sequence[str], results: Results) -> dict[str, Any]:
    """Return the table, a row a meeting of which there are results, and the ratings, a row a player, best first."""
    from ggp.competition.ratings import ratings_of
    from ggp.competition.results import MatchResult, pair_points
    from players.matches import faults_told, standings

    pairs: defaultdict[tuple[int, int], float] = defaultdict(float)
    table = []
    for meeting, by_number in results.items():
        roles = entries[meeting.game].roles
        played = [result for _, result in sorted(by_number.items())]
        for result in played:
            seated = tuple(meeting.players[seat] for seat in result.seats)
            for one, other, points in pair_points(MatchResult(seated, result.utilities, result.errors)):
                pairs[one, other] += points
                pairs[other, one] += 1 - points
        rows = standings(played)
        table.append(
            {
                "game": entries[meeting.game].name,
                "players": [players[player] for player in meeting.players],
                "games": len(played),
                "wins": [row.wins for row in rows],
                "draws": [row.draws for row in rows],
                "win_rate": [row.win_rate for row in rows],
                "ci95": [row.ci95 for row in rows],
                "mean_payoff": [row.mean_payoff for row in rows],
                "payoff_ci95": [_payoff_ci95(played, player, roles) for player in range(roles)],
                "errors": [row.errors for row in rows],
                **faults_told(played),
            }
        )
    rated = ratings_of(range(len(players)), pairs)
    ratings = [
        {"player": player, "rating": rated[at].estimate, "low": rated[at].low, "high": rated[at].high}
        for at, player in enumerate(players)
    ]
    return {"table": table, "ratings": sorted(ratings, key=lambda row: -float(row["rating"]))}


def _payoff_ci95(played: Sequence[GameResult], player: int, roles: int) -> float | None:
    """Return half the 95 % interval of a player's mean payoff, from the means of seatings with one chance seed.

    These are independent of each other, the games of one seating are not. None with a single seating.
    """
    from ggp.competition.statistics import mean_interval

    payoffs = [result.utilities[result.seats.index(player)] for result in played]
    means = [sum(payoffs[at : at + roles]) / roles for at in range(0, len(payoffs), roles)]
    return mean_interval(means).half_width if len(means) > 1 else None


def _print(facts: dict[str, Any]) -> None:
    from players.matches import faults_line

    rows = []
    for row in facts["table"]:
        for place, player in enumerate(row["players"]):
            interval = row["payoff_ci95"][place]
            rows.append(
                (
                    row["game"] if place == 0 else "",
                    player,
                    str(row["wins"][place]),
                    str(row["draws"][place]),
                    f"{100 * row['win_rate'][place]:.1f} ± {100 * row['ci95'][place]:.1f} %",
                    f"{row['mean_payoff'][place]:.3f}" + ("" if interval is None else f" ± {interval:.2g}"),
                    str(row["errors"][place]),
                )
            )
    for line in table_lines(("game", "player", "wins", "draws", "win rate", "mean payoff", "errors"), rows):
        print(line)
    for row in facts["table"]:
        told = faults_line(row, row["games"])
        if told is not None:
            print(f"{row['game']}, {' against '.join(row['players'])}: {told}")
    print()
    ratings = [
        # whole numbers have no sign at 0
        (row["player"], f"{round(row['rating'])}", f"{round(row['low'])} to {round(row['high'])}")
        for row in facts["ratings"]
    ]
    for line in table_lines(("player", "rating", "95 % interval"), ratings):
        print(line)
