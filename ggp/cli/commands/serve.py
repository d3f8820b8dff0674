"""`ggp serve`: the game manager, alone or with a round robin that begins when enough players have joined."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ggp.cli.arguments import BadArgument, json_option, parameter_option, parameters_from
from ggp.cli.json_log import log_as_json

if TYPE_CHECKING:
    import asyncio

    from ggp.competition.standings import Standing
    from server.competitions.competition import Competition
    from server.competitions.settings import CompetitionSettings
    from server.network.host import Host


@click.command()
@click.option(
    "--port", type=click.IntRange(min=0, max=65535), default=8000, help="Port to listen on; 0: any free port."
)
@click.option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0: all addresses of this machine.")
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=Path("ggp-store.sqlite"),
    help="File that keeps everything; created if missing.",
)
@click.option("--tournament", metavar="GAME", help="Run a round robin of this game, then exit.")
@parameter_option
@click.option("--players", type=click.IntRange(min=1), default=2, help="Players of the tournament.")
@click.option("--rounds", type=click.IntRange(min=1), default=1, help="Meetings of each pair in each order of seats.")
@click.option("--at-once", type=click.IntRange(min=1), default=1, help="Matches that a player plays at the same time.")
@click.option(
    "--common-chance",
    is_flag=True,
    help="Matches that differ only in the seats share their chance. For players that do not remember matches.",
)
@click.option("--start-clock", type=click.FloatRange(min=0.001), default=10.0, help="Seconds to study the rules.")
@click.option("--play-clock", type=click.FloatRange(min=0.001), default=5.0, help="Seconds for each move.")
@click.option(
    "--allowance", type=click.IntRange(min=0), default=250, help="Milliseconds on top of each clock of the tournament."
)
@click.option(
    "--admin-token",
    envvar="GGP_ADMIN_TOKEN",
    show_envvar=True,
    help="Required to create matches over the API; without one, requests from this machine may.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    envvar="GGP_ALLOW_HOST",
    show_envvar=True,
    help="A name by which the manager is reached, such as games.example; may be given several times.",
)
@click.option(
    "--seed", help="Reproducible games instead of secret ones: anyone who knows the seed can predict all chance."
)
@click.option(
    "--strikes", type=click.IntRange(min=0), default=3, help="How many late moves in a row forfeit a match; 0: none do."
)
@click.option("--total-clock", type=click.FloatRange(min=0.001), help="Seconds for all moves of a match together.")
@click.option(
    "--increment", type=click.FloatRange(min=0), default=0.0, help="Seconds that each move adds to --total-clock."
)
@click.option("--hide-times", is_flag=True, help="Pad the times of requests, so that they do not leak what is hidden.")
@click.option(
    "--visitors",
    type=click.IntRange(min=0),
    default=8,
    help="How many people may sit at boards or write games in a browser at the same time, each with a process.",
)
@click.option(
    "--publish",
    default="nobody",
    metavar="nobody|hosts|everybody",
    help="Who may publish games that they wrote in a browser.",
)
@click.option("--log-json", is_flag=True, help="Write the log as JSON, one object per line.")
@json_option
def serve(
    port: int,
    host: str,
    store: Path,
    tournament: str | None,
    parameters: tuple[str, ...],
    players: int,
    rounds: int,
    at_once: int,
    common_chance: bool,
    start_clock: float,
    play_clock: float,
    allowance: int,
    admin_token: str | None,
    allow_host: tuple[str, ...],
    seed: str | None,
    strikes: int,
    total_clock: float | None,
    increment: float,
    hide_times: bool,
    visitors: int,
    publish: str,
    log_json: bool,
    as_json: bool,
) -> None:
    """Run the game manager: players join over websockets, results are kept in the store."""
    import asyncio

    if log_json:
        log_as_json()
    if publish not in ("nobody", "hosts", "everybody"):
        raise BadArgument(f"--publish is `{publish}`; it is nobody, hosts or everybody")
    settings = None
    if tournament is None and (parameters or seed is not None):
        raise BadArgument("-p and --seed are for a tournament: name its game with --tournament")
    if tournament is not None:
        settings = _settings(
            tournament,
            parameters_from(parameters),
            players=players,
            rounds=rounds,
            start_clock_ms=round(start_clock * 1000),
            play_clock_ms=round(play_clock * 1000),
            allowance_ms=allowance,
            total_ms=None if total_clock is None else round(total_clock * 1000),
            increment_ms=round(increment * 1000),
            strikes=strikes,
            hide_times=hide_times,
            seed=seed,
            common_chance=common_chance,
            matches_at_once=at_once,
        )
        if seed is not None:
            print(
                "ggp: WARNING: with --seed the games are reproducible and NOT SECRET: anyone who guesses the seed"
                " can predict all chance. Leave it out in a competition.",
                file=sys.stderr,
            )
    interrupted = asyncio.run(
        _serve(host, port, store, settings, admin_token, allow_host, (visitors, publish), as_json)
    )
    if interrupted and settings is not None:
        raise KeyboardInterrupt


def _settings(
    game: str, parameters: dict[str, str], *, players: int, rounds: int, **others: Any
) -> CompetitionSettings:
    """Return a round robin of the first players to join.

    Raises:
        GgpError: there is no such game, or its rules have errors.
        BadArgument: the clocks are invalid, or the game needs more players.
    """
    from ggp.competition.formats import FormatUnfit, RoundRobin, check_format
    from server.competitions.settings import CompetitionSettings, GameChoice, SettingsWrong
    from server.matches.library_games import LibraryGames

    games = LibraryGames([game])
    source = games.find(game, parameters)
    try:
        settings = CompetitionSettings(
            name=f"{source.name} round robin",
            games=(GameChoice(source.name, dict(source.parameters), source.rules, dict(source.files)),),
            format=RoundRobin(rounds),
            entry="everybody",
            min_players=players,
            max_players=players,
            **others,
        )
        settings.check()
        check_format(settings.format, len(games.load(source).players), players)
    except (SettingsWrong, FormatUnfit) as error:
        raise BadArgument(str(error)) from error
    return settings


async def _serve(
    host: str,
    port: int,
    path: Path,
    settings: CompetitionSettings | None,
    admin_token: str | None,
    allowed_hosts: Sequence[str],
    browsers: tuple[int, Any],
    as_json: bool,
) -> bool:
    """Serve until the tournament is over or a signal comes; return whether a signal came.

    `browsers` are how many people may use processes from browsers, and who may publish.
    """
    from ggp.cli.stopping import stopped_by_signals
    from server.matches.library_games import LibraryGames
    from server.network.host import hosting
    from server.network.web_server import open_port
    from server.store.store import Store
    from studio.publishing import ManagerPages

    stop = stopped_by_signals()
    with ExitStack() as unless_opened:
        listener = open_port(host, port)
        unless_opened.callback(listener.close)
        store = Store(path)
        unless_opened.pop_all()
    try:
        pages = ManagerPages(*browsers, admin_token, path.with_name(path.name + "-published"))
        async with (
            AsyncExitStack() as closing,
            hosting(
                store,
                LibraryGames(),
                listener,
                admin_token=admin_token,
                allowed_hosts=allowed_hosts,
                more=pages.routes,
            ) as hosted,
        ):
            closing.push_async_callback(pages.close)
            await pages.begin(f"127.0.0.1:{listener.getsockname()[1]}")
            competitions = hosted.competitions
            address, actual_port = listener.getsockname()[:2]
            shown = f"[{address}]" if ":" in address else address
            url = f"ws://{shown}:{actual_port}/play"
            said = f"the manager listens at {url}, and keeps everything in {path}"
            print(json.dumps({"url": url, "store": str(path)}) if as_json else said, flush=True)
            tournaments = [one for one in competitions.all if _is_tournament(one.settings)]
            for one in competitions.all:
                print(f"continuing the competition {one.settings.name}: {one.state}", file=sys.stderr)
            if settings is not None and not tournaments:
                tournaments = [await competitions.make(settings)]
            elif settings is not None and not _same(tournaments[-1].settings, settings):
                print(
                    "this store has another tournament, which continues: use another --store for a new one",
                    file=sys.stderr,
                )
            if not tournaments:
                await hosted.manager.chance.release_all()
                await stop.wait()
                return True
            return await _tournament(hosted, tournaments[-1], stop, path, as_json)
    finally:
        store.close()


def _is_tournament(settings: CompetitionSettings) -> bool:
    """Return whether a competition was made by `ggp serve --tournament`, which exits when it is over."""
    return settings.entry == "everybody" and settings.min_players == settings.max_players is not None


def _same(one: CompetitionSettings, other: CompetitionSettings) -> bool:
    """Return whether two tournaments differ only in their seeds and names."""
    from msgspec.structs import replace

    return replace(one, seed=None, name="") == replace(other, seed=None, name="")


async def _tournament(host: Host, competition: Competition, stop: asyncio.Event, path: Path, as_json: bool) -> bool:
    """Wait for the end of a tournament, showing its progress; return whether a signal came first.

    Raises:
        BadArgument: it is suspended, since something could not be stored.
    """
    import asyncio

    from ggp.cli.tournament_display import shown_progress
    from server.store.store import StoreFailed

    task = host.competitions.task_of(competition)
    stopped = asyncio.create_task(stop.wait())
    async with shown_progress(competition.progress):
        await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        print("stopped; `ggp serve` with the same store continues the tournament", file=sys.stderr)
        return True
    stopped.cancel()
    try:
        task.result()
    except StoreFailed as error:
        raise BadArgument(
            f"the tournament is suspended: {error}; when there is space, `ggp serve` with this store continues it"
        ) from error
    table = await competition.table()
    await host.close("the tournament is over", for_good=True)
    _print_results(competition.id, table, path, as_json)
    return False


def _print_results(id_: str, table: list[Standing], path: Path, as_json: bool) -> None:
    import msgspec

    from ggp.cli.tournament_display import print_table

    if as_json:
        facts = {"competition": id_, "table": msgspec.to_builtins(table), "store": str(path)}
        print(json.dumps(facts), flush=True)
        return
    print_table(table)
    print(f"results and journals of all matches: {path}")
