"""`ggp export`: a game as one HTML file that needs no server and no network."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from ggp.cli.arguments import BadArgument, game_argument, json_option, parameter_option, parameters_from


@click.command()
@game_argument
@click.option(
    "--html", type=click.Path(path_type=Path), required=True, metavar="FILE", help="Where the page is written."
)
@parameter_option
@json_option
def export(game: str, html: Path, parameters: tuple[str, ...], as_json: bool) -> None:
    """Write a game as one HTML file: people play it there, or against a search, without a server or a network.

    The game is compiled to WebAssembly; its boards are those of `ggp studio`.
    """
    from ggp.cli.progress import progress_bar
    from studio.one_page.writing import exported

    start = time.monotonic()
    with progress_bar() as progress:
        progress.add_task("compiling", total=None)
        page = exported(game, parameters_from(parameters)).encode()
    try:
        html.write_bytes(page)
    except OSError as error:
        raise BadArgument(f"`{html}` cannot be written: {error.strerror}") from error
    seconds = time.monotonic() - start
    if as_json:
        print(json.dumps({"file": str(html), "bytes": len(page), "seconds": round(seconds, 2)}))
    else:
        print(f"{html}: {len(page) / 1000:,.0f} kB, in {seconds:.1f} s")
