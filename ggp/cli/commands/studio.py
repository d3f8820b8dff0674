"""`ggp studio`: the pages on this machine, to play games in a browser."""

from __future__ import annotations

from pathlib import Path

import click

DEFAULT_PORT = 8338


@click.command()
@click.argument("game", nargs=-1, metavar="[GAME...]", help="Library games or rules files; the first is opened.")
@click.option("--port", type=click.IntRange(min=0, max=65535), default=DEFAULT_PORT, help="Port; 0: any free one.")
@click.option("--open/--no-open", "open_", default=True, help="Open a browser.")
def studio(game: tuple[str, ...], port: int, open_: bool) -> None:
    """Play games in the browser, on this machine: the library's and those of rules files."""
    import asyncio
    import webbrowser
    from urllib.parse import quote

    from ggp.cli.auto_choices import tell_no_repairs
    from ggp.cli.stopping import stopped_by_signals
    from ggp.language.library import library_names, load_rules
    from server.matches.counters import Counters
    from server.network.web_server import open_port, serving
    from studio.application import application

    tell_no_repairs()
    for name in game:
        load_rules(name)
    own = tuple(name for name in game if name not in library_names() and Path(name).is_file())
    listener = open_port("127.0.0.1", port)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    first = f"{address}play?game={quote(game[0])}" if game else address

    async def run() -> None:
        stop = stopped_by_signals()
        async with serving(application(own), listener, Counters()):
            print(f"ggp studio at {first}", flush=True)
            if open_:
                webbrowser.open(first)
            await stop.wait()

    asyncio.run(run())
