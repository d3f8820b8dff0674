"""`ggp serve`: the game manager, alone or with a tournament that it runs as soon as enough players have joined."""

from __future__ import annotations

import json
import secrets
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.arguments import BadArgument, JsonOption, ParameterOption, parameters_from

if TYPE_CHECKING:
    import asyncio

    from server.matches.cross_table import TableRow
    from server.matches.manager import Manager
    from server.matches.round_robin import TournamentSettings
    from server.matches.tournament_runner import TournamentRunner
    from server.store.store import Store


def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0: a free one.")] = 8000,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0: all of this machine.")
    ] = "127.0.0.1",
    store: Annotated[Path, typer.Option("--store", help="File that keeps everything; made if it is not there.")] = Path(
        "ggp-store.sqlite"
    ),
    tournament: Annotated[
        str | None, typer.Option("--tournament", metavar="GAME", help="Run a round robin of this game, then end.")
    ] = None,
    parameters: ParameterOption = [],  # noqa: B006 - read only; typer wants a list
    players: Annotated[int, typer.Option("--players", min=1, help="Begin the tournament with so many.")] = 2,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Meetings of each pair in each order of seats.")] = 1,
    at_once: Annotated[int, typer.Option("--at-once", min=1, help="Matches that a player plays at the same time.")] = 1,
    common_chance: Annotated[
        bool,
        typer.Option(
            "--common-chance",
            help="Matches that differ in the seats only share their chance. For players that do not remember matches.",
        ),
    ] = False,
    start_clock: Annotated[float, typer.Option("--start-clock", min=0.001, help="Seconds to study the rules.")] = 10.0,
    play_clock: Annotated[float, typer.Option("--play-clock", min=0.001, help="Seconds for each move.")] = 5.0,
    allowance: Annotated[
        int, typer.Option("--allowance", min=0, help="Milliseconds on top of each clock for the network.")
    ] = 250,
    admin_token: Annotated[
        str | None,
        typer.Option(
            "--admin-token",
            envvar="GGP_ADMIN_TOKEN",
            help="Who shows it may make matches over the API; without one, those on this machine may.",
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Seed of the tournament's chance; whoever knows it knows all chance.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run the game manager: players join over websockets, results are kept in the store."""
    import asyncio

    from server.matches.round_robin import TournamentSettings
    from server.referee.clocks import ClockSettings

    settings = None
    if tournament is not None:
        start_clock_ms, play_clock_ms = round(start_clock * 1000), round(play_clock * 1000)
        try:
            ClockSettings(start_clock_ms, play_clock_ms, allowance)
        except ValueError as error:
            raise BadArgument(str(error)) from error
        settings = TournamentSettings(
            game=tournament,
            parameters=parameters_from(parameters),
            players=players,
            rounds=rounds,
            start_clock_ms=start_clock_ms,
            play_clock_ms=play_clock_ms,
            allowance_ms=allowance,
            seed=seed if seed is not None else secrets.token_hex(16),
            common_chance=common_chance,
            matches_at_once=at_once,
        )
    interrupted = asyncio.run(_serve(host, port, store, settings, allowance, admin_token, as_json))
    if interrupted and settings is not None:
        raise KeyboardInterrupt


async def _serve(
    host: str,
    port: int,
    path: Path,
    settings: TournamentSettings | None,
    allowance_ms: int,
    admin_token: str | None,
    as_json: bool,
) -> bool:
    """Serve until the tournament is over or a signal comes; return whether a signal came."""
    import asyncio
    import signal

    from server.matches.library_games import LibraryGames
    from server.matches.tournament_runner import TournamentRunner, unfinished_tournament
    from server.network.host import hosting
    from server.network.web_server import open_port
    from server.store.store import Store

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    if settings is not None:
        _check(settings)
    with ExitStack() as unless_opened:
        listener = open_port(host, port)
        unless_opened.callback(listener.close)
        store = Store(path)
        unless_opened.pop_all()
    games = LibraryGames([offered.game for offered in (settings, _interrupted(store)) if offered is not None])
    try:
        async with hosting(store, games, listener, allowance_ms=allowance_ms, admin_token=admin_token) as manager:
            address, actual_port = listener.getsockname()[:2]
            shown = f"[{address}]" if ":" in address else address
            _announce(f"ws://{shown}:{actual_port}/play", path, as_json)
            runner = unfinished_tournament(manager)
            if runner is not None:
                print(_told_going_on(runner.settings, settings), file=sys.stderr)
            elif settings is not None:
                runner = TournamentRunner(manager, settings)
            if runner is None:
                await manager.chance.release_all()
                await stop.wait()
                return True
            return await _tournament(manager, runner, stop, path, as_json)
    finally:
        store.close()


def _check(settings: TournamentSettings) -> None:
    """Say what is wrong with a tournament before anybody can join it.

    Raises:
        GgpError: there is no such game, or its rules are wrong.
        BadArgument: it needs more players.
    """
    from server.matches.library_games import LibraryGames
    from server.matches.round_robin import schedule

    games = LibraryGames([settings.game])
    game = games.load(games.find(settings.game, settings.parameters))
    try:
        schedule(settings, len(game.players))
    except ValueError as error:
        raise BadArgument(str(error)) from error


def _interrupted(store: Store) -> TournamentSettings | None:
    """Return what tournament the last manager on a store was running when it ended, if any."""
    from server.matches.tournament_runner import unfinished

    with store.reading() as connection:
        found = unfinished(connection)
    return None if found is None else found[0]


def _told_going_on(unfinished: TournamentSettings, wanted: TournamentSettings | None) -> str:
    """Return what is said where a store has an unfinished tournament, above all to who asked for another one."""
    from msgspec.structs import replace

    said = f"going on with the tournament of {unfinished.game} that was interrupted"
    if wanted is None or replace(wanted, seed=unfinished.seed) == unfinished:
        return said
    return f"{said}, not with the one that was asked for: name another --store for that"


def _announce(url: str, path: Path, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"url": url, "store": str(path)}), flush=True)
    else:
        print(f"the manager listens at {url}, and keeps everything in {path}", flush=True)


async def _tournament(
    manager: Manager, runner: TournamentRunner, stop: asyncio.Event, path: Path, as_json: bool
) -> bool:
    """Run a tournament to its end, showing how far it is; return whether a signal came before."""
    import asyncio

    from ggp.cli.tournament_display import shown_progress

    task = asyncio.create_task(runner.run())
    stopped = asyncio.create_task(stop.wait())
    async with shown_progress(runner.progress):
        await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        print("stopped; `ggp serve` with the same store goes on with the tournament", file=sys.stderr)
        return True
    stopped.cancel()
    table = task.result()
    await manager.close("the tournament is over", for_good=True)
    _print_results(runner.id, table, path, as_json)
    return False


def _print_results(id_: str, table: list[TableRow], path: Path, as_json: bool) -> None:
    import msgspec

    from ggp.cli.tournament_display import print_table

    if as_json:
        print(json.dumps({"tournament": id_, "table": msgspec.to_builtins(table), "store": str(path)}), flush=True)
        return
    print_table(table)
    print(f"results and journals of all matches: {path}")
